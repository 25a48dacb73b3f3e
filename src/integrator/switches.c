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

static double size_of(dt_simulation *sim, dt_system *s, const dt_law *law, int j, int traits)
{
    const dt_program *p = law->program;
    double *gradient = sim->roots.gradient, sum = 0;
    dt_law_switch_gradient(s, law, j, gradient);
    for (int k = 0; k < p->variable_count; k++) {
        const double size = dt_variable_is(p->variables[k], traits)
                                ? dt_scale_variable(&sim->scale, sim->mechanism, p->variables[k])
                                : 0;
        sum += gradient[k] != 0 ? fabs(gradient[k]) * size : 0;
    }
    return sum;
}

double dt_switch_size(dt_simulation *sim, dt_system *s, const dt_law *law, int j)
{
    return size_of(sim, s, law, j, DT_OF_FORCES);
}

double dt_switch_size_of_motion(dt_simulation *sim, dt_system *s, const dt_law *law, int j)
{
    return size_of(sim, s, law, j, DT_OF_FORCES) > 0
               ? 0
               : size_of(sim, s, law, j, DT_OF_POSITIONS | DT_OF_VELOCITIES);
}
