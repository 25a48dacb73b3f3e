/**
 * @file rest.h
 * A mechanism at rest, v = 0, at positions of the caller's choice: joints with stiction held, or free of friction.
 *
 *   S'F(q, 0, a) + J a = Q + f + (multipliers),   a_j = 0 of a joint that is held, else f_j = 0
 *
 * and the force that is left over along each freedom where nothing accelerates, R = Q - S'F at a = 0 with the same f and
 * multipliers, so that the part T'R of it along a motion T that the loops allow is M a along it, and 0 at a position of rest.
 */
#ifndef DT_ANALYSIS_REST_H
#define DT_ANALYSIS_REST_H

#include "analysis/analysis.h"
#include "analysis/states.h"
#include "dynamics/force_size.h"

typedef struct dt_rest {
    dt_system *system;
    dt_newton *newton;
    dt_variation variation;
    dt_force_size size;
    bool frozen;           /**< states of the mechanism stay what they are, and are no unknowns */
    bool *held;            /**< stictions: held where they are; else without friction */
    double *pin;           /**< stictions: zeros */
    double *a;             /**< nv: accelerations of the last solution */
    double *R, *noise;     /**< nv: what is left over at a = 0, and the rounding of its terms */
    dt_linear_state *list; /**< room for all states */
    int positions;         /**< of which these come first, as many velocities next */
    int own;               /**< and these last */
} dt_rest;

/**
 * Work space. From here to dt_rest_end() the system's modes are those of `held`. DETENT_ERROR_ARGUMENT where a prescribed
 * joint moves at the system's time, or the matrices would be too large; DETENT_ERROR_MEMORY.
 */
detent_status dt_rest_create(dt_arena *arena, dt_analysis *analysis, dt_rest *rest,
                             detent_error *error);
/** The analysis is as it was, at its present position. */
void dt_rest_end(dt_rest *rest);

/** Who is held where all, or none, are. */
void dt_rest_hold(dt_rest *rest, bool all);

/**
 * Accelerations, friction and multipliers at the present positions, states and inputs, with v = 0, branches of laws as
 * they follow; the list of states; R. DETENT_ERROR_NUMERIC, DETENT_ERROR_SOLVER as of dt_solve_accelerations().
 */
detent_status dt_rest_solve(dt_rest *rest, detent_error *error);

/**
 * The part of R along the motion that the variation is set to (variation.h), N or N m; `noise`: what the rounding of its
 * terms makes of it.
 */
double dt_rest_force(const dt_rest *rest, double *noise);

/** Branches of continuous laws that read forces go where the readings of the system (`system`) are; whether some did. */
bool dt_rest_follow(void *system);

#endif
