#include "dynamics/newton_parts.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/tie_front.h"

#include <stdint.h>

static bool law_is_explicit(const dt_law *law)
{
    for (int k = 0; law->program && k < law->program->variable_count; k++) {
        if (dt_variable_is(law->program->variables[k], DT_OF_FORCES)) {
            return false;
        }
    }
    return true;
}

static bool laws_are_explicit(const dt_system *s)
{
    if (s->closure) {
        return false; /* what loops transmit is solved for together with accelerations */
    }
    bool ok = true;
    for (int l = 0; l < s->law_count && ok; l++) {
        const dt_law *law = s->law[l];
        ok = !dt_law_is(law, DT_LAW_IS_ANSWER) || law_is_explicit(law);
    }
    return ok;
}

/** What a factorisation fills and its solves use up: rows of the laws, and the solution. */
static bool create_work(dt_arena *arena, const dt_system *s, dt_newton_level highest, dt_newton *n)
{
    n->laws.row = dt_arena_alloc(arena, (size_t)s->tree->nv, sizeof *n->laws.row);
    return n->laws.row && dt_tree_newton_create_solution(arena, s, highest, &n->tree);
}

/**
 * With explicit laws articulated bodies and steps along the tree take turns, and nothing of the one
 * is wanted after the other: they share memory.
 */
static bool share_work(dt_arena *arena, const dt_system *s, dt_newton_level highest, dt_newton *n)
{
    const size_t nodes = (size_t)s->tree->node_count, nv = (size_t)s->tree->nv;
    if (n->explicit_laws) {
        dt_arena_lend(arena, n->aba.node, nodes * sizeof *n->aba.node);
    }
    const bool ok = create_work(arena, s, highest, n);
    if (n->explicit_laws) {
        dt_arena_lend(arena, n->aba.freedom, nv * sizeof *n->aba.freedom);
    }
    n->laws.friction =
        dt_arena_alloc(arena, (size_t)s->mechanism->stiction_count, sizeof *n->laws.friction);
    dt_arena_lend(arena, NULL, 0);
    return ok && n->laws.friction;
}

static bool create_tree(dt_arena *arena, const dt_system *s, dt_newton_level highest, dt_newton *n)
{
    return dt_linear_laws_create(arena, s, &n->laws) &&
           dt_tree_newton_create(arena, s, &n->laws, highest, &n->tree) &&
           share_work(arena, s, highest, n) &&
           (!s->closure || !s->closure->local || dt_tie_front_create(arena, s, &n->tree.front)) &&
           dt_coupling_create(arena, s, &n->laws, n->tree.front != NULL, &n->coupling);
}

/** Solutions of accelerations measure sizes, and may spoil a factorisation that they do not use. */
static bool create_sizes(dt_arena *arena, const dt_system *s, dt_newton *n)
{
    size_t bytes = 0;
    void *factors = dt_newton_factors(n, &bytes);
    dt_arena_lend(arena, factors, bytes);
    const bool ok = dt_force_size_create(arena, s->tree, &n->size);
    dt_arena_lend(arena, NULL, 0);
    return ok;
}

dt_newton *dt_newton_create(dt_arena *arena, const dt_system *s, detent_linear_solver solver)
{
    return dt_newton_create_up_to(arena, s, solver, DT_NEWTON_STEP);
}

