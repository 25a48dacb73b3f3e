/*
 * Controllers that drive joints to where they should be, most of which stick, of a stream of chance of their own: PID with a filtered derivative and an
 * integral that does not wind up, the same in steps with a place that is quantised, and two-point ones. What they are to follow jumps, pauses, or swings.
 */
#include "blocks.h"

#include "kind.h"

#include <string.h>

enum { CONTROLS = 2 };

/* One that is being made: a number from -1 to 1 times `most` is what it drives with. */
typedef struct control {
    maker *m;
    chance *c;
    sketch_primitive *p;
    double most, gain, every;
    sketch_law target;
} control;

static void make_target(control *own)
{
    chance *c = own->c;
    const double A = chance_number(c, -0.6, 0.6);
    switch (chance_below(c, 5)) {
    case 0:
        make_say(own->target, "%g", A);
        break;
    case 1:
        make_say(own->target, "if(t < %g, 0, %g)", chance_number(c, 0.05, 0.5), A);
        break;
    case 2:
        make_say(own->target, "%g*pulse(t, %g, %g)", A, chance_number(c, 0.4, 1),
                 chance_number(c, 0.1, 0.3));
        break;
    case 3: /* there, a pause, back */
        make_say(own->target, "%g*(ramp(t, %g, %g) - ramp(t, %g, %g))", A, 0.1,
                 chance_number(c, 0.15, 0.4), chance_number(c, 0.45, 0.7), 0.9);
        break;
    default:
        make_say(own->target, "%g*sin(%g*t)", A, chance_size(c, 1, 10));
        break;
    }
}

static void make_pid(control *own)
{
    chance *c = own->c;
    char error[BLOCK_NAME], integral[BLOCK_NAME], late[BLOCK_NAME];
    sketch_law text;
    make_say(text, "%s - 1*position(%s)", own->target, own->p->name);
    if (!named_add(own->m->s, text, 0, error)) {
        return;
    }
    sketch_state *i = states_add(own->m->s, integral), *f = states_add(own->m->s, late);
    if (!i || !f) {
        return;
    }
    const double rate = chance_size(c, 20, 300), most = chance_number(c, 0.2, 1);
    i->stops = chance_of(c, 0.8);
    i->low = -most;
    i->high = most;
    make_say(i->derivative, "%g*%s", chance_size(c, 0.5, 20), error);
    make_say(f->derivative, "%g*(%s - %s)", rate, error, late);
    make_say(text, "saturate(%g*%s + %s + %g*(%s - %s), -1, 1)", own->gain, error, integral,
             chance_size(c, 0.1, 5), error, late);
    make_use_along(own->p, own->most, text);
}

static void make_pid_in_steps(control *own)
{
    chance *c = own->c;
    char error[BLOCK_NAME], integral[BLOCK_NAME], out[BLOCK_NAME];
    char *e = sampled_add(own->m->s, own->every, 0, error),
         *i = sampled_add(own->m->s, own->every, 0, integral),
         *u = sampled_add(own->m->s, own->every, 0, out);
    if (!e || !i || !u) {
        return;
    }
    if (chance_of(c, 0.5)) {
        const double grain = chance_size(c, 1e-4, 0.05);
        make_say(e, "%s - %g*round(1*position(%s)/%g)", own->target, grain, own->p->name, grain);
    } else {
        make_say(e, "%s - 1*position(%s)", own->target, own->p->name);
    }
    make_say(i, "saturate(%s + %g*%s, -1, 1)", integral, chance_size(c, 0.01, 0.3), error);
    make_say(u, "saturate(%g*%s + %s + %g*(%s - previous(%s)), -1, 1)", own->gain, error, integral,
             chance_size(c, 0.1, 5), error, error);
    make_use_along(own->p, own->most, out);
}

/* On and off, with a hysteresis about the target; in steps. */
static void make_two_point(control *own)
{
    char name[BLOCK_NAME];
    char *law = sampled_add(own->m->s, own->every, 0, name);
    const double half = chance_size(own->c, 0.003, 0.1);
    if (!law) {
        return;
    }
    make_say(law, "if(%s - 1*position(%s) > %g, 1, if(%s - 1*position(%s) < %g, -1, %s))",
             own->target, own->p->name, half, own->target, own->p->name, -half, name);
    make_use_along(own->p, own->most, name);
}

static void make_one(maker *m, chance *c)
{
    static void (*const ways[])(control *) = {make_pid, make_pid, make_pid_in_steps,
                                              make_pid_in_steps, make_two_point};
    sketch_joint *j = &m->s->joint[chance_below(c, m->s->count)];
    const int primitive = j->count > 0 ? chance_below(c, j->count) : 0;
    control own = {.m = m, .c = c, .p = &j->primitive[primitive]};
    own.most = chance_short(j->mass * 10 * (own.p->kind == 'r' ? 0.2 : 0.5) * chance_in(c, 0.2, 2));
    own.gain = chance_size(c, 1, 30);
    own.every = chance_size(c, 0.002, 0.05);
    make_target(&own);
    if (j->count > 0 && own.p->kind != 's' && !own.p->kept && !own.p->motion[0]) {
        ways[chance_below(c, sizeof ways / sizeof *ways)](&own);
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x1e1e1e1e1e1e1e1eu}, *c = &own;
    for (int k = 0; k < CONTROLS && m->wish.controls; k++) {
        if (chance_of(c, 0.35)) {
            make_one(m, c);
        }
    }
}

const sketch_kind sketch_controls = {.make = make};
