/**
 * @file stop.h
 * Joints that stop at an event.
 */
#ifndef DT_INTEGRATOR_STOP_H
#define DT_INTEGRATOR_STOP_H

#include "integrator/simulation.h"

/**
 * Joint k stops: what is left of its velocity is taken from it. In a loop others follow from that, at a dead centre of the joint by
 * far more than they change in so short a time; there all go on, or back, to where it is zero, if that is this instant.
 */
void dt_stop(dt_simulation *simulation, int k);
/** Joints whose velocity is zero up to the instant, or just beyond, stop as well. */
void dt_stop_all(dt_simulation *simulation);

#endif
