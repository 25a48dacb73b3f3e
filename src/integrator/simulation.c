#include "integrator/simulation.h"
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/dense_newton.h"
#include "dynamics/failed_call.h"
#include "dynamics/self_stress.h"
#include "dynamics/split.h"
#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/event.h"
#include "integrator/fixed_step.h"
#include "integrator/fold.h"
#include "integrator/graze.h"
#include "integrator/horizon.h"
#include "integrator/instants.h"
#include "integrator/problem.h"
#include "integrator/restart.h"
#include "integrator/sliding.h"
#include "integrator/solution.h"
#include "integrator/source.h"
#include "integrator/state_stops.h"
#include "integrator/steps.h"
#include "integrator/storm.h"
#include "integrator/swing.h"
#include "integrator/trial.h"
#include "integrator/velocity_band.h"
#include "integrator/warnings.h"

#include "model/builder.h"

#include <math.h>

/* ---- create, destroy ---- */

static void choose_settings(dt_simulation *sim, const detent_simulation_options *options)
{
    /* The error test looks at one step; the user means the trajectory, a sum of many steps. So
       the test is made stricter: measured on the Coulomb oscillator, the final error then is about
       the relative tolerance asked for (docs/theory.md). */
    static const double safety = 0.003;
    sim->settings = options && options->settings ? *options->settings : sim->mechanism->settings;
    sim->settings.size = sizeof sim->settings;
    sim->rtol = fmax(safety * sim->settings.rtol, 1e-14);
    sim->atol = safety * sim->settings.atol;
    sim->fixed.exists = dt_settings_are_fixed(&sim->settings);
    sim->time_stepping.exists = sim->settings.integrator == DETENT_INTEGRATOR_FIXED;
}

#define TAKE(member, count) \
    ((s->member = dt_arena_alloc(arena, (count), sizeof *s->member)) != NULL)

static bool create_arrays(dt_arena *arena, dt_simulation *s)
{
    const size_t nv = (size_t)s->nv, ns = (size_t)s->ns, loops = s->system.closure ? 1 : 0,
                 length = (size_t)dt_blocks_length(&s->system);
    return TAKE(past.state, length) && TAKE(past.a, nv) && TAKE(past.present, loops * length) &&
           TAKE(past.present_a, loops * nv) &&
           (!loops || dt_closure_create_mark(arena, &s->system, &s->past.present_choice)) &&
           TAKE(past.inputs, (size_t)dt_given_count(s->mechanism)) && TAKE(past.mode, ns) &&
           TAKE(past.direction, ns) && TAKE(past.yielded, ns) &&
           TAKE(past.turned, (size_t)s->system.turned_count) &&
           TAKE(past.branches, (size_t)s->system.branch_count) && TAKE(event.decree, ns) &&
           TAKE(event.core_decree, ns) && TAKE(event.cause, ns) && TAKE(event.decree_kept, ns) &&
           TAKE(event.released, ns) && TAKE(event.changes, s->time_stepping.exists ? 2 * ns : ns) &&
           TAKE(event.state_changes, dt_state_stops_count(s->mechanism)) &&
           TAKE(event.state_side, (size_t)s->mechanism->state_count) &&
           TAKE(input.pending, (size_t)dt_given_count(s->mechanism)) &&
           TAKE(rest_given,
                s->mechanism->rest_count > 0 ? (size_t)dt_given_count(s->mechanism) : 0);
}

#undef TAKE

/* What is integrated need not be the whole system. */
static bool may_reduce(const dt_simulation *sim, const dt_reduction_way *reduction)
{
    return reduction && !sim->time_stepping.exists &&
           sim->settings.locked_joints == DETENT_LOCKED_JOINTS_WELD &&
           sim->settings.linear_solver == DETENT_LINEAR_SOLVER_TREE &&
           reduction->is_possible(&sim->system);
}

