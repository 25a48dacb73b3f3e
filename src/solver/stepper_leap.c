/*
 * One step over an instant at which there is no rate y' = f(t, y), though the solution is smooth there: of Gauss's method with eight
 * stages, of order 16, none of which is near the middle of the step. Stages by iteration of the fixed point, so that it is for steps
 * that are short beside what the problem does. The solution inside is the polynomial through the stages' rates.
 * Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.7.
 */
#include "solver/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = 8 };

/** Gauss's nodes on [-1/2, 1/2]: half of the zeros of the Legendre polynomial of degree eight. */
static const double node[STAGES] = {
    -0.48014492824876812, -0.39833323870681337, -0.26276620495816449, -0.091717321247824902,
    0.091717321247824902, 0.26276620495816449,  0.39833323870681337,  0.48014492824876812};

/** What this stepper keeps. */
typedef struct leap {
    double t0, h;
    bool made;         /**< the step: there are rates of the stages */
    bool halted;       /**< at a root inside it */
    double *y0, *rate; /**< where it starts, and the rate there */
    double *k[STAGES]; /**< rates of the stages */
    double *inside;    /**< the solution where a rate or a root is evaluated */
    double *slope;     /**< its y' */
    double *weight;
    double basis
        [STAGES]
        [STAGES]; /**< Lagrange's polynomials of the nodes, by powers of x = (t - t0)/h - 1/2 */
} leap;

static leap *leap_of(const dt_solver *solver)
{
    return solver->own[DT_STEPPER_LEAP];
}

/* ---- the polynomial ---- */

static void form_basis(leap *l)
{
    for (int i = 0; i < STAGES; i++) {
        double *p = l->basis[i];
        int degree = 0;
        memset(p, 0, sizeof l->basis[i]);
        p[0] = 1;
        for (int j = 0; j < STAGES; j++) {
            if (j == i) {
                continue;
            }
            degree++;
            for (int m = degree; m >= 0; m--) {
                p[m] = ((m > 0 ? p[m - 1] : 0) - node[j] * p[m]) / (node[i] - node[j]);
            }
        }
    }
}

/** The value of Lagrange's polynomial i at x, or its integral from -1/2 to x. */
static double basis_at(const leap *l, int i, double x, bool integral)
{
    double sum = 0, power = integral ? x : 1, start = integral ? -0.5 : 0;
    for (int m = 0; m < STAGES; m++) {
        sum += l->basis[i][m] * (integral ? (power - start) / (m + 1) : power);
        power *= x;
        start *= -0.5;
    }
    return sum;
}

/** The solution, or its rate, at x. */
static void evaluate(const dt_solver *solver, double x, int derivative, double *out)
{
    const leap *l = leap_of(solver);
    const size_t bytes = (size_t)solver->length * sizeof *out;
    if (!l->made) {
        memcpy(out, derivative == 0 ? l->y0 : l->rate, bytes);
        return;
    }
    if (derivative == 0) {
        memcpy(out, l->y0, bytes);
    } else {
        memset(out, 0, bytes);
    }
    for (int i = 0; i < STAGES; i++) {
        const double b =
            derivative == 0 ? l->h * basis_at(l, i, x, true) : basis_at(l, i, x, false);
        for (int n = 0; n < solver->length; n++) {
            out[n] += b * l->k[i][n];
        }
    }
}

static double fuzz(const leap *l)
{
    return 100 * DBL_EPSILON * (fabs(l->t0) + l->h);
}

static bool inside(dt_solver *solver, double t, int derivative, double *out)
{
    const leap *l = leap_of(solver);
    const dt_problem *problem = &solver->problem;
    if (!(t >= l->t0 - fuzz(l) && t <= l->t0 + (l->made ? l->h : 0) + fuzz(l))) {
        return false;
    }
    evaluate(solver, (t - l->t0) / l->h - 0.5, derivative, out);
    if (derivative == 0 && problem->hold) {
        problem->hold(problem->user, out);
    }
    return true;
}

