/**
 * @file tree.h
 * The kinematic tree: what the dynamics need of a mechanism, and nothing else. Immutable.
 *
 * A node is one primitive and the rigid body that follows it (massless between the primitives of a composite
 * joint). The frame of a node is the follower's joint frame of its primitive. Nodes are numbered so that
 * parent[i] < i; the ground is -1. Node i is primitive i of the mechanism.
 */
#ifndef DT_MODEL_TREE_H
#define DT_MODEL_TREE_H

#include "math/mass.h"
#include "math/spatial.h"
#include "model/joint_type.h"

/** None, between the primitives of a composite joint. */
extern const dt_mass dt_massless;

/** Where a joint is on its base. */
typedef struct dt_joint_frame {
    /** The base's joint frame in the parent node's frame: rotation, row-major, to the parent. */
    double R[9];
    double p[3];    /**< and origin, m */
    double axis[3]; /**< unit, in the joint frame; unused by spherical */
} dt_joint_frame;

typedef struct dt_node {
    int parent; /**< node, or -1: ground */
    int q, v;   /**< first coordinate and freedom */
    int part;   /**< which its body belongs to: model/parts.c */
    const dt_primitive_type *type;
    const dt_mass *body;         /**< in its frame; bodies like each other share theirs */
    const dt_joint_frame *frame; /**< shared in the same way */
    bool parallel;               /**< its R is 1 */
    /** kg or kg m^2, added to the mass matrix on the diagonal of the one freedom; else 0 */
    double armature;
} dt_node;

typedef struct dt_tree {
    int node_count;
    int nq, nv;
    const dt_node *nodes;
    int part_count; /**< bodies of one part are joined, other than by the ground: each has an origin of its own */
    /** NULL, or of each node what its body has beyond its share: another copy of the body has that less
        (lend.h); about the node's origin, in its axes */
    const dt_inertia *lent;
} dt_tree;

#endif
