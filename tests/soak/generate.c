/*
 * Random mechanisms. Every one is well-posed by construction, as far as that can be arranged: static friction is not
 * below kinetic friction, bodies have mass and inertia, prescribed motions are smooth.
 * What remains possible are strong friction that follows loads, for which there may be no consistent state.
 */
#include "chance.h"
#include "sketch.h"

#include <stdarg.h>
#include <string.h>

typedef struct maker {
    chance c;
    sketch *s;
    bool armature;
} maker;

__attribute__((format(printf, 2, 3))) static void say(char *law, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(law, SKETCH_LAW, format, arguments);
    va_end(arguments);
}

/* ---- joints ---- */

typedef struct joint_kind {
    const char *type, *row;
    int weight;
} joint_kind;

static const joint_kind kinds[] = {
    {"revolute", "r", 30},  {"prismatic", "p", 30},   {"weld", "", 3},
    {"universal", "rr", 5}, {"cylindrical", "pr", 5}, {"planar", "ppr", 5},
    {"gimbal", "rrr", 3},   {"bushing", "ppprrr", 2}, {"six-dof", "ppps", 2},
    {"spherical", "s", 4},  {"free", "ppps", 2},      {"custom", "rp", 3},
    {"custom", "ps", 2},
};

static const joint_kind *pick_kind(maker *m)
{
    int all = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        all += kinds[k].weight;
    }
    int at = chance_below(&m->c, all);
    for (size_t k = 0;; k++) {
        at -= kinds[k].weight;
        if (at < 0) {
            return &kinds[k];
        }
    }
}

static void name_primitives(sketch_joint *j, int k)
{
    for (int i = 0; i < j->count; i++) {
        int number = 1;
        for (int before = 0; before < i; before++) {
            number += j->primitive[before].kind == j->primitive[i].kind;
        }
        sketch_primitive *p = &j->primitive[i];
        if (j->count == 1) {
            snprintf(p->name, sizeof p->name, "j%d", k);
        } else {
            snprintf(p->name, sizeof p->name, "j%d.%c%d", k, p->kind, number);
        }
    }
}

static void make_body(maker *m, sketch_joint *j)
{
    chance *c = &m->c;
    j->mass = chance_of(c, 0.15) ? chance_size(c, 1e-3, 1e3) : chance_size(c, 0.2, 5);
    const double size[3] = {chance_size(c, 0.05, 0.6), chance_size(c, 0.05, 0.6),
                            chance_size(c, 0.05, 0.6)};
    for (int k = 0; k < 3; k++) {
        const double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
        j->inertia[k] = chance_short(j->mass * (a * a + b * b) / 12);
        j->center[k] = chance_of(c, 0.6) ? chance_number(c, -0.4, 0.4) : 0;
    }
    /* rounding must not break the triangle rule */
    for (int k = 0; k < 3; k++) {
        const double others = j->inertia[(k + 1) % 3] + j->inertia[(k + 2) % 3];
        if (j->inertia[k] > others) {
            j->inertia[k] = others;
        }
    }
}

/*
 * Three hinges in a row lose a freedom where the middle one stands at a right angle: the mass matrix is singular there,
 * and no mechanism that comes near is well-posed. A spring keeps the middle hinge away from it.
 */
static void keep_from_lock(sketch_joint *j)
{
    int hinges = 0;
    for (int i = 0; i < j->count; i++) {
        sketch_primitive *p = &j->primitive[i];
        if (p->kind == 'r' && ++hinges == 2 && j->count > 2) {
            p->kept = true;
            p->stiffness = chance_short(300 * j->mass);
            p->rest = 0;
            p->damping = chance_short(3 * j->mass);
            p->position /= 4;
        }
    }
}