dt_newton *dt_newton_create_up_to(dt_arena *arena, const dt_system *s, detent_linear_solver solver,
                                  dt_newton_level highest)
{
    const size_t nv = (size_t)s->tree->nv, ns = (size_t)s->mechanism->stiction_count;
    dt_newton *n = dt_arena_alloc(arena, 1, sizeof *n);
    if (!n) {
        return NULL;
    }
    n->solver = solver;
    n->node_count = s->tree->node_count;
    n->r_v = dt_arena_alloc(arena, nv, sizeof *n->r_v);
    n->d_v = dt_arena_alloc(arena, nv, sizeof *n->d_v);
    n->r_f = dt_arena_alloc(arena, ns, sizeof *n->r_f);
    n->d_f = dt_arena_alloc(arena, ns, sizeof *n->d_f);
    n->held = dt_arena_alloc(arena, (size_t)s->tree->node_count, sizeof *n->held);
    n->tau = dt_arena_alloc(arena, nv, sizeof *n->tau);
    n->explicit_laws = laws_are_explicit(s);
    n->r_m = dt_arena_alloc(arena, (size_t)dt_tie_rows(s->mechanism), sizeof *n->r_m);
    n->d_m = dt_arena_alloc(arena, (size_t)dt_tie_rows(s->mechanism), sizeof *n->d_m);
    if (!n->r_v || !n->d_v || !n->r_f || !n->d_f || !n->r_m || !n->d_m || !n->held || !n->tau ||
        !dt_aba_create(arena, s->tree, &n->aba) || !dt_newton_stress_create(arena, s, &n->stress)) {
        return NULL;
    }
    if (solver == DETENT_LINEAR_SOLVER_DENSE) {
        return dt_dense_newton_create(arena, s, &n->dense) && create_sizes(arena, s, n) ? n : NULL;
    }
    if (n->explicit_laws && highest == DT_NEWTON_ACCELERATION) {
        return dt_force_size_create(arena, s->tree, &n->size) ? n : NULL;
    }
    return create_tree(arena, s, highest, n) && create_sizes(arena, s, n) ? n : NULL;
}

detent_status dt_newton_singular(const dt_system *s, int node, detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                   "at t = %.9g s the motion of '%s' is undetermined: no inertia along its "
                   "freedom, or a law that "
                   "cancels it",
                   s->time, s->mechanism->primitives[node].name);
}

/** With what redundant conditions carry as it is. */
static detent_status factor_plain(dt_newton *n, dt_system *s, dt_newton_level level, double c,
                                  detent_error *error)
{
    if (n->solver == DETENT_LINEAR_SOLVER_DENSE) {
        if (dt_dense_newton_factor(&n->dense, s, level, c) >= 0) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                           "at t = %.9g s the Jacobian is singular", s->time);
        }
        return DETENT_OK;
    }
    if (!dt_linear_laws_update(&n->laws, s, level, c)) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the Jacobian of the states is singular", s->time);
    }
    int node = dt_tree_newton_factor(&n->tree, s, &n->laws, level, c);
    if (node >= 0) {
        return dt_newton_singular(s, node, error);
    }
    if (!dt_coupling_factor(&n->coupling, &n->tree, s, &n->laws)) {
        return dt_fail(
            error, DETENT_ERROR_NUMERIC, NULL,
            "at t = %.9g s the laws that read other joints leave the motion undetermined", s->time);
    }
    return DETENT_OK;
}

detent_status dt_newton_factor(dt_newton *n, dt_system *s, dt_newton_level level, double c,
                               detent_error *error)
{
    const detent_status status = factor_plain(n, s, level, c, error);
    if (!status && n->stress && !dt_newton_stress_factor(n, s, level, c)) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the laws that follow what loops carry leave the motion "
                       "undetermined",
                       s->time);
    }
    return status;
}

/** Of the eliminated frictions, the pivots along the tree, and the laws that read other nodes. */
static int tree_sign(const dt_newton *n, const dt_system *s)
{
    int sign = dt_coupling_sign(&n->coupling, &n->tree, &n->laws);
    sign *= n->tree.front ? n->tree.front->sign : 1;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; n->tree.freedom[i] == DT_FREEDOM_FREE && j < node->v + node->type->nv;
             j++) {
            sign = n->tree.D[j] < 0 ? -sign : sign;
        }
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const dt_friction_slope *friction = &n->laws.friction[k];
        const bool negative =
            s->mode[k] == DETENT_LOCKED ? friction->one_plus_Qf < 0 : 1 + friction->f < 0;
        sign = negative ? -sign : sign;
    }
    return sign;
}

