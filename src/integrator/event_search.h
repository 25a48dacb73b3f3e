/**
 * @file event_search.h
 * The searches of an event.
 */
#ifndef DT_INTEGRATOR_EVENT_SEARCH_H
#define DT_INTEGRATOR_EVENT_SEARCH_H

#include "integrator/simulation.h"

/**
 * Modes for the event, of the system and with a of the whole. `core`: the search may leave out what
 * is far from its limit. The errors of dt_search_run().
 */
detent_status dt_event_search(dt_simulation *simulation, bool core, detent_error *error);
/** Margin of a stiction that the search has changed (dt_stiction_margin()). */
double dt_event_margin(dt_simulation *simulation, int stiction);

#endif
