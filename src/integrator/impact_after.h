/**
 * @file impact_after.h
 * What follows from the impulses of an impact: velocities and modes.
 */
#ifndef DT_INTEGRATOR_IMPACT_AFTER_H
#define DT_INTEGRATOR_IMPACT_AFTER_H

#include "integrator/simulation.h"

/** Of what it is summed from: an impulse or a velocity that is as small is none. */
static const double dt_impact_rounding = 1e-12;

/** Hairs by which it is told that a joint stops: as many are left at rest with flights that are none. (Each is 0.97 of the one before.) */
static const double dt_impact_some_hairs = 32;

/** Velocities of the system, by those before and dt_impact.d_v; of those that push, by their restitution. */
void dt_impact_take_velocities(dt_simulation *simulation);
/**
 * Those at rest that the impulses throw by less than is told are held as the others take theirs, so that no energy comes of it: whether there are any, for whom
 * impulses have to be solved for again. `stay` as below.
 */
bool dt_impact_hold_left(dt_simulation *simulation, bool stay);
/** Modes of joints whose velocity has turned, ended or begun. `stay`: nobody has been thrown back, those that rest have stopped. */
void dt_impact_derive_modes(dt_simulation *simulation, bool stay);

#endif
