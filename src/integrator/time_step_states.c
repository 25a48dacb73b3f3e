/* States at the end of a step: inside their stops; springs of friction laws where the step has led them. */
#include "integrator/core.h"
#include "integrator/time_step.h"

#include "integrator/state_stops.h"

/* States follow implicitly, from where joints are at the end. */
static bool follow_freely(dt_simulation *sim, double end, const double *q, const double *v)
{
    dt_system *s = &sim->system;
    const int count = sim->mechanism->state_count;
    double *rate = sim->time_stepping.rate;
    if (sim->time_stepping.corrected) {
        const double *change = sim->time_stepping.step.coupled ? sim->time_stepping.step.z : rate;
        for (int k = 0; k < count; k++) {
            s->z[k] = sim->time_stepping.z_start[k] + change[k];
        }
        return true;
    }
    const double h = sim->time_stepping.step.h;
    dt_system_set_state(s, end, q, v);
    if (sim->time_stepping.follows) {
        dt_time_step_read_forces(sim);
    }
    dt_fixed_take_switches(sim);
    if (!dt_velocity_step_states(&sim->time_stepping.step, 1 / h, rate)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        s->z[k] += rate[k];
    }
    return true;
}

bool dt_time_step_follow_states(dt_simulation *sim, double end, const double *q, const double *v)
{
    const dt_velocity_step *step = &sim->time_stepping.step;
    if (sim->mechanism->state_count == 0) {
        return true;
    }
    if (!follow_freely(sim, end, q, v)) {
        return false;
    }
    dt_bristles_take_states(&step->bristles, step->v, sim->system.z);
    dt_state_stops_settle(sim);
    return true;
}
