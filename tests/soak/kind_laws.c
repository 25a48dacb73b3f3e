/*
 * Friction laws of primitives (docs/mechanism-file.md), of a stream of chance of their own. What they do is told by formulas that share
 * nothing with the texts that the library composes.
 *
 * Joints that rigid couplings tie have none where a mesh rubs, whose force the library tells from theirs. Where loops and couplings tie
 * anything half of all laws are Quinn's, so that several joints are together in their bands; what they share at rest nobody here knows.
 */
#include "kind.h"

#include <math.h>
#include <string.h>

enum { LAWS = 4, SPRINGS = 3 };

typedef enum word { COULOMB, STRIBECK, SIGN, HYPERVISCOUS, QUINN, LUGRE, DAHL, SLIP, WORDS } word;

static const char *const names[WORDS] = {"coulomb", "stribeck", "sign", "hyperviscous",
                                         "quinn",   "lugre",    "dahl", "maxwell-slip"};

typedef struct law {
    bool alive;
    int joint, primitive;
    word word;
    double breakaway, coulomb, speed, viscous, band, stiffness, damping, inertia;
    double load; /* a normal force's, whose coefficients the others are; 0: none */
    double radius;
    int springs;
    double stiffnesses[SPRINGS], limits[SPRINGS];
} law;

/* What the stretches of springs are in a scene, and their rates. */
typedef struct stretch {
    double z[LAWS][SPRINGS], rate[LAWS][SPRINGS];
} stretch;

static law *of(const sketch *s, int k)
{
    return (law *)sketch_own(s, &sketch_laws) + k;
}

/* ---- making ---- */

static bool is_tied(const sketch *s)
{
    bool any = false;
    for (int k = 0; k < s->count; k++) {
        any = any || sketch_closes(s, k);
    }
    for (int k = 0; k < SKETCH_COUPLINGS; k++) {
        any = any || s->coupling[k].type;
    }
    return any || s->more_ties;
}

/* The primitive of a law; NULL: it can have none now. */
static const sketch_primitive *place_of(const sketch *s, const law *own)
{
    const sketch_joint *j = &s->joint[own->joint];
    const sketch_primitive *p = &j->primitive[own->primitive];
    const bool there = own->alive && j->alive && own->primitive < j->count && p->kind != 's' &&
                       !p->motion[0] && !p->stiction;
    return there && !sketch_is_beside_mesh(s, own->joint) ? p : NULL;
}

static void make_one(maker *m, chance *c, law *own)
{
    const double C = chance_size(c, 0.1, 5);
    own->joint = chance_below(c, m->s->count);
    own->primitive = chance_below(c, m->s->joint[own->joint].count + 1);
    own->word = (word)chance_below(c, WORDS);
    own->coulomb = C;
    own->breakaway = chance_of(c, 0.7) ? chance_short(C * chance_in(c, 1.05, 1.5)) : 0;
    own->speed = chance_size(c, 0.01, 0.3);
    own->band = chance_size(c, 0.01, 0.1);
    own->stiffness = chance_size(c, 50, 1000);
    own->damping = chance_of(c, 0.5) ? chance_size(c, 0.01, 0.5) : 0;
    /* so that bristles give nothing back: they are stretched by no more than half beyond what they slip at */
    own->viscous = chance_of(c, 0.5) ? chance_size(c, 0.01, 0.5) + own->damping : own->damping;
    own->inertia = chance_size(c, 0.1, 3);
    own->load = chance_of(c, 0.3) ? chance_size(c, 0.2, 5) : 0;
    own->radius = chance_size(c, 0.1, 1);
    own->springs = 1 + chance_below(c, SPRINGS);
    for (int k = 0; k < SPRINGS; k++) {
        own->stiffnesses[k] = chance_size(c, 20, 500);
        own->limits[k] = chance_size(c, 0.1, 2);
    }
    if (is_tied(m->s) && own->coulomb < 1) { /* one in two */
        own->word = QUINN;
    }
    own->load =
        own->word == LUGRE ? 0 : own->load; /* its viscous part would be too small beside it */
    own->alive = true;
}

static bool is_free(const sketch *s, int k)
{
    bool free = true;
    for (int l = 0; l < k; l++) {
        free = free && !(of(s, l)->alive && of(s, l)->joint == of(s, k)->joint &&
                         of(s, l)->primitive == of(s, k)->primitive);
    }
    return free;
}

/* Joints whose stiction gives way to a law: of nobody that reads its friction. */
static void replace_stiction(maker *m, chance *c, const law *own)
{
    sketch_joint *j = &m->s->joint[own->joint];
    sketch_primitive *p = &j->primitive[own->primitive];
    if (own->primitive < j->count && p->stiction && chance_of(c, 0.6) &&
        !sketch_is_beside_mesh(m->s, own->joint)) {
        p->stiction = p->band = false;
        memcpy(p->force, p->external, sizeof p->force);
        memset(p->external, 0, sizeof p->external);
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x1a35ull}, *c = &own, more = {m->seed ^ 0x1a36ull};
    const bool any = m->wish.laws && chance_of(c, 0.8);
    for (int k = 0; k < LAWS && any; k++) {
        make_one(m, c, of(m->s, k));
        of(m->s, k)->alive = is_free(m->s, k) && chance_of(c, 0.7);
        if (m->wish.all_laws && of(m->s, k)->alive) {
            replace_stiction(m, &more, of(m->s, k));
        }
    }
}

