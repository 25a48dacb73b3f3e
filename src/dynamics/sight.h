/**
 * @file sight.h
 * What is seen of a frame from another one: for outputs (model/view.h).
 *
 * In the world, of the frame's origin and of the observer's: p, v, a and o, v_o, a_o; of the bodies w, alpha and W, A:
 *
 *   position               d = p - o
 *   velocity               e = v - v_o - W x d                              of d, as it changes in the observer's frame
 *   acceleration           a - a_o - A x d - W x (W x d) - 2 W x e          of e, likewise
 *   angular velocity       u = w - W
 *   angular acceleration   alpha - A - W x u                                of u, likewise
 *
 * each in components along the axes of a third frame. Orientations: R = R_o' R_frame, from the frame's components to the
 * observer's.
 */
#ifndef DT_DYNAMICS_SIGHT_H
#define DT_DYNAMICS_SIGHT_H

#include "dynamics/system.h"

struct dt_tangent;

/** Vectors that are seen; a component of each is a part of the family `point`: 3 * sight + axis. */
typedef enum dt_sight {
    DT_SIGHT_POSITION,
    DT_SIGHT_VELOCITY,
    DT_SIGHT_ACCELERATION, /**< from here on A must be known: dt_system_set_acceleration() */
    DT_SIGHT_SPIN,
    DT_SIGHT_SPINNING /**< likewise */
} dt_sight;

double dt_sight_component(const dt_system *system, int view, dt_sight sight, int axis);
/** How that changes in the direction of the tangent; after dt_tangent_inverse(). */
double dt_sight_component_change(const struct dt_tangent *tangent, const dt_system *system,
                                 int view, dt_sight sight, int axis);

/** R, and its change. */
void dt_sight_rotation(const dt_system *system, int view, double R[9]);
void dt_sight_rotation_change(const struct dt_tangent *tangent, const dt_system *system, int view,
                              double dR[9]);

/** Energies of one body. Potential: in a constant field, zero at the world's origin. */
double dt_weight_kinetic(const dt_system *system, const dt_weight *weight);
double dt_weight_kinetic_change(const struct dt_tangent *tangent, const dt_system *system,
                                const dt_weight *weight);
double dt_weight_potential(const dt_system *system, const dt_weight *weight);
double dt_weight_potential_change(const struct dt_tangent *tangent, const dt_system *system,
                                  const dt_weight *weight);

#endif
