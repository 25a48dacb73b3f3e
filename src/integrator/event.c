/*
 * Events: from fired roots to a verified, restarted state.
 *
 * 1. Which roots fired: a limit reached (release by decree: "at the limit and on the way out"), a
 * velocity back at zero or at its band,
 *    a threshold passed (no search, no restart: the equations stay), a switch of a law (its branch
 *    flips by decree).
 * 2. Velocities that are zero up to the root tolerance become zero; band joints are stopped by an
 * impulse.
 * 3. One search for all. A joint that ends locked beyond its limit, or a branch that the jump of
 * the forces has made
 *    wrong, joins the event, and the search is made again.
 * 4. Restart.
 *
 * Invariant: a joint, and a switch, joins an event at most once, so every event ends.
 */
#include "integrator/core.h"

#include <float.h>
#include <math.h>

static double *velocity(dt_simulation *sim, int k)
{
    return &sim->system.v[sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v];
}

/** Times closer than this are one instant. */
static double instant(const dt_simulation *sim)
{
    return 400 * DBL_EPSILON * (fabs(sim->system.time) + sim->last_step);
}

static void set_mode(dt_system *s, int k, detent_mode mode, int direction)
{
    s->mode[k] = (signed char)mode;
    s->direction[k] = (signed char)direction;
}

/* ---- the instant before ---- */

static void keep_past(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    dt_past *past = &sim->past;
    past->valid = true;
    past->time = s->time;
    memcpy(past->q, s->q, (size_t)sim->nq * sizeof *s->q);
    memcpy(past->v, s->v, (size_t)sim->nv * sizeof *s->v);
    memcpy(past->a, s->a, (size_t)sim->nv * sizeof *s->a);
    memcpy(past->f, s->f, (size_t)sim->ns * sizeof *s->f);
    memcpy(past->inputs, s->inputs, (size_t)sim->mechanism->input_count * sizeof *s->inputs);
    memcpy(past->mode, s->mode, (size_t)sim->ns);
    memcpy(past->direction, s->direction, (size_t)sim->ns);
    memcpy(past->branches, s->branches, (size_t)s->branch_count * sizeof *s->branches);
}

/** After a failure: the modes just before the event, which are those of the readings left. */
static void return_to_past(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const dt_past *past = &sim->past;
    memcpy(s->inputs, past->inputs, (size_t)sim->mechanism->input_count * sizeof *s->inputs);
    memcpy(s->mode, past->mode, (size_t)sim->ns);
    memcpy(s->direction, past->direction, (size_t)sim->ns);
    memcpy(s->branches, past->branches, (size_t)s->branch_count * sizeof *s->branches);
    sim->change_count = 0;
    dt_system_set_state(s, past->time, past->q, past->v);
    dt_system_set_acceleration(s, past->a, past->f);
    dt_system_forces(s);
    sim->shown = past->time; /* the core may have other groups by now, and the solution is lost */
}

/* ---- what fired ---- */

/** What an event starts from. */
typedef struct occasion {
    bool search;         /**< something beyond a threshold happened */
    detent_cause others; /**< cause of changes that the search makes to joints that did not fire */
} occasion;

static void fire_stiction(dt_simulation *sim, int k, const int *fired, occasion *what)
{
    dt_system *s = &sim->system;
    const bool band = sim->mechanism->stictions[k].locking == DETENT_LOCKING_BAND;
    if (!fired[0] && !fired[1]) {
        return;
    }
    if (s->mode[k] == DETENT_LOCKED) {
        sim->decree[k] = fired[0] ? -1 : 1; /* at FSr it gives way in reverse */
        sim->cause[k] = DETENT_CAUSE_LIMIT;
        what->search = true;
        what->others = DETENT_CAUSE_SEARCH;
    } else if (fired[0]) {
        if (!(band && s->mode[k] == DETENT_UNLOCKED)) {
            *velocity(sim, k) = 0;
        }
        sim->cause[k] = DETENT_CAUSE_STOP;
        what->search = true;
        what->others = DETENT_CAUSE_SEARCH;
    } else {
        set_mode(s, k, DETENT_UNLOCKED, s->direction[k]);
        sim->cause[k] = DETENT_CAUSE_THRESHOLD;
    }
}

