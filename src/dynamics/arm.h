/**
 * @file arm.h
 * Points of a system, world axes, m, from the origin that spatial vectors are taken about: that of their part (model/tree.h).
 */
#ifndef DT_DYNAMICS_ARM_H
#define DT_DYNAMICS_ARM_H

#include "dynamics/system.h"

/** The origin that spatial vectors of a node are taken about, in the world. */
static inline const double *dt_origin_of(const dt_system *s, int node)
{
    return s->reference[s->tree->nodes[node].part].origin;
}

/** The origin of a node's own frame. */
static inline void dt_arm(const dt_system *s, int node, double r[3])
{
    const double *origin = dt_origin_of(s, node);
    for (int k = 0; k < 3; k++) {
        r[k] = s->motion[node].p[k] - origin[k];
    }
}

/** A point of a node, given in its frame. */
static inline void dt_arm_of_point(const dt_system *s, int node, const double local[3], double r[3])
{
    const double *origin = dt_origin_of(s, node);
    dt_motion_point(&s->motion[node], local, r);
    for (int k = 0; k < 3; k++) {
        r[k] -= origin[k];
    }
}

#endif
