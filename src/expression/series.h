/**
 * @file series.h
 * Enclosures of a function of t over an interval T, with its derivatives:
 *
 *   c[k] holds f^(k)(t) / k! for every t in T,   k = 0 .. order,
 *
 * Taylor coefficients at every point of T at once. A point T gives those of the function there. Sums
 * and products are those of power series; every function has a rule of this kind (the table in
 * function.c), which follows from the differential equation that it satisfies.
 *
 * A. Griewank, A. Walther, Evaluating Derivatives, SIAM 2008, ch. 13; Moore, Kearfott, Cloud 2009,
 * ch. 9.
 */
#ifndef DT_EXPRESSION_SERIES_H
#define DT_EXPRESSION_SERIES_H

#include "expression/interval.h"

enum { DT_SERIES_ORDER = 6 };

typedef struct dt_series {
    dt_interval c[DT_SERIES_ORDER + 1];
} dt_series;

/** The constant x. */
void dt_series_constant(double x, int order, dt_series *y);
/** Anything: nothing is known of the value and the derivatives. */
void dt_series_unknown(int order, dt_series *y);
/** Whether it is one value for all t. */
bool dt_series_is_constant(const dt_series *a, int order);

/** The rule of a function of one (b is not read) or two arguments; y is neither a nor b. */
typedef void dt_series_rule(const dt_series *a, const dt_series *b, int order, dt_series *y);

dt_series_rule dt_series_negate, dt_series_add, dt_series_subtract, dt_series_multiply,
    dt_series_divide, dt_series_power, dt_series_sin, dt_series_cos, dt_series_tan, dt_series_asin,
    dt_series_acos, dt_series_atan, dt_series_atan2, dt_series_sinh, dt_series_cosh, dt_series_tanh,
    dt_series_exp, dt_series_log, dt_series_log10, dt_series_sqrt, dt_series_cbrt, dt_series_hypot;

#endif
