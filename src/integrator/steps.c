/*
 * Steps that get on.
 *
 * A step may fail for what lies at its trial points alone: beyond the border of a branch, which holds
 * to the end of the step, a law may overflow or leave its domain; an interpolant may reach where the
 * solution does not. Such a step is rejected: the integrator is restarted where it began, at its lowest
 * order, with a quarter of what was tried; where the choice is left to us, by the other stepper. Only
 * where the steps have become as short as the time can be told is that the end of the run.
 */
#include "integrator/steps.h"
#include "dynamics/failed_call.h"
#include "integrator/choice.h"
#include "integrator/core.h"
#include "integrator/ending.h"
#include "integrator/failure.h"
#include "integrator/fold.h"
#include "integrator/graze.h"
#include "integrator/horizon.h"
#include "integrator/leap.h"
#include "integrator/restart.h"
#include "integrator/solution.h"
#include "integrator/source.h"
#include "integrator/swing.h"
#include "integrator/turning.h"

#include <math.h>

static const double shorter = 0.25;    /* of the step that failed */
static const int most_rejections = 80; /* in a row: 4^-80 of any step is nothing */
static const double early = 0.125; /* of the first step: a root that is found before is doubted */
static const int patience = 100;

void dt_forget_failed_tries(dt_simulation *sim)
{
    sim->bad.law = NULL;
    if (!dt_calls_are_over(&sim->system)) {
        dt_forget_failed_call(&sim->system);
    }
}

/* Whether the run has moved on since `before`; what failed meanwhile is forgotten. */
static bool gets_on(dt_simulation *sim, double before)
{
    const double passed = sim->reached - before;
    if (sim->pending || (passed > dt_shortest_step(sim) && !dt_comes_to_end(sim, passed))) {
        sim->step.stalled = 0;
        dt_forget_failed_tries(sim);
        return true;
    }
    return ++sim->step.stalled < patience;
}

/* Restarts where the last good step ended; nobody reads before that. */
static detent_status restart_here(dt_simulation *sim, detent_error *error)
{
    const int sign = sim->fold.sign;
    detent_status status = dt_state_at(sim, sim->reached, DT_LEVEL_STATE, error);
    status = status == DETENT_OK ? dt_restart(sim, error) : status;
    if (status != DETENT_OK || !dt_fold_has_turned(sim, sign)) {
        return status;
    }
    sim->fold.is_met = true;
    return DETENT_ERROR_SOLVER;
}

static bool can_be_shorter(dt_simulation *sim, dt_failure why)
{
    return !sim->fixed.exists && !dt_calls_are_over(&sim->system) && why != DT_FAILURE_MEMORY &&
           why != DT_FAILURE_INTERNAL && sim->step.rejections < most_rejections &&
           sim->step.next > dt_shortest_step(sim) && !dt_comes_to_end(sim, sim->step.next);
}

/* Whether modes come to an end where the step fails, and others follow: that is an event. */
static bool others_take_over(dt_simulation *sim, dt_failure why)
{
    const bool lost = why == DT_FAILURE_MEMORY || why == DT_FAILURE_INTERNAL ||
                      dt_calls_are_over(&sim->system) ||
                      (sim->fixed.exists && isnan(sim->fixed.ending_time));
    return !lost && dt_ending_makes_event(sim);
}

/* Where steps cannot be shorter. */
static detent_status give_up(dt_simulation *sim, dt_failure why, detent_error *error)
{
    return others_take_over(sim, why) ? DETENT_OK : dt_report_failure(sim, why, error);
}

/* What loops follow from was chosen anew within the step, perhaps where they were far from closed: more of their rows seemed to say something there. */
static void forget_choice(dt_simulation *sim)
{
    dt_closure *closure = sim->core->closure;
    if (closure && closure->choice != sim->step.choice) {
        closure->chosen = false;
    }
}

/* The step that failed is to be made again from its start, shorter. */
static detent_status reject(dt_simulation *sim, dt_failure why, double tried, detent_error *error)
{
    detent_error ignored;
    sim->step.next = shorter * (sim->step.rejections > 0 ? fmin(tried, sim->step.next) : tried);
    if (!can_be_shorter(sim, why)) {
        return give_up(sim, why, error);
    }
    sim->step.rejections++;
    sim->statistics.convergence_failures++;
    dt_choice_reject(sim);
    dt_leap_failed(sim);
    forget_choice(sim);
    return restart_here(sim, &ignored) == DETENT_OK ? DETENT_OK : give_up(sim, why, error);
}

