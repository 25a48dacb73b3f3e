/**
 * @file tangent.h
 * Directional derivative of inverse dynamics, node by node, in plain world components: the
 * independent way to the
 * Jacobian, O(n) a direction.
 *
 * With x_i the change of pose of node i (a motion vector), S fixed in the node:
 *   x_i = x_p + S dphi          dS = x_i x S
 *   dV = dV_p + dS v + S dv
 *   dA = dA_p + dS a + S da + dV_p x (S v) + V_p x (dS v + S dv)
 *   d(I A) = x x* I A - I (x x A) + I dA,     likewise d(I V)
 *   dF = d(I A) + dV x* I V + V x* d(I V) - dE + sum over children,     dtau = dS . F + S . dF
 */
#ifndef DT_DYNAMICS_TANGENT_H
#define DT_DYNAMICS_TANGENT_H

#include "dynamics/system.h"

typedef struct dt_tangent {
    /* the direction; set by the caller */
    double *dphi, *dv, *da; /**< nv: rotation or translation along S, velocity, acceleration */
    double *df;             /**< stiction_count */
    double *dm;             /**< 6 a loop: multipliers */
    double *dz;             /**< state_count */
    double *di;             /**< dt_given_count(): inputs; zero but for whoever sets them */
    /* the derivative */
    double (*x)[6], (*dV)[6], (*dA)[6], (*dF)[6]; /**< node_count */
    double *dtau;                                 /**< nv */
    double dgravity[3];                           /**< of the field, where laws of it read inputs */
    double *drag; /**< nv, where a system has such: of friction of laws, after dt_drag_changes() */
    double *gradient, *apart; /**< work space; nv of apart (tangent_rows.h) */
} dt_tangent;

/** False when memory is out. */
bool dt_tangent_create(dt_arena *arena, const dt_system *system, dt_tangent *tangent);

/** dF and dtau at the system's current readings, laws of loads included. */
void dt_tangent_inverse(dt_tangent *tangent, dt_system *system);

/** Derivative of a reading; after dt_tangent_inverse(). */
double dt_tangent_variable(const dt_tangent *tangent, const dt_system *system,
                           dt_variable variable);

/** Derivative of a law at direction `direction`. */
double dt_tangent_law(dt_tangent *tangent, dt_system *system, const dt_law *law, int direction);

/** element_friction_law.c: how friction of laws changes; after dt_tangent_inverse(). For readers alone. */
void dt_drag_changes(dt_tangent *tangent, dt_system *system);

#endif
