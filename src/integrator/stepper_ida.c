/*
 * IDA: variable-order BDF formulas on the differential-algebraic system itself (residual.c), with
 * our own Newton iteration.
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

static bool watch_roots(dt_simulation *sim)
{
    return IDARootInit(sim->memory[DT_STEPPER_IDA], sim->roots.watched, dt_roots_evaluate) ==
               IDA_SUCCESS &&
           (sim->roots.watched == 0 ||
            IDASetRootDirection(sim->memory[DT_STEPPER_IDA], sim->roots.direction) == IDA_SUCCESS);
}

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
        IDASetNonlinearSolver(ida, sim->nonlinear) != IDA_SUCCESS || !watch_roots(sim)) {
        return false;
    }
    IDASetNoInactiveRootWarn(ida);
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
    return watch_roots(sim) &&
           IDASetId(sim->memory[DT_STEPPER_IDA], dt_identify(sim)) == IDA_SUCCESS &&
           IDAReInit(sim->memory[DT_STEPPER_IDA], t, sim->y, sim->yp) == IDA_SUCCESS &&
           IDASetInitStep(sim->memory[DT_STEPPER_IDA], h) == IDA_SUCCESS;
}

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

static dt_step ida_step(dt_simulation *sim, double *reached, dt_failure *why, double *tried)
{
    const double before = sim->reached;
    IDASetMaxStep(sim->memory[DT_STEPPER_IDA], dt_longest_step(sim));
    IDASetStopTime(sim->memory[DT_STEPPER_IDA], fmin(sim->stop, DBL_MAX));
    int flag = IDASolve(sim->memory[DT_STEPPER_IDA], before + dt_horizon(sim), reached, sim->y,
                        sim->yp, IDA_ONE_STEP);
    if (flag < 0) {
        *reached = before;
        *why = reason(flag);
        *tried = length_tried(sim, flag);
        return DT_STEP_FAILED;
    }
    return flag == IDA_ROOT_RETURN ? DT_STEP_ROOT : DT_STEP_DONE;
}

static bool ida_interpolate(dt_simulation *sim, double t, int derivative, N_Vector out)
{
    return IDAGetDky(sim->memory[DT_STEPPER_IDA], t, derivative, out) == IDA_SUCCESS;
}

static double ida_end(const dt_simulation *sim)
{
    double t = 0;
    IDAGetCurrentTime(sim->memory[DT_STEPPER_IDA], &t);
    return t;
}

static double ida_last_step(const dt_simulation *sim)
{
    double h = 0;
    IDAGetLastStep(sim->memory[DT_STEPPER_IDA], &h);
    return h;
}

static bool ida_fired(dt_simulation *sim, int *fired)
{
    return IDAGetRootInfo(sim->memory[DT_STEPPER_IDA], fired) == IDA_SUCCESS;
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
    .fired = ida_fired,
    .collect = ida_collect,
};
