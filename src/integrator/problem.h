/**
 * @file problem.h
 * What the steppers integrate (problem.c), as solver/problem.h has it.
 */
#ifndef DT_INTEGRATOR_PROBLEM_H
#define DT_INTEGRATOR_PROBLEM_H

#include "integrator/simulation.h"
#include "solver/solver.h"

/** What the explicit stepper's accelerations are solved from (problem.c); only where it is in use. */
typedef struct dt_guess {
    double *a, *f, *m; /**< nv, stictions and tied rows of the core: what was found last */
    double *kept_a, *kept_f, *kept_m; /**< the same where the last step has ended */
    double *held_q;                   /**< stictions of the core: where a locked one is */
    size_t changes; /**< dt_posed.changes when the core had got its accelerations for the stepper */
} dt_guess;

/** The solver of what is integrated. False when memory is out. */
bool dt_problem_create(dt_arena *arena, dt_simulation *simulation);
/** The core is at a consistent state, and about to be integrated by the stepper chosen. */
void dt_problem_restart(dt_simulation *simulation);
#endif
