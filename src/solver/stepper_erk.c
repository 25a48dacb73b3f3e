/*
 * ERKStep of ARKODE: an explicit Runge-Kutta method (Dormand and Prince, order 5 with an embedded
 * order 4) on y' = f(t, y). It takes several evaluations a step but starts at full order, so that an
 * event costs little: the better choice for what is not stiff and has many events.
 *
 * ARKODE takes the steps. The solution inside them is interpolated from their stages, which are noted
 * as ARKODE asks for them, and roots are found on that (erk_inside.c).
 */
#include "solver/erk.h"

#include <arkode/arkode_erkstep.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Until 7.1 these were named after the kind of method. */
#if SUNDIALS_VERSION_MAJOR < 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR < 1)
#define ARKodeSetUserData          ERKStepSetUserData
#define ARKodeSetInterpolantType   ERKStepSetInterpolantType
#define ARKodeSetInterpolantDegree ERKStepSetInterpolantDegree
#define ARKodeWFtolerances         ERKStepWFtolerances
#define ARKodeSStolerances         ERKStepSStolerances
#define ARKodeSetMaxNumSteps       ERKStepSetMaxNumSteps
#define ARKodeSetMaxStep           ERKStepSetMaxStep
#define ARKodeSetStopTime          ERKStepSetStopTime
#define ARKodeFree                 ERKStepFree
#define ARKodeReset                ERKStepReset
#define ARKodeEvolve               ERKStepEvolve
#define ARKodeGetLastStep          ERKStepGetLastStep
#define ARKodeGetCurrentStep       ERKStepGetCurrentStep
#define ARKodeSetInitStep          ERKStepSetInitStep
#define ARKodeGetNumSteps          ERKStepGetNumSteps
#define ARKodeGetNumErrTestFails   ERKStepGetNumErrTestFails
#endif

#if SUNDIALS_VERSION_MAJOR < 7
static void ignore(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}
#endif

/* ---- what ARKODE calls ---- */

/* What rate() found last is the solution that the run is on. */
static void keep(const dt_solver *solver)
{
    if (solver->problem.keep) {
        solver->problem.keep(solver->problem.user);
    }
}

/*
 * A run stays on its own solution: a stage far away may have found another one, and what was found
 * inside a step that was rejected, or for a root, is no guess for the next.
 */
static void recall(const dt_solver *solver)
{
    if (solver->problem.recall) {
        solver->problem.recall(solver->problem.user);
    }
}

/* Its first call after a restart asks for what begin() has found. */
static int right_side(double t, N_Vector y, N_Vector yp, void *context)
{
    dt_solver *solver = context;
    dt_erk *e = dt_erk_of(solver);
    const size_t bytes = (size_t)solver->length * sizeof(double);
    if (!e->begun && t == e->dense.t1 && memcmp(dt_numbers(y), e->dense.y1, bytes) == 0) {
        memcpy(dt_numbers(yp), e->dense.k1, bytes);
        return 0;
    }
    if (t < e->stage_time) { /* the step is tried again, shorter */
        recall(solver);
    }
    e->stage_time = t;
    if (!dt_erk_rate(solver, t, dt_numbers(y), dt_numbers(yp))) {
        e->bad_time = t;
        return 1;
    }
    dt_dense_note(&e->dense, dt_numbers(yp));
    return 0;
}

/* ---- life ---- */

static bool configure(dt_solver *solver)
{
    void *arkode = dt_erk_of(solver)->arkode;
#if SUNDIALS_VERSION_MAJOR < 7
    ERKStepSetErrHandlerFn(arkode, ignore, NULL); /* return codes are reported by ourselves */
#endif
    if (ARKodeSetUserData(arkode, solver) != ARK_SUCCESS ||
        ERKStepSetTableNum(arkode, ARKODE_DORMAND_PRINCE_7_4_5) != ARK_SUCCESS ||
        ARKodeSetInterpolantType(arkode, ARK_INTERP_HERMITE) != ARK_SUCCESS ||
        ARKodeSetInterpolantDegree(arkode, 3) != ARK_SUCCESS) { /* not used: with few vectors */
        return false;
    }
    ARKodeSetMaxNumSteps(arkode, -1);
    return true;
}

static int stand_still(double t, N_Vector y, N_Vector yp, void *solver)
{
    (void)t, (void)y, (void)solver;
    N_VConst(0, yp);
    return 0;
}

