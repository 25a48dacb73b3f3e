/**
 * @file slope.h
 * Derivatives of force laws with respect to what one node does.
 *
 * Changes are taken as seen from the moving body, d~X = dX - dx x X (dx the change of the body's
 * pose), so that geometry fixed in the body drops out. A reading w of node i changes by
 *   dw = F . d~F_i + q dq + v dv + a da + f df
 */
#ifndef DT_DYNAMICS_SLOPE_H
#define DT_DYNAMICS_SLOPE_H

#include "dynamics/system.h"

typedef struct dt_slope {
    double F[6];       /**< with respect to the wrench of the node, as seen from the node */
    double q, v, a, f; /**< position, velocity, acceleration, friction of the primitive */
} dt_slope;

/**
 * slope += scale * (derivative of `variable`, a reading of its own primitive). Time, inputs, modes
 * have none.
 */
void dt_slope_add(const dt_system *system, dt_variable variable, double scale, dt_slope *slope);

/** How much a reading of what a joint transmits changes at most where that changes by a force and a moment as large. */
double dt_reading_reach(const dt_system *system, dt_variable variable, double force, double moment);

#endif
