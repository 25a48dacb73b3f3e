/* A sketch as the text of a mechanism file. */
#include "sketch.h"

#include "chance.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

typedef struct writer {
    char *text;
    size_t length, capacity;
    chance chance;
    double size; /* of the changes */
    const sketch *s;
} writer;

double sketch_unit(const sketch *s, int m, int l, int t)
{
    return pow(s->unit[0], m) * pow(s->unit[1], l) * pow(s->unit[2], t);
}

int sketch_length(const sketch_primitive *p)
{
    return p->kind == 'p';
}

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

static void put_vector(writer *w, const char *key, const double v[3], double unit)
{
    put(w, "%s[%.16g, %.16g, %.16g]", key, v[0] * unit, v[1] * unit, v[2] * unit);
}

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* ---- laws in other units ---- */

static const sketch_primitive *primitive_called(const sketch *s, const char *name, size_t length)
{
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            const sketch_primitive *p = &s->joint[k].primitive[i];
            if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) {
                return p;
            }
        }
    }
    return NULL;
}

/* The unit of a reading of a primitive (NULL: one that cannot be read so, or a joint). */
static double unit_of(const sketch *s, const char *reading, size_t length,
                      const sketch_primitive *p)
{
    static const struct {
        const char *name;
        int mass, more, time; /* powers; `more` of the length, besides the coordinate's own */
        bool own;             /* the coordinate's own power of the length counts */
    } readings[] = {{"position", 0, 0, 0, true},       {"velocity", 0, 0, -1, true},
                    {"acceleration", 0, 0, -2, true},  {"reaction_force", 1, 1, -2, false},
                    {"normal_force", 1, 1, -2, false}, {"reaction_torque", 1, 2, -2, false},
                    {"friction", 1, 2, -2, true},      {"force", 1, 2, -2, true}};
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
        if (strlen(readings[k].name) == length && memcmp(readings[k].name, reading, length) == 0) {
            const int own = readings[k].own && p ? sketch_length(p) : 0;
            /* a force along a coordinate is an energy over it */
            return sketch_unit(s, readings[k].mass,
                               readings[k].more + (readings[k].mass ? -own : own),
                               readings[k].time);
        }
    }
    return 1;
}

/* Writes a law whose readings and t are divided by their units. */
static void put_scaled(writer *w, const char *law)
{
    while (*law) {
        if (isdigit((unsigned char)*law) || *law == '.') {
            char *end;
            strtod(law, &end);
            put(w, "%.*s", (int)(end - law), law);
            law = end;
            continue;
        }
        const size_t length = strspn(law, "abcdefghijklmnopqrstuvwxyz_");
        if (length == 0) {
            put(w, "%c", *law++);
            continue;
        }
        double unit = 1;
        size_t all = length;
        if (length == 1 && *law == 't') {
            unit = sketch_unit(w->s, 0, 0, 1);
        } else if (law[length] == '(') {
            const size_t name = strcspn(law + length + 1, "),( ");
            const sketch_primitive *p = primitive_called(w->s, law + length + 1, name);
            unit = unit_of(w->s, law, length, p);
            all = unit != 1 ? length + name + 2 : length;
        }
        if (unit == 1) {
            put(w, "%.*s", (int)all, law);
        } else {
            put(w, "(%.16g*%.*s)", 1 / unit, (int)all, law);
        }
        law += all;
    }
}

/* A law that gives `unit`s, changed by the factor `by`. */
static void put_formula(writer *w, const char *law, double unit, double by)
{
    if (unit * by == 1) {
        put_scaled(w, law);
    } else {
        put(w, "%.16g*(", unit * by);
        put_scaled(w, law);
        put(w, ")");
    }
}

