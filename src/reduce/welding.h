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
 * What depends on the groups is known by the numbers of the whole mechanism, which stay: joints by their stiction,
 * groups by the node that carries them.
 *
 * Which joints are welded is decided by weldable(): constant limits, no test friction of the
 * user's, no actuation that varies, no state that reads it. A mechanism with a law that reads another joint, itself
 * or by states, is not welded at all.
 */
#ifndef DT_REDUCE_WELDING_H
#define DT_REDUCE_WELDING_H

#include "dynamics/system.h"

/** A joint inside a group, and the body that follows it. */
typedef struct dt_welded_joint {
    union {
        dt_inertia
            beyond;   /**< of the group from here outward, group frame; until k is formed of it */
        double k[12]; /**< of (a, alpha, ww' as xx yy zz xy xz yz) */
    };
    double S[6];      /**< about the group's origin, group axes: (angular, linear) */
    double Q;         /**< N or N m: what acts along it besides friction */
    double limits[2]; /**< N or N m: FSf < 0 < FSr */
    double R[9],
        p[3]; /**< rotation to the carrier's frame, and origin there, m; on the ground from the world's origin */
    int carrier; /**< node that carries the group, or -1: the ground */
    int bundle;  /**< what is attached beyond it, or -1: nothing */
    int next;    /**< the group's next joint, from the leaves inward, or -1 */
} dt_welded_joint;

/** The bundle of a node that is kept, of a load, or a sum at a node; numbered in this order (dt_welding_bundle()). */
typedef struct dt_bundle {
    double wrench[6]; /**< (moment, force) about the group's origin, group axes */
    int into;         /**< the bundle that it flows into, or -1 */
    int next;         /**< of a sum: the group's next one, from the leaves inward, or -1 */
} dt_bundle;

/** Of a node where no two things meet: no bundle. */
enum { DT_NO_SUM = -2 };

/** Bodies that are welded together, and the node that carries them, which is kept. */
typedef struct dt_group {
    double motion[12]; /**< (a, alpha, ww') as of dt_welding_update(), where it has joints */
    union {
        dt_inertia inertia; /**< of all of it, about its origin, in its axes, while it is formed */
        dt_mass body;       /**< the same as that of a node; not of the ground's */
    };
    dt_bundle bundle; /**< what the node hands to the group that it moves against */
    int joints, sums; /**< the first one, or -1 */
} dt_group;

/**
 * A node of the whole either is kept, and carries a group, or is welded, and its joint is in one: dt_welding_is_welded()
 * tells. What is known of it as the one is not of the other; where a joint was locked or released, both groups are formed anew.
 */
typedef union dt_welded_part {
    dt_group group;
    dt_welded_joint joint;
} dt_welded_part;

typedef struct dt_welding {
    dt_system system; /**< the welded system; its mechanism and tree are those below */
    detent_mechanism mechanism;
    const dt_system *whole; /**< from which it was formed */
    bool *weldable;         /**< stictions of the whole */

    /* the map of the present groups */
    bool *apart;   /**< stictions of the whole: not to be welded now, though it may; the caller's */
    bool *welded;  /**< stictions of the whole: it is */
    int *node;     /**< nodes of the welded system: of the whole */
    int *number;   /**< nodes of the whole that are kept: of the welded system */
    int *carrier;  /**< nodes of the whole: the one that carries its group, or -1: the ground */
    int *stiction; /**< stictions of the welded system: of the whole */
    int *kept;     /**< stictions of the whole: of the welded system, or -1: welded */
    double *q;     /**< nq of the whole, when the groups were formed */
    double ground[3]; /**< world: origin of the group that is welded to the ground, near it */

    dt_welded_part *part;    /**< by node of the whole + 1; the ground first, which is a group */
    dt_welded_joint **joint; /**< stictions of the whole: where they are there */
    /** Groups, in the same place: when, counted; another number: it may be another group. */
    size_t *formed;
    int joint_count;   /**< of those that are welded */
    dt_bundle *bundle; /**< of loads and sums */
    int bundle_count;  /**< with those of nodes */

    /* the tree of the whole */
    int *first_child, *next_sibling; /**< by node + 1, the ground first; by node */
    int *first_load, *next_load;     /**< by node; by load */
    int *sum;                        /**< by node: the bundle of a sum there, or DT_NO_SUM */

    /* work space */
    dt_node *nodes;
    dt_joint_frame *frame; /**< of nodes that are kept and have a parent */
    dt_primitive *primitives;
    dt_stiction *stictions;
    /** All places; the first load_count of the welded system are on bodies that move. */
    dt_load *loads;
    /** Of elements: their joints are nodes here, -1 where these are welded; NULL: there are none along joints. */
    dt_item_list *added;
    int *load_place; /**< places of the whole: in `loads` */
    int *loads_kept; /**< loads here, also on what does not move: which of the whole they are */
    /** Nodes of the whole: what is lent (dt_tree) from here outward, group frame; NULL: nothing is. */
    dt_inertia *lent_beyond;
    dt_inertia *lent;            /**< of the welded system's tree */
    int *touched, touched_count; /**< carriers of groups to be formed */
    int *member;                 /**< nodes of a group */
    size_t forms;                /**< how often groups were formed */
    bool is_formed;              /**< there are groups, and they are still right */
} dt_welding;

