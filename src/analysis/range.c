#include "analysis/range.h"

#include "analysis/curve.h"
#include "analysis/kinematics.h"
#include "analysis/transmission.h"
#include "base/error.h"
#include "dynamics/closure_parts.h"

/** Lengths of steps along the curve. */
static const double longest = 0.05, least = 1e-9;
enum { MOST_STEPS = 50000, MOST_TURNS = 1000 };
static const double turn = 6.283185307179586;

typedef struct sweep {
    dt_curve curve;
    int driven, q, v; /**< node, coordinate, freedom of the driven joint */
    double sign;      /**< which way it goes */
    dt_curve_point start, before, at, next, trial;
    dt_transmissions transmissions;
    bool has_before;
    double step[2]; /**< from `before` to `at`, from `at` to `next` */
    double *shift;  /**< node_count: what whole turns that were passed over have added */
    double h;       /**< the next one */
    size_t steps;   /**< on the way one way */
    size_t points;
    detent_joint_range *joints;
} sweep;

/* ---- steps ---- */

/** What is told of a point beside where it is; the system is posed there. */
static void look(sweep *w, dt_curve_point *point)
{
    dt_transmissions_find(&w->transmissions, point->t, w->driven, point->sine);
}

static bool step(sweep *w, const dt_curve_point *from, double h, dt_curve_point *to)
{
    const bool good = dt_curve_step(&w->curve, from, h, to);
    if (good) {
        look(w, to);
    }
    return good;
}

/* ---- roots and extrema along a step ---- */

/** What is to be zero at a point: a component of the tangent, or (`q` >= 0) the distance of a coordinate from `target`. */
typedef struct goal {
    int v, q;
    double target;
} goal;

static double miss(const goal *g, const dt_curve_point *point)
{
    return g->q >= 0 ? point->q[g->q] - g->target : point->t[g->v];
}

/** The step from `from`, up to h, at which a goal changes its sign from `low` on; by the Illinois method. w->trial is the point. */
static double find_root(sweep *w, const dt_curve_point *from, double h, double low, double high,
                        const goal *g)
{
    static const double precision = 4e-16;
    double a = 0, b = h, at = h;
    int side = 0;
    for (int k = 0; k < 100 && b - a > precision * h; k++) {
        const double share = k % 4 == 3 ? 0.5 : low / (low - high);
        at = a + share * (b - a);
        if (!dt_curve_step(&w->curve, from, at, &w->trial)) {
            break;
        }
        const double value = miss(g, &w->trial);
        if (value == 0) {
            return at;
        }
        if ((value > 0) == (high > 0)) {
            b = at;
            high = value;
            low *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            a = at;
            low = value;
            high *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    return at;
}

static double ratio_of(const sweep *w, const dt_curve_point *point, int v)
{
    return point->t[v] / point->t[w->v];
}

/** Something of joint i at a point that has extrema on the way. */
typedef double quantity(const sweep *, const dt_curve_point *, int i);

static double ratio(const sweep *w, const dt_curve_point *point, int i)
{
    return ratio_of(w, point, w->curve.analysis->system.tree->nodes[i].v);
}

static double transmission(const sweep *w, const dt_curve_point *point, int i)
{
    (void)w;
    return point->sine[i];
}

static double value_at(sweep *w, quantity *what, int i, double h, double sign)
{
    const double value = step(w, &w->before, h, &w->trial) ? what(w, &w->trial, i) : NAN;
    return isnan(value) ? -INFINITY : sign * value;
}

/** Golden section: where sign * what is largest on a step of length h from w->before. w->trial is the point. */
static void find_extreme(sweep *w, quantity *what, int i, double h, double sign)
{
    static const double golden = 0.6180339887498949;
    double a = 0, b = h, value[2], at[2] = {h - golden * h, golden * h};
    for (int k = 0; k < 2; k++) {
        value[k] = value_at(w, what, i, at[k], sign);
    }
    for (int round = 0; round < 40; round++) {
        const int better = value[1] > value[0];
        if (better) {
            a = at[0];
            at[0] = at[1];
            value[0] = value[1];
            at[1] = a + golden * (b - a);
        } else {
            b = at[1];
            at[1] = at[0];
            value[1] = value[0];
            at[0] = b - golden * (b - a);
        }
        value[better] = value_at(w, what, i, at[better], sign);
    }
}

/* ---- what is kept ---- */

/** Where the driven joint is. */
static double place(const sweep *w, const dt_curve_point *point)
{
    return point->q[w->q] + w->shift[w->driven];
}

/** Extends an extreme pair, each with its place. */
static void note(double value, double at, double *low, double *low_at, double *high,
                 double *high_at)
{
    if (!(value >= *low)) {
        *low = value;
        *low_at = at;
    }
    if (!(value <= *high)) {
        *high = value;
        *high_at = at;
    }
}

static void note_position(const sweep *w, int i, const dt_curve_point *point)
{
    detent_joint_range *r = &w->joints[i];
    const double q = point->q[w->curve.analysis->system.tree->nodes[i].q] + w->shift[i];
    note(q, place(w, point), &r->low, &r->low_at, &r->high, &r->high_at);
}

/** Whether ratios mean something there: near a crossing, at a smallest pivot p, what loops are open by comes in by 1 / p^2. */
static bool is_exact(const dt_curve_point *point)
{
    static const double most = 1e-9, open = 1e-13; /* to which dt_closure_close() closes */
    return open < most * point->pivot * point->pivot;
}

static void note_advantage(const sweep *w, int i, double value, const dt_curve_point *point)
{
    detent_joint_range *r = &w->joints[i];
    note(value, place(w, point), &r->advantage_low, &r->advantage_low_at, &r->advantage_high,
         &r->advantage_high_at);
}

/** A component of a tangent that is none, at a root of another one. */
static const double nothing = 1e-8;

static void note_ratio(const sweep *w, int i, const dt_curve_point *point, bool is_dead)
{
    detent_joint_range *r = &w->joints[i];
    const double t = point->t[w->curve.analysis->system.tree->nodes[i].v];
    double value = ratio(w, point, i), sine = point->sine[i];
    if (!is_exact(point) || (is_dead && (i == w->driven || fabs(t) < nothing))) {
        return;
    }
    if (is_dead) { /* its sign is that of before: t of the driven joint goes to 0 */
        value = (t > 0) == (w->sign > 0) ? INFINITY : -INFINITY;
        sine = isnan(r->transmission_low) ? NAN : 0;
    }
    note(value, place(w, point), &r->ratio_low, &r->ratio_low_at, &r->ratio_high,
         &r->ratio_high_at);
    note_advantage(w, i, 1 / fabs(value), point);
    if (!isnan(sine)) {
        note(asin(sine), place(w, point), &r->transmission_low, &r->transmission_low_at,
             &r->transmission_high, &r->transmission_high_at);
    }
}

static void note_point(const sweep *w, const dt_curve_point *point, bool is_dead)
{
    const dt_tree *tree = w->curve.analysis->system.tree;
    for (int i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].type->nv == 1) {
            note_position(w, i, point);
            note_ratio(w, i, point, is_dead);
        }
    }
}

