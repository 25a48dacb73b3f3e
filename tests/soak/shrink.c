/*
 * Greedy: every reduction is tried in turn, and kept where the verdict stays the same; until none is, or time is up.
 * Reductions that make no mechanism (a law that reads a joint that is gone) have another verdict and go by themselves.
 */
#include "shrink.h"

#include "chance.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void shrink_judge(const sketch *s, unsigned salt, double seconds, verdict *v)
{
    char *text[1 + TRIAL_CHANGED];
    trial t = {.name = "soak.yaml", .salt = salt, .script.inputs = s->inputs};
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
    for (int k = 0; k <= TRIAL_CHANGED; k++) {
        free(text[k]);
    }
}

typedef struct shrinker {
    sketch *s;
    verdict *v;
    unsigned salt;
    double seconds, until;
    bool shorter; /* something was kept in this pass */
} shrinker;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Keeps `t` if it tells the same. */
static bool attempt(shrinker *w, const sketch *t)
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

/* ---- whole items ---- */

/* Joint k goes; what hangs on it hangs on its base. */
static void drop_joint(shrinker *w, int k)
{
    sketch t = *w->s;
    t.joint[k].alive = false;
    for (int j = 0; j < t.count; j++) {
        if (t.joint[j].base == k) {
            t.joint[j].base = t.joint[k].base;
        }
    }
    for (int l = 0; l < SKETCH_LOADS; l++) {
        t.load[l].body = t.load[l].body == k ? -1 : t.load[l].body;
    }
    attempt(w, &t);
}

/* A joint of many primitives becomes one of a single primitive; laws keep its name. */
static void single_out(shrinker *w, int k, int i)
{
    sketch t = *w->s;
    sketch_joint *j = &t.joint[k];
    j->type = j->primitive[i].kind == 'r'   ? "revolute"
              : j->primitive[i].kind == 'p' ? "prismatic"
                                            : "spherical";
    j->primitive[0] = j->primitive[i];
    j->count = 1;
    snprintf(j->primitive[0].name, sizeof j->primitive[0].name, "j%d", k);
    char old[24];
    snprintf(old, sizeof old, "%s", w->s->joint[k].primitive[i].name);
    sketch_primitive *p = &j->primitive[0];
    char *laws[] = {p->kinetic, p->limit, p->forward, p->reverse, p->external, p->force, p->test};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        for (char *at; (at = strstr(laws[l], old));) { /* "j3.p1" is longer than "j3" */
            const size_t length = strlen(p->name);
            memmove(at + length, at + strlen(old), strlen(at + strlen(old)) + 1);
            memcpy(at, p->name, length);
        }
    }
    attempt(w, &t);
}

static void drop_items(shrinker *w)
{
    for (int k = w->s->count - 1; k >= 0; k--) {
        if (w->s->joint[k].alive) {
            drop_joint(w, k);
        }
    }
    for (int l = 0; l < SKETCH_LOADS; l++) {
        if (w->s->load[l].body >= 0) {
            sketch t = *w->s;
            t.load[l].body = -1;
            attempt(w, &t);
        }
    }
    for (int k = 0; k < SKETCH_SPRINGS; k++) {
        if (sketch_has_spring(w->s, k)) {
            sketch t = *w->s;
            t.spring[k].alive = false;
            attempt(w, &t);
        }
    }
    for (int k = 0; k < SKETCH_STATES; k++) {
        if (w->s->state[k].alive) {
            sketch t = *w->s;
            t.state[k].alive = false;
            attempt(w, &t);
        }
    }
    for (int k = 0; k < w->s->inputs; k++) {
        sketch t = *w->s;
        t.inputs = k;
        attempt(w, &t);
    }
    for (int k = 0; k < w->s->count; k++) {
        for (int i = 0;
             w->s->joint[k].alive && w->s->joint[k].count > 1 && i < w->s->joint[k].count; i++) {
            single_out(w, k, i);
        }
    }
}

/* ---- laws ---- */

