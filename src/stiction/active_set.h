/**
 * @file active_set.h
 * Settles the sides of a box problem by guessing them, solving exactly, and turning over what is
 * contradicted.
 *
 * Everything at once first; where that does not bring the number of contradictions down, only the
 * large ones, then only the largest. The work of a search that starts near its end; block pivoting
 * has no proof of ending, so the number of tries is bounded and the interior point stands behind
 * it.
 *
 * Judice and Pires, A block principal pivoting algorithm for large-scale strictly monotone linear
 * complementarity problems, Computers and Operations Research 21, 1994.
 */
#ifndef DT_STICTION_ACTIVE_SET_H
#define DT_STICTION_ACTIVE_SET_H

#include "stiction/friction_box.h"

/** Where a round stands. */
typedef enum dt_settlement {
    DT_SETTLED,   /**< a and f of the box are the solution, without contradiction */
    DT_UNSETTLED, /**< the last sides are contradicted */
    DT_SINGULAR   /**< a freedom has no inertia */
} dt_settlement;

/** When to give up. */
typedef struct dt_effort {
    int tries;    /**< solves */
    int setbacks; /**< tries in a row that do not lower the number of contradictions */
    int few; /**< as long as there are more contradictions than these, each try must halve them */
} dt_effort;

/** Tries from the present sides of the box. `singular` receives the node where DT_SINGULAR. */
dt_settlement dt_active_set_run(dt_friction_box *box, dt_effort effort, int *singular);

#endif
