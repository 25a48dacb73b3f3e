#include "analysis/follow.h"
#include "analysis/surplus.h"

#include "base/error.h"
#include "dynamics/closure_parts.h"

#include <float.h>
#include <stdio.h>

/* No step goes farther than that, in rad, or lengths of the mechanism. */
static const double far = 0.2;
/* The longest step that may lead from one side of a crossing to the other: gaps of the loops of its square are not seen. */
static const double crossing = 1e-6;
/* A step that fails and is shorter ends the way. */
static const double least = 1e-9;
/* A step that is as short a part of the way is not made shorter for being far: a motion may jump. */
static const double jump = 1e-12;
enum { MOST_STEPS = 2000000 };

static bool is_given(const dt_analysis *n, const dt_node *node)
{
    bool any = false;
    for (int j = node->v; j < node->v + node->type->nv; j++) {
        any = any || n->given[j];
    }
    return any;
}

/* ---- places along the way ---- */

/*
 * Puts every coordinate a part `way` of its way from n->q to n->q_given; those that follow from others, and where some are
 * `exact` all that are not, stay where they were closed last.
 */
static void go(dt_analysis *n, double way, bool exact)
{
    dt_system *s = &n->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const bool follows = node->type->nv == 1 && s->closure->dependent[node->v];
        const bool goes = exact ? is_given(n, node) : !follows;
        for (int k = node->q; k < node->q + node->type->nq; k++) {
            s->q[k] = !goes      ? n->q_closed[k]
                      : way == 1 ? n->q_given[k]
                                 : n->q[k] + way * (n->q_given[k] - n->q[k]);
        }
        if (node->type->nq > 0 && way < 1) {
            node->type->normalize(s->q + node->q);
        }
    }
}

/* How far the way is: the largest turn in rad, or slide in lengths of the mechanism. */
static double distance(const dt_analysis *n)
{
    const dt_system *s = &n->system;
    const double length = dt_closure_reach(s);
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int k = node->q; k < node->q + node->type->nq; k++) {
            const double own = fabs(n->q_given[k] - n->q[k]);
            most = fmax(most, node->type->rotational ? own : own / length);
        }
    }
    return most;
}

static double time_at(const dt_analysis *n, double t, double part)
{
    return part == 1 ? t : n->time + part * (t - n->time);
}

void dt_follow_begin(dt_analysis *n, double t, const double *q)
{
    dt_system *s = &n->system;
    memcpy(s->q, q, (size_t)s->tree->nq * sizeof *q);
    s->time = t;
    dt_system_prescribe(s);
    dt_system_pose(s);
    memcpy(s->closure->kept, n->given, (size_t)s->tree->nv * sizeof *n->given);
    dt_closure_choose(s);
}

/* Sets the state in s->q at t; false where its loops do not close, or what is given had to give way. */
static bool close_at(dt_analysis *n, double t)
{
    dt_system *s = &n->system;
    memcpy(s->v, n->v_given, (size_t)s->tree->nv * sizeof *s->v);
    dt_system_set_state(s, t, s->q, s->v);
    bool good = !s->closure->open && !isnan(s->q[0]);
    for (int v = 0; v < s->tree->nv && good; v++) {
        good = !(n->given[v] && s->closure->dependent[v]);
    }
    return good;
}

static void keep_closed(dt_analysis *n)
{
    memcpy(n->q_closed, n->system.q, (size_t)n->system.tree->nq * sizeof *n->q_closed);
}

/* ---- first guesses ---- */

/* The loops close to rounding where they are asked to be, but for what first guesses are good for. */
static bool is_near(dt_analysis *n, double t)
{
    static const double near = 1e-6;
    dt_follow_begin(n, t, n->q_given);
    return dt_closure_error(&n->system) <= near * dt_closure_reach(&n->system);
}

/*
 * Where loops are open, by however little, the rows of a linkage that moves by its shape alone, as Bennett's, seem to be independent: more
 * than at the first positions. What is chosen where they are closed is right.
 */
static bool close_near(dt_analysis *n, double t)
{
    const dt_closure *c = n->system.closure;
    const bool doubtful = c->count > c->initial_count;
    if (!doubtful) {
        return close_at(n, t);
    }
    if (!close_at(n, t)) {
        return false;
    }
    keep_closed(n);
    dt_follow_begin(n, t, n->q_closed);
    return close_at(n, t);
}

/*
 * From where the analysis was, in steps that no joint moves far in, each half as long as the last one that failed. Returns
 * the part of the way that was possible.
 */
