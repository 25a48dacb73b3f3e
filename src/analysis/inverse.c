#include "analysis/inverse_parts.h"
#include "analysis/stops.h"
#include "analysis/variation.h"

#include "base/error.h"
#include "dynamics/bad_law.h"

#include <float.h>

/* Rounds in which what is not finite has not grown to that. */
enum { MOST_BEGINNING = 8 };

/* ---- who is driven ---- */

static const char *freedom_owner(const dt_system *s, int freedom)
{
    int i = 0;
    while (i + 1 < s->tree->node_count && s->tree->nodes[i + 1].v <= freedom) {
        i++;
    }
    return s->mechanism->primitives[i].name;
}

/* The freedoms along which no drive acts, of loops; decides the multipliers. */
static detent_status choose_undriven(inverse *n, detent_error *error)
{
    dt_system *s = n->system;
    dt_analysis *of = n->analysis;
    const int needed = s->closure ? s->closure->count : 0;
    int undriven = 0, free = 0;
    const char *example = "";
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            if (dt_analysis_is_prescribed(s, i)) {
                continue;
            }
            free++;
            if (n->driven && n->driven[j] && dt_slack_of(s->mechanism, i)) {
                return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                               "'%s' cannot be driven: it is what the joints of a coupling leave "
                               "open",
                               freedom_owner(s, j));
            }
            if (n->driven && !n->driven[j]) {
                if (undriven < needed) {
                    of->undriven[undriven] = j;
                }
                undriven++;
                example = freedom_owner(s, j);
            }
        }
    }
    if (undriven != needed) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "%d freedoms have to be driven, as many as %s, and %d are%s%s%s",
                       free - needed, needed ? "the loops leave free" : "the tree has",
                       free - undriven, undriven > needed ? " (not '" : "",
                       undriven > needed ? example : "", undriven > needed ? "')" : "");
    }
    return dt_loop_solver_factor(&of->loops, s, needed ? of->undriven : NULL) &&
                   dt_loop_solver_is_exact(&of->loops)
               ? DETENT_OK
               : dt_fail(
                     error, DETENT_ERROR_NUMERIC, NULL,
                     "at t = %.9g s the driven joints do not decide how the loops move: it is a "
                     "singular position, or next to one",
                     s->time);
}

/* ---- residuals ---- */

/* The friction of a joint at rest that its limits allow; with `share` of the driven freedom's force in it. */
static double friction_at_rest(const inverse *n, int k, rest how, const double limits[2],
                               double share)
{
    const double needed = n->analysis->load[dt_inverse_freedom(n->system, k)];
    switch (how) {
    case REST_LOWEST: /* of the drive: u falls with share * f */
        return share >= 0 ? limits[1] : limits[0];
    case REST_HIGHEST:
        return share >= 0 ? limits[0] : limits[1];
    default:
        return fmin(fmax(needed, limits[0]), limits[1]);
    }
}

/* Friction at the present readings. Returns the largest change; `size`: the largest friction. */
static double update_friction(inverse *n, rest how, double *size)
{
    dt_system *s = n->system;
    double most = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = dt_inverse_freedom(s, k);
        double limits[2], f;
        if (s->mode[k] == DETENT_LOCKED) {
            dt_system_static_limits(s, k, limits);
            f = friction_at_rest(n, k, how, limits, n->analysis->share[j]);
        } else {
            f = dt_system_moving_friction(s, k);
        }
        const double change = fabs(f - s->f[k]);
        most = change > most || !isfinite(change) ? change : most;
        *size = fmax(*size, fabs(f));
        s->f[k] = f;
    }
    return most;
}

