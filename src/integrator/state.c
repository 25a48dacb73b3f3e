/*
 * The state of a simulation as bytes: time and energies, then the blocks of y, accelerations, inputs,
 * branches, modes, directions.
 */
#include "dynamics/closure.h"
#include "dynamics/failed_call.h"
#include "integrator/choice.h"
#include "integrator/core.h"
#include "integrator/horizon.h"
#include "integrator/leap.h"
#include "integrator/restart.h"
#include "integrator/simulation.h"
#include "integrator/source.h"
#include "integrator/state_stops.h"
#include "integrator/storm.h"
#include "integrator/swing.h"

#include <math.h>

/* Who calls has made sure that the bytes are of this build and mechanism (api/state.c). */
typedef struct state_header {
    double time;
    double initial_energy, impact_loss;
} state_header;

static state_header header_of(const dt_simulation *sim)
{
    return (state_header){.time = sim->now,
                          .initial_energy = sim->statistics.initial_energy,
                          .impact_loss = sim->statistics.impact_loss};
}

/* Copies a piece out of, or (`restore`) into the simulation, and moves on. */
static void piece(char **bytes, void *data, size_t size, bool restore)
{
    if (restore) {
        memcpy(data, *bytes, size);
    } else {
        memcpy(*bytes, data, size);
    }
    *bytes += size;
}

static void pieces(dt_simulation *sim, char *bytes, bool restore)
{
    dt_system *s = &sim->system;
    for (int b = 0; b < DT_BLOCKS; b++) {
        piece(&bytes, dt_block_rows[b]->saved(sim),
              (size_t)dt_block_rows[b]->length(s) * sizeof(double), restore);
    }
    piece(&bytes, s->a, (size_t)sim->nv * sizeof(double), restore);
    piece(&bytes, s->inputs, (size_t)dt_given_count(sim->mechanism) * sizeof(double), restore);
    piece(&bytes, sim->input.pending, (size_t)dt_given_count(sim->mechanism) * sizeof(double),
          restore);
    piece(&bytes, sim->samples.number, (size_t)sim->samples.count * sizeof(double), restore);
    const dt_sample_past *past = &sim->sample_past;
    piece(&bytes, past->value, past->count * sizeof *past->value, restore);
    piece(&bytes, past->next, past->count > 0 ? (size_t)sim->samples.count * sizeof *past->next : 0,
          restore);
    dt_history *h = &sim->dead.history;
    const size_t values = (size_t)h->count;
    if (values > 0) {
        piece(&bytes, &h->first, sizeof h->first, restore);
        piece(&bytes, &h->next, sizeof h->next, restore);
        piece(&bytes, h->span, (size_t)h->capacity * sizeof *h->span, restore);
        piece(&bytes, h->kept, values * (size_t)h->capacity * sizeof *h->kept, restore);
        piece(&bytes, h->before, values * sizeof *h->before, restore);
        piece(&bytes, h->largest, values * sizeof *h->largest, restore);
        piece(&bytes, h->early, values * sizeof *h->early, restore);
    }
    piece(&bytes, s->branches, (size_t)s->branch_count * sizeof(dt_branch), restore);
    piece(&bytes, s->mode, (size_t)sim->ns, restore);
    piece(&bytes, s->direction, (size_t)sim->ns, restore);
    piece(&bytes, s->yielded, (size_t)sim->ns, restore);
}

/* What dead times remember. */
static size_t history_size(const dt_history *h)
{
    const size_t values = (size_t)h->count;
    return values == 0 ? 0
                       : 2 * sizeof h->first +
                             (size_t)h->capacity * (sizeof *h->span + values * sizeof *h->kept) +
                             values * (2 * sizeof *h->before + sizeof *h->early);
}

size_t dt_simulation_state_size(const dt_simulation *sim)
{
    const size_t doubles = (size_t)dt_blocks_length(&sim->system) + (size_t)sim->nv +
                           2 * (size_t)dt_given_count(sim->mechanism) + (size_t)sim->samples.count +
                           sim->sample_past.count;
    return sizeof(state_header) + doubles * sizeof(double) +
           (size_t)sim->system.branch_count * sizeof(dt_branch) +
           (sim->sample_past.count > 0 ? (size_t)sim->samples.count * sizeof(int) : 0) +
           3 * (size_t)sim->ns + history_size(&sim->dead.history);
}

