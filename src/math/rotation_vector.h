/**
 * @file rotation_vector.h
 * Turns by their rotation vector, phi: axis times angle theta. Where it turns on by omega, which is seen from where
 * it turned from,
 *
 *   phi' = J omega,   J = 1 - 1/2 [phi] + gamma [phi]^2,   gamma = (1 - x cot x) / theta^2,   x = theta / 2
 *
 * so J' u is the torque of an energy whose slope by phi is u. (T. D. Barfoot, State Estimation for Robotics, 2017, ch. 7.)
 */
#ifndef DT_MATH_ROTATION_VECTOR_H
#define DT_MATH_ROTATION_VECTOR_H

typedef struct dt_turn {
    double phi[3];
    double gamma;
    double by_phi; /**< gamma changes by this times phi . dphi */
} dt_turn;

/**
 * The turn of a rotation matrix, of at most pi, at half a turn one of the two; or the other one, of more than pi and the other way round, where
 * it is the nearer one to `near` (or NULL).
 */
void dt_turn_of(const double R[9], const double near[3], dt_turn *turn);

/** J omega. */
void dt_turn_rate(const dt_turn *turn, const double omega[3], double rate[3]);

/** J' u. */
void dt_turn_torque(const dt_turn *turn, const double u[3], double torque[3]);

/** How that changes where phi changes by dphi and u by du. */
void dt_turn_torque_change(const dt_turn *turn, const double u[3], const double dphi[3],
                           const double du[3], double change[3]);

#endif
