/*
 * What stands on an edge, of a stream of chance of its own: friction of nothing and equal limits in loops, loads that are a limit exactly, that touch one,
 * or pass zero exactly, and motions that pause and go on.
 */
#include "kind.h"

#include <string.h>

/* There, a rest, back, as smooth as a motion has to be; or again and again. All begin at 0, at rest. */
static void make_pauses(chance *c, char *law)
{
    const double A = chance_size(c, 0.01, 0.15) * (chance_of(c, 0.5) ? 1 : -1),
                 w = chance_size(c, 3, 20), T = chance_number(c, 0, 0.3),
                 there = T + chance_number(c, 0.05, 0.3), back = there + chance_number(c, 0, 0.3);
    switch (chance_below(c, 3)) {
    case 0:
        make_say(law,
                 "%g*(ramp(t, %g, %g)^2*(3 - 2*ramp(t, %g, %g)) - ramp(t, %g, %g)^2*(3 - 2*ramp(t, "
                 "%g, %g)))",
                 A, T, there, T, there, back, back + 0.4, back, back + 0.4);
        break;
    case 1:
        make_say(law, "%g*max(0, sin(%g*t))^2", A, w);
        break;
    default:
        make_say(law, "%g*(1 - cos(min(6.283185307179586, max(0, %g*(t - %g)))))", A, w, T);
    }
}

/* Constant friction, and a load that comes to the limit, or to nothing. */
static void make_edge(chance *c, sketch_primitive *p, double size)
{
    const double K = chance_short(size * chance_in(c, 0.2, 1)),
                 L = chance_of(c, 0.5) ? K : chance_short(K * chance_in(c, 1, 1.5)),
                 T = chance_number(c, 0.05, 0.5), w = chance_size(c, 2, 20);
    const int sign = chance_of(c, 0.5) ? 1 : -1;
    make_say(p->kinetic, "%g", K);
    make_say(p->limit, "%g", L);
    p->forward[0] = p->reverse[0] = '\0';
    p->velocity = chance_of(c, 0.7) ? 0 : p->velocity;
    switch (chance_below(c, 6)) {
    case 0:
        make_say(p->external, "%g", sign * L);
        break;
    case 1: /* up to it, and stays there */
        make_say(p->external, "%g*min(1, t/%g)", sign * L, T);
        break;
    case 2: /* its peaks touch it */
        make_say(p->external, "%g*sin(%g*t)", sign * L, w);
        break;
    case 3:
        make_say(p->external, "if(t < %g, %g, %g)", T, sign * 0.5 * L, sign * L);
        break;
    case 4: /* through zero at an instant that is known, beyond the limit before and after */
        make_say(p->external, "%g*(%g - t)", sign * 5 * L, T);
        break;
    default: /* pulses of just that */
        make_say(p->external, "%g*pulse(t, %g, %g)", sign * L, 0.2 + T, T);
    }
}

/* Of joints in loops: none at all, or what another one has. */
static void make_even_loop(chance *c, sketch *s)
{
    const double K = chance_size(c, 0.05, 2), ratio = chance_of(c, 0.5) ? 1 : 1.2;
    for (int k = 0; k < s->count; k++) {
        sketch_primitive *p = &s->joint[k].primitive[0];
        if (!sketch_is_in_loop(s, k) || !p->stiction || p->by_law || p->test[0] ||
            !chance_of(c, 0.6)) {
            continue;
        }
        const bool none = chance_of(c, 0.4);
        make_say(p->kinetic, "%g", none ? 0 : K);
        make_say(p->limit, "%g", none ? 0 : ratio * K);
        p->forward[0] = p->reverse[0] = '\0';
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x2f2f2f2f2f2f2f2fu}, *c = &own;
    sketch *s = m->s;
    if (!m->wish.edges) {
        return;
    }
    if (chance_of(c, 0.4)) {
        make_even_loop(c, s);
    }
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            sketch_primitive *p = &s->joint[k].primitive[i];
            const bool edge = chance_of(c, 0.3);
            if (p->kind != 's' && p->motion[0]) {
                make_pauses(c, p->motion);
            } else if (edge && p->kind != 's' && p->stiction && !p->by_law && !p->test[0] &&
                       !sketch_is_in_loop(s, k)) {
                make_edge(c, p, s->joint[k].mass * (p->kind == 'r' ? 2 : 5));
            }
        }
    }
}

const sketch_kind sketch_edges = {.make = make};
