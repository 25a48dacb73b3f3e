/*
 * ERKStep of ARKODE: an explicit Runge-Kutta method (Dormand and Prince, order 5 with an embedded
 * order 4) on
 *
 *   q' = N(q) v,   v' = a(t, q, v),   w' = power,
 *
 * a from the accelerations of the present modes. It takes several evaluations a step but starts at
 * full order, so that an event costs little: the better choice for mechanisms that are not stiff and
 * have many events. Locked joints have v' = 0 exactly. Friction is not part of the state; its
 * components of y stay as they are.
 *
 * ARKODE takes the steps. The solution inside them is interpolated from their stages, which are noted
 * as ARKODE asks for them, and roots are found on that.
 */
#include "integrator/core.h"
#include "solver/dense_output.h"

#include <arkode/arkode_erkstep.h>

#include <float.h>
#include <math.h>

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

/** What this stepper keeps. */
typedef struct erk {
    void *arkode;
    dt_dense_output dense;     /**< the last step */
    N_Vector inside;           /**< the solution where roots are evaluated */
    N_Vector slope;            /**< its y', or y' somewhere else */
    double *held_q;            /**< stictions of the core: where a locked one is */
    double *guess_a, *guess_f; /**< of the right side: nv and stictions of the core */
    double *known_a, *known_f; /**< the same at the start of the step */
    double stage_time;         /**< of the last stage */
    double bad_time;           /**< the last one at which there was no derivative, or NAN */
    bool begun;                /**< a step was tried since the restart */
    bool halted; /**< at a root inside the last step: the rest of it is still to be searched */
} erk;

static erk *erk_of(const dt_simulation *sim)
{
    return sim->memory[DT_STEPPER_ERK];
}

/** A solution of the accelerations, or a guess of one. */
static void copy_guess(const dt_simulation *sim, double *to_a, double *to_f, const double *a,
                       const double *f)
{
    const dt_system *s = sim->core;
    memcpy(to_a, a, (size_t)s->tree->nv * sizeof *a);
    memcpy(to_f, f, (size_t)s->mechanism->stiction_count * sizeof *f);
}

/** y' at (t, y); leaves the system there, with its accelerations and friction. */
static bool derivative(dt_simulation *sim, double t, N_Vector y, N_Vector yp)
{
    dt_system *s = sim->core;
    const erk *e = erk_of(sim);
    double power[DT_WORKS];
    sim->residuals++;
    dt_system_set_state(s, t, dt_q_of(sim, y), dt_v_of(sim, y));
    /* from a guess that no reader has touched: a run does not depend on being looked at */
    copy_guess(sim, s->a, s->f, e->guess_a, e->guess_f);
    if (dt_forward_dynamics(sim->core_newton, s, &sim->trial) != DETENT_OK ||
        !dt_laws_are_finite(sim)) {
        return false;
    }
    if (!dt_system_is_finite(s)) {
        dt_note_bad_law(sim, t);
        return false;
    }
    copy_guess(sim, e->guess_a, e->guess_f, s->a, s->f);
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
    return true;
}

/** What the right side found last is the solution that the run is on. */
static void accept_guess(dt_simulation *sim)
{
    erk *e = erk_of(sim);
    copy_guess(sim, e->known_a, e->known_f, e->guess_a, e->guess_f);
}

/**
 * Friction that follows its own reaction may have several solutions. A run stays on its own: a stage far away may have
 * found another one, and what was found inside a step that was rejected, or for a root, is no guess for the next.
 */
static void recall_guess(dt_simulation *sim)
{
    erk *e = erk_of(sim);
    copy_guess(sim, e->guess_a, e->guess_f, e->known_a, e->known_f);
}

/** What ARKODE calls. Its first call after a restart asks for what begin() has found. */
static int right_side(double t, N_Vector y, N_Vector yp, void *simulation)
{
    dt_simulation *sim = simulation;
    erk *e = erk_of(sim);
    const size_t bytes = (size_t)sim->order * sizeof(double);
    if (!e->begun && t == e->dense.t1 && memcmp(N_VGetArrayPointer(y), e->dense.y1, bytes) == 0) {
        memcpy(N_VGetArrayPointer(yp), e->dense.k1, bytes);
        return 0;
    }
    if (t < e->stage_time) { /* the step is tried again, shorter */
        recall_guess(sim);
    }
    e->stage_time = t;
    if (!derivative(sim, t, y, yp)) {
        e->bad_time = t;
        return 1;
    }
    dt_dense_note(&e->dense, N_VGetArrayPointer(yp));
    return 0;
}

