/*
 * Power series of intervals. With f' = r(f, a) a', r the rate of f, the coefficients follow one by
 * one:
 *
 *   k f_k = sum over i = 1 .. k of i a_i r_(k-i).
 *
 * A coefficient that a rule cannot tell (a division by an interval around zero) is whole, and so is
 * what is made of it.
 */
#include "expression/series.h"

#define UNUSED(x) (void)(x)

void dt_series_constant(double x, int order, dt_series *y)
{
    y->c[0] = dt_interval_point(x);
    for (int k = 1; k <= order; k++) {
        y->c[k] = dt_interval_point(0);
    }
}

void dt_series_unknown(int order, dt_series *y)
{
    for (int k = 0; k <= order; k++) {
        y->c[k] = dt_interval_whole();
    }
}

bool dt_series_is_constant(const dt_series *a, int order)
{
    bool constant = dt_interval_is_point(a->c[0]);
    for (int k = 1; k <= order && constant; k++) {
        constant = a->c[k].lo == 0 && a->c[k].hi == 0;
    }
    return constant;
}

/* sum over i = first .. last of a_i b_(k-i) */
static dt_interval product_sum(const dt_series *a, const dt_series *b, int first, int last, int k)
{
    dt_interval sum = {0, 0};
    for (int i = first; i <= last; i++) {
        sum = dt_interval_add(sum, dt_interval_multiply(a->c[i], b->c[k - i]));
    }
    return sum;
}

/* Coefficient k of f from the rate r: sum over i = 1 .. k of i a_i r_(k-i) / k. */
static dt_interval from_rate(const dt_series *a, const dt_series *r, int k)
{
    dt_interval sum = {0, 0};
    for (int i = 1; i <= k; i++) {
        sum =
            dt_interval_add(sum, dt_interval_scale(i, dt_interval_multiply(a->c[i], r->c[k - i])));
    }
    return k == 1 ? sum : dt_interval_divide(sum, dt_interval_point(k));
}

/* ---- arithmetic ---- */

void dt_series_negate(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    for (int k = 0; k <= order; k++) {
        y->c[k] = dt_interval_negate(a->c[k]);
    }
}

void dt_series_add(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    for (int k = 0; k <= order; k++) {
        y->c[k] = dt_interval_add(a->c[k], b->c[k]);
    }
}

void dt_series_subtract(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    for (int k = 0; k <= order; k++) {
        y->c[k] = dt_interval_subtract(a->c[k], b->c[k]);
    }
}

/* a^2, whose terms come in pairs; a square is not negative. */
static void square(const dt_series *a, int order, dt_series *y)
{
    for (int k = 0; k <= order; k++) {
        y->c[k] = dt_interval_scale(2, product_sum(a, a, 0, (k - 1) / 2, k));
        if (k == 0) {
            y->c[k] = dt_interval_square(a->c[0]);
        } else if (k % 2 == 0) {
            y->c[k] = dt_interval_add(y->c[k], dt_interval_square(a->c[k / 2]));
        }
    }
}

void dt_series_multiply(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    if (a == b) {
        square(a, order, y);
        return;
    }
    for (int k = 0; k <= order; k++) {
        y->c[k] = product_sum(a, b, 0, k, k);
    }
}

void dt_series_divide(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    for (int k = 0; k <= order; k++) {
        y->c[k] =
            dt_interval_divide(dt_interval_subtract(a->c[k], product_sum(b, y, 1, k, k)), b->c[0]);
    }
}

void dt_series_sqrt(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    y->c[0] = dt_interval_growing(sqrt, a->c[0], 0, INFINITY);
    y->c[0].lo = fmax(y->c[0].lo, 0);
    const dt_interval twice = dt_interval_scale(2, y->c[0]);
    for (int k = 1; k <= order; k++) {
        y->c[k] = dt_interval_divide(dt_interval_subtract(a->c[k], product_sum(y, y, 1, k - 1, k)),
                                     twice);
    }
}

/* ---- functions of one argument ---- */

void dt_series_exp(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    y->c[0] = dt_interval_growing(exp, a->c[0], -INFINITY, INFINITY);
    y->c[0].lo = fmax(y->c[0].lo, 0);
    for (int k = 1; k <= order; k++) {
        y->c[k] = from_rate(a, y, k);
    }
}

void dt_series_log(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    dt_series one, rate;
    dt_series_constant(1, order, &one);
    dt_series_divide(&one, a, order, &rate);
    y->c[0] = dt_interval_growing(log, a->c[0], 0, INFINITY);
    for (int k = 1; k <= order; k++) {
        y->c[k] = from_rate(a, &rate, k);
    }
}