/*
 * Accelerations of the whole: with explicit laws in the core's work space, which is large enough and
 * keeps nothing between two calls that the other one would spoil.
 */
static dt_newton *create_newton(dt_arena *arena, const dt_simulation *sim)
{
    return dt_newton_is_explicit(sim->core_newton)
               ? sim->core_newton
               : dt_newton_create_up_to(arena, &sim->system, sim->settings.linear_solver,
                                        DT_NEWTON_ACCELERATION);
}

/* What is integrated: the system reduced, where that may be. */
static bool create_core(dt_arena *arena, dt_simulation *sim, const dt_reduction_way *reduction)
{
    sim->reduction.way = may_reduce(sim, reduction) ? reduction : &dt_reduction_none;
    if (!sim->reduction.way->create(arena, sim)) {
        return false;
    }
    const bool smaller = sim->reduction.way->is_smaller;
    sim->event.searches_core = smaller && !dt_velocity_band_exists(sim->mechanism);
    sim->core_newton =
        dt_newton_create_up_to(arena, sim->core, sim->settings.linear_solver, DT_NEWTON_STEP);
    if (!sim->core_newton) {
        return false;
    }
    sim->newton = smaller ? create_newton(arena, sim) : sim->core_newton;
    dt_sources_choose(sim);
    return sim->newton != NULL;
}

static bool create_search(dt_arena *arena, dt_simulation *sim)
{
    sim->search = dt_search_create(arena, &sim->system, dt_sliding_is_possible(&sim->system));
    return sim->search != NULL;
}

/* What is kept where a search is tried with something that may not hold. */
static bool create_trial(dt_arena *arena, dt_simulation *sim)
{
    sim->setting_out = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *sim->setting_out);
    const dt_closure *closure = sim->system.closure;
    const size_t ties = closure && closure->still ? (size_t)closure->still->tie_count : 0;
    sim->waits = dt_arena_alloc(arena, ties, sizeof *sim->waits);
    sim->later = dt_arena_alloc(arena, closure ? (size_t)sim->nv : 0, sizeof *sim->later);
    sim->rested_q = dt_arena_alloc(arena, closure ? (size_t)sim->nq : 0, sizeof *sim->rested_q);
    sim->rested = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *sim->rested);
    sim->ahead = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *sim->ahead);
    sim->beginning =
        dt_arena_alloc(arena, (size_t)sim->system.tree->node_count, sizeof *sim->beginning);
    return sim->waits && sim->later && sim->rested_q && sim->setting_out && sim->rested &&
           sim->ahead && sim->beginning &&
           ((!sim->band.exists && sim->sliding.most == 0 && !sim->system.closure) ||
            dt_trial_create(arena, sim, &sim->before_trial));
}

/* The matrix of the dense solver has its bounds. */
static detent_status check_order(const dt_simulation *sim, detent_error *error)
{
    const int order =
        sim->nq + sim->nv + sim->ns + dt_tie_rows(sim->mechanism) + sim->mechanism->state_count;
    if (sim->settings.linear_solver == DETENT_LINEAR_SOLVER_TREE || order <= DT_DENSE_LARGEST) {
        return DETENT_OK;
    }
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "the dense solver takes up to %d unknowns, and this mechanism has %d: "
                   "use 'linear_solver: tree'",
                   DT_DENSE_LARGEST, order);
}

