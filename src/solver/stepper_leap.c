/*
 * One step over an instant, the hole, at which there is no rate y' = f(t, y), though the solution is smooth there: of Gauss's method, by
 * that of several whose stages keep farthest from the hole, of those that are exact. Stages by iteration of the fixed point, so that it is
 * for steps that are short beside what the problem does. The solution inside is the polynomial through the stages' rates.
 */
#include "solver/gauss.h"
#include "solver/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { METHODS = 4, IN_TWO = 6 };
static const int stages[METHODS] = {2, 3, 4, 8},
                 in_each[IN_TWO] = {2, 3, 4, 5, 6, 8}; /* of a piece */
static const double inside_the_step =
                        0.4, /* of it, on either side of its middle: pieces of some length */
    allowed = 300; /* tolerances that a step may err by, of which that of the user is 333 */

/* What this stepper keeps. */
typedef struct leap {
    double t0, h;
    double longest;              /**< that h may be */
    bool made;                   /**< the step: there are rates of the stages */
    bool halted;                 /**< at a root inside it, or where it was to pause */
    double *y0, *rate;           /**< where it starts, and the rate there */
    double *k[DT_GAUSS_MOST];    /**< rates of the stages */
    double *kept[DT_GAUSS_MOST]; /**< those of the best method so far */
    double *inside;              /**< the solution where a rate or a root is evaluated */
    double *slope;               /**< its y' */
    double *weight;
    dt_gauss method[METHODS]; /**< from few stages to many */
    dt_gauss in_two[IN_TWO];  /**< the same with a kink in the hole of this step */
    const dt_gauss *gauss;    /**< the one in use */
} leap;

static leap *leap_of(const dt_solver *solver)
{
    return solver->own[DT_STEPPER_LEAP];
}

/* ---- the polynomial ---- */

