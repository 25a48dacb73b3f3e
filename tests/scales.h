/**
 * @file scales.h
 * Mechanisms written in the parameters M, L and T, all 1; F, J, K, ... are what follows from them. What is solved for together in one of
 * them has different units: rails and hinges, forces and torques, states, rates of switches.
 */
#ifndef DETENT_TESTS_SCALES_H
#define DETENT_TESTS_SCALES_H

#define HEAD                                                                                \
    "detent: 1\n"                                                                           \
    "parameters: {M: 1, L: 1, T: 1, V: L/T, A: L/T/T, F: M*L/T/T, N: M*L*L/T/T, J: M*L*L, " \
    "K: M/T/T, C: M/T}\n"

typedef struct scaled {
    const char *name, *text; /* what follows HEAD */
    double end;              /* T */
} scaled;

#endif
