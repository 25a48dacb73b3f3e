/* The works of a step. */
#include "integrator/core.h"
#include "integrator/time_step.h"

void dt_time_step_powers(dt_simulation *sim, double power[DT_WORKS])
{
    dt_system *s = &sim->system;
    dt_powers(s, power);
    for (int k = 0; k < sim->ns; k++) {
        const int i = sim->time_stepping.box.node[k];
        power[DT_WORK_FRICTION] -=
            dt_is_prescribed(s, i) ? 0 : s->f[k] * s->v[sim->time_stepping.box.freedom[k]];
    }
}

/* Works of the step, with what stops have taken apart from friction. */
void dt_time_step_account(dt_simulation *sim, const double *before, double *work)
{
    const dt_time_stepping *x = &sim->time_stepping;
    const double h = x->step.h;
    double power[DT_WORKS], friction = 0, loss = 0, springs[DT_WORKS] = {0};
    if (x->corrected && x->step.coupled) {
        memcpy(power, x->power, sizeof power);
    } else {
        dt_time_step_powers(sim, power);
    }
    for (int k = 0; k < sim->ns; k++) {
        const int j = x->box.freedom[k];
        const double mean = 0.5 * (x->step.start[j] + x->step.v[j]), f = x->step.f[k];
        const bool stops = dt_time_step_reaches(sim, k) != 0;
        friction += stops ? 0 : f * mean;
        /* what pushes takes, for it moves against the push */
        loss -= stops ? f * dt_time_step_mean(sim, j) : 0;
    }
    friction += power[DT_WORK_FRICTION];
    dt_bristles_works(&x->step.bristles, x->step.v, &springs[DT_WORK_FRICTION],
                      &springs[DT_WORK_ACTUATION]);
    sim->statistics.impact_loss += h * loss;
    for (int w = 0; w < DT_WORKS; w++) {
        work[w] = before[w] + h * (w == DT_WORK_FRICTION ? friction : power[w]) + springs[w];
    }
}