/* ---- the solution inside a step ---- */

/** Interpolation moves what does not move by an ulp: locked joints are where they were, exactly. */
static void hold_locked(const dt_simulation *sim, N_Vector y)
{
    const dt_system *s = sim->core;
    const erk *e = erk_of(sim);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            const dt_node *node = &s->tree->nodes[s->mechanism->stictions[k].primitive];
            dt_q_of(sim, y)[node->q] = e->held_q[k];
            dt_v_of(sim, y)[node->v] = 0;
        }
    }
}

/** Times closer than this are one. */
static double tolerance_of(const dt_dense_output *dense)
{
    return 100 * DBL_EPSILON * (fabs(dense->t1) + dense->t1 - dense->t0);
}

static bool erk_interpolate(dt_simulation *sim, double t, int order, N_Vector out)
{
    dt_dense_output *dense = &erk_of(sim)->dense;
    const double fuzz = tolerance_of(dense);
    if (!(t >= dense->t0 - fuzz && t <= dense->t1 + fuzz)) {
        return false;
    }
    dt_dense_evaluate(dense, t, order, N_VGetArrayPointer(out));
    if (order == 0) {
        hold_locked(sim, out);
    }
    return true;
}

/** To order 5, where the state is to be restarted from; stays at 4 where that cannot be done. */
static void raise_order(dt_simulation *sim)
{
    erk *e = erk_of(sim);
    N_Vector const slope[2] = {e->slope, sim->scratch};
    double t[2];
    dt_dense_raise_times(&e->dense, t);
    for (int k = 0; k < 2; k++) {
        if (!erk_interpolate(sim, t[k], 1, slope[k]) || !erk_interpolate(sim, t[k], 0, e->inside)) {
            return;
        }
        /* near the solution of this step, not that of the last stage or of another try */
        memcpy(e->guess_a, dt_v_of(sim, slope[k]), (size_t)sim->core->tree->nv * sizeof(double));
        if (!derivative(sim, t[k], e->inside, slope[k])) {
            return;
        }
    }
    dt_dense_raise(&e->dense, N_VGetArrayPointer(slope[0]), N_VGetArrayPointer(slope[1]));
}

/* ---- roots ---- */

/** dt_root_functions */
static bool roots_at(void *simulation, double t, double *g)
{
    dt_simulation *sim = simulation;
    erk *e = erk_of(sim);
    if (t != e->dense.t1 && e->dense.order < 5) {
        raise_order(sim);
    }
    return erk_interpolate(sim, t, 1, e->slope) && erk_interpolate(sim, t, 0, e->inside) &&
           dt_roots_evaluate(t, e->inside, e->slope, g, sim) == 0;
}

/**
 * dt_root_guess: roots of a joint that moves are velocities but for sign and offset, and these are
 * known without an evaluation.
 */
static double guess(void *simulation, const dt_root_bracket *bracket)
{
    dt_simulation *sim = simulation;
    const dt_system *s = sim->core;
    dt_dense_output *dense = &erk_of(sim)->dense;
    const int k = bracket->index / 2;
    if (k >= s->mechanism->stiction_count || s->mode[k] == DETENT_LOCKED) {
        return NAN;
    }
    if (dense->order < 5) {
        raise_order(sim); /* as it will be where the guess is tried */
    }
    const int j = s->tree->nq + s->tree->nodes[s->mechanism->stictions[k].primitive].v;
    double a = bracket->t[0], b = bracket->t[1];
    const double va = dt_dense_component(dense, a, 0, j), vb = dt_dense_component(dense, b, 0, j);
    const double wanted = va + (vb - va) * (bracket->g[0] / (bracket->g[0] - bracket->g[1]));
    double t = 0.5 * (a + b);
    for (int round = 0; round < 50; round++) {
        const double miss = dt_dense_component(dense, t, 0, j) - wanted;
        const double move = miss / dt_dense_component(dense, t, 1, j);
        if ((miss > 0) == (va > wanted)) {
            a = t;
        } else {
            b = t;
        }
        const double next = t - move;
        if (fabs(move) < 0.1 * tolerance_of(dense)) {
            return next;
        }
        t = next > a && next < b ? next : 0.5 * (a + b);
    }
    return t;
}

/* ---- life ---- */

