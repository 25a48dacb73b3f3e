/**
 * @file spread.h
 * How far the forces of a mechanism can be from what they are, in its present pose, where what acts
 * on it is known up to a *spread* only: a bound, entry by entry, on the absolute change.
 *
 * Without a change of pose and velocity inverse dynamics is linear,
 *
 *   dA_i = dA_p + S_i da_i,   dF_i = I_i dA_i - dE_i + sum over children dF_k,   dtau_i = S_i . dF_i,
 *
 * so that absolute values bound it: |dF_i| <= |I_i| |dA_i| + |dE_i| + ..., in one sweep outward and
 * one inward. The same sweep serves changes, rates, and differences of rates. (Recursive
 * Newton-Euler: rnea.h.)
 */
#ifndef DT_DYNAMICS_SPREAD_H
#define DT_DYNAMICS_SPREAD_H

#include "dynamics/system.h"

typedef struct dt_spread {
    /* in */
    double gravity[3]; /**< m/s^2, world */
    double *motion;    /**< node_count: of the prescribed acceleration of its freedom */
    double (*load)[6]; /**< loads of the whole: force, torque, in the load's own axes */
    /* out */
    double (*A)[6]; /**< node_count: less gravity */
    double (*F)[6]; /**< node_count: what the joint transmits, about the system's origin */
} dt_spread;

/** For systems no larger than `whole`. False when memory is out. */
bool dt_spread_create(dt_arena *arena, const dt_system *whole, dt_spread *spread);

/** Everything zero that goes in. */
void dt_spread_clear(const dt_system *system, dt_spread *spread);

/** What goes out, at the present pose of the system. */
void dt_spread_sweep(const dt_system *system, dt_spread *spread);

/** Of the force along the freedom of a node with one, N or N m. */
double dt_spread_force(const dt_system *system, const dt_spread *spread, int node);

/** Of the reaction of a node, in any axes: every component of force and torque. */
void dt_spread_reaction(const dt_system *system, const dt_spread *spread, int node, double *force,
                        double *torque);

/* What others need that sum up spreads. */

/** out += |a| x |b|, all terms with a plus. */
void dt_spread_add_cross(double out[3], const double a[3], const double b[3]);
/** out = |R| b, or |R'| b. */
void dt_spread_turn(double out[3], const double R[9], bool back, const double b[3]);
/** A wrench of components in axes R, at r from where it is wanted about. */
void dt_spread_place_load(const dt_load *load, const double R[9], const double r[3],
                          const double components[6], double out[6]);
/** The wrench of a load of the system, about its origin. */
void dt_spread_load(const dt_system *system, const dt_spread *spread, int load, double out[6]);

#endif
