/*
 * Events: from fired roots to a verified, restarted state.
 *
 * 1. Who has fired, and what follows, is asked of the sources (source.h). A threshold passed needs no
 *    search and no restart: the equations stay.
 * 2. Velocities that are zero up to the root tolerance become zero (stop.c); an impulse stops band joints.
 * 3. One search for all (event_search.c).
 * 4. Restart.
 *
 * Invariant: a joint, and a switch, joins an event at most once, so every event ends.
 */
#include "integrator/event.h"

#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/ending.h"
#include "integrator/event_search.h"
#include "integrator/failure.h"
#include "integrator/impact.h"
#include "integrator/impact_check.h"
#include "integrator/jam.h"
#include "integrator/restart.h"
#include "integrator/rests.h"
#include "integrator/roots.h"
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/state_stops.h"
#include "integrator/stop.h"
#include "integrator/storm.h"
#include "integrator/taken_along.h"
#include "integrator/weights.h"

#include <math.h>

/* Of the nominal position or velocity: by how much a prescribed motion may jump unseen. */
static const double jump = 1e-7;

/* ---- who has been released ---- */

/* Joints released by decree at this very instant, and still at rest, stay released. */
static void keep_decrees(dt_simulation *sim)
{
    const double t = sim->system.time, moment = dt_moment(sim);
    const bool recent = t - sim->event.decree_time <= moment;
    for (int k = 0; k < sim->ns; k++) {
        if (sim->event.decree[k]) {
            sim->event.decree_time = t;
            sim->event.decree_kept[k] = sim->event.decree[k];
        } else if (sim->event.decree_kept[k] && recent && sim->system.mode[k] == DETENT_WAIT &&
                   *dt_velocity_of(sim, k) == 0) {
            sim->event.decree[k] = sim->event.decree_kept[k];
        } else {
            sim->event.decree_kept[k] = 0;
        }
    }
}

/*
 * Which joints have been released at this very instant, and are still at rest: `now`, those of the event itself. A law that slides may
 * have released them with one branch and gone back to the other, with which static friction would hold them: it does not any more.
 */
static void keep_released(dt_simulation *sim, bool now)
{
    const dt_system *s = &sim->system;
    const bool recent =
        sim->event.any_released && s->time - sim->event.released_time <= dt_moment(sim);
    sim->event.any_released = false;
    for (int k = 0; k < sim->ns; k++) {
        const bool rests = s->mode[k] == DETENT_WAIT && *dt_velocity_of(sim, k) == 0,
                   new = rests &&now && sim->past.mode[k] == DETENT_LOCKED;
        sim->event.released[k] = new || (rests && recent && sim->event.released[k]);
        sim->event.any_released = sim->event.any_released || sim->event.released[k];
        sim->event.released_time = new ? s->time : sim->event.released_time;
    }
}

/* ---- conclusion ---- */

static detent_cause cause_of(const dt_simulation *sim, int k, detent_cause others)
{
    const detent_cause own = (detent_cause)sim->event.cause[k];
    return own == DETENT_CAUSE_INITIAL ||
                   (others == DETENT_CAUSE_INITIAL && own != DETENT_CAUSE_JAM)
               ? others
               : own;
}

static void record_changes(dt_simulation *sim, detent_cause others)
{
    const dt_system *s = &sim->system;
    sim->event.change_count = sim->event.state_change_count = 0;
    sim->event.change_time = s->time;
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == sim->past.mode[k] && s->direction[k] == sim->past.direction[k] &&
            others != DETENT_CAUSE_INITIAL && sim->event.cause[k] != DETENT_CAUSE_IMPACT) {
            continue;
        }
        sim->event.changes[sim->event.change_count++] = (dt_mode_change){
            .stiction = k,
            .from = sim->past.mode[k],
            .to = s->mode[k],
            .from_direction = sim->past.direction[k],
            .to_direction = s->direction[k],
            .cause = (unsigned char)cause_of(sim, k, others),
            .margin = dt_event_margin(sim, k),
        };
    }
    sim->event.early = sim->event.change_count;
    sim->samples.is_silent = sim->samples.alone && sim->event.change_count == 0;
    sim->statistics.events += !sim->samples.is_silent;
    sim->statistics.mode_changes += sim->event.change_count;
}

