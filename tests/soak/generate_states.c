/*
 * States, of a stream of chance of their own: mechanisms without are the same as ever. They stay bounded whatever the
 * motion does, and forces and friction follow them.
 */
#include "chance.h"
#include "sketch.h"

#include <stdarg.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void say(char *law, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(law, SKETCH_LAW, format, arguments);
    va_end(arguments);
}

/* A primitive with one freedom; NULL where chance finds none. */
static sketch_primitive *pick(sketch *s, chance *c)
{
    for (int tries = 0; tries < 8; tries++) {
        sketch_joint *j = &s->joint[chance_below(c, s->count)];
        sketch_primitive *p = j->count ? &j->primitive[chance_below(c, j->count)] : NULL;
        if (p && p->kind != 's') {
            return p;
        }
    }
    return NULL;
}

static void make_derivative(sketch *s, chance *c, int k, char *law)
{
    const sketch_primitive *p = pick(s, c);
    const double rate = chance_size(c, 0.5, 50);
    switch (p ? chance_below(c, 8) : 6 + chance_below(c, 2)) {
    case 0:
    case 1: /* filters */
        say(law, "%g*(sin(1*position(%s)) - z%d)", rate, p->name, k);
        break;
    case 2:
        say(law, "%g*(clamp(1*velocity(%s), -1, 1) - z%d)", rate, p->name, k);
        break;
    case 3: /* a bristle */
        say(law, "1*velocity(%s) - %g*abs(1*velocity(%s))*z%d", p->name, rate, p->name, k);
        break;
    case 4:
        say(law, "%g*(min(1, %g*reaction_force(%s)) - z%d)", rate, chance_size(c, 0.01, 0.5),
            p->name, k);
        break;
    case 5:
        /* bounded, and monotone: sin() of a large one has a thousand solutions side by side */
        say(law, "%g*(%g*1*acceleration(%s)/(1 + abs(1*acceleration(%s))) - z%d)", rate,
            chance_number(c, 0.1, 1), p->name, p->name, k);
        break;
    case 6: /* a clock */
        say(law, "%g*(if(mod(t, %g) < %g, 1, 0) - z%d)", rate, chance_number(c, 0.2, 0.6),
            chance_number(c, 0.05, 0.2), k);
        break;
    default: /* a circle: z0 and z1 turn about each other */
        say(law, "%g*z%d - 0.1*z%d", k ? -rate : rate, 1 - k, k);
        break;
    }
}

/* Adds to a law, or (`by`) multiplies it, where there is room. */
static void extend(char *law, const char *text, bool by)
{
    char all[2 * SKETCH_LAW + 16];
    if (by ? law[0] != '\0' : true) {
        snprintf(all, sizeof all, by ? "(%s)*(%s)" : law[0] ? "%s + %s" : "%s%s", law, text);
        if (strlen(all) < SKETCH_LAW) {
            memcpy(law, all, strlen(all) + 1);
        }
    }
}

static void use(sketch *s, chance *c, int k)
{
    sketch_primitive *p = pick(s, c);
    char text[SKETCH_LAW];
    if (!p || p->kept || p->motion[0]) {
        return;
    }
    if (p->stiction &&
        chance_of(c, 0.4)) { /* one factor, so that static stays above kinetic friction */
        say(text, "1 + %g*z%d^2", chance_number(c, 0.1, 0.6), k);
        if (strlen(p->limit) + strlen(p->kinetic) + 2 * strlen(text) < SKETCH_LAW) {
            extend(p->kinetic, text, true);
            extend(p->limit, text, true);
            extend(p->forward, text, true);
            extend(p->reverse, text, true);
        }
        return;
    }
    say(text, "%g*z%d", chance_number(c, -5, 5), k);
    extend(p->stiction ? p->external : p->force, text, false);
}

void sketch_add_states(sketch *s, uint64_t seed)
{
    chance own = {seed ^ 0x5555555555555555u}, *c = &own;
    const bool any = chance_of(c, 0.25), both = chance_of(c, 0.5);
    for (int k = 0; k < SKETCH_STATES && any; k++) {
        sketch_state *z = &s->state[k];
        z->initial = chance_of(c, 0.5) ? chance_number(c, -1, 1) : 0;
        z->alive = k == 0 || both;
        make_derivative(s, c, k, z->derivative);
    }
    if (any && !both && strstr(s->state[0].derivative, "z1")) {
        say(s->state[0].derivative, "1 - z0");
    }
    for (int k = 0; k < SKETCH_STATES && any; k++) {
        if (s->state[k].alive) {
            use(s, c, k);
            use(s, c, k);
        }
    }
}
