/**
 * @file workload_loops.h
 * Mechanisms with many loops, as texts of a mechanism file.
 */
#ifndef BENCH_WORKLOAD_LOOPS_H
#define BENCH_WORKLOAD_LOOPS_H

/** A trunk on a rail that n legs shake, each a four-bar. */
extern const char bench_legs[];
/** n four-bars side by side whose pins all stick. */
extern const char bench_sticky_legs[];
/** A scissor lift of N stages with friction in its pins. */
extern const char bench_sticky_lift[];

#endif
