/**
 * @file tree_slots.h
 * Room for what a node has while its subtree is gone through, and no longer.
 *
 * Inward that is from the turn of its last child to its own, outward the same way round the other. A slot is passed on when a
 * node is through; at most as many are in use at once as a path from the ground has nodes with more than one branch, and one
 * or two of a chain, which stay in the cache. What a slot holds, and how much, is its user's business.
 */
#ifndef DT_DYNAMICS_TREE_SLOTS_H
#define DT_DYNAMICS_TREE_SLOTS_H

#include "base/arena.h"
#include "model/tree.h"

typedef struct dt_tree_slots {
    bool own; /**< node i has slot i for good */
    int *of;  /**< node_count: the slot of a node, or -1 */
    int count;
    int *unused, unused_count; /**< slots that nobody has */
} dt_tree_slots;

/** For `tree` and what is left of it with nodes welded. Where `own` every node has its own, for good. False when memory is out. */
bool dt_tree_slots_create(dt_arena *arena, const dt_tree *tree, bool own, dt_tree_slots *slots);

/** Before a sweep inward: no node has a slot, unless each has its own. */
void dt_tree_slots_begin(dt_tree_slots *slots, const dt_tree *tree);

/** Gives a node a slot; false where it has one already. */
bool dt_tree_slots_take(dt_tree_slots *slots, int node);

/** A node is through; its slot, dt_tree_slots.of, can be another's. */
void dt_tree_slots_leave(dt_tree_slots *slots, int node);

#endif
