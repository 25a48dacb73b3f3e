/**
 * @file restart.h
 * Starting the integrator.
 */
#ifndef DT_INTEGRATOR_RESTART_H
#define DT_INTEGRATOR_RESTART_H

#include "integrator/simulation.h"

/**
 * (Re)starts the integrator at the system's t, q, v, a, f (consistent); the works are those in y.
 */
detent_status dt_restart(dt_simulation *simulation, detent_error *error);
/** At t and the system's q, v, z, modes, branches, inputs, from wherever they come: accelerations follow, and nothing of what was before counts (state.c). */
detent_status dt_restart_anew(dt_simulation *simulation, double t, detent_error *error);
/** The core at the modes and the state of the system. */
void dt_form_core(dt_simulation *simulation);
/** Adds the steps since the last restart. */
void dt_count_steps(const dt_simulation *simulation, detent_statistics *statistics);

#endif
