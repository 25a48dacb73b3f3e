/**
 * @file variation.h
 * How everything changes with a small change of state or input, modes and branches held:
 *
 *   r_v = S'F - Q - f = 0,   r_f: a_j = 0 (locked) or f_j + s FK_j = 0,   r_m: rows of loops
 *   J (da, df, dm) = -(dr at da = df = dm = 0),    J the matrix of dense_newton.h at the ACCELERATION level
 *
 * The changes dr are exact derivatives (tangent.h), so that the result is one too.
 */
#ifndef DT_ANALYSIS_VARIATION_H
#define DT_ANALYSIS_VARIATION_H

#include "analysis/loop_solver.h"
#include "dynamics/dense_newton.h"

typedef struct dt_variation {
    dt_system *system;
    dt_dense_newton newton; /**< newton.tangent is the change: dphi, dv, da, df, dm, di */
    dt_loop_solver loops;   /**< for the dependent freedoms */
    double *r_v, *r_f;      /**< nv; stictions and ties: residuals */
    double *d_v, *d_f, *d_m;
} dt_variation;

/** DETENT_ERROR_MODEL: the mechanism has dead times, whose past there is in a run alone; `what` is asked for. */
detent_status dt_refuse_dead_times(const dt_system *system, const char *what, detent_error *error);

/** Work space. DETENT_ERROR_ARGUMENT where the matrix would be too large, DETENT_ERROR_MEMORY. */
detent_status dt_variation_create(dt_arena *arena, dt_system *system, dt_variation *variation,
                                  detent_error *error);

/**
 * Factors at the system's present state, accelerations and friction. DETENT_ERROR_NUMERIC where the matrix is singular, or a
 * law slides between two branches, so that no smooth system holds.
 */
detent_status dt_variation_factor(dt_variation *variation, detent_error *error);

/** No change at all. */
void dt_variation_clear(dt_variation *variation);
/** Minimal coordinate `freedom` moves by one: the dependent coordinates with it, and the velocities that G v = 0 asks for. */
void dt_variation_move(dt_variation *variation, int freedom);
/** Its velocity changes by one. */
void dt_variation_accelerate(dt_variation *variation, int freedom);
/** Accelerations, friction and multipliers that follow from the change set in the tangent; all of its readings. */
void dt_variation_solve(dt_variation *variation);

/** Change of a program, such as an output, in which `slots` and `registers` are work space; after dt_variation_solve(). */
double dt_variation_program(const dt_variation *variation, const dt_program *program, double *slots,
                            double *registers, double *gradient);

#endif
