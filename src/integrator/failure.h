/**
 * @file failure.h
 * Why a run cannot go on.
 */
#ifndef DT_INTEGRATOR_FAILURE_H
#define DT_INTEGRATOR_FAILURE_H

#include "integrator/simulation.h"
#include "solver/solver.h"

/** Says why the run cannot go on after `reached`. */
detent_status dt_report_failure(dt_simulation *simulation, dt_failure why, detent_error *error);

#endif
