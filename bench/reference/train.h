/**
 * @file train.h
 * The train of Burridge and Knopoff in the form of Carlson and Langer, as mechanisms/burridge_knopoff.yaml
 * states it.
 */
#ifndef REFERENCE_TRAIN_H
#define REFERENCE_TRAIN_H

#include <stddef.h>

#include "dopri.h"

typedef struct train {
    size_t n;
    int *mode; /**< 0: sticks; +1, -1: slips */
} train;

bool train_create(train *train, size_t n);
void train_free(train *train);
/** y: n positions, n velocities. */
problem train_problem(train *train);
void train_start(const train *train, double *y);

#endif
