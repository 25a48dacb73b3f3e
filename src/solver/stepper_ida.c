/*
 * IDA: variable-order BDF formulas on the differential-algebraic system itself, with our own Newton
 * iteration (newton_iteration.h), and our own search for roots within a step (root_finding.h).
 * Restarted from a consistent y, y' of the caller's, never through IDACalcIC.
 */
#include "solver/newton_iteration.h"

#include <ida/ida.h>

#include <float.h>
#include <math.h>

#if SUNDIALS_VERSION_MAJOR < 7
static void ignore(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}
#endif

/* What this stepper keeps. */
typedef struct ida {
    void *memory; /**< IDA's */
    SUNNonlinearSolver nonlinear;
    dt_newton_iteration iteration;
    bool begun;    /**< a step was made since the restart: roots are known at its start */
    bool halted;   /**< at a root inside the last step: the rest of it is still to be searched */
    double end;    /**< of the last step */
    double y_time; /**< where y, yp hold IDA's solution, or NAN */
    bool held;     /**< its steps are not to grow */
    long failures; /**< error tests failed since the restart */
    int bounces, smooth; /**< steps in a row with such failures, without */
} ida;

static ida *ida_of(const dt_solver *solver)
{
    return solver->own[DT_STEPPER_IDA];
}

/* ---- what IDA calls ---- */

static int residual(double t, N_Vector y, N_Vector yp, N_Vector r, void *solver)
{
    const dt_problem *problem = &((dt_solver *)solver)->problem;
    return problem->residual(problem->user, t, dt_numbers(y), dt_numbers(yp), dt_numbers(r)) ? 0
                                                                                             : 1;
}

/* ---- the solution inside a step ---- */

static bool ida_interpolate(dt_solver *solver, double t, int derivative)
{
    return IDAGetDky(ida_of(solver)->memory, t, derivative,
                     derivative == 0 ? solver->y : solver->yp) == IDA_SUCCESS;
}

static double ida_end(const dt_solver *solver)
{
    return ida_of(solver)->end;
}

static double ida_last_step(const dt_solver *solver)
{
    double h = 0;
    IDAGetLastStep(ida_of(solver)->memory, &h);
    return h;
}

/* y and yp at t, where they are not already. */
static bool solution_at(dt_solver *solver, double t)
{
    ida *i = ida_of(solver);
    if (i->y_time == t) {
        return true;
    }
    i->y_time = NAN;
    if (!ida_interpolate(solver, t, 0) || !ida_interpolate(solver, t, 1)) {
        return false;
    }
    i->y_time = t;
    return true;
}

/* dt_root_functions */
static bool roots_at(void *context, double t, double *g)
{
    dt_solver *solver = context;
    return solution_at(solver, t) &&
           dt_roots_at(solver, t, dt_numbers(solver->y), dt_numbers(solver->yp), g);
}

/* ---- growth ---- */

static const int many_bounces = 3; /* steps that fail before they are made */
/* more than IDA wants to see before it raises its highest order but one */
static const int held_steps = 8;

/* Steps grow where they might be twice as long, which is IDA's own choice; or never. */
static void let_grow(ida *i, bool grow)
{
    i->held = !grow;
    IDASetEtaFixedStepBounds(i->memory, 1, grow ? 2 : DBL_MAX);
}

/*
 * IDA doubles its steps as soon as they might be twice as long, and raises its order only after some of
 * one length. A step of order one that fails when it is doubled, passes once or a few times, is doubled,
 * and fails again, never comes to that: a run sits at order one in steps of 1e-8 s. So a step that bounces
 * is held for a while.
 */
static void watch_growth(ida *i)
{
    long failures = 0;
    int order = 0;
    IDAGetNumErrTestFails(i->memory, &failures);
    IDAGetLastOrder(i->memory, &order);
    const bool bounced = failures > i->failures;
    i->failures = failures;
    i->smooth = bounced ? 0 : i->smooth + 1;
    if (bounced) {
        i->bounces++;
    } else if (order > 1 || i->smooth >= held_steps) {
        i->bounces = 0;
    }
    if (i->bounces >= many_bounces && !i->held) {
        let_grow(i, false);
    } else if (i->held && i->smooth >= held_steps) {
        let_grow(i, true);
    }
}

/* ---- life ---- */

static bool configure(dt_solver *solver)
{
    const ida *i = ida_of(solver);
    N_VConst(1, solver->scratch); /* IDA copies it; the restart tells */
#if SUNDIALS_VERSION_MAJOR < 7
    IDASetErrHandlerFn(i->memory, ignore, NULL); /* return codes are reported by ourselves */
#endif
    if (IDAInit(i->memory, residual, solver->plan.start, solver->y, solver->yp) != IDA_SUCCESS ||
        IDASetUserData(i->memory, solver) != IDA_SUCCESS ||
        IDAWFtolerances(i->memory, dt_solver_weights) != IDA_SUCCESS ||
        /* which gives back the vector of the one that IDA begins with, before it takes another */
        IDASetNonlinearSolver(i->memory, i->nonlinear) != IDA_SUCCESS ||
        IDASetId(i->memory, solver->scratch) != IDA_SUCCESS ||
        IDASetSuppressAlg(i->memory, 1) != IDA_SUCCESS) {
        return false;
    }
    IDASetMaxNumSteps(i->memory, -1);
    return true;
}

static bool ida_create(dt_solver *solver, dt_arena *arena)
{
    ida *i = dt_arena_alloc(arena, 1, sizeof *i);
    solver->own[DT_STEPPER_IDA] = i;
    if (!i || !(i->memory = IDACreate(solver->context))) {
        return false;
    }
    i->nonlinear = dt_newton_iteration_create(solver, i->memory, &i->iteration);
    return i->nonlinear && configure(solver);
}

