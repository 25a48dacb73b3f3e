/**
 * @file erk.h
 * The inside of the explicit stepper: ARKODE's steps (stepper_erk.c), and the solution inside the last
 * one (erk_inside.c).
 */
#ifndef DT_SOLVER_ERK_H
#define DT_SOLVER_ERK_H

#include "solver/dense_output.h"
#include "solver/stepper.h"

/** What this stepper keeps. */
typedef struct dt_erk {
    void *arkode;
    dt_dense_output dense; /**< the last step */
    double *inside;        /**< the solution where roots are evaluated */
    double *slope;         /**< its y', or y' somewhere else */
    double stage_time;     /**< of the last stage */
    double bad_time;       /**< the last one at which there was no derivative, or NAN */
    bool begun;            /**< a step was tried since the restart */
    bool halted;      /**< at a root inside the last step: the rest of it is still to be searched */
    bool forget;      /**< ARKODE's step size and history are those of another run */
    int stiff, loose; /**< steps at the border of stability, and in a row others since */
    long steps_before, failures_before; /**< ARKODE's counters at the last restart */
} dt_erk;

static inline dt_erk *dt_erk_of(const dt_solver *solver)
{
    return solver->own[DT_STEPPER_ERK];
}

/** y' at (t, y); false where there is none. */
static inline bool dt_erk_rate(dt_solver *solver, double t, const double *y, double *yp)
{
    return solver->problem.rate(solver->problem.user, t, y, yp);
}

/** erk_stiff.c: whether stability has bounded the last steps. To be asked once after each. */
bool dt_erk_is_stiff(dt_solver *solver);
/** Times closer than this are one. */
double dt_erk_tolerance(const dt_dense_output *dense);
/** The solution (derivative 0) or its derivative (1) within the last step; false outside. */
bool dt_erk_inside(dt_solver *solver, double t, int derivative, double *out);
/** dt_root_functions, of the solver. */
bool dt_erk_roots(void *solver, double t, double *g);
/** dt_root_guess: a root function that follows an unknown, which is known without an evaluation. */
double dt_erk_guess(void *solver, const dt_root_bracket *bracket);

#endif
