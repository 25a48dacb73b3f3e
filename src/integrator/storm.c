/*
 * Event storms: a law that chatters, a joint that neither sticks nor slips. Time crawls from event to
 * event. The events of a window are counted, with who takes part in them; where the window passes faster
 * than the bound allows, the run ends and names them; unless the user has given the bound, only where as many events as that
 * would not come to the end of the run in a sensible time: a clock of one hertz in a run of a million seconds is no storm. A changed input is no such event: it comes from
 * outside, as often as somebody likes, and with it a new window begins.
 */
#include "integrator/storm.h"
#include "integrator/core.h"
#include "integrator/roots.h"
#include "integrator/source.h"

#include <math.h>
#include <stdio.h>

static const size_t window = 200;     /* events */
static const size_t few = 20;         /* events: of a lap */
static const double sensible = 1e7;   /* events in the whole run */
static const double usual_rate = 1e4; /* in the nominal time of the mechanism */
/*
 * In the nominal time, over the square root of rtol: swings that are told (sliding_swings.c) of the nominal force take
 * sqrt(8 rtol) of it from border to border.
 */
static const double swing_rate = 4;
/* Per radian that the fastest joint turns: what spins meets events on its way. */
static const double usual_share = 10;

enum { MOST_NAMED = 3 };

static int participants(const dt_simulation *sim, int source)
{
    const dt_source_row *row = sim->source[source];
    return row->participants ? row->participants(sim) : 0;
}

bool dt_storm_create(dt_arena *arena, dt_simulation *sim)
{
    bool all = true;
    for (int k = 0; k < DT_SOURCES && all; k++) {
        unsigned char **times = &sim->storm.times[k];
        *times = dt_arena_alloc(arena, (size_t)participants(sim, k), sizeof **times);
        all = *times != NULL;
    }
    return all;
}

void dt_storm_restart(dt_simulation *sim, double t)
{
    dt_storm *storm = &sim->storm;
    storm->since = storm->lap = t;
    storm->events = 0;
    storm->hurries = false;
    for (int k = 0; k < DT_SOURCES; k++) {
        memset(storm->times[k], 0, (size_t)participants(sim, k));
    }
}

/* Who has taken part in the event just handled. */
static void count(dt_simulation *sim)
{
    sim->storm.events++;
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->count) {
            sim->source[k]->count(sim, sim->storm.times[k]);
        }
    }
}

/* The largest count not yet told, which is set to zero; -1 where nobody is left. */
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

/* Those of a source that took part most often, in words; returns the length so far. */
static size_t name_source(dt_simulation *sim, int source, char *text, size_t size, size_t length)
{
    const dt_source_row *row = sim->source[source];
    int times = 0;
    for (int n = 0; n < MOST_NAMED && length < size; n++) {
        const int k = take_largest(sim->storm.times[source], participants(sim, source), &times);
        if (k >= 0) {
            length += (size_t)snprintf(text + length, size - length, "%s %s '%.*s' (%d times)",
                                       length > 0 ? "," : ":", row->noun, row->longest_name,
                                       row->name(sim, k), times);
        }
    }
    return length;
}

static void name_participants(dt_simulation *sim, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < DT_SOURCES; k++) {
        length = name_source(sim, k, text, size, length);
    }
}

/* How fast the fastest joint turns. */
static double fastest_turn(const dt_system *s)
{
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; node->type->rotational && j < node->v + node->type->nv; j++) {
            most = fmax(most, fabs(s->v[j]));
        }
    }
    return most;
}

/* Events per second and stiction joint that are believed. */
static double believed_rate(const dt_simulation *sim)
{
    const double given = sim->settings.max_event_rate;
    return given > 0
               ? given
               : fmax(fmax(usual_rate, swing_rate / sqrt(sim->settings.rtol)) / sim->scale.time,
                      usual_share * fastest_turn(&sim->system));
}

/* `bound`: events per second. */
static void note_lap(dt_storm *storm, double t, double bound)
{
    if (storm->events % few == 0) {
        storm->hurries = (t - storm->lap) * bound < (double)few;
        storm->lap = t;
    }
}

/* The law whose switches alone have made all events of the window; NULL: others took part. */
static const char *only_law(const dt_simulation *sim)
{
    const char *law = NULL;
    for (int k = 0; k < DT_SOURCES; k++) {
        for (int n = 0; n < participants(sim, k); n++) {
            if (sim->storm.times[k][n] == 0) {
                continue;
            }
            if (law || !sim->source[k]->of_laws) {
                return NULL;
            }
            law = sim->source[k]->name(sim, n);
        }
    }
    return law;
}

/*
 * Bounces come faster and faster until they end in contact; each takes a part of the velocity, so that they do, after 35/(1 - e) or so. What
 * happens between them, as joints turn round and are held, belongs to them; but not a whole window of events without one. They are no storm before there are very
 * many.
 */
static bool is_bounce(dt_simulation *sim, double t, double bound)
{
    static const size_t many = 20000;
    dt_storm *storm = &sim->storm;
    storm->quiet = sim->statistics.impacts == storm->impacts_known ? storm->quiet + 1 : 0;
    storm->impacts_known = sim->statistics.impacts;
    if (!sim->impact.exists || storm->quiet >= window ||
        !((t - sim->impact.time) * bound < (double)few)) {
        return false;
    }
    if (storm->impacts == 0 || (t - storm->impacts_since) * bound >= (double)storm->impacts) {
        storm->impacts = 0;
        storm->impacts_since = t;
    }
    return ++storm->impacts < many;
}

detent_status dt_storm_guard(dt_simulation *sim, detent_error *error)
{
    dt_storm *storm = &sim->storm;
    const double t = sim->system.time, rate = believed_rate(sim),
                 bound = rate * (sim->ns > 0 ? sim->ns : 1);
    char who[400];
    if (sim->fixed.exists) { /* an event takes a step, and so comes to an end */
        return DETENT_OK;
    }
    if (is_bounce(sim, t, bound)) {
        dt_storm_restart(sim, t);
        return DETENT_OK;
    }
    count(sim);
    note_lap(storm, t, bound);
    if (storm->events < window) {
        return DETENT_OK;
    }
    /* of the whole run: its end may have been passed */
    const double left = dt_horizon(sim) * (double)storm->events, lasted = t - storm->since;
    if (lasted * bound >= (double)storm->events ||
        (!(sim->settings.max_event_rate > 0) && left <= sensible * lasted)) {
        dt_storm_restart(sim, t);
        return DETENT_OK;
    }
    const char *law = lasted == 0 ? only_law(sim) : NULL;
    if (law) {
        return dt_fail(
            error, DETENT_NO_CONSISTENT_STATE, NULL,
            "no consistent state after t = %.9g s: the law '%.80s' is at the border of its "
            "branches, and either of them leads back; let it follow less strongly what it "
            "changes itself",
            t, law);
    }
    name_participants(sim, who, sizeof who);
    return dt_fail(
        error, DETENT_EVENT_STORM, NULL,
        "event storm: %zu events between t = %.9g s and %.9g s; max_event_rate is %g per "
        "second and stiction joint%s",
        storm->events, storm->since, t, rate, who);
}
