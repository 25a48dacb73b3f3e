/**
 * @file welding.h
 * The mechanism as it moves: maximal groups of locked joints welded into single bodies.
 *
 * A locked joint is a constraint that nothing but an event ends, so between two events a group of
 * bodies behind locked joints is one rigid body. The welded system has a node for every joint that
 * is not locked, carrying the mass of its group; everything that works on a dt_system works on it,
 * at a cost that follows the motion instead of the mechanism.
 *
 * What the welded joints transmit is wanted all the same, to see which of them reaches its limit.
 * In the frame of the group that carries it the force of a welded joint is linear, with constant
 * coefficients, in how the group moves and in what is attached to it:
 *
 *   S'F = k . (a, alpha, w w')  +  S . sum of the wrenches attached beyond the joint
 *
 * a is the acceleration of the group's origin less gravity, alpha and w its angular acceleration
 * and velocity, all in the group's axes; k (12 numbers) follows from the inertia beyond the joint.
 * So it costs some 20 multiplications. Attached are the groups further out and the loads. Joints
 * with the same things beyond them share a *bundle*, the sum of these wrenches; where branches
 * meet, bundles flow into another one.
 *
 * Which joints are welded is decided by weldable(): constant limits, no test friction of the
 * user's, no actuation that varies. A mechanism with a law that reads another joint is not welded
 * at all.
 */
#ifndef DT_DYNAMICS_WELDING_H
#define DT_DYNAMICS_WELDING_H

#include "dynamics/system.h"

/** A joint inside a group. */
typedef struct dt_welded_joint {
    double k[12];     /**< of (a, alpha, ww' as xx yy zz xy xz yz) */
    double S[6];      /**< about the group's origin, group axes: (angular, linear) */
    double Q;         /**< N or N m: what acts along it besides friction */
    double limits[2]; /**< N or N m: FSf < 0 < FSr */
    int stiction;     /**< of the whole mechanism */
    int carrier;      /**< node of the welded system, or -1: the ground */
    int bundle;       /**< what is attached beyond it, or -1: nothing */
} dt_welded_joint;

typedef struct dt_bundle {
    double wrench[6]; /**< (moment, force) about the group's origin, group axes */
    int into;         /**< the bundle that it flows into, or -1 */
    int source;       /**< node of the welded system attached here, load - 1 - source, or a sum */
    int owner;        /**< of a sum: the node where it came about; else -1 */
} dt_bundle;

typedef struct dt_welding {
    dt_system system; /**< the welded system; its mechanism and tree are those below */
    detent_mechanism mechanism;
    const dt_system *whole; /**< from which it was formed */
    bool *weldable;         /**< stictions of the whole */

    /* the map of the present groups */
    bool *apart;   /**< stictions of the whole: not to be welded now, though it may; the caller's */
    int *node;     /**< nodes of the welded system: of the whole */
    int *carrier;  /**< nodes of the whole: node of the welded system, or -1: the ground */
    int *stiction; /**< stictions of the welded system: of the whole */
    int *kept;     /**< stictions of the whole: of the welded system, or -1: welded */
    double (*R)[9];   /**< nodes of the whole: rotation to the carrier's frame, */
    double (*p)[3];   /**< and origin there, m; on the ground from the world's origin */
    double *q;        /**< nq of the whole, when the groups were formed */
    double ground[3]; /**< world: origin of the group that is welded to the ground, near it */

    dt_welded_joint *joint; /**< joint_count: from the leaves inward */
    int joint_count;
    int *place; /**< stictions of the whole: in `joint` where it is welded */
    dt_bundle *bundle;
    int bundle_count;
    int *sums, sum_count; /**< bundles that are sums, from the leaves inward */

    /* work space */
    dt_node *nodes;
    dt_primitive *primitives;
    dt_stiction *stictions;
    dt_load *loads;       /**< all; load_count of the welded system are on bodies that move */
    int *load_place;      /**< loads of the whole: in `loads`, first those on bodies that move */
    dt_inertia *beyond;   /**< nodes of the whole: of the group from here outward, group frame */
    int *bundle_at;       /**< nodes of the whole */
    double (*motion)[12]; /**< nodes of the welded system, and the ground: (a, alpha, ww') */
    bool *carries;        /**< nodes of the welded system: a group with welded joints */
} dt_welding;

/** True where no law reads another joint, so that welding changes nothing but the cost. */
bool dt_welding_is_possible(const dt_system *whole);

/** False when memory is out. */
bool dt_welding_create(dt_arena *arena, const dt_system *whole, dt_welding *welding);

/**
 * Forms the groups at the modes and coordinates of `whole`, and brings the welded system to its
 * state, accelerations, forces and inputs.
 */
void dt_welding_form(dt_welding *welding);

/** Lists the welded joints and what is attached to them; part of dt_welding_form(). */
void dt_welding_list_joints(dt_welding *welding);

/** Modes and directions of `whole` to the welded system, where no joint was locked or released. */
void dt_welding_copy_modes(dt_welding *welding);

/**
 * q, v, a, f of the welded system to those of `whole`. Welded joints are where they were, at rest;
 * their friction is not touched.
 */
void dt_welding_expand(const dt_welding *welding, const double *q, const double *v, const double *a,
                       const double *f, dt_system *whole);

/** Motions of the groups and wrenches of the bundles at the welded system's readings (A, F, loads). */
void dt_welding_update(dt_welding *welding);

/** Friction of welded joint j, N or N m; after dt_welding_update(). */
double dt_welding_friction(const dt_welding *welding, int j);

/** The same at a motion (a, alpha, ww') of its group and a wrench of its bundle. */
double dt_welding_friction_at(const dt_welded_joint *joint, const double motion[12],
                              const double wrench[6]);

#endif