static void ida_destroy(dt_solver *solver)
{
    ida *i = ida_of(solver);
    if (i->memory) {
        IDAFree(&i->memory);
    }
    if (i->nonlinear) {
        SUNNonlinSolFree(i->nonlinear);
    }
}

static void ida_forget(dt_solver *solver)
{
    dt_newton_iteration_forget(&ida_of(solver)->iteration);
}

static bool ida_restart(dt_solver *solver, double t, double h)
{
    ida *i = ida_of(solver);
    const dt_problem *problem = &solver->problem;
    solver->finder.evaluate = roots_at;
    solver->finder.guess = NULL;
    i->begun = i->halted = false;
    i->failures = 0;
    i->bounces = i->smooth = 0;
    let_grow(i, true);
    i->end = i->y_time = t;
    problem->differential(problem->user, dt_numbers(solver->scratch));
    return IDASetId(i->memory, solver->scratch) == IDA_SUCCESS &&
           IDAReInit(i->memory, t, solver->y, solver->yp) == IDA_SUCCESS &&
           IDASetInitStep(i->memory, h) == IDA_SUCCESS;
}

/* ---- a step ---- */

static dt_failure reason(int flag)
{
    switch (flag) {
    case IDA_ERR_FAIL:
        return DT_FAILURE_ERROR_TEST;
    case IDA_CONV_FAIL:
        return DT_FAILURE_NEWTON;
    case IDA_TOO_MUCH_ACC:
        return DT_FAILURE_ACCURACY;
    case IDA_RTFUNC_FAIL:
        return DT_FAILURE_ROOT;
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
    case IDA_RES_FAIL:
        return DT_FAILURE_FORCE;
    case IDA_MEM_FAIL:
        return DT_FAILURE_MEMORY;
    default:
        return DT_FAILURE_INTERNAL;
    }
}

/* Length of the step that failed, which IDA has shortened some times. */
static double length_tried(const dt_solver *solver, int flag)
{
    void *memory = ida_of(solver)->memory;
    double h = 0;
    if (flag == IDA_RTFUNC_FAIL) { /* after the step itself */
        IDAGetLastStep(memory, &h);
    }
    if (!(h > 0)) {
        IDAGetCurrentStep(memory, &h);
    }
    return h;
}

static dt_step fail(const dt_solver *solver, int flag, dt_failure *why, double *tried)
{
    *why = reason(flag);
    *tried = length_tried(solver, flag);
    return DT_STEP_FAILED;
}

/* One step of IDA. */
static int take_step(dt_solver *solver, const dt_step_bounds *bounds)
{
    ida *i = ida_of(solver);
    if (!i->begun && !dt_root_finder_start(&solver->finder, solver->roots, bounds->from)) {
        return IDA_RTFUNC_FAIL;
    }
    IDASetMaxStep(i->memory, bounds->longest);
    IDASetStopTime(i->memory, fmin(bounds->stop, DBL_MAX));
    double end = 0;
    const int flag =
        IDASolve(i->memory, bounds->from + bounds->span, &end, solver->y, solver->yp, IDA_ONE_STEP);
    i->y_time = NAN;
    if (flag >= 0) {
        i->begun = true;
        watch_growth(i);
        i->end = i->y_time = end;
    }
    return flag;
}

static dt_step ida_step(dt_solver *solver, const dt_step_bounds *bounds, double *reached,
                        dt_failure *why, double *tried)
{
    ida *i = ida_of(solver);
    dt_root_finder *finder = &solver->finder;
    if (!i->halted) {
        const int flag = take_step(solver, bounds);
        if (flag < 0) {
            return fail(solver, flag, why, tried);
        }
    } else {
        i->y_time = NAN;
        if (!dt_root_finder_start(finder, solver->roots, finder->time)) {
            /* the roots are others since that event */
            return fail(solver, IDA_RTFUNC_FAIL, why, tried);
        }
    }
    const double end = i->end, h = ida_last_step(solver);
    const dt_root_outcome outcome =
        dt_root_finder_search(finder, end, 100 * DBL_EPSILON * (fabs(end) + h));
    if (outcome == DT_ROOT_FAILED || !solution_at(solver, finder->time)) {
        return fail(solver, IDA_RTFUNC_FAIL, why, tried);
    }
    *reached = finder->time;
    i->halted = outcome == DT_ROOT_FOUND;
    return i->halted ? DT_STEP_ROOT : DT_STEP_DONE;
}

static dt_step_counts ida_steps(const dt_solver *solver)
{
    long steps = 0, error_failures = 0;
    IDAGetNumSteps(ida_of(solver)->memory, &steps);
    IDAGetNumErrTestFails(ida_of(solver)->memory, &error_failures);
    return (dt_step_counts){.steps = (size_t)steps, .error_test_failures = (size_t)error_failures};
}

dt_newton_counts dt_solver_newton(const dt_solver *solver)
{
    const ida *i = ida_of(solver);
    return i ? i->iteration.counts : (dt_newton_counts){0};
}

const dt_stepper dt_stepper_ida = {
    .kind = DT_STEPPER_IDA,
    .carries_algebraic = true,
    .wants_first_step = true,
    .vectors = 16,
    .create = ida_create,
    .destroy = ida_destroy,
    .restart = ida_restart,
    .step = ida_step,
    .interpolate = ida_interpolate,
    .end = ida_end,
    .last_step = ida_last_step,
    .steps = ida_steps,
    .forget = ida_forget,
};
