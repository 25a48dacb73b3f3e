/* Newton's step with what redundant conditions carry as it is: along the tree, or dense. */
#include "dynamics/newton_parts.h"

#include "dynamics/closure_still.h"
#include "dynamics/tie_front.h"

detent_status dt_newton_singular(const dt_system *s, int node, detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                   "at t = %.9g s the motion of '%s' is undetermined: no inertia along its "
                   "freedom, or a law that "
                   "cancels it",
                   s->time, s->mechanism->primitives[node].name);
}

detent_status dt_newton_factor_plain(dt_newton *n, dt_system *s, dt_newton_level level, double c,
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
    for (int j = 0; n->drag && j < s->tree->nv; j++) {
        n->laws.row[j].v += n->drag[j];
    }
    for (int j = 0; n->spring && j < s->tree->nv; j++) {
        n->laws.row[j].q += n->spring[j];
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

/* dq of a quaternion: q o dphi / 2 + sigma q, with sigma = -(rho_s + v . dphi / 4) / c. */
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
            d_v[j] = prescribed ? -r_v[j] : step ? n->tree.dv[j] : dt_tree_newton_da(&n->tree, j);
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

/* The multipliers among the answers. */
static void multipliers(const dt_newton *n, double *d_m)
{
    for (int e = n->laws.law_count; e < n->laws.acceleration_count; e++) {
        const dt_remote *remote = &n->laws.remote[e];
        d_m[remote->row] = n->tree.front ? n->tree.front->u[remote->row] : n->coupling.u[e];
    }
}

/* Changes of states, in place of their residuals, from what they read in the solution. */
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
