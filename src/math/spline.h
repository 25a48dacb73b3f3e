/**
 * @file spline.h
 * Cubic splines: the slopes at knots for which the second derivative is continuous.
 */
#ifndef DT_MATH_SPLINE_H
#define DT_MATH_SPLINE_H

#include <stdbool.h>

/** Numbers of work space that a spline of so many knots needs. */
#define DT_SPLINE_WORK(count) (3 * (count))

/**
 * Slopes of the cubic spline through `count` >= 2 knots `at`, which grow. `value` and `slope`: count, `step` apart. Natural: the second
 * derivative is 0 at both ends. `periodic`, of at least four knots, the last value being the first one: it goes on smoothly from the last knot
 * to the first.
 *
 * C. de Boor, A Practical Guide to Splines, Springer 2001, ch. IV.
 */
void dt_spline_slopes(int count, const double *at, const double *value, int step, bool periodic,
                      double *slope, double *work);

#endif
