/*
 * A position of rest: unknowns u are the minimal coordinates of what may move, and the states z of the mechanism; wanted is
 *
 *   g(u) = (a, z') = 0       at v = 0,
 *   g(u + x) = g + J x + ...     J exact, column by column (variation.h)
 *
 * 1. Downhill: (D - J) x = g, D = 1/h^2 for coordinates and 1/h for states, which is an implicit step of a mechanism that
 *    starts from rest and loses its velocity after every h. A step is taken if it goes with the forces (x' T'R >= 0) and the
 *    linear model has foretold the accelerations after it; then h grows, else it shrinks. For a long h this is Newton's method.
 *    Where that has led to an unstable position after all, it is left along the motion that grows, and the way goes on.
 * 2. Where that does not converge: J x = -g, x shortened until |g| falls.
 *
 * Who comes to a stop on the way is held there (equilibrium_stops.h), and let go where the stop would have to pull.
 *
 * Pseudo-transient continuation: C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35 (1998) 508.
 */
#include "analysis/equilibrium.h"

#include "analysis/equilibrium_step.h"
#include "analysis/equilibrium_stops.h"
#include "analysis/linearize.h"
#include "base/error.h"
#include "stiction/mode_search.h"

#include <float.h>

enum { DEFAULT_ITERATIONS = 500, MOST_STATES_OF_EIGENVALUES = 400 };

/* ---- the two ways ---- */

/* Tries a step with the damping of h; true if it was taken. `*next`: the h that promises as much as it kept. */
static bool try_downhill(dt_equilibrium_work *n, double h, double *next)
{
    static const double far = 1, linear = 1e-6, foretold = 0.5, good = 0.2;
    *next = h / 2;
    if (!dt_equilibrium_damped(n, h) || !dt_equilibrium_is_short(n) ||
        dt_equilibrium_work_of_step(n) < 0 || !dt_equilibrium_go(n, 1)) {
        return false;
    }
    if (n->others) {
        *next = h;
        return true;
    }
    const double off = dt_equilibrium_surprise(n);
    if (off <= (dt_equilibrium_turn(n) > far ? linear : foretold)) {
        *next = h * fmin(3, good / (off + DBL_MIN));
        return true;
    }
    dt_equilibrium_return(n);
    return false;
}

static detent_status go_downhill(dt_equilibrium_work *n, bool *found, detent_error *error)
{
    static const double shortest = 1e-6;
    const double time = n->rest.system->scale->time, longest = DT_LONG_STEP * time;
    double h = time, next = h;
    bool long_step = false;
    detent_status status = dt_equilibrium_look(n, error);
    while (!status && n->iterations < n->most) {
        status = dt_equilibrium_linearize(n, error);
        *found = !status && dt_equilibrium_is_found(n, long_step);
        if (status || *found) {
            return status;
        }
        bool taken = false;
        for (; !taken && h > shortest * time; h = fmin(next, longest)) {
            long_step = h == longest;
            taken = try_downhill(n, h, &next);
            long_step = long_step && !n->others;
        }
        if (!taken) {
            return DETENT_OK;
        }
        n->iterations++;
    }
    return status;
}

static detent_status go_straight(dt_equilibrium_work *n, bool *found, detent_error *error)
{
    static const double least = 1e-4;
    bool whole = false;
    detent_status status = dt_equilibrium_look(n, error);
    while (!status && n->iterations < 2 * n->most) {
        status = dt_equilibrium_linearize(n, error);
        *found = !status && dt_equilibrium_is_found(n, whole);
        if (status || *found || !dt_equilibrium_damped(n, INFINITY)) {
            return status;
        }
        bool taken = false;
        for (double part = 1; !taken && part > least; part /= 2) {
            const double before = n->norm;
            whole = part == 1;
            taken = dt_equilibrium_go(n, part);
            whole = whole && !n->others;
            if (taken && !n->others && !(n->norm < (1 - least * part) * before)) {
                dt_equilibrium_return(n);
                taken = false;
            }
        }
        if (!taken) {
            return dt_equilibrium_look(n, error);
        }
        n->iterations++;
    }
    return status;
}

/* ---- what was found ---- */