/** Flips the switches whose roots fired; the other switches of the same law follow from them. */
static void fire_switches(dt_simulation *sim, occasion *what)
{
    const int *fired = sim->roots.fired + 2 * sim->ns;
    for (int l = 0; l < sim->system.law_count; l++) {
        const dt_law *law = sim->system.law[l];
        bool any = false;
        for (int j = 0; j < law->program->switch_count; j++, fired += 2) {
            sim->keep[j] = fired[0] || fired[1];
            if (!sim->keep[j]) {
                continue;
            }
            law->branches[j] =
                dt_program_flipped(law->program, j, fired[0] ? 0 : 1, law->branches[j]);
            any = true;
        }
        if (any) {
            dt_law_settle(&sim->system, law, sim->keep);
        }
        what->search = what->search || any;
    }
}

/**
 * Locked joints that reach their limit at this very instant fire too, though IDA named another one.
 * One that merely stands at its limit, and does not come from inside, does not.
 */
static void fire_simultaneous(dt_simulation *sim)
{
    for (int k = 0; k < sim->ns; k++) {
        double g[2], limits[2];
        if (sim->system.mode[k] != DETENT_LOCKED || sim->decree[k]) {
            continue;
        }
        dt_roots_locked(sim, k, g);
        dt_system_limits(&sim->system, k, limits);
        const double hair = 1e-11 * (limits[1] - limits[0]) + 1e-12;
        for (int which = 0; which < 2; which++) {
            const double before = dt_graze_before(sim, k, which);
            if (g[which] <= hair && before > 100 * hair) {
                sim->decree[k] = which == 0 ? -1 : 1;
                sim->cause[k] = DETENT_CAUSE_LIMIT;
            }
        }
    }
}

/* ---- velocities ---- */

/** Joints whose velocity is zero up to the instant, or just beyond, stop as well. */
static void snap_velocities(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const double moment = instant(sim);
    for (int k = 0; k < sim->ns; k++) {
        const double sv = s->direction[k] * *velocity(sim, k),
                     sa = s->direction[k] *
                          s->a[s->tree->nodes[sim->mechanism->stictions[k].primitive].v];
        if (s->mode[k] == DETENT_LOCKED || sv == 0) {
            continue;
        }
        if (sv < 0 || (sa < 0 && sv <= -sa * moment)) {
            *velocity(sim, k) = 0;
            sim->cause[k] = DETENT_CAUSE_STOP;
        }
    }
}

/** Joints released by decree at this very instant, and still at rest, stay released. */
static void keep_decrees(dt_simulation *sim)
{
    const double t = sim->system.time, moment = instant(sim);
    for (int k = 0; k < sim->ns; k++) {
        if (sim->decree[k]) {
            sim->decree_time[k] = t;
            sim->decree_kept[k] = sim->decree[k];
        } else if (sim->decree_kept[k] && sim->system.mode[k] == DETENT_WAIT &&
                   *velocity(sim, k) == 0 && t - sim->decree_time[k] <= moment) {
            sim->decree[k] = sim->decree_kept[k];
        } else {
            sim->decree_kept[k] = 0;
        }
    }
}

/* ---- search ---- */

static void count_search(dt_simulation *sim, const dt_search_result *result)
{
    detent_statistics *st = &sim->statistics;
    st->searches++;
    st->search_solves += result->solves;
    st->search_interior_point += result->interior_points;
    if (result->solves > st->max_search_solves) {
        st->max_search_solves = result->solves;
    }
}

static detent_status run_search(dt_simulation *sim, detent_error *error)
{
    dt_search_result result = {0};
    const dt_search_request request = {
        .decree = sim->decree, .trace = sim->trace, .trace_user = sim->trace_user};
    detent_status status =
        dt_search_run(sim->search, &sim->system, sim->newton, &request, &result, error);
    count_search(sim, &result);
    return status;
}

