/* Joints and bodies, and what acts along joints but friction. */
#include "kind.h"

#include <string.h>

static void put_bodies(writer *w, const sketch *s)
{
    write_text(w, "bodies:\n");
    for (int k = 0; k < s->count; k++) {
        const sketch_joint *j = &s->joint[k];
        if (!j->alive || sketch_closes(s, k)) {
            continue;
        }
        const double by = write_factor(w);
        write_text(w, "  b%d: {mass: %.16g", k, j->mass * by * sketch_unit(s, 1, 0, 0));
        if (!write_is_zero(j->center)) {
            write_vector(w, ", center_of_mass: ", j->center, sketch_unit(s, 0, 1, 0));
        }
        if (!write_is_zero(j->inertia)) {
            write_vector(w, ", inertia: ", j->inertia, by * sketch_unit(s, 1, 2, 0));
        }
        write_text(w, "}\n");
    }
}

static void put_nominal(writer *w, const sketch_primitive *p)
{
    const int l = sketch_length(p);
    if (p->nominal[0] > 0 && p->kind != 's') {
        write_text(w, ", nominal: {position: %.16g", p->nominal[0] * sketch_unit(w->s, 0, l, 0));
    } else if (p->nominal[1] > 0) {
        write_text(w, ", nominal: {");
    }
    if (p->nominal[1] > 0) {
        write_text(w, "%svelocity: %.16g", p->nominal[0] > 0 && p->kind != 's' ? ", " : "",
                   p->nominal[1] * sketch_unit(w->s, 0, l, -1));
    }
    if ((p->nominal[0] > 0 && p->kind != 's') || p->nominal[1] > 0) {
        write_text(w, "}");
    }
}

/* The keys of primitive i of joint k, each with a comma before it. */
static void put_primitive(writer *w, const sketch *s, int k, int i)
{
    const sketch_primitive *p = &s->joint[k].primitive[i];
    const double by = write_factor(w);
    const int l = sketch_length(p);
    const double place = sketch_unit(w->s, 0, l, 0), speed = sketch_unit(w->s, 0, l, -1),
                 force = sketch_unit(w->s, 1, 2 - l, -2);
    if (p->kind == 's') {
        if (!write_is_zero(p->spin)) {
            write_vector(w, ", initial: {velocity: ", p->spin, by * speed);
            write_text(w, "}");
        }
    } else if (!p->motion[0] && (p->position != 0 || p->velocity != 0)) {
        write_text(w, ", initial: {position: %.16g, velocity: %.16g}", p->position * place,
                   p->velocity * by * speed);
    }
    if (p->stiffness > 0) {
        write_text(w, ", spring: {stiffness: %.16g, rest: %.16g}",
                   p->stiffness * write_factor(w) * force / place, p->rest * place);
    }
    if (p->damping > 0) {
        write_text(w, ", damping: %.16g", p->damping * write_factor(w) * force / speed);
    }
    if (p->armature > 0) {
        write_text(w, ", armature: %.16g",
                   p->armature * write_factor(w) * sketch_unit(w->s, 1, l ? 0 : 2, 0));
    }
    put_nominal(w, p);
    write_law(w, "force", p->force, force, write_factor(w));
    write_law(w, p->by_speed ? "speed" : "motion", p->motion, p->by_speed ? speed : place,
              write_factor(w));
    for (int n = 0; n < SKETCH_KINDS; n++) {
        if (sketch_kinds[n]->write_along) {
            sketch_kinds[n]->write_along(w, s, k, i);
        }
    }
}

static void put_place(writer *w, const sketch_joint *j)
{
    const bool base = !write_is_zero(j->at_base) || !write_is_zero(j->turn_base),
               follower = !write_is_zero(j->at_follower);
    if (!base && !follower) {
        return;
    }
    write_text(w, ", at: {");
    if (base) {
        write_vector(w, "base: {point: ", j->at_base, sketch_unit(w->s, 0, 1, 0));
        if (!write_is_zero(j->turn_base)) {
            write_vector(w, ", rotation: {rpy: ", j->turn_base, 1);
            write_text(w, "}");
        }
        write_text(w, "}");
    }
    if (follower) {
        write_vector(w, base ? ", follower: " : "follower: ", j->at_follower,
                     sketch_unit(w->s, 0, 1, 0));
    }
    write_text(w, "}");
}

static const char *key_of(const sketch_primitive *p)
{
    const char *dot = strchr(p->name, '.');
    return dot ? dot + 1 : p->name;
}

