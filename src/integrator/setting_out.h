/**
 * @file setting_out.h
 * Loops that set out from rest.
 */
#ifndef DT_INTEGRATOR_SETTING_OUT_H
#define DT_INTEGRATOR_SETTING_OUT_H

#include "integrator/simulation.h"

/**
 * dt_event_search(), and where a loop sets out from rest with a joint locked that it takes along a moment later, again, with
 * that joint released.
 */
detent_status dt_setting_out_search(dt_simulation *simulation, bool core, detent_error *error);

#endif
