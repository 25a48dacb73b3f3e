#include "math/bounded.h"

#include "math/lapack.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* A step beside the measures of the forces; a limit beside what is held on the other side. */
static const double nothing = 1e-13, little = 1e-5;

bool dt_bounded_create(dt_arena *arena, int forces, int columns, dt_bounded *of)
{
    const size_t n = (size_t)forces + 1, p = 2 * (size_t)columns + 1;
    of->matrix = dt_arena_alloc(arena, p * p, sizeof *of->matrix);
    of->x = dt_arena_alloc(arena, p, sizeof *of->x);
    of->start = dt_arena_alloc(arena, (size_t)columns + 1, sizeof *of->start);
    of->unit = dt_arena_alloc(arena, (size_t)columns + 1, sizeof *of->unit);
    of->force = dt_arena_alloc(arena, n, sizeof *of->force);
    of->step = dt_arena_alloc(arena, n, sizeof *of->step);
    of->at = dt_arena_alloc(arena, n, sizeof *of->at);
    of->active = dt_arena_alloc(arena, p, sizeof *of->active);
    of->pivots = dt_arena_alloc(arena, p, sizeof *of->pivots);
    return of->matrix && of->x && of->start && of->unit && of->force && of->step && of->at &&
           of->active && of->pivots;
}

/* A problem while it is solved. */
typedef struct bounded_problem {
    dt_bounded *of;
    int forces, columns;
    const double *U, *b, *w;
    double (*limits)[2], *y;
    int count; /**< of active limits */
} bounded_problem;

static double entry(const bounded_problem *p, int i, int j)
{
    return p->U[(size_t)j * (size_t)p->forces + (size_t)i];
}

static void add_up(const bounded_problem *p, const double *b, const double *y, double *force)
{
    for (int i = 0; i < p->forces; i++) {
        force[i] = b ? b[i] : 0;
        for (int j = 0; j < p->columns; j++) {
            force[i] += entry(p, i, j) * y[j];
        }
    }
}

/* The step to the least norm with the active limits kept, and their multipliers, in of->x; false if that is singular. */
static bool solve(const bounded_problem *p)
{
    dt_bounded *of = p->of;
    const int n = p->columns + p->count, one = 1;
    int info = 0;
    memset(of->matrix, 0, (size_t)n * (size_t)n * sizeof *of->matrix);
    memset(of->x, 0, (size_t)n * sizeof *of->x);
    for (int i = 0; i < p->forces; i++) {
        const double weight = 1 / (p->w[i] * p->w[i]);
        for (int j = 0; j < p->columns; j++) {
            for (int k = 0; k < p->columns; k++) {
                of->matrix[k * n + j] += weight * entry(p, i, j) * entry(p, i, k);
            }
            of->x[j] -= weight * entry(p, i, j) * of->force[i];
        }
    }
    for (int a = 0; a < p->count; a++) {
        for (int j = 0; j < p->columns; j++) {
            const double u = entry(p, of->active[a], j) / p->w[of->active[a]];
            of->matrix[(p->columns + a) * n + j] = of->matrix[j * n + p->columns + a] = u;
        }
    }
    dgetrf_(&n, &n, of->matrix, &n, of->pivots, &info);
    if (info == 0) {
        dgetrs_("N", &n, &one, of->matrix, &n, of->pivots, of->x, &n, &info);
    }
    if (p->count == p->columns) { /* what is left are the multipliers */
        memset(of->x, 0, (size_t)p->columns * sizeof *of->x);
    }
    return info == 0;
}

/* The measure of each unknown: of the force that it moves most, beside the measure of that; no more than the forces that it moves are. */
static void measure(const bounded_problem *p)
{
    dt_bounded *of = p->of;
    add_up(p, p->b, p->y, of->force);
    for (int j = 0; j < p->columns; j++) {
        double most = INFINITY, there = 0;
        for (int i = 0; i < p->forces; i++) {
            const double u = fabs(entry(p, i, j));
            most = u > 0 ? fmin(most, p->w[i] / u) : most;
            there = u > 0 ? fmax(there, fabs(of->force[i]) / u) : there;
        }
        of->unit[j] = fmin(most, there);
    }
}

/* The largest of the unknowns, by their measures, where they are or where they began. */
static double largest(const bounded_problem *p)
{
    const dt_bounded *of = p->of;
    double most = 0;
    for (int j = 0; j < p->columns; j++) {
        const double size = fmax(fabs(p->y[j]), fabs(of->start[j]));
        most = of->unit[j] > 0 ? fmax(most, size / of->unit[j]) : most;
    }
    return most;
}

