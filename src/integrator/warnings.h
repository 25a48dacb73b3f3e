/**
 * @file warnings.h
 * What is to be looked at in how a simulation begins: given positions that the assembly has moved far, loops that stand next
 * to where branches meet.
 */
#ifndef DT_INTEGRATOR_WARNINGS_H
#define DT_INTEGRATOR_WARNINGS_H

#include "integrator/core.h"

/** Of a mechanism with loops or couplings, just assembled. DETENT_ERROR_MEMORY. */
detent_status dt_list_warnings(dt_arena *, dt_simulation *, detent_error *error);

#endif
