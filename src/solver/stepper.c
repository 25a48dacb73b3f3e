/* What the steppers that SUNDIALS has ask of a solver. */
#include "solver/stepper.h"

int dt_solver_weights(N_Vector y, N_Vector weights, void *solver)
{
    const dt_problem *problem = &((dt_solver *)solver)->problem;
    problem->weights(problem->user, dt_numbers(y), dt_numbers(weights));
    return 0;
}
