/**
 * @file impact_check.h
 * Joints that are where, or come how, their stops do not let them.
 */
#ifndef DT_INTEGRATOR_IMPACT_CHECK_H
#define DT_INTEGRATOR_IMPACT_CHECK_H

#include "integrator/simulation.h"

/** DETENT_ERROR_MODEL: a joint starts beyond its stop, when loops have been assembled. */
detent_status dt_impact_check_start(const dt_simulation *simulation, detent_error *error);

/**
 * Whether joint k, which comes to its stop at `side` with velocity v away from it, comes as slowly as follows from what its position is not
 * known by.
 */
bool dt_impact_is_slow(const dt_simulation *simulation, int k, int side, double v);

/** After all impulses of the instant. DETENT_NO_CONSISTENT_STATE: prescribed motions drive a joint on beyond its stop. */
detent_status dt_impact_check_driven(const dt_simulation *simulation, detent_error *error);

#endif