/** An extreme between `before` and `next`, where it is nearer to `at` than to them. */
static void note_extreme(sweep *w, quantity *what, int i)
{
    static const double same = 1e-10;
    const double now = what(w, &w->at, i), rise = now - what(w, &w->before, i),
                 fall = what(w, &w->next, i) - now;
    if (rise * fall < 0 && fabs(rise) > same * fabs(now)) {
        find_extreme(w, what, i, w->step[0] + w->step[1], rise > 0 ? 1 : -1);
        note_ratio(w, i, &w->trial, false);
    }
}

/** What lies between the points: ends of other joints, extrema of ratios and transmission angles. */
static void note_between(sweep *w, bool is_dead)
{
    const dt_tree *tree = w->curve.analysis->system.tree;
    const bool exact =
        w->has_before && !is_dead && is_exact(&w->before) && is_exact(&w->at) && is_exact(&w->next);
    for (int i = 0; i < tree->node_count; i++) {
        const int v = tree->nodes[i].v;
        if (tree->nodes[i].type->nv != 1 || i == w->driven) {
            continue;
        }
        if (w->at.t[v] * w->next.t[v] < 0) {
            const goal end = {.v = v, .q = -1};
            find_root(w, &w->at, w->step[1], w->at.t[v], w->next.t[v], &end);
            note_position(w, i, &w->trial);
            const bool stands = is_dead && fabs(w->next.t[v]) < nothing; /* with the driven one */
            if (!stands && is_exact(&w->at) && is_exact(&w->next)) {
                note_advantage(w, i, INFINITY, &w->trial);
            }
        }
        if (exact) {
            note_extreme(w, ratio, i);
            note_extreme(w, transmission, i);
        }
    }
}

/* ---- the way ---- */

static void swap(dt_curve_point *a, dt_curve_point *b)
{
    const dt_curve_point other = *a;
    *a = *b;
    *b = other;
}

/** How far it may be to where branches meet, as the smallest pivot falls. */
static double way_to_crossing(const sweep *w)
{
    const double now = w->at.pivot, before = w->before.pivot;
    return w->has_before && before > now && now < 0.3 ? now * w->step[0] / (before - now)
                                                      : INFINITY;
}

