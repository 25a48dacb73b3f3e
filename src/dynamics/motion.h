/**
 * @file motion.h
 * Poses, velocities and inertias of all nodes in the world frame.
 *
 * With parent p and motion subspace S_i (nv columns, constant in the follower):
 *   X_i = X_p X_tree X_joint(q_i)      V_i = V_p + S_i v_i      c_i = V_p x (S_i v_i)
 * Spatial vectors are in world axes about an *origin*, a point of the world near the part of the mechanism that they
 * belong to (dt_reference); poses are relative to the world itself.
 * Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 4 and 5.
 */
#ifndef DT_DYNAMICS_MOTION_H
#define DT_DYNAMICS_MOTION_H

#include "base/arena.h"
#include "math/spatial.h"
#include "model/tree.h"

typedef struct dt_motion {
    double R[9];    /**< node frame to world */
    double p[3];    /**< origin of the node frame in the world, m */
    double (*S)[6]; /**< motion subspace, nv columns */
    double Sv[6];   /**< S v */
    double V[6];    /**< velocity */
    dt_inertia I;   /**< of the node's body about the origin */
} dt_motion;

/** Bodies that are joined, other than by the ground. */
typedef struct dt_reference {
    /** That spatial vectors are taken about, in the world: the mean of the origins of its nodes. */
    double origin[3];
    int node_count;
} dt_reference;

/** For the nodes of `tree`, or for what is left of it with nodes welded. NULL when memory is out. */
dt_motion *dt_motion_create(dt_arena *arena, const dt_tree *tree);

/**
 * Poses, subspaces and inertias at q (nq); `motion` is from dt_motion_create(). `reference` (out): of each part; with origins of their own
 * they lose no digits, far from the world's origin and far from each other.
 */
void dt_motion_pose(const dt_tree *tree, const double *q, dt_motion *motion,
                    dt_reference *reference);

/** Inertia about the origin of the node's body, turned by R, its centre of mass at c. */
void dt_motion_inertia(const dt_node *node, const double R[9], const double c[3], dt_inertia *I);

/** Column (angular, linear) of a node's frame in another one: (R w, r x R w + R v). */
void dt_motion_subspace(const double local[6], const double R[9], const double r[3], double out[6]);

/** The base's joint frame of a node whose parent's frame is at Rp, pp. */
void dt_motion_base(const dt_node *node, const double Rp[9], const double pp[3], double R[9],
                    double p[3]);

/** The node's own frame at q (nq) where that of the base is at R_base, p_base. */
void dt_motion_follower(const dt_node *node, const double *q, const double R_base[9],
                        const double p_base[3], double R[9], double p[3]);

/** Velocities and bias accelerations at v (nv); after dt_motion_pose(). */
void dt_motion_velocity(const dt_tree *tree, const double *v, dt_motion *motion);

/** c of node i, the acceleration that follows its velocity; after dt_motion_velocity(). */
static inline void dt_motion_bias(const dt_tree *tree, const dt_motion *motion, int i, double c[6])
{
    static const double ground[6];
    const int parent = tree->nodes[i].parent;
    dt_cross_motion(c, parent < 0 ? ground : motion[parent].V, motion[i].Sv);
}

/** Moves a point of a node (in its frame) to the world. */
void dt_motion_point(const dt_motion *motion, const double local[3], double world[3]);

/**
 * V x* I V: the wrench that the body takes at zero acceleration. As it is computed, with V = (w, v), u = w x v:
 * (w x J w + h x u, m u + w x (w x h)); the product of v with the momentum m v, which is nothing, is left out together
 * with its rounding. A body that does not turn has none, exactly.
 */
void dt_motion_gyroscopic(const dt_motion *motion, double wrench[6]);

/** Kinetic energy, J; v (nv) for the armatures, which turn at the speed of their joint. */
double dt_motion_kinetic_energy(const dt_tree *tree, const dt_motion *motion, const double *v);

/** Potential energy in the field `gravity` (m/s^2), J, zero at the world's origin. */
double dt_motion_gravity_energy(const dt_tree *tree, const dt_motion *motion,
                                const dt_reference *reference, const double gravity[3]);

#endif
