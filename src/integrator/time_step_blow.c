/*
 * Blows: a joint that comes to a stop in a step, or is caught by a freewheel, does so by forces that grow as the step gets shorter. As at an impact friction has
 * no part of them, and no law reads them: friction that follows forces, loads and derivatives have those of the last step that was no blow.
 *
 * One who is on his way to a stop meets it at the end of one step, with what velocity takes him there, and stands still in the next: both are blows.
 */
#include "integrator/core.h"
#include "integrator/time_step.h"

bool dt_time_step_is_blow(const dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        const dt_staircase *stair = &x->box.stair[k];
        const int corner = dt_corner_of(stair);
        any = corner >= 0 && (isinf(stair->force[corner]) || isinf(stair->force[corner + 1])) &&
              (corner != x->stick[k] || x->step.start[x->box.freedom[k]] != 0);
    }
    return any;
}

static void read_forces(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    dt_system *s = &sim->system;
    memcpy(s->multiplier, x->read_m, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->read_m);
    dt_system_set_acceleration(s, x->read_a, x->read_f);
}

void dt_time_step_read_forces(dt_simulation *sim)
{
    read_forces(sim);
    dt_system_forces(&sim->system);
}

void dt_time_step_take_forces(dt_simulation *sim)
{
    if (dt_time_step_is_blow(sim)) {
        read_forces(sim);
        sim->time_stepping.step.left = true;
    } else {
        dt_velocity_step_take(&sim->time_stepping.step);
    }
}

void dt_time_step_keep_forces(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    memcpy(x->read_a, x->a, (size_t)sim->nv * sizeof *x->a);
    memcpy(x->read_f, x->f, (size_t)sim->ns * sizeof *x->f);
    memcpy(x->read_m, x->m, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
}