/* Friction and multipliers that agree with the readings that follow from them. */
static detent_status settle(inverse *n, double *a, rest how, detent_error *error)
{
    static const int most = 200;
    dt_system *s = n->system;
    double before = INFINITY;
    int stalls = 0;
    for (int round = 0; round < most; round++) {
        double friction = 0, multiplier = 0, beside = 0;
        dt_system_set_acceleration(s, a, s->f);
        dt_inverse_read_load(n);
        const double told = dt_inverse_update_beside(n, &beside); /* before laws are read */
        const bool switched = dt_system_update_branches(s);
        if (switched) {
            dt_inverse_read_load(n);
        }
        const double changes[] = {update_friction(n, how, &friction),
                                  dt_inverse_update_multipliers(n, &multiplier)};
        const double now =
            fmax(changes[0] / (friction + DBL_MIN), changes[1] / (multiplier + DBL_MIN)) +
            told / (beside + DBL_MIN); /* fmax() would hide what is no number */
        if (!isfinite(now) && (round < MOST_BEGINNING || s->mechanism->mesh_count == 0)) {
            return dt_fail_forces(s, error);
        }
        if (!isfinite(now)) {
            break; /* they have grown to that */
        }
        stalls += now >= 0.5 * before;
        before = now;
        if (!switched && (now <= 4 * DBL_EPSILON || (now < 1e-11 && stalls > 3))) {
            dt_system_set_acceleration(s, a, s->f);
            dt_inverse_read_load(n);
            dt_inverse_update_beside(n, &beside);
            return DETENT_OK;
        }
    }
    return dt_fail(
        error, DETENT_ERROR_SOLVER, NULL,
        "at t = %.9g s friction and the reactions that it follows have no common solution",
        s->time);
}

/* The same; friction of meshes that move may follow too strongly what it makes itself. */
static detent_status settle_all(inverse *n, double *a, rest how, detent_error *error)
{
    const detent_status status = settle(n, a, how, error);
    return status == DETENT_ERROR_SOLVER && dt_inverse_solve_moving(n, a) ? DETENT_OK : status;
}

/* ---- results ---- */

/* How all freedoms move with the driven freedom d alone, into analysis->share. */
static void find_share(inverse *n, int d)
{
    dt_loop_solver *l = &n->analysis->loops;
    double *share = n->analysis->share;
    memset(share, 0, (size_t)n->system->tree->nv * sizeof *share);
    share[d] = 1;
    if (l->count > 0) {
        dt_loop_solver_column(l, n->system, d);
        dt_loop_solver_velocities(l);
        for (int k = 0; k < l->count; k++) {
            share[l->freedom[k]] = -l->x[k];
        }
    }
}

/* Whether friction of a joint at rest can take a part of what drives freedom d. */
static bool is_shared(const inverse *n)
{
    const dt_system *s = n->system;
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        any = any ||
              (s->mode[k] == DETENT_LOCKED && n->analysis->share[dt_inverse_freedom(s, k)] != 0);
    }
    return any;
}

/* In loops, where rest of one joint is rest of others: friction at those of its limits that make u lowest, then highest. */
static detent_status find_interval(inverse *n, double *a, int i, int d, double *low, double *high,
                                   detent_error *error)
{
    detent_status status = settle_all(n, a, REST_LOWEST, error);
    *low = dt_inverse_drive(n, i, d);
    status = status ? status : settle_all(n, a, REST_HIGHEST, error);
    *high = dt_inverse_drive(n, i, d);
    return status ? status : settle_all(n, a, REST_LEAST_DRIVE, error);
}

static detent_status read_drives(inverse *n, double *a, double *low, double *high,
                                 detent_error *error)
{
    dt_system *s = n->system;
    detent_status status = DETENT_OK;
    for (int i = 0; i < s->tree->node_count && !status; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv && !status; j++) {
            low[j] = high[j] = 0;
            if (n->driven && !n->driven[j] && !dt_analysis_is_prescribed(s, i)) {
                continue;
            }
            find_share(n, j);
            low[j] = high[j] = dt_inverse_drive(n, i, j);
            if (n->wedged >= 0 && n->analysis->share[dt_inverse_freedom(s, n->wedged)] != 0) {
                status = dt_inverse_wedged_interval(n, a, i, j, &low[j], &high[j], error);
            } else if (s->closure) {
                status =
                    is_shared(n) ? find_interval(n, a, i, j, &low[j], &high[j], error) : DETENT_OK;
            } else if (k >= 0 && s->mode[k] == DETENT_LOCKED) {
                double limits[2];
                dt_system_static_limits(s, k, limits);
                low[j] = n->analysis->load[j] - limits[1];
                high[j] = n->analysis->load[j] - limits[0];
            }
        }
    }
    return status;
}