/** Locked joints beyond their limit join the event. */
static bool release_overloaded(dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        double g[2];
        if (sim->system.mode[k] != DETENT_LOCKED || sim->decree[k]) {
            continue;
        }
        dt_roots_locked(sim, k, g);
        if (g[0] > 0 && g[1] > 0) {
            continue;
        }
        sim->decree[k] = g[0] <= 0 ? -1 : 1;
        any = true;
    }
    return any;
}

/** Branches that the new forces have made wrong flip, each once (marked in `fired`). */
static bool repair_branches(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    int *fired = sim->roots.fired + 2 * sim->ns;
    double *roots = sim->root_values;
    bool any = false;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        const int switches = law->program->switch_count;
        if (switches == 0) {
            continue;
        }
        dt_law_roots(s, law, roots);
        for (int j = 0; j < switches; j++, fired += 2) {
            if (fired[0] || fired[1]) {
                continue;
            }
            for (int which = 0; which < 2; which++) {
                if (roots[2 * j + which] < 0) {
                    law->branches[j] = dt_program_flipped(law->program, j, which, law->branches[j]);
                    fired[which] = 1;
                    any = true;
                    break;
                }
            }
        }
    }
    return any;
}

/** Searches until nothing joins the event any more. */
static detent_status search_all(dt_simulation *sim, detent_error *error)
{
    for (;;) {
        detent_status status = run_search(sim, error);
        if (status != DETENT_OK) {
            return status;
        }
        bool more = release_overloaded(sim);
        if (sim->system.branch_count > 0) {
            more = repair_branches(sim) || more;
        }
        if (!more) {
            return DETENT_OK;
        }
    }
}

/* ---- a search of what is near ---- */

/** Of the width of its box, that a joint may be from its limit and be left out. */
static const double near_limit = 1e-3;

/**
 * Joints that are not welded while the core is searched: those that belong to the event, and those
 * near their limits.
 */
static void set_apart(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        double limits[2];
        if (s->mode[k] != DETENT_LOCKED || !sim->welding->weldable[k]) {
            continue; /* a joint in any case */
        }
        dt_system_limits(s, k, limits);
        const double inside = fmin(limits[1] - s->f[k], s->f[k] - limits[0]);
        sim->welding->apart[k] =
            sim->decree[k] != 0 || inside < near_limit * (limits[1] - limits[0]);
    }
}

/** Whether all welded joints are inside their limits; those that are not are set apart. */
static bool welded_joints_hold(void *simulation)
{
    dt_simulation *sim = simulation;
    dt_welding *w = sim->welding;
    bool hold = true;
    dt_welding_update(w);
    for (int j = 0; j < w->joint_count; j++) {
        const dt_welded_joint *joint = &w->joint[j];
        const double f = dt_welding_friction(w, j);
        if (!(f > joint->limits[0] && f < joint->limits[1])) {
            w->apart[joint->stiction] = true;
            hold = false;
        }
    }
    return hold;
}

static detent_status run_core_search(dt_simulation *sim, detent_error *error)
{
    dt_search_result result = {0};
    const dt_search_request request = {.decree = sim->core_decree,
                                       .others_hold = welded_joints_hold,
                                       .others_user = sim,
                                       .trace = sim->trace,
                                       .trace_user = sim->trace_user};
    for (int k = 0; k < sim->welding->mechanism.stiction_count; k++) {
        sim->core_decree[k] = sim->decree[sim->welding->stiction[k]];
    }
    const detent_status status =
        dt_search_run(sim->search, sim->core, sim->core_newton, &request, &result, error);
    count_search(sim, &result);
    return status;
}

/** Locked joints of the core beyond their limit join the event, as in release_overloaded(). */
static bool release_overloaded_core(dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->welding->mechanism.stiction_count; k++) {
        signed char *decree = &sim->decree[sim->welding->stiction[k]];
        double g[2];
        if (sim->core->mode[k] != DETENT_LOCKED || *decree) {
            continue;
        }
        dt_roots_of_locked(sim->core, k, g);
        if (g[0] > 0 && g[1] > 0) {
            continue;
        }
        *decree = g[0] <= 0 ? -1 : 1;
        any = true;
    }
    return any;
}

