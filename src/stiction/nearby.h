/**
 * @file nearby.h
 * Who is worst where he is: of contradictions of joints, those that no larger one nearby is about to relieve.
 *
 * How far the relief of a joint that gives way reaches follows from who is rigidly connected: it decays over the length of a rigid group, and
 * hardly passes a moving joint. In a rigid uniform rod of length 1 a moment at one end leaves 1 - 3 x^2 + 2 x^3 of itself at x, on average a half,
 * as much as exp(-1.6 x).
 */
#ifndef DT_STICTION_NEARBY_H
#define DT_STICTION_NEARBY_H

#include "base/arena.h"
#include "model/tree.h"

typedef struct dt_nearby {
    double *worst; /**< node_count: the largest contradiction as it is felt there */
    int *group; /**< node_count: rigid group, by its first node; node_count: that of the ground */
    int *group_size; /**< node_count + 1 */
} dt_nearby;

/** False when memory is out. */
bool dt_nearby_create(dt_arena *arena, const dt_tree *tree, dt_nearby *nearby);

/**
 * worst[i] = the largest c_j prod decay, over all nodes j, with those in `held` (node_count) held; c in `worst` before, 0 where there
 * is no contradiction.
 */
void dt_nearby_spread(dt_nearby *nearby, const dt_tree *tree, const unsigned char *held);

#endif
