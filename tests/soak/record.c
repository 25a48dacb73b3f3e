/* Runs through the public interface, with the invariants watched. */
#define _POSIX_C_SOURCE 200809L
#include "record.h"

#include "going.h"
#include "reactions.h"

#include "model/mechanism.h"
#include "support_changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A run gets on while the second half of its CPU time takes it this far, of the whole. */
static const double least_progress = 0.01;

/* Of a run, where it need not be tight: for who makes steps of a fixed length. */
static const double fixed_step = 1e-3;

#define ROW(name, i, l, s)                                                              \
    {                                                                                   \
        name, DETENT_INTEGRATOR_##i, DETENT_LOCKED_JOINTS_##l, DETENT_LINEAR_SOLVER_##s \
    }

const record_variant variants[VARIANTS] = {
    ROW("ida/weld/tree", IDA, WELD, TREE),
    ROW("erk/weld/tree", ERK, WELD, TREE),
    ROW("auto/weld/tree", AUTO, WELD, TREE),
    ROW("ida/constrain/tree", IDA, CONSTRAIN, TREE),
    ROW("erk/constrain/tree", ERK, CONSTRAIN, TREE),
    ROW("auto/constrain/tree", AUTO, CONSTRAIN, TREE),
    ROW("ida/weld/dense", IDA, WELD, DENSE),
    ROW("erk/weld/dense", ERK, WELD, DENSE),
    ROW("auto/weld/dense", AUTO, WELD, DENSE),
    ROW("ida/constrain/dense", IDA, CONSTRAIN, DENSE),
    ROW("erk/constrain/dense", ERK, CONSTRAIN, DENSE),
    ROW("auto/constrain/dense", AUTO, CONSTRAIN, DENSE),
};

void going_must_have(const void *memory)
{
    if (!memory) {
        abort(); /* the parent sees it */
    }
}

static void append(record *r, const detent_mode_change *c)
{
    if (r->changes == r->room) {
        r->room = 2 * r->room + 64;
        r->change = realloc(r->change, r->room * sizeof *r->change);
        going_must_have(r->change);
    }
    r->change[r->changes++] = (record_change){.time = c->time,
                                              .stiction = c->stiction,
                                              .mode = (int)c->to,
                                              .direction = c->to_direction,
                                              .margin = c->margin};
}

/* How fast everybody is at an event, before it stops whom it stops. */
static void append_speeds(record *r, const invariants_row *before)
{
    if (r->events == r->event_room) {
        r->event_room = 2 * r->event_room + 64;
        r->event_time = realloc(r->event_time, r->event_room * sizeof *r->event_time);
        r->event_speed =
            realloc(r->event_speed, r->event_room * (r->stictions + 1) * sizeof *r->event_speed);
        going_must_have(r->event_time);
        going_must_have(r->event_speed);
    }
    for (size_t k = 0; k < r->stictions; k++) {
        r->event_speed[r->events * r->stictions + k] = fabs(before->v[r->freedom[k]]);
    }
    r->event_time[r->events++] = before->time;
}

static void append_event(going *g)
{
    size_t count;
    const detent_mode_change *changes = last_event(g->simulation, &count);
    for (size_t k = 0; k < count; k++) {
        append(g->record, &changes[k]);
    }
}

static void note_breach(going *g, bool well)
{
    record *r = g->record;
    if (!well && !r->breach[0]) {
        snprintf(r->breach, sizeof r->breach, "%s: %s",
                 invariants_kind_name(invariants_breach_kind(g->check)),
                 invariants_breach(g->check));
    }
}

detent_status going_fail(going *g, detent_status status, const detent_error *error)
{
    g->record->status = status;
    snprintf(g->record->message, sizeof g->record->message, "%.250s", error->message);
    return status;
}

static void look_at_ties(going *g, const invariants_row *row)
{
    char words[sizeof g->record->breach];
    if (!ties_hold(&g->ties, row->q, row->v, words, sizeof words) && !g->record->breach[0]) {
        memcpy(g->record->breach, words, sizeof words);
    }
}

