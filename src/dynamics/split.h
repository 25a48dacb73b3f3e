/**
 * @file split.h
 * How joints at rest share the friction that holds a loop. Locking one joint of a four-bar locks all: with a second one
 * locked the conditions of the loop say less than there are forces, and
 *
 *   f = f0 + U y        f0 of the multipliers as they are, y of those of rows that others imply
 *
 * for any y is in balance. The loop holds as long as some y leaves all of them inside their limits: the split taken
 * here is that which keeps the one that is nearest to its limit farthest from it (math/minimax.h). Where that one is at
 * its limit no split is left, and the loop gives way. Joints without friction are free: they carry nothing, and take no
 * part in that (math/narrow.h). The motion that begins is the dual solution, d'U = 0; its joints give way together, each in
 * its direction, be their limits wide, narrow, or none. A joint may also be alone: where its loop cannot move whatever is
 * let go, the other rows carry all of it. y does not change any motion. What readers see is the split of
 * least norm inside the limits, each friction as a share of its limit (math/bounded.h).
 */
#ifndef DT_DYNAMICS_SPLIT_H
#define DT_DYNAMICS_SPLIT_H

#include "dynamics/system.h"
#include "math/bounded.h"
#include "math/minimax.h"
#include "math/narrow.h"

typedef struct dt_split {
    double *f;   /**< stiction_count: friction, with the split of locked joints */
    int count;   /**< of locked joints that loops may tie */
    int *member; /**< which stictions they are */
    int *place;  /**< stiction_count: where they are among the members; -1: nowhere */
    int columns; /**< of U */
    double *U;   /**< count x columns: of multipliers in the units of their rows (closure.h) */
    int *row;    /**< columns: rows that others imply, whose multipliers are y */
    double *y;   /**< columns: in these units */
    double used; /**< the largest share of a limit that is used; above 1 no split holds */
    /** count: +1, -1: the way in which the motion takes the joint for which that is so; 0: not at all */
    signed char *way;
    bool unsettled;      /**< limits that follow what is shared agree with none (split_follow.c) */
    double *load;        /**< count: f0 */
    double *size;        /**< count: what its limit compares with: split_follow.c */
    double *largest;     /**< node_count: of `size`, by what is tied (closure_still.h) */
    double (*limits)[2]; /**< count */
    double (*off)[2];    /**< count: work space of split_follow.c */
    /** count: half the width of the limits; 0: nothing beside what the force is summed from */
    double *width;
    double *motion; /**< count */
    dt_narrow narrow;
    int wide, open;                 /**< members that have a width; columns that stand for such */
    int *wide_member, *open_column; /**< which they are */
    double *R,
        *rest; /**< wide x open, wide: their friction is rest + R x, x frictions by their widths */
    double (*wide_limits)[2], *wide_width; /**< wide */
    double *x;                             /**< open */
    dt_minimax minimax;
    dt_bounded least;
    double *matrix, *share, *candidate, *tau, *work; /**< work space */
    int *pivots;
    int work_length;
} dt_split;

/** NULL into closure->split where no joint with stiction is in a loop that could hold it, or share with it. False when memory is out. */
bool dt_split_create(dt_arena *arena, dt_system *system);

/** Splits the friction of the system's locked joints, as it is now, within their limits. */
void dt_split_update(dt_system *system);

/** The same within limits by stiction, where they are not those of the laws; of stictions that `split` counts. */
void dt_split_within(dt_system *system, double (*limits)[2], const bool *counts);

/** Puts the split within those limits, even (split_follow.c), into the system's friction, multipliers and forces, if there is something to be shared. */
void dt_split_show_within(dt_system *system);

/**
 * For readers: puts the split into the system's friction, multipliers and forces. False, and nothing is done, where there
 * is nothing to be shared. The next solution of accelerations takes it out again.
 */
bool dt_split_show(dt_system *system);

/** The way in which stiction k begins to move where its loop is at its limit, or beyond; 0 where it is in no such motion. */
int dt_split_way(const dt_system *system, int k);

/**
 * Where what is shared changes, some joints of a loop may go on with the friction that they have, the narrowest ones, and others
 * take all of it: by how much the friction of stiction k grows then with what stiction j would carry if nothing were shared.
 */
double dt_split_burden(const dt_system *system, int k, int j);

/**
 * Who is the first to go on with what it has: the narrowest ones, or with `one_sided` those of which a stop holds all on one side and nothing
 * on the other, which would have to take most. False where there are none such.
 */
bool dt_split_burden_first(dt_system *system, bool one_sided);

/** The friction of stiction k; of a locked one in a loop its share. */
double dt_split_friction(const dt_system *system, int k);

#endif