/* The solution, or its rate, at x. */
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
    for (int i = 0; i < l->gauss->stages; i++) {
        const double b = derivative == 0 ? l->h * dt_gauss_integral(l->gauss, i, x)
                                         : dt_gauss_value(l->gauss, i, x);
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

/* From the guess of the start always: so that it depends on y alone, to the last bit, and the iteration comes to an end. */
static bool find_rate(dt_solver *solver, double t, const double *y, double *yp)
{
    const dt_problem *problem = &solver->problem;
    if (problem->recall) {
        problem->recall(problem->user);
    }
    return problem->rate(problem->user, t, y, yp);
}

/* All stages once more; by how much the solution changes at most, in tolerances. */
static double sweep(dt_solver *solver)
{
    leap *l = leap_of(solver);
    double most = 0;
    for (int i = 0; i < l->gauss->stages; i++) {
        const double x = l->gauss->node[i], share = dt_gauss_integral(l->gauss, i, 0.5);
        evaluate(solver, x, 0, l->inside);
        if (!find_rate(solver, l->t0 + l->h * (x + 0.5), l->inside, l->slope)) {
            return NAN;
        }
        for (int n = 0; n < solver->length; n++) {
            const double change = share * l->h * l->weight[n] * fabs(l->slope[n] - l->k[i][n]);
            most = isnan(change) || change > most ? change : most;
        }
        if (isnan(most)) {
            return NAN;
        }
        memcpy(l->k[i], l->slope, (size_t)solver->length * sizeof *l->slope);
    }
    return most;
}

/* False where the iteration comes to no end. Rounding, which it may end at, is never more than a step with that slack may err by. */
static bool find_stages(dt_solver *solver, double slack)
{
    /* Tolerances, of which that of the user is 333; where rounding is more than the first. */
    static const double enough = 1e-4, good = 1000;
    static const int most = 100;
    leap *l = leap_of(solver);
    const double noise = fmax(good, allowed * slack);
    double before = INFINITY;
    solver->problem.usual_weights(solver->problem.user, l->y0, l->weight);
    for (int i = 0; i < l->gauss->stages; i++) {
        memcpy(l->k[i], l->rate, (size_t)solver->length * sizeof *l->rate);
    }
    l->made = true;
    for (int round = 0; round < most; round++) {
        const double change = sweep(solver);
        if (isnan(change)) {
            break;
        }
        if (change < enough || (change < noise && change > 0.5 * before)) {
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

/* How much of the step is nearest to number k of the places between stages, among these. */
static double width(const dt_gauss *gauss, int k)
{
    const double before = k == 0 ? -0.5 : gauss->node[k - 1],
                 after = k == gauss->stages ? 0.5 : gauss->node[k];
    return after - before;
}

/* By how much the rate of the solution inside, at x, is not that of the problem: times the length, in tolerances. */
static double defect_at(dt_solver *solver, double x)
{
    leap *l = leap_of(solver);
    double *slope = l->slope, *rate = dt_numbers(solver->scratch);
    double most = 0;
    evaluate(solver, x, 1, slope);
    evaluate(solver, x, 0, l->inside);
    if (!find_rate(solver, l->t0 + l->h * (x + 0.5), l->inside, rate)) {
        return INFINITY;
    }
    for (int n = 0; n < solver->length; n++) {
        const double defect = l->h * l->weight[n] * fabs(slope[n] - rate[n]);
        most = isnan(defect) || defect > most ? defect : most;
    }
    return isnan(most) ? INFINITY : most;
}

/*
 * How exact the solution inside is, in tolerances: the integral of its defect, which is measured between the stages and at the ends, where the
 * polynomial is farthest from the problem; but not in the hole. Near that a rate is known to its rounding only, and lasts as short as stages are close.
 */
static double find_defect(dt_solver *solver, double hole)
{
    static const double near = 0.05; /* of the length: to the hole */
    const leap *l = leap_of(solver);
    double sum = 0;
    for (int k = 0; k <= l->gauss->stages; k++) {
        const double x = l->gauss->between[k], t = l->t0 + l->h * (x + 0.5);
        if (!(fabs(t - hole) < near * l->h)) {
            sum += width(l->gauss, k) * defect_at(solver, x);
        }
    }
    return sum;
}

/* The step with a method; its defect. */
static double try_method(dt_solver *solver, double hole, double slack, const dt_gauss *gauss)
{
    leap_of(solver)->gauss = gauss;
    return find_stages(solver, slack) ? find_defect(solver, hole) : INFINITY;
}

/* Where the hole is in the step, whose middle is 0. */
static double place_of(const leap *l, double hole)
{
    return isnan(hole) ? 0 : (hole - l->t0) / l->h - 0.5;
}

/* Puts a method before those whose stages are nearer to the hole, which is at x. */
static void sort_in(const dt_gauss *method, double x, int count, const dt_gauss *order[])
{
    const double distance = dt_gauss_distance(method, x);
    int at = count;
    for (; at > 0 && dt_gauss_distance(order[at - 1], x) < distance; at--) {
        order[at] = order[at - 1];
    }
    order[at] = method;
}

/*
 * The methods, from that whose stages are farthest from the hole to that whose are nearest; how many. Where there may be a kink those in two
 * pieces are among them: the others, of higher order, remain for those steps in which it is nothing beside what else there is.
 */
static int sort_methods(leap *l, double hole, bool kink, const dt_gauss *order[METHODS + IN_TWO])
{
    const double x = place_of(l, hole);
    int count = 0;
    for (int m = 0; m < METHODS; m++) {
        sort_in(&l->method[m], x, count++, order);
    }
    for (int m = 0; m < IN_TWO && kink && fabs(x) < inside_the_step; m++) {
        dt_gauss_form_two(&l->in_two[m], in_each[m], x);
        sort_in(&l->in_two[m], x, count++, order);
    }
    return count;
}

/* What passes through zero in the hole, at x. */
static double through_hole(dt_solver *solver, double x)
{
    const leap *l = leap_of(solver);
    evaluate(solver, x, 0, l->inside);
    return solver->problem.through_hole(solver->problem.user, l->t0 + l->h * (x + 0.5), l->inside);
}

/* Where that is zero, by the Illinois method; NAN: nowhere inside. */
static double find_zero(dt_solver *solver)
{
    static const double enough = 1e-12;
    enum { MOST = 60 };
    double a = -0.5, b = 0.5, fa = through_hole(solver, a), fb = through_hole(solver, b);
    if (!(fa * fb < 0)) {
        return NAN;
    }
    for (int k = 0; k < MOST && fabs(b - a) > enough && fb != 0; k++) {
        const double x = b - fb * (b - a) / (fb - fa), f = through_hole(solver, x);
        if (f * fb < 0) {
            a = b;
            fa = fb;
        } else {
            fa *= 0.5;
        }
        b = x;
        fb = f;
    }
    return b;
}

/*
 * Where the hole is: it was told from steps before, and a kink that is taken to be beside it errs by the square of how far. So it is looked for in the
 * solution, which is smooth enough in what it asks for, and that found once more.
 */
static double find_hole(dt_solver *solver, double told, double slack)
{
    enum { ROUNDS = 3, MANY = 2 /* stages: 4 */ };
    static const double enough = 1e-7; /* of the step */
    leap *l = leap_of(solver);
    double x = place_of(l, told);
    for (int round = 0; round < ROUNDS && fabs(x) < inside_the_step; round++) {
        dt_gauss_form_two(&l->in_two[MANY], in_each[MANY], x);
        l->gauss = &l->in_two[MANY];
        const double found = find_stages(solver, slack) ? find_zero(solver) : NAN, before = x;
        x = isnan(found) ? x : found;
        if (!(fabs(x - before) > enough)) {
            break;
        }
    }
    return l->t0 + l->h * (x + 0.5);
}

/* The rates of the stages for those that are kept. */
static void exchange_rates(leap *l)
{
    for (int i = 0; i < DT_GAUSS_MOST; i++) {
        double *k = l->k[i];
        l->k[i] = l->kept[i];
        l->kept[i] = k;
    }
}

/* With the first that is exact; or with the best, if it is good enough. */
static bool find_solution(dt_solver *solver, const dt_step_bounds *bounds)
{
    static const double enough = 0.1; /* tolerances, as above */
    leap *l = leap_of(solver);
    double least = INFINITY, last = INFINITY;
    const dt_gauss *order[METHODS + IN_TWO], *best = NULL;
    const double hole = bounds->kink && solver->problem.through_hole
                            ? find_hole(solver, bounds->hole, bounds->slack)
                            : bounds->hole;
    const int count = sort_methods(l, hole, bounds->kink, order);
    for (int m = 0; m < count && last > enough; m++) {
        last = try_method(solver, hole, bounds->slack, order[m]);
        if (last < least) {
            least = last;
            best = order[m];
            exchange_rates(l);
        }
    }
    exchange_rates(l);
    l->gauss = best ? best : l->gauss;
    return least <= allowed * bounds->slack;
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
    double **const arrays[] = {&l->y0, &l->rate, &l->inside, &l->slope, &l->weight};
    bool taken = true;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        taken = taken && (*arrays[k] = dt_arena_alloc(arena, most, sizeof **arrays[k]));
    }
    for (int i = 0; i < DT_GAUSS_MOST; i++) {
        taken = taken && (l->k[i] = dt_arena_alloc(arena, most, sizeof *l->k[i])) &&
                (l->kept[i] = dt_arena_alloc(arena, most, sizeof *l->kept[i]));
    }
    if (!taken) {
        return false;
    }
    for (int m = 0; m < METHODS; m++) {
        dt_gauss_form(&l->method[m], stages[m]);
    }
    l->gauss = &l->method[METHODS - 1];
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
    l->h = l->longest = h;
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

/* False where it cannot be made. */
static bool take_step(dt_solver *solver, const dt_step_bounds *bounds)
{
    leap *l = leap_of(solver);
    l->h = fmin(l->longest, bounds->stop - l->t0);
    if (!(l->h > 0) || !find_rate(solver, l->t0, l->y0, l->rate)) {
        return false;
    }
    if (solver->problem.keep) {
        solver->problem.keep(solver->problem.user);
    }
    if (!dt_root_finder_start(&solver->finder, solver->roots, l->t0)) {
        return false;
    }
    l->made = find_solution(solver, bounds);
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
    const double end = l->t0 + l->h;
    const bool pauses = bounds->pause > finder->time && bounds->pause < end;
    const dt_root_outcome outcome =
        dt_root_finder_search(finder, pauses ? bounds->pause : end, fuzz(l));
    if (outcome == DT_ROOT_FAILED) {
        *why = DT_FAILURE_ROOT;
        return DT_STEP_FAILED;
    }
    *reached = finder->time;
    l->halted = outcome == DT_ROOT_FOUND || pauses;
    leap_interpolate(solver, *reached, 0);
    leap_interpolate(solver, *reached, 1);
    return outcome == DT_ROOT_FOUND ? DT_STEP_ROOT : DT_STEP_DONE;
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