/* Forgets all that was measured meanwhile: what begins here runs on in the same way every time. */
detent_status dt_restart_anew(dt_simulation *sim, double t, detent_error *error)
{
    dt_system *s = &sim->system;
    sim->past.valid = sim->input.refused = false;
    sim->event.change_count = sim->event.state_change_count = 0;
    dt_state_stops_forget(sim);
    sim->shown.time = NAN;
    dt_storm_restart(sim, t);
    sim->step.last = 0;
    memset(sim->event.decree_kept, 0, (size_t)sim->ns);
    sim->event.any_released = false;
    dt_solver_forget(sim->solver);
    sim->reached = t; /* how long the run is, first steps go by */
    if (s->closure) {
        dt_closure_forget(s->closure);
    }
    dt_system_set_state(s, t, s->q, s->v);
    dt_choice_forget(sim);
    dt_leap_forget(sim);
    dt_impact_forget(sim);
    dt_horizon_forget(sim);
    dt_swing_forget(sim);
    dt_sources_forget(sim, t);
    dt_samples_renew(sim);
    sim->reduction.way->forget(sim);
    dt_system_set_acceleration(s, s->a, s->f);
    detent_status status = dt_solve_accelerations(sim->newton, s, NULL, error);
    status = status == DETENT_OK ? dt_restart(sim, error) : status;
    return dt_tell_failed_call(s, status, error);
}

detent_status dt_simulation_save(dt_simulation *sim, void *bytes, detent_error *error)
{
    dt_system *s = NULL;
    const state_header h = header_of(sim);
    detent_status status = dt_simulation_read(sim, false, DT_LEVEL_FORCES, &s, error);
    if (status != DETENT_OK) {
        return status;
    }
    memcpy(bytes, &h, sizeof h);
    pieces(sim, (char *)bytes + sizeof h, false);
    return DETENT_OK;
}

detent_status dt_simulation_restore(dt_simulation *sim, const void *bytes, detent_error *error)
{
    dt_system *s = NULL;
    state_header theirs;
    memcpy(&theirs, bytes, sizeof theirs);
    detent_status status = dt_simulation_read(
        sim, false, DT_LEVEL_FORCES, &s, error); /* the present, not the past, is overwritten */
    if (status != DETENT_OK) {
        return status;
    }
    pieces(sim, (char *)bytes + sizeof theirs, true);
    sim->statistics.initial_energy = theirs.initial_energy;
    sim->statistics.impact_loss = theirs.impact_loss;
    return dt_restart_anew(sim, theirs.time, error);
}

/* ---- another simulation alike ---- */

void dt_simulation_options(const dt_simulation *sim, detent_simulation_options *options)
{
    options->settings = &sim->settings;
    options->trace = sim->client.trace;
    options->trace_user = sim->client.trace_user;
    options->interrupt = sim->client.interrupt;
    options->interrupt_user = sim->client.interrupt_user;
}

const double *dt_simulation_inputs(const dt_simulation *sim)
{
    return sim->input.pending;
}

void dt_simulation_tell_as(dt_simulation *sim, const dt_simulation *other)
{
    const dt_event *told = &other->event;
    sim->event.change_count = told->change_count;
    sim->event.early = told->early;
    sim->event.change_time = told->change_time;
    sim->event.late_time = told->late_time;
    sim->event.state_change_count = told->state_change_count;
    memcpy(sim->event.changes, told->changes, told->change_count * sizeof *told->changes);
    memcpy(sim->event.state_changes, told->state_changes,
           told->state_change_count * sizeof *told->state_changes);
}

size_t dt_simulation_mode_changes(const dt_simulation *sim)
{
    return sim->event.change_count;
}

detent_mode_change dt_simulation_mode_change(const dt_simulation *sim, size_t index)
{
    const dt_mode_change *change = &sim->event.changes[index];
    return (detent_mode_change){.time = index < sim->event.early ? sim->event.change_time
                                                                 : sim->event.late_time,
                                .stiction = (size_t)change->stiction,
                                .from = (detent_mode)change->from,
                                .to = (detent_mode)change->to,
                                .from_direction = change->from_direction,
                                .to_direction = change->to_direction,
                                .cause = (detent_cause)change->cause,
                                .margin = change->margin};
}