static detent_status create(dt_arena *arena, dt_simulation *sim,
                            const detent_simulation_options *options,
                            const dt_reduction_way *reduction, detent_error *error)
{
    const dt_tree *tree = &sim->mechanism->tree;
    detent_status status = dt_system_create(arena, sim->mechanism, &sim->system, error);
    if (status != DETENT_OK) {
        return status;
    }
    sim->nq = tree->nq;
    sim->nv = tree->nv;
    sim->ns = sim->mechanism->stiction_count;
    choose_settings(sim, options);
    status = check_order(sim, error);
    status = status == DETENT_OK ? dt_fixed_check(sim, error) : status;
    status = status == DETENT_OK ? dt_time_stepping_check(sim, error) : status;
    status = status == DETENT_OK ? dt_dead_times_check(sim, error) : status;
    if (status != DETENT_OK) {
        return status;
    }
    if (sim->system.closure) {
        status = dt_closure_assemble(&sim->system, error);
        status = status == DETENT_OK ? dt_list_warnings(arena, sim, error) : status;
        if (status != DETENT_OK) {
            return status;
        }
    }
    if (!create_arrays(arena, sim)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a simulation");
    }
    memcpy(sim->input.pending, sim->system.inputs,
           (size_t)dt_given_count(sim->mechanism) * sizeof(double));
    if (!dt_scale_create(arena, &sim->system, &sim->scale) || !create_core(arena, sim, reduction) ||
        !create_search(arena, sim) || !dt_sources_create(arena, sim) ||
        !dt_fixed_create(arena, sim) || !dt_time_stepping_create(arena, sim) ||
        !dt_fold_create(arena, sim) || !dt_graze_create(arena, sim) ||
        !dt_branches_create(arena, sim) || !dt_velocity_band_create(arena, sim) ||
        !dt_jam_create(arena, sim) || !dt_impact_create(arena, sim) ||
        !dt_storm_create(arena, sim) || !dt_swing_create(arena, sim) ||
        !dt_sliding_create(arena, sim) || !create_trial(arena, sim) ||
        !dt_instants_create(arena, sim) || !dt_samples_create(arena, sim) ||
        !dt_sample_past_create(arena, sim) || !dt_dead_times_create(arena, sim) ||
        !dt_horizon_create(arena, sim) || !sim->reduction.way->create_watch(arena, sim)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a simulation");
    }
    status = dt_time_stepping_check_laws(sim, error);
    if (status != DETENT_OK) {
        return status;
    }
    if (!dt_problem_create(arena, sim)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for the integrator");
    }
    dt_dead_times_begin(sim);
    return dt_event_initial(sim, error);
}

detent_status dt_simulation_create(dt_arena *arena, const detent_mechanism *mechanism,
                                   const detent_simulation_options *options,
                                   const dt_reduction_way *reduction, dt_simulation **simulation,
                                   detent_error *error)
{
    dt_simulation *sim = dt_arena_alloc(arena, 1, sizeof *sim);
    *simulation = NULL;
    if (!sim) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a simulation");
    }
    sim->mechanism = mechanism;
    sim->shown.time = NAN;
    sim->step.next = INFINITY;
    if (options) {
        sim->client.trace = options->trace;
        sim->client.trace_user = options->trace_user;
        sim->client.interrupt = options->interrupt;
        sim->client.interrupt_user = options->interrupt_user;
    }
    detent_status status = create(arena, sim, options, reduction, error);
    if (sim->system.failed) {
        status = dt_tell_failed_call(&sim->system, status, error);
    }
    if (status != DETENT_OK) {
        dt_simulation_destroy(sim);
        return status;
    }
    *simulation = sim;
    return DETENT_OK;
}

void dt_simulation_destroy(dt_simulation *sim)
{
    if (sim) {
        dt_solver_destroy(sim->solver);
    }
}

/* Between two steps: the solution is known up to `reached`, and readers see it there. */
static detent_status interrupted(dt_simulation *sim, detent_error *error)
{
    sim->fresh = sim->fresh && sim->reached == sim->now;
    sim->now = sim->reached;
    return dt_fail(error, DETENT_INTERRUPTED, NULL, "interrupted at t = %.9g s", sim->now);
}

/* ---- advance ---- */

