/*
 * IDA: variable-order BDF formulas on the differential-algebraic system itself (residual.c), with
 * our own Newton iteration, and our own search for roots within a step (root_finding.h).
 * Restarted from a consistent y, y' of ours, never through IDACalcIC.
 */
#include "integrator/core.h"

#include <ida/ida.h>

#include <float.h>
#include <math.h>

#if SUNDIALS_VERSION_MAJOR < 7
static void ignore(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}
#endif

/* ---- the solution inside a step ---- */

static bool ida_interpolate(dt_simulation *sim, double t, int derivative, N_Vector out)
{
    return IDAGetDky(sim->memory[DT_STEPPER_IDA], t, derivative, out) == IDA_SUCCESS;
}

static double ida_end(const dt_simulation *sim)
{
    return sim->ida_end;
}

static double ida_last_step(const dt_simulation *sim)
{
    double h = 0;
    IDAGetLastStep(sim->memory[DT_STEPPER_IDA], &h);
    return h;
}

/** y and yp at t, where they are not already. */
static bool solution_at(dt_simulation *sim, double t)
{
    if (sim->ida_y_time == t) {
        return true;
    }
    sim->ida_y_time = NAN;
    if (!ida_interpolate(sim, t, 0, sim->y) || !ida_interpolate(sim, t, 1, sim->yp)) {
        return false;
    }
    sim->ida_y_time = t;
    return true;
}

/** dt_root_functions */
static bool roots_at(void *simulation, double t, double *g)
{
    dt_simulation *sim = simulation;
    return solution_at(sim, t) && dt_roots_evaluate(t, sim->y, sim->yp, g, sim) == 0;
}

/* ---- growth ---- */

static const int many_bounces = 3; /* steps in a row that fail before they are made */
static const int held_steps =
    8; /* more than IDA wants to see before it raises its highest order but one */

/** Steps grow where they might be twice as long, which is IDA's own choice; or never. */
static void let_grow(dt_simulation *sim, bool grow)
{
    sim->ida_held = !grow;
    IDASetEtaFixedStepBounds(sim->memory[DT_STEPPER_IDA], 1, grow ? 2 : DBL_MAX);
}

/**
 * IDA doubles its steps as soon as they might be twice as long, and raises its order only after some of one length.
 * A step of order one that fails when it is doubled, passes, is doubled, and fails again, never comes to that: a run
 * sits at order one in steps of 1e-8 s. So a step that bounces is held for a while.
 */
static void watch_growth(dt_simulation *sim)
{
    long failures = 0;
    IDAGetNumErrTestFails(sim->memory[DT_STEPPER_IDA], &failures);
    const bool bounced = failures > sim->ida_failures;
    sim->ida_failures = failures;
    sim->ida_bounces = bounced ? sim->ida_bounces + 1 : 0;
    sim->ida_smooth = bounced ? 0 : sim->ida_smooth + 1;
    if (sim->ida_bounces >= many_bounces && !sim->ida_held) {
        let_grow(sim, false);
    } else if (sim->ida_held && sim->ida_smooth >= held_steps) {
        let_grow(sim, true);
    }
}

/* ---- life ---- */

static bool configure(dt_simulation *sim)
{
    void *ida = sim->memory[DT_STEPPER_IDA];
#if SUNDIALS_VERSION_MAJOR < 7
    IDASetErrHandlerFn(ida, ignore, NULL); /* return codes are reported by ourselves */
#endif
    if (IDAInit(ida, dt_residual, sim->settings.start, sim->y, sim->yp) != IDA_SUCCESS ||
        IDASetUserData(ida, sim) != IDA_SUCCESS ||
        IDAWFtolerances(ida, dt_weights) != IDA_SUCCESS ||
        IDASetId(ida, dt_identify(sim)) != IDA_SUCCESS ||
        IDASetSuppressAlg(ida, 1) != IDA_SUCCESS ||
        IDASetNonlinearSolver(ida, sim->nonlinear) != IDA_SUCCESS) {
        return false;
    }
    IDASetMaxNumSteps(ida, -1);
    return true;
}

static detent_status ida_create(dt_simulation *sim, detent_error *error)
{
    sim->memory[DT_STEPPER_IDA] = IDACreate(sim->context);
    sim->nonlinear = dt_newton_iteration_create(sim);
    if (!sim->memory[DT_STEPPER_IDA] || !sim->nonlinear || !configure(sim)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for the integrator");
    }
    return DETENT_OK;
}

