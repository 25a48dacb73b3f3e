/**
 * @file peer.h
 * Runs of other engines, as the programs of bench/peers print them: one line each, fields separated
 * by tabs: engine, setting, workload, n, accuracy or step (a number), CPU of set-up (s), CPU of the
 * run (s), number of values, values. A line "engine setting workload n - REASON" says that the
 * engine cannot do it; n = 0 there: in no size. In the workloads "dynamics-chain",
 * "dynamics-tree" and "dynamics-arm" the run is one evaluation of forward dynamics, and the values are accelerations. The workload `control`
 * (bench/control.h) has three lines: "control-moving" and "control-holding", CPU of a control step, with positions along the path and at the
 * end; "control-creep", one value, the largest movement in the long hold.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "reference_values.h"

typedef struct bench_peer_run {
    char engine[32], setting[64], workload[32], reason[160];
    size_t n;
    double dial, setup, cpu; /**< dial: step or accuracy asked for */
    size_t count;
    double *values;
    double error; /**< against the independent reference, else our own; NAN without both */
} bench_peer_run;

/** Reads all lines; returns their number, the array is the caller's. */
size_t bench_read_peers(const char *path, bench_peer_run **runs);
void bench_peers_free(bench_peer_run *runs, size_t count);
/** Sets the errors of the runs of this workload and size. */
void bench_judge_peers(bench_peer_run *runs, size_t count, const bench_workload *workload, size_t n,
                       const bench_reference *reference);

#endif
