/* Every freedom must move some mass, or its acceleration is infinite.
 *
 * At the initial configuration, from the leaves to the ground, with I_i the inertia of node i:
 *
 *     A_i = I_i + sum over children k of X_k' B_k X_k        what the freedoms of node i would have to move
 *     D_i = S_i' A_i S_i                                     must be positive definite
 *     B_i = A_i - A_i S_i D_i^-1 S_i' A_i                    what remains for the parent; A_i where a motion is prescribed
 *
 * D_i is held against S_i' A_i^0 S_i, with A_i^0 the same sum over the children's A_k instead of their B_k: where
 * a neighbour takes all of the inertia away, as a second hinge on the same axis does, D_i is nothing but rounding. And
 * a revolute one is held against the trace of the rotational inertia, for a point mass on the axis.
 * Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7. */

#include "math/spatial.h"
#include "math/vec3.h"
#include "model/record.h"

#include <string.h>

#define NOTHING 1e-12

typedef struct dt_lumps {
    double (*rest)[36];  /* I plus the children's B: A, and B once the freedoms are taken out */
    double (*whole)[36]; /* I plus the children's A: A^0, and A at last */
} dt_lumps;

/* M := M + X' B X, where X takes motion from the parent to the child: child frame = (R, p) in the parent. */
static void add_moved(double M[36], const double B[36], const double R[9], const double p[3])
{
    double X[36] = {0}, half[36];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            /* w_child = R' w;  v_child = R' (v + w x p) */
            X[6 * r + c] = X[6 * (r + 3) + c + 3] = R[3 * c + r];
        }
        const double column[3] = {R[r], R[3 + r], R[6 + r]};
        double turned[3];
        dt_cross3(turned, p, column); /* column . (w x p) = w . (p x column) */
        memcpy(&X[6 * (r + 3)], turned, sizeof turned);
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += B[6 * r + k] * X[6 * k + c];
            }
            half[6 * r + c] = sum;
        }
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            for (int k = 0; k < 6; k++) {
                M[6 * r + c] += X[6 * k + r] * half[6 * k + c];
            }
        }
    }
}

static void add_own(double M[36], const dt_node *node)
{
    const double *c = node->com, m = node->mass;
    dt_inertia I = {m, {m * c[0], m * c[1], m * c[2]}, {0}};
    double square = dt_dot3(c, c);
    for (int k = 0; k < 3; k++) {
        I.J[k] = node->inertia[k] + m * (square - c[k] * c[k]);
    }
    I.J[3] = node->inertia[3] - m * c[0] * c[1];
    I.J[4] = node->inertia[4] - m * c[0] * c[2];
    I.J[5] = node->inertia[5] - m * c[1] * c[2];
    dt_inertia_add_to(M, &I);
}

/* Removes one freedom from A. False if it has nothing to move: less than NOTHING of `scale`. */
static bool eliminate(double A[36], const double s[6], double scale)
{
    double U[6];
    dt_mul66(U, A, s);
    double D = dt_dot6(s, U);
    if (!(D > NOTHING * scale)) {
        return false;
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            A[6 * r + c] -= U[r] * U[c] / D;
        }
    }
    return true;
}

/* The size that the inertia along `s` is measured by. */
static double inertia_scale(const double whole[36], const double s[6], bool rotational)
{
    double U[6];
    dt_mul66(U, whole, s);
    double scale = dt_dot6(s, U);
    return rotational ? fmax(scale, whole[0] + whole[7] + whole[14]) : scale;
}

static detent_status fail(const detent_mechanism *m, int index, detent_error *error)
{
    const dt_primitive *p = &m->primitives[index];
    const dt_joint_record *joint = DT_AT(m->builder->joints, dt_joint_record, p->joint);
    dt_location where = dt_locate(m->builder, &joint->origin, NULL, NULL, -1);
    const char *follower = DT_AT(m->builder->bodies, dt_body_record, joint->follower)->name;
    bool massless = DT_AT(m->builder->bodies, dt_body_record, joint->follower)->mass == 0.0;
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   massless ? "'%s' moves nothing: there is no inertia along it at the initial position, and its "
                              "follower '%s' has no mass"
                            : "'%s' moves nothing: there is no inertia along it at the initial position (its follower "
                              "is '%s')",
                   p->name, follower);
}

/* Takes the freedoms of a node out of its lump. False: one of them moves nothing. */
static bool reduce(const dt_node *node, const dt_primitive *primitive, double A[36], const double whole[36])
{
    double S[3][6], scale[3];
    if (primitive->motion) {
        return true;
    }
    node->type->subspace(node->axis, S);
    for (int k = 0; k < node->type->nv; k++) {
        scale[k] = inertia_scale(whole, S[k], node->type->rotational);
    }
    for (int k = 0; k < node->type->nv; k++) {
        if (!eliminate(A, S[k], scale[k])) {
            return false;
        }
    }
    return true;
}

static void hand_down(const dt_node *node, const dt_primitive *primitive, const dt_lumps *lumps, int i)
{
    double R[9], p[3], joint_R[9], joint_p[3];
    if (node->parent < 0) {
        return;
    }
    node->type->pose(node->axis, primitive->position, joint_R, joint_p);
    dt_mul33(R, node->R_tree, joint_R);
    dt_rotate(p, node->R_tree, joint_p);
    for (int k = 0; k < 3; k++) {
        p[k] += node->p_tree[k];
    }
    add_moved(lumps->rest[node->parent], lumps->rest[i], R, p);
    add_moved(lumps->whole[node->parent], lumps->whole[i], R, p);
}

detent_status dt_check_inertia(detent_mechanism *m, detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    size_t count = (size_t)m->tree.node_count;
    dt_lumps lumps = {dt_arena_alloc(arena, count, sizeof *lumps.rest), dt_arena_alloc(arena, count, sizeof *lumps.whole)};
    if (!lumps.rest || !lumps.whole) {
        return dt_out_of_memory(error);
    }
    for (int i = m->tree.node_count - 1; i >= 0; i--) {
        const dt_node *node = &m->tree.nodes[i];
        double A[36];
        add_own(lumps.rest[i], node);
        add_own(lumps.whole[i], node);
        memcpy(A, lumps.rest[i], sizeof A);
        if (!reduce(node, &m->primitives[i], lumps.rest[i], lumps.whole[i])) {
            return fail(m, i, error);
        }
        memcpy(lumps.whole[i], A, sizeof A);
        hand_down(node, &m->primitives[i], &lumps, i);
    }
    return DETENT_OK;
}
