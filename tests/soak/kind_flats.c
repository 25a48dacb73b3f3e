/*
 * Loops of four that stand at rest where they are all in one line, of a stream of chance of their own: parallelograms and four-bars that can be folded flat, where
 * branches of their motion meet, and cranks with a slider in a dead centre, or next to that. Most joints stick. Some set out later, some never; some ride on a base that
 * is led.
 */
#include "kind.h"

#include <string.h>

enum { LINKS = 4 };

/* Where joints are along the line, the last one that which closes the loop. */
static void place_joints(chance *c, bool slides, double at[LINKS])
{
    const double a = chance_size(c, 0.1, 0.6), b = chance_of(c, 0.3) ? a : chance_size(c, 0.2, 1),
                 other = chance_size(c, 0.2, 1);
    at[0] = 0;
    at[1] = chance_of(c, 0.5) ? a : -a;
    if (slides) {
        at[2] = at[1] + (chance_of(c, 0.8) ? a + b : -(a + b));
        at[3] = at[2];
    } else if (chance_of(c, 0.6)) { /* a parallelogram */
        at[2] = at[1] + b;
        at[3] = b;
    } else {
        at[2] = at[1] + other;
        at[3] = at[2] + (chance_of(c, 0.5) ? b : -b);
    }
}

/* What drives a joint: it begins at once, later, slowly; or passes zero. */
static void make_load(chance *c, double size, char *law)
{
    const double F = chance_short(size * chance_in(c, -3, 3)), T = chance_number(c, 0.05, 0.5);
    switch (chance_below(c, 4)) {
    case 0:
        make_say(law, "%g", F);
        break;
    case 1:
        make_say(law, "if(t < %g, 0, %g)", T, F);
        break;
    case 2:
        make_say(law, "%g*t", F);
        break;
    default:
        make_say(law, "%g*sin(%g*t)", F, chance_size(c, 1, 15));
    }
}

static void make_laws(chance *c, sketch_primitive *p, double size, bool equal)
{
    const double K = chance_short(size * (equal ? 1 : chance_in(c, 0.1, 2)));
    p->threshold = 1e-3;
    p->stiction = chance_of(c, 0.75);
    p->damping = chance_of(c, 0.3) ? chance_size(c, 1e-3, 1) : 0;
    if (p->stiction) {
        make_say(p->kinetic, "%g", K);
        make_say(p->limit, "%g", K * (chance_of(c, 0.5) ? 1 : 1.2));
    }
    if (chance_of(c, 0.4)) {
        make_load(c, size, p->stiction ? p->external : p->force);
    }
}

/* A base that a motion leads, steadily where it is a place; the ground, -1, where there is none. */
static int make_base(chance *c, sketch *s)
{
    const int k = s->count;
    if (!chance_of(c, 0.5) || k + LINKS >= SKETCH_JOINTS) {
        return -1;
    }
    sketch_joint *j = &s->joint[s->count++];
    *j = (sketch_joint){
        .type = "prismatic", .alive = true, .base = -1, .follower = k, .count = 1, .mass = 1};
    j->axis[chance_below(c, 3)] = 1;
    j->primitive[0].kind = 'p';
    snprintf(j->primitive[0].name, sizeof j->primitive[0].name, "j%d", k);
    make_say(j->primitive[0].motion, "%g*t", chance_size(c, 1e-3, 30));
    return k;
}

/* The second joint is off the line by little; if it may, by next to nothing: nearer than the tolerances of a run tell it from one on the line. */
static void move_aside(chance *c, sketch_joint *loop, bool apart)
{
    const double off = !chance_of(c, 0.6) ? 0
                       : apart            ? chance_size(c, 1e-6, 1e-2)
                                          : chance_size(c, 1e-9, 1e-3);
    loop[1].at_base[1] = off;
    loop[2].at_base[1] = -off;
}

static void make_joint(chance *c, sketch *s, int i, int base, const double at[LINKS], bool slides)
{
    const int k = s->count++, first = k - i;
    const bool closes = i == LINKS - 1;
    const double here = at[i], next = closes ? at[i] : at[i + 1], length = fabs(next - here);
    sketch_joint *j = &s->joint[k];
    *j = (sketch_joint){.type = slides && closes ? "prismatic" : "revolute",
                        .alive = true,
                        .base = i == 0 || closes ? base : k - 1,
                        .follower = closes ? first + 2 : k,
                        .count = 1};
    j->axis[slides && closes ? 0 : 2] = 1;
    j->primitive[0].kind = slides && closes ? 'p' : 'r';
    snprintf(j->primitive[0].name, sizeof j->primitive[0].name, "j%d", k);
    j->at_base[0] = here - (i == 0 || closes ? 0 : at[i - 1]);
    j->at_follower[0] = closes ? here - at[2] : 0;
    if (!closes) {
        const double l = length > 0 ? length : 0.1;
        j->mass = chance_size(c, 0.2, 5);
        j->center[0] = (next - here) / 2;
        j->inertia[0] = j->mass * l * l / 20;
        j->inertia[1] = j->inertia[2] = j->mass * l * l / 12;
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x6f6f6f6f6f6f6f6fu}, *c = &own;
    sketch *s = m->s;
    if (!m->wish.flats || !chance_of(c, 0.6) || s->count + LINKS > SKETCH_JOINTS) {
        return;
    }
    const int base = m->wish.beside ? make_base(c, s) : -1, first = s->count;
    const bool slides = chance_of(c, 0.5), equal = chance_of(c, 0.4);
    double at[LINKS];
    place_joints(c, slides, at);
    for (int i = 0; i < LINKS; i++) {
        make_joint(c, s, i, base, at, slides);
    }
    if (m->wish.beside) {
        move_aside(c, &s->joint[first], m->wish.aside);
    }
    const double size = chance_size(c, 0.3, 30);
    for (int i = 0; i < LINKS; i++) {
        make_laws(c, &s->joint[first + i].primitive[0], size, equal);
    }
    make_leave_bands(s);
}

const sketch_kind sketch_flats = {.make = make};