static void make_joint(maker *m, int k, bool moving, bool straight)
{
    chance *c = &m->c;
    sketch_joint *j = &m->s->joint[k];
    const joint_kind *kind = pick_kind(m);
    if (straight && chance_of(c, 0.8)) {
        kind = &kinds[chance_below(c, 2)];
    }
    j->alive = true;
    j->type = kind->type;
    j->base = k == 0 || chance_of(c, 0.2) ? -1 : chance_of(c, 0.7) ? k - 1 : chance_below(c, k);
    if (strcmp(j->type, "free") == 0 && chance_of(c, 0.8)) {
        j->base = -1;
    }
    j->count = (int)strlen(kind->row);
    make_body(m, j);
    for (int i = 0; i < j->count; i++) {
        sketch_primitive *p = &j->primitive[i];
        p->kind = kind->row[i];
        p->threshold = 1e-3;
        const bool moves = moving && chance_of(c, 0.7);
        if (p->kind == 's') {
            for (int x = 0; x < 3 && moves; x++) {
                p->spin[x] = chance_number(c, -2, 2);
            }
            p->damping = chance_of(c, 0.3) ? chance_size(c, 1e-3, 0.1) : 0;
            continue;
        }
        p->position = chance_of(c, 0.6) ? chance_number(c, -0.8, 0.8) : 0;
        p->velocity = moves ? chance_number(c, -3, 3) : 0;
        p->stiffness = chance_of(c, 0.25) ? chance_size(c, 1, 300) : 0;
        p->rest = p->stiffness > 0 ? chance_number(c, -0.3, 0.3) : 0;
        p->damping = chance_of(c, 0.25) ? chance_size(c, 1e-3, 1) : 0;
        p->armature = m->armature && chance_of(c, 0.15) ? chance_size(c, 1e-3, 3) : 0;
    }
    name_primitives(j, k);
    const bool axis = j->count == 1 && kind->row[0] != 's';
    if (axis && (!straight || chance_of(c, 0.2))) {
        for (int x = 0; x < 3; x++) {
            j->axis[x] = chance_number(c, -1, 1);
        }
    } else if (axis) {
        j->axis[kind->row[0] == 'r' ? 2 : chance_below(c, 2)] = 1;
    }
    for (int x = 0; x < 3; x++) {
        const bool flat = straight && x == 2;
        j->at_base[x] = chance_of(c, 0.6) && !flat ? chance_number(c, -0.5, 0.5) : 0;
        j->turn_base[x] = chance_of(c, 0.3) && !straight ? chance_number(c, -1, 1) : 0;
        j->at_follower[x] = chance_of(c, 0.3) && !flat ? chance_number(c, -0.3, 0.3) : 0;
    }
    keep_from_lock(j);
}

/* ---- laws ---- */

/** Another primitive of one freedom, whose coordinate can be read; NULL if there is none. */
static const sketch_primitive *pick_other(maker *m)
{
    for (int tries = 0; tries < 8; tries++) {
        const sketch_joint *j = &m->s->joint[chance_below(&m->c, m->s->count)];
        const sketch_primitive *p = j->count ? &j->primitive[chance_below(&m->c, j->count)] : NULL;
        if (p && p->kind != 's') {
            return p;
        }
    }
    return NULL;
}