/* A step in which nothing happens: ARKODE takes memory in its first one. Then it begins anew. */
static bool warm_up(dt_solver *solver)
{
    dt_erk *e = dt_erk_of(solver);
    void *arkode = e->arkode;
    const double start = solver->plan.start, length = solver->plan.end - start;
    double end = 0;
    e->forget = true;
    return ARKodeSStolerances(arkode, 1, 1) == ARK_SUCCESS &&
           ARKodeSetInitStep(arkode, 0.01 * length) == ARK_SUCCESS &&
           ARKodeEvolve(arkode, start + length, solver->y, &end, ARK_ONE_STEP) >= 0 &&
           ARKodeWFtolerances(arkode, dt_solver_weights) == ARK_SUCCESS;
}

static bool take_memory(dt_solver *solver, dt_arena *arena)
{
    const size_t most = (size_t)solver->plan.most_unknowns;
    dt_erk *e = dt_arena_alloc(arena, 1, sizeof *e);
    solver->own[DT_STEPPER_ERK] = e;
    if (!e || !dt_dense_create(arena, solver->plan.most_unknowns, &e->dense)) {
        return false;
    }
    e->inside = dt_arena_alloc(arena, most, sizeof *e->inside);
    e->slope = dt_arena_alloc(arena, most, sizeof *e->slope);
    if (!e->inside || !e->slope) {
        return false;
    }
    e->arkode = ERKStepCreate(stand_still, solver->plan.start, solver->y, solver->context);
    return e->arkode != NULL;
}

static bool erk_create(dt_solver *solver, dt_arena *arena)
{
    return take_memory(solver, arena) && configure(solver) && warm_up(solver);
}

static void erk_destroy(dt_solver *solver)
{
    dt_erk *e = dt_erk_of(solver);
    if (e->arkode) {
        ARKodeFree(&e->arkode);
    }
}

static void erk_forget(dt_solver *solver)
{
    dt_erk *e = dt_erk_of(solver);
    e->forget = true;
    e->stiff = e->loose = 0;
}

static bool erk_restart(dt_solver *solver, double t, double h)
{
    dt_erk *e = dt_erk_of(solver);
    /* ARKodeReset() keeps the counters */
    ARKodeGetNumSteps(e->arkode, &e->steps_before);
    ARKodeGetNumErrTestFails(e->arkode, &e->failures_before);
    dt_dense_start(&e->dense, solver->length, t, dt_numbers(solver->y));
    solver->finder.evaluate = dt_erk_roots;
    solver->finder.guess = dt_erk_guess;
    e->begun = e->halted = false;
    if (!e->forget) {
        return ARKodeReset(e->arkode, t, solver->y) == ARK_SUCCESS &&
               (h == 0 || ARKodeSetInitStep(e->arkode, h) == ARK_SUCCESS);
    }
    e->forget = false;
    e->steps_before = e->failures_before = 0;
    return ERKStepReInit(e->arkode, right_side, t, solver->y) == ARK_SUCCESS &&
           ARKodeSetInitStep(e->arkode, h) == ARK_SUCCESS;
}

/* ---- a step ---- */

static dt_failure reason(int flag)
{
    switch (flag) {
    case ARK_ERR_FAILURE:
        return DT_FAILURE_ERROR_TEST;
    case ARK_TOO_MUCH_ACC:
        return DT_FAILURE_ACCURACY;
    case ARK_RTFUNC_FAIL:
        return DT_FAILURE_ROOT;
    case ARK_RHSFUNC_FAIL:
    case ARK_FIRST_RHSFUNC_ERR:
    case ARK_REPTD_RHSFUNC_ERR:
    case ARK_UNREC_RHSFUNC_ERR:
        return DT_FAILURE_FORCE;
    case ARK_MEM_FAIL:
        return DT_FAILURE_MEMORY;
    default:
        return DT_FAILURE_INTERNAL;
    }
}

/*
 * Length of the step that failed: a stage without a derivative was so far from its start; roots are
 * looked for in a step that has been made.
 */
static double length_tried(const dt_solver *solver, double from, int flag)
{
    const dt_erk *e = dt_erk_of(solver);
    double h = 0;
    if (flag == ARK_RTFUNC_FAIL) {
        return e->dense.t1 - from;
    }
    if (e->bad_time > from) {
        return e->bad_time - from;
    }
    ARKodeGetCurrentStep(e->arkode, &h);
    return h;
}

