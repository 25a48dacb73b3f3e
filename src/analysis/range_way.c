/*
 * The way along the curve from the start, one way: steps in which the tangent does not turn far, short ones to where branches meet,
 * until the driven joint is at a dead centre or at its limit, or one of them at a stop. Where the positions of all joints come back after whole turns of the
 * driven one the rest is known.
 */
#include "analysis/range_parts.h"

/* Lengths of steps along the curve. */
static const double longest = 0.05, least = 1e-9;
enum { MOST_STEPS = 50000, MOST_TURNS = 1000 };

/* ---- the way ---- */

static void swap(dt_pose_curve_point *a, dt_pose_curve_point *b)
{
    const dt_pose_curve_point other = *a;
    *a = *b;
    *b = other;
}

/* How far it may be to where branches meet, as the smallest pivot falls. */
static double way_to_crossing(const sweep *w)
{
    const double now = w->at.pivot, before = w->before.pivot;
    return w->has_before && before > now && now < 0.3 ? now * w->step[0] / (before - now)
                                                      : INFINITY;
}

/* The next point, by a step in which the tangent does not turn far. False where there is none. */
static bool advance(sweep *w, double *h)
{
    static const double straight = 0.99, very_straight = 0.9995;
    *h = fmin(*h, fmax(0.5 * way_to_crossing(w), dt_pose_curve_crossing));
    while (*h > least) {
        if (dt_range_step(w, &w->at, *h, &w->next)) {
            const double cosine = dt_pose_curve_cosine(&w->curve, w->at.t, w->next.t);
            if (cosine > straight) {
                w->step[1] = *h;
                *h = cosine > very_straight ? fmin(2 * *h, longest) : *h;
                return true;
            }
        }
        *h *= 0.5;
    }
    return false;
}

/* The step ends at a point inside of it. */
static void cut(sweep *w, double high, const goal *g)
{
    w->step[1] = dt_range_find_root(w, &w->at, w->step[1], dt_range_miss(g, &w->at), high, g);
    dt_range_look(w, &w->trial);
    swap(&w->next, &w->trial);
}

/* Whether a joint comes to its rigid stop in this step, which ends there. */
static bool meets_stop(sweep *w)
{
    const dt_system *s = &w->curve.analysis->system;
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const dt_rigid_stops *stops = s->mechanism->stictions[k].stops;
        const dt_node *node = &s->tree->nodes[s->mechanism->stictions[k].primitive];
        for (int side = 0; stops && side < 2; side++) {
            const goal there = {.v = node->v, .q = node->q, .target = stops->at[side]};
            const int sign = side ? 1 : -1;
            if (!(sign * dt_range_miss(&there, &w->next) > 0)) {
                continue;
            }
            if (sign * dt_range_miss(&there, &w->at) >= 0) { /* it stands there */
                dt_pose_curve_copy(&w->curve, &w->next, &w->at);
                w->step[1] = 0;
            } else {
                cut(w, dt_range_miss(&there, &w->next), &there);
            }
            w->stop = s->mechanism->stictions[k].primitive;
            w->stop_side = sign;
            any = true;
        }
    }
    return any;
}

/* Whether the driven joint comes to the end of its way in this step, and to which. */
static bool arrives(sweep *w, double limit, detent_range_end *end)
{
    bool stops = meets_stop(w);
    *end = stops ? DETENT_RANGE_STOP : *end;
    if (w->sign * w->next.t[w->v] <= 0) {
        const goal dead = {.v = w->v, .q = -1};
        cut(w, w->next.t[w->v], &dead);
        *end = DETENT_RANGE_DEAD_CENTRE;
        stops = true;
    }
    if (w->sign * (w->next.q[w->q] - limit) >= 0) {
        const goal there = {.v = w->v, .q = w->q, .target = limit};
        cut(w, dt_range_miss(&there, &w->next), &there);
        *end = DETENT_RANGE_INTERVAL;
        stops = true;
    }
    return stops;
}

