/* x_i'' = nu t - x_i + l^2 (x_(i-1) - 2 x_i + x_(i+1)) - s_i phi(s_i x_i'), phi(v) = (1 - sigma) /
 * (1 + 2 alpha v / (1 - sigma)), static limit 1. Each block has its own mass, so that at given places
 * the modes do not depend on each other: a block at rest holds while the load is at most 1; one that
 * stops holds or turns round. */

#include "train.h"

#include <math.h>
#include <stdlib.h>

static const double coupling = 9, sigma = 0.01, alpha = 2.5, nu = 0.01;

bool train_create(train *a, size_t n)
{
    *a = (train){.n = n, .mode = calloc(n, sizeof *a->mode)};
    return a->mode != NULL;
}

void train_free(train *a)
{
    free(a->mode);
    a->mode = NULL;
}

static double load(const train *a, double t, const double *x, size_t i)
{
    double force = nu * t - x[i];
    force += i > 0 ? coupling * (x[i - 1] - x[i]) : 0;
    force += i + 1 < a->n ? coupling * (x[i + 1] - x[i]) : 0;
    return force;
}

static void derivative(void *data, double t, const double *y, double *dy)
{
    const train *a = data;
    for (size_t i = 0; i < a->n; i++) {
        const double v = y[a->n + i];
        const int s = a->mode[i];
        dy[i] = s ? v : 0;
        dy[a->n + i] =
            s ? load(a, t, y, i) - s * (1 - sigma) / (1 + 2 * alpha * s * v / (1 - sigma)) : 0;
    }
}

static double excess(void *data, double t, const double *y)
{
    const train *a = data;
    double most = -INFINITY;
    for (size_t i = 0; i < a->n; i++) {
        most = fmax(most, a->mode[i] ? -a->mode[i] * y[a->n + i] : fabs(load(a, t, y, i)) - 1);
    }
    return most;
}

static bool settle(void *data, double t, double *y)
{
    train *a = data;
    for (size_t i = 0; i < a->n; i++) {
        double *v = &y[a->n + i];
        const double force = load(a, t, y, i);
        if (a->mode[i] && a->mode[i] * *v <= 0) {
            *v = 0;
            a->mode[i] = 0;
        }
        if (!a->mode[i] && fabs(force) >= 1) {
            a->mode[i] = force > 0 ? 1 : -1;
        }
    }
    return true;
}

problem train_problem(train *a)
{
    return (problem){
        .size = 2 * a->n, .data = a, .derivative = derivative, .excess = excess, .settle = settle};
}

void train_start(const train *a, double *y)
{
    static const double five[] = {-0.9, -0.92, -0.87, -0.91, -0.885};
    for (size_t i = 0; i < a->n; i++) {
        y[i] = a->n == 5 ? five[i] : -0.9 + 0.01 * sin(12.9898 * (double)(i + 1));
        y[a->n + i] = 0;
    }
}