static void put_law(writer *w, const char *key, const char *law, double unit, double by)
{
    if (law[0]) {
        put(w, ", %s: \"", key);
        put_formula(w, law, unit, by);
        put(w, "\"");
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
        put(w, "  b%d: {mass: %.16g", k, j->mass * by * sketch_unit(s, 1, 0, 0));
        if (!is_zero(j->center)) {
            put_vector(w, ", center_of_mass: ", j->center, sketch_unit(s, 0, 1, 0));
        }
        if (!is_zero(j->inertia)) {
            put_vector(w, ", inertia: ", j->inertia, by * sketch_unit(s, 1, 2, 0));
        }
        put(w, "}\n");
    }
}

static void put_nominal(writer *w, const sketch_primitive *p)
{
    const int l = sketch_length(p);
    if (p->nominal[0] > 0 && p->kind != 's') {
        put(w, ", nominal: {position: %.16g", p->nominal[0] * sketch_unit(w->s, 0, l, 0));
    } else if (p->nominal[1] > 0) {
        put(w, ", nominal: {");
    }
    if (p->nominal[1] > 0) {
        put(w, "%svelocity: %.16g", p->nominal[0] > 0 && p->kind != 's' ? ", " : "",
            p->nominal[1] * sketch_unit(w->s, 0, l, -1));
    }
    if ((p->nominal[0] > 0 && p->kind != 's') || p->nominal[1] > 0) {
        put(w, "}");
    }
}

/* The keys of one primitive, each with a comma before it. */
static void put_primitive(writer *w, const sketch_primitive *p)
{
    const double by = factor(w);
    const int l = sketch_length(p);
    const double place = sketch_unit(w->s, 0, l, 0), speed = sketch_unit(w->s, 0, l, -1),
                 force = sketch_unit(w->s, 1, 2 - l, -2);
    if (p->kind == 's') {
        if (!is_zero(p->spin)) {
            put_vector(w, ", initial: {velocity: ", p->spin, by * speed);
            put(w, "}");
        }
    } else if (!p->motion[0] && (p->position != 0 || p->velocity != 0)) {
        put(w, ", initial: {position: %.16g, velocity: %.16g}", p->position * place,
            p->velocity * by * speed);
    }
    if (p->stiffness > 0) {
        put(w, ", spring: {stiffness: %.16g, rest: %.16g}",
            p->stiffness * factor(w) * force / place, p->rest * place);
    }
    if (p->damping > 0) {
        put(w, ", damping: %.16g", p->damping * factor(w) * force / speed);
    }
    if (p->armature > 0) {
        put(w, ", armature: %.16g", p->armature * factor(w) * sketch_unit(w->s, 1, l ? 0 : 2, 0));
    }
    put_nominal(w, p);
    put_law(w, "force", p->force, force, factor(w));
    put_law(w, "motion", p->motion, place, factor(w));
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
        put_vector(w, "base: {point: ", j->at_base, sketch_unit(w->s, 0, 1, 0));
        if (!is_zero(j->turn_base)) {
            put_vector(w, ", rotation: {rpy: ", j->turn_base, 1);
            put(w, "}");
        }
        put(w, "}");
    }
    if (follower) {
        put_vector(w, base ? ", follower: " : "follower: ", j->at_follower,
                   sketch_unit(w->s, 0, 1, 0));
    }
    put(w, "}");
}

/* The first key after a brace has no comma before it. */
static void drop_comma(writer *w, size_t start)
{
    if (w->length > start) {
        memmove(w->text + start, w->text + start + 2, w->length - start - 1);
        w->length -= 2;
    }
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
            put_vector(w, ", axis: ", j->axis, 1);
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
                drop_comma(w, start);
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
            const int l = sketch_length(p);
            const double force = sketch_unit(s, 1, 2 - l, -2);
            put(w, "  %s: {", p->name);
            const size_t start = w->length;
            if (p->threshold > 0) {
                put(w, ", velocity_threshold: %.16g", p->threshold * sketch_unit(s, 0, l, -1));
            }
            put_law(w, "kinetic", p->kinetic, force, by);
            put_law(w, "static", p->limit, force, by);
            put_law(w, "forward", p->forward, force, by);
            put_law(w, "reverse", p->reverse, force, by);
            put_law(w, "test", p->test, force, 1);
            put_law(w, "external", p->external, force, factor(w));
            drop_comma(w, start);
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
            put_vector(w, ", at: ", l->at, sketch_unit(s, 0, 1, 0));
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
                    put(w, "\"");
                    put_formula(w, law[i], sketch_unit(s, 1, what ? 2 : 1, -2), factor(w));
                    put(w, "\"");
                } else {
                    put(w, "0");
                }
            }
            put(w, "]");
        }
        put(w, "%s}\n", l->in_body ? ", frame: body" : "");
    }
}

