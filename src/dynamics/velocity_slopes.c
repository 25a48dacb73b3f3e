/*
 * The matrix of a step of what is coupled, J = E/h - F': with slopes of all that acts, and of what bodies do by their inertia as they move, or without these.
 *
 * In relative coordinates what a heavy body does by its inertia to a light one is as much as the matrix itself, without being stiff: its slopes, which no motion
 * follows, lead steps astray. So do those of conditions, 2 h dG/dt beside G, next to where branches of a loop meet. Where they are left out the correction by
 * the middle of the step (velocity_refine.c) has what they tell.
 */
#include "dynamics/velocity_newton.h"

#include <string.h>

static void stand(dt_velocity_step *w, const double *v)
{
    dt_system *s = w->system;
    dt_motion_velocity(s->tree, v, s->motion);
    dt_system_set_acceleration(s, s->a, w->pinned);
}

static detent_status factor(dt_velocity_step *w, detent_error *error)
{
    return dt_newton_factor(w->newton, w->system, DT_NEWTON_STEP, 1 / w->h, error);
}

detent_status dt_velocity_newton_factor(dt_velocity_step *w, detent_error *error)
{
    const dt_system *s = w->system;
    if (!w->inert) {
        return factor(w, error);
    }
    memset(w->better, 0, (size_t)s->tree->nv * sizeof *w->better);
    stand(w, w->better);
    const detent_status status = factor(w, error);
    stand(w, s->v);
    return status;
}
