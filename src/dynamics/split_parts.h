/**
 * @file split_parts.h
 * What split_rank.c (what may be shared), split.c (sharing), split_follow.c (limits that follow what is shared) and self_stress.c (what else is not unique)
 * share.
 */
#ifndef DT_DYNAMICS_SPLIT_PARTS_H
#define DT_DYNAMICS_SPLIT_PARTS_H

#include "dynamics/split.h"

/** The freedom of the joint of stiction k. */
static inline int dt_split_freedom(const dt_system *s, int k)
{
    return s->tree->nodes[s->mechanism->stictions[k].primitive].v;
}

/* split_rank.c */
/** Memory of a split. */
bool dt_split_take(dt_arena *arena, const dt_system *system, dt_split *split);

/** Lists joints that are locked by friction which has limits, and that a loop ties; `counts` as for dt_split_within(). */
void dt_split_list(const dt_system *system, const bool *counts, dt_split *split);

/**
 * Which rows follow from the active ones along the freedoms that move, in shares of these: columns of `share`. Returns
 * how many; the rows in split->row.
 */
int dt_split_shares(const dt_closure *closure, dt_split *split);

/**
 * The friction of the members by unit multipliers of `count` such rows, in `candidate` in the units of the rows; U is left as QR
 * with pivots leaves it, R in its upper triangle, its columns in the order of split->pivots (from 1). Returns how many are independent.
 */
int dt_split_rank(const dt_system *system, int count, dt_split *split);

/* split.c */
/** Splits within split->limits, what has been prepared. */
void dt_split_solve(dt_system *system);

/** Chooses who keeps its friction where what is shared changes: split->narrow, by split->width. */
void dt_split_choose(dt_split *split);

/** Half the widths of the limits. */
void dt_split_find_widths(dt_split *split);

/** From there to the least norm, where there is room. */
void dt_split_take_least(dt_split *split);

#endif
