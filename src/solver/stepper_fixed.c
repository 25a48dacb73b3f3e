/*
 * Steps of a length h that is given, by an explicit method on y' = f(t, y):
 *
 *   1 stage    Euler                     y1 = y0 + h k1
 *   4 stages   Runge and Kutta, 1901     y1 = y0 + h (k1 + 2 k2 + 2 k3 + k4) / 6
 *   0 stages   the problem's own         y1 is told by advance() (problem.h); there are no rates, and no root functions
 *
 * Steps end on the grid start + n h, and where they have to by their bounds: such a step is shorter, and the one after it ends on the grid
 * again. There is no error test. A root function that has fallen below zero is told at the end of the step, whatever it was at the
 * start: nothing is closed in on.
 *
 * The end of a step is projected (problem.h), and f there is the first stage of the next one. The solution inside is what is as good as the
 * method: a straight line, or the cubic with the values and slopes of both ends.
 */
#include "solver/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STAGES = 4 };

/* Of a step: an end that is nearer to the grid than this is on it. */
static const double hair = 1e-6;

/* What this stepper keeps. */
typedef struct fixed {
    double t0, t1; /**< the last step; before the first t0 = t1 */
    bool begun;    /**< there is a rate at t1 */
    size_t steps;
    double *y0, *y1;
    double *k0, *k1; /**< rates there */
    /** Those of the stages of the step that is being made; k[0] is not used. */
    double *k[MOST_STAGES];
    double *y, *rate; /**< work space: a stage, the end; the rate there */
} fixed;

static fixed *fixed_of(const dt_solver *solver)
{
    return solver->own[DT_STEPPER_FIXED];
}

static size_t bytes_of(const dt_solver *solver)
{
    return (size_t)solver->length * sizeof(double);
}

/* ---- inside ---- */

static double straight(const fixed *f, int n, double x, double h, int derivative)
{
    const double change = f->y1[n] - f->y0[n];
    return derivative == 0 ? f->y0[n] + x * change : change / h;
}

/* What rests stays to the last bit: only differences from the start are weighted. */
static double cubic(const fixed *f, int n, double x, double h, int derivative)
{
    const double change = f->y1[n] - f->y0[n], a = f->k0[n], b = f->k1[n];
    return derivative == 0
               ? f->y0[n] + x * x * (3 - 2 * x) * change + h * x * (1 - x) * ((1 - x) * a - x * b)
               : 6 * x * (1 - x) * change / h + (1 - x) * (1 - 3 * x) * a + x * (3 * x - 2) * b;
}

static bool inside(const dt_solver *solver, double t, int derivative, double *out)
{
    const fixed *f = fixed_of(solver);
    const double h = f->t1 - f->t0, fuzz = 100 * DBL_EPSILON * (fabs(f->t1) + h);
    if (!(t >= f->t0 - fuzz && t <= f->t1 + fuzz) || (derivative == 1 && !f->begun)) {
        return false;
    }
    if (h == 0 || t >= f->t1 || t <= f->t0) {
        const bool end = h == 0 || t >= f->t1;
        memcpy(out, derivative == 0 ? (end ? f->y1 : f->y0) : (end ? f->k1 : f->k0),
               bytes_of(solver));
        return true;
    }
    for (int n = 0; n < solver->length; n++) {
        const double x = (t - f->t0) / h;
        out[n] = solver->plan.stages <= 1 ? straight(f, n, x, h, derivative)
                                          : cubic(f, n, x, h, derivative);
    }
    return true;
}

static bool fixed_interpolate(dt_solver *solver, double t, int derivative)
{
    return inside(solver, t, derivative, dt_numbers(derivative == 0 ? solver->y : solver->yp));
}

/* ---- life ---- */

