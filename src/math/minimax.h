/**
 * @file minimax.h
 * Forces that may be shared in more than one way: the way in which the one that is nearest to its limit, as a share of
 * it, is as far from it as it can be.
 *
 *   minimise m over y and m, such that   l_i m <= b_i + (U y)_i <= u_i m      (l_i <= 0 <= u_i)
 *
 * By its dual problem, max b'(p - n) with U'(p - n) = 0, u'p - l'n = 1, p, n >= 0: a row for each column of U and one
 * more, solved by the simplex method on a dense tableau, in the end with Bland's rule, which does not cycle (R. G. Bland,
 * Math. Oper. Res. 2 (1977) 103). p - n is the motion that would overcome the limits. What the last
 * tableau says is exact to some digits; the others follow from the equations of its basis (Newton's step, by LU).
 */
#ifndef DT_MATH_MINIMAX_H
#define DT_MATH_MINIMAX_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct dt_minimax {
    double *tableau; /**< columns + 2 rows of 2 forces + columns + 2 numbers */
    double *width;   /**< forces */
    double *grain;   /**< forces: how small their numbers are beside the others' */
    double *floor;   /**< forces: what counts as a limit of zero in the last problem */
    double *motion;  /**< forces: p - n of the last solution */
    double *scale;   /**< columns */
    int *basis;      /**< columns + 1 */
    int *pivots;     /**< columns + 1 */
    double *step;    /**< columns + 1 */
    double *kept;    /**< columns + 1: y of the tableau */
} dt_minimax;

/** For U of up to `forces` x `columns`. False when memory is out. */
bool dt_minimax_create(dt_arena *arena, int forces, int columns, dt_minimax *minimax);

/**
 * y (columns) of `forces` numbers b, U by columns, with limits {l_i, u_i}; returns m. Forces may have different units: they
 * are measured by the widths of their limits, and where there is no width by 1e-9 of what there is. A limit of zero counts
 * as 1e-14 of the measure, or of what there is if that is less (limits that stand for none are far from it).
 */
double dt_minimax_solve(dt_minimax *minimax, int forces, int columns, const double *U,
                        const double *b, double (*limits)[2], double *y);

#endif