static void try_law(shrinker *w, char *place, const char *law)
{
    sketch t = *w->s;
    char *mine = (char *)&t + (place - (char *)w->s); /* the same law of the copy */
    if (strlen(law) < SKETCH_LAW && strlen(law) <= strlen(mine)) {
        memset(mine, 0, SKETCH_LAW);
        memcpy(mine, law, strlen(law));
        attempt(w, &t);
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

static void simplify_law(shrinker *w, char *law, bool may_go)
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

/*
 * Kinetic and static friction change together, lest the static friction falls below the kinetic one: no consistent
 * state would be no wonder.
 */
static void try_friction(shrinker *w, int k, int i, const char *law)
{
    sketch t = *w->s;
    sketch_primitive *p = &t.joint[k].primitive[i];
    char copy[SKETCH_LAW] = {0};
    snprintf(copy, sizeof copy, "%s", law);
    memcpy(p->kinetic, copy, SKETCH_LAW);
    memcpy(p->limit, copy, SKETCH_LAW);
    memset(p->forward, 0, SKETCH_LAW);
    memset(p->reverse, 0, SKETCH_LAW);
    attempt(w, &t);
}

static void simplify_friction(shrinker *w, sketch_primitive *p, int k, int i)
{
    sketch t = *w->s;
    t.joint[k].primitive[i].stiction = false;
    if (attempt(w, &t)) {
        return;
    }
    try_friction(w, k, i, "0");
    try_friction(w, k, i, "1");
    try_friction(w, k, i, p->kinetic);
    simplify_law(w, p->test, true);
    simplify_law(w, p->external, true);
}

static void simplify_laws(shrinker *w)
{
    for (int k = 0; k < w->s->count; k++) {
        for (int i = 0; w->s->joint[k].alive && i < w->s->joint[k].count; i++) {
            sketch_primitive *p = &w->s->joint[k].primitive[i];
            simplify_law(w, p->force, true);
            simplify_law(w, p->motion, true);
            if (!p->stiction) {
                continue;
            }
            simplify_friction(w, p, k, i);
        }
    }
    for (int l = 0; l < SKETCH_LOADS; l++) {
        for (int x = 0; x < 3 && w->s->load[l].body >= 0; x++) {
            simplify_law(w, w->s->load[l].force[x], true);
            simplify_law(w, w->s->load[l].torque[x], true);
        }
    }
}

/* ---- numbers ---- */

static void try_numbers(shrinker *w, double *place, int count, double value)
{
    sketch t = *w->s;
    double *mine = (double *)(void *)((char *)&t + ((char *)place - (char *)w->s));
    bool differs = false;
    for (int k = 0; k < count; k++) {
        differs = differs || mine[k] != value;
        mine[k] = value;
    }
    if (differs) {
        attempt(w, &t);
    }
}

static void round_number(shrinker *w, double *place)
{
    char text[32];
    snprintf(text, sizeof text, "%.1g", *place);
    try_numbers(w, place, 1, strtod(text, NULL));
}

static void simplify_numbers(shrinker *w)
{
    sketch *s = w->s;
    try_numbers(w, s->gravity, 3, 0);
    round_number(w, &s->end);
    if (s->end > 0.01) {
        try_numbers(w, &s->end, 1, s->end / 2);
    }
    for (int k = 0; k < s->count; k++) {
        sketch_joint *j = &s->joint[k];
        if (!j->alive) {
            continue;
        }
        try_numbers(w, j->center, 3, 0);
        try_numbers(w, j->at_base, 3, 0);
        try_numbers(w, j->turn_base, 3, 0);
        try_numbers(w, j->at_follower, 3, 0);
        try_numbers(w, &j->mass, 1, 1);
        try_numbers(w, j->inertia, 3, 0);
        try_numbers(w, j->inertia, 3, 0.1);
        if (j->axis[0] != 0 || j->axis[1] != 0) {
            sketch t = *s;
            t.joint[k].axis[0] = 1;
            t.joint[k].axis[1] = t.joint[k].axis[2] = 0;
            attempt(w, &t);
        }
        for (int i = 0; i < j->count; i++) {
            sketch_primitive *p = &j->primitive[i];
            try_numbers(w, &p->position, 1, 0);
            try_numbers(w, &p->velocity, 1, 0);
            try_numbers(w, p->spin, 3, 0);
            try_numbers(w, &p->stiffness, 1, 0);
            try_numbers(w, &p->damping, 1, 0);
            try_numbers(w, &p->armature, 1, 0);
            try_numbers(w, &p->rest, 1, 0);
            try_numbers(w, &p->threshold, 1, 1e-3);
            sketch t = *s;
            t.joint[k].primitive[i].band = false;
            attempt(w, &t);
            round_number(w, &p->position);
            round_number(w, &p->velocity);
            round_number(w, &p->stiffness);
            round_number(w, &p->damping);
        }
        round_number(w, &j->mass);
        for (int x = 0; x < 3; x++) {
            round_number(w, &j->center[x]);
            round_number(w, &j->at_base[x]);
            round_number(w, &j->axis[x]);
        }
    }
}

/* Ordinary sizes. */
static void simplify_sizes(shrinker *w)
{
    try_numbers(w, w->s->unit, 3, 1);
    for (int k = 0; k < 3; k++) {
        try_numbers(w, &w->s->unit[k], 1, 1);
    }
    for (int k = 0; k < w->s->count; k++) {
        for (int i = 0; i < w->s->joint[k].count; i++) {
            try_numbers(w, w->s->joint[k].primitive[i].nominal, 2, 0);
        }
    }
}

void shrink(sketch *s, unsigned salt, double seconds, double budget, verdict *v)
{
    shrinker w = {.s = s, .v = v, .salt = salt, .seconds = seconds, .until = now() + budget};
    do {
        w.shorter = false;
        drop_items(&w);
        simplify_sizes(&w);
        simplify_laws(&w);
        simplify_numbers(&w);
    } while (w.shorter && now() < w.until);
}
