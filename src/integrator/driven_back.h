/**
 * @file driven_back.h
 * Searches where loops take joints along.
 */
#ifndef DT_INTEGRATOR_DRIVEN_BACK_H
#define DT_INTEGRATOR_DRIVEN_BACK_H

#include "integrator/simulation.h"

/** Stiction k, in a loop, moves in its direction until the event is over, by as little as tells it. The state is to be set anew. */
void dt_driven_set_in_motion(dt_simulation *simulation, int k);
/**
 * dt_event_search() until everybody who is taken along goes where it is driven. DETENT_NO_CONSISTENT_STATE, with the joint's name, where
 * somebody is driven back after twice as many rounds as there are stictions.
 */
detent_status dt_driven_search(dt_simulation *simulation, bool core, detent_error *error);

#endif
