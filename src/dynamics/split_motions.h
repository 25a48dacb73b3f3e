/**
 * @file split_motions.h
 * Large parts of a split whose joints could make few motions only if they were let go, as a lift of scissors, which has one however
 * many stages it has. There all that matters are these motions D (members x count): frictions f share the load f0 where
 *
 *   D'f = D'f0
 *
 * which is the same as f = f0 + U y (split.h), D'U = 0. So few frictions follow from all others, one a motion (math/few.h), in place of
 * many that are shared with one unknown each; motions are found by elimination along the loops (math/sparse_rows.h). All of it takes
 * linear time for few motions; for many of them and of few ways to share, U is the smaller matrix.
 */
#ifndef DT_DYNAMICS_SPLIT_MOTIONS_H
#define DT_DYNAMICS_SPLIT_MOTIONS_H

#include "dynamics/split.h"
#include "math/few.h"
#include "math/sparse_rows.h"

typedef struct dt_split_motions {
    dt_sparse_rows rows; /**< of G, for what moves and members, in the units of rows and freedoms */
    dt_few few;
    int cluster;   /**< closure_local.h */
    int *row;      /**< rows: of G */
    bool *reads;   /**< columns: that some row has */
    int most, all; /**< motions: that there is room for, that there are */
    double *D;     /**< members x all, by columns */
    int count;     /**< all, but for what rounding made one: */
    double *
        reduced; /**< members x count: the same where each has the member that follows by it alone, 1 */
    int *line;     /**< count: this member */
    double *usual; /**< members: the largest entry of D */
    double *x, *m; /**< columns, rows: work space */
} dt_split_motions;

/** NULL into part->motions where the part is small, or there are few loops. False when memory is out. */
bool dt_split_motions_create(dt_arena *arena, const dt_system *system, dt_split_part *part);

/** Finds D of the part's members; how many ways there are to share goes to part->columns. False where motions are many, or not exact. */
bool dt_split_motions_find(const dt_system *system, const dt_split *split, dt_split_part *part);

/** Who follows from the others, the widest ones: part->narrow but for its matrix. */
void dt_split_motions_choose(const dt_split *split, dt_split_part *part);

/** Adds what makes the split's frictions of the load to the multipliers. */
void dt_split_motions_impose(dt_system *system, dt_split_part *part);

#endif
