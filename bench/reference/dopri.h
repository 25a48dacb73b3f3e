/**
 * @file dopri.h
 * Event-driven integration as plain as it goes: the Runge-Kutta pair of Dormand and Prince of order
 * 5(4), and a search for the time of an event in which each trial is a step of its own from the same
 * start. Nothing is interpolated.
 */
#ifndef REFERENCE_DOPRI_H
#define REFERENCE_DOPRI_H

#include <stdbool.h>
#include <stddef.h>

typedef struct problem {
    size_t size; /**< of the state */
    void *data;
    /** dy = f(t, y) in the modes of the moment. */
    void (*derivative)(void *data, double t, const double *y, double *dy);
    /** The most that a joint is past its limit or moves against its direction, continuous between
     *  events; an event lies behind where it is above zero. */
    double (*excess)(void *data, double t, const double *y);
    /** The event at t: changes modes and, by rounding only, the state. False: no state is consistent. */
    bool (*settle)(void *data, double t, double *y);
} problem;

typedef struct dopri_work {
    size_t steps, events;
} dopri_work;

/** From 0 to `end`, no step longer than `longest`; the tolerance is absolute, a step. */
bool integrate(const problem *problem, double *y, double end, double tolerance, double longest,
               dopri_work *tally);

#endif
