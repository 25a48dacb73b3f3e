/**
 * @file velocity_band.h
 * Joints that lock inside a velocity band.
 */
#ifndef DT_INTEGRATOR_VELOCITY_BAND_H
#define DT_INTEGRATOR_VELOCITY_BAND_H

#include "integrator/simulation.h"
#include "stiction/impulse.h"

/** Joints inside a velocity band (velocity_band.c). All but `exists` only where there are such joints. */
typedef struct dt_velocity_band {
    bool exists; /**< a stiction locks inside a band */
    dt_impulse impulse;
    unsigned char *stop;    /**< stiction_count: to be stopped by this trial */
    unsigned char *refused; /**< stiction_count: a trial to stop it has failed */
} dt_velocity_band;

/** Whether a stiction locks inside a velocity band. */
bool dt_velocity_band_exists(const detent_mechanism *mechanism);
/** False when memory is out. After dt_sources_create(). */
bool dt_velocity_band_create(dt_arena *arena, dt_simulation *simulation);
/** Modes of the system, with joints inside their band stopped. The errors of dt_search_run(). */
detent_status dt_velocity_band_search(dt_simulation *simulation, detent_error *error);

#endif
