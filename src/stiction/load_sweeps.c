/*
 * Limits that depend on loads, and loads that depend on who moves: a fixed point around the boxes
 * of one round,
 *
 *   readings r -> laws: limits, Q, friction of moving joints -> settled boxes -> solution G(r)
 *
 * swept by r += w (G(r) - r). With w = 1 a sweep contracts by about mu / lever arm. Where more
 * friction makes a smaller reaction the sweeps overshoot, and w is halved until they settle; where
 * friction drives up the very reaction that it comes from, no w helps: there is no state that
 * friction could settle into, and that is the outcome. Where the sweeps start decides which of
 * several consistent states is found, so it belongs to the rule (mode_search.c).
 *
 * A round asks who moves, and is done as soon as nobody is near turning over: with the contraction
 * c of the last sweep, what is still to come is about w |G(r) - r| / (1 - c), and a hundred times
 * that must be less than every margin.
 */
#include "stiction/coupled.h"

#include <float.h>
#include <math.h>

enum {
    most_sweeps = 300,
    most_turns = 4 /* sweeps in a row that may change sides before they count as overshooting */
};

static const double least_weight = 1.0 / 64;

/** What a sweep changes. */
typedef struct sweep_change {
    double largest; /**< |G(r) - r|: of a force or inertia force, relative to its size */
    double weight;  /**< that would have brought the last sweep nearest to the end */
} sweep_change;

/**
 * Compares the solution with the readings. With e = G(r) - r of this sweep, e' of the one before
 * and w' its weight, a fixed point that is about linear would have been reached with w = w' e' (e'
 * - e) / |e' - e|^2.
 */
static sweep_change compare(dt_search *search, double weight_before)
{
    dt_friction_box *box = &search->box;
    const dt_system *s = search->system;
    double largest = 0, product = 0, square = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const int v = s->tree->nodes[i].v;
        if (s->tree->nodes[i].type->nv != 1) {
            continue;
        }
        const double difference = box->held[i] ? box->transmitted[v] - s->tau[v]
                                               : (box->a[v] - s->a[v]) / box->aba->freedom[v].D;
        const double e = difference / fmax(dt_friction_box_size(box, i, 0), DBL_MIN);
        const double step = search->mismatch[i] - e;
        largest = fmax(largest, fabs(e));
        product += search->mismatch[i] * step;
        square += step * step;
        search->mismatch[i] = e;
    }
    return (sweep_change){largest, square > 0 ? weight_before * product / square : 1};
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

/** r += weight (G(r) - r) */
static void move_readings(dt_search *search, double weight)
{
    dt_system *s = search->system;
    const dt_friction_box *box = &search->box;
    for (int j = 0; j < s->tree->nv; j++) {
        s->a[j] += weight * (box->a[j] - s->a[j]);
    }
    for (int k = 0; k < box->count; k++) {
        s->f[k] += weight * (box->f[k] - s->f[k]);
    }
    dt_system_set_acceleration(s, weight < 1 ? s->a : box->a, weight < 1 ? s->f : box->f);
}

/**
 * G(r): the boxes at the readings r, which remain those of the system. Actuation and loads that read
 * accelerations are solved, not swept.
 */
static detent_status settle(dt_search *search)
{
    dt_system *s = search->system;
    const size_t nv = (size_t)s->tree->nv * sizeof *s->a,
                 ns = (size_t)search->box.count * sizeof *s->f;
    if (!search->drive_couples) {
        return dt_round_settle_boxes(search);
    }
    memcpy(search->a_before, s->a, nv);
    memcpy(search->f_before, s->f, ns);
    dt_couple(search, DT_BOXES_GIVEN);
    const detent_status status = dt_round_settle_boxes(search);
    dt_couple(search, DT_BOXES_APART);
    dt_system_set_acceleration(s, search->a_before, search->f_before);
    return status;
}

detent_status dt_sweep_loads(dt_search *search)
{
    dt_friction_box *box = &search->box;
    double weight = 1, before = INFINITY;
    int turns = 0;
    for (int k = 0; k < most_sweeps; k++) {
        memcpy(search->side_before, box->side, (size_t)box->count);
        detent_status status = dt_round_read_laws(search);
        if (status == DETENT_OK) {
            status = settle(search);
        }
        if (status != DETENT_OK) {
            return status;
        }
        const sweep_change change = compare(search, weight);
        const double contraction = change.largest / before;
        const bool same = memcmp(search->side_before, box->side, (size_t)box->count) == 0;
        if (!isfinite(change.largest)) {
            break;
        }
        const bool decided =
            same && k > 0 && contraction < 0.9 && !search->thorough &&
            100 * weight * change.largest / (1 - contraction) < smallest_margin(search);
        if (decided || change.largest <= dt_friction_box_rounding(box)) {
            move_readings(search, 1);
            return DETENT_OK;
        }
        if (same && k > 0 && isfinite(before)) {
            weight = fmin(fmax(change.weight, least_weight), 1);
        }
        turns = same ? 0 : turns + 1;
        before = same ? change.largest : INFINITY;
        if (turns > most_turns) {
            weight = fmax(0.5 * weight, least_weight);
            turns = 0;
        }
        move_readings(search, weight);
    }
    return dt_report_divergence(search,
                                "friction and the reactions that it depends on do not settle");
}
