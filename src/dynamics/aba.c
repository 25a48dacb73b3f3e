#include "dynamics/aba.h"

#include "math/small.h"

/** A combination of freedoms with an inertia this small against the node's largest is massless. */
static const double singular = 1e-14;

bool dt_aba_create(dt_arena *arena, const dt_tree *tree, dt_aba *aba)
{
    size_t n = (size_t)tree->node_count;
    aba->node = dt_arena_alloc(arena, n, sizeof *aba->node);
    aba->held = dt_arena_alloc(arena, n, sizeof *aba->held);
    return aba->node && aba->held;
}

/** C and U of a spherical node, at first Ia S, and the inertias of its combined freedoms. */
static bool decouple(const dt_motion *m, const double *added, dt_aba_node *w, double inertia[3])
{
    double B[9], same[9];
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k <= j; k++) {
            B[3 * j + k] = B[3 * k + j] = dt_dot6(m->S[j], w->U[k]);
        }
        B[4 * j] += added ? added[j] : 0;
    }
    if (!dt_small_decouple(B, singular, w->C, same, inertia)) {
        return false;
    }
    dt_small_combine(w->C, 6, w->U[0]);
    return true;
}

/** C, U and D; false where a freedom has no inertia. */
static bool factor_freedoms(const dt_node *node, const dt_motion *m, const double *added,
                            dt_aba_node *w)
{
    const int nv = node->type->nv;
    const double *own_added = added ? added + node->v : NULL;
    double inertia[3];
    for (int j = 0; j < nv; j++) {
        dt_mul66(w->U[j], w->Ia, m->S[j]);
    }
    if (nv == 3 && !decouple(m, own_added, w, inertia)) {
        return false;
    }
    if (nv == 1) {
        inertia[0] = dt_dot6(m->S[0], w->U[0]) + (own_added ? own_added[0] : 0);
    }
    for (int j = 0; j < nv; j++) {
        if (!(inertia[j] > 0 && isfinite(inertia[j]))) {
            return false;
        }
        w->D[j] = 1 / inertia[j];
    }
    return true;
}

/** parent += Ia - sum D U U', symmetric to the last bit: factors of U are multiplied first. */
static void reduce(int free_freedoms, const dt_aba_node *w, double parent[36])
{
    double rest[36];
    memcpy(rest, w->Ia, sizeof rest);
    for (int j = 0; j < free_freedoms; j++) {
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++) {
                rest[6 * r + c] -= w->D[j] * (w->U[j][r] * w->U[j][c]);
            }
        }
    }
    for (int k = 0; k < 36; k++) {
        parent[k] += rest[k];
    }
}

int dt_aba_factor(const dt_tree *tree, const dt_motion *motion, const unsigned char *held,
                  const double *added, dt_aba *aba)
{
    for (int i = 0; i < tree->node_count; i++) {
        memset(aba->node[i].Ia, 0, sizeof aba->node[i].Ia);
        aba->held[i] = held[i];
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &tree->nodes[i];
        dt_aba_node *w = &aba->node[i];
        dt_inertia_add_to(w->Ia, &motion[i].I);
        const int free_freedoms = held[i] ? 0 : node->type->nv;
        if (free_freedoms > 0 && !factor_freedoms(node, &motion[i], added, w)) {
            return i;
        }
        if (node->parent >= 0) {
            reduce(free_freedoms, w, aba->node[node->parent].Ia);
        }
    }
    return -1;
}

/** The wrench that node i would need at zero acceleration: gyroscopic minus external. */
static void own_bias(const dt_motion *m, const dt_aba_load *load, int i, double pa[6])
{
    dt_motion_gyroscopic(m, pa);
    if (load->external) {
        dt_axpy6(pa, -1, load->external[i]);
    }
}

/** The part of a node's acceleration beyond its parent's that is known: c, and S a where held. */
static void known_acceleration(const dt_node *node, const dt_motion *m, const dt_aba_load *load,
                               bool held, double known[6])
{
    memset(known, 0, 6 * sizeof *known);
    if (load->bias) {
        dt_copy6(known, m->c);
    }
    for (int j = 0; j < node->type->nv && held && load->held_a; j++) {
        dt_axpy6(known, load->held_a[node->v + j], m->S[j]);
    }
}

/** u of a free node. */
static void free_forces(int nv, const dt_motion *m, const double *tau, const double known[6],
                        dt_aba_node *w)
{
    for (int j = 0; j < nv; j++) {
        w->u[j] = tau[j] - dt_dot6(m->S[j], w->pa);
    }
    if (nv == 3) {
        dt_small_combine(w->C, 1, w->u);
    }
    for (int j = 0; j < nv; j++) {
        w->u[j] -= dt_dot6(w->U[j], known);
    }
}

/** Inward step of a node: u, and its bias force handed to `parent` (NULL at the ground). */
static void bias_inward(const dt_node *node, const dt_motion *m, const dt_aba_load *load, bool held,
                        dt_aba_node *w, double *parent)
{
    const int free_freedoms = held ? 0 : node->type->nv;
    double known[6], force[6];
    known_acceleration(node, m, load, held, known);
    free_forces(free_freedoms, m, load->tau + node->v, known, w);
    if (!parent) {
        return;
    }
    dt_mul66(force, w->Ia, known);
    dt_add6(force, w->pa);
    for (int j = 0; j < free_freedoms; j++) {
        dt_axpy6(force, w->D[j] * w->u[j], w->U[j]);
    }
    dt_add6(parent, force);
}

/** Accelerations (nv) of the freedoms of a free node, Ap that of its parent. */
static void free_accelerations(int nv, const dt_aba_node *w, const double Ap[6], double *a)
{
    for (int j = 0; j < nv; j++) {
        a[j] = w->D[j] * (w->u[j] - dt_dot6(w->U[j], Ap));
    }
    if (nv == 3) {
        const double eta[3] = {a[0], a[1], a[2]};
        dt_rotate_back(a, w->C, eta);
    }
}

/** Outward step: acceleration of the freedoms, of the body, and the wrench transmitted. */
static void solve_outward(const dt_node *node, const dt_motion *m, const dt_aba_load *load,
                          bool held, const double Ap[6], dt_aba_node *w, double *a,
                          double *transmitted)
{
    const int nv = node->type->nv;
    double own[3] = {0};
    if (!held) {
        free_accelerations(nv, w, Ap, own);
    } else if (load->held_a) {
        memcpy(own, load->held_a + node->v, (size_t)nv * sizeof *own);
    }
    dt_copy6(w->A, Ap);
    if (load->bias) {
        dt_add6(w->A, m->c);
    }
    for (int j = 0; j < nv; j++) {
        dt_axpy6(w->A, own[j], m->S[j]);
        a[node->v + j] = own[j];
    }
    dt_mul66(w->F, w->Ia, w->A);
    dt_add6(w->F, w->pa);
    for (int j = 0; j < nv && transmitted; j++) {
        transmitted[node->v + j] = dt_dot6(m->S[j], w->F);
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
            own_bias(&motion[i], load, i, aba->node[i].pa);
        } else {
            memset(aba->node[i].pa, 0, sizeof aba->node[i].pa);
        }
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &tree->nodes[i];
        bias_inward(node, &motion[i], load, aba->held[i], &aba->node[i],
                    node->parent < 0 ? NULL : aba->node[node->parent].pa);
    }
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        solve_outward(node, &motion[i], load, aba->held[i],
                      node->parent < 0 ? ground : aba->node[node->parent].A, &aba->node[i], a,
                      transmitted);
    }
}