/** Something that drives: of t alone, of own or other coordinates, of accelerations and reactions, of the input. */
static void make_drive(maker *m, char *law, double size, const sketch_primitive *own)
{
    chance *c = &m->c;
    const double F = chance_short(size * chance_in(c, -3, 3)), w = chance_size(c, 0.5, 15);
    const double t0 = chance_number(c, 0, 1);
    const sketch_primitive *other = pick_other(m);
    const char *name = own ? own->name : other ? other->name : NULL;
    switch (chance_below(c, 16)) {
    case 0:
        say(law, "%g", F);
        break;
    case 1:
    case 2:
        say(law, "%g*sin(%g*t + %g)", F, w, t0);
        break;
    case 3:
        say(law, "if(t < %g, 0, %g)", t0, F);
        break;
    case 4:
        say(law, "if(mod(t, %g) < %g, %g, 0)", chance_number(c, 0.2, 0.6),
            chance_number(c, 0.02, 0.15), F);
        break;
    case 5:
        say(law, "%g*t", F);
        break;
    case 6:
        if (other && name) {
            say(law, "-%g*(1*position(%s) - 1*position(%s))",
                chance_short(size * chance_size(c, 0.5, 10)), name, other->name);
        } else {
            say(law, "%g*min(t, %g)", F, t0);
        }
        break;
    case 7:
        if (name) {
            say(law, "%g*(%g*sin(%g*t) - 1*position(%s)) - %g*velocity(%s)",
                chance_short(size * chance_size(c, 1, 10)), chance_number(c, 0.1, 0.8), w, name,
                chance_short(size * chance_size(c, 0.03, 0.3)), name);
        } else {
            say(law, "%g", F);
        }
        break;
    case 8:
        if (own) {
            say(law, "%g*sin(%g*t) - %g*acceleration(%s)", F, w, chance_size(c, 0.01, 5),
                own->name);
        } else {
            say(law, "%g*cos(%g*t)", F, w);
        }
        break;
    case 9:
        if (other) {
            /* bounded: reactions grow with the square of speeds, and would pump them up without end */
            say(law, "%g*sin(%g*t) + %g*min(1*reaction_force(%s), %g)", F, w,
                chance_number(c, -0.05, 0.05), other->name, chance_size(c, 10, 100));
        } else {
            say(law, "max(0, %g*(t - %g))", fabs(F), t0);
        }
        break;
    case 10:
        say(law, "%su", m->s->inputs ? "" : "0*");
        if (!m->s->inputs) {
            say(law, "%g*max(0, sin(%g*t))", F, w);
        }
        break;
    case 11:
        say(law, "clamp(%g*sin(%g*t), -%g, %g)", F, w, fabs(F) / 2, fabs(F) / 3);
        break;
    case 12:
        if (name) {
            say(law, "%g*cos(2*position(%s))", F, name);
        } else {
            say(law, "%g", F);
        }
        break;
    case 13: /* these two slide along their borders; sketch_jumps() */
        if (name) {
            say(law, "%g*sin(%g*t) - %g*sign(1*velocity(%s) - %g)", F, w,
                chance_short(size * chance_size(c, 0.3, 3)), name, chance_number(c, -0.2, 0.2));
        } else {
            say(law, "%g", F);
        }
        break;
    case 14:
        if (name) {
            say(law, "if(1*velocity(%s) < %g*cos(%g*t), %g, %g)", name, chance_number(c, 0, 0.3), w,
                F, chance_short(size * chance_in(c, -3, 3)));
        } else {
            say(law, "%g", F);
        }
        break;
    default:
        say(law, "%g*exp(-%g*t)", F, w);
        break;
    }
}