static void write(writer *w, const sketch *s)
{
    put_bodies(w, s);
    write_text(w, "joints:\n");
    for (int k = 0; k < s->count; k++) {
        const sketch_joint *j = &s->joint[k];
        if (!j->alive) {
            continue;
        }
        write_text(w, "  j%d: {type: %s, base: ", k, j->type);
        write_text(w, j->base < 0 ? "ground" : "b%d", j->base);
        write_text(w, ", follower: b%d", j->follower);
        if (!write_is_zero(j->axis)) {
            write_vector(w, ", axis: ", j->axis, 1);
        }
        if (strcmp(j->type, "custom") == 0) {
            write_text(w, ", row: [");
            for (int i = 0; i < j->count; i++) {
                write_text(w, i ? ", %c" : "%c", j->primitive[i].kind);
            }
            write_text(w, "], axes: [");
            for (int i = 0, n = 0; i < j->count; i++) {
                static const char *const axes[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
                if (j->primitive[i].kind != 's') {
                    write_text(w, n ? ", %s" : "%s", axes[n % 3]);
                    n++;
                }
            }
            write_text(w, "]");
        }
        put_place(w, j);
        if (j->count == 1) {
            put_primitive(w, s, k, 0);
        } else if (j->count > 1) {
            write_text(w, ", primitives: {");
            for (int i = 0; i < j->count; i++) {
                /* an empty mapping is one too; the first key's comma gives way to the brace */
                write_text(w, i ? ", %s: {" : "%s: {", key_of(&j->primitive[i]));
                const size_t start = w->length;
                put_primitive(w, s, k, i);
                write_drop_comma(w, start);
                write_text(w, "}");
            }
            write_text(w, "}");
        }
        write_text(w, "}\n");
    }
}

static bool jumps(const sketch *s)
{
    bool any = false;
    for (int j = 0; j < s->count; j++) {
        for (int k = 0; k < s->joint[j].count; k++) {
            const sketch_primitive *p = &s->joint[j].primitive[k];
            any = any || sketch_law_jumps(p->force) || sketch_law_jumps(p->external);
        }
    }
    return any;
}

/* ---- shrinking ---- */

/* Joint k goes; what hangs on it hangs on its base. */
static void drop_joint(shrinker *w, int k)
{
    sketch t = *w->s;
    for (int n = 0; n < SKETCH_KINDS; n++) {
        if (sketch_kinds[n]->lose_joint) {
            sketch_kinds[n]->lose_joint(&t, k);
        }
    }
    t.joint[k].alive = false;
    for (int j = 0; j < t.count; j++) {
        if (t.joint[j].base == k) {
            t.joint[j].base = t.joint[k].base;
        }
    }
    shrinker_attempt(w, &t);
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
    j->primitive[0].by_law = false; /* its formulas stay */
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
    shrinker_attempt(w, &t);
}

static void drop(shrinker *w)
{
    for (int k = w->s->count - 1; k >= 0; k--) {
        if (w->s->joint[k].alive) {
            drop_joint(w, k);
        }
    }
    for (int k = 0; k < w->s->count; k++) {
        for (int i = 0;
             w->s->joint[k].alive && w->s->joint[k].count > 1 && i < w->s->joint[k].count; i++) {
            single_out(w, k, i);
        }
    }
}

static void simplify_laws(shrinker *w)
{
    for (int k = 0; k < w->s->count; k++) {
        for (int i = 0; w->s->joint[k].alive && i < w->s->joint[k].count; i++) {
            shrinker_law(w, w->s->joint[k].primitive[i].force, true);
            shrinker_law(w, w->s->joint[k].primitive[i].motion, true);
        }
    }
}

static void simplify_numbers(shrinker *w)
{
    sketch *s = w->s;
    for (int k = 0; k < s->count; k++) {
        sketch_joint *j = &s->joint[k];
        if (!j->alive) {
            continue;
        }
        shrinker_numbers(w, j->center, 3, 0);
        shrinker_numbers(w, j->at_base, 3, 0);
        shrinker_numbers(w, j->turn_base, 3, 0);
        shrinker_numbers(w, j->at_follower, 3, 0);
        shrinker_numbers(w, &j->mass, 1, 1);
        shrinker_numbers(w, j->inertia, 3, 0);
        shrinker_numbers(w, j->inertia, 3, 0.1);
        if (j->axis[0] != 0 || j->axis[1] != 0) {
            sketch t = *s;
            t.joint[k].axis[0] = 1;
            t.joint[k].axis[1] = t.joint[k].axis[2] = 0;
            shrinker_attempt(w, &t);
        }
        for (int i = 0; i < j->count; i++) {
            sketch_primitive *p = &j->primitive[i];
            shrinker_numbers(w, &p->position, 1, 0);
            shrinker_numbers(w, &p->velocity, 1, 0);
            shrinker_numbers(w, p->spin, 3, 0);
            shrinker_numbers(w, &p->stiffness, 1, 0);
            shrinker_numbers(w, &p->damping, 1, 0);
            shrinker_numbers(w, &p->armature, 1, 0);
            shrinker_numbers(w, &p->rest, 1, 0);
            shrinker_numbers(w, &p->threshold, 1, 1e-3);
            sketch t = *s;
            t.joint[k].primitive[i].band = false;
            shrinker_attempt(w, &t);
            shrinker_round(w, &p->position);
            shrinker_round(w, &p->velocity);
            shrinker_round(w, &p->stiffness);
            shrinker_round(w, &p->damping);
        }
        shrinker_round(w, &j->mass);
        for (int x = 0; x < 3; x++) {
            shrinker_round(w, &j->center[x]);
            shrinker_round(w, &j->at_base[x]);
            shrinker_round(w, &j->axis[x]);
        }
    }
}

const sketch_kind sketch_joints = {.make = make_joints,
                                   .write = write,
                                   .jumps = jumps,
                                   .drop = drop,
                                   .simplify_laws = simplify_laws,
                                   .simplify_numbers = simplify_numbers};
