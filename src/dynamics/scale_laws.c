/* What laws do besides what they give at the start: by time, and at all velocities. */
#include "dynamics/scale.h"

double dt_law_time_slope(dt_system *s, const dt_law *law, int direction, double *gradient)
{
    double sum = 0;
    if (!law->program || law->program->is_constant) {
        return 0;
    }
    dt_law_gradient(s, law, direction, gradient);
    for (int k = 0; k < law->program->variable_count; k++) {
        sum += dt_variable_is(law->program->variables[k], DT_OF_TIME) ? dt_known(gradient[k]) : 0;
    }
    return sum;
}

/* The law as a series while variables with some trait of an item (-1: any) run through an interval, what else it reads being as it is. */
static dt_series enclose(dt_system *s, const dt_scale *scale, const dt_law *law, int traits,
                         int item, dt_interval through)
{
    const dt_program *p = law->program;
    for (int k = 0; k < p->variable_count; k++) {
        const dt_variable of = p->variables[k];
        dt_series_constant(dt_system_variable(s, of, dt_law_stiction(s, law)), 1, &scale->slots[k]);
        if (dt_variable_is(of, traits) && (item < 0 || of.index == item)) {
            scale->slots[k].c[0] = through;
            scale->slots[k].c[1] = (dt_interval){1, 1};
        }
    }
    dt_program_enclose(p, scale->slots, NULL, 1, false, scale->registers);
    return scale->registers[p->operation_count - 1];
}

double dt_law_later(dt_system *s, const dt_scale *scale, const dt_law *law)
{
    const dt_program *p = law->program;
    if (!p || p->is_constant || !p->depends_on_time) {
        return 0;
    }
    const dt_interval all = {s->time, scale->end};
    return dt_known(dt_interval_size(enclose(s, scale, law, DT_OF_TIME, -1, all).c[0]));
}

double dt_law_damping(dt_system *s, const dt_scale *scale, const dt_law *law, int node, int sign)
{
    const dt_interval all = {sign > 0 ? 0 : -INFINITY, INFINITY};
    bool reads = false;
    for (int k = 0; law->program && k < law->program->variable_count; k++) {
        const dt_variable of = law->program->variables[k];
        reads = reads || (dt_variable_is(of, DT_OF_VELOCITIES) && of.index == node);
    }
    if (!reads) {
        return 0;
    }
    const dt_interval slope = enclose(s, scale, law, DT_OF_VELOCITIES, node, all).c[1];
    const double least = sign > 0 ? slope.lo : -slope.hi;
    return least > 0 && isfinite(least) ? least : 0;
}
