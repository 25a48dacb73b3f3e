/*
 * Joints that are each other's like and give way at the same instant, of a stream of chance of their own: side by side on the ground, on a body that slides, or
 * on one that is shaken with pauses; or in a row, where a force on the last one comes through all. Friction, limits, loads and bodies are equal; some loads
 * are mirrored.
 */
#include "kind.h"

#include <string.h>

enum { MOST = 4 };

typedef enum base { GROUND, CART, SHAKER, BASES } base;

static sketch_joint *add(sketch *s, const char *type, int hangs_on, double mass)
{
    const int k = s->count++;
    sketch_joint *j = &s->joint[k];
    *j = (sketch_joint){.type = type,
                        .alive = true,
                        .base = hangs_on,
                        .follower = k,
                        .count = 1,
                        .mass = mass,
                        .inertia = {0.1 * mass, 0.1 * mass, 0.1 * mass}};
    j->primitive[0].kind = strcmp(type, "revolute") == 0 ? 'r' : 'p';
    snprintf(j->primitive[0].name, sizeof j->primitive[0].name, "j%d", k);
    return j;
}

/* What they ride on: a body that slides, or is led; -1: the ground. */
static int add_base(chance *c, sketch *s)
{
    const base which = (base)chance_below(c, BASES);
    if (which == GROUND) {
        return -1;
    }
    sketch_joint *j = add(s, "prismatic", -1, chance_size(c, 0.5, 5));
    sketch_primitive *p = &j->primitive[0];
    j->axis[0] = 1;
    if (which == SHAKER) {
        make_say(p->motion, "%g*max(0, sin(%g*t))^2", chance_size(c, 0.01, 0.3),
                 chance_size(c, 2, 20));
    } else if (chance_of(c, 0.5)) {
        p->stiffness = chance_size(c, 10, 300);
    }
    return j->follower;
}

/* One law for all; a twin that is mirrored has it with the other sign. */
static void make_law(chance *c, double limit, char *law)
{
    const double T = chance_number(c, 0.05, 0.5);
    switch (chance_below(c, 5)) {
    case 0:
        make_say(law, "%g*t/%g", limit, T);
        break;
    case 1:
        make_say(law, "%g*sin(%g*t)", limit * chance_number(c, 1, 3), chance_size(c, 2, 20));
        break;
    case 2:
        make_say(law, "%g", limit);
        break;
    case 3:
        make_say(law, "%g*pulse(t, %g, %g)", limit * chance_number(c, 1, 2), 0.1 + T, T);
        break;
    default:
        make_say(law, "if(t < %g, 0, %g)", T, limit * chance_number(c, 1, 2));
    }
}

static void set_law(sketch *s, const sketch_joint *last, bool row, bool mirrored, const char *law,
                    sketch_primitive *p)
{
    sketch_load *l = &s->load[0];
    if (!row) {
        make_say(p->external, mirrored ? "-1*(%s)" : "%s", law);
    } else if (last) {
        memset(l, 0, sizeof *l);
        l->body = last->follower;
        make_say(l->force[0], "%s", law);
    }
}

static void make_some(chance *c, sketch *s, int count)
{
    const bool row = chance_of(c, 0.35), turn = !row && chance_of(c, 0.3),
               mirrored = chance_of(c, 0.4), start = chance_of(c, 0.3);
    const double mass = chance_size(c, 0.3, 5), K = chance_short(mass * chance_in(c, 0.5, 4)),
                 limit = chance_of(c, 0.5) ? K : chance_short(K * chance_in(c, 1, 1.5)),
                 speed = start ? chance_number(c, -2, 2) : 0;
    sketch_law law;
    make_law(c, limit, law);
    int on = add_base(c, s);
    for (int k = 0; k < count; k++) {
        sketch_joint *j = add(s, turn ? "revolute" : "prismatic", on, mass);
        sketch_primitive *p = &j->primitive[0];
        j->axis[turn ? 2 : 0] = 1;
        j->at_base[1] = row ? 0 : 0.3 * k;
        p->velocity = row ? 0 : mirrored && k % 2 ? -speed : speed;
        p->threshold = 1e-3;
        p->stiction = true;
        make_say(p->kinetic, "%g", K);
        make_say(p->limit, "%g", limit);
        set_law(s, k == count - 1 ? j : NULL, row, mirrored && k % 2, law, p);
        on = row ? j->follower : on;
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x4e4e4e4e4e4e4e4eu}, *c = &own;
    const int room = SKETCH_JOINTS - m->s->count - 1, count = 2 + chance_below(c, MOST - 1);
    if (m->wish.twins && chance_of(c, 0.6) && room >= 2) {
        make_some(c, m->s, count < room ? count : room);
    }
}

const sketch_kind sketch_twins = {.make = make};