static double approach(dt_analysis *n, double t)
{
    static const int most_steps = 2000;
    static const double longest = 0.3;
    double at = 0, step = fmin(1, longest / fmax(distance(n), longest));
    dt_follow_begin(n, n->time, n->q);
    memcpy(n->q_closed, n->q, (size_t)n->system.tree->nq * sizeof *n->q);
    for (int k = 0; k < most_steps && at < 1 && step > least; k++) {
        const double next = at + step >= 1 ? 1 : at + step;
        go(n, next, false);
        if (close_at(n, time_at(n, t, next))) {
            at = next;
            keep_closed(n);
        } else {
            step *= 0.5;
            dt_follow_begin(n, time_at(n, t, at), n->q_closed);
        }
    }
    return at;
}

/* ---- what is given ---- */

typedef struct follower {
    dt_analysis *analysis;
    double t;        /**< where it goes */
    double at, step; /**< parts of the way */
    double size;     /**< of the last step that was tried: rad, or lengths of the mechanism */
    /** The smallest one where it is, and before the step that led there; 0: not known. */
    double pivot[2];
    double last; /**< the size of that step */
} follower;

/* The largest of ways along freedoms: rad, or lengths of the mechanism. */
static double largest(const dt_system *s, const double *way, const double *less)
{
    const double length = dt_closure_reach(s);
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            const double own = fabs(way[v] - (less ? less[v] : 0)),
                         size = node->type->rotational ? own : own / length;
            most = size > most || isnan(size) ? size : most;
        }
    }
    return most;
}

/* The ways of all freedoms from n->q_closed to s->q. */
static void find_ways(const dt_analysis *n, double *way)
{
    const dt_system *s = &n->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        dt_surplus_way(node, n->q_closed + node->q, s->q + node->q, way + node->v);
    }
}

/* How far motions would go at the rate that they have at a time, in `duration`: rad, or lengths. */
static double by_rate(dt_system *s, double t, double duration)
{
    const double length = dt_closure_reach(s);
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        double jet[3];
        if (dt_is_prescribed(s, i)) {
            dt_motion_jet(s, i, t, jet);
            const double way = fabs(jet[1] * duration);
            most = fmax(most, s->tree->nodes[i].type->rotational ? way : way / length);
        }
    }
    return most;
}

/* Of motions with switches (`if`, `mod`) the branches are those of the time. */
static void set_time(dt_system *s, double t)
{
    s->time = t;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_is_prescribed(s, i)) {
            dt_law_update_branches(s, dt_motion_law(s, i));
        }
    }
    dt_system_prescribe(s);
}

/* What follows from the ways of all others, in `way`, by the rows as they were factored last. */
static void take_along(dt_analysis *n, double *way)
{
    dt_system *s = &n->system;
    memcpy(s->v, way, (size_t)s->tree->nv * sizeof *way);
    dt_closure_follow(s);
    memcpy(way, s->v, (size_t)s->tree->nv * sizeof *way);
}

/* First guesses of who follows. */
static void guess(dt_analysis *n, const double *way)
{
    dt_system *s = &n->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        bool follows = false;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            follows = follows || s->closure->dependent[j];
        }
        if (follows) {
            memcpy(s->q + node->q, n->q_closed + node->q,
                   (size_t)node->type->nq * sizeof *n->q_closed);
            for (int j = 0; j < node->type->nv; j++) {
                dt_closure_move(s, i, j, way[node->v + j]);
            }
        }
    }
}

/* Whether the way turns little from the place of before to this one, and Newton's method had little to correct. */
static bool is_straight(dt_analysis *n)
{
    static const double bent = 0.05, off = 0.25,
                        closed = 1e-11; /* how well ways are known that Newton's method ends */
    dt_system *s = &n->system;
    const double size = largest(s, n->way[0], NULL);
    find_ways(n, n->way[1]);
    if (!(largest(s, n->way[1], n->way[0]) <= off * size + closed)) {
        return false;
    }
    memcpy(n->way[1], n->way[0], (size_t)s->tree->nv * sizeof *n->way[1]);
    take_along(n, n->way[1]);
    return largest(s, n->way[1], n->way[0]) <= bent * size + closed;
}

/* The state at a part of the way, from the one before; false where the step is too long. */
static bool try_step(follower *f, double next)
{
    dt_analysis *n = f->analysis;
    dt_system *s = &n->system;
    dt_closure *c = s->closure;
    const double t = time_at(n, f->t, next), from = time_at(n, f->t, f->at);
    dt_follow_begin(n, from, n->q_closed);
    dt_closure_look(s);
    const int side = c->side;
    const unsigned choice = c->choice;
    f->pivot[0] = c->pivot;
    const double rate = by_rate(s, from, t - from);
    go(n, next, true);
    set_time(s, t);
    find_ways(n, n->way[0]);
    take_along(n, n->way[0]);
    f->size = largest(s, n->way[0], NULL);
    if (f->size == 0 && rate == 0) {
        return close_at(n, t);
    }
    const double usual = fmax(f->size, fmax(rate, by_rate(s, t, t - from)));
    const double ahead = f->pivot[1] > f->pivot[0] && f->pivot[0] < 0.3
                             ? f->pivot[0] * f->last / (f->pivot[1] - f->pivot[0])
                             : INFINITY;
    const bool jumps = next - f->at < jump;
    if (side == 0 || (!jumps && !(usual <= fmin(far, fmax(0.5 * ahead, crossing))))) {
        return false;
    }
    guess(n, n->way[0]);
    if (!close_at(n, t) || c->choice != choice) {
        return false;
    }
    memcpy(n->q_guess, s->q, (size_t)s->tree->nq * sizeof *s->q);
    dt_closure_look(s);
    const bool good =
        (c->side == side || (c->side != 0 && f->size <= crossing)) && (is_straight(n) || jumps);
    return good && (memcpy(s->q, n->q_guess, (size_t)s->tree->nq * sizeof *s->q), close_at(n, t));
}

