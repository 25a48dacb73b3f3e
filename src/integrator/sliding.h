/**
 * @file sliding.h
 * Laws that slide on a discontinuity: sliding.c (who), sliding_weights.c (d' = 0), sliding_search.c
 * (at events), sliding_steps.c (between them).
 */
#ifndef DT_INTEGRATOR_SLIDING_H
#define DT_INTEGRATOR_SLIDING_H

#include "integrator/simulation.h"

/** A switch that slides, or may (sliding.c). */
typedef struct dt_slide {
    const dt_law *law;
    int index;        /**< of the switch */
    int side;         /**< 0: slides; -1, 1: has left the border, downwards or upwards */
    bool leaves;      /**< it slid before the event */
    bool dropped;     /**< d' does not follow the weight: it stays on its side */
    int border;       /**< an integer switch: the upper integer */
    dt_branch plain;  /**< what it is where it does not slide */
    double weight;    /**< of the upper branch */
    double moved;     /**< by the last step of Newton's method */
    double distance;  /**< d, as in branch.h */
    double rate;      /**< d', per s */
    double tolerance; /**< what the error test allows d */
} dt_slide;

/** d(rate) / d(weight), factored. */
typedef struct dt_sliding_matrix {
    double *factors; /**< most * most */
    int *pivots;     /**< most */
    int order;       /**< 0: none */
} dt_sliding_matrix;

/** How accelerations follow from weights. */
typedef enum dt_sliding_way {
    DT_SLIDING_BETWEEN, /**< events: modes are known, and the matrix of the last restart is good */
    DT_SLIDING_RULE,    /**< by a search of modes with these weights */
    DT_SLIDING_COUPLED  /**< inside a search of modes: in those that it asks about */
} dt_sliding_way;

/** Switches that slide: work space, but for what stands in the branches themselves. */
typedef struct dt_sliding {
    int most;          /**< as many as may slide at once; 0: no law has such a switch */
    dt_slide *of;      /**< most */
    int count;         /**< of the last search, or solution */
    dt_system *system; /**< where it was made */
    dt_newton *newton;
    dt_sliding_way way;
    bool strict;      /**< sides are given: nobody is dropped */
    double settled;   /**< s: where weights were solved for last, or NAN */
    double *gradient; /**< as long as the variables of any law */
    dt_sliding_matrix now;
    dt_sliding_matrix kept; /**< of the last restart: who reads changes nothing */
    double *move;           /**< most */
} dt_sliding;

/* ---- for the rest of the layer ---- */

/* sliding.c */
/** Whether a law has a switch that may slide: then IDA has to be there. */
bool dt_sliding_is_possible(const dt_system *system);
/** False when memory is out. */
bool dt_sliding_create(dt_arena *arena, dt_simulation *simulation);
/** Whether a switch slides. */
bool dt_sliding_now(const dt_simulation *simulation);

/* sliding_search.c */
/**
 * After the search of an event: switches that stay on their border from now on, those that slide
 * already and those that have just fired, and the search with them. `core`: what was searched is
 * the core.
 */
void dt_sliding_search(dt_simulation *simulation);

/* sliding_steps.c */
/**
 * Between events: the accelerations of the core at its state, with weights that follow from d' = 0. The
 * slopes give nearly the same at the end of a step, which is enough where no weight is near 0 or 1
 * (unless `always`); inside, they would magnify the error of an interpolant.
 */
void dt_sliding_settle(dt_simulation *simulation, bool always);
/** The core is at a consistent state, as in y and yp, and about to be integrated. */
void dt_sliding_restart(dt_simulation *simulation);
/** dt_system_forces(), with the weights of dt_sliding_settle() at the same instant. */
void dt_sliding_forces(dt_simulation *simulation, dt_system *system);
/** Roots of the switches of a law that slide, after dt_sliding_settle(). */
void dt_sliding_roots(const dt_simulation *simulation, const dt_law *law, double (*g)[2]);

/* ---- among themselves ---- */

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
