/*
 * Solution with a factored tree: inward the constants, outward the unknowns (see tree_newton.h).
 */
#include "dynamics/tie_front.h"

static inline double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static inline double value(const double *array, int k)
{
    return array ? array[k] : 0;
}

/* b of dv = A3 delta + b. Quaternion: with rho = q^-1 r, b = 2 rho_v + (rho_s / c) v. */
static void coordinate_residual(const dt_tree_newton *tn, const dt_system *s, const dt_node *node,
                                const double *r_q, double *b)
{
    const int nv = node->type->nv;
    for (int j = 0; j < nv; j++) {
        b[j] = 0;
    }
    if (tn->level != DT_NEWTON_STEP || !r_q) {
        return;
    }
    if (nv == 1) {
        b[0] = r_q[node->q];
    }
    if (nv != 3) {
        return;
    }
    const double *q = s->q + node->q, *r = r_q + node->q, *v = s->v + node->v;
    const double qq = dot(4, q, q), scalar = dot(4, q, r) / qq;
    double cross[3];
    dt_cross3(cross, q + 1, r + 1);
    for (int j = 0; j < 3; j++) {
        b[j] = 2 * (q[0] * r[1 + j] - r[0] * q[1 + j] - cross[j]) / qq + scalar / tn->c * v[j];
    }
}

/* The right-hand side of a free node's own equation. */
static void own_rhs(const dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws,
                    const dt_tree_load *load, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const int k = s->mechanism->primitives[i].stiction;
    for (int j = node->v; j < node->v + node->type->nv; j++) {
        const dt_row *row = &laws->row[j];
        tn->rhs[j] = -value(load->r_v, j);
        if (node->type->nv == 1) {
            tn->rhs[j] += value(load->u_Q, i);
        }
        if (k >= 0) {
            tn->rhs[j] -= laws->w[k] * (value(load->r_f, k) + value(load->u_K, k));
        }
        if (tn->level == DT_NEWTON_STEP) {
            tn->rhs[j] -= (row->v + tn->c * row->a) * tn->b[j];
        }
    }
}

/* delta of a held node. */
static double held_delta(const dt_tree_newton *tn, const dt_system *s, const dt_tree_load *load,
                         int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    if (tn->freedom[i] == DT_FREEDOM_PRESCRIBED) { /* dv = c delta + b = 0 */
        return tn->level == DT_NEWTON_STEP ? -tn->b[s->tree->nodes[i].v] / tn->c : 0;
    }
    if (tn->level == DT_NEWTON_ACCELERATION) {
        return -value(load->r_f, k);
    }
    return (-value(load->r_f, k) / tn->c - tn->b[s->tree->nodes[i].v]) / tn->c;
}

/* What p is to the equation of freedom j of node i. */
static double sigma_p(const dt_tree_newton *tn, const dt_linear_laws *laws, int i, int j)
{
    return dt_dot6(dt_tree_newton_sigma(tn, laws, j), dt_tree_newton_p(tn, i));
}

/* left (rhs - sigma . p): the own equations of a free node at z = 0. */
static void own_equations(const dt_tree_newton *tn, const dt_linear_laws *laws, const dt_node *node,
                          int i, double e[3])
{
    for (int j = 0; j < node->type->nv; j++) {
        e[j] = tn->rhs[node->v + j] - sigma_p(tn, laws, i, node->v + j);
    }
    if (node->type->nv == 3) {
        const double each[3] = {e[0], e[1], e[2]};
        dt_rotate(e, tn->left[node->v], each);
    }
}

/* Constant part of eta of a free node (that without z_p): D (own equations - sP Ub b). */
static void free_constant(dt_tree_newton *tn, const dt_linear_laws *laws, const dt_node *node,
                          int i, double eta[3])
{
    const int nv = node->type->nv, nz = tn->nz;
    own_equations(tn, laws, node, i, eta);
    if (!tn->keeps_p) {
        memcpy(tn->rhs + node->v, eta, (size_t)nv * sizeof *eta);
    }
    for (int j = 0; j < nv; j++) {
        const double *sP = tn->sP + (size_t)(node->v + j) * (size_t)nz;
        for (int k = 0; k < nv && tn->level == DT_NEWTON_STEP; k++) {
            eta[j] -= dt_tree_newton_by_Ub(tn, sP, node->v + k) * tn->b[node->v + k];
        }
        eta[j] *= tn->D[node->v + j];
    }
}