static bool fixed_create(dt_solver *solver, dt_arena *arena)
{
    const size_t most = (size_t)solver->plan.most_unknowns;
    fixed *f = dt_arena_alloc(arena, 1, sizeof *f);
    solver->own[DT_STEPPER_FIXED] = f;
    if (!f) {
        return false;
    }
    double **const vectors[] = {&f->y0, &f->y1, &f->k0, &f->k1, &f->y, &f->rate};
    bool ok = true;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors && ok; k++) {
        ok = (*vectors[k] = dt_arena_alloc(arena, most, sizeof **vectors[k])) != NULL;
    }
    for (int k = 1; k < solver->plan.stages && ok; k++) {
        ok = (f->k[k] = dt_arena_alloc(arena, most, sizeof *f->k[k])) != NULL;
    }
    return ok;
}

static void fixed_destroy(dt_solver *solver)
{
    (void)solver; /* all of it is the arena's */
}

static void fixed_forget(dt_solver *solver)
{
    (void)solver; /* nothing is kept from one stretch to the next */
}

static bool fixed_restart(dt_solver *solver, double t, double h)
{
    fixed *f = fixed_of(solver);
    (void)h;
    f->t0 = f->t1 = t;
    f->begun = false;
    f->steps = 0;
    memcpy(f->y1, dt_numbers(solver->y), bytes_of(solver));
    return true;
}

/* ---- a step ---- */

static bool find_rate(const dt_solver *solver, double t, const double *y, double *rate)
{
    const dt_problem *problem = &solver->problem;
    return problem->rate(problem->user, t, y, rate);
}

static void keep(const dt_solver *solver)
{
    if (solver->problem.keep) {
        solver->problem.keep(solver->problem.user);
    }
}

/* A root function is told when it is below zero, or has come to zero: one that was there at the start is left alone. */
static bool look_at_roots(dt_solver *solver, double t, const double *y, const double *rate,
                          bool at_start, bool *fell)
{
    dt_root_finder *finder = &solver->finder;
    double *g = finder->high;
    *fell = false;
    if (!dt_roots_at(solver, t, y, rate, g)) {
        return false;
    }
    for (int k = 0; k < solver->roots; k++) {
        const bool falls = !at_start && (g[k] < 0 || (g[k] == 0 && !finder->idle[k]));
        finder->fired[k] = falls ? -1 : 0;
        finder->idle[k] = g[k] == 0 && (at_start || finder->idle[k]);
        *fell = *fell || falls;
    }
    return true;
}

/* The rate and the roots where it was restarted. */
static bool begin(dt_solver *solver, dt_failure *why)
{
    fixed *f = fixed_of(solver);
    bool fell;
    *why = DT_FAILURE_FORCE;
    if (f->begun || solver->plan.stages == 0) {
        return true;
    }
    if (!find_rate(solver, f->t1, f->y1, f->k1)) {
        return false;
    }
    keep(solver);
    *why = DT_FAILURE_ROOT;
    f->begun = look_at_roots(solver, f->t1, f->y1, f->k1, true, &fell);
    return f->begun;
}

/* Where the step from t1 ends. */
static double end_of_step(const dt_solver *solver, const dt_step_bounds *bounds)
{
    const dt_solver_plan *plan = &solver->plan;
    const double t = fixed_of(solver)->t1, h = plan->step,
                 next = plan->start + (floor((t - plan->start) / h + hair) + 1) * h;
    return bounds->stop <= next + hair * h ? bounds->stop : next;
}

/* y + h k, to the work space. */
static const double *go(const dt_solver *solver, double h, const double *k)
{
    const fixed *f = fixed_of(solver);
    for (int n = 0; n < solver->length; n++) {
        f->y[n] = f->y1[n] + h * k[n];
    }
    return f->y;
}

/* The unknowns h later, to the work space. */
static bool make_step(const dt_solver *solver, double end)
{
    const fixed *f = fixed_of(solver);
    const double h = end - f->t1, middle = f->t1 + h / 2;
    if (solver->plan.stages == 1) {
        go(solver, h, f->k1);
        return true;
    }
    if (!find_rate(solver, middle, go(solver, h / 2, f->k1), f->k[1]) ||
        !find_rate(solver, middle, go(solver, h / 2, f->k[1]), f->k[2]) ||
        !find_rate(solver, end, go(solver, h, f->k[2]), f->k[3])) {
        return false;
    }
    for (int n = 0; n < solver->length; n++) {
        f->y[n] = f->y1[n] + h / 6 * (f->k1[n] + 2 * f->k[1][n] + 2 * f->k[2][n] + f->k[3][n]);
    }
    return true;
}

