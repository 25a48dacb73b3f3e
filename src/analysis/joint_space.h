/**
 * @file joint_space.h
 * The equation of motion of the open tree, M a + h = tau, and how its bodies move: at the state of a system, which is left as it is.
 * Freedoms are all of the tree, those of prescribed joints, too. Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 3 to 6.
 */
#ifndef DT_ANALYSIS_JOINT_SPACE_H
#define DT_ANALYSIS_JOINT_SPACE_H

#include "base/arena.h"
#include "dynamics/system.h"

/** M, nv x nv. False when memory is out, as below. */
bool dt_joint_space_mass(dt_arena *arena, const dt_system *system, double *M);

/** tau (nv) that gives the accelerations a (nv; NULL: none); with `moving` false as if all were at rest. */
bool dt_joint_space_inverse(dt_arena *arena, const dt_system *system, const double *a, bool moving,
                            double *tau);

/** Velocity of a point of a body (m, its frame) by those of the freedoms, 6 x nv: linear x y z, angular x y z, world axes. */
void dt_joint_space_jacobian(const dt_system *system, int body, const double point[3], double *J);

/** Acceleration of that point where those of all freedoms are zero, J' v: linear, angular. */
void dt_joint_space_jacobian_rate(const dt_system *system, int body, const double point[3],
                                  double rate[6]);

#endif
