#include "dynamics/crba.h"

#include <stddef.h>

static void accumulate(dt_inertia *parent, const dt_inertia *child)
{
    parent->m += child->m;
    for (int k = 0; k < 3; k++) {
        parent->h[k] += child->h[k];
    }
    for (int k = 0; k < 6; k++) {
        parent->J[k] += child->J[k];
    }
}

/* Row and column of freedom `j` of node `i`: F = C_i S_j, projected on every ancestor. */
static void fill_column(const dt_tree *tree, const dt_motion *motion, const dt_inertia *composite,
                        int i, int j, double *M)
{
    const size_t n = (size_t)tree->nv, column = (size_t)(tree->nodes[i].v + j);
    double F[6];
    dt_inertia_apply(F, &composite[i], motion[i].S[j]);
    for (int k = i; k >= 0; k = tree->nodes[k].parent) {
        const dt_node *node = &tree->nodes[k];
        for (int l = 0; l < node->type->nv; l++) {
            size_t row = (size_t)(node->v + l);
            M[row * n + column] = M[column * n + row] = dt_dot6(motion[k].S[l], F);
        }
    }
    M[column * n + column] += tree->nodes[i].armature;
}

void dt_crba(const dt_tree *tree, const dt_motion *motion, dt_inertia *composite, double *M)
{
    memset(M, 0, (size_t)tree->nv * (size_t)tree->nv * sizeof *M);
    for (int i = 0; i < tree->node_count; i++) {
        composite[i] = motion[i].I;
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (tree->nodes[i].parent >= 0) {
            accumulate(&composite[tree->nodes[i].parent], &composite[i]);
        }
        for (int j = 0; j < tree->nodes[i].type->nv; j++) {
            fill_column(tree, motion, composite, i, j, M);
        }
    }
}

void dt_crba_diagonal(const dt_tree *tree, const dt_motion *motion, dt_inertia *composite,
                      double *diagonal)
{
    for (int i = 0; i < tree->node_count; i++) {
        composite[i] = motion[i].I;
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &tree->nodes[i];
        if (node->parent >= 0) {
            accumulate(&composite[node->parent], &composite[i]);
        }
        for (int j = 0; j < node->type->nv; j++) {
            double F[6];
            dt_inertia_apply(F, &composite[i], motion[i].S[j]);
            diagonal[node->v + j] = dt_dot6(motion[i].S[j], F) + node->armature;
        }
    }
}
