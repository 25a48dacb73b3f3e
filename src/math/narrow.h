/**
 * @file narrow.h
 * Forces f = b + U y whose limits are of very different widths, in unknowns that keep the digits of the narrow ones: these forces
 * themselves.
 *
 *   f = r + R x,   y = r' + R' x,   x_j = f_i of the force i that column j stands for
 *
 * by Gauss and Jordan on the columns, the pivot being the largest entry of all, each by the width of its force (so entries of
 * R are at most about as large as widths have it). Forces without a width come first: what they stand for is zero, and their
 * columns say only how they move. Of these, first those that never have one, and last who has lost it last: where not all of them can be zero
 * it is that one that is not, as it was with the least width.
 */
#ifndef DT_MATH_NARROW_H
#define DT_MATH_NARROW_H

#include "base/arena.h"

#include <limits.h>
#include <stdbool.h>

typedef struct dt_narrow {
    double *matrix; /**< R over R', by columns of forces + columns numbers */
    double *rest;   /**< r, r' */
    double *size;   /**< forces: the largest of the terms that r was summed from */
    double *usual;  /**< forces: the largest entry of U */
    int *column;    /**< forces: the column that stands for it; -1: none */
    int *force;     /**< columns: the force that it stands for; -1: none */
} dt_narrow;

/** For U of up to `forces` x `columns`. False when memory is out. */
bool dt_narrow_create(dt_arena *arena, int forces, int columns, dt_narrow *narrow);

/** Who is eliminated before whom: those with lower ranks. `lost`: 0 of one that never has a width; more the later it has lost it. */
static inline int dt_narrow_rank(double width, int lost)
{
    return width > 0 ? INT_MAX : lost;
}

/** U by columns, of full rank; width (forces): 0 of forces that can be nothing but zero; lost (forces): for dt_narrow_rank(). */
void dt_narrow_run(dt_narrow *narrow, int forces, int columns, const double *U, const double *b,
                   const double *width, const int *lost);

#endif
