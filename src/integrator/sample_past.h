/**
 * @file sample_past.h
 * What sampled values were at earlier instants of their own (model/delay.c), as much of it as somebody reads.
 */
#ifndef DT_INTEGRATOR_SAMPLE_PAST_H
#define DT_INTEGRATOR_SAMPLE_PAST_H

#include "integrator/simulation.h"

typedef struct dt_sample_past {
    size_t count;  /**< of values, all rings together */
    double *value; /**< count: a ring for each sampled value, as long as its `depth` */
    size_t *first; /**< sampled_count: where its ring begins */
    int *next;     /**< sampled_count: where in its ring the next value goes, the oldest one now */
} dt_sample_past;

/** All rings hold initial values. False when memory is out. */
bool dt_sample_past_create(dt_arena *arena, dt_simulation *simulation);
/** Hands the system's laws what was: before values of an instant are evaluated. */
void dt_sample_past_give(dt_simulation *simulation);
/** Value k has been evaluated, and the system has it: from its next instant on it is one of before. */
void dt_sample_past_add(dt_simulation *simulation, int k);

#endif
