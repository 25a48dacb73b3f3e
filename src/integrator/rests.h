/**
 * @file rests.h
 * Since when joints rest, for static limits that grow with the time at rest (model/rest.c).
 */
#ifndef DT_INTEGRATOR_RESTS_H
#define DT_INTEGRATOR_RESTS_H

#include "integrator/simulation.h"

/** The start: who rests does so since then. */
void dt_rests_begin(dt_simulation *simulation, double t);
/** Whether a joint has moved up to an event whose time at rest is read: that may begin now. */
bool dt_rests_concern(const dt_simulation *simulation);
/** At an event, before its search: who has not been locked up to now rests since then, if at all. */
void dt_rests_take(dt_simulation *simulation);

#endif