/** Kinetic friction of some shape; static is `ratio` times its value at rest, at least. */
static void make_friction(maker *m, sketch_primitive *p, double size)
{
    chance *c = &m->c;
    const double K = chance_short(size * chance_in(c, 0.1, 2));
    const double ratio = chance_of(c, 0.35) ? 1 : chance_number(c, 1, chance_of(c, 0.3) ? 5 : 2);
    const double t0 = chance_number(c, 0.1, 1), w = chance_size(c, 0.01, 1);
    const char *name = p->name;
    const double mu = chance_size(c, 0.01, p->kind == 'r' ? 0.15 : 0.5);
    sketch_law base;
    switch (chance_below(c, 17)) {
    case 0:
    case 1:
    case 2:
        say(base, "%g", K);
        break;
    case 3: { /* asymmetric */
        const double other = chance_short(K * chance_in(c, 0.3, 2));
        say(p->kinetic, "if(dir > 0, %g, %g)", K, other);
        say(p->forward, "-%g", K * ratio);
        say(p->reverse, "%g", other * ratio);
        return;
    }
    case 4: /* Stribeck */
        say(p->kinetic, "%g*(1 + %g*exp(-abs(1*velocity(%s))/%g))", K, ratio - 1, name, w);
        say(p->limit, "%g*%g", K * 1.000001, ratio);
        return;
    case 5: /* a table of the speed */
        say(p->kinetic, "if(abs(1*velocity(%s)) < %g, %g*(1 - 0.5*abs(1*velocity(%s))/%g), 0.5*%g)",
            name, w, K, name, w, K);
        say(p->limit, "%g*%g", K, ratio);
        return;
    case 6:
        say(base, "%g*reaction_force(%s)", mu, name);
        break;
    case 7:
        say(base, "%g*normal_force(%s)", mu, name);
        break;
    case 8:
        say(base, "%g*reaction_torque(%s)", mu, name);
        break;
    case 9:
        say(base, "%g + %g*normal_force(%s)", K, mu, name);
        break;
    case 10: /* fades to zero and stays there */
        say(base, "max(0, %g - %g*t)", K, chance_short(K / t0));
        break;
    case 11: /* is pressed on at some time */
        say(base, chance_of(c, 0.5) ? "if(t < %g, 0, %g)" : "max(0, (t - %g)*%g)", t0, K);
        break;
    case 12:
        say(base, "0");
        break;
    case 13:
        say(base, "1e-9");
        break;
    case 14:
        say(base, "%g*(1 + 0.8*sin(%g*t))", K, chance_size(c, 1, 20));
        break;
    case 15:
        say(base, "%g*(1 + 0.5*sin(3*position(%s)))", K, name);
        break;
    default: { /* pressed on by what another joint does */
        const sketch_primitive *other = pick_other(m);
        if (other) {
            say(base, "%g*max(0, 1*position(%s))", K, other->name);
        } else {
            say(base, "%g", K);
        }
    }
    }
    memcpy(p->kinetic, base, sizeof base);
    if (ratio == 1) {
        memcpy(p->limit, base, sizeof base);
    } else {
        char law[SKETCH_LAW + 32];
        snprintf(law, sizeof law, "%g*(%s)", ratio, base);
        memcpy(p->limit, law, SKETCH_LAW - 1);
        p->limit[SKETCH_LAW - 1] = '\0';
    }
    if (chance_of(c, 0.04)) {
        say(p->test, "%g*friction(%s)", chance_number(c, 0.7, 1.4), name);
    }
}

static void make_motion(maker *m, char *law)
{
    chance *c = &m->c;
    const double A = chance_number(c, -0.5, 0.5), w = chance_size(c, 0.5, 12);
    switch (chance_below(c, 4)) {
    case 0:
        say(law, "%g*sin(%g*t)", A, w);
        break;
    case 1:
        say(law, "%g*t", A);
        break;
    case 2:
        say(law, "%g*t^2", A);
        break;
    default:
        say(law, "%g*(1 - cos(%g*t))", A, w);
    }
}

static void make_laws(maker *m, double stickiness)
{
    chance *c = &m->c;
    for (int k = 0; k < m->s->count; k++) {
        sketch_joint *j = &m->s->joint[k];
        const bool takes = strcmp(j->type, "free") != 0;
        for (int i = 0; i < j->count; i++) {
            sketch_primitive *p = &j->primitive[i];
            if (p->kind == 's') {
                continue;
            }
            const double g =
                fabs(m->s->gravity[0]) + fabs(m->s->gravity[1]) + fabs(m->s->gravity[2]);
            const double size = j->mass * (g > 0 ? g : 5) * (p->kind == 'r' ? 0.2 : 0.5);
            if (p->kept) { /* from its lock: nothing else may push it there */
                continue;
            }
            if (takes && chance_of(c, stickiness)) {
                p->stiction = true;
                p->threshold = chance_size(c, 1e-5, 1);
                p->band = chance_of(c, 0.2);
                make_friction(m, p, size);
                if (chance_of(c, 0.5)) {
                    make_drive(m, p->external, size, p);
                }
            } else if (chance_of(c, 0.07)) {
                make_motion(m, p->motion);
                p->stiffness = p->damping = p->armature = 0;
            } else if (chance_of(c, 0.2)) {
                make_drive(m, p->force, size, p);
            }
        }
    }
}