static dt_step fail(const dt_solver *solver, double from, int flag, dt_failure *why, double *tried)
{
    *why = reason(flag);
    *tried = length_tried(solver, from, flag);
    return DT_STEP_FAILED;
}

/* Derivative and roots where the integrator was restarted; ARK_SUCCESS or what is wrong. */
static int begin(dt_solver *solver)
{
    dt_erk *e = dt_erk_of(solver);
    if (!dt_erk_rate(solver, e->dense.t1, dt_numbers(solver->y), e->slope)) {
        return ARK_FIRST_RHSFUNC_ERR;
    }
    keep(solver);
    dt_dense_note_first(&e->dense, e->slope);
    return dt_root_finder_start(&solver->finder, solver->roots, e->dense.t1) ? ARK_SUCCESS
                                                                             : ARK_RTFUNC_FAIL;
}

/* One step of ARKODE, noted for interpolation. */
static int take_step(dt_solver *solver, const dt_step_bounds *bounds)
{
    dt_erk *e = dt_erk_of(solver);
    double end = 0;
    int flag = e->begun ? ARK_SUCCESS : begin(solver);
    if (flag != ARK_SUCCESS) {
        return flag;
    }
    e->bad_time = NAN;
    e->stage_time = -INFINITY;
    recall(solver);
    dt_dense_begin(&e->dense);
    ARKodeSetMaxStep(e->arkode, bounds->longest);
    ARKodeSetStopTime(e->arkode, fmin(bounds->stop, DBL_MAX));
    flag = ARKodeEvolve(e->arkode, bounds->from + bounds->span, solver->y, &end, ARK_ONE_STEP);
    e->begun = true;
    if (flag >= 0) {
        keep(solver); /* of the last stage, which is the end */
        dt_dense_end(&e->dense, end, dt_numbers(solver->y));
    }
    return flag;
}

static bool erk_interpolate(dt_solver *solver, double t, int derivative)
{
    return dt_erk_inside(solver, t, derivative,
                         dt_numbers(derivative == 0 ? solver->y : solver->yp));
}

static dt_step erk_step(dt_solver *solver, const dt_step_bounds *bounds, double *reached,
                        dt_failure *why, double *tried)
{
    dt_erk *e = dt_erk_of(solver);
    dt_root_finder *finder = &solver->finder;
    if (!e->halted) {
        const int flag = take_step(solver, bounds);
        if (flag < 0) {
            return fail(solver, bounds->from, flag, why, tried);
        }
    } else if (!dt_root_finder_start(finder, solver->roots, finder->time)) {
        /* the roots are others since that event */
        return fail(solver, bounds->from, ARK_RTFUNC_FAIL, why, tried);
    }
    const dt_root_outcome outcome =
        dt_root_finder_search(finder, e->dense.t1, dt_erk_tolerance(&e->dense));
    if (outcome == DT_ROOT_FAILED) {
        return fail(solver, bounds->from, ARK_RTFUNC_FAIL, why, tried);
    }
    *reached = finder->time;
    e->halted = outcome == DT_ROOT_FOUND;
    erk_interpolate(solver, *reached, 0);
    erk_interpolate(solver, *reached, 1);
    return e->halted ? DT_STEP_ROOT : DT_STEP_DONE;
}

static double erk_end(const dt_solver *solver)
{
    return dt_erk_of(solver)->dense.t1;
}

static double erk_last_step(const dt_solver *solver)
{
    double h = 0;
    ARKodeGetLastStep(dt_erk_of(solver)->arkode, &h);
    return h;
}

static dt_step_counts erk_steps(const dt_solver *solver)
{
    const dt_erk *e = dt_erk_of(solver);
    long steps = 0, error_failures = 0;
    ARKodeGetNumSteps(e->arkode, &steps);
    ARKodeGetNumErrTestFails(e->arkode, &error_failures);
    return (dt_step_counts){.steps = (size_t)(steps - e->steps_before),
                            .error_test_failures = (size_t)(error_failures - e->failures_before)};
}

const dt_stepper dt_stepper_erk = {
    .kind = DT_STEPPER_ERK,
    .carries_algebraic = false,
    .wants_first_step = false,
    .vectors = 16,
    .create = erk_create,
    .destroy = erk_destroy,
    .restart = erk_restart,
    .step = erk_step,
    .interpolate = erk_interpolate,
    .end = erk_end,
    .last_step = erk_last_step,
    .steps = erk_steps,
    .forget = erk_forget,
};