/** What the search has found, to the whole; the friction of welded joints is not needed there. */
static void take_over(dt_simulation *sim)
{
    const dt_welding *w = sim->welding;
    const dt_system *core = sim->core;
    for (int k = 0; k < w->mechanism.stiction_count; k++) {
        set_mode(&sim->system, w->stiction[k], (detent_mode)core->mode[k], core->direction[k]);
    }
    dt_welding_expand(w, core->q, core->v, core->a, core->f, &sim->system);
}

/**
 * Searches the core, in which what is far from its limit is welded; grows until that holds. False
 * where the search of the whole has to decide.
 */
static bool search_core(dt_simulation *sim, detent_error *error)
{
    static const int most_tries = 20;
    dt_welding *w = sim->welding;
    set_apart(sim);
    for (int try = 0; try < most_tries; try++) {
        dt_welding_form(w);
        const detent_status status = run_core_search(sim, error);
        if (status == DETENT_EVENT || (status == DETENT_OK && !welded_joints_hold(sim))) {
            continue;
        }
        if (status != DETENT_OK) {
            return false;
        }
        if (!release_overloaded_core(sim)) {
            take_over(sim);
            return true;
        }
        for (int k = 0; k < w->mechanism.stiction_count; k++) { /* the joined ones are apart */
            w->apart[w->stiction[k]] = true;
        }
    }
    return false;
}

/* ---- the velocity band ---- */

static bool in_band(dt_simulation *sim, int k)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    return stiction->locking == DETENT_LOCKING_BAND && sim->cause[k] == DETENT_CAUSE_STOP &&
           *velocity(sim, k) != 0;
}

/**
 * Tries to lock the joints inside their band: an impulse stops them, a search tells which of them
 * hold. Those that do
 * not get their velocity back and wait; the trial is repeated without them.
 */
static detent_status search_with_band(dt_simulation *sim, detent_error *error)
{
    dt_system *s = &sim->system;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        sim->stop[k] = in_band(sim, k);
        any = any || sim->stop[k];
        if (sim->stop[k]) {
            set_mode(s, k, DETENT_WAIT, s->direction[k]);
        }
    }
    if (!any) {
        return search_all(sim, error);
    }
    memcpy(sim->v_before, s->v, (size_t)sim->nv * sizeof *s->v);
    memcpy(sim->mode_before, s->mode, (size_t)sim->ns);
    memcpy(sim->direction_before, s->direction, (size_t)sim->ns);
    for (;;) {
        double loss = dt_impulse(sim, sim->stop);
        if (loss < 0) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                           "at t = %.9g s the impulse that locks a joint is undetermined", s->time);
        }
        for (int k = 0; k < sim->ns; k++) {
            if (s->mode[k] != DETENT_LOCKED && *velocity(sim, k) != 0) {
                s->direction[k] = *velocity(sim, k) > 0 ? 1 : -1;
            }
        }
        detent_status status = search_all(sim, error);
        if (status != DETENT_OK) {
            return status;
        }
        bool all_hold = true;
        for (int k = 0; k < sim->ns; k++) {
            if (sim->stop[k] && s->mode[k] != DETENT_LOCKED) {
                sim->stop[k] = 0;
                all_hold = false;
            }
        }
        if (all_hold) {
            sim->statistics.impact_loss += loss;
            return DETENT_OK;
        }
        memcpy(s->v, sim->v_before, (size_t)sim->nv * sizeof *s->v);
        memcpy(s->mode, sim->mode_before, (size_t)sim->ns);
        memcpy(s->direction, sim->direction_before, (size_t)sim->ns);
        dt_system_set_state(s, s->time, s->q, s->v);
    }
}

/* ---- conclusion ---- */

static double margin(dt_simulation *sim, int k)
{
    return sim->core_is_searched ? dt_stiction_margin(sim->core, sim->welding->kept[k])
                                 : dt_stiction_margin(&sim->system, k);
}