/* Limits that hold from both sides; a test friction of its own tells no interval. */
static detent_status check_rest(inverse *n, detent_error *error)
{
    dt_system *s = n->system;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const char *name = s->mechanism->primitives[s->mechanism->stictions[k].primitive].name;
        double limits[2];
        if (s->mode[k] != DETENT_LOCKED) {
            continue;
        }
        if (dt_stiction_law(s, k, DT_STICTION_TEST)->program) {
            return dt_fail(
                error, DETENT_ERROR_ARGUMENT, NULL,
                "'%s' is at rest and has a test friction of its own: which forces it holds "
                "is not known from its limits",
                name);
        }
        dt_system_static_limits(s, k, limits);
        if (!(limits[0] <= 0 && limits[1] >= 0)) {
            return dt_fail(
                error, DETENT_ERROR_NUMERIC, NULL,
                "at t = %.9g s '%s' has static limits of %.6g and %.6g: one below zero and "
                "one above it were expected",
                s->time, name, limits[0], limits[1]);
        }
    }
    return DETENT_OK;
}

/* No force makes a motion that a rigid stop does not let happen. */
static detent_status check_stops(const dt_system *s, const double *a, detent_error *error)
{
    int beyond = 0;
    const int who = dt_find_beyond_stop(s, &beyond);
    if (who >= 0) {
        const int i = s->mechanism->stictions[who].primitive;
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the joint '%s' is at %.9g, beyond its stop: there it is by no force",
                       s->mechanism->primitives[i].name, s->q[s->tree->nodes[i].q]);
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive, j = s->tree->nodes[i].v,
                  side = dt_system_stop_side(s, k);
        if (dt_touches_by_slack(s, k) && s->v[j] == 0 && a[j] == 0) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "the coupling '%s' transmits as much as its drives press it: that does "
                           "not follow from a motion",
                           s->mechanism->primitives[i].name);
        }
        if (side * s->v[j] > 0 || (s->v[j] == 0 && side * a[j] > 0)) {
            return dt_fail(
                error, DETENT_ERROR_ARGUMENT, NULL,
                "the joint '%s' is at its stop, at %.9g, and is to move beyond: no force "
                "does that",
                s->mechanism->primitives[i].name, s->q[s->tree->nodes[i].q]);
        }
    }
    return DETENT_OK;
}

static detent_status check_elastic(const detent_mechanism *m, detent_error *error)
{
    int reader = 0;
    while (reader < m->primitive_count && !m->primitives[reader].is_read) {
        reader++;
    }
    if (reader < m->primitive_count) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "inverse dynamics is not supported where friction reads what drives its "
                       "joint, as that of '%s' does",
                       m->primitives[reader].name);
    }
    return m->coupling_count == m->transmission_count
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "inverse dynamics of elastic couplings is not supported yet: their force "
                         "stands with the actuation of joints, of which drives take the place");
}

detent_status dt_inverse(dt_analysis *analysis, double *a, const bool *driven, double *low,
                         double *high, detent_error *error)
{
    dt_system *s = &analysis->system;
    inverse n = {.analysis = analysis, .system = s, .driven = driven, .wedged = -1};
    memset(analysis->share, 0, (size_t)s->tree->nv * sizeof *analysis->share);
    dt_analysis_close_accelerations(analysis, a);
    dt_analysis_set_modes(analysis, a);
    detent_status status = dt_refuse_dead_times(s, "inverse dynamics", error);
    status = status ? status : check_elastic(s->mechanism, error);
    status = status ? status : check_stops(s, a, error);
    status = status ? status : dt_inverse_tell_meshes(&n, error);
    status = status ? status : choose_undriven(&n, error);
    s->beside = analysis->beside;
    status = status ? status : dt_inverse_look_at_meshes(&n, a, error);
    if (!status && n.wedged < 0) {
        status = settle_all(&n, a, REST_LEAST_DRIVE, error);
    }
    status = status ? status : check_rest(&n, error);
    status = status ? status : read_drives(&n, a, low, high, error);
    s->beside = NULL;
    return status;
}
