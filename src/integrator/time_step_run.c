/*
 * Runs by time stepping: steps end on the grid start + n h, at samples and at instants known in advance, and nowhere else. Joints that lock, or
 * move, at the end of a step make an event there; what follows needs no search, and the next step begins from the state alone.
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/failure.h"
#include "integrator/source.h"
#include "integrator/steps.h"
#include "integrator/time_step.h"

/* ---- what is told ---- */

static void keep_past(dt_simulation *sim, const signed char *mode, const signed char *direction)
{
    dt_past *past = &sim->past;
    const dt_system *s = &sim->system;
    past->time = sim->now;
    memcpy(past->state, sim->y, (size_t)dt_length(sim) * sizeof *past->state);
    memcpy(past->inputs, s->inputs, (size_t)dt_given_count(sim->mechanism) * sizeof *past->inputs);
    memcpy(past->mode, mode, (size_t)sim->ns);
    memcpy(past->direction, direction, (size_t)sim->ns);
    memcpy(past->yielded, s->yielded, (size_t)sim->ns);
    memcpy(past->branches, s->branches, (size_t)s->branch_count * sizeof *past->branches);
    dt_solution_account(sim, past->account);
    past->solved = past->valid = true;
}

/* What was just before the start of the last step: where everybody was, with the accelerations and friction of the step before. */
static void keep_past_of_start(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    const double end = dt_solver_end(sim->solver);
    if (dt_solver_interpolate(sim->solver, x->start, 0)) {
        keep_past(sim, x->mode_before, x->direction_before);
        memcpy(dt_v_in(sim, sim->past.state), x->v_before, (size_t)sim->nv * sizeof(double));
        memcpy(sim->past.a, x->a_before, (size_t)sim->nv * sizeof(double));
        for (int k = 0; k < sim->ns;
             k++) { /* who has come to rest in that step did so at its end */
            sim->past.a[x->box.freedom[k]] *= x->mode_before[k] != DETENT_LOCKED;
            /* who has turned round in a step that an input cut short did so before it, by friction that passes through zero */
            double *f = &dt_f_in(sim, sim->past.state)[k];
            *f = *f * x->direction_before[k] > 0 ? 0 : *f;
        }
        dt_solver_interpolate(sim->solver, end, 0);
    }
}

/* What was just before its end: everybody where he is then, with the modes and accelerations of the step, which who is locked in it has none of; who stops, or
 * turns round, is at rest.
 */
static void keep_past_of_end(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    const dt_system *s = &sim->system;
    dt_solver_interpolate(sim->solver, dt_solver_end(sim->solver), 0); /* a reader was elsewhere */
    keep_past(sim, s->mode, s->direction);
    memcpy(sim->past.a, x->a, (size_t)sim->nv * sizeof(double));
    for (int k = 0; k < sim->ns; k++) {
        const dt_staircase *stair = &x->box.stair[k];
        const int stick = x->stick[k];
        if (s->mode[k] == DETENT_LOCKED) {
            sim->past.a[x->box.freedom[k]] = 0;
        }
        if (s->direction[k] == 0) {
            continue;
        }
        const double rubs =
            stick >= 0 && stick < stair->corners ? stair->force[stick + (s->direction[k] > 0)] : 0;
        dt_f_in(sim, sim->past.state)[k] = isfinite(rubs) ? rubs : x->f[k]; /* a stop is there */
        if (x->direction_after[k] != s->direction[k]) {
            dt_v_in(sim, sim->past.state)[x->box.freedom[k]] = 0;
        }
    }
}

/* How far from its limit, or how fast along its direction (detent_mode_change). */
static double margin(const dt_simulation *sim, int k, detent_mode mode, int direction)
{
    const dt_time_stepping *x = &sim->time_stepping;
    const dt_staircase *stair = &x->box.stair[k];
    const int corner = dt_corner_of(stair);
    return mode != DETENT_LOCKED ? direction * x->a[x->box.freedom[k]]
           : corner >= 0 ? fmin(stair->hold[corner][1] - x->f[k], x->f[k] - stair->hold[corner][0])
                         : 0;
}

/* Notes a change of joint k, if it is one; mode and direction. */
static void record(dt_simulation *sim, int k, const signed char from[2], const signed char to[2],
                   detent_cause cause)
{
    if (from[0] == to[0] && from[1] == to[1]) {
        return;
    }
    sim->event.changes[sim->event.change_count++] =
        (dt_mode_change){.stiction = k,
                         .from = from[0],
                         .to = to[0],
                         .from_direction = from[1],
                         .to_direction = to[1],
                         .cause = (unsigned char)cause,
                         .margin = margin(sim, k, (detent_mode)to[0], to[1])};
}

/* Those from `before` on are at the time that is now, of the start or the end of a step. */
static bool count_changes(dt_simulation *sim, size_t before, bool at_start)
{
    const size_t count = sim->event.change_count - before;
    if (count > 0) {
        sim->event.early = at_start ? sim->event.change_count : before;
        *(at_start ? &sim->event.change_time : &sim->event.late_time) = sim->now;
    }
    sim->statistics.events += count > 0;
    sim->statistics.mode_changes += count;
    return count > 0;
}

