/*
 * Greedy: every reduction is tried in turn, and kept where the verdict stays the same; until none is, or time is up.
 * Reductions that make no mechanism (a law that reads a joint that is gone) have another verdict and go by themselves.
 */
#include "shrink.h"

#include "kind.h"
#include "prove.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void shrink_judge(const sketch *s, unsigned salt, double seconds, verdict *v)
{
    char *text[1 + TRIAL_CHANGED];
    trial t = {.name = "soak.yaml", .steps = s->steps, .salt = salt, .script.inputs = s->inputs};
    for (int k = 0; k <= TRIAL_CHANGED; k++) {
        text[k] = malloc(SKETCH_TEXT);
        if (!text[k]) {
            abort();
        }
        sketch_write(s, (uint64_t)k, k ? trial_sizes[k - 1] * s->rtol : 0, text[k], SKETCH_TEXT);
        if (k) {
            t.changed[k - 1] = text[k];
        }
    }
    t.text = text[0];
    for (int k = 0; k < s->inputs; k++) {
        t.script.input_time[k] = s->input_time[k] * sketch_unit(s, 0, 0, 1);
    }
    memcpy(t.script.input_value, s->input_value, sizeof t.script.input_value);
    judge_in_child(&t, seconds, v);
    char words[256] = "";
    if (v->kind == VERDICT_FINE) {
        const double off = prove_dynamics(s, v, words, sizeof words);
        v->held = !isnan(off);
        v->kind = off > prove_bound ? VERDICT_DYNAMICS : v->kind;
        snprintf(v->words, sizeof v->words, "%s", off > prove_bound ? words : "");
    }
    for (int k = 0; k <= TRIAL_CHANGED; k++) {
        free(text[k]);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool shrinker_attempt(shrinker *w, const sketch *t)
{
    verdict v;
    if (now() > w->until || memcmp(t, w->s, sizeof *t) == 0) {
        return false;
    }
    shrink_judge(t, w->salt, w->seconds, &v);
    if (!verdict_same(&v, w->v)) {
        return false;
    }
    *w->s = *t;
    *w->v = v;
    w->shorter = true;
    return true;
}

static void try_law(shrinker *w, char *place, const char *law)
{
    sketch t = *w->s;
    char *mine = (char *)&t + (place - (char *)w->s); /* the same law of the copy */
    if (strlen(law) < SKETCH_LAW && strlen(law) <= strlen(mine)) {
        memset(mine, 0, SKETCH_LAW);
        memcpy(mine, law, strlen(law));
        shrinker_attempt(w, &t);
    }
}

/* Numbers of a law, one after the other, with one digit. */
static void round_law(shrinker *w, char *law)
{
    for (int n = 0; n < 8; n++) {
        char text[SKETCH_LAW + 64];
        int seen = 0;
        char *at = law;
        while (*at) {
            if ((*at >= '0' && *at <= '9') &&
                (at == law || !strchr("abcdefghijklmnopqrstuvwxyz_0123456789.", at[-1]))) {
                char *end;
                const double x = strtod(at, &end);
                if (seen++ == n) {
                    snprintf(text, sizeof text, "%.*s%.1g%s", (int)(at - law), law, x, end);
                    if (strlen(text) < strlen(law)) {
                        try_law(w, law, text);
                    }
                    break;
                }
                at = end;
            } else {
                at++;
            }
        }
    }
}

void shrinker_law(shrinker *w, char *law, bool may_go)
{
    if (!law[0]) {
        return;
    }
    if (may_go) {
        try_law(w, law, "");
    }
    try_law(w, law, "0");
    try_law(w, law, law[0] == '-' ? "-1" : "1");
    round_law(w, law);
}

void shrinker_numbers(shrinker *w, double *place, int count, double value)
{
    sketch t = *w->s;
    double *mine = (double *)(void *)((char *)&t + ((char *)place - (char *)w->s));
    bool differs = false;
    for (int k = 0; k < count; k++) {
        differs = differs || mine[k] != value;
        mine[k] = value;
    }
    if (differs) {
        shrinker_attempt(w, &t);
    }
}

void shrinker_round(shrinker *w, double *place)
{
    char text[32];
    snprintf(text, sizeof text, "%.1g", *place);
    shrinker_numbers(w, place, 1, strtod(text, NULL));
}

void shrink(sketch *s, unsigned salt, double seconds, double budget, verdict *v)
{
    shrinker w = {.s = s, .v = v, .salt = salt, .seconds = seconds, .until = now() + budget};
    do {
        w.shorter = false;
        for (int k = 0; k < SKETCH_KINDS; k++) {
            if (sketch_kinds[k]->drop) {
                sketch_kinds[k]->drop(&w);
            }
        }
        for (int k = 0; k < SKETCH_KINDS; k++) {
            if (sketch_kinds[k]->simplify_laws) {
                sketch_kinds[k]->simplify_laws(&w);
            }
        }
        for (int k = 0; k < SKETCH_KINDS; k++) {
            if (sketch_kinds[k]->simplify_numbers) {
                sketch_kinds[k]->simplify_numbers(&w);
            }
        }
    } while (w.shorter && now() < w.until);
}
