/**
 * @file states.h
 * The state vector of a linear model: which coordinates and velocities are free where modes stay as they are.
 *
 * Neither prescribed nor locked joints move, and in loops the dependent coordinates follow from the others (closure.h); what
 * is left are *minimal* coordinates s and their velocities:
 *
 *   dphi = T ds,     dv = T ds' + (dT v) ds
 *
 * dphi: a small rotation or translation along the freedoms of all joints, components in the joint frame of the follower.
 * The states of the mechanism follow (dt_state): each kind is a row of the table in states.c.
 */
#ifndef DT_ANALYSIS_STATES_H
#define DT_ANALYSIS_STATES_H

#include "analysis/variation.h"
#include "detent/analysis.h"

/** One component of the state vector. */
typedef struct dt_linear_state {
    detent_state_kind kind;
    int node;    /**< primitive, or the number of the mechanism's own state */
    int freedom; /**< of the velocity vector; not of an own state */
} dt_linear_state;

/**
 * Lists the state vector of the system's present modes into `state` (room for 2 nv and the states of the mechanism, or NULL to count only). The one place
 * that knows which states there are. Returns how many.
 */
int dt_states_list(const dt_system *system, dt_linear_state *state);

/** Sets the variation to a unit change of one state, all others and the inputs unchanged. */
void dt_state_vary(const dt_linear_state *state, dt_variation *variation);

/** How the rate of a state changes; after dt_variation_solve(). */
double dt_state_rate_change(const dt_linear_state *state, dt_variation *variation);

/** The rate of a state itself, at the system's present accelerations. */
double dt_state_rate(const dt_linear_state *state, dt_system *system);

/** The present value of a state; 0 for a component of a rotation, which counts from where it is. */
double dt_state_value(const dt_linear_state *state, const dt_system *system);

/** The size that a state ordinarily has, from the scale of the mechanism. */
double dt_state_size(const dt_linear_state *state, const dt_system *system);

#endif
