/**
 * @file rnea.h
 * Recursive Newton-Euler: inverse dynamics in linear time.
 *
 *   A_i = A_p + S_i a_i + c_i,  A_ground = -gravity
 *   F_i = I_i A_i + V_i x* I_i V_i - E_i + sum over children F_k        tau_i = S_i . F_i + J_i a_i
 * F_i is the wrench that node i's joint transmits from base to follower, E_i an external wrench on
 * the body, J_i the armature: the inertia of a rotor behind a gear, referred to the joint. tau is
 * what has to act along the joint; what accelerates the rotor does not reach the follower.
 */
#ifndef DT_DYNAMICS_RNEA_H
#define DT_DYNAMICS_RNEA_H

#include "dynamics/motion.h"

/**
 * `a` (nv); `gravity` m/s^2, world; `external` node_count wrenches about the origin or NULL;
 * out: A and F (node_count x 6; A includes -gravity), tau (nv; may be NULL).
 */
void dt_rnea(const dt_tree *tree, const dt_motion *motion, const double gravity[3], const double *a,
             const double (*external)[6], double (*A)[6], double (*F)[6], double *tau);

#endif
