/**
 * @file support_oracle.h
 * An oracle for the mode search that shares nothing with it: dense matrices from CRBA and RNEA,
 * every set of modes tried, the rule of docs/mode-search.md written a second time with one
 * enumeration a round.
 */
#ifndef SUPPORT_ORACLE_H
#define SUPPORT_ORACLE_H

#include "support_trees.h"

#include "stiction/mode_search.h"

enum { SUPPORT_MAX_NV = 20, SUPPORT_MAX_JOINTS = 8 };

/** A mechanism at one instant, ready to search. */
typedef struct support_bench {
    dt_arena arena;
    detent_mechanism *mechanism;
    dt_system system, probe; /* the probe serves the support_oracle's own evaluation of laws */
    dt_newton *newton;
    dt_search *search;
    double q[64], v[64];
    signed char mode[SUPPORT_MAX_JOINTS],
        direction[SUPPORT_MAX_JOINTS]; /* of joints that move at the start */
} support_bench;

/**
 * Takes the mechanism, with a random state: some joints move, with probability `moving`; the others
 * are at rest.
 */
void support_bench_open(support_bench *b, detent_mechanism *mechanism, support_random *random,
                        double moving);
void support_bench_close(support_bench *b);

/**
 * Sets the state, and modes to start from: random ones for joints at rest, if `random` is given.
 */
void support_bench_set(support_bench *b, support_random *random);

detent_status support_bench_search(support_bench *b, dt_search_result *result, detent_error *error);

/** M a + h = Q + f, and what is known of each freedom. */
typedef struct support_oracle {
    dt_system *s;
    int nv, count;
    double M[SUPPORT_MAX_NV * SUPPORT_MAX_NV], h[SUPPORT_MAX_NV];
    bool prescribed[SUPPORT_MAX_NV];
    int freedom[SUPPORT_MAX_JOINTS]; /* of each stiction */
    bool candidate[SUPPORT_MAX_JOINTS];
    bool loads_matter;
    /* a set of modes and its solution */
    int side[SUPPORT_MAX_JOINTS];
    double a[SUPPORT_MAX_NV], f[SUPPORT_MAX_JOINTS];
} support_oracle;

/** At the instant of the bench, whose probe it uses. */
void support_oracle_open(support_oracle *o, support_bench *b, bool loads_matter);

/** The rule. The smallest margin of all rounds, or NaN where the loads do not converge. */
double support_oracle_rule(support_oracle *o);

/** Whether a, f and the sides that a search left satisfy every equation and inequality. */
bool support_oracle_agrees(support_oracle *o, const dt_system *s);

/** How many sets of sides make a consistent state; `*among`: `chosen` is one of them. */
size_t support_oracle_count(const support_oracle *start, const int *chosen, bool *among);

#endif