static void look_at_reactions(going *g, const invariants_row *row)
{
    char words[sizeof g->record->breach];
    if (!g->record->breach[0] &&
        !reactions_are_of_a_size(g->mechanism, g->simulation, row, words, sizeof words)) {
        memcpy(g->record->breach, words, sizeof words);
    }
}

void going_look(going *g, bool start)
{
    detent_error error;
    invariants_row *row = invariants_rows(g->check, 0);
    const detent_status status = invariants_read(g->check, g->simulation, false, row, &error);
    if (status != DETENT_OK) {
        going_fail(g, status, &error);
        return;
    }
    note_breach(g, start ? invariants_start(g->check, row) : invariants_sample(g->check, row));
    look_at_ties(g, row);
    look_at_reactions(g, row);
}

static void look_at_event(going *g)
{
    detent_error error;
    invariants_row *before = invariants_rows(g->check, 0), *after = invariants_rows(g->check, 1);
    size_t count;
    detent_status status = invariants_read(g->check, g->simulation, true, before, &error);
    status = status ? status : invariants_read(g->check, g->simulation, false, after, &error);
    if (status != DETENT_OK) {
        going_fail(g, status, &error);
        return;
    }
    const detent_mode_change *changes = last_event(g->simulation, &count);
    append_speeds(g->record, before);
    note_breach(g, invariants_event(g->check, before, after, changes, count));
    look_at_ties(g, after);
}

/* ---- runs that take long ---- */

static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The share of its time that a run has used. */
static double share_used(const going *g)
{
    return g->script->seconds > 0 ? (cpu_time() - g->began) / g->script->seconds : 0;
}

/* At half of the time, and at the end of it. */
static bool is_to_pause(const going *g)
{
    const double used = share_used(g);
    return used >= 1 || (used >= 0.5 && isnan(g->half));
}

/* detent_interrupt: there is a pause. */
static detent_request look_at_clock(void *user)
{
    going *g = user;
    if (!g->simulation || ++g->asked % 16 != 0) {
        return DETENT_GO_ON;
    }
    return is_to_pause(g) ? DETENT_PAUSE : DETENT_GO_ON;
}

/* After a pause: whether there is time left. */
static bool may_go_on(going *g)
{
    const double t = detent_time(g->simulation);
    if (isnan(g->half)) {
        g->half = t;
    }
    if (share_used(g) < 1) {
        return true;
    }
    g->record->slow = t - g->half >= least_progress * (g->settings.end - g->settings.start);
    g->record->hangs = !g->record->slow;
    return false;
}

static void take_sample(going *g)
{
    record *r = g->record;
    detent_error error;
    double *place = r->sample + (size_t)r->samples * r->row;
    detent_read(g->simulation, DETENT_POSITIONS, place, r->coordinates, &error);
    detent_read(g->simulation, DETENT_VELOCITIES, place + r->coordinates, r->freedoms, &error);
    detent_read(g->simulation, DETENT_STATES, place + r->size, r->states, &error);
    detent_read(g->simulation, DETENT_FRICTIONS, r->friction + (size_t)r->samples * r->stictions,
                r->stictions, &error);
    r->sample_time[r->samples++] = detent_time(g->simulation);
}

detent_status going_start(going *g)
{
    detent_error error;
    const detent_simulation_options options = {.size = sizeof options,
                                               .settings = &g->settings,
                                               .interrupt = look_at_clock,
                                               .interrupt_user = g};
    const detent_status status =
        detent_simulation_create(g->mechanism, &options, &g->simulation, &error);
    return status == DETENT_OK ? status : going_fail(g, status, &error);
}

/* To t, through all events; false where that is the end of the run. */
static bool go(going *g, double t)
{
    detent_error error;
    detent_status status;
    while ((status = detent_advance(g->simulation, t, !g->script->blind, &error)) == DETENT_EVENT ||
           status == DETENT_INTERRUPTED) {
        /* who asks for a pause within an event is given the event */
        if ((status == DETENT_INTERRUPTED || is_to_pause(g)) && !may_go_on(g)) {
            return false;
        }
        if (status == DETENT_EVENT) {
            append_event(g);
            look_at_event(g);
        }
        if (g->record->status != DETENT_OK) {
            return false;
        }
    }
    if (status != DETENT_OK) {
        going_fail(g, status, &error);
        return false;
    }
    if (!g->script->blind) {
        going_look(g, false);
    }
    return g->record->status == DETENT_OK;
}