/* The step that has been made is the last one; or, again: it is not. */
static void turn(fixed *f, double t0, double t1)
{
    double *const y = f->y0, *const k = f->k0;
    f->y0 = f->y1;
    f->y1 = f->y;
    f->y = y;
    f->k0 = f->k1;
    f->k1 = f->rate;
    f->rate = k;
    f->t0 = t0;
    f->t1 = t1;
}

static void turn_back(fixed *f, double t0, double t1)
{
    double *const y = f->y, *const k = f->rate;
    f->y = f->y1;
    f->y1 = f->y0;
    f->y0 = y;
    f->rate = f->k1;
    f->k1 = f->k0;
    f->k0 = k;
    f->t0 = t0;
    f->t1 = t1;
}

/* A step of the problem's own; the rate is what it comes to. */
static dt_step own_step(dt_solver *solver, double end, double *reached, dt_failure *why)
{
    fixed *f = fixed_of(solver);
    const dt_problem *problem = &solver->problem;
    const double t1 = f->t1;
    *why = DT_FAILURE_FORCE;
    if (!problem->advance(problem->user, t1, end, f->y1, f->y)) {
        return DT_STEP_FAILED;
    }
    turn(f, t1, end);
    for (int n = 0; n < solver->length; n++) {
        f->k1[n] = (f->y1[n] - f->y0[n]) / (end - t1);
    }
    memcpy(f->k0, f->k1, bytes_of(solver));
    f->begun = true;
    f->steps++;
    *reached = end;
    fixed_interpolate(solver, end, 0);
    fixed_interpolate(solver, end, 1);
    return DT_STEP_DONE;
}

static dt_step fixed_step(dt_solver *solver, const dt_step_bounds *bounds, double *reached,
                          dt_failure *why, double *tried)
{
    fixed *f = fixed_of(solver);
    const dt_problem *problem = &solver->problem;
    const double t0 = f->t0, t1 = f->t1, end = end_of_step(solver, bounds);
    bool fell;
    *tried = end - t1;
    if (solver->plan.stages == 0) {
        return own_step(solver, end, reached, why);
    }
    if (!begin(solver, why)) {
        return DT_STEP_FAILED;
    }
    *why = DT_FAILURE_FORCE;
    if (!make_step(solver, end) ||
        (problem->project && !problem->project(problem->user, end, f->y)) ||
        !find_rate(solver, end, f->y, f->rate)) {
        return DT_STEP_FAILED;
    }
    turn(f, t1, end);
    if (!look_at_roots(solver, end, f->y1, f->k1, false, &fell)) {
        turn_back(f, t0, t1);
        *why = DT_FAILURE_ROOT;
        return DT_STEP_FAILED;
    }
    keep(solver);
    f->steps++;
    *reached = end;
    fixed_interpolate(solver, end, 0);
    fixed_interpolate(solver, end, 1);
    return fell ? DT_STEP_ROOT : DT_STEP_DONE;
}

static double fixed_end(const dt_solver *solver)
{
    return fixed_of(solver)->t1;
}

static double fixed_last_step(const dt_solver *solver)
{
    return fixed_of(solver)->t1 - fixed_of(solver)->t0;
}

static dt_step_counts fixed_steps(const dt_solver *solver)
{
    return (dt_step_counts){.steps = fixed_of(solver)->steps};
}

const dt_stepper dt_stepper_fixed = {
    .kind = DT_STEPPER_FIXED,
    .carries_algebraic = false,
    .wants_first_step = false,
    .create = fixed_create,
    .destroy = fixed_destroy,
    .restart = fixed_restart,
    .step = fixed_step,
    .interpolate = fixed_interpolate,
    .end = fixed_end,
    .last_step = fixed_last_step,
    .steps = fixed_steps,
    .forget = fixed_forget,
};
