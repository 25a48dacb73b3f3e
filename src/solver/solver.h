/**
 * @file solver.h
 * Integrates a problem (problem.h) from root to root, one step a call.
 *
 *   create -> { set_length, fill y and yp, restart -> step, step, ... } over and over -> destroy
 *
 * Four steppers, one file each: IDA (stepper_ida.c), implicit, ERKStep (stepper_erk.c), explicit, one that makes a single
 * step over an instant at which there is no rate (stepper_leap.c), and one whose steps have a length that is given (stepper_fixed.c).
 * They share the vectors and the root finder. Who steps can change with every restart, and so can the
 * numbers of unknowns and of root functions. SUNDIALS is not seen from outside.
 */
#ifndef DT_SOLVER_SOLVER_H
#define DT_SOLVER_SOLVER_H

#include "base/arena.h"
#include "solver/problem.h"

typedef struct dt_solver dt_solver;

typedef enum dt_stepper_kind {
    DT_STEPPER_IDA,
    DT_STEPPER_ERK,
    DT_STEPPER_LEAP,
    DT_STEPPER_FIXED,
    DT_STEPPERS
} dt_stepper_kind;

/** How a step has ended. */
typedef enum dt_step { DT_STEP_DONE, DT_STEP_ROOT, DT_STEP_FAILED } dt_step;

/** Why a step failed. */
typedef enum dt_failure {
    DT_FAILURE_FORCE,      /**< the residual, a Newton step or the rate, at a trial point */
    DT_FAILURE_ROOT,       /**< a root function, within the step */
    DT_FAILURE_ERROR_TEST, /**< above the tolerance, however short it is made */
    DT_FAILURE_NEWTON,     /**< no convergence, however short it is made */
    DT_FAILURE_ACCURACY,   /**< the tolerance is below rounding */
    DT_FAILURE_STALL,      /**< no step fails, but the run does not get on: the caller's to tell */
    DT_FAILURE_MEMORY,
    DT_FAILURE_INTERNAL
} dt_failure;

/** What memory is taken for. */
typedef struct dt_solver_plan {
    int most_unknowns;          /**< > 0 */
    size_t most_roots;          /**< root functions */
    bool steppers[DT_STEPPERS]; /**< by dt_stepper_kind: those that may be used, one at least */
    double start, end;          /**< what is integrated, about; start < end */
    double step;                /**< of DT_STEPPER_FIXED, > 0: its steps end at start + n step */
    int stages; /**< of that: 1, Euler's method; 4, the classical one of Runge and Kutta; 0, the problem's own */
} dt_solver_plan;

/** What bounds a step. */
typedef struct dt_step_bounds {
    double from; /**< how far the run has got: at most the end of the last step */
    double stop; /**< the step ends there at the latest, or INFINITY */
    double
        pause; /**< DT_STEPPER_LEAP halts there, and goes on as after a root; not after `from`: nowhere */
    double longest; /**< its length at most, > 0 */
    double span;    /**< how far the run may go on from here, > 0 */
    double hole;    /**< where there is no rate, though the solution is smooth; or NAN */
    bool kink;      /**< the rate has a kink there */
    double slack;   /**< tolerances that one over the hole may err by, >= 1 */
} dt_step_bounds;

/** Since the last restart. */
typedef struct dt_step_counts {
    size_t steps, error_test_failures;
} dt_step_counts;

/** Newton's iteration since the solver was created. */
typedef struct dt_newton_counts {
    size_t factorizations, solves, failures;
} dt_newton_counts;

/* ---- life ---- */

/**
 * All memory, in `arena`, for `problem`, which is copied. IDA is chosen where it is planned. NULL where
 * memory is out.
 */
dt_solver *dt_solver_create(dt_arena *arena, const dt_problem *problem, const dt_solver_plan *plan);
/** Gives back what SUNDIALS holds; NULL is allowed. The arena is the caller's to free, afterwards. */
void dt_solver_destroy(dt_solver *solver);

/* ---- where it is; the arrays belong to the solver, and stay in their place ---- */

/** The state to start from; the solution at the end of the last step, or where it was asked for. */
double *dt_solver_y(dt_solver *solver);
/** Its derivative. */
double *dt_solver_yp(dt_solver *solver);
/** As long; the solver's work space, free for use between its calls. */
double *dt_solver_scratch(dt_solver *solver);

/** The number of unknowns from now on, at most `most_unknowns`; a restart is to follow. */
void dt_solver_set_length(dt_solver *solver, int length);

/* ---- starting ---- */

/** Who steps from the next restart on. */
void dt_solver_choose(dt_solver *solver, dt_stepper_kind kind);
/** The one chosen last. */
dt_stepper_kind dt_solver_kind(const dt_solver *solver);
/**
 * True: the algebraic unknowns in y are part of the solution. False: they stay as they were at the
 * restart, and what they are at (t, y) is for rate() to find.
 */
bool dt_solver_carries_algebraic(const dt_solver *solver);
/** It has no step length of its own to start with: dt_solver_restart() is given one. */
bool dt_solver_wants_first_step(const dt_solver *solver);

/**
 * Starts at t from y, yp (consistent), with `roots` root functions and a first step of about h; 0: with
 * one of its own. DT_STEPPER_LEAP steps once, by h exactly; DT_STEPPER_FIXED has no use for h. False where that is not possible.
 */
bool dt_solver_restart(dt_solver *solver, double t, double h, int roots);
/** At the next restart nothing is to be left of the steps so far: another run begins. */
void dt_solver_forget(dt_solver *solver);

/* ---- stepping ---- */

/**
 * One step, or the rest of one that halted at a root. `*reached`: its end, or just after the root. Where
 * it failed: why, and the length `*tried`; then only a restart leads on.
 */
dt_step dt_solver_step(dt_solver *solver, const dt_step_bounds *bounds, double *reached,
                       dt_failure *why, double *tried);
/** The root functions: -1 for those that fell at the root where the last step halted, else 0. */
const int *dt_solver_fired(const dt_solver *solver);
/** Work space for all root functions, while no root is being searched. */
double *dt_solver_root_values(dt_solver *solver);

/**
 * The solution at a time within the last step to y (derivative 0), or its derivative to yp (1). False
 * where it is not known.
 */
bool dt_solver_interpolate(dt_solver *solver, double t, int derivative);
/** The end of the last step, which may be beyond the root where it halted. */
double dt_solver_end(const dt_solver *solver);
/** Length of the last step; 0 before the first. */
double dt_solver_last_step(const dt_solver *solver);

/** Whether stability, and not accuracy, has bounded the last steps; of the explicit stepper, to be asked once after each step of it. */
bool dt_solver_is_stiff(dt_solver *solver);

/* ---- counting ---- */

dt_step_counts dt_solver_steps(const dt_solver *solver);
dt_newton_counts dt_solver_newton(const dt_solver *solver);

#endif
