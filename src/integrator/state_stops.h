/**
 * @file state_stops.h
 * States at their stops: whether one is at its stop is the branch of a switch of its rate (DT_OP_STOPPED), so that all that is done for
 * switches is done for it. Here is what a switch does not know: that the state is there.
 */
#ifndef DT_INTEGRATOR_STATE_STOPS_H
#define DT_INTEGRATOR_STATE_STOPS_H

#include "integrator/simulation.h"

/** An event: states that have come to their stops are there, to the last bit. */
void dt_state_stops_reach(dt_simulation *simulation);
/**
 * The core is at a consistent state, and about to be integrated: who is at a stop stays as long as its derivative points outward, and leaves
 * at once where that does not.
 */
void dt_state_stops_settle(dt_simulation *simulation);
/** How many states have stops. */
size_t dt_state_stops_count(const detent_mechanism *mechanism);
/** A state has been restored: what is told from now on begins with where states are in it. */
void dt_state_stops_forget(dt_simulation *simulation);
/** The event at t is done: who has come to his stop or left it since before. With such changes an event of samples alone is one that is told. */
void dt_state_stops_record(dt_simulation *simulation, double t, detent_cause cause);

#endif
