/**
 * @file fold.h
 * Where solutions of friction end (fold.c).
 */
#ifndef DT_INTEGRATOR_FOLD_H
#define DT_INTEGRATOR_FOLD_H

#include "integrator/simulation.h"

/** On which branch of solutions the run is. Signs are 0 where they say nothing. */
typedef struct dt_fold {
    bool watched;    /**< in this interval solutions may have folds */
    int sign;        /**< where the interval began */
    int sign_at_end; /**< of the last step */
    double *a, *f,
        *m; /**< nv, stictions and tied rows of the core: the solution where the last good step ended */
    bool recalls; /**< the step after it has left the branch: solutions start from there */
    bool
        is_met; /**< the last step that failed has left the branch, or what starts anew where the last good one ended does */
} dt_fold;

/** False when memory is out. */
bool dt_fold_create(dt_arena *arena, dt_simulation *simulation);
/** The core is at a consistent state, with its readings, and about to be integrated. */
void dt_fold_restart(dt_simulation *simulation);
/** Whether the core, whose readings are those of `reached`, has come to another branch of solutions since. */
bool dt_fold_is_passed(dt_simulation *simulation);

/** The core has its readings at the end of a step; `factored`: its accelerations have just been solved. */
void dt_fold_note_end(dt_simulation *simulation, bool factored);
/** Whether the interval that has begun is on the other side of a fold than `sign` says; then that is its sign. */
bool dt_fold_has_turned(dt_simulation *simulation, int sign);
/** Whether the last step has ended on another branch than it began. */
bool dt_fold_is_jumped(const dt_simulation *simulation);
/** The last step is good, and y, yp are its end. */
void dt_fold_go_on(dt_simulation *simulation);
/** It is not: it begins where the last good one ended, with the solution that was found there. */
void dt_fold_go_back(dt_simulation *simulation);
/** Gives the core accelerations, friction and multipliers to start from at t, where y, yp are interpolated. */
void dt_fold_guess(dt_simulation *simulation, double t);
/** The same, with what leads over a position where branches of the motion meet. */
void dt_fold_start(dt_simulation *simulation, double t);
/** Whether the step leads over such a position, on either side of which solutions of friction differ. */
bool dt_fold_crosses(const dt_simulation *simulation);
/** Gives the core, at a state within such a step, what to start from there, with friction as it was; false: there is nothing. */
bool dt_fold_leads_across(dt_simulation *simulation);

/** Whether a law reads what depends on accelerations. */
bool dt_law_follows_forces(const dt_law *law);

#endif
