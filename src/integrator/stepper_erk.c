/*
 * ERKStep of ARKODE: an explicit Runge-Kutta method (Dormand and Prince, order 5 with an embedded
 * order 4) on
 *
 *   q' = N(q) v,   v' = a(t, q, v),   w' = power,
 *
 * a from the accelerations of the present modes. It takes several evaluations a step but starts at
 * full order, so that
 * an event costs little: the better choice for mechanisms that are not stiff and have many events.
 * Locked joints have v' = 0
 * exactly. Friction is not part of the state; its components of y stay as they are.
 */
#include "integrator/core.h"

#include <arkode/arkode_erkstep.h>

#include <math.h>

/* Until 7.1 these were named after the kind of method. */
#if SUNDIALS_VERSION_MAJOR < 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR < 1)
#define ARKodeSetUserData           ERKStepSetUserData
#define ARKodeSetInterpolantType    ERKStepSetInterpolantType
#define ARKodeSetInterpolantDegree  ERKStepSetInterpolantDegree
#define ARKodeWFtolerances          ERKStepWFtolerances
#define ARKodeRootInit              ERKStepRootInit
#define ARKodeSetRootDirection      ERKStepSetRootDirection
#define ARKodeSetNoInactiveRootWarn ERKStepSetNoInactiveRootWarn
#define ARKodeSetMaxNumSteps        ERKStepSetMaxNumSteps
#define ARKodeSetMaxStep            ERKStepSetMaxStep
#define ARKodeFree                  ERKStepFree
#define ARKodeReset                 ERKStepReset
#define ARKodeEvolve                ERKStepEvolve
#define ARKodeGetDky                ERKStepGetDky
#define ARKodeGetCurrentTime        ERKStepGetCurrentTime
#define ARKodeGetLastStep           ERKStepGetLastStep
#define ARKodeGetRootInfo           ERKStepGetRootInfo
#define ARKodeGetNumSteps           ERKStepGetNumSteps
#define ARKodeGetNumErrTestFails    ERKStepGetNumErrTestFails
#endif

#if SUNDIALS_VERSION_MAJOR < 7
static void ignore(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}
#endif

/** y' at (t, y); leaves the system there, with its accelerations and friction. */
static int right_side(double t, N_Vector y, N_Vector yp, void *simulation)
{
    dt_simulation *sim = simulation;
    dt_system *s = sim->core;
    double power[DT_WORKS];
    sim->residuals++;
    dt_system_set_state(s, t, dt_q_of(sim, y), dt_v_of(sim, y));
    /* from a guess that no reader has touched: a run does not depend on being looked at */
    memcpy(s->a, sim->guess_a, (size_t)s->tree->nv * sizeof *s->a);
    memcpy(s->f, sim->guess_f, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    if (dt_forward_dynamics(sim->core_newton, s, NULL) != DETENT_OK || !dt_laws_are_finite(sim) ||
        !dt_system_is_finite(s)) {
        return 1;
    }
    memcpy(sim->guess_a, s->a, (size_t)s->tree->nv * sizeof *s->a);
    memcpy(sim->guess_f, s->f, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    N_VConst(0, yp);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nq > 0) {
            node->type->rate(s->q + node->q, s->v + node->v, dt_q_of(sim, yp) + node->q);
        }
    }
    memcpy(dt_v_of(sim, yp), s->a, (size_t)s->tree->nv * sizeof *s->a);
    dt_powers(s, power);
    memcpy(dt_w_of(sim, yp), power, sizeof power);
    return 0;
}

static int roots(double t, N_Vector y, double *g, void *simulation)
{
    return dt_roots_evaluate(t, y, NULL, g, simulation);
}

static bool watch_roots(dt_simulation *sim)
{
    return ARKodeRootInit(sim->memory[DT_STEPPER_ERK], sim->roots.watched, roots) == ARK_SUCCESS &&
           (sim->roots.watched == 0 || ARKodeSetRootDirection(sim->memory[DT_STEPPER_ERK],
                                                              sim->roots.direction) == ARK_SUCCESS);
}

static bool configure(dt_simulation *sim)
{
    void *erk = sim->memory[DT_STEPPER_ERK];
#if SUNDIALS_VERSION_MAJOR < 7
    ERKStepSetErrHandlerFn(erk, ignore, NULL); /* return codes are reported by ourselves */
#endif
    if (ARKodeSetUserData(erk, sim) != ARK_SUCCESS ||
        ERKStepSetTableNum(erk, ARKODE_DORMAND_PRINCE_7_4_5) != ARK_SUCCESS ||
        ARKodeSetInterpolantType(erk, ARK_INTERP_HERMITE) != ARK_SUCCESS ||
        ARKodeSetInterpolantDegree(erk, 5) != ARK_SUCCESS ||
        ARKodeWFtolerances(erk, dt_weights) != ARK_SUCCESS || !watch_roots(sim)) {
        return false;
    }
    ARKodeSetNoInactiveRootWarn(erk);
    ARKodeSetMaxNumSteps(erk, -1);
    if (sim->settings.max_step > 0) {
        ARKodeSetMaxStep(erk, sim->settings.max_step);
    }
    return true;
}