static bool roots_at(void *context, double t, double *g)
{
    dt_solver *solver = context;
    const leap *l = leap_of(solver);
    return inside(solver, t, 1, l->slope) && inside(solver, t, 0, l->inside) &&
           dt_roots_at(solver, t, l->inside, l->slope, g);
}

/* ---- the stages ---- */

/** From the guess of the start always: so that it depends on y alone, to the last bit, and the iteration comes to an end. */
static bool find_rate(dt_solver *solver, double t, const double *y, double *yp)
{
    const dt_problem *problem = &solver->problem;
    if (problem->recall) {
        problem->recall(problem->user);
    }
    return problem->rate(problem->user, t, y, yp);
}

/** All stages once more; by how much the solution changes, in tolerances. */
static double sweep(dt_solver *solver)
{
    leap *l = leap_of(solver);
    double most = 0;
    for (int i = 0; i < STAGES; i++) {
        evaluate(solver, node[i], 0, l->inside);
        if (!find_rate(solver, l->t0 + l->h * (node[i] + 0.5), l->inside, l->slope)) {
            return NAN;
        }
        for (int n = 0; n < solver->length; n++) {
            const double change = l->h * l->weight[n] * fabs(l->slope[n] - l->k[i][n]);
            most = isnan(change) || change > most ? change : most;
        }
        if (isnan(most)) {
            return NAN;
        }
        memcpy(l->k[i], l->slope, (size_t)solver->length * sizeof *l->slope);
    }
    return most;
}

/** False where the iteration comes to no end. */
static bool find_stages(dt_solver *solver)
{
    static const double
        enough = 1e-3,
        good =
            1000; /* tolerances, of which that of the user is 333; where rounding is more than the first */
    static const int most = 100;
    leap *l = leap_of(solver);
    double before = INFINITY;
    solver->problem.usual_weights(solver->problem.user, l->y0, l->weight);
    for (int i = 0; i < STAGES; i++) {
        memcpy(l->k[i], l->rate, (size_t)solver->length * sizeof *l->rate);
    }
    l->made = true;
    for (int round = 0; round < most; round++) {
        const double change = sweep(solver);
        if (isnan(change)) {
            break;
        }
        if (change < enough || (change < good && change > 0.5 * before)) {
            return true;
        }
        if (round > 10 && change > 2 * before) {
            break;
        }
        before = change;
    }
    l->made = false;
    return false;
}

/**
 * Whether the solution inside is as exact as is asked for: its rate is that of the problem, between the stages and at the end, where the
 * polynomial is farthest from it.
 */
static bool is_exact(dt_solver *solver)
{
    static const double allowed = 300; /* tolerances, of which that of the user is 333 */
    static const double look[] = {-0.33, 0.33, 0.5};
    leap *l = leap_of(solver);
    double *slope = l->slope, *rate = dt_numbers(solver->scratch);
    double most = 0;
    for (size_t k = 0; k < sizeof look / sizeof *look; k++) {
        evaluate(solver, look[k], 1, slope);
        evaluate(solver, look[k], 0, l->inside);
        if (!find_rate(solver, l->t0 + l->h * (look[k] + 0.5), l->inside, rate)) {
            return false;
        }
        for (int n = 0; n < solver->length; n++) {
            const double defect = l->h * l->weight[n] * fabs(slope[n] - rate[n]);
            most = isnan(defect) || defect > most ? defect : most;
        }
    }
    return most <= allowed;
}

/* ---- life ---- */

