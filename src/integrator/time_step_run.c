/*
 * Runs by time stepping: steps end on the grid start + n h, at samples and at instants known in advance, and nowhere else. Joints that lock, or
 * move, at the end of a step make an event there; what follows needs no search, and the next step begins from the state alone.
 */
#include "integrator/core.h"
#include "integrator/failure.h"
#include "integrator/source.h"
#include "integrator/time_step.h"

void dt_time_stepping_restart(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    memcpy(x->a, sim->system.a, (size_t)sim->nv * sizeof *x->a);
    memcpy(x->f, sim->system.f, (size_t)sim->ns * sizeof *x->f);
}

/* ---- what is told ---- */

/* The state at the start of the last step, for who asks what was before its end. */
static void keep_past(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    dt_past *past = &sim->past;
    const dt_system *s = &sim->system;
    const double end = dt_solver_end(sim->solver);
    past->time = end - dt_solver_last_step(sim->solver);
    if (!dt_solver_interpolate(sim->solver, past->time, 0)) {
        return;
    }
    memcpy(past->state, sim->y, (size_t)dt_length(sim) * sizeof *past->state);
    memcpy(past->account, dt_w_of(sim, sim->y), DT_WORKS * sizeof *past->account);
    past->account[DT_IMPACT_LOSS] = sim->statistics.impact_loss;
    dt_solver_interpolate(sim->solver, end, 0);
    memcpy(past->a, x->a, (size_t)sim->nv * sizeof *past->a);
    memcpy(past->inputs, s->inputs, (size_t)dt_given_count(sim->mechanism) * sizeof *past->inputs);
    memcpy(past->mode, x->mode, (size_t)sim->ns);
    memcpy(past->direction, x->direction, (size_t)sim->ns);
    memcpy(past->yielded, s->yielded, (size_t)sim->ns);
    memcpy(past->branches, s->branches, (size_t)s->branch_count * sizeof *past->branches);
    past->solved = past->valid = true;
}

/* How far from its limit, or how fast along its direction (detent_mode_change). */
static double margin(const dt_simulation *sim, int k)
{
    const dt_time_stepping *x = &sim->time_stepping;
    const dt_staircase *stair = &x->box.stair[k];
    const int corner = dt_corner_of(stair);
    return corner >= 0 ? fmin(stair->force[corner] - x->f[k], x->f[k] - stair->force[corner + 1])
                       : sim->system.direction[k] * x->a[x->box.freedom[k]];
}

/* Notes which modes the last step has changed. */
static void record(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    const dt_time_stepping *x = &sim->time_stepping;
    if (memcmp(x->mode, s->mode, (size_t)sim->ns) == 0 &&
        memcmp(x->direction, s->direction, (size_t)sim->ns) == 0) {
        return;
    }
    size_t count = 0;
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == x->mode[k] && s->direction[k] == x->direction[k]) {
            continue;
        }
        sim->event.changes[count++] = (detent_mode_change){
            .time = sim->reached,
            .stiction = (size_t)k,
            .from = (detent_mode)x->mode[k],
            .to = (detent_mode)s->mode[k],
            .from_direction = x->direction[k],
            .to_direction = s->direction[k],
            .cause = x->side[k] != 0 ? DETENT_CAUSE_IMPACT : (detent_cause)x->cause[k],
            .margin = margin(sim, k),
        };
    }
    sim->time_stepping.untold = count;
}

/* Readers come to the end of the last step; whether modes have changed there. */
static bool tell(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    sim->now = sim->reached;
    if (x->untold == 0) {
        return false;
    }
    sim->event.change_count = x->untold;
    x->untold = 0;
    sim->statistics.events++;
    sim->statistics.mode_changes += sim->event.change_count;
    return true;
}

/* ---- what comes from outside, and at instants ---- */

/* Inputs hold from now on; within a step that starts a new one there. */
static detent_status take_inputs(dt_simulation *sim, detent_error *error)
{
    dt_system *s = &sim->system;
    const size_t own = (size_t)sim->mechanism->input_count;
    if (sim->reached > sim->now) {
        dt_time_stepping *x = &sim->time_stepping;
        memcpy(s->mode, x->mode, (size_t)sim->ns);
        memcpy(s->direction, x->direction, (size_t)sim->ns);
        x->untold = 0;
        const detent_status status = dt_state_at(sim, sim->now, DT_LEVEL_FORCES, error);
        if (status) {
            return status;
        }
        dt_count_steps(sim, &sim->statistics);
        dt_solver_restart(sim->solver, sim->now, 0, 0);
        dt_time_stepping_restart(sim);
        sim->reached = sim->now;
    }
    memcpy(s->inputs, sim->input.pending, own * sizeof *s->inputs);
    sim->input.changed = false;
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
    sim->reached = t;
    sim->shown.time = NAN;
    return DETENT_OK;
}

/* ---- steps ---- */

static detent_status fail(dt_simulation *sim, dt_failure why, detent_error *error)
{
    sim->step.failed = dt_report_failure(sim, why, &sim->step.failure);
    if (error) {
        *error = sim->step.failure;
    }
    return sim->step.failed;
}

/* A step that is known to fail is not tried again. */
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
        if (error) {
            *error = sim->step.failure;
        }
        return sim->step.failed;
    }
    if (dt_client_ask(sim) != DETENT_GO_ON) {
        sim->fresh = sim->fresh && sim->reached == sim->now;
        sim->now = sim->reached;
        return dt_fail(error, DETENT_INTERRUPTED, NULL, "interrupted at t = %.9g s", sim->now);
    }
    sim->bad.friction = -1;
    sim->step.trial.status = DETENT_OK;
    sim->shown.time = NAN;
    if (dt_solver_step(sim->solver, &bounds, &sim->reached, &why, &tried) == DT_STEP_FAILED) {
        sim->now = sim->reached;
        return fail(sim, why, error);
    }
    sim->fresh = false;
    sim->system.time = sim->reached;
    memcpy(sim->work, dt_w_of(sim, sim->y), sizeof sim->work);
    record(sim);
    return dt_sources_reached(sim) ? take_instant(sim, error) : DETENT_OK;
}

detent_status dt_time_stepping_advance(dt_simulation *sim, double t, bool stop_at_events,
                                       detent_error *error)
{
    detent_status status = sim->input.changed ? take_inputs(sim, error) : DETENT_OK;
    while (!status) {
        if (sim->time_stepping.untold > 0 && sim->reached <= t) {
            const bool told = tell(sim);
            if (told && stop_at_events) {
                keep_past(sim);
                return DETENT_EVENT;
            }
        }
        if (sim->reached >= t) {
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
    detent_status status = sim->input.changed ? take_inputs(sim, error) : DETENT_OK;
    sim->event.change_count = 0;
    if (!status && sim->reached == sim->now) {
        status = step(sim, error);
    }
    if (!status) {
        tell(sim);
    }
    return status;
}