/* Where a way begins. */
static void set_out(sweep *w, double sign, bool looks_back)
{
    const dt_tree *tree = w->curve.analysis->system.tree;
    w->h = 0.1 * longest;
    w->sign = sign;
    w->steps = 0;
    memset(w->shift, 0, (size_t)tree->node_count * sizeof *w->shift);
    dt_pose_curve_copy(&w->curve, &w->at, &w->start);
    for (int v = 0; v < tree->nv && sign * w->start.t[w->v] < 0; v++) {
        w->at.t[v] = -w->start.t[v];
    }
    w->step[0] = w->h;
    w->has_before =
        looks_back && dt_range_step(w, &w->at, -w->h, &w->before) && sign * w->before.t[w->v] > 0;
}

/* On to a limit, or as far as it goes. */
static detent_range_end go(sweep *w, double limit)
{
    detent_range_end end = DETENT_RANGE_INTERVAL;
    while (w->sign * (limit - w->at.q[w->q]) > 0) {
        if (w->steps++ >= MOST_STEPS) {
            return DETENT_RANGE_UNENDED;
        }
        if (!advance(w, &w->h)) {
            return DETENT_RANGE_SINGULAR;
        }
        const bool stops = arrives(w, limit, &end);
        const bool is_dead = stops && end == DETENT_RANGE_DEAD_CENTRE;
        dt_range_note_point(w, &w->next, is_dead);
        dt_range_note_between(w, is_dead);
        w->points++;
        swap(&w->before, &w->at);
        swap(&w->at, &w->next);
        w->step[0] = w->step[1];
        w->has_before = true;
        if (stops) {
            return end;
        }
    }
    return DETENT_RANGE_INTERVAL;
}

/* ---- whole turns ---- */

/* Whether all positions are those of the start, but for whole turns. */
static bool is_back(const sweep *w)
{
    static const double same = 1e-7;
    const dt_tree *tree = w->curve.analysis->system.tree;
    bool back = true;
    for (int i = 0; i < tree->node_count && back; i++) {
        const dt_node *node = &tree->nodes[i];
        const double *now = w->at.q + node->q, *then = w->start.q + node->q;
        double product = 0;
        for (int k = 0; k < node->type->nq; k++) {
            product += now[k] * then[k];
        }
        if (node->type->nq == 1) {
            const double way = now[0] - then[0];
            back = node->type->rotational ? fabs(remainder(way, dt_range_turn)) < same
                                          : fabs(way) < same * w->curve.length;
        } else if (node->type->nq == 4) {
            back = 1 - fabs(product) < same * same;
        }
    }
    return back;
}

/*
 * Where positions have come back: over as many of the periods that are left to the limit as are whole, but for one. What happens in them is known;
 * joints that turn with the driven one are where they would be. Returns the limit as seen from there.
 */
static double skip_periods(sweep *w, double limit)
{
    const dt_tree *tree = w->curve.analysis->system.tree;
    const double period = fabs(w->at.q[w->q] - w->start.q[w->q]),
                 left = fmax(floor(fabs(limit - w->at.q[w->q]) / period) - 1, 0);
    for (int i = 0; i < tree->node_count; i++) {
        const int q = tree->nodes[i].q;
        if (tree->nodes[i].type->nq == 1 && tree->nodes[i].type->rotational) {
            w->shift[i] = left * dt_range_turn * rint((w->at.q[q] - w->start.q[q]) / dt_range_turn);
        }
    }
    return limit - w->shift[w->driven];
}

detent_range_end dt_range_go_round(sweep *w, double sign, double limit, bool looks_back,
                                   bool *turns)
{
    const bool rotational = w->curve.analysis->system.tree->nodes[w->driven].type->rotational;
    detent_range_end end = DETENT_RANGE_INTERVAL;
    *turns = false;
    set_out(w, sign, looks_back);
    for (int k = 1; rotational && k <= MOST_TURNS && !*turns; k++) {
        const double next = w->start.q[w->q] + sign * k * dt_range_turn;
        if (!(sign * (limit - next) > 0)) {
            return go(w, limit);
        }
        end = go(w, next);
        if (end != DETENT_RANGE_INTERVAL) {
            return end;
        }
        *turns = is_back(w);
    }
    if (isinf(limit)) {
        return *turns ? DETENT_RANGE_INTERVAL : DETENT_RANGE_UNENDED;
    }
    return go(w, *turns ? skip_periods(w, limit) : limit);
}
