/*
 * With h_i = x_i+1 - x_i and the secants d_i the second derivative is continuous at knot i where
 *
 *   h_i m_i-1 + 2 (h_i-1 + h_i) m_i + h_i-1 m_i+1 = 3 (h_i d_i-1 + h_i-1 d_i)
 *
 * and 0 at an end where 2 m_0 + m_1 = 3 d_0. The matrix is dominated by its diagonal: elimination needs no pivots. A periodic spline has the
 * first equation at every knot, and two corners; the unknown m_0 is taken out, m_i = a_i - b_i m_0, and found from its own equation.
 */
#include "math/spline.h"

/* The line that is splined. */
typedef struct splined_line {
    int count, step;
    const double *at, *value;
} splined_line;

static double width(const splined_line *of, int k)
{
    return of->at[k + 1] - of->at[k];
}

static double secant(const splined_line *of, int k)
{
    return (of->value[(k + 1) * of->step] - of->value[k * of->step]) / width(of, k);
}

/* Of the equation at a knot with segments `before` and `after`: what the slopes of its neighbours and its own are multiplied with, and the right side. */
static void equation(const splined_line *of, int before, int after, double row[4])
{
    const double h = width(of, before), next = width(of, after);
    row[0] = next;
    row[1] = 2 * (h + next);
    row[2] = h;
    row[3] = 3 * (next * secant(of, before) + h * secant(of, after));
}

static void natural(const splined_line *of, double *slope, double *upper, double *right)
{
    const int last = of->count - 1;
    upper[0] = 0.5;
    right[0] = 1.5 * secant(of, 0);
    for (int k = 1; k <= last; k++) {
        double row[4] = {1, 2, 0, 3 * secant(of, last - 1)};
        if (k < last) {
            equation(of, k - 1, k, row);
        }
        const double pivot = row[1] - row[0] * upper[k - 1];
        upper[k] = row[2] / pivot;
        right[k] = (row[3] - row[0] * right[k - 1]) / pivot;
    }
    for (int k = last; k >= 0; k--) {
        slope[k * of->step] = right[k] - (k < last ? upper[k] * slope[(k + 1) * of->step] : 0);
    }
}

static void periodic_slopes(const splined_line *of, double *slope, double *upper, double *a,
                            double *b)
{
    const int last = of->count - 1; /* the knot 0 once more */
    double row[4];
    upper[0] = a[0] = 0;
    b[0] = -1; /* m_0 = a_0 - b_0 m_0 */
    for (int k = 1; k < last; k++) {
        equation(of, k - 1, k, row);
        const double pivot = row[1] - row[0] * upper[k - 1], corner = k == last - 1 ? row[2] : 0;
        upper[k] = corner != 0 ? 0 : row[2] / pivot;
        a[k] = (row[3] - row[0] * a[k - 1]) / pivot;
        b[k] = (corner - row[0] * b[k - 1]) / pivot;
    }
    for (int k = last - 2; k >= 1; k--) {
        a[k] -= upper[k] * a[k + 1];
        b[k] -= upper[k] * b[k + 1];
    }
    equation(of, last - 1, 0, row);
    const double first = (row[3] - row[0] * a[last - 1] - row[2] * a[1]) /
                         (row[1] - row[0] * b[last - 1] - row[2] * b[1]);
    for (int k = 0; k <= last; k++) {
        slope[k * of->step] = k == 0 || k == last ? first : a[k] - b[k] * first;
    }
}

void dt_spline_slopes(int count, const double *at, const double *value, int step, bool periodic,
                      double *slope, double *work)
{
    const splined_line of = {count, step, at, value};
    if (periodic) {
        periodic_slopes(&of, slope, work, work + count, work + 2 * count);
    } else {
        natural(&of, slope, work, work + count);
    }
}