static void begin(dt_simulation *sim)
{
    memset(sim->event.decree, 0, (size_t)sim->ns);
    memset(sim->event.cause, DETENT_CAUSE_INITIAL, (size_t)sim->ns);
    sim->samples.alone = sim->samples.is_silent = false;
    if (!sim->graze.found) {
        dt_sources_clear(sim);
    }
}

/* A prescribed motion may not jump, in place or in speed: no force could make it. */
static detent_status guard_motions(const dt_simulation *sim, detent_error *error)
{
    const dt_system *s = &sim->system;
    const double *q = sim->past.state, *v = q + sim->nq; /* the first blocks */
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (!dt_is_prescribed(s, i)) {
            continue;
        }
        const double dq = s->q[node->q] - q[node->q], dv = s->v[node->v] - v[node->v];
        if (fabs(dq) >
                jump * (dt_scale_position(&sim->scale, sim->mechanism, i) + fabs(s->q[node->q])) ||
            fabs(dv) >
                jump * (dt_scale_velocity(&sim->scale, sim->mechanism, i) + fabs(s->v[node->v]))) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                           "at t = %.9g s the prescribed motion of '%s' jumps, by %.9g in position "
                           "and %.9g in velocity",
                           s->time, s->mechanism->primitives[i].name, dq, dv);
        }
    }
    return DETENT_OK;
}

/* Rotations of unit length: of nodes of the core, or of all. */
static void normalize_positions(dt_simulation *sim, bool core)
{
    const dt_tree *tree = sim->system.tree;
    const int count = core ? sim->core->tree->node_count : tree->node_count;
    for (int c = 0; c < count; c++) {
        const dt_node *node = &tree->nodes[core ? dt_whole_node(sim, c) : c];
        if (node->type->normalize) {
            node->type->normalize(sim->system.q + node->q);
        }
    }
}

/* `core`: the search may leave out what is far from its limit. */
static detent_status conclude(dt_simulation *sim, detent_cause others, bool core,
                              detent_error *error)
{
    dt_system *s = &sim->system;
    sim->shown.time = NAN;
    sim->step.last = dt_solver_last_step(sim->solver);
    dt_rests_take(sim);
    dt_state_stops_reach(sim);
    if (sim->fixed.exists) {
        dt_fixed_stop_all(sim);
    } else {
        dt_stop_all(sim);
    }
    keep_decrees(sim);
    keep_released(sim, false);
    normalize_positions(sim, core);
    if (core) {
        dt_system_prescribe(s);
    } else {
        dt_system_set_state(s, s->time, s->q, s->v);
    }
    dt_take_along(sim);
    detent_status status = guard_motions(sim, error);
    if (status == DETENT_OK) {
        status = dt_impact_search(sim, core, error);
    }
    if (status != DETENT_OK) {
        return status;
    }
    dt_sliding_search(sim);
    keep_released(sim, sim->sliding.count > 0);
    record_changes(sim, others);
    sim->dead.event = true;
    if (others == DETENT_CAUSE_INPUT || others == DETENT_CAUSE_INITIAL) {
        dt_storm_restart(sim, s->time);         /* from outside: what follows is a new story */
    } else if (others != DETENT_CAUSE_SAMPLE) { /* that comes as often as it is asked to */
        status = dt_storm_guard(sim, error);
    }
    const double t = s->time;
    status = status == DETENT_OK ? dt_restart(sim, error) : status;
    if (status == DETENT_OK) { /* who is at a stop has been settled there */
        dt_state_stops_record(sim, t, others);
    }
    return status;
}

/* The state at the event, t, and readings of the core. */
static detent_status arrive(dt_simulation *sim, double t, detent_error *error)
{
    const detent_status status = dt_core_at(sim, t, error);
    if (status == DETENT_OK) {
        dt_sources_arrive(sim);
    }
    return status;
}

/*
 * The modes that the joints have end at `reached`: friction that follows the reactions which it causes has no solution
 * with them any more (ending.c). Others take over a moment later, as a search finds them.
 */
