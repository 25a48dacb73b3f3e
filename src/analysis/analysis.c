#include "analysis/follow.h"
#include "analysis/surplus.h"

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
           TAKE(v_given, nv) && TAKE(q_closed, nq) && TAKE(q_guess, nq) && TAKE(way[0], nv) &&
           TAKE(way[1], nv) && TAKE(undriven, rows) && TAKE(row, rows) && TAKE(load, nv) &&
           TAKE(share, nv) && TAKE(driven, nv) && TAKE(beside, nodes) && TAKE(told, nodes) &&
           TAKE(given_f, ns) && TAKE(other_f, ns) && TAKE(static_limits, ns) &&
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
    if (!dt_scale_derive(s, settings->end - settings->start, &n->scale)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
    }
    s->scale = &n->scale;
    return DETENT_OK;
}

/* ---- states ---- */

bool dt_analysis_is_prescribed(const dt_system *s, int node)
{
    return dt_is_prescribed(s, node);
}

/* Back to the state of before. */
static void go_back(dt_analysis *n)
{
    dt_system *s = &n->system;
    memset(n->given, 0, (size_t)s->tree->nv * sizeof *n->given);
    dt_follow_begin(n, n->time, n->q);
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
    detent_status status = dt_follow(n, t, given != NULL, error);
    if (!status && given) {
        status = dt_surplus_check(n, given, error);
    }
    if (status) {
        go_back(n);
    }
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
