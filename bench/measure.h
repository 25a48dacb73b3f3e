/**
 * @file measure.h
 * One run of one workload in one size at one tolerance: what it cost and where it ended.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "workload.h"

typedef struct bench_run {
    const bench_workload *workload;
    size_t n;
    double rtol; /**< or, of steps of fixed length, the step, s */
    detent_integrator integrator;
    detent_status status; /**< of the first step that failed, or DETENT_OK */
    char message[512];    /**< the library's, where it failed */
    size_t repeats;
    double setup, cpu; /**< s of the process: loading and creating; advancing. Medians */
    detent_statistics statistics;
    size_t memory; /**< bytes, mechanism and simulation */
    size_t count;  /**< of values */
    double *values;
    double own_error;         /**< against our own converged run; NAN where there is none */
    double independent_error; /**< against bench/reference/values.json; NAN likewise */
} bench_run;

/**
 * Runs it at least once, and again until `budget` seconds are spent or it ran `most` times; three times
 * (or `most`) if that takes less than five budgets.
 * bench_run_free() afterwards in any case.
 */
void bench_measure(bench_run *run, const bench_workload *workload, size_t n, double rtol,
                   detent_integrator integrator, double budget, size_t most);
void bench_run_free(bench_run *run);

/** Largest difference of values; NAN where either has none. */
double bench_difference(const double *a, size_t a_count, const double *b, size_t b_count);

/**
 * Least squares in logarithms: the p of y = c x^p. NAN with fewer than two points; points that are
 * not positive are left out.
 */
double bench_exponent(const double *x, const double *y, size_t count);

#endif