/*
 * IDA's first step after a restart is of order one, and its interpolant a straight line. A contact that opens,
 * and closes again before the end of that step, seems to close at once: an event that changes nothing, over and
 * over. So a switch that fires early in the first step is looked for again in a shorter one, where a line is good
 * enough.
 */
static bool is_doubtful(dt_simulation *sim, bool first, double before)
{
    const double h = dt_solver_last_step(sim->solver), passed = sim->reached - before;
    if (!first || dt_solver_kind(sim->solver) != DT_STEPPER_IDA || !(passed < early * h)) {
        return false;
    }
    sim->step.next = fmax(4 * passed, h / 16);
    return sim->step.next > dt_shortest_step(sim) && sim->step.rejections < most_rejections &&
           dt_sources_are_doubtful(sim);
}

/* The same step again, with the bound `next_step`. */
static detent_status take_again(dt_simulation *sim, double before, detent_error *error)
{
    sim->reached = before;
    sim->step.rejections++;
    return restart_here(sim, error);
}

/* Where the next step ends at the latest; what is left of a step that halted has its bound, but the next instant may be another one. */
static void bound_step(dt_simulation *sim)
{
    const double instant = dt_sources_next(sim);
    if (dt_solver_end(sim->solver) <= sim->reached) {
        const double shown = dt_horizon_bound(sim);
        sim->step.stop = fmin(fmin(instant, shown), sim->reached + dt_leap_bound(sim));
        sim->step.by_horizon = sim->step.stop == shown && shown < instant;
    }
}

/* Bound of the next step, s: where nothing moves it would grow until it overflows. */
static double longest_step(const dt_simulation *sim)
{
    const double swing = sim->swing.count > 0 ? sim->swing.bound : INFINITY,
                 longest = fmin(fmin(dt_horizon(sim), dt_dead_times_longest(sim)),
                                fmin(sim->step.turning, swing)),
                 most = sim->settings.max_step;
    return most > 0 ? fmin(most, longest) : longest;
}

/* One step from `reached`, which moves on where it is made. */
static dt_step make_step(dt_simulation *sim, dt_failure *why, double *tried)
{
    const dt_step_bounds bounds = {.from = sim->reached,
                                   .stop = sim->step.stop,
                                   .pause = nextafter(sim->roots.next, -INFINITY),
                                   .longest = longest_step(sim),
                                   .span = dt_horizon(sim),
                                   .hole = dt_leap_hole(sim),
                                   .kink = dt_fold_crosses(sim),
                                   .slack = dt_leap_slack(sim)};
    sim->fold.is_met = false;
    sim->fixed.ending_time = NAN;
    const dt_step result = dt_solver_step(sim->solver, &bounds, &sim->reached, why, tried);
    if (result == DT_STEP_FAILED || sim->fixed.exists ||
        (!dt_fold_is_jumped(sim) && !dt_turning_is_too_far(sim, sim->reached - bounds.from) &&
         !dt_leap_has_passed(sim, bounds.from) && (sim->leap.span == 0 || dt_leap_is_true(sim)))) {
        return result;
    }
    sim->fold.is_met = dt_fold_is_jumped(sim);
    *why = DT_FAILURE_NEWTON;
    *tried = dt_solver_end(sim->solver) - bounds.from;
    sim->reached = bounds.from;
    sim->fresh = false; /* y, yp are the end of the step */
    dt_fold_go_back(sim);
    return DT_STEP_FAILED;
}

