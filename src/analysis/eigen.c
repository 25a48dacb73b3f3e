#include "analysis/eigen.h"

#include "base/error.h"
#include "math/lapack.h"

#include <math.h>
#include <stdlib.h>

typedef struct work {
    double *matrix, *re, *im, *vectors, *space;
    int *order;
    int space_length;
} work;

static bool take(dt_arena *arena, int n, work *w)
{
    const size_t count = (size_t)n;
    w->space_length = 8 * n + 64;
#define TAKE(member, length) \
    ((w->member = dt_arena_alloc(arena, (length), sizeof *w->member)) != NULL)
    return TAKE(matrix, count * count) && TAKE(re, count) && TAKE(im, count) &&
           TAKE(vectors, count * count) && TAKE(space, (size_t)w->space_length) &&
           TAKE(order, count);
#undef TAKE
}

/* By growing size; pairs stay together, as dgeev leaves them: the positive imaginary part first. */
static void sort(int n, work *w)
{
    for (int k = 0; k < n; k++) {
        w->order[k] = k;
    }
    for (int k = 1; k < n; k++) { /* by insertion, which keeps equal ones in order */
        const int own = w->order[k];
        const double size = hypot(w->re[own], w->im[own]);
        int at = k;
        while (at > 0 && hypot(w->re[w->order[at - 1]], w->im[w->order[at - 1]]) > size) {
            w->order[at] = w->order[at - 1];
            at--;
        }
        w->order[at] = own;
    }
}

static detent_eigenvalue eigenvalue(double re, double im)
{
    const double size = hypot(re, im);
    return (detent_eigenvalue){.real = re,
                               .imaginary = im,
                               .frequency = size,
                               .damping = size > 0 ? -re / size : (double)NAN};
}

/* The vector of eigenvalue `k`, of a pair the conjugate one for the second. */
static void read_vector(int n, const work *w, int k, double (*x)[2])
{
    const bool pair = w->im[k] != 0, second = w->im[k] < 0;
    const double *re = w->vectors + (size_t)(second ? k - 1 : k) * (size_t)n, *im = re + n;
    for (int i = 0; i < n; i++) {
        x[i][0] = re[i];
        x[i][1] = pair ? (second ? -im[i] : im[i]) : 0;
    }
}

/* Its largest leading component becomes 1. */
static void scale(int n, const double *size, int leading, double (*x)[2])
{
    int largest = 0;
    double most = 0;
    for (int i = 0; i < leading; i++) {
        const double own = hypot(x[i][0], x[i][1]) / size[i];
        if (own > most) {
            most = own;
            largest = i;
        }
    }
    const double re = x[largest][0], im = x[largest][1], norm = re * re + im * im;
    for (int i = 0; i < n && norm > 0; i++) {
        const double a = x[i][0], b = x[i][1];
        x[i][0] = (a * re + b * im) / norm;
        x[i][1] = (b * re - a * im) / norm;
    }
}

detent_status dt_eigen(dt_arena *arena, int n, const double *A, const double *size, int leading,
                       detent_eigenvalue *mode, double (*shape)[2], detent_error *error)
{
    work w;
    int info = 0;
    if (n == 0) {
        return DETENT_OK;
    }
    if (!take(arena, n, &w)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for eigenvalues");
    }
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) { /* in units of `size`, by columns */
            w.matrix[c * n + r] = A[r * n + c] * (size[c] / size[r]);
        }
    }
    dgeev_("N", "V", &n, w.matrix, &n, w.re, w.im, NULL, &n, w.vectors, &n, w.space,
           &w.space_length, &info);
    if (info != 0) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL, "the eigenvalues do not converge");
    }
    sort(n, &w);
    for (int k = 0; k < n; k++) {
        double(*x)[2] = shape + (size_t)k * (size_t)n;
        mode[k] = eigenvalue(w.re[w.order[k]], w.im[w.order[k]]);
        read_vector(n, &w, w.order[k], x);
        for (int i = 0; i < n; i++) {
            x[i][0] *= size[i];
            x[i][1] *= size[i];
        }
        scale(n, size, leading, x);
    }
    return DETENT_OK;
}
