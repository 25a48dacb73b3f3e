/* The boxes of a round: made from laws, and settled. */
#include "dynamics/closure.h"
#include "stiction/search.h"

#include <limits.h>
#include <math.h>

/*
 * Of the active set, before the interior point: in the first round, and in later ones, which start
 * nearer to their end.
 */
static const dt_effort first_effort = {.tries = 20, .setbacks = 5, .few = 32};
static const dt_effort later_effort = {.tries = 40, .setbacks = 8, .few = INT_MAX};

/* ---- Laws to boxes ---- */

/*
 * The limits of a joint at rest; those of a joint released by decree are a hair smaller on the side
 * of the decree.
 */
static detent_status read_limits(dt_search *search, int k, double limits[2])
{
    dt_system *s = search->system;
    if (search->released[k]) {
        dt_system_kinetic_limits(s, k, limits);
    } else {
        const signed char direction = s->direction[k];
        s->direction[k] = 0; /* a joint at rest has none */
        dt_system_static_limits(s, k, limits);
        s->direction[k] = direction;
    }
    if (!(limits[0] <= 0 && limits[1] >= 0 &&
          (dt_system_stop_side(s, k) != 0 ? isfinite(dt_limits_width(limits))
                                          : isfinite(limits[1] - limits[0])))) {
        return dt_fail(
            search->error, DETENT_ERROR_NUMERIC, NULL,
            "at t = %.9g s the friction of '%s' makes no sense: its %s limits are %g and %g, "
            "and must be <= 0 and >= 0",
            s->time, dt_search_name(search, k), search->released[k] ? "kinetic" : "static",
            limits[0], limits[1]);
    }
    limits[0] *= search->share, limits[1] *= search->share;
    const int decree = dt_search_decree(search, k);
    if (decree != 0 && isfinite(limits[decree < 0])) {
        double *limit = &limits[decree < 0];
        search->hair[k] = fmax(search->hair[k], dt_relative_hair * fabs(*limit));
        *limit = *limit > 0 ? fmax(*limit - search->hair[k], 0) : fmin(*limit + search->hair[k], 0);
    }
    return DETENT_OK;
}

detent_status dt_round_read_laws(dt_search *search)
{
    dt_system *s = search->system;
    dt_friction_box *box = &search->box;
    for (int k = 0; k < box->count; k++) {
        if (search->candidate[k]) {
            s->direction[k] = box->side[k];
        }
    }
    dt_search_follow(search);
    dt_system_forces(s);
    for (int k = 0; k < box->count; k++) {
        const bool pinned =
            search->pinned && box->side[k] != 0 && box->side[k] == dt_search_decree(search, k);
        if (!search->candidate[k] || pinned) {
            box->kind[k] = DT_FRICTION_GIVEN;
            box->f[k] = -s->direction[k] * dt_system_kinetic(s, k, s->direction[k]) * search->share;
        } else if (dt_stiction_law(s, k, DT_STICTION_TEST)->program && !search->released[k]) {
            box->kind[k] = DT_FRICTION_RIGID;
            box->side[k] = 0;
        } else {
            box->kind[k] = DT_FRICTION_BOXED;
            const detent_status status = read_limits(search, k, box->limits[k]);
            if (status != DETENT_OK) {
                return status;
            }
        }
    }
    return DETENT_OK;
}

/* ---- Boxes ---- */

/* The interior point, which knows no loops. */
static dt_settlement settle_inside(dt_search *search, int *singular)
{
    if (search->system->closure) {
        return DT_UNSETTLED;
    }
    search->result->interior_points++;
    return dt_interior_point_run(&search->interior_point, &search->active_set, &search->box,
                                 singular);
}

/*
 * With everything at rest the split of each loop tells who gives way together, and where to (split.h): where all joints of a loop have to turn
 * round, that finds it, and the active set, which turns over those first that are contradicted most where they are, does not.
 */
static dt_settlement settle_from_rest(dt_search *search, int *singular)
{
    dt_friction_box *box = &search->box;
    if (!search->system->closure || !search->system->closure->split) {
        return DT_UNSETTLED;
    }
    for (int k = 0; k < box->count; k++) {
        box->side[k] = box->kind[k] == DT_FRICTION_BOXED ? 0 : box->side[k];
    }
    return dt_active_set_run(&search->active_set, box, later_effort, singular);
}

/*
 * Where all else fails: loads, and limits that follow from them, may be nothing but rounding over long
 * stretches. Sides that have come out of it need not fit, and where the active set starts from such the
 * interior point has to find others.
 */
static dt_settlement settle_ties(dt_search *search, int *singular)
{
    search->box.ties_may_move = true;
    dt_settlement settlement =
        dt_active_set_run(&search->active_set, &search->box, later_effort, singular);
    if (settlement == DT_UNSETTLED) {
        settlement = settle_inside(search, singular);
    }
    search->box.ties_may_move = false;
    return settlement;
}

detent_status dt_round_settle_boxes(dt_search *search)
{
    int singular = -1;
    dt_settlement settlement =
        dt_active_set_run(&search->active_set, &search->box,
                          search->result->rounds == 0 ? first_effort : later_effort, &singular);
    if (settlement == DT_UNSETTLED) {
        settlement = settle_inside(search, &singular);
    }
    if (settlement == DT_UNSETTLED) {
        settlement = settle_from_rest(search, &singular);
    }
    if (settlement == DT_UNSETTLED && dt_dense_box_run(&search->dense, search)) {
        settlement = dt_active_set_run(&search->active_set, &search->box, later_effort, &singular);
    }
    if (settlement == DT_UNSETTLED) {
        settlement = settle_ties(search, &singular);
    }
    if (settlement == DT_STOPPED) {
        return dt_fail(search->error, DETENT_INTERRUPTED, NULL,
                       "interrupted in the search at t = %.9g s", search->system->time);
    }
    if (settlement == DT_SINGULAR) {
        return dt_fail(
            search->error, DETENT_ERROR_NUMERIC, NULL,
            "at t = %.9g s the motion of '%s' is undetermined: no inertia along its freedom",
            search->system->time, search->system->mechanism->primitives[singular].name);
    }
    if (settlement == DT_SETTLED) {
        return DETENT_OK;
    }
    return dt_report_inconsistent(search, search->error && dt_closure_branches_meet(search->system)
                                              ? dt_closure_meeting
                                              : "the modes do not settle");
}