static void record_changes(dt_simulation *sim, detent_cause others)
{
    const dt_system *s = &sim->system;
    sim->change_count = 0;
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == sim->past.mode[k] && s->direction[k] == sim->past.direction[k] &&
            others != DETENT_CAUSE_INITIAL) {
            continue;
        }
        sim->changes[sim->change_count++] = (detent_mode_change){
            .time = s->time,
            .stiction = (size_t)k,
            .from = (detent_mode)sim->past.mode[k],
            .to = (detent_mode)s->mode[k],
            .from_direction = sim->past.direction[k],
            .to_direction = s->direction[k],
            .cause = others == DETENT_CAUSE_INITIAL || sim->cause[k] == DETENT_CAUSE_INITIAL
                         ? others
                         : (detent_cause)sim->cause[k],
            .margin = margin(sim, k),
        };
    }
    sim->statistics.events++;
    sim->statistics.mode_changes += sim->change_count;
}

static detent_status guard_storm(dt_simulation *sim, detent_error *error)
{
    static const size_t window = 200;
    dt_storm *storm = &sim->storm;
    const double t = sim->system.time,
                 bound = sim->settings.max_event_rate * (sim->ns > 0 ? sim->ns : 1);
    if (++storm->events < window) {
        return DETENT_OK;
    }
    if ((t - storm->since) * bound < (double)storm->events) {
        const detent_mechanism *m = sim->mechanism;
        const bool joint = sim->change_count > 0;
        const char *name =
            joint ? m->primitives[m->stictions[sim->changes[0].stiction].primitive].name : m->name;
        return dt_fail(
            error, DETENT_EVENT_STORM, NULL,
            "event storm: %zu events between t = %.9g s and %.9g s, the last one %s '%s'; "
            "the bound is %g per second and stiction joint",
            storm->events, storm->since, t, joint ? "at" : "a discontinuity of a law in", name,
            sim->settings.max_event_rate);
    }
    storm->since = t;
    storm->events = 0;
    return DETENT_OK;
}

static void begin(dt_simulation *sim)
{
    memset(sim->decree, 0, (size_t)sim->ns);
    memset(sim->cause, DETENT_CAUSE_INITIAL, (size_t)sim->ns);
    if (!sim->graze.found) {
        memset(sim->roots.fired, 0, (size_t)sim->roots.count * sizeof *sim->roots.fired);
    }
}

/** A prescribed motion may not jump, in place or in speed: no force could make it. */
static detent_status guard_motions(const dt_simulation *sim, detent_error *error)
{
    const dt_system *s = &sim->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (!s->motion_law[i].program) {
            continue;
        }
        const double dq = s->q[node->q] - sim->past.q[node->q],
                     dv = s->v[node->v] - sim->past.v[node->v];
        if (fabs(dq) > 1e-7 * (1 + fabs(s->q[node->q])) ||
            fabs(dv) > 1e-7 * (1 + fabs(s->v[node->v]))) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                           "at t = %.9g s the prescribed motion of '%s' jumps, by %.9g in position "
                           "and %.9g in velocity",
                           s->time, s->mechanism->primitives[i].name, dq, dv);
        }
    }
    return DETENT_OK;
}

static detent_status search_event(dt_simulation *sim, bool core, detent_error *error)
{
    sim->core_is_searched = core && search_core(sim, error);
    if (sim->core_is_searched) {
        return DETENT_OK;
    }
    sim->shown = NAN;
    return search_with_band(sim, error);
}

