/**
 * @file newton_iteration.h
 * Newton's iteration for IDA, with the corrections of the problem (dt_problem.correct).
 */
#ifndef DT_SOLVER_NEWTON_ITERATION_H
#define DT_SOLVER_NEWTON_ITERATION_H

#include "solver/stepper.h"

/** What the iteration keeps. */
typedef struct dt_newton_iteration {
    dt_solver *solver;
    void *ida;
    SUNNonlinSolSysFn residual;
    double curvature;   /**< error after a step over the square of the step, as measured */
    int since_measured; /**< steps since then */
    dt_newton_counts counts;
} dt_newton_iteration;

/** For the memory `ida`; `iteration` has to last as long as what is returned. NULL when memory is out. */
SUNNonlinearSolver dt_newton_iteration_create(dt_solver *solver, void *ida,
                                              dt_newton_iteration *iteration);
/** The next step measures the curvature. */
void dt_newton_iteration_forget(dt_newton_iteration *iteration);

#endif
