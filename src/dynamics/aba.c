#include "dynamics/aba.h"

#include "math/small.h"

/* A combination of freedoms with an inertia this small against the node's largest is massless. */
static const double singular = 1e-14;

bool dt_aba_create(dt_arena *arena, const dt_tree *tree, dt_aba *aba)
{
    const size_t n = (size_t)tree->node_count, nv = (size_t)tree->nv;
    bool has_spherical = false;
    for (int i = 0; i < tree->node_count; i++) {
        has_spherical = has_spherical || tree->nodes[i].type->nv == 3;
    }
    aba->node = dt_arena_alloc(arena, n, sizeof *aba->node);
    aba->freedom = dt_arena_alloc(arena, nv, sizeof *aba->freedom);
    aba->C = has_spherical ? dt_arena_alloc(arena, nv, sizeof *aba->C) : NULL;
    aba->held = dt_arena_alloc(arena, n, sizeof *aba->held);
    return aba->node && aba->freedom && aba->held && (aba->C || !has_spherical);
}

/* C and U of a spherical node, at first Ia S, and the inertias of its combined freedoms. */
static bool decouple(const dt_motion *m, const double *added, double C[9], dt_aba_freedom *freedom,
                     double inertia[3])
{
    double B[9], same[9], U[3][6];
    for (int j = 0; j < 3; j++) {
        dt_copy6(U[j], freedom[j].U);
        for (int k = 0; k <= j; k++) {
            B[3 * j + k] = B[3 * k + j] = dt_dot6(m->S[j], U[k]);
        }
        B[4 * j] += added ? added[j] : 0;
    }
    if (!dt_small_decouple(B, singular, C, same, inertia)) {
        return false;
    }
    dt_small_combine(C, 6, U[0]);
    for (int j = 0; j < 3; j++) {
        dt_copy6(freedom[j].U, U[j]);
    }
    return true;
}

/* C, U and D of a free node; false where a freedom has no inertia. */
static bool factor_freedoms(const dt_node *node, const dt_motion *m, const double *added,
                            const double *Ia, dt_aba *aba)
{
    const int nv = node->type->nv;
    const double *own_added = added ? added + node->v : NULL;
    dt_aba_freedom *freedom = aba->freedom + node->v;
    double inertia[3];
    for (int j = 0; j < nv; j++) {
        dt_symmetric6_apply(freedom[j].U, Ia, m->S[j]);
    }
    if (nv == 3 && !decouple(m, own_added, aba->C[node->v], freedom, inertia)) {
        return false;
    }
    if (nv == 1) {
        inertia[0] = dt_dot6(m->S[0], freedom->U) + node->armature + (own_added ? own_added[0] : 0);
    }
    for (int j = 0; j < nv; j++) {
        if (!(inertia[j] > 0 && isfinite(inertia[j]))) {
            return false;
        }
        freedom[j].D = 1 / inertia[j];
    }
    return true;
}

/* parent += Ia - sum D U U'. */
static void reduce(const double Ia[DT_SYMMETRIC6], int free_freedoms, const dt_aba_freedom *freedom,
                   double parent[DT_SYMMETRIC6])
{
    double rest[DT_SYMMETRIC6];
    if (free_freedoms == 0) {
        dt_symmetric6_add(parent, Ia);
        return;
    }
    memcpy(rest, Ia, sizeof rest);
    for (int j = 0; j < free_freedoms; j++) {
        dt_symmetric6_reduce(rest, freedom[j].D, freedom[j].U);
    }
    dt_symmetric6_add(parent, rest);
}

int dt_aba_factor(const dt_tree *tree, const dt_motion *motion, const unsigned char *held,
                  const double *added, dt_aba *aba)
{
    for (int i = 0; i < tree->node_count; i++) {
        dt_symmetric6_inertia(aba->node[i].Ia, &motion[i].I);
        aba->held[i] = held[i];
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &tree->nodes[i];
        const double *Ia = aba->node[i].Ia;
        const int free_freedoms = held[i] ? 0 : node->type->nv;
        if (free_freedoms > 0 && !factor_freedoms(node, &motion[i], added, Ia, aba)) {
            return i;
        }
        if (node->parent >= 0) {
            reduce(Ia, free_freedoms, aba->freedom + node->v, aba->node[node->parent].Ia);
        }
    }
    return -1;
}

/* The wrench that node i would need at zero acceleration: gyroscopic minus external. */
static void own_bias(const dt_motion *m, const dt_aba_load *load, int i, double pa[6])
{
    dt_motion_gyroscopic(m, pa);
    if (load->external) {
        dt_axpy6(pa, -1, load->external[i]);
    }
}

/* The part of a held node's acceleration beyond its parent's, all of which is known: c + S a. */
static void held_acceleration(const dt_node *node, const dt_motion *m, const dt_aba_load *load,
                              const double c[6], double known[6])
{
    dt_copy6(known, c);
    for (int j = 0; j < node->type->nv && load->held_a; j++) {
        dt_axpy6(known, load->held_a[node->v + j], m->S[j]);
    }
}

