/**
 * @file few.h
 * Forces that may be shared in many ways, of which few follow from the others:
 *
 *   f_i = r_i + (R x)_i  (lines),   f_j = w_j x_j  (columns, which may be many more)
 *
 * with limits l <= 0 <= u of all. The problems of minimax.h and bounded.h, whose effort goes with the square of the columns; here it
 * goes with those of the lines. Forces are numbered lines first.
 *
 * The largest share: with g = f/m and s = 1/m the forces g stay inside their limits, and s r is what they have to balance: the largest s is
 * found by the simplex method with bounds, from g = 0, s = 0 (Nocedal and Wright, Numerical Optimization, 2006, 13; in the end with
 * Bland's rule). Forces of the motion that would overcome the limits are at theirs; what they weigh in s is that motion.
 *
 * The least norm: by its dual, f_i / w_i is the sum of what each line weighs in it, but for forces at their limits; by an active set,
 * as in bounded.h.
 */
#ifndef DT_MATH_FEW_H
#define DT_MATH_FEW_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct dt_few {
    double *tableau;     /**< lines x (columns + 1): basic unknowns by the others */
    double (*bound)[2];  /**< forces + 1 */
    double *value;       /**< forces + 1 */
    int *basic, *beside; /**< lines; columns + 1: which unknowns */
    double *width;       /**< forces */
    double *floor;       /**< forces: what counts as a limit of zero */
    double *motion;      /**< forces: of the last solution, dt_minimax.motion */
    double *matrix, *z;  /**< lines x lines; lines */
    double *step;        /**< forces */
    signed char *at;     /**< forces: -1 at its lower limit, +1 at the upper one, 0 between */
} dt_few;

/** A problem: R by columns, limits {l, u} and w > 0 of all forces. */
typedef struct dt_few_problem {
    int lines, columns;
    const double *R, *rest;
    double (*limits)[2];
    const double *w;
} dt_few_problem;

/** For problems of up to `lines`, and of up to `forces`. False when memory is out. */
bool dt_few_create(dt_arena *arena, int lines, int forces, dt_few *few);

/** x (columns) of the smallest largest share m of a limit; returns m. Measures and floors as in minimax.h. */
double dt_few_minimax(dt_few *few, const dt_few_problem *problem, double *x);

/** Improves x, at which all forces are inside their limits, to the least sum of (f/w)^2 inside them; where one is not, nor can be, it holds back none of the others. */
void dt_few_least(dt_few *few, const dt_few_problem *problem, double *x);

#endif
