/**
 * @file active_set.h
 * Settles the sides of a box problem by guessing them, solving exactly, and turning over what is
 * contradicted.
 *
 * Not everything that is contradicted: a joint that gives way takes load off its neighbours, so of
 * joints that are close to each other only the worst is turned over, and the next solve tells about
 * the others. How far a joint's relief reaches is a matter of who is rigidly connected: a moment
 * let go inside a rigid group decays over the length of the group, and hardly passes a moving
 * joint. With c the contradictions in widths of their boxes, joint k is turned over if
 *
 *   c_k >= c_j * prod over the joints between j and k of g,    for every j
 *   g = exp(-1.6 / nodes of the group) for a held joint, exp(-1) for a moving one,
 *
 * which two sweeps of the tree find out (nearby.h). Turning over everything at once instead takes ten times as
 * many tries for a chain of rods and ends in cycles; no length has to be chosen.
 *
 * The work of a search that starts near its end; block pivoting has no proof of ending, so the
 * number of tries is bounded and the interior point stands behind it.
 *
 * Judice and Pires, A block principal pivoting algorithm for large-scale strictly monotone linear
 * complementarity problems, Computers and Operations Research 21, 1994, for the idea of turning
 * over blocks.
 */
#ifndef DT_STICTION_ACTIVE_SET_H
#define DT_STICTION_ACTIVE_SET_H

#include "stiction/friction_box.h"
#include "stiction/nearby.h"

/** Where a round stands. */
typedef enum dt_settlement {
    DT_SETTLED,   /**< a and f of the box are the solution, without contradiction */
    DT_UNSETTLED, /**< the last sides are contradicted */
    DT_SINGULAR,  /**< a freedom has no inertia */
    DT_STOPPED    /**< it is to be given up */
} dt_settlement;

/** When to give up. */
typedef struct dt_effort {
    int tries;    /**< solves */
    int setbacks; /**< tries in a row that do not lower the number of contradictions */
    int few; /**< as long as there are more contradictions than these, each try must halve them */
} dt_effort;

/** Work space. */
typedef struct dt_active_set {
    double *contradiction; /**< stictions: in widths of the box */
    dt_nearby nearby;
} dt_active_set;

/** False when memory is out. */
bool dt_active_set_create(dt_arena *arena, const dt_friction_box *box, dt_active_set *set);

/** Tries from the present sides of the box. `singular` receives the node where DT_SINGULAR. */
dt_settlement dt_active_set_run(dt_active_set *set, dt_friction_box *box, dt_effort effort,
                                int *singular);

#endif
