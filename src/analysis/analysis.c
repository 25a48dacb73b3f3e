#include "analysis/analysis.h"

#include "base/error.h"
#include "dynamics/closure_parts.h"
#include "dynamics/element.h"

/* ---- set-up ---- */

static bool take(dt_arena *arena, dt_analysis *n)
{
    const size_t nq = (size_t)n->system.tree->nq, nv = (size_t)n->system.tree->nv,
                 rows = (size_t)dt_tie_rows(n->system.mechanism),
                 nodes = (size_t)n->system.tree->node_count,
                 ns = (size_t)n->system.mechanism->stiction_count;
#define TAKE(member, count) \
    ((n->member = dt_arena_alloc(arena, (count), sizeof *n->member)) != NULL)
    return TAKE(given, nv) && TAKE(q, nq) && TAKE(v, nv) && TAKE(q_given, nq) &&
           TAKE(v_given, nv) && TAKE(q_closed, nq) && TAKE(undriven, rows) && TAKE(row, rows) &&
           TAKE(load, nv) && TAKE(share, nv) && TAKE(driven, nv) && TAKE(beside, nodes) &&
           TAKE(told, nodes) && TAKE(given_f, ns) && TAKE(other_f, ns) && TAKE(static_limits, ns) &&
           dt_loop_solver_create(arena, &n->system, &n->loops) &&
           dt_scale_create(arena, &n->system, &n->scale);
#undef TAKE
}

detent_status dt_analysis_create(dt_arena *arena, const detent_mechanism *m, dt_analysis *n,
                                 detent_error *error)
{
    dt_system *s = &n->system;
    const detent_settings *settings = &m->settings;
    detent_status status = dt_system_create(arena, m, s, error);
    if (!status && s->closure) {
        status = dt_closure_assemble(s, error);
    }
    if (status) {
        return status;
    }
    if (!take(arena, n)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
    }
    if (s->closure) { /* no joint is stuck, and what follows from what may change on the way */
        s->closure->assembles = s->closure->is_stepping = true;
    }
    dt_system_set_state(s, settings->start, s->q, s->v);
    dt_system_update_branches(s);
    dt_system_set_state(s, settings->start, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_scale_derive(s, settings->end - settings->start, &n->scale);
    s->scale = &n->scale;
    return DETENT_OK;
}

/* ---- states ---- */

bool dt_analysis_is_prescribed(const dt_system *s, int node)
{
    return dt_is_prescribed(s, node);
}

static bool is_given(const dt_analysis *n, const dt_node *node)
{
    bool any = false;
    for (int j = node->v; j < node->v + node->type->nv; j++) {
        any = any || n->given[j];
    }
    return any;
}

/**
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

/** How far the way is: the largest turn in rad, or slide in lengths of the mechanism. */
static double distance(const dt_analysis *n, bool exact)
{
    const dt_system *s = &n->system;
    const double length = dt_closure_reach(s);
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int k = node->q; k < node->q + node->type->nq && (!exact || is_given(n, node)); k++) {
            const double own = fabs(n->q_given[k] - n->q[k]);
            most = fmax(most, node->type->rotational ? own : own / length);
        }
    }
    return most;
}

/** Poses the system at `q`, and chooses there what follows from what. */
static void begin_at(dt_analysis *n, double t, const double *q)
{
    dt_system *s = &n->system;
    memcpy(s->q, q, (size_t)s->tree->nq * sizeof *q);
    s->time = t;
    dt_system_prescribe(s);
    dt_system_pose(s);
    memcpy(s->closure->kept, n->given, (size_t)s->tree->nv * sizeof *n->given);
    dt_closure_choose(s);
}

/** Sets the state in s->q at t; false where its loops do not close, or what is given had to give way. */
static bool close_at(dt_analysis *n, double t)
{
    dt_system *s = &n->system;
    memcpy(s->v, n->v_given, (size_t)s->tree->nv * sizeof *s->v);
    dt_system_set_state(s, t, s->q, s->v);
    bool good = !s->closure->open && !isnan(s->q[0]);
    for (int v = 0; v < s->tree->nv && good; v++) {
        good = !(n->given[v] && s->closure->dependent[v]);
    }
    if (good) {
        memcpy(n->q_closed, s->q, (size_t)s->tree->nq * sizeof *s->q);
    }
    return good;
}