/* All instants at which something is to be done, in turn. */
static void follow_script(going *g)
{
    const record_script *script = g->script;
    const double begin = g->settings.start, end = g->settings.end;
    int sample = 1, input = 0;
    bool restored = script->restored <= 0;
    detent_error error;
    for (;;) {
        const double next =
            sample < RECORD_SAMPLES ? begin + (end - begin) * sample / RECORD_SAMPLES : end;
        const double change = input < script->inputs ? script->input_time[input] : (double)INFINITY;
        const double save = restored ? (double)INFINITY : script->restored;
        const double t = fmin(fmin(script->blind ? end : next, end), fmin(change, save));
        if (!go(g, t)) {
            return;
        }
        if (t == save) {
            restored = true;
            if ((script->cloned ? going_clone(g) : going_restore(g)) != DETENT_OK) {
                return;
            }
        } else if (t == change) {
            if (detent_set_input(g->simulation, 0, script->input_value[input++], &error) !=
                DETENT_OK) {
                going_fail(g, DETENT_ERROR_ARGUMENT, &error);
                return;
            }
        } else {
            take_sample(g);
            sample++;
            if (script->stirred &&
                going_stir(g, input > 0 ? script->input_value[input - 1] : 0) != DETENT_OK) {
                return;
            }
            if (t >= end) {
                return;
            }
        }
    }
}

static void make_room(going *g, const detent_mechanism_info *info)
{
    record *r = g->record;
    r->coordinates = info->coordinates;
    r->freedoms = info->freedoms;
    r->stictions = info->stictions;
    r->size = info->coordinates + info->freedoms;
    r->states = info->states < RECORD_STATES ? info->states : RECORD_STATES;
    r->outputs = info->outputs < RECORD_OUTPUTS ? info->outputs : 0;
    r->row = r->size + r->states;
    r->sample = calloc((RECORD_SAMPLES + 1) * (r->row + 1), sizeof *r->sample);
    r->friction = calloc((RECORD_SAMPLES + 1) * (r->stictions + 1), sizeof *r->friction);
    r->mode = calloc(2 * r->stictions + 1, sizeof *r->mode);
    r->end = calloc(r->size + 2 * r->freedoms + r->stictions + 1, sizeof *r->end);
    r->freedom = calloc(r->stictions + 1, sizeof *r->freedom);
    r->threshold = calloc(r->stictions + 1, sizeof *r->threshold);
    r->nothing = calloc(r->row + 1, sizeof *r->nothing);
    going_must_have(r->nothing);
    going_must_have(r->threshold);
    going_must_have(r->sample);
    going_must_have(r->friction);
    going_must_have(r->freedom);
    going_must_have(r->mode);
    going_must_have(r->end);
    g->check = invariants_create(g->mechanism, &g->settings);
    going_must_have(g->check);
    ties_create(&g->ties, g->mechanism);
    double mass = 0;
    for (int i = 0; i < g->mechanism->tree.node_count; i++) {
        mass += g->mechanism->tree.nodes[i].body->mass;
    }
    invariants_mass(g->check, mass);
    for (size_t i = 0; i < info->primitives; i++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(g->mechanism, i, &p);
        if (p.stiction >= 0) {
            r->freedom[p.stiction] = p.first_freedom;
        }
    }
    for (size_t k = 0; k < info->stictions; k++) {
        r->threshold[k] = g->mechanism->stictions[k].friction->velocity_threshold;
        if (g->mechanism->stictions[k].friction->test) {
            invariants_own_test(g->check, k);
        }
    }
}

