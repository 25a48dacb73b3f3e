/**
 * @file loops.h
 * Mechanisms with closed loops or gears that have one freedom, in that freedom alone: Lagrange's equation
 *   M(q) q'' + M'(q)/2 q'^2 = Q(q, q') - V'(q).
 * No loop is left to be closed. State: q, q'.
 */
#ifndef REFERENCE_LOOPS_H
#define REFERENCE_LOOPS_H

#include "dopri.h"

/** One freedom: the acceleration at that state, of `data`. */
typedef struct loop {
    double (*acceleration)(const struct loop *, double q, double v);
    double n; /**< stages, wheels */
    double start;
} loop;

/** q: angle of the crank, as bench/workload.c states it. */
loop four_bar_loop(void);
/** The four-bar in its freedom: M, M'/2, V', and the speeds of two pins over that of the crank. */
typedef struct four_bar_terms {
    double mass, half_slope, weight, pin, foot;
} four_bar_terms;
four_bar_terms four_bar_at(double q);
/** q: angle of all bars of n stages, as mechanisms/scissor_lift.yaml states them. */
loop scissor_loop(size_t n);
/** q: angle of the first of n wheels, as bench/workload.c states them. */
loop geared_loop(size_t n);
problem loop_problem(loop *l);

#endif
