/*
 * How far joints go, how fast, and at which transmission angles: extremes of points, and of what lies between these. A joint turns back
 * where its component of the tangent is zero, a root; a ratio or a transmission angle has an extreme between three points of which
 * the middle one is extreme, which golden section finds.
 */
#include "analysis/range_parts.h"

/* ---- extremes along two steps ---- */

static double ratio_of(const sweep *w, const dt_pose_curve_point *point, int v)
{
    return point->t[v] / point->t[w->v];
}

/* Something of joint i at a point that has extrema on the way. */
typedef double quantity(const sweep *, const dt_pose_curve_point *, int i);

static double ratio(const sweep *w, const dt_pose_curve_point *point, int i)
{
    return ratio_of(w, point, w->curve.analysis->system.tree->nodes[i].v);
}

static double transmission(const sweep *w, const dt_pose_curve_point *point, int i)
{
    (void)w;
    return point->sine[i];
}

static double value_at(sweep *w, quantity *what, int i, double h, double sign)
{
    const double value = dt_range_step(w, &w->before, h, &w->trial) ? what(w, &w->trial, i) : NAN;
    return isnan(value) ? -INFINITY : sign * value;
}

/* Golden section: where sign * what is largest on a step of length h from w->before. w->trial is the point. */
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

/* Extends an extreme pair, each with its place. */
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

static void note_position(const sweep *w, int i, const dt_pose_curve_point *point)
{
    detent_joint_range *r = &w->joints[i];
    const double q = point->q[w->curve.analysis->system.tree->nodes[i].q] + w->shift[i];
    note(q, dt_range_place(w, point), &r->low, &r->low_at, &r->high, &r->high_at);
}

/* Whether ratios mean something there: near a crossing, at a smallest pivot p, what loops are open by comes in by 1 / p^2. */
static bool is_exact(const dt_pose_curve_point *point)
{
    static const double most = 1e-9, open = 1e-13; /* to which dt_closure_close() closes */
    return open < most * point->pivot * point->pivot;
}

static void note_advantage(const sweep *w, int i, double value, const dt_pose_curve_point *point)
{
    detent_joint_range *r = &w->joints[i];
    note(value, dt_range_place(w, point), &r->advantage_low, &r->advantage_low_at,
         &r->advantage_high, &r->advantage_high_at);
}

/* A component of a tangent that is none, at a root of another one. */
static const double nothing = 1e-8;

static void note_ratio(const sweep *w, int i, const dt_pose_curve_point *point, bool is_dead)
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
    note(value, dt_range_place(w, point), &r->ratio_low, &r->ratio_low_at, &r->ratio_high,
         &r->ratio_high_at);
    note_advantage(w, i, 1 / fabs(value), point);
    if (!isnan(sine)) {
        note(asin(sine), dt_range_place(w, point), &r->transmission_low, &r->transmission_low_at,
             &r->transmission_high, &r->transmission_high_at);
    }
}

void dt_range_note_point(const sweep *w, const dt_pose_curve_point *point, bool is_dead)
{
    const dt_tree *tree = w->curve.analysis->system.tree;
    for (int i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].type->nv == 1) {
            note_position(w, i, point);
            note_ratio(w, i, point, is_dead);
        }
    }
}

/* An extreme between `before` and `next`, where it is nearer to `at` than to them. */
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

void dt_range_note_between(sweep *w, bool is_dead)
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
            dt_range_find_root(w, &w->at, w->step[1], w->at.t[v], w->next.t[v], &end);
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
