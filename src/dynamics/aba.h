/**
 * @file aba.h
 * Articulated-body algorithm, hybrid: the acceleration of *held* nodes is given and their force
 * found, the force of the
 * others is given and their acceleration found; in linear time.
 *
 *   (M + diag(d)) a + bias = tau + (held forces)
 * Backward:  Ia_i = I_i + sum children,  U = Ia S,  D = S'U + diag(d)
 *   free: Ia - U D^-1 U' goes to the parent;   held: Ia itself
 * Forward:   a = D^-1 (u - U'(A_p + c)),  A = A_p + c + S a,  F = Ia A + pa  (the wrench
 * transmitted by the joint)
 * Featherstone 2008, ch. 7 and 9.
 */
#ifndef DT_DYNAMICS_ABA_H
#define DT_DYNAMICS_ABA_H

#include "base/arena.h"
#include "dynamics/motion.h"

typedef struct dt_aba_node {
    double Ia[36];  /**< articulated inertia of the node's subtree */
    double U[3][6]; /**< Ia S */
    double D[9];    /**< inverse of S'U + d (nv x nv, row-major) */
    double pa[6];   /**< articulated bias force */
    double u[3];    /**< tau - S' pa */
    double A[6];    /**< acceleration (includes -gravity where there is a bias) */
    double F[6];    /**< wrench transmitted from base to follower */
} dt_aba_node;

typedef struct dt_aba {
    dt_aba_node *node;   /**< node_count */
    unsigned char *held; /**< node_count: which nodes are held, as of the last factorisation */
} dt_aba;

/** False when memory is out. */
bool dt_aba_create(dt_arena *arena, const dt_tree *tree, dt_aba *aba);

/**
 * Factors M + diag(added) with the nodes in `held` (node_count flags) held. `added`: nv values >= 0
 * or NULL.
 * Returns -1, or the node whose freedom has no inertia (singular).
 */
int dt_aba_factor(const dt_tree *tree, const dt_motion *motion, const unsigned char *held,
                  const double *added, dt_aba *aba);

/** What one solve is asked for. */
typedef struct dt_aba_load {
    const double *tau; /**< nv: forces along the freedoms; entries of held nodes are not read */
    const double
        *held_a; /**< nv: accelerations of held nodes, or NULL: zero; other entries are not read */
    bool bias;   /**< with velocity terms, gravity and external wrenches; else none of the three */
    double gravity[3];
    const double (*external)[6]; /**< node_count, or NULL */
} dt_aba_load;

/**
 * Solves with the last factorisation. out: a (nv), transmitted (nv, S'F: for held nodes the force
 * that holds them, for
 * the others tau - added a; may be NULL). Leaves A and F of every node in `aba`.
 */
void dt_aba_solve(const dt_tree *tree, const dt_motion *motion, const dt_aba_load *load,
                  dt_aba *aba, double *a, double *transmitted);

#endif
