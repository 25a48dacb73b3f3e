/**
 * @file tangent_rows.h
 * Directional derivative of the residuals that Newton's steps are about (newton.h), by that of inverse dynamics (tangent.h).
 */
#ifndef DT_DYNAMICS_TANGENT_ROWS_H
#define DT_DYNAMICS_TANGENT_ROWS_H

#include "dynamics/tangent.h"

/** The direction is none. */
void dt_tangent_clear(dt_tangent *tangent, const dt_system *system);

/** Sets dphi of a node that turns about a point for the change dq of its quaternion. */
void dt_tangent_turn(dt_tangent *tangent, const dt_system *system, int node, const double dq[4]);

/** Rows of the dynamics (nv, but for prescribed freedoms, whose rows stay), and of friction and ties (stictions, ties). */
void dt_tangent_rows(dt_tangent *tangent, dt_system *system, double *r_v, double *r_f);

/** Rows of the states, dz' being c dz; after dt_tangent_rows(). */
void dt_tangent_states(dt_tangent *tangent, dt_system *system, double c, double *r_z);

#endif
