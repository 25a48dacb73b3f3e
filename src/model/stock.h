/**
 * @file stock.h
 * What a body can give away, in every pose, and the mechanism still takes energy for every motion.
 *
 * A body p that moves in its group of motions (reach.h), V = B u, takes at least
 *
 *     V' I V / 2   >=   v' W^-1 v / 2        W = E B (B' I B)^-1 B' E'
 *
 * where a point of it has the velocity v = E V. What follows p by a joint about that point only has the velocity v there too:
 * so a point mass m with m W <= w 1, which hangs there, never takes more than the part w of what p takes. In the same way
 * an inertia of rotation that a follower has, whose joint slides only, is at most w times that of p; and with a joint that turns
 * about one axis the part of it across that axis.
 *
 * About the centre of mass, or the centre that a group has which holds a point, B' I B falls apart: W = 1/m + s x J^-1 x s,
 * with s from there to the point. Of this the trace is taken, and not the largest eigenvalue.
 *
 * A part of its stock each body also hands on in this way to those behind it that are asked, so that a point mass
 * in the middle of a rod stands firm on the crank before it.
 */
#ifndef DT_MODEL_STOCK_H
#define DT_MODEL_STOCK_H

#include "model/reach.h"
#include "model/record.h"

/** Of a node: it alone, or the root of what is welded to it for good. */
typedef struct dt_stock {
    int root;          /**< -1: welded to the ground */
    double R[9], p[3]; /**< pose in the root at the initial position */
    dt_reach reach;    /**< of a root, in its own frame, as what follows */
    dt_inertia I;      /**< what it has; with dt_stock_hand_on() what it stands on too */
    bool is_asked;     /**< something behind it is to give */
    int lenders,
        heirs; /**< joints behind it that give, and those that what it has is handed on by */
} dt_stock;

/** What can be given by a joint's follower, in the frame of the joint's last node: m at its origin, moment * shape. */
typedef struct dt_spare {
    double mass;   /**< kg; INFINITY: any */
    double moment; /**< kg m^2; the same */
    double shape[6];
} dt_spare;

/** One for each node. NULL when memory is out. */
dt_stock *dt_stock_create(detent_mechanism *, dt_arena *arena);

/** The root that a joint's base belongs to, given its last node; -1: the ground. */
int dt_stock_base(const detent_mechanism *, const dt_stock *stock, int last);

/** A joint that is to give is known, by its last node. Before dt_stock_hand_on(). */
void dt_stock_ask(const detent_mechanism *, dt_stock *stock, int last);

/** Bodies hand on a part of what they have. */
void dt_stock_hand_on(const detent_mechanism *, dt_stock *stock);

/** The most that all that are asked can give at once, of the joint with this last node. */
void dt_stock_spare(const detent_mechanism *, const dt_stock *stock, int last, dt_spare *spare);

/** A node's own share of its body, about its origin. */
void dt_node_inertia(const dt_node *node, dt_inertia *I);

/** Pose of a node in its parent at the initial position. */
void dt_initial_pose(const detent_mechanism *, const dt_node *node, double R[9], double p[3]);

#endif