/** True where no law reads another joint, so that welding changes nothing but the cost. */
bool dt_welding_is_possible(const dt_system *whole);

/**
 * False when memory is out. `shares_readings`: the welded system has its readings where `whole` has
 * them, in turn (dt_system_create_beside()).
 */
bool dt_welding_create(dt_arena *arena, const dt_system *whole, bool shares_readings,
                       dt_welding *welding);

/**
 * Forms the groups at the modes and coordinates of `whole`, and brings the welded system to its
 * state, accelerations, forces and inputs. Only groups in which a joint has been locked or released
 * since the last time are formed anew; the result is the same to the last bit.
 */
void dt_welding_form(dt_welding *welding);

/** Forgets the groups: coordinates of welded joints have changed. */
void dt_welding_forget(dt_welding *welding);

/* welding_groups.c, parts of dt_welding_form() */

/** Forms the groups whose joints have changed. */
void dt_welding_form_groups(dt_welding *welding);

/* welding_friction.c */

/** Adds the joint of node i, which is welded, to its group behind `last` (-1: the first one). */
void dt_welding_add_joint(dt_welding *welding, int i, int last);

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

/** Friction of welded joint k, N or N m; after dt_welding_update(). */
double dt_welding_friction(const dt_welding *welding, int k);

/** The same at a motion (a, alpha, ww') of its group and a wrench of its bundle, not read where it has none. */
double dt_welding_friction_at(const dt_welded_joint *joint, const double motion[12],
                              const double wrench[6]);

/** The size of the terms that the friction of joint k is summed from, N or N m. */
double dt_welding_friction_size(const dt_welding *welding, int k);

/** Node of the welded system that carries node i of the whole, or -1: the ground. */
static inline int dt_welding_carrier(const dt_welding *welding, int i)
{
    const int carrier = i < 0 ? -1 : welding->carrier[i];
    return carrier < 0 ? -1 : welding->number[carrier];
}

/** Whether node i of the whole is welded to its parent's group: a joint, else a group. */
static inline bool dt_welding_is_welded(const dt_welding *welding, int i)
{
    const int k = welding->whole->mechanism->primitives[i].stiction;
    return k >= 0 && welding->welded[k];
}

/** Where the group of node c of the welded system is among `part`, or that of the ground (-1). */
static inline int dt_welding_place(const dt_welding *welding, int c)
{
    return c < 0 ? 0 : welding->node[c] + 1;
}

/** The group of node c of the welded system, or of the ground (-1). */
static inline dt_group *dt_welding_group(const dt_welding *welding, int c)
{
    return &welding->part[dt_welding_place(welding, c)].group;
}

/** The welded joint of stiction k of the whole. */
static inline dt_welded_joint *dt_welding_joint(const dt_welding *welding, int k)
{
    return welding->joint[k];
}

/** The group that a welded joint is in. */
static inline dt_group *dt_welding_group_of(const dt_welding *welding, const dt_welded_joint *joint)
{
    return &welding->part[joint->carrier + 1].group;
}

/** Bundle b. */
static inline dt_bundle *dt_welding_bundle(const dt_welding *welding, int b)
{
    const int n = welding->whole->tree->node_count;
    return b < n ? &welding->part[b + 1].group.bundle : &welding->bundle[b - n];
}

/** The wrench beyond a welded joint, or NULL: nothing is attached there. */
static inline const double *dt_welding_wrench(const dt_welding *welding,
                                              const dt_welded_joint *joint)
{
    return joint->bundle < 0 ? NULL : dt_welding_bundle(welding, joint->bundle)->wrench;
}

/** Rotation of node i of the whole to its carrier's frame. */
const double *dt_welding_rotation(const dt_welding *welding, int i);
/** Its origin there, m; on the ground from the world's origin. */
const double *dt_welding_origin(const dt_welding *welding, int i);

#endif
