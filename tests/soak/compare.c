/* Distances of runs. */
#include "compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 120 };

typedef struct step {
    double time, value;
    char words[WORDS];
} step;

typedef struct steps {
    size_t count, room;
    step *step;
} steps;

__attribute__((format(printf, 4, 5))) static void add(steps *s, double time, double value,
                                                      const char *format, ...)
{
    if (s->count == s->room) {
        s->room = 2 * s->room + 64;
        s->step = realloc(s->step, s->room * sizeof *s->step);
        if (!s->step) {
            abort();
        }
    }
    step *new = &s->step[s->count++];
    new->time = time;
    new->value = isnan(value) ? (double)INFINITY : value;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(new->words, WORDS, format, arguments);
    va_end(arguments);
}

/* -1, +1: moves; 0: rests. Waiting and unlocked are one: which it is, is a question of the threshold alone. */
static int motion(const record_change *c)
{
    return c->direction;
}

/* The next change of a joint after position `at`; the number of changes where there is none. */
static size_t next_change(const record *r, size_t stiction, size_t at)
{
    while (at < r->changes && r->change[at].stiction != stiction) {
        at++;
    }
    return at;
}

/* One joint's motion as time goes on. */
typedef struct walk {
    const record *record;
    size_t at; /* the next change */
    int now;
    double
        reversal; /* acceleration of the last change, if it was one of direction; else infinite */
} walk;

static walk start_walk(const record *r, size_t stiction)
{
    const size_t first = next_change(r, stiction, 0);
    return (walk){.record = r,
                  .at = next_change(r, stiction, first + 1),
                  .now = first < r->changes ? motion(&r->change[first]) : 0,
                  .reversal = (double)INFINITY};
}

static double next_time(const walk *w)
{
    return w->at < w->record->changes ? w->record->change[w->at].time : (double)INFINITY;
}

/* Takes all changes of one instant. */
static void take_changes(walk *w, size_t stiction, double t)
{
    const int before = w->now;
    while (next_time(w) == t) {
        const record_change *c = &w->record->change[w->at];
        w->now = motion(c);
        w->reversal = before * w->now < 0 ? fabs(c->margin) : (double)INFINITY;
        w->at = next_change(w->record, stiction, w->at + 1);
    }
}

/* The greatest speed of a joint among the samples and the events of an interval; infinite where there is none. */
static double fastest_within(const walk w[2], size_t stiction, double since, double until)
{
    double most = 0;
    bool any = false;
    for (int r = 0; r < 2; r++) {
        const record *run = w[r].record;
        const size_t place = run->coordinates + run->freedom[stiction];
        for (int k = 0; k < run->samples; k++) {
            if (run->sample_time[k] > since && run->sample_time[k] < until) {
                most = fmax(most, fabs(run->sample[(size_t)k * run->row + place]));
                any = true;
            }
        }
        for (size_t k = 0; k < run->events; k++) {
            if (run->event_time[k] > since && run->event_time[k] <= until) {
                most = fmax(most, run->event_speed[k * run->stictions + stiction]);
                any = true;
            }
        }
    }
    return any ? most : (double)INFINITY;
}

/* Whether no sample of a joint has any friction: then its mode says nothing that its coordinate does not. */
static bool is_frictionless(const walk w[2], size_t stiction)
{
    bool any = false;
    for (int r = 0; r < 2; r++) {
        const record *run = w[r].record;
        for (int k = 0; k < run->samples; k++) {
            any = any || run->friction[(size_t)k * run->stictions + stiction] != 0;
        }
    }
    return !any;
}

/* Whether no sample of a joint has friction while it moves: what turns it round is then no event, and its direction what it was at the last one. */
static bool slides_freely(const walk w[2], size_t stiction)
{
    bool any = false;
    for (int r = 0; r < 2; r++) {
        const record *run = w[r].record;
        const size_t place = run->coordinates + run->freedom[stiction];
        for (int k = 0; k < run->samples; k++) {
            any = any || (run->sample[(size_t)k * run->row + place] != 0 &&
                          run->friction[(size_t)k * run->stictions + stiction] != 0);
        }
    }
    return !any;
}

/*
 * In units of the tolerance. A joint that moves at a speed that is nothing is at rest but for its name: what has just left, and turns
 * back before its speed is that of ten tolerances, stops at the next event. Whether one that no friction holds counts as locked is a
 * tie of zero with zero. Where the joint turned round
 * in one run and has not yet in the other, what differs is no more than the speed that it has by then: next to nothing
 * where a motion has died down.
 */
