/*
 * Event storms: a law that chatters, a joint that neither sticks nor slips. Time crawls from event to
 * event. The events of a window are counted, with who takes part in them; where the window passes faster
 * than the bound allows, the run ends and names them. A changed input is no such event: it comes from
 * outside, as often as somebody likes, and with it a new window begins.
 */
#include "integrator/storm.h"
#include "integrator/core.h"
#include "integrator/roots.h"

#include <stdio.h>

static const size_t window = 200;     /* events */
static const double usual_rate = 1e4; /* in the nominal time of the mechanism */

enum { MOST_NAMED = 3, LONGEST_LAW = 80 };

bool dt_storm_create(dt_arena *arena, dt_simulation *sim)
{
    sim->storm.joint = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *sim->storm.joint);
    sim->storm.law = dt_arena_alloc(arena, (size_t)sim->system.law_count, sizeof *sim->storm.law);
    return sim->storm.joint && sim->storm.law;
}

void dt_storm_restart(dt_simulation *sim, double t)
{
    dt_storm *storm = &sim->storm;
    storm->since = t;
    storm->events = 0;
    memset(storm->joint, 0, (size_t)sim->ns * sizeof *storm->joint);
    memset(storm->law, 0, (size_t)sim->system.law_count * sizeof *storm->law);
}

/** Joints that the event has changed, or was about. */
static void count_joints(dt_simulation *sim)
{
    unsigned char *joint = sim->storm.joint;
    for (int k = 0; k < sim->ns; k++) {
        const int *fired = sim->roots.fired + 2 * k;
        joint[k] = (unsigned char)(joint[k] + (fired[0] || fired[1]));
    }
    for (size_t j = 0; j < sim->event.change_count; j++) {
        const size_t k = sim->event.changes[j].stiction;
        const int *fired = sim->roots.fired + 2 * k;
        joint[k] = (unsigned char)(joint[k] + !(fired[0] || fired[1]));
    }
}

/** Who has taken part in the event just handled. */
static void count(dt_simulation *sim)
{
    dt_storm *storm = &sim->storm;
    const dt_system *s = &sim->system;
    storm->events++;
    count_joints(sim);
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        const int *fired = sim->roots.fired + dt_roots_place(sim, law);
        bool any = false;
        for (int j = 0; j < 2 * law->program->switch_count; j++) {
            any = any || fired[j] != 0;
        }
        storm->law[l] = (unsigned char)(storm->law[l] + any);
    }
}

/** The largest count not yet told, which is set to zero; -1 where nobody is left. */
static int take_largest(unsigned char *counts, int n, int *times)
{
    int most = -1;
    for (int k = 0; k < n; k++) {
        if (counts[k] > 0 && (most < 0 || counts[k] > counts[most])) {
            most = k;
        }
    }
    if (most >= 0) {
        *times = counts[most];
        counts[most] = 0;
    }
    return most;
}

/** Those that took part most often, in words. */
static void name_participants(dt_simulation *sim, char *text, size_t size)
{
    const detent_mechanism *m = sim->mechanism;
    size_t length = 0;
    int times = 0;
    text[0] = '\0';
    for (int n = 0; n < MOST_NAMED && length < size; n++) {
        const int k = take_largest(sim->storm.joint, sim->ns, &times);
        if (k >= 0) {
            length += (size_t)snprintf(text + length, size - length, "%s joint '%s' (%d times)",
                                       length > 0 ? "," : ":",
                                       m->primitives[m->stictions[k].primitive].name, times);
        }
    }
    for (int n = 0; n < MOST_NAMED && length < size; n++) {
        const int l = take_largest(sim->storm.law, sim->system.law_count, &times);
        if (l >= 0) {
            length += (size_t)snprintf(text + length, size - length, "%s law '%.*s' (%d times)",
                                       length > 0 ? "," : ":", LONGEST_LAW,
                                       sim->system.law[l]->program->text, times);
        }
    }
}

detent_status dt_storm_guard(dt_simulation *sim, detent_error *error)
{
    dt_storm *storm = &sim->storm;
    const double t = sim->system.time,
                 rate = sim->settings.max_event_rate > 0 ? sim->settings.max_event_rate
                                                         : usual_rate / sim->scale.time,
                 bound = rate * (sim->ns > 0 ? sim->ns : 1);
    char who[400];
    count(sim);
    if (storm->events < window) {
        return DETENT_OK;
    }
    if ((t - storm->since) * bound >= (double)storm->events) {
        dt_storm_restart(sim, t);
        return DETENT_OK;
    }
    name_participants(sim, who, sizeof who);
    return dt_fail(
        error, DETENT_EVENT_STORM, NULL,
        "event storm: %zu events between t = %.9g s and %.9g s; max_event_rate is %g per "
        "second and stiction joint%s",
        storm->events, storm->since, t, rate, who);
}
