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
/**
 * By how much a switch that follows forces may be on the wrong side at a relative tolerance of them: by what that makes of all it reads, as these
 * ordinarily are, and, of a continuous law, by no more than what changes the law itself as little. A law may follow an acceleration a
 * thousand times as strongly as the inertia that it works on, and then decides that itself.
 */
double dt_switch_tolerance(dt_simulation *simulation, dt_system *system, const dt_law *law,
                           int index, double tolerance);

/** Whether velocities that jump may put a switch of a law on another side. */
bool dt_switch_follows_velocities(const dt_law *law);
/** Before velocities jump: notes what the switches of such laws compare (dt_branches.before). */
void dt_switches_note(dt_simulation *simulation);

#endif