/* One step of the integrator, which has not failed since it was restarted. */
static detent_status try_step(dt_simulation *sim, detent_error *error)
{
    const double before = sim->reached;
    const bool first = sim->fresh;
    dt_failure why = DT_FAILURE_INTERNAL;
    double tried = 0;
    dt_step result;
    sim->bad.friction = -1;
    sim->step.looked = false;
    sim->step.trial.status = DETENT_OK; /* steps that stall may be due to something else */
    sim->shown.time = NAN;
    bound_step(sim);
    for (;;) {
        detent_status status = DETENT_OK;
        result = make_step(sim, &why, &tried);
        /* where roots fail the step has been made, and y, yp are its end */
        sim->fresh = sim->fresh && result == DT_STEP_FAILED && dt_solver_end(sim->solver) <= before;
        if (result == DT_STEP_FAILED) {
            const bool leapt = dt_solver_kind(sim->solver) == DT_STEPPER_LEAP;
            status = reject(sim, why, tried, error);
            if (status == DETENT_OK && leapt && sim->step.beyond == 0) {
                bound_step(sim); /* a leap may pass over samples; another stepper takes its place */
            }
        } else if (result == DT_STEP_ROOT && is_doubtful(sim, first, before)) {
            status = take_again(sim, before, error);
        } else if (result == DT_STEP_ROOT && sim->fixed.exists && dt_sources_are_noise(sim)) {
            result = DT_STEP_DONE;
            break;
        } else if (result == DT_STEP_ROOT && dt_sources_are_noise(sim)) {
            status = DETENT_OK; /* and on, to the end of the same step */
        } else {
            break;
        }
        sim->shown.time = NAN;
        if (status != DETENT_OK || sim->step.beyond > 0) {
            return status;
        }
    }
    dt_turning_note(sim);
    sim->step.rejections = 0;
    sim->step.next = INFINITY;
    sim->fresh = false;
    sim->pending = result == DT_STEP_ROOT;
    dt_leap_note(sim);
    dt_swing_note(sim);
    dt_fold_go_on(sim);
    if (!gets_on(sim, before) || dt_leap_is_lost(sim)) {
        return give_up(sim, DT_FAILURE_STALL, error);
    }
    dt_choice_note(sim, sim->reached - before);
    sim->statistics.helped += sim->choice.helps && sim->leap.span == 0;
    if (!sim->fixed.exists) {
        dt_graze_check(sim);
    }
    if (!sim->pending && dt_sources_reached(sim)) {
        dt_sources_clear(sim);
        dt_graze_make_event(sim, sim->roots.next);
    }
    const detent_status kept = dt_dead_times_keep(sim, error);
    if (kept != DETENT_OK) {
        return kept;
    }
    if (sim->bad.friction >= 0 && !sim->pending) { /* else it is beyond an event: not reached */
        const int primitive = sim->mechanism->stictions[sim->bad.friction].primitive;
        return dt_fail(
            error, DETENT_ERROR_NUMERIC, NULL,
            "at t = %.9g s the kinetic friction of '%s' is negative: it would drive the joint",
            sim->reached, sim->mechanism->primitives[primitive].name);
    }
    return DETENT_OK;
}

/* Restarts where the last step ended, with the other stepper. */
static detent_status change_stepper(dt_simulation *sim, detent_error *error)
{
    sim->step.last = dt_solver_last_step(sim->solver);
    return restart_here(sim, error);
}

detent_status dt_tell_failed_step(dt_simulation *sim, detent_status status, detent_error *error)
{
    if (sim->bad.law && !dt_calls_are_over(&sim->system)) {
        *sim->system.failed = sim->bad.failed;
    }
    return dt_tell_failed_call(&sim->system, status, error);
}

/*
 * A step that is known to fail is not tried again: a second attempt would overwrite what readings at the
 * last good time are interpolated from.
 */
detent_status dt_step_once(dt_simulation *sim, detent_error *error)
{
    if (sim->step.failed == DETENT_OK &&
        (dt_leap_wants_restart(sim) || dt_choice_wants_restart(sim) ||
         dt_dead_times_want_restart(sim))) {
        if (change_stepper(sim, &sim->step.failure) != DETENT_OK) {
            sim->step.failed = give_up(sim, DT_FAILURE_FORCE, &sim->step.failure);
        }
    }
    if (sim->step.failed == DETENT_OK && !sim->pending) {
        sim->step.failed = try_step(sim, &sim->step.failure);
    }
    if (sim->system.failed->call.callback || sim->step.failed != DETENT_OK) {
        sim->step.failed = dt_tell_failed_step(sim, sim->step.failed, &sim->step.failure);
    }
    if (sim->step.failed != DETENT_OK && error) {
        *error = sim->step.failure;
    }
    return sim->step.failed;
}
