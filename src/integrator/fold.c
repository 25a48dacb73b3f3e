/*
 * Friction that follows the reactions which it causes may have several solutions at the same modes, or none: two
 * branches of solutions meet and end in a fold. There the determinant of the equations of motion is zero, and its sign
 * is another one on the other branch, so that a step that lands on the other branch shows.
 */
#include "integrator/fold.h"
#include "integrator/core.h"
#include "integrator/sliding.h"

/** The sign of the determinant at the core's readings; 0 where it says nothing. */
static int sign_now(dt_simulation *sim)
{
    dt_newton *newton = sim->core_newton;
    if (dt_newton_is_explicit(newton) || dt_sliding_now(sim) ||
        dt_newton_factor(newton, sim->core, DT_NEWTON_ACCELERATION, 0, NULL) != DETENT_OK) {
        return 0;
    }
    return dt_newton_sign(newton, sim->core);
}

void dt_fold_restart(dt_simulation *sim)
{
    sim->fold_sign = sign_now(sim);
}

bool dt_fold_is_passed(dt_simulation *sim)
{
    return sim->fold_sign != 0 && sign_now(sim) == -sim->fold_sign;
}
