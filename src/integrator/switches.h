/**
 * @file switches.h
 * What is known of the switches of laws.
 */
#ifndef DT_INTEGRATOR_SWITCHES_H
#define DT_INTEGRATOR_SWITCHES_H

#include "integrator/simulation.h"

/** Whether a switch of a law has to be watched: one that is not known in advance. */
bool dt_switch_any_watched(const dt_law *law);
/** How often a law of the core, or of the whole, has fired in the present window of storm.c. */
int dt_switch_times_fired(const dt_simulation *simulation, const dt_law *law);
/**
 * What a switch that follows forces compares is ordinarily of this size (what it reads but forces left out).
 */
double dt_switch_size(dt_simulation *simulation, dt_system *system, const dt_law *law, int index);
/** The same of one that compares positions and velocities alone; else 0. */
double dt_switch_size_of_motion(dt_simulation *simulation, dt_system *system, const dt_law *law,
                                int index);

#endif