void dt_series_log10(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    static const double ln10 = 2.30258509299404568402;
    dt_series natural;
    dt_series_log(a, b, order, &natural);
    y->c[0] = dt_interval_growing(log10, a->c[0], 0, INFINITY);
    for (int k = 1; k <= order; k++) {
        y->c[k] = dt_interval_divide(natural.c[k], dt_interval_outward(ln10, ln10, 1));
    }
}

/* Two functions, each the rate of the other but for the sign of the one. */
static void pair(const dt_series *a, int order, bool turns, dt_series *sine, dt_series *cosine)
{
    for (int k = 1; k <= order; k++) {
        sine->c[k] = from_rate(a, cosine, k);
        cosine->c[k] = from_rate(a, sine, k);
        if (turns) {
            cosine->c[k] = dt_interval_negate(cosine->c[k]);
        }
    }
}

void dt_series_sin(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    dt_series other = {.c[0] = dt_interval_cos(a->c[0])};
    y->c[0] = dt_interval_sin(a->c[0]);
    pair(a, order, true, y, &other);
}

void dt_series_cos(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    dt_series other = {.c[0] = dt_interval_sin(a->c[0])};
    y->c[0] = dt_interval_cos(a->c[0]);
    pair(a, order, true, &other, y);
}

void dt_series_sinh(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    dt_series other = {.c[0] = dt_interval_cosh(a->c[0])};
    y->c[0] = dt_interval_growing(sinh, a->c[0], -INFINITY, INFINITY);
    pair(a, order, false, y, &other);
}

void dt_series_cosh(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    dt_series other = {.c[0] = dt_interval_growing(sinh, a->c[0], -INFINITY, INFINITY)};
    y->c[0] = dt_interval_cosh(a->c[0]);
    pair(a, order, false, &other, y);
}

/* A function whose rate is 1 + sign f^2. */
static void from_own_square(const dt_series *a, double sign, int order, dt_series *y)
{
    dt_series squared, rate;
    for (int k = 1; k <= order; k++) {
        square(y, k - 1, &squared);
        for (int i = 0; i < k; i++) {
            rate.c[i] = sign > 0 ? squared.c[i] : dt_interval_negate(squared.c[i]);
        }
        rate.c[0] = dt_interval_add(dt_interval_point(1), rate.c[0]);
        y->c[k] = from_rate(a, &rate, k);
    }
}

void dt_series_tan(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    y->c[0] = dt_interval_tan(a->c[0]);
    if (isinf(y->c[0].lo)) { /* it may jump */
        dt_series_unknown(order, y);
        return;
    }
    from_own_square(a, 1, order, y);
}

void dt_series_tanh(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    y->c[0] = dt_interval_growing(tanh, a->c[0], -INFINITY, INFINITY);
    y->c[0] = (dt_interval){fmax(y->c[0].lo, -1), fmin(y->c[0].hi, 1)};
    from_own_square(a, -1, order, y);
}

/* 1 + sign a^2 */
static void one_and_square(const dt_series *a, double sign, int order, dt_series *y)
{
    dt_series squared, one;
    dt_series_constant(1, order, &one);
    square(a, order, &squared);
    (sign > 0 ? dt_series_add : dt_series_subtract)(&one, &squared, order, y);
}

/* 1 / a */
static void reciprocal(const dt_series *a, int order, dt_series *y)
{
    dt_series one;
    dt_series_constant(1, order, &one);
    dt_series_divide(&one, a, order, y);
}

void dt_series_asin(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    dt_series inside, root, rate;
    one_and_square(a, -1, order, &inside);
    dt_series_sqrt(&inside, b, order, &root);
    reciprocal(&root, order, &rate);
    y->c[0] = dt_interval_growing(asin, a->c[0], -1, 1);
    for (int k = 1; k <= order; k++) {
        y->c[k] = from_rate(a, &rate, k);
    }
}

void dt_series_acos(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    dt_series sine;
    dt_series_asin(a, b, order, &sine);
    dt_series_negate(&sine, b, order, y);
    y->c[0] = a->c[0].lo >= -1 && a->c[0].hi <= 1
                  ? dt_interval_outward(acos(a->c[0].hi), acos(a->c[0].lo), 4)
                  : dt_interval_whole();
}

void dt_series_atan(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    dt_series inside, rate;
    one_and_square(a, 1, order, &inside);
    reciprocal(&inside, order, &rate);
    y->c[0] = dt_interval_growing(atan, a->c[0], -INFINITY, INFINITY);
    for (int k = 1; k <= order; k++) {
        y->c[k] = from_rate(a, &rate, k);
    }
}

