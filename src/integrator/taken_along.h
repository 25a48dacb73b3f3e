/**
 * @file taken_along.h
 * Who is taken along by loops at an event, though at rest.
 */
#ifndef DT_INTEGRATOR_TAKEN_ALONG_H
#define DT_INTEGRATOR_TAKEN_ALONG_H

#include "integrator/simulation.h"

/** Releases them, each with its direction, until the event is over at a speed that tells it. The system has its state, modes are those of before. */
void dt_take_along(dt_simulation *simulation);
/** The same where initial velocities say who is at rest. */
void dt_take_along_at_start(dt_simulation *simulation);

#endif
