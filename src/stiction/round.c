/*
 * One round of the search: the boxes, and the loads that they may depend on.
 *
 * Where a law reads what the search changes (reactions, accelerations, friction), limits and loads are a fixed point:
 *   readings -> limits, Q -> settled boxes -> a, f -> readings
 * swept until the sides are decided. A sweep contracts by about mu / lever arm. Its start belongs to the rule, since
 * it decides which of several consistent states is found: mode_search.c gives it. Where the sweeps do not contract,
 * there is no state that friction could settle into, and that is the outcome.
 */
#include "stiction/search.h"

#include <float.h>

enum {
    most_sweeps = 200,
    most_growths = 3 /* sweeps in a row that may fail to contract */
};

/** Of the active set, before the interior point: more would cost as much as that. */
static const dt_effort warm = {.tries = 12, .setbacks = 3, .few = 32};

/* --- Laws to boxes ------------------------------------------------------------------------------- */

/** The limits of a joint at rest; those of a joint released by decree are a hair smaller on the side of the decree. */
static detent_status read_limits(dt_search *search, int k, double limits[2])
{
    dt_system *s = search->system;
    if (search->released[k]) {
        limits[0] = -dt_system_kinetic(s, k, 1);
        limits[1] = dt_system_kinetic(s, k, -1);
    } else {
        const signed char direction = s->direction[k];
        s->direction[k] = 0; /* a joint at rest has none */
        dt_system_limits(s, k, limits);
        s->direction[k] = direction;
    }
    if (!(limits[0] <= 0 && limits[1] >= 0 && isfinite(limits[1] - limits[0]))) {
        return dt_fail(
            search->error, DETENT_ERROR_NUMERIC, NULL,
            "at t = %.9g s the friction of '%s' makes no sense: its %s limits are %g and %g, "
            "and must be <= 0 and >= 0",
            s->time, dt_search_name(search, k), search->released[k] ? "kinetic" : "static",
            limits[0], limits[1]);
    }
    const int decree = dt_search_decree(search, k);
    if (decree != 0) {
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
    dt_system_forces(s);
    for (int k = 0; k < box->count; k++) {
        const bool pinned =
            search->pinned && box->side[k] != 0 && box->side[k] == dt_search_decree(search, k);
        if (!search->candidate[k] || pinned) {
            box->kind[k] = DT_FRICTION_GIVEN;
            box->f[k] = -s->direction[k] * dt_system_kinetic(s, k, s->direction[k]);
        } else if (s->stiction_law[k].test.program && !search->released[k]) {
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

/* --- Boxes --------------------------------------------------------------------------------------- */

detent_status dt_round_settle_boxes(dt_search *search)
{
    int singular = -1;
    dt_settlement settlement = dt_active_set_run(&search->box, warm, &singular);
    if (settlement == DT_UNSETTLED) {
        search->result->interior_points++;
        settlement = dt_interior_point_run(&search->interior_point, &search->box, &singular);
    }
    if (settlement == DT_SINGULAR) {
        return dt_fail(
            search->error, DETENT_ERROR_NUMERIC, NULL,
            "at t = %.9g s the motion of '%s' is undetermined: no inertia along its freedom",
            search->system->time, search->system->mechanism->primitives[singular].name);
    }
    return settlement == DT_SETTLED ? DETENT_OK
                                    : dt_report_inconsistent(search, "the modes do not settle");
}

/* --- Loads --------------------------------------------------------------------------------------- */

/** The largest change of a force or an inertia force since the sweep before, relative to its size; keeps the new ones. */
static double change_of_sweep(dt_search *search)
{
    dt_friction_box *box = &search->box;
    const dt_tree *tree = search->system->tree;
    double largest = 0;
    for (int i = 0; i < tree->node_count; i++) {
        const int v = tree->nodes[i].v;
        if (tree->nodes[i].type->nv != 1) {
            continue;
        }
        const double change = box->held[i]
                                  ? box->transmitted[v] - search->transmitted_before[v]
                                  : (box->a[v] - search->a_before[v]) / box->aba.node[i].D[0];
        largest = fmax(largest, fabs(change) / fmax(dt_friction_box_size(box, i, 0), DBL_MIN));
    }
    memcpy(search->a_before, box->a, (size_t)tree->nv * sizeof *box->a);
    memcpy(search->transmitted_before, box->transmitted,
           (size_t)tree->nv * sizeof *box->transmitted);
    return largest;
}

/** The smallest distance of a joint from turning over, relative to the size of its force. */
static double smallest_margin(dt_search *search)
{
    dt_friction_box *box = &search->box;
    double smallest = INFINITY;
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] != DT_FRICTION_BOXED) {
            continue;
        }
        const double margin =
            box->side[k] == 0
                ? fmin(box->limits[k][1] - box->f[k], box->f[k] - box->limits[k][0])
                : box->side[k] * box->a[box->freedom[k]] * dt_friction_box_inertia(box, k);
        smallest =
            fmin(smallest, margin / fmax(dt_friction_box_size(box, box->node[k], 0), DBL_MIN));
    }
    return smallest;
}

/** Sweeps from the system's present readings until the sides are decided by far, or nothing changes. */
static detent_status sweep(dt_search *search)
{
    dt_system *s = search->system;
    dt_friction_box *box = &search->box;
    const size_t count = (size_t)box->count;
    const double nothing = dt_friction_box_rounding(box);
    double before = INFINITY;
    int growths = 0;
    bool contracts = false;
    memcpy(search->a_before, s->a, (size_t)s->tree->nv * sizeof *s->a);
    memcpy(search->transmitted_before, s->tau, (size_t)s->tree->nv * sizeof *s->tau);
    for (int k = 0; k < most_sweeps; k++) {
        memcpy(search->side_before, box->side, count);
        detent_status status = dt_round_read_laws(search);
        if (status == DETENT_OK) {
            status = dt_round_settle_boxes(search);
        }
        if (status != DETENT_OK) {
            return status;
        }
        dt_system_set_acceleration(s, box->a, box->f);
        const double change = change_of_sweep(search), contraction = change / before;
        const bool same = memcmp(search->side_before, box->side, count) == 0;
        if (!isfinite(change)) {
            break;
        }
        /* what is still to come of a geometric series, a hundredfold */
        if (change <= nothing ||
            (same && k > 1 && contraction < 0.9 &&
             100 * change * contraction / (1 - contraction) < smallest_margin(search))) {
            return DETENT_OK;
        }
        growths = same && contraction >= 1 ? growths + 1 : 0;
        contracts = same && contraction < 1;
        if (growths > most_growths) {
            break;
        }
        before = same ? change : INFINITY;
    }
    if (contracts) {
        return DETENT_OK;
    }
    return dt_report_inconsistent(search,
                                  "friction and the reactions it depends on drive each other up");
}

detent_status dt_round_settle(dt_search *search)
{
    if (search->loads_matter) {
        return sweep(search);
    }
    detent_status status = dt_round_read_laws(search);
    if (status == DETENT_OK) {
        status = dt_round_settle_boxes(search);
    }
    if (status == DETENT_OK && search->has_tests) {
        dt_system_set_acceleration(search->system, search->box.a, search->box.f);
    }
    return status;
}
