/** @file test_solver_problems.h
 * Problems for the steppers, and runs of them. */
#ifndef TEST_SOLVER_PROBLEMS_H
#define TEST_SOLVER_PROBLEMS_H

#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 4, MOST_ROOTS = 4 };

static const double rtol = 1e-8;
/* Of the finder, of end + length of a step. */
static const double root_precision = 100 * DBL_EPSILON;

/* ---- problems: y' = f(t, y), with df/dy ---- */

typedef struct equations {
    int length, roots;
    bool last_is_algebraic; /**< of the implicit form alone: 0 = f there */
    void (*f)(const struct equations *e, double t, const double *y, double *f);
    void (*slopes)(const struct equations *e, double t, const double *y, double A[MOST][MOST]);
    void (*g)(const struct equations *e, double t, const double *y, double *g);
    double parameter;
    double atol;                /**< of the error test */
    double breaks;              /**< f does not exist beyond */
    double t, y[MOST];          /**< of the last residual */
    double lu[MOST][MOST];      /**< c dF/dy' + dF/dy, eliminated */
    size_t evaluations, errors; /**< calls, and those with what should not be */
} equations;

static bool residual(void *user, double t, const double *y, const double *yp, double *r)
{
    equations *e = user;
    e->t = t;
    memcpy(e->y, y, (size_t)e->length * sizeof *y);
    e->evaluations++;
    e->f(e, t, y, r);
    for (int k = 0; k < e->length; k++) {
        const bool algebraic = e->last_is_algebraic && k == e->length - 1;
        r[k] = (algebraic ? 0 : yp[k]) - r[k];
    }
    return !(t > e->breaks);
}

/** Gaussian elimination without pivots: c is large beside the slopes, or they are of stable systems. */
static void factor(equations *e, double c)
{
    const int n = e->length;
    double A[MOST][MOST] = {{0}};
    e->slopes(e, e->t, e->y, A);
    for (int i = 0; i < n; i++) {
        const bool algebraic = e->last_is_algebraic && i == n - 1;
        for (int j = 0; j < n; j++) {
            e->lu[i][j] = (i == j && !algebraic ? c : 0) - A[i][j];
        }
    }
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            e->lu[i][k] /= e->lu[k][k];
            for (int j = k + 1; j < n; j++) {
                e->lu[i][j] -= e->lu[i][k] * e->lu[k][j];
            }
        }
    }
}

static bool correct(void *user, double *r, bool anew, double c)
{
    equations *e = user;
    const int n = e->length;
    if (anew) {
        factor(e, c);
    }
    for (int i = 0; i < n; i++) {
        r[i] = -r[i];
        for (int j = 0; j < i; j++) {
            r[i] -= e->lu[i][j] * r[j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            r[i] -= e->lu[i][j] * r[j];
        }
        r[i] /= e->lu[i][i];
    }
    return true;
}

static double rounding(void *user, const double *weights, double c)
{
    const equations *e = user;
    double sum = 0;
    (void)c;
    for (int k = 0; k < e->length; k++) {
        sum += weights[k] * e->y[k] * weights[k] * e->y[k];
    }
    return DBL_EPSILON * sqrt(sum / e->length);
}

static void differential(void *user, double *id)
{
    const equations *e = user;
    for (int k = 0; k < e->length; k++) {
        id[k] = !(e->last_is_algebraic && k == e->length - 1);
    }
}

static bool rate(void *user, double t, const double *y, double *yp)
{
    equations *e = user;
    e->evaluations++;
    e->f(e, t, y, yp);
    if (e->last_is_algebraic) {
        yp[e->length - 1] = 0;
    }
    return !(t > e->breaks);
}

static void weights(void *user, const double *y, double *w)
{
    const equations *e = user;
    for (int k = 0; k < e->length; k++) {
        w[k] = 1 / (rtol * fabs(y[k]) + e->atol);
    }
}

static bool roots(void *user, double t, const double *y, const double *yp, double *g)
{
    equations *e = user;
    double f[MOST];
    e->f(e, t, y, f);
    for (int k = 0; k < e->length - e->last_is_algebraic; k++) {
        /* y' is the solution's: loosely, for IDA has it from a formula of low order at first */
        e->errors += !(fabs(yp[k] - f[k]) < 0.1 * (1 + fabs(f[k])));
    }
    e->g(e, t, y, g);
    return true;
}

/** Root k is unknown k / 2, up or down. */
static int root_unknown(void *user, int root)
{
    (void)user;
    return root / 2;
}

/** A solver with its problem. */
typedef struct run {
    dt_arena arena;
    equations e;
    dt_solver *solver;
    double *y, *yp; /**< the solver's */
    double t, end;
    double longest; /**< of its steps */
    size_t steps;   /**< since open_run() */
} run;

static void open_run(run *r, const equations *e, bool ida, bool erk, double end)
{
    *r = (run){.e = *e, .end = end, .longest = end};
    const dt_problem problem = {.user = &r->e,
                                .residual = residual,
                                .correct = correct,
                                .rounding = rounding,
                                .differential = differential,
                                .rate = rate,
                                .weights = weights,
                                .usual_weights = weights,
                                .roots = roots,
                                .root_unknown = root_unknown};
    const dt_solver_plan plan = {
        .most_unknowns = MOST,
        .most_roots = MOST_ROOTS,
        .steppers = {[DT_STEPPER_IDA] = ida, [DT_STEPPER_ERK] = erk, [DT_STEPPER_LEAP] = true},
        .start = 0,
        .end = end};
    dt_arena_init(&r->arena, NULL);
    r->solver = dt_solver_create(&r->arena, &problem, &plan);
    assert_non_null(r->solver);
    r->y = dt_solver_y(r->solver);
    r->yp = dt_solver_yp(r->solver);
}

static void close_run(run *r)
{
    assert_int_equal(r->e.errors, 0);
    dt_solver_destroy(r->solver);
    dt_arena_free(&r->arena);
}

/** Starts, or starts again, at t from y; who steps. */
static void start(run *r, dt_stepper_kind kind, double t, const double *y)
{
    dt_solver_choose(r->solver, kind);
    assert_int_equal(dt_solver_kind(r->solver), kind);
    dt_solver_set_length(r->solver, r->e.length);
    memcpy(r->y, y, (size_t)r->e.length * sizeof *y);
    rate(&r->e, t, r->y, r->yp);
    r->t = t;
    assert_true(dt_solver_restart(r->solver, t, dt_solver_wants_first_step(r->solver) ? 1e-5 : 0,
                                  r->e.roots));
}

static dt_step step(run *r, dt_failure *why)
{
    const dt_step_bounds bounds = {
        .from = r->t, .stop = INFINITY, .longest = r->longest, .span = r->end};
    double tried = 0;
    const dt_step result = dt_solver_step(r->solver, &bounds, &r->t, why, &tried);
    r->steps++;
    return result;
}

/** To the next root, which is returned. */
static int next_root(run *r)
{
    dt_failure why;
    dt_step result = DT_STEP_DONE;
    for (int k = 0; k < 1000000 && result == DT_STEP_DONE; k++) {
        result = step(r, &why);
    }
    assert_int_equal(result, DT_STEP_ROOT);
    int found = -1;
    for (int k = 0; k < r->e.roots; k++) {
        if (dt_solver_fired(r->solver)[k]) {
            assert_int_equal(found, -1);
            found = k;
        }
    }
    assert_true(found >= 0);
    return found;
}

/** What the finder may add to the time of a root. */
static double finder_error(const run *r)
{
    return root_precision * (fabs(dt_solver_end(r->solver)) + dt_solver_last_step(r->solver));
}

#endif
