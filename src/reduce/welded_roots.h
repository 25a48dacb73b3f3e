/**
 * @file welded_roots.h
 * The root of all welded joints.
 */
#ifndef DT_REDUCE_WELDED_ROOTS_H
#define DT_REDUCE_WELDED_ROOTS_H

#include "integrator/simulation.h"

/** Where a block is: the motion of its group, the wrench of its bundle. */
typedef struct dt_welded_place {
    double motion[12], wrench[6];
} dt_welded_place;

/**
 * What bounds the friction of a block's joints from the motion of its group (welded_roots.c); relative to
 * the widths of their boxes.
 */
typedef struct dt_welded_bounds {
    double most_k[12], most_S[6]; /**< largest coefficients, absolute */
    double most_offset;           /**< largest offset of a limit */
    dt_welded_place reference;    /**< where all were evaluated */
    double margin;                /**< least root there */
    dt_welded_place end[2];       /**< where it was at the ends of the last steps, oldest first */
    double moved[3];              /**< by how much at most a friction there, and at the last
                                       evaluation, is another one than at the reference */
    size_t restart;               /**< the last one at which they were in use */
} dt_welded_bounds;

/** Welded joints of one group with the same bundle, some in a row. */
typedef struct dt_welded_block {
    int first, count; /**< joints, linked by `next` */
    int next;         /**< first joint of the group's next block, or -1 */
    int bounds;       /**< where they are, or -1: too few joints to be worth it */
    bool passed;      /**< over, at the last evaluation */
    bool skipped;     /**< passed over at the end of the last step */
} dt_welded_block;

typedef struct dt_welded_roots {
    dt_welded_block *block;   /**< by first joint */
    int *list, block_count;   /**< the first joints of all blocks */
    dt_welded_bounds *bounds; /**< those that `restart` tells are in use */
    int next_bounds;          /**< all before have been looked at, at this restart */
    size_t restarts;
    size_t *formed;   /**< groups, by carrier + 1: those that the blocks belong to */
    double *friction; /**< welded joints: at the last evaluation */
    double (
        *offset)[2]; /**< welded joints: the widening of roots, which have those of the others */
    /** Friction at the ends of the last steps, oldest first; of blocks that are skipped, before that. */
    double *before[3];
    int *near, near_count; /**< joints near their limit, at the last look */
} dt_welded_roots;

/** False when memory is out. */
bool dt_welded_create(dt_arena *arena, dt_simulation *simulation);
/** Which joints are welded from now on; the core is at a consistent state. */
void dt_welded_restart(dt_simulation *simulation);
/**
 * The least root of all welded joints that are near their limit, at most 1, at the core's readings.
 * False where a force is not finite.
 */
bool dt_welded_evaluate(dt_simulation *simulation, double *least);
/** Notes the last evaluation as that at the end of a step, of a new one or the same. */
void dt_welded_note(dt_simulation *simulation, bool new_step);
/** The width of the box of welded joint k, by which distances from its limits are measured; > 0. */
double dt_welded_width(const dt_simulation *simulation, int k);
/** How far a friction of the block can be from what it was when all were evaluated last. */
double dt_welded_movement(const dt_simulation *simulation, const dt_welded_block *block);
/** The root of welded joint k with friction f; `which` as in dt_roots_of_locked(). */
double dt_welded_root(const dt_simulation *simulation, int k, int which, double f);
/**
 * Lists in `near` the joints that are nearer to their limit than this part of its width (INFINITY:
 * all) or the noise of their force, and evaluates their friction; after dt_welding_update().
 */
void dt_welded_look(dt_simulation *simulation, double part);
/**
 * Whether all welded joints are inside their limits at the core's readings, where the groups may be
 * others than at the restart; those that are not are set apart.
 */
bool dt_welded_hold(dt_simulation *simulation);

#endif