bool sketch_has_spring(const sketch *s, int k)
{
    const sketch_spring *p = &s->spring[k];
    bool there = p->alive && p->body[0] != p->body[1];
    for (int e = 0; e < 2; e++) {
        there = there && (p->body[e] < 0 || s->joint[p->body[e]].alive);
    }
    return there;
}

static void put_springs(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < SKETCH_SPRINGS; k++) {
        const sketch_spring *p = &s->spring[k];
        if (!sketch_has_spring(s, k)) {
            continue;
        }
        put(w, "%s  s%d: {between: [", any ? "" : "springs:\n", k);
        any = true;
        for (int e = 0; e < 2; e++) {
            put(w, e ? ", {body: " : "{body: ");
            put(w, p->body[e] < 0 ? "ground" : "b%d", p->body[e]);
            put_vector(w, ", at: ", p->at[e], sketch_unit(s, 0, 1, 0));
            put(w, "}");
        }
        put(w, "], stiffness: %.16g, rest: %.16g, damping: %.16g}\n",
            p->stiffness * sketch_unit(s, 1, 0, -2) * factor(w), p->rest * sketch_unit(s, 0, 1, 0),
            p->damping * sketch_unit(s, 1, 0, -1));
    }
}

static void put_states(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < SKETCH_STATES; k++) {
        if (s->state[k].alive) {
            put(w, "%s  z%d: {initial: %.16g, nominal: 1", any ? "" : "states:\n", k,
                s->state[k].initial);
            put_law(w, "derivative", s->state[k].derivative, sketch_unit(s, 0, 0, -1), factor(w));
            put(w, "}\n");
            any = true;
        }
    }
}

void sketch_write(const sketch *s, uint64_t seed, double size, char *text, size_t capacity)
{
    writer w = {.text = text, .capacity = capacity, .chance = {seed}, .size = size, .s = s};
    const double time = sketch_unit(s, 0, 0, 1);
    text[0] = '\0';
    for (int k = 0; k < s->inputs; k++) {
        put(&w, "# input u %.16g %.16g\n", s->input_time[k] * time, s->input_value[k]);
    }
    put(&w, "detent: 1\n");
    put_vector(&w, "gravity: ", s->gravity, sketch_unit(s, 0, 1, -2));
    put(&w, "\n%s", s->inputs ? "inputs: {u: 0}\n" : "");
    put_bodies(&w, s);
    put_joints(&w, s);
    put_stiction(&w, s);
    put_loads(&w, s);
    put_springs(&w, s);
    put_states(&w, s);
    put(&w, "simulation: {end: %.16g, interval: %.16g, rtol: %.16g", s->end * time,
        s->end / 20 * time, s->rtol);
    if (s->atol > 0) {
        put(&w, ", atol: %.16g", s->atol);
    }
    put(&w, "}\n");
}

static bool jumps(const char *law)
{
    return strstr(law, "sign(") || strstr(law, "if(1*velocity");
}

bool sketch_jumps(const sketch *s)
{
    bool any = false;
    for (int j = 0; j < s->count; j++) {
        for (int k = 0; k < s->joint[j].count; k++) {
            const sketch_primitive *p = &s->joint[j].primitive[k];
            any = any || jumps(p->force) || jumps(p->external);
        }
    }
    for (int l = 0; l < SKETCH_LOADS; l++) {
        for (int x = 0; x < 3 && s->load[l].body >= 0; x++) {
            any = any || jumps(s->load[l].force[x]) || jumps(s->load[l].torque[x]);
        }
    }
    return any;
}