static detent_status take_other_modes(dt_simulation *sim, detent_error *error)
{
    const double before = sim->reached, moment = sim->step.beyond;
    detent_status status = dt_ending_pass(sim, error);
    if (status != DETENT_OK) {
        return status;
    }
    dt_keep_past(sim);
    begin(sim);
    sim->step.beyond = 0;
    status = conclude(sim, DETENT_CAUSE_SEARCH, false, error);
    if (status != DETENT_OK) {
        dt_return_to_past(sim);
        sim->now = before;
        sim->step.beyond = moment;
        sim->pending = true;
        sim->fresh = false;
    }
    return status;
}

/* An event that needs no search, as the equations stay what they are. */
static detent_status pass_by(dt_simulation *sim, detent_error *error)
{
    detent_status status = DETENT_OK;
    record_changes(sim, sim->samples.alone ? DETENT_CAUSE_SAMPLE : DETENT_CAUSE_THRESHOLD);
    sim->reduction.way->copy_modes(sim);
    sim->pending = sim->fresh = false;
    if (!sim->samples.alone) {
        status = dt_storm_guard(sim, error);
    }
    return status;
}

bool dt_event_is_before(const dt_simulation *sim, double t)
{
    return sim->pending && sim->reached + sim->step.beyond <= t;
}

detent_status dt_event_handle(dt_simulation *sim, detent_error *error)
{
    if (sim->step.beyond > 0) {
        return take_other_modes(sim, error);
    }
    dt_occasion what = {.others = DETENT_CAUSE_SWITCH};
    const double t = sim->reached;
    const bool own_roots = sim->graze.found;
    bool core = sim->event.searches_core;
    const double before = dt_sources_before(sim, t);
    detent_status status = arrive(sim, before, error);
    if (status == DETENT_ERROR_SOLVER && dt_ending_makes_event(sim)) {
        return take_other_modes(sim, error);
    }
    if (status == DETENT_ERROR_SOLVER) {
        status = dt_report_ending(sim, status, error);
    }
    if (status != DETENT_OK) {
        /* the last good time is the start of the step, which can still be read */
        sim->now = fmax(sim->now, fmin(sim->graze.time[1], before));
        sim->shown.time = NAN;
        return status;
    }
    dt_keep_past(sim);
    begin(sim);
    if (!own_roots && !dt_sources_report(sim)) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL, "at t = %.9g s no root is known", t);
    }
    sim->graze.found = false;
    /* the integrator is beyond a root that was found inside its step: it starts from there */
    what.search = own_roots;
    status = dt_samples_come_due(sim, t, &what, &core, error);
    if (status == DETENT_OK) {
        dt_sources_follow(sim, &what);
    }
    core = core && !dt_impact_concerns(sim) && !dt_rests_concern(sim) &&
           !(sim->fixed.exists && dt_fixed_stops_are_due(sim));
    if (status == DETENT_OK && what.search) {
        if (!sim->samples
                 .alone) { /* what comes from outside has its search alone, as an input has */
            dt_sources_join(sim);
        }
        if (!core) {
            dt_bring_up(sim, DT_LEVEL_FORCES);
        }
        status = dt_report_blurred(sim, error);
        status = status == DETENT_OK ? conclude(sim, what.others, core, error) : status;
    } else if (status == DETENT_OK) {
        status = pass_by(sim, error);
    }
    sim->now = t;
    if (status == DETENT_OK) {
        dt_sources_pass(sim);
    } else {
        dt_return_to_past(sim);
        sim->now = before;
        sim->graze.found = own_roots;
        sim->pending = true;
        sim->fresh = false;
    }
    return status;
}

detent_status dt_event_input(dt_simulation *sim, detent_error *error)
{
    detent_status status = dt_state_at(sim, sim->now, DT_LEVEL_FORCES, error);
    if (status != DETENT_OK) {
        return status;
    }
    dt_keep_past(sim);
    begin(sim);
    const size_t own = (size_t)sim->mechanism->input_count;
    memcpy(sim->input.pending + own, sim->system.inputs + own,
           ((size_t)dt_given_count(sim->mechanism) - own) * sizeof(double));
    dt_branches_take_inputs(sim, sim->input.pending, sim->now);
    sim->input.refused = false;
    sim->event.any_released = false; /* from outside: what is held is asked anew */
    status = conclude(sim, DETENT_CAUSE_INPUT, false, error);
    if (status != DETENT_OK) {
        dt_return_to_past(sim);
        sim->input.refused = true; /* still to be taken */
    }
    return status;
}

