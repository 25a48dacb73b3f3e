/*
 * With x = (t - t0) / h, z = 1 - x and s = x - 1/2 the interpolant is
 *
 *   u = y0 + x^2 (3 - 2x) (y1 - y0) + h x z^2 k1 - h x^2 z k7 + x^2 z^2 (bulge + s skew),
 *
 * the cubic of Hermite and two terms that change neither values nor slopes at the ends. With
 * bulge = h sum d_i k_i and skew = 0 it is the continuous extension of order 4 (E. Hairer, S. P.
 * Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., section II.6). Its slopes at
 * s = -+ 0.35 differ by O(h^5) from y'(t, u), which is accurate to O(h^5) times h; a bulge and skew
 * that make them equal give order 5.
 *
 * What does not move, y0 = y1 and all k zero, is y0 to the last bit.
 */
#include "solver/dense_output.h"

#include <string.h>

static const double abscissa = 0.35; /* of the slopes for order 5, from the middle */

bool dt_dense_create(dt_arena *arena, int most, dt_dense_output *d)
{
    const size_t n = (size_t)most;
    double **const arrays[] = {&d->y0, &d->y1, &d->k1, &d->bulge, &d->skew};
    memset(d, 0, sizeof *d);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        if (!(*arrays[k] = dt_arena_alloc(arena, n, sizeof(double)))) {
            return false;
        }
    }
    for (int k = 0; k < DT_DENSE_STAGES; k++) {
        if (!(d->ring[k] = dt_arena_alloc(arena, n, sizeof(double)))) {
            return false;
        }
    }
    return true;
}

static void copy(const dt_dense_output *d, double *to, const double *from)
{
    memcpy(to, from, (size_t)d->count * sizeof *to);
}

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* Stage 2 to 7 of the last step. */
static double **stage(dt_dense_output *d, int which)
{
    return &d->ring[(d->noted + which - 2) % DT_DENSE_STAGES];
}

void dt_dense_start(dt_dense_output *d, int count, double t, const double *y)
{
    d->count = count;
    d->t0 = d->t1 = t;
    d->noted = 0;
    d->order = 0;
    copy(d, d->y0, y);
    copy(d, d->y1, y);
}

void dt_dense_note_first(dt_dense_output *d, const double *derivative)
{
    copy(d, d->k1, derivative);
}

void dt_dense_begin(dt_dense_output *d)
{
    if (d->t1 > d->t0) {
        swap(&d->k1, stage(d, 7));
    }
    swap(&d->y0, &d->y1);
    d->t0 = d->t1;
    d->noted = 0;
    d->order = 0;
}

void dt_dense_note(dt_dense_output *d, const double *derivative)
{
    copy(d, d->ring[d->noted % DT_DENSE_STAGES], derivative);
    d->noted++;
}

void dt_dense_end(dt_dense_output *d, double t, const double *y)
{
    d->t1 = t;
    copy(d, d->y1, y);
}

const double *dt_dense_stage(const dt_dense_output *d, int which)
{
    return d->ring[(d->noted + which - 2) % DT_DENSE_STAGES];
}

const double *dt_dense_last(const dt_dense_output *d)
{
    return dt_dense_stage(d, 7);
}

static void form_bulge(dt_dense_output *d)
{
    static const double weight[8] = {
        [1] = -12715105075.0 / 11282082432.0, [3] = 87487479700.0 / 32700410799.0,
        [4] = -10690763975.0 / 1880347072.0,  [5] = 701980252875.0 / 199316789632.0,
        [6] = -1453857185.0 / 822651844.0,    [7] = 69997945.0 / 29380423.0};
    const double h = d->t1 - d->t0;
    const double *k3 = *stage(d, 3), *k4 = *stage(d, 4), *k5 = *stage(d, 5), *k6 = *stage(d, 6),
                 *k7 = *stage(d, 7);
    for (int j = 0; j < d->count; j++) {
        d->bulge[j] = h * (weight[1] * d->k1[j] + weight[3] * k3[j] + weight[4] * k4[j] +
                           weight[5] * k5[j] + weight[6] * k6[j] + weight[7] * k7[j]);
        d->skew[j] = 0;
    }
    d->order = 4;
}

/* Weights of y1 - y0, k1, k7, bulge and skew at t. */
typedef struct weights {
    double rise, k1, k7, bulge, skew;
} weights;

static weights weights_at(const dt_dense_output *d, double t, int derivative)
{
    const double h = d->t1 - d->t0, x = (t - d->t0) / h, z = 1 - x, s = x - 0.5;
    if (derivative == 0) {
        return (weights){.rise = x * x * (3 - 2 * x),
                         .k1 = h * x * z * z,
                         .k7 = -h * x * x * z,
                         .bulge = x * x * z * z,
                         .skew = x * x * z * z * s};
    }
    const double slope = 2 * x * z * (z - x);
    return (weights){.rise = 6 * x * z / h,
                     .k1 = z * (z - 2 * x),
                     .k7 = x * (x - 2 * z),
                     .bulge = slope / h,
                     .skew = (slope * s + x * x * z * z) / h};
}

static double combine(const dt_dense_output *d, const weights *w, const double *k7, int j)
{
    return w->rise * (d->y1[j] - d->y0[j]) + w->k1 * d->k1[j] + w->k7 * k7[j] +
           w->bulge * d->bulge[j] + w->skew * d->skew[j];
}

void dt_dense_evaluate(dt_dense_output *d, double t, int derivative, double *out)
{
    if (t == d->t1 || t == d->t0) {
        const bool start = t == d->t0; /* also where the step has not been made */
        copy(d, out, derivative == 0 ? (start ? d->y0 : d->y1) : start ? d->k1 : dt_dense_last(d));
        return;
    }
    if (d->order == 0) {
        form_bulge(d);
    }
    const weights w = weights_at(d, t, derivative);
    const double *k7 = dt_dense_last(d);
    for (int j = 0; j < d->count; j++) {
        out[j] = (derivative == 0 ? d->y0[j] : 0) + combine(d, &w, k7, j);
    }
}

double dt_dense_component(dt_dense_output *d, double t, int derivative, int j)
{
    if (d->order == 0) {
        form_bulge(d);
    }
    const weights w = weights_at(d, t, derivative);
    return (derivative == 0 ? d->y0[j] : 0) + combine(d, &w, dt_dense_last(d), j);
}

void dt_dense_raise_times(const dt_dense_output *d, double t[2])
{
    const double h = d->t1 - d->t0;
    t[0] = d->t0 + (0.5 - abscissa) * h;
    t[1] = d->t0 + (0.5 + abscissa) * h;
}

void dt_dense_raise(dt_dense_output *d, const double *first, const double *second)
{
    const double h = d->t1 - d->t0, s = abscissa, xz = 0.25 - s * s;
    const double bulge_slope = 4 * s * xz, skew_slope = xz * (0.25 - 5 * s * s);
    const double *k7 = dt_dense_last(d);
    double t[2];
    if (d->order == 0) {
        form_bulge(d);
    }
    dt_dense_raise_times(d, t);
    const weights w0 = weights_at(d, t[0], 1), w1 = weights_at(d, t[1], 1);
    for (int j = 0; j < d->count; j++) {
        const double miss0 = h * (first[j] - combine(d, &w0, k7, j)),
                     miss1 = h * (second[j] - combine(d, &w1, k7, j));
        d->bulge[j] += (miss0 - miss1) / (2 * bulge_slope);
        d->skew[j] += (miss0 + miss1) / (2 * skew_slope);
    }
    d->order = 5;
}