static void report(const dt_equilibrium_work *n, detent_rest *result)
{
    double worst = -1;
    result->iterations = n->iterations;
    for (int k = 0; k < n->rest.positions; k++) {
        const double ratio = fabs(n->F[k]) / (n->noise[k] + DBL_MIN);
        if (ratio > worst) {
            worst = ratio;
            result->residual = fabs(n->F[k]);
            result->rounding = n->noise[k];
            result->residual_primitive = (size_t)n->unknown[k].node;
        }
    }
    for (int k = 0; k < n->rest.system->mechanism->stiction_count; k++) {
        result->held += n->rest.held[k];
    }
}

/* The state of the mechanism that changes most, or -1. */
static int restless_state(const dt_equilibrium_work *n)
{
    const int nv = n->rest.system->tree->nv;
    int worst = -1;
    double most = 0;
    for (int k = 0; k < n->rest.own; k++) {
        const double own = fabs(n->g[nv + k]) * n->weight[nv + k];
        if (own > most && fabs(n->g[nv + k]) > n->rate_noise[k]) {
            worst = k;
            most = own;
        }
    }
    return worst;
}

/* The joint with the largest force that is left over, by what moves it ordinarily. */
static detent_status fail(const dt_equilibrium_work *n, detent_error *error)
{
    const dt_system *s = n->rest.system;
    const int z = restless_state(n);
    int worst = -1;
    double most = 0;
    for (int k = 0; k < n->rest.positions; k++) {
        const double own = fabs(n->F[k]) / s->scale->force[n->unknown[k].freedom];
        if (fabs(n->F[k]) > n->noise[k] && !(own <= most)) {
            worst = k;
            most = own;
        }
    }
    if (worst < 0 && z >= 0) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                       "no position of rest was found in %zu iterations: the state '%s' still "
                       "changes by %.6g a second",
                       n->iterations, s->mechanism->states[z].name,
                       s->z ? n->g[s->tree->nv + z] : 0);
    }
    const dt_linear_state *at = &n->unknown[worst < 0 ? 0 : worst];
    return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                   "no position of rest was found in %zu iterations: %.6g %s is left over at '%s'",
                   n->iterations, worst < 0 ? 0 : n->F[worst],
                   s->tree->nodes[at->node].type->rotational ? "N m" : "N",
                   s->mechanism->primitives[at->node].name);
}

/* By the eigenvalues of the linear model, where these are cheap. */
static detent_status judge(dt_equilibrium_work *n, detent_linearization *model, detent_rest *result,
                           detent_error *error)
{
    static const double rounding = 1e-7; /* of a double zero: sqrt(eps), and some */
    detent_linearization l;
    double largest = 1 / n->rest.system->scale->time, least = INFINITY;
    result->stability = DETENT_STABILITY_UNKNOWN;
    result->growth = result->frequency = NAN;
    if (2 * n->rest.positions + n->rest.own > MOST_STATES_OF_EIGENVALUES) {
        return DETENT_OK;
    }
    const detent_status status = dt_linearize(n->arena, n->rest.system, NULL, 0, &l, error);
    if (status) {
        return status;
    }
    *model = l;
    for (size_t k = 0; k < l.states; k++) {
        largest = fmax(largest, l.eigenvalue[k].frequency);
        result->growth = fmax(result->growth, l.eigenvalue[k].real);
    }
    for (size_t k = 0; k < l.states; k++) {
        const double frequency = l.eigenvalue[k].frequency;
        least = fmin(least, frequency);
        if (frequency > rounding * largest) {
            result->frequency = fmin(result->frequency, frequency);
        }
    }
    result->growth += 0.0; /* no -0 */
    result->stability = result->growth > rounding * largest ? DETENT_UNSTABLE
                        : least <= rounding * largest       ? DETENT_INDIFFERENT
                                                            : DETENT_STABLE;
    return DETENT_OK;
}

/* ---- with static friction ---- */

/* Joints that are held and that the rule of the search lets go are released. `*any`: there was one. */
static detent_status release(dt_equilibrium_work *n, dt_search *search, bool *any,
                             detent_error *error)
{
    dt_system *s = n->rest.system;
    const dt_search_request request = {0};
    dt_search_result result = {0};
    /* Branches of limits that follow forces. */
    detent_status status = dt_rest_solve(&n->rest, error);
    s->pinned = NULL;
    memset(s->mode, DETENT_LOCKED, (size_t)s->mechanism->stiction_count * sizeof *s->mode);
    memset(s->direction, 0, (size_t)s->mechanism->stiction_count * sizeof *s->direction);
    dt_system_set_state(s, s->time, s->q, s->v);
    status = status ? status : dt_search_run(search, s, n->rest.newton, &request, &result, error);
    *any = false;
    for (int k = 0; k < s->mechanism->stiction_count && !status; k++) {
        const bool goes = n->rest.held[k] && s->mode[k] != DETENT_LOCKED;
        n->rest.held[k] = n->rest.held[k] && !goes;
        *any = *any || goes;
    }
    return status;
}

