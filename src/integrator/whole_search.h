/**
 * @file whole_search.h
 * Searches of the whole mechanism at an event.
 */
#ifndef DT_INTEGRATOR_WHOLE_SEARCH_H
#define DT_INTEGRATOR_WHOLE_SEARCH_H

#include "integrator/simulation.h"

/** One search, of the whole or of the core, which counts. The errors of dt_search_run(). */
detent_status dt_search_once(dt_simulation *simulation, dt_system *system, dt_newton *newton,
                             const dt_search_request *request, detent_error *error);
/** Modes of the whole at the present velocities: searches until nothing joins the event. The errors of dt_search_run(). */
detent_status dt_search_whole(dt_simulation *simulation,
                              detent_status (*accelerations)(void *simulation),
                              detent_error *error);

#endif
