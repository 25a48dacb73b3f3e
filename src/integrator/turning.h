/**
 * @file turning.h
 * How long a step may be for what turns.
 */
#ifndef DT_INTEGRATOR_TURNING_H
#define DT_INTEGRATOR_TURNING_H

#include "integrator/simulation.h"

/**
 * Notes how long a step from y, yp may be so that no joint turns too far for what is watched. At a restart, and
 * at the end of a step: who reads changes y.
 */
void dt_turning_note(dt_simulation *simulation);

/**
 * Whether the step of length h that has been made came to turn too fast: at its start nothing told how accelerations would
 * grow. It is to be made again, shorter.
 */
bool dt_turning_is_too_far(const dt_simulation *simulation, double h);

#endif
