/* A sketch as the text of a mechanism file. */
#include "sketch.h"

#include "chance.h"

#include <stdarg.h>
#include <string.h>

typedef struct writer {
    char *text;
    size_t length, capacity;
    chance chance;
    double size; /* of the changes */
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(w->text + w->length, w->capacity - w->length, format, arguments);
    va_end(arguments);
    w->length += length > 0 ? (size_t)length : 0;
    if (w->length >= w->capacity) {
        w->length = w->capacity - 1;
    }
}

/* What to multiply with: one, or nearly. */
static double factor(writer *w)
{
    return w->size > 0 ? 1 + w->size * chance_in(&w->chance, -1, 1) : 1;
}

static void put_vector(writer *w, const char *key, const double v[3])
{
    put(w, "%s[%.16g, %.16g, %.16g]", key, v[0], v[1], v[2]);
}

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static void put_law(writer *w, const char *key, const char *law, double by)
{
    if (law[0] && by == 1) {
        put(w, ", %s: \"%s\"", key, law);
    } else if (law[0]) {
        put(w, ", %s: \"%.16g*(%s)\"", key, by, law);
    }
}

static void put_bodies(writer *w, const sketch *s)
{
    put(w, "bodies:\n");
    for (int k = 0; k < s->count; k++) {
        const sketch_joint *j = &s->joint[k];
        if (!j->alive) {
            continue;
        }
        const double by = factor(w);
        put(w, "  b%d: {mass: %.16g", k, j->mass * by);
        if (!is_zero(j->center)) {
            put_vector(w, ", center_of_mass: ", j->center);
        }
        if (!is_zero(j->inertia)) {
            const double inertia[3] = {j->inertia[0] * by, j->inertia[1] * by, j->inertia[2] * by};
            put_vector(w, ", inertia: ", inertia);
        }
        put(w, "}\n");
    }
}

/* The keys of one primitive, each with a comma before it. */
static void put_primitive(writer *w, const sketch_primitive *p)
{
    const double by = factor(w);
    if (p->kind == 's') {
        if (!is_zero(p->spin)) {
            const double spin[3] = {p->spin[0] * by, p->spin[1] * by, p->spin[2] * by};
            put_vector(w, ", initial: {velocity: ", spin);
            put(w, "}");
        }
    } else if (!p->motion[0] && (p->position != 0 || p->velocity != 0)) {
        put(w, ", initial: {position: %.16g, velocity: %.16g}", p->position, p->velocity * by);
    }
    if (p->stiffness > 0) {
        put(w, ", spring: {stiffness: %.16g, rest: %.16g}", p->stiffness * factor(w), p->rest);
    }
    if (p->damping > 0) {
        put(w, ", damping: %.16g", p->damping * factor(w));
    }
    if (p->armature > 0) {
        put(w, ", armature: %.16g", p->armature * factor(w));
    }
    put_law(w, "force", p->force, factor(w));
    put_law(w, "motion", p->motion, factor(w));
}

static void put_place(writer *w, const sketch_joint *j)
{
    const bool base = !is_zero(j->at_base) || !is_zero(j->turn_base),
               follower = !is_zero(j->at_follower);
    if (!base && !follower) {
        return;
    }
    put(w, ", at: {");
    if (base) {
        put_vector(w, "base: {point: ", j->at_base);
        if (!is_zero(j->turn_base)) {
            put_vector(w, ", rotation: {rpy: ", j->turn_base);
            put(w, "}");
        }
        put(w, "}");
    }
    if (follower) {
        put_vector(w, base ? ", follower: " : "follower: ", j->at_follower);
    }
    put(w, "}");
}

static const char *key_of(const sketch_primitive *p)
{
    const char *dot = strchr(p->name, '.');
    return dot ? dot + 1 : p->name;
}

