/* What is known of the switches of laws, whoever asks: which are watched, how often they have fired, what they compare. */
#include "integrator/switches.h"

#include "integrator/core.h"

#include <math.h>

bool dt_switch_any_watched(const dt_law *law)
{
    bool any = false;
    for (int j = 0; j < law->program->switch_count && !any; j++) {
        any = !dt_instants_is_known(law, j);
    }
    return any;
}

int dt_switch_times_fired(const dt_simulation *sim, const dt_law *law)
{
    const dt_system *whole = &sim->system;
    int times = 0;
    for (int l = 0; l < whole->law_count && times == 0; l++) {
        times = whole->law[l]->branch == law->branch && whole->law[l]->program->switch_count > 0
                    ? sim->storm.times[DT_SOURCE_SWITCH][l]
                    : 0;
    }
    return times;
}

/** What a variable that follows forces ordinarily is; 0 of others. */
static double size_of(const dt_simulation *sim, dt_variable variable)
{
    const dt_scale *scale = &sim->scale;
    if (!dt_variable_is(variable, DT_OF_FORCES)) {
        return 0;
    }
    if (variable.kind == DT_VARIABLE_ACCELERATION) {
        return dt_scale_velocity(scale, sim->mechanism, variable.index) / scale->time;
    }
    return dt_variable_is(variable, DT_OF_MOMENT) ? scale->energy : scale->energy / scale->length;
}

double dt_switch_size(dt_simulation *sim, dt_system *s, const dt_law *law, int j)
{
    const dt_program *p = law->program;
    double *gradient = sim->roots.gradient, sum = 0;
    dt_law_switch_gradient(s, law, j, gradient);
    for (int k = 0; k < p->variable_count; k++) {
        sum += gradient[k] != 0 ? fabs(gradient[k]) * size_of(sim, p->variables[k]) : 0;
    }
    return sum;
}