static void add_interval(steps *s, size_t stiction, const walk w[2], double since, double until,
                         double unit, double speed)
{
    const double a = fmin(w[0].reversal, w[1].reversal);
    const double length = until - since, gained = isfinite(a) ? a * length / speed : length / unit;
    const double crawl = fastest_within(w, stiction, since, until) / speed;
    if (length > 0) {
        add(s, since, fmin(length / unit, fmin(gained, crawl)),
            "stiction %zu is in motion %+d and %+d from %.9g to %.9g", stiction, w[0].now, w[1].now,
            since, until);
    }
}

static void compare_modes(const record *a, const record *b, size_t stiction, double unit,
                          double speed, double end, steps *s)
{
    walk w[2] = {start_walk(a, stiction), start_walk(b, stiction)};
    double since = 0;
    if (is_frictionless(w, stiction)) {
        return;
    }
    const bool is_free = slides_freely(w, stiction);
    for (;;) {
        const double next = fmin(next_time(&w[0]), next_time(&w[1]));
        const bool turned = w[0].now * w[1].now < 0;
        if (w[0].now != w[1].now && !(is_free && turned)) {
            add_interval(s, stiction, w, since, fmin(next, end), unit, speed);
        }
        if (!(next < end)) {
            return;
        }
        take_changes(&w[0], stiction, next);
        take_changes(&w[1], stiction, next);
        since = next;
    }
}

/* The tolerance of a joint's speed: samples may have missed a short motion, but not what the file says is slow. */
static double speed_tolerance(const record *r, size_t stiction, const detent_settings *settings)
{
    const size_t place = r->coordinates + r->freedom[stiction];
    double most = r->threshold[stiction];
    for (int k = 0; k < r->samples; k++) {
        most = fmax(most, fabs(r->sample[(size_t)k * r->row + place]));
    }
    return settings->rtol * most + r->nothing[place];
}

static void compare_states(const record *a, const record *b, const detent_settings *settings,
                           steps *s)
{
    const size_t size = a->row;
    double *most = calloc(size + 1, sizeof *most);
    if (!most) {
        abort();
    }
    for (int k = 0; k < a->samples; k++) {
        for (size_t j = 0; j < size; j++) {
            most[j] = fmax(most[j], fabs(a->sample[(size_t)k * size + j]));
        }
    }
    for (int k = 0; k < a->samples && k < b->samples; k++) {
        double worst = 0;
        size_t where = 0;
        for (size_t j = 0; j < size; j++) {
            const double x = a->sample[(size_t)k * size + j], y = b->sample[(size_t)k * size + j];
            const double own = fabs(x - y) / (settings->rtol * most[j] + a->nothing[j]);
            if (!(own <= worst)) {
                worst = own;
                where = j;
            }
        }
        const bool state = where >= a->size, velocity = !state && where >= a->coordinates;
        const double x = a->sample[(size_t)k * size + where],
                     y = b->sample[(size_t)k * size + where];
        add(s, a->sample_time[k], worst, "%s %zu is %.9g and %.9g at %.6g",
            state      ? "state"
            : velocity ? "velocity"
                       : "coordinate",
            state      ? where - a->size
            : velocity ? where - a->coordinates
                       : where,
            x, y, a->sample_time[k]);
    }
    free(most);
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const step *)a)->time, y = ((const step *)b)->time;
    return (x > y) - (x < y);
}

void distance_of(const record *a, const record *b, const detent_settings *settings, distance *d)
{
    steps s = {0};
    const double end = fmin(isnan(a->time) ? 0 : a->time, isnan(b->time) ? 0 : b->time);
    const double unit = settings->rtol * (settings->end - settings->start);
    for (size_t k = 0; k < a->stictions; k++) {
        compare_modes(a, b, k, unit, speed_tolerance(a, k, settings), end, &s);
    }
    compare_states(a, b, settings, &s);
    qsort(s.step, s.count, sizeof *s.step, by_time);
    *d = (distance){.count = s.count};
    d->time = calloc(s.count + 1, sizeof *d->time);
    d->value = calloc(s.count + 1, sizeof *d->value);
    d->what = calloc(s.count + 1, WORDS);
    if (!d->time || !d->value || !d->what) {
        abort();
    }
    double most = 0;
    for (size_t k = 0; k < s.count; k++) {
        const bool grows = s.step[k].value > most;
        most = fmax(most, s.step[k].value);
        d->time[k] = s.step[k].time;
        d->value[k] = most;
        memcpy(d->what + k * WORDS, grows || k == 0 ? s.step[k].words : d->what + (k - 1) * WORDS,
               WORDS);
    }
    free(s.step);
}

void distance_free(distance *d)
{
    free(d->time);
    free(d->value);
    free(d->what);
    *d = (distance){0};
}

double distance_at(const distance *d, double time)
{
    double value = 0;
    for (size_t k = 0; k < d->count && d->time[k] <= time; k++) {
        value = d->value[k];
    }
    return value;
}

const char *distance_words(const distance *d, size_t k)
{
    return d->what + k * WORDS;
}