/* Readers come to the changes at the start of the last step: who leaves its limit, and what impacts do. */
static bool tell_start(dt_simulation *sim, bool keeps_past)
{
    dt_time_stepping *x = &sim->time_stepping;
    const dt_system *s = &sim->system;
    const size_t before = sim->event.change_count;
    sim->now = fmax(sim->now, x->start);
    x->starts = false;
    if (keeps_past) {
        keep_past_of_start(sim);
    }
    for (int k = 0; k < sim->ns; k++) {
        const signed char from[] = {x->mode_before[k], x->direction_before[k]},
                          to[] = {s->mode[k], s->direction[k]};
        record(sim, k, from, to, x->strikes ? DETENT_CAUSE_IMPACT : DETENT_CAUSE_LIMIT);
    }
    return count_changes(sim, before, true);
}

/* The same at its end: who stops, turns round, or passes its threshold. */
static bool tell_end(dt_simulation *sim, bool keeps_past)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_system *s = &sim->system;
    const size_t size = (size_t)sim->ns, before = sim->event.change_count;
    sim->now = sim->reached;
    x->ends = false;
    if (memcmp(s->mode, x->mode_after, size) == 0 &&
        memcmp(s->direction, x->direction_after, size) == 0) {
        return false;
    }
    if (keeps_past) {
        keep_past_of_end(sim);
    }
    for (int k = 0; k < sim->ns; k++) {
        const signed char from[] = {s->mode[k], s->direction[k]},
                          to[] = {x->mode_after[k], x->direction_after[k]};
        record(sim, k, from, to,
               x->jams[k]         ? DETENT_CAUSE_JAM
               : from[1] == to[1] ? DETENT_CAUSE_THRESHOLD
                                  : DETENT_CAUSE_STOP);
    }
    memcpy(s->mode, x->mode_after, size);
    memcpy(s->direction, x->direction_after, size);
    return count_changes(sim, before, false);
}

/* ---- what comes from outside, and at instants ---- */

/* A step begins where readers were told that all is: between two ends loops are closed by the reading alone. */
static void start_closed(dt_simulation *sim)
{
    if (sim->core->closure) {
        dt_block_rows[DT_BLOCK_POSITIONS]->state(sim, sim->y);
        dt_block_rows[DT_BLOCK_VELOCITIES]->state(sim, sim->y);
    }
}

/* Inputs hold from now on; within a step that starts a new one there. */
static detent_status take_inputs(dt_simulation *sim, detent_error *error)
{
    dt_system *s = &sim->system;
    const size_t own = (size_t)sim->mechanism->input_count;
    if (sim->reached > sim->now) {
        const detent_status status = dt_state_at(sim, sim->now, DT_LEVEL_FORCES, error);
        if (status) {
            return status;
        }
        start_closed(sim);
        dt_count_steps(sim, &sim->statistics);
        dt_solver_restart(sim->solver, sim->now, 0, 0);
        dt_time_stepping_restart(sim);
        dt_dead_times_restart(sim, sim->now);
        sim->reached = sim->now;
        sim->time_stepping.ends = false;
    }
    memcpy(s->inputs, sim->input.pending, own * sizeof *s->inputs);
    sim->shown.time = NAN;
    if (sim->instants.count > 0) {
        dt_sources_renew(sim, sim->now, false);
    }
    return DETENT_OK;
}

/* Sampled values and switches of laws of time whose instant has been reached. */
static detent_status take_instant(dt_simulation *sim, detent_error *error)
{
    dt_system *s = &sim->system;
    const double t = sim->roots.next;
    bool acts = false;
    detent_status status = DETENT_OK;
    dt_sources_clear(sim);
    if (dt_samples_are_due(sim, t)) {
        const dt_level level = dt_samples_read_forces(sim) ? DT_LEVEL_FORCES : DT_LEVEL_MOTION;
        status = dt_state_at(sim, sim->reached, level, error);
        s->time = t;
        status = status ? status : dt_samples_take(sim, t, &acts, error);
    }
    if (status) {
        return status;
    }
    s->time = t;
    dt_sources_due(sim, t);
    dt_sources_pass(sim);
    dt_dead_times_restart(sim, t);
    sim->reached = t;
    sim->shown.time = NAN;
    return DETENT_OK;
}

/* ---- steps ---- */

/* A step that is known to fail is not tried again. */
static detent_status repeat_failure(const dt_simulation *sim, detent_error *error)
{
    if (error) {
        *error = sim->step.failure;
    }
    return sim->step.failed;
}

/* A step fails with `status`, of sim->step.failure, unless a function is to blame. */
static detent_status fail(dt_simulation *sim, detent_status status, detent_error *error)
{
    sim->step.failed = dt_tell_failed_step(sim, status, &sim->step.failure);
    return repeat_failure(sim, error);
}

/* Who has moved in the step rests since its end, if he rests there (rests.c). */
static void count_rests(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns && sim->mechanism->rest_count > 0; k++) {
        const int place = sim->mechanism->stictions[k].rest;
        if (place >= 0 && s->mode[k] != DETENT_LOCKED) {
            s->inputs[place] = sim->input.pending[place] = sim->reached;
        }
    }
}

