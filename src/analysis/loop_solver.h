/**
 * @file loop_solver.h
 * What the loops of a system make follow from what else: the active rows of G (closure.h), solved for as many freedoms.
 *
 *   G_d v_d = x        velocities of the freedoms d that undo an opening x of the rows
 *   G_d' m = x         multipliers that push along them with x
 */
#ifndef DT_ANALYSIS_LOOP_SOLVER_H
#define DT_ANALYSIS_LOOP_SOLVER_H

#include "dynamics/closure.h"

typedef struct dt_loop_solver {
    int count;      /**< active rows, and freedoms; 0 without loops */
    int *freedom;   /**< count */
    double *matrix; /**< G_d, factored; rows and columns times these: */
    double *row, *column;
    int *pivots;
    double pivot; /**< the smallest one beside the largest */
    double *x;    /**< count: right-hand side, and solution */
} dt_loop_solver;

/** Work space for the loops of a system; false when memory is out. */
bool dt_loop_solver_create(dt_arena *arena, const dt_system *system, dt_loop_solver *solver);

/**
 * Factors for `freedom` (closure->count of them; NULL: those that the closure has chosen) at the system's pose. False where
 * these do not decide the rows.
 */
bool dt_loop_solver_factor(dt_loop_solver *solver, dt_system *system, const int *freedom);

/**
 * Whether what follows from these freedoms is known: near a singular position, at a smallest pivot p, velocities have errors of eps / p^2,
 * for positions have those of eps / p. Not where that is more than 1e-4.
 */
bool dt_loop_solver_is_exact(const dt_loop_solver *solver);

/** The sign of the determinant of what was factored last. */
int dt_loop_solver_side(const dt_loop_solver *solver);

/** x = the column of a freedom in the active rows. */
void dt_loop_solver_column(dt_loop_solver *solver, const dt_system *system, int freedom);
/** Solves G_d y = x for x := y. */
void dt_loop_solver_velocities(dt_loop_solver *solver);
/** Solves G_d' y = x for x := y. */
void dt_loop_solver_multipliers(dt_loop_solver *solver);

#endif
