/* Forces of least norm inside their limits, of which few follow from the others (few.h). */
#include "math/few.h"

#include "math/lapack.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* A step beside the measures of the forces. */
static const double nothing = 1e-13;

/* What line i weighs in force n, both by their measures: 1 in itself, and minus its R. */
static double weight(const dt_few_problem *p, int i, int n)
{
    return n < p->lines ? n == i
                        : -p->R[(size_t)(n - p->lines) * (size_t)p->lines + (size_t)i] / p->w[i];
}

/* Forces by their measures, of x. */
static void add_up(const dt_few_problem *p, const double *x, double *value)
{
    for (int i = 0; i < p->lines; i++) {
        value[i] = p->rest[i] / p->w[i];
    }
    for (int j = 0; j < p->columns; j++) {
        const double *column = p->R + (size_t)j * (size_t)p->lines;
        for (int i = 0; i < p->lines; i++) {
            value[i] += column[i] * x[j] / p->w[i];
        }
        value[p->lines + j] = x[j];
    }
}

/*
 * What each line weighs at the least norm where forces at their limits stay there: z of A A' z = what is left to balance, A the weights of
 * those that are free. False where that is singular.
 */
static bool solve(const dt_few *few, const dt_few_problem *p)
{
    const int n = p->lines, one = 1;
    int info = 0;
    memset(few->matrix, 0, (size_t)n * (size_t)n * sizeof *few->matrix);
    for (int i = 0; i < n; i++) {
        few->z[i] = p->rest[i] / p->w[i];
    }
    for (int k = 0; k < p->lines + p->columns; k++) {
        for (int i = k < n ? k : 0; i < (k < n ? k + 1 : n); i++) {
            const double own = weight(p, i, k);
            if (few->at[k] != 0) {
                few->z[i] -= own * few->value[k];
                continue;
            }
            for (int j = k < n ? k : 0; j <= i; j++) {
                few->matrix[(size_t)j * (size_t)n + (size_t)i] += own * weight(p, j, k);
            }
        }
    }
    dposv_("L", &n, &one, few->matrix, &n, few->z, &n, &info);
    return info == 0;
}

/* What a force would be without a limit of its own. */
static double wanted(const dt_few *few, const dt_few_problem *p, int k)
{
    double sum = 0;
    if (k < p->lines) {
        return few->z[k];
    }
    for (int i = 0; i < p->lines; i++) {
        sum += weight(p, i, k) * few->z[i];
    }
    return sum;
}

/* How far along the step all stay inside; the one that stops it in `*first`, else -1. */
static double find_room(const dt_few *few, const dt_few_problem *p, int *first)
{
    double most = 1;
    *first = -1;
    for (int k = 0; k < p->lines + p->columns; k++) {
        const double to = p->limits[k][few->step[k] > 0] / p->w[k];
        if (few->at[k] == 0 && fabs(few->step[k]) > nothing &&
            (to - few->value[k]) / few->step[k] < most) {
            most = fmax((to - few->value[k]) / few->step[k], 0);
            *first = k;
        }
    }
    return most;
}

/* Lets go the limit that holds the wrong way, most of all; false where there is none. */
static bool let_go(const dt_few *few, const dt_few_problem *p)
{
    double worst = -nothing;
    int which = -1;
    for (int k = 0; k < p->lines + p->columns; k++) {
        const double held = few->at[k] * (wanted(few, p, k) - few->value[k]);
        if (few->at[k] != 0 && held < worst) {
            worst = held;
            which = k;
        }
    }
    if (which >= 0) {
        few->at[which] = 0;
    }
    return which >= 0;
}

/* Whether the last step has left digits (bounded.c). */
static bool is_exact(const dt_few *few, int forces)
{
    bool exact = true;
    for (int k = 0; k < forces; k++) {
        exact = exact && !(DBL_EPSILON * fabs(few->step[k]) > nothing);
    }
    return exact;
}

static void improve(const dt_few *few, const dt_few_problem *p)
{
    const int forces = p->lines + p->columns;
    for (int round = 0; round < 8 * forces + 8; round++) {
        int first;
        if (!solve(few, p)) {
            return;
        }
        for (int k = 0; k < forces; k++) {
            few->step[k] = few->at[k] == 0 ? wanted(few, p, k) - few->value[k] : 0;
        }
        const double part = find_room(few, p, &first);
        for (int k = 0; k < forces; k++) {
            few->value[k] += part * few->step[k];
        }
        if (first >= 0) {
            few->at[first] = few->step[first] > 0 ? 1 : -1;
            few->value[first] = p->limits[first][few->step[first] > 0] / p->w[first];
        } else if (!let_go(few, p) && is_exact(few, forces)) {
            return;
        }
    }
}

/*
 * Lines follow from the columns but for rounding: as far back as all are inside. One that began beyond its limit, be it that nothing can be done about
 * it, is to go no farther: else it would hold back all others.
 */
static void stay_inside(const dt_few *few, const dt_few_problem *p, double *x)
{
    const int forces = p->lines + p->columns;
    double part = 1, *before = few->width, *after = few->step;
    add_up(p, x, before);
    add_up(p, few->value + p->lines, after);
    for (int k = 0; k < forces; k++) {
        const double change = after[k] - before[k], to = p->limits[k][change > 0] / p->w[k],
                     beyond = change > 0 ? after[k] - fmax(to, before[k])
                                         : fmin(to, before[k]) - after[k];
        if (beyond > nothing) {
            part = fmin(part, fmax(1 - beyond / fabs(change), 0));
        }
    }
    for (int j = 0; j < p->columns; j++) {
        const double to = few->value[p->lines + j];
        x[j] = part < 1 ? x[j] + part * (to - x[j]) : to;
    }
}

void dt_few_least(dt_few *few, const dt_few_problem *p, double *x)
{
    memset(few->at, 0, (size_t)(p->lines + p->columns) * sizeof *few->at);
    if (p->lines == 0) {
        memset(x, 0, (size_t)p->columns * sizeof *x); /* nothing is to be balanced */
        return;
    }
    add_up(p, x, few->value);
    improve(few, p);
    stay_inside(few, p, x);
}