int dt_newton_sign(const dt_newton *n, const dt_system *s)
{
    const int sign =
        n->solver == DETENT_LINEAR_SOLVER_DENSE ? dt_dense_newton_sign(&n->dense) : tree_sign(n, s);
    return n->stress ? sign * dt_newton_stress_sign(n->stress) : sign;
}

/** dq of a quaternion: q o dphi / 2 + sigma q, with sigma = -(rho_s + v . dphi / 4) / c. */
static void quaternion_change(const dt_newton *n, const dt_system *s, const dt_node *node,
                              const double *r_q, double *d_q)
{
    const double *q = s->q + node->q, *v = s->v + node->v, *phi = n->tree.delta + node->v,
                 *r = r_q + node->q;
    double qq = 0, qr = 0, cross[3];
    for (int k = 0; k < 4; k++) {
        qq += q[k] * q[k];
        qr += q[k] * r[k];
    }
    double sigma = -(qr / qq + 0.25 * dt_dot3(v, phi)) / n->tree.c;
    dt_cross3(cross, q + 1, phi);
    d_q[node->q] = -0.5 * dt_dot3(q + 1, phi) + sigma * q[0];
    for (int k = 0; k < 3; k++) {
        d_q[node->q + 1 + k] = 0.5 * (q[0] * phi[k] + cross[k]) + sigma * q[1 + k];
    }
}

static void tree_solution(const dt_newton *n, const dt_system *s, const double *r_q,
                          const double *r_v, double *d_q, double *d_v, double *d_f)
{
    const bool step = n->tree.level == DT_NEWTON_STEP;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const bool prescribed = n->tree.freedom[i] == DT_FREEDOM_PRESCRIBED;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            d_v[j] = prescribed ? -r_v[j] : step ? n->tree.dv[j] : n->tree.da[j];
        }
        if (!step) {
            continue;
        }
        if (prescribed && !dt_is_driven_by_speed(s, i)) {
            d_q[node->q] = -r_q[node->q];
        } else if (node->type->nq == 4) {
            quaternion_change(n, s, node, r_q, d_q);
        } else if (node->type->nq == 1) {
            d_q[node->q] = n->tree.delta[node->v];
        }
    }
    memcpy(d_f, n->tree.df, (size_t)s->mechanism->stiction_count * sizeof *d_f);
}

/** The multipliers among the answers. */
static void multipliers(const dt_newton *n, double *d_m)
{
    for (int e = n->laws.law_count; e < n->laws.acceleration_count; e++) {
        const dt_remote *remote = &n->laws.remote[e];
        d_m[remote->row] = n->tree.front ? n->tree.front->u[remote->row] : n->coupling.u[e];
    }
}

/** Changes of states, in place of their residuals, from what they read in the solution. */
static void solve_states(dt_newton *n, const dt_system *s, double *z)
{
    dt_state_slopes *states = &n->laws.states;
    for (int k = 0; k < states->count; k++) {
        const dt_program *p = s->mechanism->states[k].derivative;
        z[k] = -z[k];
        for (int j = 0; j < p->variable_count; j++) {
            if (dt_variable_is(p->variables[j], DT_OF_JOINT) && states->slope[k][j] != 0) {
                z[k] += states->slope[k][j] * dt_coupling_reading(&n->tree, s, p->variables[j]);
            }
        }
    }
    dt_state_slopes_solve(states, z);
}

static void solve_along_tree(dt_newton *n, dt_system *s, const dt_unknowns *r, const dt_unknowns *d)
{
    const bool step = n->tree.level == DT_NEWTON_STEP;
    const dt_tree_load load = {
        .r_q = step ? r->q : NULL, .r_v = r->v, .r_f = r->f, .r_m = r->m, .r_z = r->z};
    dt_coupling_solve(&n->coupling, &n->tree, s, &n->laws, &load);
    multipliers(n, d->m);
    tree_solution(n, s, r->q, r->v, d->q, d->v, d->f);
    if (n->laws.states.active) {
        memmove(d->z, r->z, (size_t)n->laws.states.count * sizeof *d->z);
        solve_states(n, s, d->z);
    }
}