/* What node i makes of p of its parent. */
static void pass_p(dt_tree_newton *tn, const dt_node *node, int i, const double constant[3])
{
    double *parent = dt_tree_newton_p(tn, node->parent);
    dt_add6(parent, dt_tree_newton_p(tn, i));
    for (int j = 0; j < node->type->nv; j++) {
        dt_axpy6(parent, constant[j], tn->h[node->v + j]);
        if (tn->level == DT_NEWTON_STEP) {
            dt_axpy6(parent, tn->b[node->v + j], tn->Gb[node->v + j]);
        }
    }
}

static void inward(dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws,
                   const dt_tree_load *load, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    double constant[3];
    if (tn->freedom[i] == DT_FREEDOM_PRESCRIBED && !dt_is_driven_by_speed(s, i)) {
        tn->b[node->v] = 0;
    } else {
        coordinate_residual(tn, s, node, load->r_q, tn->b + node->v);
    }
    if (tn->freedom[i] == DT_FREEDOM_FREE) {
        own_rhs(tn, s, laws, load, i);
        free_constant(tn, laws, node, i, constant);
    } else {
        constant[0] = tn->delta[node->v] = held_delta(tn, s, load, i);
    }
    if (tn->freedom[i] == DT_FREEDOM_LOCKED && !tn->keeps_p) {
        tn->rhs[node->v] = sigma_p(tn, laws, i, node->v);
    }
    if (tn->front) {
        dt_tie_front_constants(tn->front, tn, s, i, constant);
    }
    if (node->parent >= 0) {
        pass_p(tn, node, i, constant);
    }
    if (!tn->keeps_p) { /* whoever has the slot next begins with nothing */
        memset(dt_tree_newton_p(tn, i), 0, sizeof *tn->p);
    }
}

/* z' = T z_p + Ub b. */
static void carry(const dt_tree_newton *tn, const dt_system *s, int i, double *z)
{
    const dt_node *node = &s->tree->nodes[i];
    const int nz = tn->nz;
    if (node->parent < 0) {
        memset(z, 0, (size_t)nz * sizeof *z);
    } else {
        memcpy(z, dt_tree_newton_z(tn, node->parent), (size_t)nz * sizeof *z);
        if (nz > 6) {
            double turned[6];
            dt_cross_motion(turned, s->motion[i].Sv, z);
            dt_axpy6(z + 6, -1, turned);
        }
    }
    for (int j = node->v; j < node->v + node->type->nv && tn->level == DT_NEWTON_STEP; j++) {
        dt_axpy6(z, tn->b[j], tn->S[j]);
        dt_axpy6(z + 6, tn->b[j], dt_tree_newton_turned(tn, j));
    }
}

/* delta of a free node: right' eta. */
static void free_delta(dt_tree_newton *tn, const dt_linear_laws *laws, const dt_node *node, int i,
                       const double *z)
{
    const int nv = node->type->nv, nz = tn->nz;
    double eta[3], *delta = tn->delta + node->v;
    if (tn->keeps_p) { /* it may have changed since */
        own_equations(tn, laws, node, i, eta);
    } else {
        memcpy(eta, tn->rhs + node->v, (size_t)nv * sizeof *eta);
    }
    for (int j = 0; j < nv; j++) {
        eta[j] -= dot(nz, tn->sP + (size_t)(node->v + j) * (size_t)nz, z);
        eta[j] *= tn->D[node->v + j];
    }
    if (nv == 3) {
        dt_rotate_back(delta, tn->right[node->v], eta);
    } else if (nv == 1) {
        delta[0] = eta[0];
    }
}

/* A3 delta. */
static double velocity_change(const dt_tree_newton *tn, const dt_node *node, int j)
{
    return tn->A3 ? dot(node->type->nv, tn->A3[j], tn->delta + node->v) : tn->c * tn->delta[j];
}

