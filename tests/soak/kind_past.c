/*
 * What remembers, of a stream of chance of its own: dead times, relays with hysteresis in steps and as states, counters, and what sampled values were
 * some instants ago. Forces and friction read them, as they are or through switches.
 */
#include "blocks.h"

#include "kind.h"

#include <string.h>

enum { MEMORIES = 4 };

/* A number of ordinary size: of t, of a joint, or one that jumps. */
static void make_seen(maker *m, chance *c, char *law)
{
    const sketch_primitive *p = make_pick(m->s, c);
    const double border = chance_number(c, -0.5, 0.5);
    switch (p ? chance_below(c, 6) : chance_below(c, 2)) {
    case 0:
        make_say(law, "sin(%g*t)", chance_size(c, 1, 12));
        break;
    case 1:
        make_say(law, "pulse(t, %g, %g)", chance_number(c, 0.3, 0.8), chance_number(c, 0.05, 0.25));
        break;
    case 2:
        make_say(law, "clamp(1*velocity(%s), -1, 1)", p->name);
        break;
    case 3:
        make_say(law, "if(1*position(%s) > %g, 1, 0)", p->name, border);
        break;
    default:
        make_say(law, "sin(1*position(%s))", p->name);
        break;
    }
}

/* Of a dead time itself, one time in three. */
static void make_late(maker *m, chance *c)
{
    sketch_law seen;
    char name[BLOCK_NAME], again[BLOCK_NAME];
    make_seen(m, c, seen);
    if (!named_add(m->s, seen, chance_size(c, 0.02, 0.5), name)) {
        return;
    }
    make_use(m->s, c, name);
    if (chance_of(c, 0.3)) {
        make_say(seen, "0.5*%s", name);
        if (named_add(m->s, seen, chance_size(c, 0.05, 0.5), again)) {
            make_use(m->s, c, again);
        }
    }
}

static void use_switch(maker *m, chance *c, const char *name, double border)
{
    sketch_law text;
    make_say(text, "if(%s > %g, %g, %g)", name, border, chance_number(c, 0, 1),
             chance_number(c, -1, 1));
    make_use(m->s, c, text);
    if (chance_of(c, 0.5)) {
        make_use(m->s, c, name);
    }
}

static void make_sampled_relay(maker *m, chance *c)
{
    const sketch_primitive *p = make_pick(m->s, c);
    char name[BLOCK_NAME];
    char *law = p ? sampled_add(m->s, chance_size(c, 0.003, 0.1), chance_below(c, 2), name) : NULL;
    if (!law) {
        return;
    }
    const double low = chance_number(c, -0.4, 0.3), high = low + chance_number(c, 0.01, 0.4);
    make_say(law, "if(1*%s(%s) > %g, 1, if(1*%s(%s) < %g, 0, %s))",
             chance_of(c, 0.6) ? "position" : "velocity", p->name, high, "position", p->name, low,
             name);
    use_switch(m, c, name, 0.5);
}

/* docs/controllers.md: it switches 1/rate after its border has been passed. */
static void make_relay(maker *m, chance *c)
{
    const sketch_primitive *p = make_pick(m->s, c);
    char name[BLOCK_NAME];
    sketch_state *z = p ? states_add(m->s, name) : NULL;
    if (!z) {
        return;
    }
    const double low = chance_number(c, -0.4, 0.3), high = low + chance_number(c, 0.01, 0.4);
    z->stops = true;
    z->high = 1;
    z->initial = chance_below(c, 2);
    make_say(z->derivative,
             "%g*((1*position(%s) > %g) - (1*position(%s) < %g) + 0.5*sign(%s - 0.5))",
             chance_size(c, 1e2, 1e5), p->name, high, p->name, low, name);
    sketch_law text;
    make_say(text, "if(%s > 0.5, %g, %g)", name, chance_number(c, 0, 1), chance_number(c, -1, 1));
    make_use(m->s, c, text);
}

/* An integer that goes on with time, or as long as a joint sticks; it begins again and again. */
static void make_counter(maker *m, chance *c)
{
    const sketch_primitive *p = make_pick(m->s, c);
    char name[BLOCK_NAME];
    char *law = sampled_add(m->s, chance_size(c, 0.01, 0.2), 0, name);
    const int count = 2 + chance_below(c, 4);
    if (!law) {
        return;
    }
    if (p && p->stiction && chance_of(c, 0.6)) {
        make_say(law, "mod(%s + (mode(%s) == 0), %d)", name, p->name, count);
    } else {
        make_say(law, "mod(%s + 1, %d)", name, count);
    }
    use_switch(m, c, name, chance_below(c, count - 1) + 0.5);
}

/* What another sampled value was. */
static void make_previous(maker *m, chance *c)
{
    char first[BLOCK_NAME], name[BLOCK_NAME];
    const double every = chance_size(c, 0.01, 0.2);
    char *law = sampled_add(m->s, every, 0, first);
    if (!law) {
        return;
    }
    make_seen(m, c, law);
    law = sampled_add(m->s, chance_of(c, 0.7) ? every : chance_size(c, 0.01, 0.2), 0, name);
    if (law) {
        make_say(law, "0.5*(previous(%s, %d) - %s)", first, 1 + chance_below(c, 5), first);
        make_use(m->s, c, name);
    }
}

static void make(maker *m)
{
    static void (*const ways[])(maker *, chance *) = {make_late,  make_late,    make_sampled_relay,
                                                      make_relay, make_counter, make_previous};
    chance own = {m->seed ^ 0x7c7c7c7c7c7c7c7cu}, *c = &own;
    for (int k = 0; k < MEMORIES && m->wish.past; k++) {
        if (chance_of(c, 0.3)) {
            ways[chance_below(c, sizeof ways / sizeof *ways)](m, c);
        }
    }
}

const sketch_kind sketch_past = {.make = make};
