/**
 * @file split_parts.h
 * What split_rank.c (what may be shared), split.c (sharing), split_follow.c (limits that follow what is shared) and self_stress.c (what else is not unique)
 * share.
 */
#ifndef DT_DYNAMICS_SPLIT_PARTS_H
#define DT_DYNAMICS_SPLIT_PARTS_H

#include "dynamics/split_motions.h"

/** The freedom of the joint of stiction k. */
static inline int dt_split_freedom(const dt_system *s, int k)
{
    return s->tree->nodes[s->mechanism->stictions[k].primitive].v;
}

/** One of the numbers of members of a split that belongs to member i of a part. */
static inline int dt_split_at(const dt_split_part *part, int i)
{
    return part->first + i;
}

/** How the friction of member i changes with that of the member that column j of part->narrow stands for, if i is no such member. */
static inline double dt_split_entry(const dt_split_part *part, int i, int j)
{
    const size_t n = (size_t)part->count, height = n + (size_t)part->columns;
    return part->by_motions ? -part->motions->reduced[(size_t)(-1 - part->narrow.column[i]) * n +
                                                      (size_t)part->narrow.force[j]]
                            : part->narrow.matrix[(size_t)j * height + (size_t)i];
}

/** Whether limits of stiction k follow forces. */
static inline bool dt_split_follows(const dt_system *s, int k)
{
    bool any = false;
    for (int number = DT_STICTION_KINETIC; number < DT_STICTION_TEST && !any; number++) {
        const dt_law *law = dt_stiction_law(s, k, number);
        any = law->program && dt_program_reads(law->program, DT_OF_FORCES);
    }
    return any;
}

/* split_create.c */
/** Memory of a split, of the clusters of ties, or of all that is tied as one. */
bool dt_split_take(dt_arena *arena, const dt_system *system, bool as_one, dt_split *split);

/* split_rank.c */
/** Before the members of parts are listed: who is tied, and the rows of each part. */
void dt_split_mark(const dt_system *system, dt_split *split);

/** Lists joints of a part that are locked by friction which has limits, and that a loop ties; `counts` as for dt_split_within(). */
void dt_split_list(const dt_system *system, const bool *counts, dt_split *split,
                   dt_split_part *part);

/** The part that was listed last has nothing to share: its members are off the list. */
void dt_split_drop(dt_split *split, dt_split_part *part);

/**
 * Which rows of a part follow from the active ones along the freedoms that move, in shares of these: columns of `share`; the rows in
 * part->implied, how many in part->left.
 */
void dt_split_shares(const dt_closure *closure, dt_split *split, dt_split_part *part);

/**
 * The friction of the members by unit multipliers of these rows, in `candidate` in the units of the rows; U is left as QR with
 * pivots leaves it, R in its upper triangle, its columns in the order of part->pivots (from 1). Returns how many are independent.
 * `length`: dt_closure_reach().
 */
int dt_split_rank(const dt_system *system, dt_split *split, dt_split_part *part, double length);

/* split.c */
/** Splits within split->limits, what has been prepared. */
void dt_split_solve(dt_system *system);

/** What a stop may take of the load is as much as there is, and for shares of limits a number: by far more. Limits that are infinite become that. */
void dt_split_bound_stops(const dt_system *system, const dt_split_part *part);

/** From there to the least norm, where there is room. */
void dt_split_take_least(dt_split *split, dt_split_part *part);

#endif