/*
 * Modes that the initial velocities call for; joints at rest are candidates, locked until the
 * search says otherwise.
 */
static void initial_modes(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const dt_stiction *stiction = &sim->mechanism->stictions[k];
        const double v = *dt_velocity_of(sim, k);
        if (v == 0) {
            dt_set_mode(s, k, DETENT_LOCKED, 0);
        } else {
            dt_set_mode(s, k, fabs(v) > dt_threshold(sim, k) ? DETENT_UNLOCKED : DETENT_WAIT,
                        v > 0 ? 1 : -1);
        }
        if (s->mode[k] == DETENT_WAIT && stiction->friction->locking == DETENT_LOCKING_BAND) {
            sim->event.cause[k] = DETENT_CAUSE_STOP;
        }
    }
}

/* Joints whose initial velocity is zero while others of their loop move, or are about to. */
static void take_along_at_start(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    if (s->closure) {
        dt_keep_past(sim);
        dt_take_along_at_start(sim);
        dt_blocks_keep(sim, sim->past.state, true);
        dt_system_set_state(s, s->time, s->q, s->v);
    }
}

/* What samples of the start say that read forces: once these are known, and with another search where laws read them. */
static detent_status sample_again(dt_simulation *sim, detent_error *error)
{
    bool acts = false;
    detent_status status = DETENT_OK;
    if (dt_samples_read_forces(sim)) {
        status = dt_state_at(sim, sim->now, DT_LEVEL_FORCES, error);
        if (status == DETENT_OK) {
            dt_keep_past(sim);
            begin(sim);
            status = dt_samples_take_again(sim, sim->now, &acts, error);
        }
        if (status == DETENT_OK && acts) { /* in place of the first one */
            sim->statistics.events = sim->statistics.mode_changes = 0;
            status = conclude(sim, DETENT_CAUSE_INITIAL, false, error);
        }
    }
    if (status == DETENT_OK) {
        dt_sources_pass(sim);
    }
    return status;
}

detent_status dt_event_initial(dt_simulation *sim, detent_error *error)
{
    dt_system *s = &sim->system;
    begin(sim);
    dt_rests_begin(sim, sim->settings.start);
    dt_system_set_state(s, sim->settings.start, s->q, s->v);
    bool acts = false;
    detent_status status = dt_samples_are_due(sim, sim->settings.start)
                               ? dt_samples_take_first(sim, sim->settings.start, &acts, error)
                               : DETENT_OK;
    if (status != DETENT_OK) {
        return status;
    }
    dt_system_update_branches(s);
    dt_sources_renew(sim, sim->settings.start, true);
    dt_system_set_state(s, sim->settings.start, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    if (!dt_scale_derive(s, sim->settings.end - sim->settings.start, &sim->scale)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a simulation");
    }
    s->scale = &sim->scale;
    const detent_status started = dt_impact_check_start(sim, error);
    if (started) {
        return started;
    }
    dt_roots_begin(sim);
    dt_jam_measure(sim);
    initial_modes(sim);
    take_along_at_start(sim);
    /* branches may read forces: solve, look again, until they agree; what cannot be solved is the
     * search's to report */
    for (int round = 0; round < 10 && s->branch_count > 0; round++) {
        if (dt_solve_accelerations(sim->newton, s, NULL, NULL) != DETENT_OK ||
            !dt_system_update_branches(s)) {
            break;
        }
        dt_sources_renew(sim, sim->settings.start, true);
        dt_system_set_state(s, sim->settings.start, s->q, s->v);
    }
    double kinetic, potential;
    dt_system_energy(s, &kinetic, &potential);
    sim->statistics.initial_energy = kinetic + potential;
    dt_keep_past(sim);
    sim->past.solved = false;
    status = conclude(sim, DETENT_CAUSE_INITIAL, false, error);
    return status == DETENT_OK ? sample_again(sim, error) : status;
}
