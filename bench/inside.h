/**
 * @file inside.h
 * What can only be measured inside the library: one evaluation of forward dynamics, one search.
 */
#ifndef BENCH_INSIDE_H
#define BENCH_INSIDE_H

#include "rods.h"

#include "detent/detent.h"

/** Forward dynamics by the articulated-body algorithm, one mechanism in one size. */
typedef struct bench_dynamics {
    const char *name; /**< "dynamics-chain", "dynamics-tree", or "dynamics-arm", n = 6 */
    size_t n;
    detent_status status;
    double cpu; /**< s of one evaluation: poses, velocities, inertias, two sweeps */
    double *accelerations;
} bench_dynamics;

/** Measures it in the state of bench_dynamics_state(); the accelerations are the caller's. */
void bench_measure_dynamics(bench_dynamics *dynamics, const char *name, size_t n);

/** First searches from rest, every joint locked, of one load case or of twenty. */
typedef struct bench_search {
    const char *name;
    size_t n, cases, failed;
    double setup;               /**< s: building the mechanism, median */
    double cpu, most_cpu;       /**< s of one search: median, and the longest */
    size_t solves, most_solves; /**< likewise */
    size_t most_rounds, interior_points;
    char message[200]; /**< of the first that failed */
} bench_search;

enum { BENCH_SEARCHES = 4, BENCH_LOAD_CASES = 20 };

/** Measures kind 0 ... BENCH_SEARCHES - 1 in that size. */
void bench_measure_search(bench_search *search, int kind, size_t n);

#endif