/* Steps as long as they are good. Returns the part of the way that was possible. */
static void follow(follower *f)
{
    dt_analysis *n = f->analysis;
    dt_system *s = &n->system;
    memcpy(n->q_closed, n->q, (size_t)s->tree->nq * sizeof *n->q);
    s->closure->is_stepping = false;
    for (int k = 0; k < MOST_STEPS && f->at < 1; k++) {
        const double next = f->at + f->step >= 1 ? 1 : f->at + f->step;
        if (try_step(f, next)) {
            f->at = next;
            f->pivot[1] = f->pivot[0];
            f->last = f->size;
            f->step *= 2;
            keep_closed(n);
        } else if (next - f->at <= DBL_EPSILON || (f->size < least && next - f->at < least)) {
            break; /* no shorter step leads to another place, or is worth it */
        } else {
            f->step = 0.5 * (next - f->at);
        }
    }
    s->closure->is_stepping = true;
}

/* ---- the whole ---- */

static const char *given_name(const dt_analysis *n)
{
    const dt_system *s = &n->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (is_given(n, &s->tree->nodes[i])) {
            return s->mechanism->primitives[i].name;
        }
    }
    return NULL;
}

/*
 * Why it goes no farther from where the system was closed last, at t `at`: at a dead centre of what is given others would move ever faster, where
 * branches meet they do not.
 */
static const char *reason(dt_analysis *n, double t, double at)
{
    static const double fast = 100;
    dt_system *s = &n->system;
    dt_follow_begin(n, at, n->q_closed);
    dt_closure_look(s);
    go(n, 1, true);
    set_time(s, t);
    find_ways(n, n->way[0]);
    const double given = largest(s, n->way[0], NULL);
    bool gives_way = false; /* others decide how it moves, and not it how they do */
    for (int v = 0; v < s->tree->nv; v++) {
        gives_way = gives_way || (n->given[v] && s->closure->dependent[v]);
    }
    take_along(n, n->way[0]);
    return !gives_way && largest(s, n->way[0], NULL) < fast * given
               ? "; there branches of the motion meet, or nearly so"
               : "; there they are at a dead centre";
}

static detent_status fail_way(dt_analysis *n, double t, double part, bool is_singular,
                              detent_error *error)
{
    const char *name = given_name(n);
    const char *why = is_singular ? reason(n, t, time_at(n, t, part)) : "";
    const bool nearly = part > 0.99; /* all but 1e-9 of it is not 1 */
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "at t = %.9g s the loops cannot be closed at these positions%s%s%s: from where "
                   "they were they follow for %s%.3g of the way%s",
                   t, name ? " (of '" : "", name ? name : "",
                   name ? "' and what else is given)" : "", nearly ? "all but " : "",
                   nearly ? 1 - part : part, why);
}

/* Whether who is not given is said to be where it is: then it is no guess. */
static bool stays(const dt_analysis *n)
{
    const dt_system *s = &n->system;
    bool same = true;
    for (int i = 0; i < s->tree->node_count && same; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int k = node->q; k < node->q + node->type->nq && !is_given(n, node); k++) {
            same = same && n->q[k] == n->q_given[k];
        }
    }
    return same;
}

detent_status dt_follow(dt_analysis *n, double t, bool exact, detent_error *error)
{
    static const double singular = 0.01;
    const bool near = !(exact && stays(n)) && is_near(n, t);
    if (exact) {
        if (!near) {
            dt_follow_begin(n, n->time, n->q);
        }
        dt_surplus_drop(n);
    }
    if (near && close_near(n, t)) {
        return DETENT_OK;
    }
    if (!exact) {
        const double part = approach(n, t);
        return part == 1 ? DETENT_OK : fail_way(n, t, part, false, error);
    }
    follower f = {.analysis = n, .t = t, .step = 1};
    follow(&f);
    return f.at == 1 ? DETENT_OK
                     : fail_way(n, t, f.at, fmin(f.pivot[0], f.pivot[1]) < singular, error);
}