static void ida_destroy(dt_simulation *sim)
{
    if (sim->memory[DT_STEPPER_IDA]) {
        IDAFree(&sim->memory[DT_STEPPER_IDA]);
    }
    if (sim->nonlinear) {
        SUNNonlinSolFree(sim->nonlinear);
    }
}

static bool ida_restart(dt_simulation *sim, double t, double h)
{
    sim->finder.evaluate = roots_at;
    sim->finder.guess = NULL;
    sim->ida_begun = sim->ida_halted = false;
    sim->ida_failures = 0;
    sim->ida_bounces = sim->ida_smooth = 0;
    let_grow(sim, true);
    sim->ida_end = sim->ida_y_time = t;
    return IDASetId(sim->memory[DT_STEPPER_IDA], dt_identify(sim)) == IDA_SUCCESS &&
           IDAReInit(sim->memory[DT_STEPPER_IDA], t, sim->y, sim->yp) == IDA_SUCCESS &&
           IDASetInitStep(sim->memory[DT_STEPPER_IDA], h) == IDA_SUCCESS;
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

/** Length of the step that failed, which IDA has shortened some times. */
static double length_tried(const dt_simulation *sim, int flag)
{
    double h = 0;
    if (flag == IDA_RTFUNC_FAIL) { /* after the step itself */
        IDAGetLastStep(sim->memory[DT_STEPPER_IDA], &h);
    }
    if (!(h > 0)) {
        IDAGetCurrentStep(sim->memory[DT_STEPPER_IDA], &h);
    }
    return h;
}

static dt_step fail(const dt_simulation *sim, int flag, dt_failure *why, double *tried)
{
    *why = reason(flag);
    *tried = length_tried(sim, flag);
    return DT_STEP_FAILED;
}

/** One step of IDA. */
static int take_step(dt_simulation *sim)
{
    void *ida = sim->memory[DT_STEPPER_IDA];
    if (!sim->ida_begun && !dt_root_finder_start(&sim->finder, sim->roots.watched, sim->reached)) {
        return IDA_RTFUNC_FAIL;
    }
    IDASetMaxStep(ida, dt_longest_step(sim));
    IDASetStopTime(ida, fmin(sim->stop, DBL_MAX));
    double end = 0;
    const int flag =
        IDASolve(ida, sim->reached + dt_horizon(sim), &end, sim->y, sim->yp, IDA_ONE_STEP);
    sim->ida_y_time = NAN;
    if (flag >= 0) {
        sim->ida_begun = true;
        watch_growth(sim);
        sim->ida_end = sim->ida_y_time = end;
    }
    return flag;
}

static dt_step ida_step(dt_simulation *sim, double *reached, dt_failure *why, double *tried)
{
    dt_root_finder *finder = &sim->finder;
    if (!sim->ida_halted) {
        const int flag = take_step(sim);
        if (flag < 0) {
            return fail(sim, flag, why, tried);
        }
    } else {
        sim->ida_y_time = NAN;
        if (!dt_root_finder_start(finder, sim->roots.watched, finder->time)) {
            return fail(sim, IDA_RTFUNC_FAIL, why,
                        tried); /* the roots are others since that event */
        }
    }
    const double end = ida_end(sim), h = ida_last_step(sim);
    const dt_root_outcome outcome =
        dt_root_finder_search(finder, end, 100 * DBL_EPSILON * (fabs(end) + h));
    if (outcome == DT_ROOT_FAILED || !solution_at(sim, finder->time)) {
        return fail(sim, IDA_RTFUNC_FAIL, why, tried);
    }
    *reached = finder->time;
    sim->ida_halted = outcome == DT_ROOT_FOUND;
    return sim->ida_halted ? DT_STEP_ROOT : DT_STEP_DONE;
}

static void ida_collect(const dt_simulation *sim, detent_statistics *st)
{
    long steps = 0, error_failures = 0;
    IDAGetNumSteps(sim->memory[DT_STEPPER_IDA], &steps);
    IDAGetNumErrTestFails(sim->memory[DT_STEPPER_IDA], &error_failures);
    st->steps += (size_t)steps;
    st->error_test_failures += (size_t)error_failures;
}

const dt_stepper dt_stepper_ida = {
    .kind = DT_STEPPER_IDA,
    .carries_friction = true,
    .wants_first_step = true,
    .create = ida_create,
    .destroy = ida_destroy,
    .restart = ida_restart,
    .step = ida_step,
    .interpolate = ida_interpolate,
    .end = ida_end,
    .last_step = ida_last_step,
    .collect = ida_collect,
};
