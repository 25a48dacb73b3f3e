#include "math/small.h"

#include "math/vec3.h"

#include <string.h>

static void swap_rows(double m[9], int r, int s)
{
    for (int k = 0; k < 3; k++) {
        const double kept = m[3 * r + k];
        m[3 * r + k] = m[3 * s + k];
        m[3 * s + k] = kept;
    }
}

static void swap_columns(double m[9], int c, int d)
{
    for (int k = 0; k < 3; k++) {
        const double kept = m[3 * k + c];
        m[3 * k + c] = m[3 * k + d];
        m[3 * k + d] = kept;
    }
}

/* Brings the largest entry of the diagonal from `step` on to its front. */
static void bring_pivot(int step, double m[9], double left[9], double right[9])
{
    int largest = step;
    for (int j = step + 1; j < 3; j++) {
        if (fabs(m[4 * j]) > fabs(m[4 * largest])) {
            largest = j;
        }
    }
    if (largest != step) {
        swap_rows(m, step, largest);
        swap_columns(m, step, largest);
        swap_rows(left, step, largest);
        swap_rows(right, step, largest);
    }
}

/* m (row r) -= factor * m (row s) */
static void subtract_row(double m[9], int r, double factor, int s)
{
    for (int k = 0; k < 3; k++) {
        m[3 * r + k] -= factor * m[3 * s + k];
    }
}

bool dt_small_decouple(const double a[9], double relative, double left[9], double right[9],
                       double pivot[3])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double m[9];
    memcpy(m, a, sizeof m);
    memcpy(left, identity, sizeof identity);
    memcpy(right, identity, sizeof identity);
    for (int step = 0; step < 3; step++) {
        bring_pivot(step, m, left, right);
        const double p = pivot[step] = m[4 * step];
        if (!(fabs(p) > (step == 0 ? 0 : relative * fabs(pivot[0])) && isfinite(p))) {
            return false;
        }
        const double inverse = 1 / p;
        for (int j = step + 1; j < 3; j++) {
            subtract_row(left, j, m[3 * j + step] * inverse, step);
            subtract_row(right, j, m[3 * step + j] * inverse, step);
            for (int k = step + 1; k < 3; k++) {
                m[3 * j + k] -= (m[3 * j + step] * m[3 * step + k]) * inverse;
            }
        }
    }
    return true;
}

void dt_small_combine(const double by[9], int count, double *lines)
{
    for (int c = 0; c < count; c++) {
        const double old[3] = {lines[c], lines[count + c], lines[2 * count + c]};
        for (int j = 0; j < 3; j++) {
            lines[j * count + c] = dt_dot3(by + 3 * j, old);
        }
    }
}
