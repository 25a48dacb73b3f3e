/**
 * @file sliding.h
 * What the parts of sliding on discontinuities share: sliding.c (who), sliding_weights.c (d' = 0),
 * sliding_search.c (at events), sliding_steps.c (between them).
 */
#ifndef DT_INTEGRATOR_SLIDING_H
#define DT_INTEGRATOR_SLIDING_H

#include "integrator/core.h"

static const double dt_sliding_hardly_more =
    1e-9; /**< a weight this little beyond 0 or 1 is there */

/* sliding.c */
/**
 * Lists those that slide in a system, and, unless between events, those whose switch has fired and
 * that may begin to.
 */
void dt_sliding_collect(dt_simulation *simulation, dt_system *system, dt_newton *newton,
                        dt_sliding_way way);
/** d and d' of all in the list, at the state and accelerations of their system. */
void dt_sliding_measure_all(dt_simulation *simulation);
/** By how much a switch may be on the wrong side of its border when it leaves it, and a hair more. */
double dt_sliding_slack(const dt_slide *slide);

/* sliding_weights.c */
/** The branches of the list: on their sides, or with their weights held. */
void dt_sliding_set_branches(dt_simulation *simulation);
/**
 * Weights of those on side 0 with d' = 0, and accelerations, modes and rates with them. At an event
 * (but `strict`) a switch whose d' does not follow its weight is dropped. False where there are none.
 */
bool dt_sliding_balance(dt_simulation *simulation);
/** Modes and weights at once: any that are consistent. False where there are none. */
bool dt_sliding_balance_coupled(dt_simulation *simulation);
/** The matrix of Newton's step, kept for the steps that follow. */
void dt_sliding_keep_matrix(dt_simulation *simulation);

#endif
