/**
 * @file root_finding.h
 * The first fall through zero of any of several functions of time.
 *
 * An evaluation is thought to be costly and gives all functions at once. A function that is zero where
 * the search begins is left alone until it has left zero.
 */
#ifndef DT_SOLVER_ROOT_FINDING_H
#define DT_SOLVER_ROOT_FINDING_H

#include "base/arena.h"

/** All functions at t; false where they cannot be evaluated. */
typedef bool (*dt_root_functions)(void *context, double t, double *g);

/** One function at the ends of an interval, positive at the first and not at the second. */
typedef struct dt_root_bracket {
    int index;
    double t[2], g[2];
} dt_root_bracket;

/** When the function is expected to be zero, NAN if nothing is known. Costs little. */
typedef double (*dt_root_guess)(void *context, const dt_root_bracket *bracket);

typedef enum dt_root_outcome { DT_ROOT_NONE, DT_ROOT_FOUND, DT_ROOT_FAILED } dt_root_outcome;

typedef struct dt_root_finder {
    dt_root_functions evaluate;
    dt_root_guess guess; /**< NULL: none */
    void *context;
    int count;
    double time;                       /**< searched up to here */
    bool fresh;                        /**< since dt_root_finder_start() */
    double *low, *high, *middle, *old; /**< values at `time`, and further on */
    bool *idle;                        /**< zero since the start */
    int *fired;                        /**< -1 for those that fell at the root found, else 0 */
} dt_root_finder;

/** Memory for up to `most` functions; false when it is out. The rest is the caller's to set. */
bool dt_root_finder_create(dt_arena *arena, size_t most, dt_root_finder *finder);

/** Begins at t with `count` functions, evaluated there; false where they cannot be. */
bool dt_root_finder_start(dt_root_finder *finder, int count, double t);

/**
 * Searches on to `end`. DT_ROOT_FOUND: `time` is at most `tolerance` past the first root, with `fired`;
 * then the next search, or dt_root_finder_start(), goes on from there. `tolerance` must be above
 * the spacing of numbers at `end`.
 */
dt_root_outcome dt_root_finder_search(dt_root_finder *finder, double end, double tolerance);

#endif
