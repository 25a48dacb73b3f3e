/**
 * @file loads.h
 * Loads that read what they act on; the others are in element_load.c.
 *
 * A component u_m whose law reads reactions, or forces along joints, acts on what it reads: with
 * F = F_0 - sum of w_m u_m over the components beyond a joint (w_m the wrench of a unit value),
 *
 *   u_l = law_l(F_0 - sum w_m u_m, ...)
 *
 * for all such components together. They are solved by Newton's method, always from u = 0, so that
 * the wrenches depend on the state and on accelerations alone.
 */
#ifndef DT_DYNAMICS_LOADS_H
#define DT_DYNAMICS_LOADS_H

#include "dynamics/force_size.h"

/** One component of a load: force 0..2, torque 3..5. */
typedef struct dt_load_component {
    int load, component;
} dt_load_component;

/** The components that read wrenches. */
struct dt_load_loop {
    int count;
    dt_load_component *item; /**< count */
    unsigned char *closes;   /**< 6 a load: whether it is one of them */
    double (*wrench)[6];     /**< count: w_m */
    double *u, *residual;    /**< count */
    double *matrix;          /**< count x count, column by column */
    int *pivots;             /**< count */
    double *gradient;        /**< of the longest law */
    double *change;          /**< count: work space of tangent.c */
    dt_force_size size;      /**< what the reactions that are read are summed from */
};

/** Sets system->loop, NULL where no law of a load reads wrenches. False when memory is out. */
bool dt_loads_create(dt_arena *arena, dt_system *system);

/**
 * How those components change at the system's readings where, without changing themselves, their laws would change
 * by `change` (loop->count, in and out): all together. NAN where that is undetermined.
 */
void dt_loads_close_change(dt_system *system, double *change);

/**
 * Those components as well, after dt_rnea() without them: takes them into external wrenches, F and
 * tau. What has no solution is left as not a number.
 */
void dt_loads_close(dt_system *system);

#endif
