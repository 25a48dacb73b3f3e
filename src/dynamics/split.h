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
 * part in that (math/narrow.h). Where nobody has any, the load is for who has lost it last, by limits that follow forces: else
 * a joint that loses its friction, as a mesh behind which nothing pushes, would hand over the load to another one, and have it again by that. The motion that begins is the dual solution, d'U = 0; its joints give way together, each in
 * its direction, be their limits wide, narrow, or none. A joint may also be alone: where its loop cannot move whatever is
 * let go, the other rows carry all of it. y does not change any motion. What readers see is the split of
 * least norm inside the limits, each friction as a share of its limit (math/bounded.h).
 *
 * Loops and couplings that have no joint in common share nothing: every cluster of them is a part by itself, with a split, a largest
 * share, and a motion of its own. So many loops cost as much each as one does.
 */
#ifndef DT_DYNAMICS_SPLIT_H
#define DT_DYNAMICS_SPLIT_H

#include "dynamics/system.h"
#include "math/bounded.h"
#include "math/minimax.h"
#include "math/narrow.h"

/** A stop that holds may take that many times all loads and limits; so a part as small is left to those that share with it. */
#define DT_SPLIT_FAR 1e6

/**
 * What shares apart from all others: rows and joints of a cluster of ties (closure_still.h). Its numbers of members are parts of those of
 * the split.
 */
typedef struct dt_split_part {
    int rows, *row;           /**< of G: which */
    int stictions, *stiction; /**< that may be members: which, ascending */
    int first, count;         /**< members: split->member[first] ... */
    int active_count;         /**< of rows that decide, and of freedoms that depend on them: */
    int *active, *dependent;  /**< which they are */
    int left, *implied; /**< rows that others imply, whose multipliers are y: which they are */
    double *share;      /**< left x active_count, by columns: of active rows, which balance them */
    int columns;        /**< of U */
    double *U;   /**< count x columns: of multipliers in the units of their rows (closure.h) */
    int *pivots; /**< columns: from 1, their places among the rows left */
    double *y;   /**< columns: in these units */
    double used; /**< the largest share of a limit that is used; above 1 no split holds */
    dt_narrow narrow;
    int *follower;                  /**< work space: members that no column stands for */
    int wide, open;                 /**< members that have a width; columns that stand for such */
    int *wide_member, *open_column; /**< which they are */
    int lines; /**< of them that follow from all others, the first ones, where motions tell it */
    /** wide x open, or lines x open, and wide: their friction is rest + R x, x frictions by their widths */
    double *R, *rest;
    double (*wide_limits)[2], *wide_width; /**< wide */
    double *least_limit;                   /**< wide: what counts as a limit of zero */
    double *x;                             /**< open */
    struct dt_split_motions *motions;      /**< of a large one, else NULL (split_motions.h) */
    bool by_motions;                       /**< it is shared by these, without U, share and y */
} dt_split_part;

typedef struct dt_split {
    double *f;         /**< stiction_count: friction, with the split of locked joints */
    int count;         /**< of locked joints that share, part by part */
    int *member;       /**< which stictions they are */
    int *place;        /**< stiction_count: where they are among the members; -1: nowhere */
    int *part_of;      /**< stiction_count: which part may have it as a member; -1: none */
    int *part_of_node; /**< node_count: the part of a cluster, by its node; -1: none */
    int part_count;
    dt_split_part *part;
    int columns; /**< of U of all parts */
    double used; /**< the largest share of a limit that a part uses */
    /** count: +1, -1: the way in which the motion of its part takes the joint for which that is so; 0: not at all */
    signed char *way;
    bool unsettled;      /**< limits that follow what is shared agree with none (split_follow.c) */
    double *load;        /**< count: f0 */
    double *size;        /**< count: what its limit compares with: split_follow.c */
    double *largest;     /**< node_count: of `size`, by what is tied (closure_still.h) */
    double (*limits)[2]; /**< count */
    double (*off)[2];    /**< count: work space of split_follow.c */
    /** count: half the width of the limits; 0: nothing beside what the force is summed from */
    double *width;
    int solutions; /**< since the members were listed */
    int *
        lost; /**< count: 0 where limits follow no forces; else since which solution it has no width, from 1 */
    double *motion; /**< count */
    /* work space, for the largest part */
    dt_minimax minimax;
    dt_bounded least;
    double *matrix, *candidate, *tau, *most, *work;
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

/** The part in which stiction k shares what holds it; NULL where it shares nothing. */
const dt_split_part *dt_split_part_of(const dt_system *system, int k);

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

/** By how much stiction k may be beyond limits that follow what it shares: what these forces are summed from rounds; 0 of others. */
double dt_split_noise(const dt_system *system, int k);

/** The friction of stiction k; of a locked one in a loop its share. */
double dt_split_friction(const dt_system *system, int k);

#endif
