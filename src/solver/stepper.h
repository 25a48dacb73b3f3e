/**
 * @file stepper.h
 * The inside of a solver, and what a stepper does for it.
 */
#ifndef DT_SOLVER_STEPPER_H
#define DT_SOLVER_STEPPER_H

#include "solver/root_finding.h"
#include "solver/solver.h"
#include "solver/vector.h"

/** The functions of solver.h that differ; the others are in solver.c. */
typedef struct dt_stepper {
    dt_stepper_kind kind;
    bool carries_algebraic;
    bool wants_first_step;
    int vectors; /**< of SUNDIALS, which it takes */
    /** Takes the memory; false where it is out. */
    bool (*create)(dt_solver *solver, dt_arena *arena);
    void (*destroy)(dt_solver *solver);
    bool (*restart)(dt_solver *solver, double t, double h);
    dt_step (*step)(dt_solver *solver, const dt_step_bounds *bounds, double *reached,
                    dt_failure *why, double *tried);
    /** The solution, or its derivative, to y or yp. */
    bool (*interpolate)(dt_solver *solver, double t, int derivative);
    double (*end)(const dt_solver *solver);
    double (*last_step)(const dt_solver *solver);
    dt_step_counts (*steps)(const dt_solver *solver);
    void (*forget)(dt_solver *solver);
} dt_stepper;

extern const dt_stepper dt_stepper_ida, dt_stepper_erk, dt_stepper_leap, dt_stepper_fixed;

struct dt_solver {
    dt_problem problem;
    dt_solver_plan plan;
    SUNContext context;
    dt_vector_family *vectors;
    N_Vector y, yp, scratch;
    int length; /**< unknowns in use */
    int roots;  /**< root functions in use */
    dt_root_finder finder;
    const dt_stepper *stepper; /**< the one in use */
    void *own[DT_STEPPERS];    /**< what each keeps; NULL: it is not planned */
};

/** The numbers of a vector. */
static inline double *dt_numbers(N_Vector v)
{
    return N_VGetArrayPointer(v);
}

/** stepper.c: the error weights of the problem, as SUNDIALS asks for them; 0. */
int dt_solver_weights(N_Vector y, N_Vector weights, void *solver);

/** The root functions of the problem; false where they do not exist. */
static inline bool dt_roots_at(const dt_solver *solver, double t, const double *y, const double *yp,
                               double *g)
{
    const dt_problem *problem = &solver->problem;
    return !problem->roots || problem->roots(problem->user, t, y, yp, g);
}

#endif