static void make_loads(maker *m)
{
    chance *c = &m->c;
    for (int k = 0; k < SKETCH_LOADS; k++) {
        sketch_load *l = &m->s->load[k];
        l->body = chance_of(c, 0.15) ? chance_below(c, m->s->count) : -1;
        if (l->body < 0) {
            continue;
        }
        const double size = 3 * m->s->joint[l->body].mass;
        l->in_body = chance_of(c, 0.5);
        for (int x = 0; x < 3; x++) {
            l->at[x] = chance_of(c, 0.4) ? chance_number(c, -0.4, 0.4) : 0;
            if (chance_of(c, 0.5)) {
                make_drive(m, l->force[x], size, NULL);
            }
            if (chance_of(c, 0.2)) {
                make_drive(m, l->torque[x], 0.1 * size, NULL);
            }
        }
    }
}

/* ---- sizes ---- */

/*
 * Units of any size: the same motion, told in other numbers. An absolute tolerance would be one for metres and for
 * radians alike, so it goes. What a user says about sizes is not far from the truth: what he tells too large is not seen.
 */
static void make_sizes(maker *m)
{
    chance *c = &m->c;
    sketch *s = m->s;
    const bool other = chance_of(c, 0.3), told = chance_of(c, 0.2);
    for (int k = 0; k < 3; k++) {
        s->unit[k] = other ? pow(10, chance_below(c, 13) - 6) : 1;
    }
    if (other || chance_of(c, 0.4)) {
        s->atol = 0;
    }
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            sketch_primitive *p = &s->joint[k].primitive[i];
            if (told && chance_of(c, 0.4)) {
                p->nominal[0] = chance_of(c, 0.7) ? chance_size(c, 0.03, 1) : 0;
                p->nominal[1] = chance_of(c, 0.7) ? chance_size(c, 0.1, 5) : 0;
            }
            if (p->stiction && !p->band && chance_of(c, 0.2)) {
                p->threshold = 0;
            }
        }
    }
}

void sketch_generate(sketch *s, uint64_t seed, bool armature)
{
    maker m = {.c = {seed}, .s = s, .armature = armature};
    chance *c = &m.c;
    memset(s, 0, sizeof *s);
    chance_bits(c);
    if (chance_of(c, 0.6)) {
        s->gravity[1] = -9.81;
    } else if (chance_of(c, 0.3)) {
        s->gravity[0] = chance_number(c, -5, 5);
        s->gravity[2] = chance_number(c, -5, 5);
    }
    s->count = 1 + chance_below(c, chance_of(c, 0.5) ? 3 : SKETCH_JOINTS);
    s->end = chance_number(c, 0.5, 3);
    s->rtol = 1e-7;
    s->atol = 1e-9;
    s->inputs = chance_of(c, 0.2) ? 1 + chance_below(c, SKETCH_INPUTS) : 0;
    for (int k = 0; k < s->inputs; k++) {
        s->input_time[k] = chance_short((k + chance_in(c, 0, 1)) * s->end / s->inputs);
        s->input_value[k] = chance_number(c, -10, 10);
    }
    const bool moving = chance_of(c, 0.5), straight = chance_of(c, 0.5);
    for (int k = 0; k < s->count; k++) {
        make_joint(&m, k, moving, straight);
    }
    make_laws(&m, chance_in(c, 0.4, 1));
    make_loads(&m);
    sketch_add_springs(s, seed);
    make_sizes(&m);
    sketch_add_states(s, seed);
}