static bool configure(dt_simulation *sim)
{
    void *arkode = erk_of(sim)->arkode;
#if SUNDIALS_VERSION_MAJOR < 7
    ERKStepSetErrHandlerFn(arkode, ignore, NULL); /* return codes are reported by ourselves */
#endif
    if (ARKodeSetUserData(arkode, sim) != ARK_SUCCESS ||
        ERKStepSetTableNum(arkode, ARKODE_DORMAND_PRINCE_7_4_5) != ARK_SUCCESS ||
        ARKodeSetInterpolantType(arkode, ARK_INTERP_HERMITE) != ARK_SUCCESS ||
        ARKodeSetInterpolantDegree(arkode, 3) != ARK_SUCCESS) { /* not used: with few vectors */
        return false;
    }
    ARKodeSetMaxNumSteps(arkode, -1);
    return true;
}

static int stand_still(double t, N_Vector y, N_Vector yp, void *simulation)
{
    (void)t, (void)y, (void)simulation;
    N_VConst(0, yp);
    return 0;
}

/** A step in which nothing happens: ARKODE takes memory in its first one. Then it begins anew. */
static bool warm_up(dt_simulation *sim)
{
    void *arkode = erk_of(sim)->arkode;
    const double start = sim->settings.start, length = sim->settings.end - start;
    double end = 0;
    sim->forget = true;
    return ARKodeSStolerances(arkode, 1, 1) == ARK_SUCCESS &&
           ARKodeSetInitStep(arkode, 0.01 * length) == ARK_SUCCESS &&
           ARKodeEvolve(arkode, start + length, sim->y, &end, ARK_ONE_STEP) >= 0 &&
           ARKodeWFtolerances(arkode, dt_weights) == ARK_SUCCESS;
}

static bool take_memory(dt_simulation *sim)
{
    dt_arena *arena = dt_vector_arena(sim->vectors);
    erk *e = dt_arena_alloc(arena, 1, sizeof *e);
    sim->memory[DT_STEPPER_ERK] = e;
    if (!e || !dt_dense_create(arena, sim->order, &e->dense)) {
        return false;
    }
    e->inside = dt_vector_create(sim->vectors);
    e->slope = dt_vector_create(sim->vectors);
    e->held_q = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *e->held_q);
    e->guess_a = dt_arena_alloc(arena, (size_t)sim->nv, sizeof *e->guess_a);
    e->guess_f = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *e->guess_f);
    e->known_a = dt_arena_alloc(arena, (size_t)sim->nv, sizeof *e->known_a);
    e->known_f = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *e->known_f);
    if (!e->inside || !e->slope || !e->held_q || !e->guess_a || !e->guess_f || !e->known_a ||
        !e->known_f) {
        return false;
    }
    e->arkode = ERKStepCreate(stand_still, sim->settings.start, sim->y, sim->context);
    return e->arkode != NULL;
}

static detent_status erk_create(dt_simulation *sim, detent_error *error)
{
    if (!take_memory(sim) || !configure(sim) || !warm_up(sim)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for the integrator");
    }
    return DETENT_OK;
}

static void erk_destroy(dt_simulation *sim)
{
    erk *e = erk_of(sim);
    if (!e) {
        return;
    }
    if (e->inside) {
        N_VDestroy(e->inside);
    }
    if (e->slope) {
        N_VDestroy(e->slope);
    }
    if (e->arkode) {
        ARKodeFree(&e->arkode);
    }
}

static bool erk_restart(dt_simulation *sim, double t, double h)
{
    const dt_system *s = sim->core;
    erk *e = erk_of(sim);
    /* ARKodeReset() keeps the counters */
    ARKodeGetNumSteps(e->arkode, &sim->erk_steps_before);
    ARKodeGetNumErrTestFails(e->arkode, &sim->erk_failures_before);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        e->held_q[k] = s->q[s->tree->nodes[s->mechanism->stictions[k].primitive].q];
    }
    copy_guess(sim, e->guess_a, e->guess_f, s->a, s->f);
    accept_guess(sim);
    dt_dense_start(&e->dense, sim->order, t, N_VGetArrayPointer(sim->y));
    sim->finder.evaluate = roots_at;
    sim->finder.guess = guess;
    e->begun = e->halted = false;
    if (!sim->forget) {
        return ARKodeReset(e->arkode, t, sim->y) == ARK_SUCCESS &&
               (h == 0 || ARKodeSetInitStep(e->arkode, h) == ARK_SUCCESS);
    }
    sim->forget = false;
    sim->erk_steps_before = sim->erk_failures_before = 0;
    return ERKStepReInit(e->arkode, right_side, t, sim->y) == ARK_SUCCESS &&
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