/* dv of a node from its delta. */
static void rates(dt_tree_newton *tn, const dt_node *node, dt_freedom freedom)
{
    const int nv = node->type->nv;
    for (int j = node->v; j < node->v + nv; j++) {
        if (tn->level == DT_NEWTON_ACCELERATION) {
            tn->dv[j] = 0;
        } else {
            tn->dv[j] =
                freedom == DT_FREEDOM_PRESCRIBED ? 0 : velocity_change(tn, node, j) + tn->b[j];
        }
    }
}

static double friction_change(const dt_tree_newton *tn, const dt_system *s,
                              const dt_linear_laws *laws, const dt_tree_load *load, int i, int k)
{
    const int j = s->tree->nodes[i].v, nz = tn->nz;
    const double dq = tn->level == DT_NEWTON_STEP ? tn->delta[j] : 0, dv = tn->dv[j],
                 da = dt_tree_newton_da(tn, j);
    if (tn->freedom[i] == DT_FREEDOM_LOCKED) {
        const dt_row *row = &laws->row[j];
        double sigma_dF = dot(nz, tn->sP + (size_t)j * (size_t)nz, dt_tree_newton_z(tn, i)) +
                          (tn->keeps_p ? sigma_p(tn, laws, i, j) : tn->rhs[j]);
        return (sigma_dF + row->q * dq + row->v * dv + row->a * da - value(load->u_Q, i) -
                (tn->front ? tn->front->Q[i] : 0) + value(load->r_v, j)) /
               laws->one_plus_Qf[k];
    }
    const double by_wrench = laws->K_F ? dt_tree_newton_wrench(tn, i, laws->K_F[k]) : 0;
    const dt_friction_slope none = {0}, *K = laws->friction ? &laws->friction[k] : &none;
    return (-value(load->r_f, k) - value(load->u_K, k) - by_wrench - K->q * dq - K->v * dv -
            K->a * da) /
           (1 + K->f);
}

static void outward(dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws,
                    const dt_tree_load *load, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const int nz = tn->nz, k = s->mechanism->primitives[i].stiction;
    double *z = dt_tree_newton_z(tn, i);
    carry(tn, s, i, z);
    if (tn->freedom[i] == DT_FREEDOM_FREE) {
        free_delta(tn, laws, node, i, z);
    }
    for (int j = node->v; j < node->v + node->type->nv; j++) {
        for (int r = 0; r < nz; r++) {
            z[r] += tn->U[(size_t)j * (size_t)nz + (size_t)r] * tn->delta[j];
        }
    }
    rates(tn, node, (dt_freedom)tn->freedom[i]);
    if (laws->needs_wrench[i] && tn->dF) {
        for (int r = 0; r < 6; r++) {
            tn->dF[i][r] =
                tn->p[i][r] + dot(nz, tn->P + ((size_t)i * 6 + (size_t)r) * (size_t)nz, z);
        }
    }
    if (k >= 0) {
        tn->df[k] = friction_change(tn, s, laws, load, i, k);
    }
}

/* The same with ties that close at nodes. */
static void solve_with_front(dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws,
                             const dt_tree_load *load)
{
    dt_tie_front_load(tn->front, load->r_m);
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        dt_tie_front_inward(tn->front, tn, i);
        inward(tn, s, laws, load, i);
    }
    dt_tie_front_inward(tn->front, tn, -1);
    for (int i = 0; i < s->tree->node_count; i++) {
        dt_tie_front_outward(tn->front, tn, s, i);
        outward(tn, s, laws, load, i);
        dt_tie_front_follow(tn->front, tn, i);
    }
}

void dt_tree_newton_solve(dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws,
                          const dt_tree_load *load)
{
    const int n = s->tree->node_count, begun = tn->keeps_p ? n : tn->slots.count;
    for (int i = 0; i < begun; i++) {
        for (int r = 0; r < 6; r++) { /* u_E acts where every node keeps its own alone */
            tn->p[i][r] = load->u_E ? -load->u_E[i][r] : 0;
        }
    }
    if (tn->front) {
        solve_with_front(tn, s, laws, load);
        return;
    }
    for (int i = n - 1; i >= 0; i--) {
        inward(tn, s, laws, load, i);
    }
    for (int i = 0; i < n; i++) {
        outward(tn, s, laws, load, i);
    }
}
