/**
 * @file small.h
 * Linear algebra of order 3, for the freedoms of one node.
 */
#ifndef DT_MATH_SMALL_H
#define DT_MATH_SMALL_H

#include <stdbool.h>

/**
 * Combines the equations and the unknowns of a 3 x 3 matrix a so that each equation is left with an
 * unknown of its own:
 *
 *   left a right' = diag(pivot)
 *
 * by elimination of rows and of columns, the largest entry of the diagonal first. `left` and
 * `right` are row-major; row j says what equation j and unknown j are combined of. Of a symmetric
 * matrix they are equal, to the last bit; if it is positive definite too, their entries are at most
 * 2 and their determinants 1, so that all that is ill-conditioned in a is in the pivots: nothing is
 * lost by working with the combinations, as there is with the inverse.
 *
 * False, and the results undefined, where a pivot is not larger than `relative` times the first
 * one, or not finite.
 */
bool dt_small_decouple(const double a[9], double relative, double left[9], double right[9],
                       double pivot[3]);

/** lines = by lines: three lines of `count` numbers. */
void dt_small_combine(const double by[9], int count, double *lines);

#endif