/* A step that ended just before an instant: the next one begins at it. */
static void meet_instant(dt_simulation *sim)
{
    const double end = dt_solver_end(sim->solver);
    if (end != sim->reached && dt_solver_interpolate(sim->solver, end, 0)) {
        dt_count_steps(sim, &sim->statistics);
        dt_solver_restart(sim->solver, sim->reached, 0, 0);
    }
}

/* The step is kept for those who read it later, with the modes that there are. */
static detent_status keep_past_values(dt_simulation *sim, detent_error *error)
{
    const detent_status status = dt_dead_times_keep(sim, error);
    if (!status && dt_dead_times_want_restart(sim)) { /* what is read has a break here */
        dt_dead_times_restart(sim, sim->reached);
    }
    sim->system.time = sim->reached;
    return status;
}

static detent_status step(dt_simulation *sim, detent_error *error)
{
    const dt_step_bounds bounds = {.from = sim->reached,
                                   .stop = dt_sources_next(sim),
                                   .longest = sim->settings.step,
                                   .span = sim->settings.step,
                                   .hole = NAN};
    dt_failure why = DT_FAILURE_INTERNAL;
    double tried;
    if (sim->step.failed) {
        return repeat_failure(sim, error);
    }
    if (dt_client_ask(sim) != DETENT_GO_ON) {
        sim->fresh = sim->fresh && sim->reached == sim->now;
        sim->now = sim->reached;
        return dt_fail(error, DETENT_INTERRUPTED, NULL, "interrupted at t = %.9g s", sim->now);
    }
    sim->bad.friction = -1;
    sim->step.trial.status = DETENT_OK;
    sim->shown.time = NAN;
    meet_instant(sim);
    if (dt_solver_step(sim->solver, &bounds, &sim->reached, &why, &tried) == DT_STEP_FAILED) {
        sim->now = sim->reached;
        return fail(sim, dt_report_failure(sim, why, &sim->step.failure), error);
    }
    sim->fresh = false;
    if (sim->bad.friction >= 0) {
        const int primitive = sim->mechanism->stictions[sim->bad.friction].primitive;
        sim->now = bounds.from;
        return fail(
            sim,
            dt_fail(
                &sim->step.failure, DETENT_ERROR_NUMERIC, NULL,
                "at t = %.9g s the kinetic friction of '%s' is negative: it would drive the joint",
                sim->now, sim->mechanism->primitives[primitive].name),
            error);
    }
    dt_forget_failed_tries(sim);
    sim->system.time = sim->reached;
    count_rests(sim);
    memcpy(sim->work, dt_w_of(sim, sim->y), sizeof sim->work);
    const detent_status kept = keep_past_values(sim, &sim->step.failure);
    return kept ? fail(sim, kept, error) : DETENT_OK;
}

/* What is due at the end of the last step. Not before: who reads within that step reads what was there, and an input may come before its end. */
static detent_status meet_end(dt_simulation *sim, detent_error *error)
{
    if (sim->step.failed || !dt_sources_reached(sim)) {
        return DETENT_OK;
    }
    const detent_status taken = take_instant(sim, &sim->step.failure);
    return taken ? fail(sim, taken, error) : DETENT_OK;
}

/* One event, whose changes take the place of those of the one before; whether the run is to stop there. */
static bool tell_event(dt_simulation *sim, bool (*tell)(dt_simulation *sim, bool keeps_past),
                       bool stops)
{
    const size_t kept = sim->event.change_count;
    sim->event.change_count = 0;
    const bool any = tell(sim, stops);
    sim->event.change_count = any ? sim->event.change_count : kept;
    return any && stops;
}

detent_status dt_time_stepping_advance(dt_simulation *sim, double t, bool stop_at_events,
                                       detent_error *error)
{
    detent_status status = dt_inputs_differ(sim) ? take_inputs(sim, error) : DETENT_OK;
    dt_time_stepping *x = &sim->time_stepping;
    while (!status) {
        if (x->starts && tell_event(sim, tell_start, stop_at_events)) {
            return DETENT_EVENT;
        }
        status = sim->reached <= t ? meet_end(sim, error) : DETENT_OK;
        if (!status && x->ends && sim->reached <= t && tell_event(sim, tell_end, stop_at_events)) {
            return DETENT_EVENT;
        }
        if (status || sim->reached >= t) {
            break;
        }
        status = step(sim, error);
    }
    if (!status) {
        sim->fresh = sim->fresh && t == sim->now;
        sim->now = t;
    }
    return status;
}

detent_status dt_time_stepping_step(dt_simulation *sim, detent_error *error)
{
    detent_status status = dt_inputs_differ(sim) ? take_inputs(sim, error) : DETENT_OK;
    dt_time_stepping *x = &sim->time_stepping;
    sim->event.change_count = 0;
    if (!status && !x->starts && !x->ends) {
        status = step(sim, error);
    }
    if (!status && x->starts) {
        tell_start(sim, false);
    }
    status = status ? status : meet_end(sim, error);
    if (!status && x->ends) {
        tell_end(sim, false);
    }
    return status;
}