static detent_status erk_create(dt_simulation *sim, detent_error *error)
{
    sim->memory[DT_STEPPER_ERK] =
        ERKStepCreate(right_side, sim->settings.start, sim->y, sim->context);
    if (!sim->memory[DT_STEPPER_ERK] || !configure(sim)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for the integrator");
    }
    return DETENT_OK;
}

static void erk_destroy(dt_simulation *sim)
{
    if (sim->memory[DT_STEPPER_ERK]) {
        ARKodeFree(&sim->memory[DT_STEPPER_ERK]);
    }
}

static bool erk_restart(dt_simulation *sim, double t, double h)
{
    const dt_system *s = sim->core;
    (void)h;
    /* ARKodeReset() keeps the counters */
    ARKodeGetNumSteps(sim->memory[DT_STEPPER_ERK], &sim->erk_steps_before);
    ARKodeGetNumErrTestFails(sim->memory[DT_STEPPER_ERK], &sim->erk_failures_before);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        sim->held_q[k] = s->q[s->tree->nodes[s->mechanism->stictions[k].primitive].q];
    }
    memcpy(sim->guess_a, s->a, (size_t)s->tree->nv * sizeof *s->a);
    memcpy(sim->guess_f, s->f, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    if (!watch_roots(sim)) {
        return false;
    }
    if (!sim->forget) {
        return ARKodeReset(sim->memory[DT_STEPPER_ERK], t, sim->y) == ARK_SUCCESS;
    }
    sim->forget = false;
    sim->erk_steps_before = sim->erk_failures_before = 0;
    return ERKStepReInit(sim->memory[DT_STEPPER_ERK], right_side, t, sim->y) == ARK_SUCCESS;
}

static dt_step erk_step(dt_simulation *sim, double *reached, detent_error *error)
{
    const double ahead = sim->reached + fmax(1, fabs(sim->reached));
    int flag = ARKodeEvolve(sim->memory[DT_STEPPER_ERK], ahead, sim->y, reached, ARK_ONE_STEP);
    if (flag < 0) {
        dt_fail(error, DETENT_ERROR_SOLVER, NULL, "after t = %.9g s %s (ERKStep %d)", sim->reached,
                flag == ARK_ERR_FAILURE ? "the error test fails even with the smallest step"
                                        : "the integrator failed",
                flag);
        return DT_STEP_FAILED;
    }
    ARKodeGetDky(sim->memory[DT_STEPPER_ERK], *reached, 1, sim->yp);
    return flag == ARK_ROOT_RETURN ? DT_STEP_ROOT : DT_STEP_DONE;
}

/** Interpolation moves what does not move by an ulp: locked joints are where they were, exactly. */
static void hold_locked(const dt_simulation *sim, N_Vector y)
{
    const dt_system *s = sim->core;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            const dt_node *node = &s->tree->nodes[s->mechanism->stictions[k].primitive];
            dt_q_of(sim, y)[node->q] = sim->held_q[k];
            dt_v_of(sim, y)[node->v] = 0;
        }
    }
}

static bool erk_interpolate(dt_simulation *sim, double t, int derivative, N_Vector out)
{
    const bool ok = ARKodeGetDky(sim->memory[DT_STEPPER_ERK], t, derivative, out) == ARK_SUCCESS;
    if (ok && derivative == 0) {
        hold_locked(sim, out);
    }
    return ok;
}

static double erk_end(const dt_simulation *sim)
{
    double t = 0;
    ARKodeGetCurrentTime(sim->memory[DT_STEPPER_ERK], &t);
    return t;
}

static double erk_last_step(const dt_simulation *sim)
{
    double h = 0;
    ARKodeGetLastStep(sim->memory[DT_STEPPER_ERK], &h);
    return h;
}

static bool erk_fired(dt_simulation *sim, int *fired)
{
    return ARKodeGetRootInfo(sim->memory[DT_STEPPER_ERK], fired) == ARK_SUCCESS;
}

static void erk_collect(const dt_simulation *sim, detent_statistics *st)
{
    long steps = 0, error_failures = 0;
    ARKodeGetNumSteps(sim->memory[DT_STEPPER_ERK], &steps);
    ARKodeGetNumErrTestFails(sim->memory[DT_STEPPER_ERK], &error_failures);
    st->steps += (size_t)(steps - sim->erk_steps_before);
    st->error_test_failures += (size_t)(error_failures - sim->erk_failures_before);
}

const dt_stepper dt_stepper_erk = {
    .kind = DT_STEPPER_ERK,
    .carries_friction = false,
    .create = erk_create,
    .destroy = erk_destroy,
    .restart = erk_restart,
    .step = erk_step,
    .interpolate = erk_interpolate,
    .end = erk_end,
    .last_step = erk_last_step,
    .fired = erk_fired,
    .collect = erk_collect,
};
