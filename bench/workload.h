/**
 * @file workload.h
 * What is measured: one table of mechanisms, with stiction or with closed loops, each in several
 * sizes. A workload says where its mechanism comes from, how long it runs, and which numbers at the
 * end are held against a reference.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "detent/detent.h"

/** Which numbers are compared at the end. */
typedef enum bench_compared {
    BENCH_TIP,         /**< x and y (m) of the free end of the last body, a rod of length 1 m / n */
    BENCH_COORDINATES, /**< all coordinates (rad or m) */
    BENCH_FIRST,       /**< the first coordinate: of a mechanism that has one freedom */
    BENCH_MOVEMENT     /**< all coordinates; the reference is the start: nothing may move */
} bench_compared;

enum { BENCH_MOST_SIZES = 8, BENCH_MOST_SETTINGS = 3, BENCH_MOST_LIMITS = 3 };
enum { BENCH_INTEGRATORS = 3 }; /**< members of detent_integrator */

typedef struct bench_setting {
    const char *name, *value;
} bench_setting;

/**
 * How far to go in large sizes, where tight tolerances would take minutes. The reference of our own is
 * ERK's run at `reference`, and IDA's at `check` says how far to trust it.
 */
typedef struct bench_limit {
    size_t above;            /**< holds for n above this; 0: no limit at all */
    double rtol, ida_rtol;   /**< smallest of a run; with IDA, 0: none */
    double reference, check; /**< rtol */
} bench_limit;

/** One row of the table. Its mechanism is a file, or a text, or is built. */
typedef struct bench_workload {
    const char *name, *title;
    const char *file; /**< in mechanisms/, or NULL */
    const char *text; /**< of a mechanism file, or NULL */
    detent_status (*build)(size_t n, detent_mechanism **, detent_error *); /**< or NULL */
    const char *size_name; /**< the parameter that is n; NULL where there is none */
    bench_setting settings[BENCH_MOST_SETTINGS]; /**< of other parameters */
    size_t sizes[BENCH_MOST_SIZES];              /**< ascending, ended by 0 */
    size_t usual;                                /**< sizes above this one run on request only */
    double end;                                  /**< s */
    /** The end for n <= 10 where that is another one, mostly a longer one; else 0. */
    double longer;
    bench_compared compared;
    double only_rtol; /**< where accuracy plays no part; else 0 */
    /** IDA's rtol for our own converged run; a second one at ten times this checks it. */
    double reference_rtol;
    bench_limit limits[BENCH_MOST_LIMITS]; /**< by ascending `above` */
} bench_workload;

extern const bench_workload bench_workloads[];
extern const size_t bench_workload_count;

/** NULL if there is none of that name. */
const bench_workload *bench_find_workload(const char *name);
double bench_end(const bench_workload *workload, size_t n);
/** The limit that holds for that size; NULL if none does. */
const bench_limit *bench_find_limit(const bench_workload *workload, size_t n);
/** "ida", "erk", "auto" or "fixed". */
const char *bench_integrator_name(detent_integrator integrator);
/** Reads or builds the mechanism in that size; the caller destroys it. */
detent_status bench_load(const bench_workload *workload, size_t n, detent_mechanism **mechanism,
                         detent_error *error);

/** How many numbers are compared. */
size_t bench_value_count(const bench_workload *workload, const detent_mechanism *mechanism);
/** Reads them, now. */
detent_status bench_read_values(const bench_workload *workload, const detent_mechanism *mechanism,
                                detent_simulation *simulation, double *values, detent_error *error);

/** A mechanism of rods 1 ... n (rods.h) with stiction in every joint; the caller destroys it. */
struct bench_rod;
detent_status bench_build_rods(const struct bench_rod *rods, size_t n, detent_mechanism **mechanism,
                               detent_error *error);
/** A branching tree of n rods, the same for the same n: bench_tree_rods(). */
detent_status bench_build_tree(size_t n, detent_mechanism **mechanism, detent_error *error);

#endif
