/**
 * @file trial.h
 * What is kept before a trial at an event, and put back.
 */
#ifndef DT_INTEGRATOR_TRIAL_H
#define DT_INTEGRATOR_TRIAL_H

#include "integrator/simulation.h"

/** What was before a trial (trial.c): as in the system, and as decree and roots.fired. */
typedef struct dt_trial {
    double *v, *a, *f;
    signed char *mode, *direction, *decree;
    unsigned char *yielded;
    dt_branch *branches;
    int (*fired)[2];
} dt_trial;

/** False when memory is out. After dt_sources_create(). */
bool dt_trial_create(dt_arena *arena, const dt_simulation *simulation, dt_trial *trial);
/** Keeps what a search of the whole may change. */
void dt_trial_keep(dt_simulation *simulation, dt_trial *trial);
/** Puts it back; readings are then those of somewhere else. */
void dt_trial_restore(dt_simulation *simulation, const dt_trial *trial);

#endif
