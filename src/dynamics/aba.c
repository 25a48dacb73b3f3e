#include "dynamics/aba.h"

#include "math/small.h"

/** A freedom whose articulated inertia is this small against its factors counts as massless. */
static const double singular = 1e-14;

bool dt_aba_create(dt_arena *arena, const dt_tree *tree, dt_aba *aba)
{
    size_t n = (size_t)tree->node_count;
    aba->node = dt_arena_alloc(arena, n, sizeof *aba->node);
    aba->held = dt_arena_alloc(arena, n, sizeof *aba->held);
    return aba->node && aba->held;
}

/** D = inverse of S'U + diag(added); false where it is singular. */
static bool factor_freedoms(const dt_node *node, const dt_motion *m, const double *added,
                            dt_aba_node *w)
{
    const int nv = node->type->nv;
    double D[9];
    for (int j = 0; j < nv; j++) {
        dt_mul66(w->U[j], w->Ia, m->S[j]);
    }
    for (int j = 0; j < nv; j++) {
        for (int k = 0; k < nv; k++) {
            D[nv * j + k] = dt_dot6(m->S[j], w->U[k]) + (added && j == k ? added[node->v + j] : 0);
        }
    }
    for (int j = 0; j < nv; j++) {
        if (!(D[(nv + 1) * j] > 0)) {
            return false;
        }
    }
    return dt_small_inverse(nv, D, singular, w->D);
}

/** parent += Ia - U D^-1 U' */
static void reduce(int nv, const dt_aba_node *w, double parent[36])
{
    for (int k = 0; k < 36; k++) {
        parent[k] += w->Ia[k];
    }
    for (int j = 0; j < nv; j++) {
        double DU[6] = {0};
        for (int k = 0; k < nv; k++) {
            dt_axpy6(DU, w->D[nv * j + k], w->U[k]);
        }
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++) {
                parent[6 * r + c] -= w->U[j][r] * DU[c];
            }
        }
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

/**
 * Inward step of node i: u, and its bias force pa + Ia c + ... handed to `parent` (NULL at the
 * ground).
 */
static void bias_inward(const dt_node *node, const dt_motion *m, const dt_aba_load *load, bool held,
                        dt_aba_node *w, double *parent)
{
    const int nv = node->type->nv;
    double known[6] = {0}, force[6]; /* the part of the acceleration that is known */
    if (load->bias) {
        dt_copy6(known, m->c);
    }
    for (int j = 0; j < nv && held && load->held_a; j++) {
        dt_axpy6(known, load->held_a[node->v + j], m->S[j]);
    }
    for (int j = 0; j < nv && !held; j++) {
        w->u[j] = load->tau[node->v + j] - dt_dot6(m->S[j], w->pa) - dt_dot6(w->U[j], known);
    }
    if (!parent) {
        return;
    }
    dt_mul66(force, w->Ia, known);
    dt_add6(force, w->pa);
    for (int j = 0; j < nv && !held; j++) {
        for (int k = 0; k < nv; k++) {
            dt_axpy6(force, w->D[nv * j + k] * w->u[k], w->U[j]);
        }
    }
    dt_add6(parent, force);
}

/** Outward step: acceleration of the freedoms, of the body, and the wrench transmitted. */
static void solve_outward(const dt_node *node, const dt_motion *m, const dt_aba_load *load,
                          bool held, const double Ap[6], dt_aba_node *w, double *a,
                          double *transmitted)
{
    const int nv = node->type->nv;
    double rest[3];
    dt_copy6(w->A, Ap);
    for (int j = 0; j < nv; j++) {
        rest[j] = held ? 0 : w->u[j] - dt_dot6(w->U[j], w->A);
    }
    if (load->bias) {
        dt_add6(w->A, m->c);
    }
    for (int j = 0; j < nv; j++) {
        double aj = 0;
        if (held) {
            aj = load->held_a ? load->held_a[node->v + j] : 0;
        } else {
            for (int k = 0; k < nv; k++) {
                aj += w->D[nv * j + k] * rest[k];
            }
        }
        a[node->v + j] = aj;
        dt_axpy6(w->A, aj, m->S[j]);
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