/** `core`: the search may leave out what is far from its limit. */
static detent_status conclude(dt_simulation *sim, detent_cause others, bool core,
                              detent_error *error)
{
    dt_system *s = &sim->system;
    sim->shown = NAN;
    sim->last_step = sim->stepper->last_step(sim);
    snap_velocities(sim);
    keep_decrees(sim);
    for (int i = 0; i < s->tree->node_count; i++) {
        if (s->tree->nodes[i].type->normalize) {
            s->tree->nodes[i].type->normalize(s->q + s->tree->nodes[i].q);
        }
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    detent_status status = guard_motions(sim, error);
    if (status == DETENT_OK) {
        status = search_event(sim, core, error);
    }
    if (status != DETENT_OK) {
        return status;
    }
    record_changes(sim, others);
    status = guard_storm(sim, error);
    return status == DETENT_OK ? dt_restart(sim, error) : status;
}

detent_status dt_event_handle(dt_simulation *sim, detent_error *error)
{
    occasion what = {.others = DETENT_CAUSE_SWITCH};
    const double t = sim->reached;
    detent_status status = dt_state_at(sim, t, error);
    if (status != DETENT_OK) {
        return status;
    }
    const bool own_roots = sim->graze.found;
    keep_past(sim);
    begin(sim);
    if (!own_roots && !dt_roots_fired(sim)) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL, "at t = %.9g s no root is known", t);
    }
    sim->graze.found = false;
    for (int k = 0; k < sim->ns; k++) {
        fire_stiction(sim, k, sim->roots.fired + 2 * k, &what);
    }
    fire_switches(sim, &what);
    if (what.search) {
        fire_simultaneous(sim);
        status = conclude(sim, what.others, sim->searches_core, error);
    } else {
        record_changes(sim, DETENT_CAUSE_THRESHOLD);
        if (sim->welding) {
            dt_welding_copy_modes(sim->welding);
        }
        sim->pending = sim->fresh = false;
        status = guard_storm(sim, error);
    }
    sim->now = t;
    if (status != DETENT_OK) {
        return_to_past(sim);
        sim->graze.found = own_roots;
        sim->pending = true;
        sim->fresh = false;
    }
    return status;
}

detent_status dt_event_input(dt_simulation *sim, detent_error *error)
{
    detent_status status = dt_state_at(sim, sim->now, error);
    if (status != DETENT_OK) {
        return status;
    }
    keep_past(sim);
    begin(sim);
    memcpy(sim->system.inputs, sim->pending_inputs,
           (size_t)sim->mechanism->input_count * sizeof(double));
    sim->input_changed = false;
    status = conclude(sim, DETENT_CAUSE_INPUT, false, error);
    if (status != DETENT_OK) {
        return_to_past(sim);
        sim->input_changed = true; /* still to be taken */
    }
    return status;
}

/**
 * Modes that the initial velocities call for; joints at rest are candidates, locked until the
 * search says otherwise.
 */
static void initial_modes(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const dt_stiction *stiction = &sim->mechanism->stictions[k];
        const double v = *velocity(sim, k);
        if (v == 0) {
            set_mode(s, k, DETENT_LOCKED, 0);
        } else {
            set_mode(s, k, fabs(v) > stiction->velocity_threshold ? DETENT_UNLOCKED : DETENT_WAIT,
                     v > 0 ? 1 : -1);
        }
        if (s->mode[k] == DETENT_WAIT && stiction->locking == DETENT_LOCKING_BAND) {
            sim->cause[k] = DETENT_CAUSE_STOP;
        }
    }
}

detent_status dt_event_initial(dt_simulation *sim, detent_error *error)
{
    dt_system *s = &sim->system;
    begin(sim);
    dt_system_set_state(s, sim->settings.start, s->q, s->v);
    dt_system_update_branches(s);
    dt_system_set_state(s, sim->settings.start, s->q, s->v);
    initial_modes(sim);
    /* branches may read forces: solve, look again, until they agree; what cannot be solved is the
     * search's to report */
    for (int round = 0; round < 10 && s->branch_count > 0; round++) {
        if (dt_solve_accelerations(sim->newton, s, NULL, NULL) != DETENT_OK ||
            !dt_system_update_branches(s)) {
            break;
        }
        dt_system_set_state(s, sim->settings.start, s->q, s->v);
    }
    double kinetic, potential;
    dt_system_energy(s, &kinetic, &potential);
    sim->statistics.initial_energy = kinetic + potential;
    keep_past(sim);
    sim->storm.since = sim->settings.start;
    return conclude(sim, DETENT_CAUSE_INITIAL, false, error);
}