static void swap_past(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_past *past = &sim->past;
#define SWAP(type, a, b) \
    do {                 \
        type kept = (a); \
        (a) = (b);       \
        (b) = kept;      \
    } while (0)
    for (int k = 0; k < sim->ns; k++) {
        SWAP(signed char, s->mode[k], past->mode[k]);
        SWAP(signed char, s->direction[k], past->direction[k]);
        SWAP(unsigned char, s->yielded[k], past->yielded[k]);
    }
    for (int k = 0; k < s->branch_count; k++) {
        SWAP(dt_branch, s->branches[k], past->branches[k]);
    }
    for (int k = 0; k < 3 * s->turned_count; k++) {
        SWAP(double, s->turned[k / 3][k % 3], past->turned[k / 3][k % 3]);
    }
    for (int k = 0; k < dt_given_count(sim->mechanism); k++) {
        SWAP(double, s->inputs[k], past->inputs[k]);
    }
#undef SWAP
}

static void show_present(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    if (!sim->shown.past) {
        return;
    }
    swap_past(sim);
    if (s->closure) { /* what depends on what, and who shares, go with modes */
        dt_blocks_keep(sim, sim->past.present, true);
        memcpy(s->a, sim->past.present_a, (size_t)sim->nv * sizeof *s->a);
        dt_closure_return_to_mark(s, &sim->past.present_choice);
        dt_system_set_state(s, sim->now, s->q, s->v);
        dt_system_set_acceleration(s, s->a, s->f);
        dt_system_forces(s);
        dt_split_update(s);
        dt_closure_return_to_mark(s, &sim->past.present_choice); /* what is known of it */
    }
    sim->shown.past = false;
}

static void show_past(dt_simulation *sim)
{
    if (!sim->shown.past) {
        if (sim->system.closure) {
            dt_blocks_keep(sim, sim->past.present, false);
            memcpy(sim->past.present_a, sim->system.a, (size_t)sim->nv * sizeof(double));
            dt_closure_keep_mark(&sim->system, &sim->past.present_choice);
        }
        swap_past(sim);
        sim->shown.past = true;
    }
}

static detent_status advance(dt_simulation *sim, double t, bool stop_at_events, detent_error *error)
{
    detent_status status = DETENT_OK;
    sim->past.valid = false;
    sim->event.change_count = sim->event.state_change_count = 0;
    sim->client.request = DETENT_GO_ON;
    sim->target = t;
    if (sim->time_stepping.exists) {
        return dt_time_stepping_advance(sim, t, stop_at_events, error);
    }
    const bool changed = sim->input.refused || dt_inputs_differ(sim);
    if (changed && sim->pending &&
        dt_sources_before(sim, sim->reached) + sim->step.beyond <= sim->now) {
        status = dt_event_handle(sim, error); /* it was refused: an input does not undo that */
        if (status != DETENT_OK || stop_at_events) {
            return status == DETENT_OK ? DETENT_EVENT : status;
        }
    }
    if (changed) {
        status = dt_event_input(sim, error);
        if (status != DETENT_OK || stop_at_events) {
            return status == DETENT_OK ? DETENT_EVENT : status;
        }
    }
    for (;;) {
        if (dt_event_is_before(sim, t)) {
            status = dt_event_handle(sim, error);
            if (status != DETENT_OK || (stop_at_events && !sim->samples.is_silent)) {
                return status == DETENT_OK ? DETENT_EVENT : status;
            }
            continue;
        }
        if (sim->reached >= t || sim->step.beyond > 0) { /* others take over after t */
            break;
        }
        if (dt_client_ask(sim) != DETENT_GO_ON) {
            return interrupted(sim, error);
        }
        status = dt_step_once(sim, error);
        if (status != DETENT_OK) {
            sim->now = sim->reached;
            return status;
        }
    }
    sim->fresh = sim->fresh && (t == sim->now || sim->step.beyond > 0);
    sim->now = t;
    return DETENT_OK;
}

detent_status dt_simulation_advance(dt_simulation *sim, double t, bool stop_at_events,
                                    detent_error *error)
{
    show_present(sim);
    if (!(t >= sim->now) || !isfinite(t)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "cannot advance from t = %.9g s to %.9g s", sim->now, t);
    }
    return dt_tell_failed_call(&sim->system, advance(sim, t, stop_at_events, error), error);
}

