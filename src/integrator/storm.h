/**
 * @file storm.h
 * Events that are too many.
 */
#ifndef DT_INTEGRATOR_STORM_H
#define DT_INTEGRATOR_STORM_H

#include "integrator/roots.h"
#include "integrator/simulation.h"

/** The events of a window of time (storm.c). */
typedef struct dt_storm {
    double since; /**< s: when it began */
    size_t events;
    double lap;   /**< s: when the last few of them began */
    bool hurries; /**< the few before came faster than is believed */
    /** By source: how often each participant has taken part. */
    unsigned char *times[DT_SOURCES];
    size_t impacts;       /**< that have come faster than is believed */
    double impacts_since; /**< s: the first of them */
    size_t impacts_known; /**< of all impacts of the run, until the event before */
    size_t quiet;         /**< events since the last one */
} dt_storm;

/** False when memory is out. */
bool dt_storm_create(dt_arena *arena, dt_simulation *simulation);
/** A new window begins. */
void dt_storm_restart(dt_simulation *simulation, double t);
/** Counts the event just handled; DETENT_EVENT_STORM, with who takes part, where there are too many. */
detent_status dt_storm_guard(dt_simulation *simulation, detent_error *error);

#endif