/* ---- writing ---- */

static void put(writer *w, const char *key, double value, double unit)
{
    write_text(w, ", %s: %.16g", key, value * unit * write_factor(w));
}

static void write_along(writer *w, const sketch *s, int joint, int primitive)
{
    for (int k = 0; k < LAWS; k++) {
        const law *own = of(s, k);
        const sketch_primitive *p = place_of(s, own);
        if (!p || own->joint != joint || own->primitive != primitive) {
            continue;
        }
        const int l = sketch_length(p);
        const double place = sketch_unit(s, 0, l, 0), speed = sketch_unit(s, 0, l, -1),
                     effort = sketch_unit(s, 1, 2 - l, -2), dry = own->load > 0 ? 1 : effort;
        write_text(w, ", friction: {law: %s", names[own->word]);
        put(w, "coulomb", own->coulomb, dry);
        if (own->breakaway > 0) {
            write_text(w, ", breakaway: %.16g", own->breakaway * dry);
        }
        put(w, "breakaway_velocity", own->speed, speed);
        put(w, "velocity_band", own->band, speed);
        write_text(w, ", viscous: %.16g", own->viscous * effort / speed);
        put(w, "stiffness", own->stiffness, dry / place);
        write_text(w, ", damping: %.16g", own->damping * dry / speed);
        put(w, "inertia", own->inertia, sketch_unit(s, 1, l ? 0 : 2, 0));
        for (int list = 0; list < 2; list++) {
            write_text(w, list ? ", limits: [" : ", stiffnesses: [");
            for (int n = 0; n < own->springs; n++) {
                write_text(w, n ? ", %.16g" : "%.16g",
                           list ? own->limits[n] * dry : own->stiffnesses[n] * dry / place);
            }
            write_text(w, "]");
        }
        if (own->load > 0) {
            write_text(w, ", normal_force: \"%.16g*(1 + 0.9*sin(%.16g*t))\"",
                       own->load * sketch_unit(s, 1, 1, -2), 5 / sketch_unit(s, 0, 0, 1));
            if (l == 0) {
                put(w, "radius", own->radius, sketch_unit(s, 0, 1, 0));
            }
        }
        write_text(w, "}");
    }
}

static bool jumps(const sketch *s)
{
    bool any = false;
    for (int k = 0; k < LAWS; k++) {
        any = any || (place_of(s, of(s, k)) && of(s, k)->word == SIGN);
    }
    return any;
}

static void drop(shrinker *w)
{
    for (int k = 0; k < LAWS; k++) {
        sketch t = *w->s;
        if (of(w->s, k)->alive) {
            of(&t, k)->alive = false;
            shrinker_attempt(w, &t);
        }
    }
}

static void simplify_numbers(shrinker *w)
{
    for (int k = 0; k < LAWS; k++) {
        law *own = of(w->s, k);
        if (place_of(w->s, own)) {
            shrinker_numbers(w, &own->breakaway, 1, 0);
            shrinker_numbers(w, &own->viscous, 1, 0);
            shrinker_numbers(w, &own->load, 1, 0);
            shrinker_round(w, &own->coulomb);
            shrinker_round(w, &own->speed);
            shrinker_round(w, &own->band);
            shrinker_round(w, &own->stiffness);
        }
    }
}

/* ---- dynamics ---- */

static double curve(const law *own, double v)
{
    const double x = v / (own->speed * sqrt(2)), B = own->breakaway;
    return own->coulomb + (B > 0 ? (B - own->coulomb) * exp(-x * x) : 0);
}

static double load_of(const scene *sc, const law *own, char kind)
{
    const double N = own->load * (1 + 0.9 * sin(5 * sc->t));
    return own->load == 0 ? 1 : fmax(0, N) * (kind == 'r' ? own->radius : 1);
}

static bool has_springs(const law *own)
{
    return own->word == LUGRE || own->word == DAHL || own->word == SLIP;
}

/* The rate of a stretch. */
static double rate_of(const law *own, double v, double z, int n)
{
    if (own->word != SLIP) {
        const double g = own->word == DAHL ? own->coulomb : curve(own, v);
        return v - own->stiffness * fabs(v) * z / g;
    }
    const double most = own->limits[n] / own->stiffnesses[n];
    return v * z >= 0 && fabs(z) >= most * (1 - 1e-12) ? 0 : v;
}

/* What compliant stops and elastic couplings do along a freedom. */
static double pushed(scene *sc, int d)
{
    double sum = 0;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        const bool other = sketch_kinds[k]->push && sketch_kinds[k] != &sketch_laws;
        sum += other ? sketch_kinds[k]->push(sc, d) : 0;
    }
    return sum;
}