/*
 * What is nothing of force i beside its limit. Who is held on one side alone has a measure that is no more than a very large number: on the other one, where
 * it may have friction of its own, it is the rounding of that, of what the force is summed from, and of unknowns that are found together: each is as
 * exact as the largest of them, `far`, by their measures.
 */
static double grain(const bounded_problem *p, int i, double limit, double far)
{
    const bool small = fabs(limit) <= little * p->w[i];
    double size = fmax(fabs(p->b[i]), fabs(limit));
    for (int j = 0; j < p->columns && small; j++) {
        size += fabs(entry(p, i, j)) * fmax(fabs(p->y[j]), far * p->of->unit[j]);
    }
    return nothing * (small ? fmin(size, p->w[i]) : p->w[i]);
}

/* How far along the step all stay inside; the one that stops it in `*first`, else -1. */
static double room(const bounded_problem *p, int *first)
{
    const dt_bounded *of = p->of;
    const double far = largest(p);
    double most = 1;
    *first = -1;
    for (int i = 0; i < p->forces; i++) {
        const double to = p->limits[i][of->step[i] > 0];
        if (of->at[i] == 0 && fabs(of->step[i]) > grain(p, i, to, far) &&
            (to - of->force[i]) / of->step[i] < most) {
            most = fmax((to - of->force[i]) / of->step[i], 0);
            *first = i;
        }
    }
    return most;
}

/* Lets go the limit that holds the wrong way, most of all; false where there is none. */
static bool let_go(bounded_problem *p)
{
    dt_bounded *of = p->of;
    double worst = -nothing;
    int which = -1;
    for (int a = 0; a < p->count; a++) {
        const double held = of->at[of->active[a]] * of->x[p->columns + a];
        if (held < worst) {
            worst = held;
            which = a;
        }
    }
    if (which >= 0) {
        of->at[of->active[which]] = 0;
        of->active[which] = of->active[--p->count];
    }
    return which >= 0;
}

/*
 * Active limits are kept but for rounding, which is magnified where they are nearly the same: as far back as all are inside. One that began beyond its
 * limit, be it that nothing can be done about it, is to go no farther: else it would hold back all others.
 */
static void stay_inside(const bounded_problem *p)
{
    dt_bounded *of = p->of;
    const double far = largest(p);
    double part = 1;
    add_up(p, p->b, of->start, of->force);
    add_up(p, p->b, p->y, of->step);
    for (int i = 0; i < p->forces; i++) {
        const double change = of->step[i] - of->force[i], to = p->limits[i][change > 0];
        const double beyond = change > 0 ? of->step[i] - fmax(to, of->force[i])
                                         : fmin(to, of->force[i]) - of->step[i];
        if (beyond > grain(p, i, to, far)) {
            part = fmin(part, fmax(1 - beyond / fabs(change), 0));
        }
    }
    for (int j = 0; j < p->columns && part < 1; j++) {
        p->y[j] = of->start[j] + part * (p->y[j] - of->start[j]);
    }
}

/* Whether the last step has left digits: one from far beyond the limits, as a share of 1e14 may be, rounds more than there is where it ends. */
static bool is_exact(const bounded_problem *p)
{
    bool exact = true;
    for (int i = 0; i < p->forces; i++) {
        exact = exact && !(DBL_EPSILON * fabs(p->of->step[i]) > nothing * p->w[i]);
    }
    return exact;
}

static void improve(bounded_problem *p)
{
    dt_bounded *of = p->of;
    for (int round = 0; round < 8 * p->forces + 8; round++) {
        int first;
        add_up(p, p->b, p->y, of->force);
        if (!solve(p)) {
            return;
        }
        add_up(p, NULL, of->x, of->step);
        const double part = room(p, &first);
        for (int j = 0; j < p->columns; j++) {
            p->y[j] += part * of->x[j];
        }
        if (first >= 0 && p->count < p->columns) {
            of->at[first] = of->step[first] > 0 ? 1 : -1;
            of->active[p->count++] = first;
        } else if (first >= 0 || (!let_go(p) && is_exact(p))) {
            return;
        }
    }
}

void dt_bounded_solve(dt_bounded *of, int forces, int columns, const double *U, const double *b,
                      double (*limits)[2], const double *w, double *y)
{
    bounded_problem p = {of, forces, columns, U, b, w, limits, y, 0};
    memset(of->at, 0, (size_t)forces * sizeof *of->at);
    memcpy(of->start, y, (size_t)columns * sizeof *y);
    measure(&p);
    improve(&p);
    stay_inside(&p);
}