void dt_newton_solve_plain(dt_newton *n, dt_system *s, const dt_unknowns *r, const dt_unknowns *d)
{
    const bool is_dense = n->solver == DETENT_LINEAR_SOLVER_DENSE;
    const bool step = (is_dense ? n->dense.level : n->tree.level) == DT_NEWTON_STEP;
    /* `d` may be r. */
    const bool exact = s->closure && dt_still_is_exact(s, step ? r->q : NULL, r->f, r->m);
    if (is_dense) {
        dt_dense_newton_solve(&n->dense, s, r, d);
    } else {
        solve_along_tree(n, s, r, d);
    }
    if (exact) { /* without the rounding of what is solved for beside it */
        dt_still_clear(s, step ? d->q : NULL, d->v);
    }
}

void dt_newton_solve(dt_newton *n, dt_system *s, const dt_unknowns *r, const dt_unknowns *d)
{
    dt_newton_solve_plain(n, s, r, d);
    if (n->stress) {
        dt_newton_stress_correct(n->stress, s, d);
    }
}

/* ---- accelerations without polishing ---- */

bool dt_newton_is_explicit(const dt_newton *n)
{
    return n->explicit_laws;
}

dt_aba *dt_newton_aba(dt_newton *n)
{
    return &n->aba;
}

dt_force_size *dt_newton_size(dt_newton *n)
{
    return &n->size;
}

void *dt_newton_factors(const dt_newton *n, size_t *bytes)
{
    char *start = n->explicit_laws ? (char *)n->tree.U : NULL;
    const size_t all = start ? n->tree.column_bytes : 0,
                 taken = (uintptr_t)(n->size.reach + n->node_count) - (uintptr_t)start;
    *bytes = n->size.reach && taken <= all ? all - taken : all; /* the sizes come first */
    return start ? start + (all - *bytes) : NULL;
}

/** Forces of the free freedoms; marks the held nodes. */
static void known_forces(dt_newton *n, dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            n->tau[j] = s->Q[j];
        }
        n->held[i] = dt_is_prescribed(s, i);
        if (k < 0) {
            continue;
        }
        if (s->mode[k] == DETENT_LOCKED) {
            n->held[i] = 1;
        } else {
            s->f[k] = dt_system_moving_friction(s, k);
            n->tau[node->v] += s->f[k];
        }
    }
}

/** Takes over what the articulated bodies found: A, F, tau, and the friction of locked joints. */
static void take_over(dt_newton *n, dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const int k = s->mechanism->primitives[i].stiction;
        dt_copy6(s->A[i], n->aba.node[i].A);
        dt_copy6(s->F[i], n->aba.node[i].F);
        if (k >= 0 && s->mode[k] == DETENT_LOCKED) {
            s->f[k] = s->tau[s->tree->nodes[i].v] - s->Q[s->tree->nodes[i].v];
        }
    }
}

detent_status dt_forward_dynamics(dt_newton *n, dt_system *s, detent_error *error)
{
    if (!n->explicit_laws) {
        return dt_solve_accelerations(n, s, NULL, error);
    }
    dt_system_wrenches(s); /* explicit: none reads reactions */
    dt_system_forces(s);
    known_forces(n, s);
    int node = dt_aba_factor(s->tree, s->motion, n->held, NULL, &n->aba);
    if (node >= 0) {
        return dt_newton_singular(s, node, error);
    }
    dt_aba_load load = {.tau = n->tau,
                        .held_a = s->prescribed,
                        .bias = true,
                        .external = (const double(*)[6])s->external};
    memcpy(load.gravity, s->gravity, sizeof load.gravity);
    dt_aba_solve(s->tree, s->motion, &load, &n->aba, s->a, s->tau);
    take_over(n, s);
    return DETENT_OK;
}