/* h of Quinn's law: what acts less what is transmitted, and what the inertia that is given takes. */
static double active(scene *sc, int d, const law *own)
{
    const sketch_primitive *p = scene_primitive_of(sc, d);
    const double *F = sc->reaction[d], q = sc->q[sc->dof[d].q], v = sc->v[sc->dof[d].v];
    return scene_law(sc, d, p->force) + pushed(sc, d) - p->stiffness * (q - p->rest) -
           p->damping * v - dot(p->kind == 'r' ? F + 3 : F, sc->screw[d].e) +
           (own->inertia - p->armature) * sc->a[d];
}

/* The same as the law itself tells it, from what friction and acceleration are; nobody can at rest. */
static double told(const scene *sc, int d, const law *own, double limit, double u)
{
    const double v = sc->v[sc->dof[d].v];
    return u < 1e-6 ? (double)NAN
                    : limit * copysign(1, v) + (own->viscous * v + own->inertia * sc->a[d]) / u;
}

/* L D */
static double dry(scene *sc, int d, int k)
{
    const law *own = of(sc->s, k);
    const stretch *x = scene_own(sc, &sketch_laws);
    const double v = sc->v[sc->dof[d].v], C = own->coulomb, B = own->breakaway,
                 L = load_of(sc, own, scene_kind_of(sc, d)), u = fmin(1, fabs(v) / own->band);
    double sum = 0, h;
    switch (own->word) {
    case COULOMB:
        return L * C * tanh(v / own->band);
    case STRIBECK:
        return L *
               (C * tanh(10 * v / own->speed) +
                (B > 0 ? (B - C) * exp(0.5 - 0.5 * pow(v / own->speed, 2)) * v / own->speed : 0));
    case SIGN:
        return L * C * ((v > 0) - (v < 0));
    case HYPERVISCOUS:
        return L * C * copysign(u, v);
    case QUINN:
        h = u == 1 ? 0 : sc->tied ? told(sc, d, own, L * C, u) : active(sc, d, own);
        return isnan(h) ? h : L * C * copysign(u, v) + (1 - u) * fmax(-L * C, fmin(L * C, h));
    case SLIP:
        for (int n = 0; n < own->springs; n++) {
            sum += own->stiffnesses[n] * x->z[k][n];
        }
        return L * sum;
    default:
        return L * (own->stiffness * x->z[k][0] +
                    (own->word == LUGRE ? own->damping * rate_of(own, v, x->z[k][0], 0) : 0));
    }
}

static double push(scene *sc, int d)
{
    double sum = 0;
    for (int k = 0; k < LAWS; k++) {
        const law *own = of(sc->s, k);
        if (place_of(sc->s, own) && sc->dof[d].joint == own->joint &&
            sc->dof[d].primitive == own->primitive) {
            sum -= dry(sc, d, k) + own->viscous * sc->v[sc->dof[d].v];
        }
    }
    return sum;
}

static void start(scene *sc, const verdict *v)
{
    stretch *x = scene_own(sc, &sketch_laws);
    for (int k = 0; k < LAWS; k++) {
        const law *own = of(sc->s, k);
        const sketch_primitive *p = place_of(sc->s, own);
        const int count = own->word == SLIP ? own->springs : 1;
        for (int n = 0; n < count && p && has_springs(own); n++) {
            char name[64];
            snprintf(name, sizeof name, count > 1 ? "%s.bristle[%d]" : "%s.bristle", p->name,
                     n + 1);
            x->z[k][n] = verdict_state(v, name, 0) / sketch_unit(sc->s, 0, sketch_length(p), 0);
        }
    }
}

static void rates(scene *sc)
{
    stretch *x = scene_own(sc, &sketch_laws);
    for (int k = 0; k < LAWS; k++) {
        const law *own = of(sc->s, k);
        for (int d = 0; d < sc->count && place_of(sc->s, own) && has_springs(own); d++) {
            for (int n = 0; n < SPRINGS && sc->dof[d].joint == own->joint &&
                            sc->dof[d].primitive == own->primitive;
                 n++) {
                x->rate[k][n] = rate_of(own, sc->v[sc->dof[d].v], x->z[k][n], n);
            }
        }
    }
}

static void advance(scene *sc, double h)
{
    stretch *x = scene_own(sc, &sketch_laws);
    for (int k = 0; k < LAWS; k++) {
        for (int n = 0; n < SPRINGS; n++) {
            x->z[k][n] += h * x->rate[k][n];
        }
    }
}

const sketch_kind sketch_laws = {.size = LAWS * sizeof(law),
                                 .scene_size = sizeof(stretch),
                                 .make = make,
                                 .write_along = write_along,
                                 .jumps = jumps,
                                 .drop = drop,
                                 .simplify_numbers = simplify_numbers,
                                 .push = push,
                                 .start = start,
                                 .rates = rates,
                                 .advance = advance};
