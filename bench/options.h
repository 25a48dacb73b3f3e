/**
 * @file options.h
 * The command line of the benchmark; bench/usage.txt is its help.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "workload.h"

enum { BENCH_MOST_GIVEN = 32 };

/** What is measured beside runs in time. */
typedef enum bench_micro {
    BENCH_MICRO_DYNAMICS,
    BENCH_MICRO_FIRST_SEARCH,
    BENCH_MICRO_HOLD_TIME,
    BENCH_MICRO_STEP,
    BENCH_MICRO_SETUP,
    BENCH_MICRO_LAWS,
    BENCH_MICRO_CONTROL,
    BENCH_MICRO_ORDERS,
    BENCH_MICRO_COUNT
} bench_micro;

typedef struct bench_options {
    const bench_workload *workloads[BENCH_MOST_GIVEN];
    size_t workload_count;
    bool micro[BENCH_MICRO_COUNT];
    size_t sizes[BENCH_MOST_GIVEN], size_count, most;
    double rtols[BENCH_MOST_GIVEN];
    size_t rtol_count;
    bool rtols_given;                    /**< then the limits of the workloads do not hold */
    bool integrators[BENCH_INTEGRATORS]; /**< by detent_integrator */
    bool fixed;                          /**< steps of 1 ms and 0.1 ms, on request only */
    double budget;                       /**< CPU seconds for repeats of one run */
    bool own;                            /**< references of our own */
    const char *peers, *json, *markdown, *plots;
} bench_options;

/** -1: go on; else what main returns: help or a list was printed, or an option is wrong. */
int bench_read_options(bench_options *options, int count, char **arguments);
/** Whether size n is to be run; above `usual` on request only. */
bool bench_is_wanted(const bench_options *options, size_t usual, size_t n);

#endif
