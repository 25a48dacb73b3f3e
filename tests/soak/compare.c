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

static void compare_modes(const record *a, const record *b, size_t stiction, double unit,
                          double end, steps *s)
{
    const record *r[2] = {a, b};
    size_t at[2];
    int now[2] = {0, 0};
    double since = 0;
    bool apart = false;
    for (int side = 0; side < 2; side++) {
        at[side] = next_change(r[side], stiction, 0);
        now[side] = at[side] < r[side]->changes ? motion(&r[side]->change[at[side]]) : 0;
        at[side] = next_change(r[side], stiction, at[side] + 1);
    }
    apart = now[0] != now[1];
    for (;;) {
        const double t[2] = {
            at[0] < a->changes ? a->change[at[0]].time : (double)INFINITY,
            at[1] < b->changes ? b->change[at[1]].time : (double)INFINITY,
        };
        const double t_next = fmin(fmin(t[0], t[1]), end);
        const bool over = !(fmin(t[0], t[1]) < end);
        if (apart) {
            if (t_next > since) {
                /* it counts from when it is as long as it is: half of it is there by then */
                add(s, since, (t_next - since) / unit,
                    "stiction %zu is in motion %+d and %+d from %.9g to %.9g", stiction, now[0],
                    now[1], since, t_next);
            }
        }
        if (over) {
            return;
        }
        for (int side = 0; side < 2; side++) {
            while (at[side] < r[side]->changes && r[side]->change[at[side]].time == t_next) {
                now[side] = motion(&r[side]->change[at[side]]);
                at[side] = next_change(r[side], stiction, at[side] + 1);
            }
        }
        apart = now[0] != now[1];
        since = t_next;
    }
}

static void compare_states(const record *a, const record *b, const detent_settings *settings,
                           steps *s)
{
    const size_t size = a->size;
    const double atol = settings->atol > 0 ? settings->atol : 1e-9;
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
            const double own = fabs(x - y) / (settings->rtol * most[j] + atol);
            if (!(own <= worst)) {
                worst = own;
                where = j;
            }
        }
        const bool velocity = where >= a->coordinates;
        const double x = a->sample[(size_t)k * size + where],
                     y = b->sample[(size_t)k * size + where];
        add(s, a->sample_time[k], worst, "%s %zu is %.9g and %.9g at %.6g",
            velocity ? "velocity" : "coordinate", velocity ? where - a->coordinates : where, x, y,
            a->sample_time[k]);
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
        compare_modes(a, b, k, unit, end, &s);
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
