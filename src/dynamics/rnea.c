#include "dynamics/rnea.h"

#include <stddef.h>

void dt_rnea(const dt_tree *tree, const dt_motion *motion, const double gravity[3], const double *a,
             const double (*external)[6], double (*A)[6], double (*F)[6], double *tau)
{
    const double ground[6] = {0, 0, 0, -gravity[0], -gravity[1], -gravity[2]};

    /* outward: accelerations and the wrenches that they take */
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        const dt_motion *m = &motion[i];
        const double *Ap = node->parent < 0 ? ground : A[node->parent];
        double inertial[6], c[6];
        dt_motion_bias(tree, motion, i, c);
        dt_sum6(A[i], Ap, c);
        for (int j = 0; j < node->type->nv; j++) {
            dt_axpy6(A[i], a[node->v + j], m->S[j]);
        }
        dt_motion_gyroscopic(m, F[i]);
        dt_inertia_apply(inertial, &m->I, A[i]);
        dt_add6(F[i], inertial);
        if (external) {
            dt_axpy6(F[i], -1, external[i]);
        }
    }

    /* inward: what each joint transmits */
    for (int i = tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &tree->nodes[i];
        if (tau) {
            for (int j = 0; j < node->type->nv; j++) {
                tau[node->v + j] = dt_dot6(motion[i].S[j], F[i]) + node->armature * a[node->v + j];
            }
        }
        if (node->parent >= 0) {
            dt_add6(F[node->parent], F[i]);
        }
    }
}
