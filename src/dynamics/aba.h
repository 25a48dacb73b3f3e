/**
 * @file aba.h
 * Articulated-body algorithm, hybrid: the acceleration of *held* nodes is given and their force
 * found, the force of the others is given and their acceleration found; in linear time.
 *
 *   (M + diag(d)) a + bias = tau + (held forces)
 *
 * Inward:   Ia_i = I_i + sum children,   B = S'Ia S + J + diag(d), J the armature
 *   held:   Ia and pa + Ia (c + S a) go to the parent
 *   free:   the freedoms are combined first so that each has an equation of its own, C B C' =
 *           diag(1 / D), U = Ia S C', u = C (tau - S'pa) - U'c (dt_small_decouple; C = 1 for a
 *           scalar joint), and eliminated one by one:
 *           Ia - sum D_j U_j U_j'  and  pa + Ia c + sum D_j u_j U_j  go to the parent
 * Outward:  a = C' eta with eta_j = D_j (u_j - U_j'A_p),   A = A_p + c + S a,   F = Ia A + pa (the
 *           wrench transmitted by the joint)
 *
 * Ia is stored as one triangle: a sum of D_j U_j U_j' is symmetric to the last bit, and must be.
 * With the inverse of the 3 x 3 matrix of a spherical joint, Ia - U B^-1 U', rounding leaves a skew
 * part K in Ia, and U takes S'K S in with the wrong sign: K doubles with every such joint (one
 * freedom alone has no S'K S), and after some dozens of them Ia is no inertia any more. Besides,
 * the inverse loses digits of a where B is ill-conditioned (slender bodies).
 *
 * Featherstone 2008, ch. 7 and 9.
 */
#ifndef DT_DYNAMICS_ABA_H
#define DT_DYNAMICS_ABA_H

#include "base/arena.h"
#include "dynamics/motion.h"

typedef struct dt_aba_node {
    double Ia[DT_SYMMETRIC6]; /**< articulated inertia of the node's subtree */
    double F[6]; /**< inward the articulated bias force pa; outward the wrench transmitted from base
                      to follower, where it is asked for */
    double
        A[6]; /**< inward c; outward the acceleration (includes -gravity where there is a bias) */
} dt_aba_node;

typedef struct dt_aba_freedom {
    double U[6]; /**< Ia S C' */
    double D;    /**< one over its inertia; of a scalar joint 1 / B */
    double u;    /**< C (tau - S'pa) - U'c */
} dt_aba_freedom;

typedef struct dt_aba {
    dt_aba_node *node;       /**< node_count */
    dt_aba_freedom *freedom; /**< nv: of free nodes */
    double (*C)[3];          /**< nv: of a free spherical node, rows are the combinations of its
                                  freedoms; NULL where the tree has no such node */
    unsigned char *held;     /**< node_count: which nodes are held, as of the last factorisation */
    bool of_held;            /**< the last solve has found the wrenches of held nodes alone */
} dt_aba;

/** For `tree` and for what is left of it with nodes welded. False when memory is out. */
bool dt_aba_create(dt_arena *arena, const dt_tree *tree, dt_aba *aba);

/**
 * Factors M + diag(added) with the nodes in `held` (node_count flags) held. `added`: nv values >= 0
 * or NULL. Returns -1, or the node one of whose freedoms has no inertia (singular).
 */
int dt_aba_factor(const dt_tree *tree, const dt_motion *motion, const unsigned char *held,
                  const double *added, dt_aba *aba);

/** What one solve is asked for. */
typedef struct dt_aba_load {
    const double *tau; /**< nv: forces along the freedoms; entries of held nodes are not read */
    /** nv: accelerations of held nodes, or NULL: zero; other entries are not read */
    const double *held_a;
    bool bias; /**< with velocity terms, gravity and external wrenches; else none of the three */
    double gravity[3];
    const double (*external)[6]; /**< node_count, or NULL */
    bool
        of_held; /**< wrenches and forces transmitted of held nodes alone: others are not written */
} dt_aba_load;

/**
 * Solves with the last factorisation. out: a (nv), transmitted (nv, S'F + J a: for held nodes the force
 * that holds them, for the others tau - added a; may be NULL). `a` may be the array held_a, and
 * `transmitted` the array tau. Leaves A and F of every node in `aba`; with of_held, F of held nodes.
 */
void dt_aba_solve(const dt_tree *tree, const dt_motion *motion, const dt_aba_load *load,
                  dt_aba *aba, double *a, double *transmitted);

/** What node i transmits by the last solve, whatever that was asked for. */
void dt_aba_wrench(const dt_aba *aba, int node, double F[6]);

#endif