/* u of a free node, pa its bias force. */
static void free_forces(int nv, const dt_motion *m, const double *tau, const double known[6],
                        const double pa[6], const double *C, dt_aba_freedom *freedom)
{
    double u[3];
    for (int j = 0; j < nv; j++) {
        u[j] = tau[j] - dt_dot6(m->S[j], pa);
    }
    if (nv == 3) {
        dt_small_combine(C, 1, u);
    }
    for (int j = 0; j < nv; j++) {
        freedom[j].u = u[j] - dt_dot6(freedom[j].U, known);
    }
}

/* Rows of combinations of a node, where the tree has a node with any. */
static double *combinations(const dt_aba *aba, const dt_node *node)
{
    return aba->C ? aba->C[node->v] : NULL;
}

/* Inward step of node i: c, u, and its bias force handed to `parent` (NULL at the ground). */
static void bias_inward(const dt_tree *tree, const dt_motion *motion, const dt_aba_load *load,
                        int i, dt_aba *aba, double *parent)
{
    const dt_node *node = &tree->nodes[i];
    const int free_freedoms = aba->held[i] ? 0 : node->type->nv;
    dt_aba_node *w = &aba->node[i];
    dt_aba_freedom *freedom = aba->freedom + node->v;
    double of_held[6], force[6];
    const double *known = w->A;
    if (load->bias) {
        dt_motion_bias(tree, motion, i, w->A);
    } else {
        memset(w->A, 0, sizeof w->A);
    }
    if (aba->held[i]) {
        held_acceleration(node, &motion[i], load, w->A, of_held);
        known = of_held;
    }
    free_forces(free_freedoms, &motion[i], load->tau + node->v, known, w->F,
                combinations(aba, node), freedom);
    if (!parent) {
        return;
    }
    if (node->type->nv == 0) { /* nothing is known beyond its parent's acceleration */
        dt_add6(parent, w->F);
        return;
    }
    dt_symmetric6_apply(force, w->Ia, known);
    dt_add6(force, w->F);
    for (int j = 0; j < free_freedoms; j++) {
        dt_axpy6(force, freedom[j].D * freedom[j].u, freedom[j].U);
    }
    dt_add6(parent, force);
}

/* Accelerations (nv) of the freedoms of a free node, Ap that of its parent. */
static void free_accelerations(int nv, const dt_aba_freedom *freedom, const double *C,
                               const double Ap[6], double *a)
{
    for (int j = 0; j < nv; j++) {
        a[j] = freedom[j].D * (freedom[j].u - dt_dot6(freedom[j].U, Ap));
    }
    if (nv == 3) {
        const double eta[3] = {a[0], a[1], a[2]};
        dt_rotate_back(a, C, eta);
    }
}

/* F of a node whose bias force is there, and what its freedoms transmit. */
static void transmit(const dt_node *node, const dt_motion *m, const double *own, dt_aba_node *w,
                     double *transmitted)
{
    double F[6];
    dt_symmetric6_apply(F, w->Ia, w->A);
    dt_add6(w->F, F);
    for (int j = 0; j < node->type->nv && transmitted; j++) {
        transmitted[node->v + j] = dt_dot6(m->S[j], w->F) + node->armature * own[j];
    }
}

/* Outward step: acceleration of the freedoms, of the body, and the wrench transmitted. */
static void solve_outward(const dt_node *node, const dt_motion *m, const dt_aba_load *load,
                          bool held, const double Ap[6], dt_aba *aba, dt_aba_node *w, double *a,
                          double *transmitted)
{
    const int nv = node->type->nv;
    double own[3] = {0};
    if (!held) {
        free_accelerations(nv, aba->freedom + node->v, combinations(aba, node), Ap, own);
    } else if (load->held_a) {
        memcpy(own, load->held_a + node->v, (size_t)nv * sizeof *own);
    }
    dt_add6(w->A, Ap);
    for (int j = 0; j < nv; j++) {
        dt_axpy6(w->A, own[j], m->S[j]);
        a[node->v + j] = own[j];
    }
    if (held || !load->of_held) {
        transmit(node, m, own, w, transmitted);
    }
}

void dt_aba_solve(const dt_tree *tree, const dt_motion *motion, const dt_aba_load *load,
                  dt_aba *aba, double *a, double *transmitted)
{
    double ground[6] = {0};
    for (int k = 0; k < 3 && load->bias; k++) {
        ground[3 + k] = -load->gravity[k];
    }
    for (int i = 0; i < tree->node_count; i++) {
        if (load->bias) {
            own_bias(&motion[i], load, i, aba->node[i].F);
        } else {
            memset(aba->node[i].F, 0, sizeof aba->node[i].F);
        }
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &tree->nodes[i];
        bias_inward(tree, motion, load, i, aba,
                    node->parent < 0 ? NULL : aba->node[node->parent].F);
    }
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        solve_outward(node, &motion[i], load, aba->held[i],
                      node->parent < 0 ? ground : aba->node[node->parent].A, aba, &aba->node[i], a,
                      transmitted);
    }
    aba->of_held = load->of_held;
}

void dt_aba_wrench(const dt_aba *aba, int node, double F[6])
{
    const dt_aba_node *w = &aba->node[node];
    if (aba->of_held && !aba->held[node]) {
        dt_symmetric6_apply(F, w->Ia, w->A);
        dt_add6(F, w->F);
    } else {
        dt_copy6(F, w->F);
    }
}
