/*
 * Functions of intervals: by their ends where they grow, with their extrema where these may be
 * inside. Whether a multiple of pi is inside is asked with a margin of the rounding of the argument,
 * so that an extremum may be counted that is just outside: the result is a little wide, never wrong.
 */
#include "expression/interval.h"

enum { library_ulps = 4 };

static const double pi = 3.14159265358979323846;

dt_interval dt_interval_square(dt_interval a)
{
    const double lo = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, hi = dt_interval_size(a);
    const dt_interval square = dt_interval_outward(lo * lo, hi * hi, 1);
    return (dt_interval){fmax(square.lo, 0), square.hi};
}

dt_interval dt_interval_divide(dt_interval a, dt_interval b)
{
    if (dt_interval_holds(b, 0) || isnan(b.lo) || isnan(b.hi)) {
        return dt_interval_whole();
    }
    if (a.lo == 0 && a.hi == 0) {
        return a;
    }
    const double q[4] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi};
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < 4; k++) {
        if (isnan(q[k])) { /* infinite by infinite: anything from 0 on */
            return dt_interval_whole();
        }
        lo = fmin(lo, q[k]);
        hi = fmax(hi, q[k]);
    }
    return dt_interval_outward(lo, hi, 1);
}

dt_interval dt_interval_growing(double (*f)(double), dt_interval a, double lowest, double highest)
{
    if (!(a.lo >= lowest && a.hi <= highest)) {
        return dt_interval_whole();
    }
    return dt_interval_outward(f(a.lo), f(a.hi), library_ulps);
}

/* Whether `first` + n `period` may be in the interval for some integer n. */
static bool may_hold(dt_interval a, double first, double period)
{
    const double margin = 8 * DBL_EPSILON * (dt_interval_size(a) + fabs(first) + period);
    return floor((a.hi + margin - first) / period) >= ceil((a.lo - margin - first) / period);
}

/* A function of period 2 pi, largest (1) at `crest`, least (-1) half a period on. */
static dt_interval wave(double (*f)(double), dt_interval a, double crest)
{
    const dt_interval all = {-1, 1};
    if (!(a.hi - a.lo < 2 * pi) || !(dt_interval_size(a) < 1 / DBL_EPSILON)) {
        return all;
    }
    const double one = f(a.lo), other = f(a.hi);
    dt_interval y = dt_interval_outward(fmin(one, other), fmax(one, other), library_ulps);
    y.hi = may_hold(a, crest, 2 * pi) ? 1 : fmin(y.hi, 1);
    y.lo = may_hold(a, crest - pi, 2 * pi) ? -1 : fmax(y.lo, -1);
    return y;
}

dt_interval dt_interval_sin(dt_interval a)
{
    return wave(sin, a, 0.5 * pi);
}

dt_interval dt_interval_cos(dt_interval a)
{
    return wave(cos, a, 0);
}

dt_interval dt_interval_tan(dt_interval a)
{
    if (!(a.hi - a.lo < pi) || !(dt_interval_size(a) < 1 / DBL_EPSILON) ||
        may_hold(a, 0.5 * pi, pi)) {
        return dt_interval_whole();
    }
    return dt_interval_outward(tan(a.lo), tan(a.hi), library_ulps);
}

dt_interval dt_interval_cosh(dt_interval a)
{
    const double far = dt_interval_size(a), near = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0;
    dt_interval y = dt_interval_outward(cosh(near), cosh(far), library_ulps);
    y.lo = fmax(y.lo, 1);
    return y;
}

dt_interval dt_interval_atan2(dt_interval a, dt_interval b)
{
    const bool crosses_cut = b.lo <= 0 && a.lo <= 0 && a.hi >= 0;
    if (crosses_cut || isnan(a.lo) || isnan(b.lo)) {
        return dt_interval_outward(-pi, pi, library_ulps);
    }
    /* an angle seen from the origin is extreme at a corner */
    const double y[4] = {atan2(a.lo, b.lo), atan2(a.lo, b.hi), atan2(a.hi, b.lo),
                         atan2(a.hi, b.hi)};
    return dt_interval_outward(fmin(fmin(y[0], y[1]), fmin(y[2], y[3])),
                               fmax(fmax(y[0], y[1]), fmax(y[2], y[3])), library_ulps);
}

static double least_size(dt_interval a)
{
    return a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0;
}

dt_interval dt_interval_hypot(dt_interval a, dt_interval b)
{
    dt_interval y =
        dt_interval_outward(hypot(least_size(a), least_size(b)),
                            hypot(dt_interval_size(a), dt_interval_size(b)), library_ulps);
    y.lo = fmax(y.lo, 0);
    return y;
}

dt_interval dt_interval_power(dt_interval a, int n)
{
    if (n < 0) {
        return dt_interval_divide(dt_interval_point(1), dt_interval_power(a, -n));
    }
    if (n % 2 == 0 && n > 0) {
        const dt_interval y =
            dt_interval_outward(pow(least_size(a), n), pow(dt_interval_size(a), n), library_ulps);
        return (dt_interval){fmax(y.lo, 0), y.hi};
    }
    return n == 0 ? dt_interval_point(1)
                  : dt_interval_outward(pow(a.lo, n), pow(a.hi, n), library_ulps);
}
