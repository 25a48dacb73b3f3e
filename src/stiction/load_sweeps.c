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
#include "stiction/loads_map.h"

#include <float.h>
#include <math.h>

enum {
    most_sweeps = 300,
    most_turns = 4, /* sweeps in a row that may change sides before they count as overshooting */
    patience = 60   /* sweeps without one that comes nearer than all before */
};

static const double least_weight = 1.0 / 64;

/* What a sweep changes. */
typedef struct sweep_change {
    double largest; /**< |G(r) - r|: of a force or inertia force, relative to its size */
    double weight;  /**< that would have brought the last sweep nearest to the end */
} sweep_change;

/*
 * Compares the solution with the readings. With e = G(r) - r of this sweep, e' of the one before
 * and w' its weight, a fixed point that is about linear would have been reached with w = w' e' (e'
 * - e) / |e' - e|^2.
 */
static sweep_change compare(dt_search *search, double weight_before)
{
    double product, square;
    const double largest = dt_loads_compare(search, &product, &square);
    return (sweep_change){largest, square > 0 ? weight_before * product / square : 1};
}

/* Sweeps until the sides are decided; whether they are, in `settled`. */
static detent_status sweep(dt_search *search, bool *settled)
{
    dt_friction_box *box = &search->box;
    double weight = 1, before = INFINITY, least = INFINITY;
    int turns = 0, since = 0;
    for (int k = 0; k < most_sweeps && since < patience; k++) {
        memcpy(search->side_before, box->side, (size_t)box->count);
        const detent_status status = dt_loads_map(search);
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
            100 * weight * change.largest / (1 - contraction) < dt_loads_margin(search);
        if (decided || change.largest <= dt_friction_box_rounding(box)) {
            dt_loads_move(search, 1);
            *settled = true;
            return DETENT_OK;
        }
        if (same && k > 0 && isfinite(before)) {
            weight = fmin(fmax(change.weight, least_weight), 1);
        }
        turns = same ? 0 : turns + 1;
        before = same ? change.largest : INFINITY;
        since = change.largest < least ? 0 : since + 1;
        least = fmin(least, change.largest);
        if (turns > most_turns) {
            weight = fmax(0.5 * weight, least_weight);
            turns = 0;
        }
        dt_loads_move(search, weight);
    }
    return DETENT_OK;
}

detent_status dt_sweep_loads(dt_search *search)
{
    bool settled = false;
    dt_load_newton_keep(search);
    detent_status status = sweep(search, &settled);
    /* boxes that do not settle where laws of actuation couple have been solved by Newton's method at length already */
    if (!settled &&
        (status == DETENT_OK || (status == DETENT_NO_CONSISTENT_STATE && !search->drive_couples))) {
        status = dt_load_newton_run(search, &settled);
    }
    return status != DETENT_OK || settled
               ? status
               : dt_report_divergence(
                     search, "friction and the reactions that it depends on do not settle");
}
