/**
 * @file place.h
 * Places: where elements act on bodies (`dt_load`: node, point, axes).
 *
 *   p      the point, from the system's origin, world axes;  p' = v + w x p  with V = (w, v) of its node
 *   dp     = x_w x p + x_v                                    where the pose of the node changes by x
 *   dp'    = dV_w x p + dV_v + w x dp                         where V changes by dV as well
 *   wrench of a force F there, about the origin: (p x F, F)
 *
 * A place on the ground has the node -1, and does not move.
 */
#ifndef DT_DYNAMICS_PLACE_H
#define DT_DYNAMICS_PLACE_H

#include "dynamics/system.h"

/** The point of a place, and its velocity. */
void dt_place_motion(const dt_system *system, const dt_load *place, double p[3],
                     double velocity[3]);

/** How the point, at p, and its velocity change with pose and velocity of its node, which is not the ground. */
void dt_place_change(const dt_system *system, const dt_load *place, const double p[3],
                     const double x[6], const double dV[6], double dp[3], double dvelocity[3]);

/** wrench += that of a force F at p. */
void dt_place_add_force(const double p[3], const double F[3], double wrench[6]);

/** The wrench about the origin of a unit force (component 0 .. 2) or torque (3 .. 5) along an axis that the place tells. */
void dt_place_unit_wrench(const dt_system *system, const dt_load *place, int component,
                          double wrench[6]);

/** Whether two places are on bodies that move, and against each other. */
bool dt_place_is_between(const dt_load *a, const dt_load *b);

/** How the wrench at a place changes whose force is fixed in the world: what add_blocks() adds to P (element.h). */
void dt_place_fixed_block(const dt_system *system, int place, double *P, int nz);

#endif