/**
 * Length of the step that failed: a stage without a derivative was so far from its start; roots are
 * looked for in a step that has been made.
 */
static double length_tried(const dt_simulation *sim, int flag)
{
    const erk *e = erk_of(sim);
    double h = 0;
    if (flag == ARK_RTFUNC_FAIL) {
        return e->dense.t1 - sim->reached;
    }
    if (e->bad_time > sim->reached) {
        return e->bad_time - sim->reached;
    }
    ARKodeGetCurrentStep(e->arkode, &h);
    return h;
}

static dt_step fail(const dt_simulation *sim, int flag, dt_failure *why, double *tried)
{
    *why = reason(flag);
    *tried = length_tried(sim, flag);
    return DT_STEP_FAILED;
}

/** Derivative and roots where the integrator was restarted; ARK_SUCCESS or what is wrong. */
static int begin(dt_simulation *sim)
{
    erk *e = erk_of(sim);
    if (!derivative(sim, e->dense.t1, sim->y, e->slope)) {
        return ARK_FIRST_RHSFUNC_ERR;
    }
    accept_guess(sim);
    dt_dense_note_first(&e->dense, N_VGetArrayPointer(e->slope));
    return dt_root_finder_start(&sim->finder, sim->roots.watched, e->dense.t1) ? ARK_SUCCESS
                                                                               : ARK_RTFUNC_FAIL;
}

/** One step of ARKODE, noted for interpolation. */
static int take_step(dt_simulation *sim)
{
    erk *e = erk_of(sim);
    double end = 0;
    int flag = e->begun ? ARK_SUCCESS : begin(sim);
    if (flag != ARK_SUCCESS) {
        return flag;
    }
    e->bad_time = NAN;
    e->stage_time = -INFINITY;
    recall_guess(sim);
    dt_dense_begin(&e->dense);
    ARKodeSetMaxStep(e->arkode, dt_longest_step(sim));
    ARKodeSetStopTime(e->arkode, fmin(sim->stop, DBL_MAX));
    flag = ARKodeEvolve(e->arkode, sim->reached + dt_horizon(sim), sim->y, &end, ARK_ONE_STEP);
    e->begun = true;
    if (flag >= 0) {
        accept_guess(sim); /* of the last stage, which is the end */
        dt_dense_end(&e->dense, end, N_VGetArrayPointer(sim->y));
    }
    return flag;
}

static dt_step erk_step(dt_simulation *sim, double *reached, dt_failure *why, double *tried)
{
    erk *e = erk_of(sim);
    if (!e->halted) {
        const int flag = take_step(sim);
        if (flag < 0) {
            return fail(sim, flag, why, tried);
        }
    } else if (!dt_root_finder_start(&sim->finder, sim->roots.watched, sim->finder.time)) {
        return fail(sim, ARK_RTFUNC_FAIL, why, tried); /* the roots are others since that event */
    }
    const dt_root_outcome outcome =
        dt_root_finder_search(&sim->finder, e->dense.t1, tolerance_of(&e->dense));
    if (outcome == DT_ROOT_FAILED) {
        return fail(sim, ARK_RTFUNC_FAIL, why, tried);
    }
    *reached = sim->finder.time;
    e->halted = outcome == DT_ROOT_FOUND;
    erk_interpolate(sim, *reached, 0, sim->y);
    erk_interpolate(sim, *reached, 1, sim->yp);
    return outcome == DT_ROOT_FOUND ? DT_STEP_ROOT : DT_STEP_DONE;
}

static double erk_end(const dt_simulation *sim)
{
    return erk_of(sim)->dense.t1;
}

static double erk_last_step(const dt_simulation *sim)
{
    double h = 0;
    ARKodeGetLastStep(erk_of(sim)->arkode, &h);
    return h;
}

static void erk_collect(const dt_simulation *sim, detent_statistics *st)
{
    long steps = 0, error_failures = 0;
    ARKodeGetNumSteps(erk_of(sim)->arkode, &steps);
    ARKodeGetNumErrTestFails(erk_of(sim)->arkode, &error_failures);
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
    .collect = erk_collect,
};