/* x := a small way along the motion that grows fastest, of those that do not oscillate; false where there is none. */
static bool lean(dt_equilibrium_work *n, const detent_linearization *l)
{
    static const double small = 0.05;
    double growth = 0;
    for (size_t k = 0; k < l->states; k++) {
        if (l->eigenvalue[k].imaginary == 0 && l->eigenvalue[k].real > growth) {
            growth = l->eigenvalue[k].real;
            for (int i = 0; i < n->count; i++) {
                const size_t state = (size_t)(i < n->rest.positions ? i : n->rest.positions + i);
                n->x[i] = small * n->size[i] * l->shape[2 * (k * l->states + state)];
            }
        }
    }
    dt_equilibrium_follow(n);
    return growth > 0;
}

/* Where a way has led to an unstable position it goes on, downhill, as long as that leads somewhere. */
static detent_status leave_unstable(dt_equilibrium_work *n, detent_error *error)
{
    static const int most = 5;
    detent_status status = DETENT_OK;
    for (int k = 0; k < most && !status; k++) {
        detent_linearization l;
        detent_rest here;
        bool found = false;
        status = judge(n, &l, &here, error);
        if (status || here.stability != DETENT_UNSTABLE || !lean(n, &l) ||
            !dt_equilibrium_go(n, 1)) {
            return status;
        }
        dt_equilibrium_remember(n);
        if (go_downhill(n, &found, NULL) || !found) {
            dt_equilibrium_recall(n);
            status = dt_equilibrium_look(n, error);
            return status ? status : dt_equilibrium_linearize(n, error);
        }
    }
    return status;
}

static detent_status find(dt_equilibrium_work *n, detent_error *error)
{
    bool found = false;
    detent_status status = go_downhill(n, &found, error);
    if (!status && found && n->iterations > 0) {
        return leave_unstable(n, error);
    }
    if (!status && !found) {
        status = go_straight(n, &found, error);
    }
    return !status && !found ? fail(n, error) : status;
}

/* Until all stops push at which somebody is. */
static detent_status find_pressed(dt_equilibrium_work *n, detent_error *error)
{
    detent_status status = find(n, error);
    for (int k = 0; !status && dt_equilibrium_leave_stop(n); k++) {
        if (k > 10 + 4 * n->rest.system->mechanism->stiction_count) {
            return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                           "no position of rest was found: joints leave their stops and come back");
        }
        status = find(n, error);
    }
    return status;
}

/* Until those that are held hold at the position that the others come to: some are released every time. */
static detent_status find_held(dt_equilibrium_work *n, detent_error *error)
{
    bool any = false;
    dt_search *search = dt_search_create(n->arena, n->rest.system, false);
    if (!search) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
    }
    dt_rest_hold(&n->rest, true);
    detent_status status = release(n, search, &any, error);
    do {
        status = status ? status : find(n, error);
        status = status ? status : release(n, search, &any, error);
    } while (!status && any);
    return status ? status : dt_equilibrium_look(n, error);
}

detent_status dt_equilibrium(dt_arena *arena, dt_analysis *analysis,
                             const detent_equilibrium_options *options, detent_rest *result,
                             detent_error *error)
{
    dt_equilibrium_work n;
    detent_linearization l;
    *result = (detent_rest){.stability = DETENT_STABILITY_UNKNOWN, .growth = NAN, .frequency = NAN};
    detent_status status = dt_equilibrium_create(arena, analysis, &n, error);
    if (status) {
        return status;
    }
    n.most = options->most_iterations ? options->most_iterations : DEFAULT_ITERATIONS;
    status = options->stiction ? find_held(&n, error) : find_pressed(&n, error);
    report(&n, result);
    status = status ? status : judge(&n, &l, result, error);
    dt_rest_end(&n.rest);
    return status;
}
