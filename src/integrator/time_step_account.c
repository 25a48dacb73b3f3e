/* The works of a step. */
#include "integrator/core.h"
#include "integrator/time_step.h"

/*
 * Powers of forces of the mean of the velocities, and of the reactions there are in the end: in the middle, or at the start where what is coupled has none.
 * Leaves the system where it was, with what the step has found.
 */
static void find_powers(dt_simulation *sim, double power[DT_WORKS])
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    const double time = s->time;
    const double *q = x->step.coupled ? x->q_start : s->q;
    for (int j = 0; j < sim->nv; j++) {
        x->v_middle[j] = 0.5 * (x->step.start[j] + x->step.v[j]);
    }
    if (!x->step.coupled) {
        dt_system_set_state(s, time, q, x->v_middle);
    } else if (x->corrected) {
        dt_system_set_state(s, time + 0.5 * x->step.h, x->q_middle, x->v_middle);
    } else if (!dt_time_step_enter_coupled_middle(sim)) {
        dt_system_set_state(s, time, q, x->v_middle);
    }
    dt_velocity_step_take(&x->step);
    dt_system_wrenches(s);
    dt_system_forces(s);
    dt_time_step_powers(sim, power);
    if (x->step.coupled) {
        memcpy(s->z, x->z_start, (size_t)sim->mechanism->state_count * sizeof *s->z);
    }
    dt_system_set_state(s, time, q, x->step.start);
    dt_velocity_step_take(&x->step);
}

/*
 * Whether powers have to be found anew: who gives way in a step that is not taken by the mean of the velocities stood at its start; and what a motion takes
 * follows reactions, which are those of the middle in the end only.
 */
static bool has_other_powers(const dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    bool moved = false;
    for (int i = 0; i < sim->system.tree->node_count && x->step.coupled; i++) {
        moved = moved || dt_is_prescribed(&sim->system, i);
    }
    return !x->corrected || moved;
}

/*
 * The velocity by which the push f of a stop does its work: the impulse changes the kinetic energy by the mean of those before and after. Who leaves the
 * stop and comes back to it within the step comes with what is not known; it moves against the push in the mean of its way.
 */
static double at_stop(const dt_simulation *sim, int j, double f)
{
    const dt_velocity_step *step = &sim->time_stepping.step;
    const double mean = 0.5 * (step->start[j] + step->v[j]);
    return f * mean < 0 ? mean : dt_time_step_mean(sim, j);
}

/*
 * The power that the push of a stop, where joint k has stood, gives to him who leaves it at the start of the step and is driven back to it: by another one, who
 * comes to a stop in the same step, and for whom more is counted than he loses.
 */
static double gives_back(const dt_simulation *sim, int k)
{
    const dt_time_stepping *x = &sim->time_stepping;
    const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
    const int corner = dt_corner_of(&x->box.stair[k]), j = x->box.freedom[k];
    if (!stops || corner < 0 || corner != x->stick[k]) {
        return 0;
    }
    const double q = x->q_start[sim->system.tree->nodes[x->box.node[k]].q], f = x->step.f[k];
    const int side = stops->way != 0     ? -stops->way
                     : q <= stops->at[0] ? -1
                     : q >= stops->at[1] ? 1
                                         : 0;
    return side * f < 0 ? fmax(0, 0.5 * f * (x->step.start[j] + x->step.v[j])) : 0;
}

/*
 * Whether joint k jams: it moves, and stops within the step by friction that follows forces, and is by far more than it was, for it follows the very impulse
 * that stops the joint. Who comes to rest by forces loses but what there is in a step, of the order of its square, in which he may be taken for one; but not who is
 * stopped by others, and held against them: his friction has driven him on in the mean.
 */
static bool jams(const dt_simulation *sim, int k)
{
    static const double far = 2;
    const dt_time_stepping *x = &sim->time_stepping;
    const int j = x->box.freedom[k];
    return x->limit_follows[k] && x->step.f[k] * x->step.start[j] < 0 && x->step.v[j] == 0 &&
           dt_time_step_reaches(sim, k) == 0 && fabs(x->step.f[k]) > far * fabs(x->f[k]);
}

/* Works of the step, with what stops, and joints that jam, have taken apart from friction. The forces of the last step are still there. */
void dt_time_step_account(dt_simulation *sim, const double *before, double *work)
{
    dt_time_stepping *x = &sim->time_stepping;
    const double h = x->step.h;
    double power[DT_WORKS], friction = 0, loss = 0, back = 0, springs[DT_WORKS] = {0};
    if (has_other_powers(sim)) {
        find_powers(sim, power);
    } else if (x->step.coupled) {
        memcpy(power, x->power, sizeof power);
    } else {
        dt_time_step_powers(sim, power);
    }
    for (int k = 0; k < sim->ns; k++) {
        const int j = x->box.freedom[k];
        const double mean = 0.5 * (x->step.start[j] + x->step.v[j]), f = x->step.f[k];
        const bool stops = dt_time_step_reaches(sim, k) != 0;
        x->jams[k] = jams(sim, k);
        friction += stops || x->jams[k] ? 0 : f * mean;
        loss -= stops ? f * at_stop(sim, j, f) : x->jams[k] ? f * mean : 0;
        back += gives_back(sim, k);
    }
    back = fmax(0, fmin(back, loss));
    loss -= back;
    friction -= back;
    friction += power[DT_WORK_FRICTION];
    dt_bristles_works(&x->step.bristles, x->step.v, &springs[DT_WORK_FRICTION],
                      &springs[DT_WORK_ACTUATION]);
    sim->statistics.impact_loss += h * loss;
    for (int w = 0; w < DT_WORKS; w++) {
        work[w] = before[w] + h * (w == DT_WORK_FRICTION ? friction : power[w]) + springs[w];
    }
}