static void put_joints(writer *w, const sketch *s)
{
    put(w, "joints:\n");
    for (int k = 0; k < s->count; k++) {
        const sketch_joint *j = &s->joint[k];
        if (!j->alive) {
            continue;
        }
        put(w, "  j%d: {type: %s, base: ", k, j->type);
        put(w, j->base < 0 ? "ground" : "b%d", j->base);
        put(w, ", follower: b%d", k);
        if (!is_zero(j->axis)) {
            put_vector(w, ", axis: ", j->axis);
        }
        if (strcmp(j->type, "custom") == 0) {
            put(w, ", row: [");
            for (int i = 0; i < j->count; i++) {
                put(w, i ? ", %c" : "%c", j->primitive[i].kind);
            }
            put(w, "], axes: [");
            for (int i = 0, n = 0; i < j->count; i++) {
                static const char *const axes[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
                if (j->primitive[i].kind != 's') {
                    put(w, n ? ", %s" : "%s", axes[n % 3]);
                    n++;
                }
            }
            put(w, "]");
        }
        put_place(w, j);
        if (j->count == 1) {
            put_primitive(w, &j->primitive[0]);
        } else if (j->count > 1) {
            put(w, ", primitives: {");
            for (int i = 0; i < j->count; i++) {
                /* an empty mapping is one too; the first key's comma gives way to the brace */
                put(w, i ? ", %s: {" : "%s: {", key_of(&j->primitive[i]));
                const size_t start = w->length;
                put_primitive(w, &j->primitive[i]);
                if (w->length > start) {
                    memmove(w->text + start, w->text + start + 2, w->length - start - 1);
                    w->length -= 2;
                }
                put(w, "}");
            }
            put(w, "}");
        }
        put(w, "}\n");
    }
}

static void put_stiction(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count && s->joint[k].alive; i++) {
            const sketch_primitive *p = &s->joint[k].primitive[i];
            if (!p->stiction) {
                continue;
            }
            const double by =
                factor(w); /* one for all, so that static stays above kinetic friction */
            put(w, any ? "" : "stiction:\n");
            any = true;
            put(w, "  %s: {velocity_threshold: %.16g", p->name, p->threshold);
            put_law(w, "kinetic", p->kinetic, by);
            put_law(w, "static", p->limit, by);
            put_law(w, "forward", p->forward, by);
            put_law(w, "reverse", p->reverse, by);
            put_law(w, "test", p->test, 1);
            put_law(w, "external", p->external, factor(w));
            put(w, "%s}\n", p->band ? ", locking: band" : "");
        }
    }
}

static void put_loads(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < SKETCH_LOADS; k++) {
        const sketch_load *l = &s->load[k];
        if (l->body < 0 || !s->joint[l->body].alive) {
            continue;
        }
        put(w, "%s  l%d: {body: b%d", any ? "" : "loads:\n", k, l->body);
        any = true;
        if (!is_zero(l->at)) {
            put_vector(w, ", at: ", l->at);
        }
        for (int what = 0; what < 2; what++) {
            const sketch_law *law = what ? l->torque : l->force;
            if (!law[0][0] && !law[1][0] && !law[2][0]) {
                continue;
            }
            put(w, ", %s: [", what ? "torque" : "force");
            for (int i = 0; i < 3; i++) {
                put(w, i ? ", " : "");
                if (law[i][0]) {
                    put(w, "\"%.16g*(%s)\"", factor(w), law[i]);
                } else {
                    put(w, "0");
                }
            }
            put(w, "]");
        }
        put(w, "%s}\n", l->in_body ? ", frame: body" : "");
    }
}

void sketch_write(const sketch *s, uint64_t seed, double size, char *text, size_t capacity)
{
    writer w = {.text = text, .capacity = capacity, .chance = {seed}, .size = size};
    text[0] = '\0';
    for (int k = 0; k < s->inputs; k++) {
        put(&w, "# input u %.16g %.16g\n", s->input_time[k], s->input_value[k]);
    }
    put(&w, "detent: 1\n");
    put_vector(&w, "gravity: ", s->gravity);
    put(&w, "\n%s", s->inputs ? "inputs: {u: 0}\n" : "");
    put_bodies(&w, s);
    put_joints(&w, s);
    put_stiction(&w, s);
    put_loads(&w, s);
    put(&w, "simulation: {end: %.16g, interval: %.16g, rtol: %.16g, atol: %.16g", s->end,
        s->end / 20, s->rtol, s->atol);
    put(&w, "%s}\n", s->with_bound ? ", max_step: 0.01" : "");
}