detent_status dt_simulation_step(dt_simulation *sim, detent_error *error)
{
    show_present(sim);
    if (!sim->time_stepping.exists) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "single steps are of 'integrator: fixed'; others advance to a time");
    }
    sim->past.valid = false;
    sim->client.request = DETENT_GO_ON;
    sim->target = sim->reached + sim->settings.step;
    return dt_tell_failed_call(&sim->system, dt_time_stepping_step(sim, error), error);
}

double dt_simulation_time(const dt_simulation *sim)
{
    return sim->now;
}

/* ---- read ---- */

static detent_status read(dt_simulation *sim, bool before, dt_level level, dt_system **system,
                          detent_error *error)
{
    dt_system *s = &sim->system;
    const dt_past *past = &sim->past;
    *system = s;
    if (!before) {
        show_present(sim);
        const detent_status status = dt_state_at(sim, sim->now, level, error);
        if (status == DETENT_OK && level == DT_LEVEL_FORCES && dt_split_show(s)) {
            sim->shown.time = NAN; /* nobody goes on from that */
        }
        dt_solution_account(sim, sim->account);
        s->account = sim->account;
        return status;
    }
    if (!past->valid) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "there is no event just before now");
    }
    show_past(sim);
    s->account = past->account;
    sim->shown.time = NAN;
    dt_show_past(sim, level);
    if (level == DT_LEVEL_FORCES) {
        dt_split_show(s);
    }
    return DETENT_OK;
}

detent_status dt_simulation_read(dt_simulation *sim, bool before, dt_level level,
                                 dt_system **system, detent_error *error)
{
    const bool reactions = level == DT_LEVEL_REACTIONS;
    const detent_status status = dt_tell_failed_call(
        &sim->system, read(sim, before, reactions ? DT_LEVEL_FORCES : level, system, error), error);
    if (status == DETENT_OK && reactions && dt_self_stress_show(*system)) {
        sim->shown.time = NAN;
    }
    return status;
}

detent_mode dt_simulation_mode(const dt_simulation *sim, size_t k, int *direction)
{
    const signed char *mode = sim->shown.past ? sim->past.mode : sim->system.mode;
    const signed char *directions = sim->shown.past ? sim->past.direction : sim->system.direction;
    if (direction) {
        *direction = directions[k];
    }
    return (detent_mode)mode[k];
}

const detent_state_change *dt_simulation_last_states(const dt_simulation *sim, size_t *count)
{
    *count = sim->event.state_change_count;
    return sim->event.state_changes;
}

void dt_simulation_statistics(dt_simulation *sim, detent_statistics *statistics)
{
    dt_system *s = NULL;
    *statistics = sim->statistics;
    dt_count_steps(sim, statistics);
    const dt_newton_counts newton = dt_solver_newton(sim->solver);
    statistics->residuals = sim->residuals;
    statistics->factorizations = newton.factorizations;
    statistics->solves = newton.solves;
    statistics->convergence_failures = newton.failures;
    statistics->root_evaluations = sim->roots.evaluations;
    if (dt_simulation_read(sim, false, DT_LEVEL_POSES, &s, NULL) == DETENT_OK ||
        dt_motion_at(sim, sim->now)) { /* where a run has failed there may be no accelerations */
        dt_system_energy(&sim->system, &statistics->kinetic_energy, &statistics->potential_energy);
    }
    const double *w = sim->work;
    statistics->friction_work = w[DT_WORK_FRICTION];
    statistics->damping_work = w[DT_WORK_DAMPING];
    statistics->actuation_work = w[DT_WORK_ACTUATION];
}

void dt_simulation_set_input(dt_simulation *sim, size_t input, double value)
{
    show_present(sim);
    sim->input.pending[input] = value;
}