/** The next point, by a step in which the tangent does not turn far. False where there is none. */
static bool advance(sweep *w, double *h)
{
    static const double straight = 0.99, very_straight = 0.9995;
    *h = fmin(*h, fmax(0.5 * way_to_crossing(w), dt_curve_crossing));
    while (*h > least) {
        if (step(w, &w->at, *h, &w->next)) {
            const double cosine = dt_curve_cosine(&w->curve, w->at.t, w->next.t);
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

/** The step ends at a point inside of it. */
static void cut(sweep *w, double high, const goal *g)
{
    w->step[1] = find_root(w, &w->at, w->step[1], miss(g, &w->at), high, g);
    look(w, &w->trial);
    swap(&w->next, &w->trial);
}

/** Whether the driven joint comes to the end of its way in this step, and to which. */
static bool arrives(sweep *w, double limit, detent_range_end *end)
{
    bool stops = false;
    if (w->sign * w->next.t[w->v] <= 0) {
        const goal dead = {.v = w->v, .q = -1};
        cut(w, w->next.t[w->v], &dead);
        *end = DETENT_RANGE_DEAD_CENTRE;
        stops = true;
    }
    if (w->sign * (w->next.q[w->q] - limit) >= 0) {
        const goal there = {.v = w->v, .q = w->q, .target = limit};
        cut(w, miss(&there, &w->next), &there);
        *end = DETENT_RANGE_INTERVAL;
        stops = true;
    }
    return stops;
}

/** Where a way begins. */
static void set_out(sweep *w, double sign, bool looks_back)
{
    const dt_tree *tree = w->curve.analysis->system.tree;
    w->h = 0.1 * longest;
    w->sign = sign;
    w->steps = 0;
    memset(w->shift, 0, (size_t)tree->node_count * sizeof *w->shift);
    dt_curve_copy(&w->curve, &w->at, &w->start);
    for (int v = 0; v < tree->nv && sign * w->start.t[w->v] < 0; v++) {
        w->at.t[v] = -w->start.t[v];
    }
    w->step[0] = w->h;
    w->has_before =
        looks_back && step(w, &w->at, -w->h, &w->before) && sign * w->before.t[w->v] > 0;
}

/** On to a limit, or as far as it goes. */
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
        note_point(w, &w->next, is_dead);
        note_between(w, is_dead);
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

/** Whether all positions are those of the start, but for whole turns. */
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
            back = node->type->rotational ? fabs(remainder(way, turn)) < same
                                          : fabs(way) < same * w->curve.length;
        } else if (node->type->nq == 4) {
            back = 1 - fabs(product) < same * same;
        }
    }
    return back;
}

/**
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
            w->shift[i] = left * turn * rint((w->at.q[q] - w->start.q[q]) / turn);
        }
    }
    return limit - w->shift[w->driven];
}

/**
 * From the start to the limit, or as far as it goes, and where the positions of all joints come back after whole turns of the driven one no
 * farther than is needed. `*turns`: they do.
 */
static detent_range_end go_round(sweep *w, double sign, double limit, bool looks_back, bool *turns)
{
    const bool rotational = w->curve.analysis->system.tree->nodes[w->driven].type->rotational;
    detent_range_end end = DETENT_RANGE_INTERVAL;
    *turns = false;
    set_out(w, sign, looks_back);
    for (int k = 1; rotational && k <= MOST_TURNS && !*turns; k++) {
        const double next = w->start.q[w->q] + sign * k * turn;
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

/* ---- the whole ---- */

static void clear_joints(const dt_system *s, int driven, detent_joint_range *joints)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const bool is_scalar = s->tree->nodes[i].type->nv == 1;
        const double q = is_scalar ? s->q[s->tree->nodes[i].q] : NAN,
                     at = is_scalar ? s->q[s->tree->nodes[driven].q] : NAN,
                     ratio = is_scalar ? i == driven : NAN;
        joints[i] = (detent_joint_range){q,         at, q,         at, ratio, at,  ratio, at,
                                         1 / ratio, at, 1 / ratio, at, NAN,   NAN, NAN,   NAN};
    }
}

/** Nothing follows from the joint, and nothing limits it. */
static void set_alone(int driven, double from, double to, detent_range *range,
                      detent_joint_range *joints)
{
    range->low = from;
    range->high = to;
    joints[driven].low = joints[driven].low_at = joints[driven].ratio_low_at = from;
    joints[driven].high = joints[driven].high_at = joints[driven].ratio_high_at = to;
}

static bool is_tied(dt_system *s, int node)
{
    dt_closure *c = s->closure;
    bool tied = false;
    if (c) {
        dt_closure_update(s);
    }
    for (int r = 0; c && r < c->rows; r++) {
        tied = tied || dt_closure_entry(c, r, s->tree->nodes[node].v) != 0;
    }
    return tied;
}

