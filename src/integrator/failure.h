/**
 * @file failure.h
 * Why a run cannot go on.
 */
#ifndef DT_INTEGRATOR_FAILURE_H
#define DT_INTEGRATOR_FAILURE_H

#include "integrator/simulation.h"
#include "solver/solver.h"

/** After a step of length `tried` has failed: whether it is short, and something is where it ends (dt_tell_end()), so that shorter ones lead no farther. */
bool dt_comes_to_end(dt_simulation *simulation, double tried);
/** Says why the run cannot go on after `reached`. */
detent_status dt_report_failure(dt_simulation *simulation, dt_failure why, detent_error *error);

/**
 * DETENT_NO_CONSISTENT_STATE, and why, where the solution ends at the last good state, as where an event has been found beyond its
 * end; else `status`, and `error` as it is.
 */
detent_status dt_report_ending(dt_simulation *simulation, detent_status status,
                               detent_error *error);

/** DETENT_ERROR_SOLVER, and why, where modes cannot be told at the event that has been reached (leap.h); else DETENT_OK. */
detent_status dt_report_blurred(const dt_simulation *simulation, detent_error *error);

#endif