static bool leap_create(dt_solver *solver, dt_arena *arena)
{
    const size_t most = (size_t)solver->plan.most_unknowns;
    leap *l = dt_arena_alloc(arena, 1, sizeof *l);
    solver->own[DT_STEPPER_LEAP] = l;
    if (!l) {
        return false;
    }
    double **const arrays[] = {&l->y0,   &l->rate, &l->inside, &l->slope, &l->weight,
                               &l->k[0], &l->k[1], &l->k[2],   &l->k[3],  &l->k[4],
                               &l->k[5], &l->k[6], &l->k[7]};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        if (!(*arrays[k] = dt_arena_alloc(arena, most, sizeof **arrays[k]))) {
            return false;
        }
    }
    form_basis(l);
    return true;
}

static void leap_destroy(dt_solver *solver)
{
    (void)solver;
}

static void leap_forget(dt_solver *solver)
{
    leap_of(solver)->made = false;
}

static bool leap_restart(dt_solver *solver, double t, double h)
{
    leap *l = leap_of(solver);
    l->t0 = t;
    l->h = h;
    l->made = l->halted = false;
    memcpy(l->y0, dt_numbers(solver->y), (size_t)solver->length * sizeof *l->y0);
    memcpy(l->rate, dt_numbers(solver->yp), (size_t)solver->length * sizeof *l->rate);
    solver->finder.evaluate = roots_at;
    solver->finder.guess = NULL;
    return h > 0;
}

/* ---- the step ---- */

static bool leap_interpolate(dt_solver *solver, double t, int derivative)
{
    return inside(solver, t, derivative, dt_numbers(derivative == 0 ? solver->y : solver->yp));
}

/** False where it cannot be made. */
static bool take_step(dt_solver *solver, const dt_step_bounds *bounds)
{
    leap *l = leap_of(solver);
    if (l->made || bounds->stop < l->t0 + l->h || !find_rate(solver, l->t0, l->y0, l->rate)) {
        return false;
    }
    if (solver->problem.keep) {
        solver->problem.keep(solver->problem.user);
    }
    if (!dt_root_finder_start(&solver->finder, solver->roots, l->t0) || !find_stages(solver)) {
        return false;
    }
    l->made = is_exact(solver);
    if (l->made && solver->problem.keep) {
        solver->problem.keep(solver->problem.user); /* of the end, which is looked at last */
    }
    return l->made;
}

static dt_step leap_step(dt_solver *solver, const dt_step_bounds *bounds, double *reached,
                         dt_failure *why, double *tried)
{
    leap *l = leap_of(solver);
    dt_root_finder *finder = &solver->finder;
    *why = DT_FAILURE_FORCE;
    *tried = l->h;
    if (l->halted ? !dt_root_finder_start(finder, solver->roots, finder->time)
                  : !take_step(solver, bounds)) {
        return DT_STEP_FAILED;
    }
    const dt_root_outcome outcome = dt_root_finder_search(finder, l->t0 + l->h, fuzz(l));
    if (outcome == DT_ROOT_FAILED) {
        *why = DT_FAILURE_ROOT;
        return DT_STEP_FAILED;
    }
    *reached = finder->time;
    l->halted = outcome == DT_ROOT_FOUND;
    leap_interpolate(solver, *reached, 0);
    leap_interpolate(solver, *reached, 1);
    return l->halted ? DT_STEP_ROOT : DT_STEP_DONE;
}

static double leap_end(const dt_solver *solver)
{
    const leap *l = leap_of(solver);
    return l->t0 + (l->made ? l->h : 0);
}

static double leap_last_step(const dt_solver *solver)
{
    const leap *l = leap_of(solver);
    return l->made ? l->h : 0;
}

static dt_step_counts leap_steps(const dt_solver *solver)
{
    return (dt_step_counts){.steps = leap_of(solver)->made};
}

const dt_stepper dt_stepper_leap = {
    .kind = DT_STEPPER_LEAP,
    .carries_algebraic = false,
    .wants_first_step = false,
    .create = leap_create,
    .destroy = leap_destroy,
    .restart = leap_restart,
    .step = leap_step,
    .interpolate = leap_interpolate,
    .end = leap_end,
    .last_step = leap_last_step,
    .steps = leap_steps,
    .forget = leap_forget,
};
