/**
 * @file compare.h
 * How far two runs of one mechanism are apart, as it grows with time.
 */
#ifndef SOAK_COMPARE_H
#define SOAK_COMPARE_H

#include "record.h"

/**
 * The distance so far, in units of the tolerance, at growing times. It is the greater of
 *   states   |y - y'| / (rtol max |y| + atol) at the instants that were sampled
 *   modes    the length of an interval in which a joint rests in one run and moves in the other, or moves the other way,
 *            over rtol times the length of the run
 * so that events at one instant may come in any order, and one may be two an instant apart.
 */
typedef struct distance {
    size_t count, room;
    double *time, *value;
    char *what; /**< 80 characters a step: where the greatest is */
} distance;

void distance_of(const record *, const record *, const detent_settings *, distance *);
void distance_free(distance *);
/** At a time. */
double distance_at(const distance *, double time);
/** Step k's words. */
const char *distance_words(const distance *, size_t k);

#endif