/* How it stands at the end; after a failure that is the last good time. */
static void read_end(going *g)
{
    record *r = g->record;
    detent_error error;
    double *end = r->end, *f = end + r->size + 2 * r->freedoms;
    r->time = detent_time(g->simulation);
    for (size_t k = 0; k < r->stictions; k++) {
        r->mode[k] = (int)detent_get_mode(g->simulation, k, &r->mode[r->stictions + k]);
    }
    r->statistics.size = sizeof r->statistics;
    detent_get_statistics(g->simulation, &r->statistics);
    r->stands =
        detent_read(g->simulation, DETENT_POSITIONS, end, r->coordinates, &error) == DETENT_OK &&
        detent_read(g->simulation, DETENT_VELOCITIES, end + r->coordinates, r->freedoms, &error) ==
            DETENT_OK &&
        detent_read(g->simulation, DETENT_ACCELERATIONS, end + r->size, r->freedoms, &error) ==
            DETENT_OK &&
        detent_read(g->simulation, DETENT_FRICTIONS, f, r->stictions, &error) == DETENT_OK &&
        detent_read(g->simulation, DETENT_STATES, r->z, r->states, &error) == DETENT_OK &&
        detent_read(g->simulation, DETENT_OUTPUTS, r->output, r->outputs, &error) == DETENT_OK;
    for (size_t k = 0; k < r->stictions; k++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(g->mechanism,
                             (size_t)detent_find(g->mechanism, DETENT_PRIMITIVE,
                                                 detent_name(g->mechanism, DETENT_STICTION, k)),
                             &p);
        end[r->size + r->freedoms + p.first_freedom] = f[k];
    }
}

/* What is nothing beside the sizes of this run, with the tolerances of the file: see docs/theory.md where none is given. */
static void measure(going *g)
{
    record *r = g->record;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(g->mechanism, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(g->mechanism, &settings);
    invariants_measure(g->check, g->simulation);
    ties_measure(&g->ties, g->simulation);
    for (size_t i = 0; i < info.primitives; i++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_scale scale = DETENT_INIT(detent_scale);
        detent_get_primitive(g->mechanism, i, &p);
        detent_get_scale(g->simulation, i, &scale, NULL);
        const double given = settings.atol, usual = 0.01 * settings.rtol;
        for (size_t k = 0; k < p.coordinates; k++) {
            r->nothing[p.first_coordinate + k] = given > 0 ? given : usual * scale.position;
        }
        for (size_t k = 0; k < p.freedoms; k++) {
            r->nothing[r->coordinates + p.first_freedom + k] =
                given > 0 ? given : usual * scale.velocity;
        }
    }
    for (size_t k = 0; k < r->states; k++) {
        const double nominal = g->mechanism->states[k].nominal;
        r->nothing[r->size + k] = settings.rtol * (nominal > 0 ? nominal : 1);
    }
}

void record_run(const detent_mechanism *mechanism, const record_variant *variant, double tighter,
                const record_script *script, record *r)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    going g = {.mechanism = mechanism, .script = script, .record = r, .half = (double)NAN};
    memset(r, 0, sizeof *r);
    detent_mechanism_get_info(mechanism, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    g.settings = settings;
    g.settings.integrator = variant->integrator;
    g.settings.step = variant->integrator == DETENT_INTEGRATOR_FIXED
                          ? tighter * fixed_step * (settings.end - settings.start)
                          : 0;
    g.settings.locked_joints = variant->locked;
    g.settings.linear_solver = variant->solver;
    g.settings.rtol *= tighter;
    g.settings.atol *= tighter;
    make_room(&g, &info);
    g.began = cpu_time();
    if (going_start(&g) == DETENT_OK) {
        measure(&g);
        append_event(&g);
        going_look(&g, true);
        take_sample(&g);
        follow_script(&g);
    }
    r->time = (double)NAN;
    if (g.simulation) {
        read_end(&g);
    }
    detent_simulation_destroy(g.simulation);
    invariants_destroy(g.check);
    ties_destroy(&g.ties);
}

void record_free(record *r)
{
    free(r->change);
    free(r->event_time);
    free(r->event_speed);
    free(r->sample);
    free(r->friction);
    free(r->mode);
    free(r->end);
    free(r->freedom);
    free(r->threshold);
    free(r->nothing);
    *r = (record){0};
}