/** The ends of the interval: none, or ten times the size of the mechanism, where the caller gives none. */
static void choose_interval(const dt_system *s, int driven, bool whole_turn, double *from,
                            double *to)
{
    const dt_node *node = &s->tree->nodes[driven];
    const double start = s->q[node->q], most = whole_turn               ? INFINITY
                                               : node->type->rotational ? turn
                                                                        : 10 * dt_closure_reach(s);
    *from = isnan(*from) ? fmin(start, isnan(*to) ? start : *to) - most : *from;
    *to = isnan(*to) ? fmax(start, *from) + most : *to;
}

/** Drives the joint into the interval where it is outside. */
static detent_status enter(dt_analysis *n, int driven, double from, double to, detent_error *error)
{
    const dt_system *s = &n->system;
    const double q = s->q[s->tree->nodes[driven].q];
    const detent_drive drive = {.primitive = (size_t)driven, .position = q < from ? from : to};
    return q >= from && q <= to ? DETENT_OK : dt_kinematics_drive(n, s->time, &drive, error);
}

static detent_status trace(sweep *w, dt_analysis *n, double from, double to, bool whole_turn,
                           detent_range *range, detent_error *error)
{
    static const double dead = 1e-7;
    detent_status status = dt_curve_begin(&w->curve, n, w->driven, &w->start, error);
    if (status) {
        return status;
    }
    if (fabs(w->start.t[w->v]) < dead) {
        return dt_fail(
            error, DETENT_ERROR_NUMERIC, NULL,
            "'%s' stands at a dead centre, where it does not decide which way the others "
            "go",
            n->system.mechanism->primitives[w->driven].name);
    }
    look(w, &w->start);
    note_point(w, &w->start, false);
    w->points = 1;
    const double start = w->start.q[w->q];
    bool turns;
    range->high_end = go_round(w, 1, to, from < start, &turns);
    range->high = range->high_end == DETENT_RANGE_INTERVAL && !whole_turn ? to : place(w, &w->at);
    range->turns = whole_turn && turns;
    if (range->turns) {
        range->low = start;
        range->low_end = DETENT_RANGE_INTERVAL;
    } else {
        range->low_end = go_round(w, -1, from, to > start, &turns);
        range->low =
            range->low_end == DETENT_RANGE_INTERVAL && !whole_turn ? from : place(w, &w->at);
    }
    range->points = w->points;
    return DETENT_OK;
}

detent_status dt_range(dt_arena *arena, dt_analysis *n, int driven, double from, double to,
                       detent_range *range, detent_joint_range *joints, detent_error *error)
{
    dt_system *s = &n->system;
    const dt_node *node = &s->tree->nodes[driven];
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv;
    sweep w = {.driven = driven, .q = node->q, .v = node->v, .joints = joints};
    double *q = dt_arena_alloc(arena, nq, sizeof *q), *v = dt_arena_alloc(arena, nv, sizeof *v);
    dt_curve_point *const points[] = {&w.start, &w.before, &w.at, &w.next, &w.trial};
    w.shift = dt_arena_alloc(arena, (size_t)s->tree->node_count, sizeof *w.shift);
    bool good = q && v && w.shift && dt_transmissions_create(arena, n, &w.transmissions);
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        good = good && dt_curve_point_create(arena, n, points[k]);
    }
    if (!good) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a range");
    }
    const double time = s->time;
    const bool whole_turn = isnan(from) && isnan(to) && node->type->rotational;
    memcpy(q, s->q, nq * sizeof *q);
    memcpy(v, s->v, nv * sizeof *v);
    choose_interval(s, driven, whole_turn, &from, &to);
    *range = (detent_range){.start = s->q[node->q], .points = 1};
    clear_joints(s, driven, joints);
    if (!is_tied(s, driven)) {
        range->turns = whole_turn;
        set_alone(driven, whole_turn ? range->start : from, whole_turn ? range->start + turn : to,
                  range, joints);
        return DETENT_OK;
    }
    detent_status status = enter(n, driven, from, to, error);
    if (!status) {
        clear_joints(s, driven, joints);
        range->start = s->q[node->q];
        for (int i = 0; i < s->tree->node_count; i++) { /* ratios are those of the points */
            joints[i].ratio_low = joints[i].ratio_high = NAN;
            joints[i].advantage_low = joints[i].advantage_high = NAN;
        }
        status = trace(&w, n, from, to, whole_turn, range, error);
        dt_curve_end(&w.curve);
    }
    const detent_status back = dt_analysis_set_state(n, time, q, v, NULL, status ? NULL : error);
    return status ? status : back;
}
