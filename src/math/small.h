/**
 * @file small.h
 * Linear algebra of order 1 to 3, for the freedoms of one node.
 */
#ifndef DT_MATH_SMALL_H
#define DT_MATH_SMALL_H

#include "math/vec3.h"
#include <stdbool.h>

/**
 * out = inverse of the n x n matrix a (row-major, n <= 3), by cofactors. False, and out undefined,
 * where the determinant
 * is not larger than `relative` times the product of the row norms (Hadamard's bound), or not
 * finite.
 */
bool dt_small_inverse(int n, const double *a, double relative, double *out);

#endif