/* ---- powers ---- */

/*
 * a^p for a constant p, from its value in y->c[0]: a f' = p f a', so that
 * k a_0 f_k = sum over i = 1 .. k of (p i - (k - i)) a_i f_(k-i).
 */
static void constant_power(const dt_series *a, dt_interval p, int order, dt_series *y)
{
    for (int k = 1; k <= order; k++) {
        dt_interval sum = {0, 0};
        for (int i = 1; i <= k; i++) {
            const dt_interval factor =
                dt_interval_subtract(dt_interval_scale(i, p), dt_interval_point(k - i));
            sum = dt_interval_add(
                sum, dt_interval_multiply(factor, dt_interval_multiply(a->c[i], y->c[k - i])));
        }
        y->c[k] = dt_interval_divide(sum, dt_interval_scale(k, a->c[0]));
    }
}

void dt_series_cbrt(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    UNUSED(b);
    y->c[0] = dt_interval_growing(cbrt, a->c[0], -INFINITY, INFINITY);
    constant_power(a, dt_interval_divide(dt_interval_point(1), dt_interval_point(3)), order, y);
}

/* a^n by repeated squaring, for an integer n > 0, where a may be around zero. */
static void integer_power(const dt_series *a, int n, int order, dt_series *y)
{
    dt_series base = *a, next;
    dt_series_constant(1, order, y);
    for (; n > 0; n /= 2) {
        if (n % 2 == 1) {
            dt_series_multiply(y, &base, order, &next);
            *y = next;
        }
        square(&base, order, &next);
        base = next;
    }
}

/* exp(b log a) for a > 0. */
static void general_power(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    dt_series logarithm, exponent;
    dt_series_log(a, b, order, &logarithm);
    dt_series_multiply(b, &logarithm, order, &exponent);
    dt_series_exp(&exponent, b, order, y);
}

void dt_series_power(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    const double p = b->c[0].lo;
    const bool constant = dt_series_is_constant(b, order),
               integer = constant && p == floor(p) && fabs(p) <= 1024;
    if (integer && p > 0 && dt_interval_holds(a->c[0], 0)) {
        integer_power(a, (int)p, order, y);
        y->c[0] = dt_interval_meet(dt_interval_power(a->c[0], (int)p), y->c[0]);
    } else if (integer) {
        y->c[0] = dt_interval_power(a->c[0], (int)p);
        constant_power(a, dt_interval_point(p), order, y);
    } else if (!(a->c[0].lo > 0)) {
        dt_series_unknown(order, y);
    } else if (constant) {
        const double one = pow(a->c[0].lo, p), other = pow(a->c[0].hi, p);
        y->c[0] = dt_interval_outward(fmin(one, other), fmax(one, other), 4);
        constant_power(a, dt_interval_point(p), order, y);
    } else {
        general_power(a, b, order, y);
    }
}

/* ---- functions of two arguments ---- */

void dt_series_hypot(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    dt_series aa, bb, sum;
    square(a, order, &aa);
    square(b, order, &bb);
    dt_series_add(&aa, &bb, order, &sum);
    dt_series_sqrt(&sum, b, order, y);
    y->c[0] = dt_interval_meet(dt_interval_hypot(a->c[0], b->c[0]), y->c[0]);
}

/* The derivative's series; the last coefficient is not known. */
static void differentiate(const dt_series *a, int order, dt_series *y)
{
    for (int k = 0; k < order; k++) {
        y->c[k] = dt_interval_scale(k + 1, a->c[k + 1]);
    }
}

/* f' = (b a' - a b') / (a^2 + b^2) */
void dt_series_atan2(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    dt_series da, db, one, other, aa, bb, sum, rate;
    y->c[0] = dt_interval_atan2(a->c[0], b->c[0]);
    if (order == 0) {
        return;
    }
    differentiate(a, order, &da);
    differentiate(b, order, &db);
    dt_series_multiply(b, &da, order - 1, &one);
    dt_series_multiply(a, &db, order - 1, &other);
    square(a, order - 1, &aa);
    square(b, order - 1, &bb);
    dt_series_add(&aa, &bb, order - 1, &sum);
    dt_series_subtract(&one, &other, order - 1, &aa);
    dt_series_divide(&aa, &sum, order - 1, &rate);
    const bool jumps = b->c[0].lo <= 0 && a->c[0].lo <= 0 && a->c[0].hi >= 0;
    for (int k = 1; k <= order; k++) {
        y->c[k] =
            jumps ? dt_interval_whole() : dt_interval_divide(rate.c[k - 1], dt_interval_point(k));
    }
}
