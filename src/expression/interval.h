/**
 * @file interval.h
 * Arithmetic on closed intervals [lo, hi], rounded outward: the result holds every value that the
 * operation takes, in real numbers and in doubles, on points of its operands. What is not known is
 * [-inf, inf]: a quotient by an interval around zero, a function outside its domain.
 *
 * A sum, product, quotient or square root of doubles is wrong by half an ulp at most, so each end
 * moves outward by one; functions of the C library are allowed four.
 *
 * R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, SIAM 2009.
 */
#ifndef DT_EXPRESSION_INTERVAL_H
#define DT_EXPRESSION_INTERVAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct dt_interval {
    double lo, hi;
} dt_interval;

static inline dt_interval dt_interval_point(double x)
{
    return (dt_interval){x, x};
}

static inline dt_interval dt_interval_whole(void)
{
    return (dt_interval){-INFINITY, INFINITY};
}

/** [lo, hi] moved outward by `ulps`; whole where an end is not a number. */
static inline dt_interval dt_interval_outward(double lo, double hi, int ulps)
{
    const double part = ulps * DBL_EPSILON;
    if (!(lo <= hi)) {
        return dt_interval_whole();
    }
    if (lo > -INFINITY) {
        lo = lo < INFINITY ? lo - (fabs(lo) * part + DBL_MIN) : DBL_MAX;
    }
    if (hi < INFINITY) {
        hi = hi > -INFINITY ? hi + (fabs(hi) * part + DBL_MIN) : -DBL_MAX;
    }
    return (dt_interval){lo, hi};
}

static inline bool dt_interval_is_point(dt_interval a)
{
    return a.lo == a.hi;
}

static inline bool dt_interval_holds(dt_interval a, double x)
{
    return a.lo <= x && x <= a.hi;
}

/** The largest absolute value. */
static inline double dt_interval_size(dt_interval a)
{
    return fmax(fabs(a.lo), fabs(a.hi));
}

static inline dt_interval dt_interval_hull(dt_interval a, dt_interval b)
{
    return (dt_interval){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

/** Of two enclosures of the same: the numbers in both, of which there are some. */
static inline dt_interval dt_interval_meet(dt_interval a, dt_interval b)
{
    const dt_interval both = {fmax(a.lo, b.lo), fmin(a.hi, b.hi)};
    return both.lo <= both.hi ? both : a;
}

static inline dt_interval dt_interval_negate(dt_interval a)
{
    return (dt_interval){-a.hi, -a.lo};
}

static inline dt_interval dt_interval_add(dt_interval a, dt_interval b)
{
    if (dt_interval_is_point(a) && a.lo == 0) {
        return b;
    }
    if (dt_interval_is_point(b) && b.lo == 0) {
        return a;
    }
    return dt_interval_outward(a.lo + b.lo, a.hi + b.hi, 1);
}

static inline dt_interval dt_interval_subtract(dt_interval a, dt_interval b)
{
    return dt_interval_add(a, dt_interval_negate(b));
}

/** Of two ends; 0 infinity is 0, for the zero is exact. */
static inline double dt_interval_times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static inline dt_interval dt_interval_multiply(dt_interval a, dt_interval b)
{
    if (a.lo == 1 && a.hi == 1) {
        return b;
    }
    if (b.lo == 1 && b.hi == 1) {
        return a;
    }
    const double ll = dt_interval_times(a.lo, b.lo), lh = dt_interval_times(a.lo, b.hi),
                 hl = dt_interval_times(a.hi, b.lo), hh = dt_interval_times(a.hi, b.hi);
    if ((a.lo == 0 && a.hi == 0) || (b.lo == 0 && b.hi == 0)) {
        return dt_interval_point(0);
    }
    return dt_interval_outward(fmin(fmin(ll, lh), fmin(hl, hh)), fmax(fmax(ll, lh), fmax(hl, hh)),
                               1);
}

static inline dt_interval dt_interval_scale(double factor, dt_interval a)
{
    return dt_interval_multiply(dt_interval_point(factor), a);
}

dt_interval dt_interval_square(dt_interval a);
dt_interval dt_interval_divide(dt_interval a, dt_interval b);
dt_interval dt_interval_sin(dt_interval a);
dt_interval dt_interval_cos(dt_interval a);
dt_interval dt_interval_tan(dt_interval a);
dt_interval dt_interval_atan2(dt_interval a, dt_interval b);
dt_interval dt_interval_hypot(dt_interval a, dt_interval b);
/** a^n for an integer n. */
dt_interval dt_interval_power(dt_interval a, int n);
/** A function that grows on [lowest, highest]; whole where it may be asked outside. */
dt_interval dt_interval_growing(double (*f)(double), dt_interval a, double lowest, double highest);
dt_interval dt_interval_cosh(dt_interval a);

#endif
