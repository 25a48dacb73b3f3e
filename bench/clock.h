/**
 * @file clock.h
 * CPU time of the process, and of calls too short to be timed one by one. Read by C and C++.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** CPU seconds of the process so far. */
double bench_cpu_time(void);
/** Sorts them. */
double bench_median(double *values, size_t count);
/** CPU seconds of one call: median of nine batches of 20 ms or one call each. */
double bench_per_call(void (*call)(void *), void *argument);

#ifdef __cplusplus
}
#endif

#endif
