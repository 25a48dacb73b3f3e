/**
 * @file impact_flights.h
 * Flights between the impacts of a joint at its stop, which become shorter and shorter and end in contact: what impact.c asks of them.
 */
#ifndef DT_INTEGRATOR_IMPACT_FLIGHTS_H
#define DT_INTEGRATOR_IMPACT_FLIGHTS_H

#include "integrator/core.h"

/** How fast joint k moves away from the stop on that side. */
static inline double dt_impact_away(const dt_simulation *sim, const double *v, int k, int side)
{
    const int j = sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
    return side * v[j] == 0 ? 0 : -side * v[j];
}

/** Whether no joint but the slack of couplings has a stop with a place, and nothing is closed but couplings. */
bool dt_flights_are_of_slack(const detent_mechanism *mechanism);
/** How well the position of stiction k's joint is known at its stop on that side: in loops it is closed anew. */
double dt_impact_hair(const dt_simulation *simulation, int k, int side);
/** Who comes to its stop at this event, and how far it has been away since the last time. */
void dt_flights_count(dt_simulation *simulation);
/** Whether bounces of joint k, whose stop has the restitution e, end now: there have been too many that nobody sees. */
bool dt_flights_are_weary(const dt_simulation *simulation, int k, double e);
/** The restitution of an impact of joint k, at the velocity v < 0 away from its stop, of e, while dt_impact.flights[k] >= 0. */
double dt_flights_evened(const dt_simulation *simulation, int k, double e, double v);
/** After impacts and their search: whether somebody is to rest after all, or to fly on evenly, so that both are made again. */
bool dt_flights_find_rest(dt_simulation *simulation);
/** Whether somebody has left its stop and not got away from it. */
bool dt_flights_have_begun(const dt_simulation *simulation);
/**
 * After the search of an event without impacts: whether somebody is driven back, by what has changed, before it gets away. It is to rest. (Else
 * it would fall from as high as its position is not known.)
 */
bool dt_flights_find_none(dt_simulation *simulation);
/** The stop from which joint k is no farther than its position is not known: -1 the lower one, 1 the upper one, 0 none. */
int dt_flights_side(const dt_simulation *simulation, int k);
/** The event is over. */
void dt_flights_note(dt_simulation *simulation);
/** The next step is bounded by the flights that begin; low ones have a step of their own. */
void dt_flights_bound_step(dt_simulation *simulation);
/** So has who leaves a stop slowly. */
void dt_flights_help_away(dt_simulation *simulation);

#endif
