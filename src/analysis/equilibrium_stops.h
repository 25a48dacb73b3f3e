/**
 * @file equilibrium_stops.h
 * Rigid stops on the way to a position of rest: who comes to one is held there, as long as it pushes.
 */
#ifndef DT_ANALYSIS_EQUILIBRIUM_STOPS_H
#define DT_ANALYSIS_EQUILIBRIUM_STOPS_H

#include "analysis/equilibrium_step.h"

/** How much of `part` of the present way can be gone until a joint that is free comes to its stop, in a tree; `hits` if one does. */
double dt_equilibrium_way_to_stop(dt_equilibrium_work *work, double part);

/** Joints at their stops, or beyond, are put there and held, where the way led there (`hits`). */
void dt_equilibrium_take_stops(dt_equilibrium_work *work);

/** Lets go of the joint whose stop would have to pull most, at a position of rest; false where there is none. */
bool dt_equilibrium_leave_stop(dt_equilibrium_work *work);

#endif
