/**
 * @file velocity_box.h
 * Who sticks, slides, or stands at a stop at the end of a step: the search of modes posed in velocities.
 *
 *   (M + h D + h^2 K) (v+ - v) = h (Q - bias - h K v + S f)          (velocity_step.h)
 *
 * Along each joint f is a falling staircase of v+: constant on the *segments*, anything between two of them at the *corners*. Friction has one
 * corner, v+ = 0, between the segments f = FK(-1) behind it and f = -FK(+1) before it; a rigid stop has one where the joint just reaches it in
 * the step, beyond which f is infinite:
 *
 *   f                     v+ = at[0]   v+ = 0
 *   infinite ------------+              |
 *                        +--------------+
 *                                       |
 *                                       +-----------
 *
 * With a symmetric matrix these are the conditions of a strictly convex minimum in v+, and have one solution. A *place* is a segment, 2 i, or a
 * corner, 2 i + 1: with all places given, one solve tells v+ of those on segments and f of those at corners. Who is contradicted, and by more
 * than rounding, goes to the next place; of those that are near each other only the worst (nearby.h). How often is bounded.
 *
 * Where the bound is met before the end, joints give way: who is held beyond his limit moves with it, and who would be driven by his friction has none,
 * all at once, in as many solves again. Nobody is held again, so this ends, with friction inside its limits that takes energy, and is less than there
 * is; mostly in two or three solves. Where these are used up, too, friction is a share of that of the last attempt, the largest one up to 1 with which
 * nobody is driven:
 *
 *   v+ = v0 + theta (v1 - v0),   f = theta F,   f_k v+_k <= 0
 *
 * v0 without friction, v1 with F.
 *
 * D. E. Stewart, J. C. Trinkle, An implicit time-stepping scheme for rigid body dynamics, Int. J. Numer. Meth. Eng. 39, 1996; J. J. Moreau, Unilateral
 * contact and dry friction in finite freedom dynamics, 1988.
 */
#ifndef DT_STICTION_VELOCITY_BOX_H
#define DT_STICTION_VELOCITY_BOX_H

#include "dynamics/velocity_step.h"
#include "stiction/nearby.h"

enum { DT_MOST_CORNERS = 3 };

/** What is along a joint. */
typedef struct dt_staircase {
    int corners;
    double at[DT_MOST_CORNERS];        /**< ascending velocities */
    double force[DT_MOST_CORNERS + 1]; /**< of the segments, falling; infinite beyond stops */
    double hold
        [DT_MOST_CORNERS]
        [2]; /**< lowest and highest of the corners: the segments beside, or what held there follows */
    int place; /**< segment 2 i, which ends at corner i; corner 2 i + 1 */
} dt_staircase;

typedef struct dt_velocity_box {
    dt_velocity_step *step;
    int count;           /**< stictions */
    dt_staircase *stair; /**< count */
    int *node, *freedom; /**< count: where they are in the tree */
    signed char *next;   /**< count: how many places on, of those that are contradicted, else 0 */
    signed char *came;   /**< count: by how many places it went last */
    bool *
        turned; /**< count: its place is no longer that which it began with; for the caller to clear */
    bool
        renewed; /**< what can hold at corners is another than it began with; for the caller to clear */
    unsigned char *returns; /**< count: how often it was to go back at once */
    double *contradiction;  /**< count: 0, or a size, over what the joint can hold */
    dt_nearby nearby;
    double *v0, *f0; /**< nv, count: kept at the bound */
    /**
     * NULL, or: what can hold at corners, and what who is at rest gives way with, go with what the last attempt has found. True: the latter is another by
     * more than counts, and the attempt is to be made again, at the same places, for the n-th time.
     */
    bool (*update)(void *user, int n);
    void *user;
} dt_velocity_box;

/** False when memory is out. */
bool dt_velocity_box_create(dt_arena *arena, dt_velocity_step *step, dt_velocity_box *box);

/**
 * From the present places: v, a, f of the step become the solution, in at most `most` solves of the step in all; `*settled`: without contradiction.
 * DETENT_ERROR_NUMERIC: a freedom has no inertia.
 */
detent_status dt_velocity_box_run(dt_velocity_box *box, size_t most, bool *settled,
                                  detent_error *error);

/** After `most` solves without an end: friction that does not drive, in at most two more than as many. */
detent_status dt_velocity_box_yield(dt_velocity_box *box, size_t most, detent_error *error);

/** Whether the limits of all who are at corners are numbers: nothing is inside of others, and nothing beyond. */
bool dt_velocity_box_has_limits(const dt_velocity_box *box);

/** Whether the joint is at a corner, and which; else -1. */
static inline int dt_corner_of(const dt_staircase *stair)
{
    return stair->place % 2 ? stair->place / 2 : -1;
}

#endif
