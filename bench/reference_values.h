/**
 * @file reference_values.h
 * What the ends of runs are held against: our own run at tight tolerances, and the values that the
 * programs of bench/reference computed, which share no code with the library.
 */
#ifndef BENCH_REFERENCE_VALUES_H
#define BENCH_REFERENCE_VALUES_H

#include "measure.h"

typedef struct bench_reference {
    size_t own_count, independent_count; /**< 0: there is none */
    double *own, *independent;
    double own_agreement;         /**< of the runs at two tolerances; NAN if not known */
    double independent_agreement; /**< likewise, from the file */
    char how[48];                 /**< our own two runs: integrators and rtol */
} bench_reference;

/**
 * `with_own`: computes our own (two runs); `path` is that of values.json. Where there is none of a
 * kind its count is 0. bench_reference_free() afterwards.
 */
bench_reference bench_find_reference(const bench_workload *workload, size_t n, bool with_own,
                                     const char *path);
void bench_reference_free(bench_reference *reference);
/** Sets both errors of the run. */
void bench_judge(bench_run *run, const bench_reference *reference);

#endif
