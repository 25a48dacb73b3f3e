/*
 * Stiction by a friction law, with a Stribeck curve, viscous friction and a normal force (`friction: {law: stiction, ...}`), of a stream of
 * chance of its own. What it comes to stands as formulas of the primitive, which the file does not show: they are what the texts that
 * the library composes have to equal.
 */
#include "kind.h"

#include <string.h>

enum { CURVES = 3 };

typedef struct law {
    bool alive;
    int joint, primitive;
    double breakaway, coulomb, speed, viscous; /* breakaway, speed 0: not given */
    double radius;
    sketch_law normal; /* empty: none */
} law;

static law *of(const sketch *s, int k)
{
    return (law *)sketch_own(s, &sketch_stribeck) + k;
}

static bool is_there(const sketch *s, const law *own)
{
    const sketch_joint *j = &s->joint[own->joint];
    return own->alive && j->alive && own->primitive < j->count &&
           j->primitive[own->primitive].by_law;
}

static sketch_primitive *place_of(sketch *s, const law *own)
{
    return &s->joint[own->joint].primitive[own->primitive];
}

/* What the law is, as stiction. */
static void say_formulas(const law *own, sketch_primitive *p)
{
    char load[SKETCH_LAW + 64] = "";
    sketch_law curve;
    const double C = own->coulomb, B = own->breakaway, most = B > C ? B : C;
    if (own->normal[0]) {
        snprintf(load, sizeof load, "%.17g*max(0, %s)*", p->kind == 'r' ? own->radius : 1,
                 own->normal);
    }
    make_say(curve, "%.9g", C);
    if (B > 0 && own->speed > 0) {
        make_say(curve, "(%.9g + %.9g*exp(-0.5*(1*velocity(%s)/%.9g)^2))", C, B - C, p->name,
                 own->speed);
    }
    make_say(p->kinetic, "%s%s + %.9g*abs(1*velocity(%s))", load, curve, own->viscous, p->name);
    make_say(p->limit, "%s%.9g", load, most);
}

static void make_one(maker *m, chance *c, int k)
{
    sketch *s = m->s;
    law *own = of(s, k);
    own->joint = chance_below(c, s->count);
    sketch_joint *j = &s->joint[own->joint];
    own->primitive = chance_below(c, j->count + 1);
    sketch_primitive *p = &j->primitive[own->primitive];
    own->coulomb = chance_size(c, 0.1, 5);
    own->breakaway = chance_of(c, 0.8) ? chance_short(own->coulomb * chance_in(c, 1.05, 2)) : 0;
    own->speed = chance_of(c, 0.8) ? chance_size(c, 0.01, 0.5) : 0;
    own->viscous = chance_of(c, 0.5) ? chance_size(c, 0.01, 1) : 0;
    own->radius = chance_size(c, 0.05, 0.5);
    const int load = chance_below(c, 4);
    if (load == 0) {
        make_say(own->normal, "%g*(1 + 1.2*sin(%g*t))", chance_size(c, 0.2, 3),
                 chance_size(c, 1, 12));
    } else if (load == 1 && !j->tied && !sketch_is_in_loop(s, own->joint) &&
               !sketch_is_coupled(s, own->joint)) {
        make_say(own->normal, "%g*normal_force(%s)", chance_size(c, 0.01, 0.1), p->name);
    }
    const bool takes = strcmp(j->type, "free") != 0 && own->primitive < j->count &&
                       p->kind != 's' && !p->kept && !p->motion[0] && !p->test[0] && !p->by_law;
    own->alive = takes && !sketch_is_beside_mesh(s, own->joint);
    if (!own->alive) {
        return;
    }
    if (!p->stiction) {
        memcpy(p->external, p->force, sizeof p->external);
        memset(p->force, 0, sizeof p->force);
    }
    p->stiction = p->by_law = true;
    p->band = false;
    p->threshold = 0;
    p->forward[0] = p->reverse[0] = '\0';
    say_formulas(own, p);
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x0d0d0d0d0d0d0d0du}, *c = &own;
    for (int k = 0; k < CURVES && m->wish.grips; k++) {
        if (chance_of(c, 0.35)) {
            make_one(m, c, k);
        }
    }
}

static void write_along(writer *w, const sketch *s, int joint, int primitive)
{
    for (int k = 0; k < CURVES; k++) {
        const law *own = of(s, k);
        const sketch_primitive *p = &s->joint[joint].primitive[primitive];
        if (!is_there(s, own) || own->joint != joint || own->primitive != primitive) {
            continue;
        }
        const int l = sketch_length(p);
        const double effort = sketch_unit(s, 1, 2 - l, -2), speed = sketch_unit(s, 0, l, -1),
                     dry = (own->normal[0] ? 1 : effort) * write_factor(w);
        write_text(w, ", friction: {law: stiction, coulomb: %.17g, viscous: %.17g",
                   own->coulomb * dry, own->viscous * effort / speed);
        if (own->breakaway > 0) {
            write_text(w, ", breakaway: %.17g", own->breakaway * dry);
        }
        if (own->speed > 0) {
            write_text(w, ", breakaway_velocity: %.17g", own->speed * speed);
        }
        if (own->normal[0]) {
            write_law(w, "normal_force", own->normal, sketch_unit(s, 1, 1, -2), 1);
            if (l == 0) {
                write_text(w, ", radius: %.17g", own->radius * sketch_unit(s, 0, 1, 0));
            }
        }
        write_text(w, "}");
        write_law(w, "force", p->external, effort, write_factor(w));
    }
}

static void attempt(shrinker *w, int k, const law *simpler)
{
    sketch t = *w->s;
    *of(&t, k) = *simpler;
    if (is_there(&t, simpler)) {
        say_formulas(simpler, place_of(&t, simpler));
        shrinker_attempt(w, &t);
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < CURVES; k++) {
        if (!is_there(w->s, of(w->s, k))) {
            continue;
        }
        sketch t = *w->s;
        sketch_primitive *p = place_of(&t, of(&t, k));
        of(&t, k)->alive = p->by_law = p->stiction = false;
        if (shrinker_attempt(w, &t)) {
            continue;
        }
        law simpler = *of(w->s, k);
        simpler.viscous = 0;
        attempt(w, k, &simpler);
        simpler = *of(w->s, k);
        simpler.speed = 0;
        attempt(w, k, &simpler);
        simpler = *of(w->s, k);
        memset(simpler.normal, 0, sizeof simpler.normal);
        attempt(w, k, &simpler);
        shrinker_law(w, place_of(w->s, of(w->s, k))->external, true);
    }
}

const sketch_kind sketch_stribeck = {
    .size = CURVES * sizeof(law), .make = make, .write_along = write_along, .drop = drop};
