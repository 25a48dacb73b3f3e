/**
 * @file bounded.h
 * Forces b + U y of least norm, each as a share of its measure, inside their limits:
 *
 *   minimise |(b + U y) / w|^2 over y, such that   l_i <= b_i + (U y)_i <= u_i
 *
 * from a y that is inside, by an active set (Nocedal and Wright, Numerical Optimization, 2006, algorithm 16.3): what would
 * pass a limit stays there, and leaves it where its multiplier has the other sign. Where y is not inside, those that are beyond their limits go no farther.
 */
#ifndef DT_MATH_BOUNDED_H
#define DT_MATH_BOUNDED_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct dt_bounded {
    double *matrix, *x;   /**< of y and multipliers: (2 columns)^2, 2 columns */
    double *start, *unit; /**< columns: where they began; their measures */
    double *force, *step; /**< forces */
    signed char *at;      /**< forces: -1 at its lower limit, +1 at the upper one, 0 between */
    int *active, *pivots; /**< columns; 2 columns */
} dt_bounded;

/** For U of up to `forces` x `columns`. False when memory is out. */
bool dt_bounded_create(dt_arena *arena, int forces, int columns, dt_bounded *bounded);

/** Improves y (columns), at which all `forces` numbers are inside, and stay so; U by columns, limits {l_i, u_i}, w_i > 0. */
void dt_bounded_solve(dt_bounded *bounded, int forces, int columns, const double *U,
                      const double *b, double (*limits)[2], const double *w, double *y);

#endif