/**
 * From where the analysis was, in steps that no joint moves far in, each half as long as the last one that failed. Returns
 * the part of the way that was possible.
 */
static double approach(dt_analysis *n, double t, bool exact)
{
    static const int most_steps = 2000;
    static const double far = 0.3, least = 1e-9;
    const double start = n->time;
    double at = 0, step = fmin(1, far / fmax(distance(n, exact), far));
    begin_at(n, start, n->q);
    memcpy(n->q_closed, n->q, (size_t)n->system.tree->nq * sizeof *n->q);
    for (int k = 0; k < most_steps && at < 1 && step > least; k++) {
        const double next = at + step >= 1 ? 1 : at + step;
        go(n, next, exact);
        if (close_at(n, next == 1 ? t : start + next * (t - start))) {
            at = next;
        } else {
            step *= 0.5;
            begin_at(n, start + at * (t - start), n->q_closed);
        }
    }
    return at;
}

/** The loops close to rounding where they are asked to be, but for what first guesses are good for. */
static bool is_near(dt_analysis *n, double t)
{
    static const double near = 1e-6;
    begin_at(n, t, n->q_given);
    return dt_closure_error(&n->system) <= near * dt_closure_reach(&n->system);
}

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

static detent_status fail_way(const dt_analysis *n, double part, detent_error *error)
{
    const char *name = given_name(n);
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "the loops cannot be closed at these positions%s%s%s: from where they were they "
                   "follow for %.3g of the way",
                   name ? " (of '" : "", name ? name : "", name ? "' and what else is given)" : "",
                   part);
}

/** Back to the state of before. */
static void go_back(dt_analysis *n)
{
    dt_system *s = &n->system;
    memset(n->given, 0, (size_t)s->tree->nv * sizeof *n->given);
    begin_at(n, n->time, n->q);
    dt_system_set_state(s, n->time, n->q, n->v);
}

detent_status dt_analysis_set_state(dt_analysis *n, double t, const double *q, const double *v,
                                    const bool *given, detent_error *error)
{
    dt_system *s = &n->system;
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv;
    n->time = s->time;
    memcpy(n->q, s->q, nq * sizeof *q);
    memcpy(n->v, s->v, nv * sizeof *n->v);
    memcpy(n->q_given, q, nq * sizeof *q);
    for (size_t k = 0; k < nv; k++) {
        n->given[k] = given && given[k];
        n->v_given[k] = v ? v[k] : 0;
    }
    if (!s->closure) {
        dt_system_set_state(s, t, n->q_given, n->v_given);
        return DETENT_OK;
    }
    if (is_near(n, t) && close_at(n, t)) {
        return DETENT_OK;
    }
    const double part = approach(n, t, given != NULL);
    if (part == 1) {
        return DETENT_OK;
    }
    const detent_status status = fail_way(n, part, error);
    go_back(n);
    return status;
}

/* ---- what follows from a state ---- */

void dt_analysis_close_accelerations(dt_analysis *n, double *a)
{
    dt_system *s = &n->system;
    dt_loop_solver *l = &n->loops;
    memset(s->f, 0, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    if (!s->closure || !dt_loop_solver_factor(l, s, NULL)) {
        dt_system_set_acceleration(s, a, s->f);
        return;
    }
    memset(s->multiplier, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier);
    for (int k = 0; k < l->count; k++) {
        a[l->freedom[k]] = 0;
    }
    dt_system_set_acceleration(s, a, s->f);
    dt_tie_residuals(s, n->row);
    for (int k = 0; k < l->count; k++) {
        l->x[k] = n->row[s->closure->row[k]];
    }
    dt_loop_solver_velocities(l);
    for (int k = 0; k < l->count; k++) {
        a[l->freedom[k]] -= l->x[k];
    }
    dt_system_set_acceleration(s, a, s->f);
}

void dt_analysis_set_modes(dt_analysis *n, const double *a)
{
    dt_system *s = &n->system;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        const double way = s->v[j] != 0 ? s->v[j] : a[j];
        s->mode[k] = (signed char)(s->v[j] != 0 ? DETENT_UNLOCKED
                                   : way != 0   ? DETENT_WAIT
                                                : DETENT_LOCKED);
        s->direction[k] = (signed char)((way > 0) - (way < 0));
        s->yielded[k] = 0;
    }
}
