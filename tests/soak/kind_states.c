/*
 * States, of a stream of chance of their own: mechanisms without are the same as ever. They stay bounded whatever the
 * motion does, and forces and friction follow them. Those after them are made for other kinds (blocks.h).
 */
#include "blocks.h"

#include "kind.h"

#include <math.h>
#include <string.h>

enum { OWN = 2 };

static void make_derivative(sketch *s, chance *c, int k, char *law)
{
    const sketch_primitive *p = make_pick(s, c);
    const double rate = chance_size(c, 0.5, 50);
    switch (p ? chance_below(c, 8) : 6 + chance_below(c, 2)) {
    case 0:
    case 1: /* filters */
        make_say(law, "%g*(sin(1*position(%s)) - z%d)", rate, p->name, k);
        break;
    case 2:
        make_say(law, "%g*(clamp(1*velocity(%s), -1, 1) - z%d)", rate, p->name, k);
        break;
    case 3: /* a bristle */
        make_say(law, "1*velocity(%s) - %g*abs(1*velocity(%s))*z%d", p->name, rate, p->name, k);
        break;
    case 4:
        make_say(law, "%g*(min(1, %g*reaction_force(%s)) - z%d)", rate, chance_size(c, 0.01, 0.5),
                 p->name, k);
        break;
    case 5:
        /* bounded, and monotone: sin() of a large one has a thousand solutions side by side */
        make_say(law, "%g*(%g*1*acceleration(%s)/(1 + abs(1*acceleration(%s))) - z%d)", rate,
                 chance_number(c, 0.1, 1), p->name, p->name, k);
        break;
    case 6: /* a clock */
        make_say(law, "%g*(if(mod(t, %g) < %g, 1, 0) - z%d)", rate, chance_number(c, 0.2, 0.6),
                 chance_number(c, 0.05, 0.2), k);
        break;
    default: /* a circle: z0 and z1 turn about each other */
        make_say(law, "%g*z%d - 0.1*z%d", k ? -rate : rate, 1 - k, k);
        break;
    }
}

/* Stops, of a stream of their own: where they are given it starts between them. */
static void make_stops(maker *m, sketch_state *z, int k)
{
    chance c = {m->seed ^ (0x4444444444444444u + (unsigned)k)};
    z->stops = m->wish.blocks && chance_of(&c, 0.7);
    z->low = -chance_number(&c, 0.02, 0.5);
    z->high = chance_number(&c, 0.02, 0.5);
    if (z->stops) {
        z->initial = fmin(fmax(z->initial, z->low), z->high);
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x5555555555555555u}, *c = &own;
    sketch *s = m->s;
    const bool any = chance_of(c, 0.25), both = chance_of(c, 0.5);
    for (int k = 0; k < OWN && any; k++) {
        sketch_state *z = &s->state[k];
        z->initial = chance_of(c, 0.5) ? chance_number(c, -1, 1) : 0;
        z->alive = k == 0 || both;
        make_derivative(s, c, k, z->derivative);
        make_stops(m, z, k);
    }
    if (any && !both && strstr(s->state[0].derivative, "z1")) {
        make_say(s->state[0].derivative, "1 - z0");
    }
    for (int k = 0; k < OWN && any; k++) {
        if (s->state[k].alive) {
            make_use(s, c, k ? "z1" : "z0");
            make_use(s, c, k ? "z1" : "z0");
        }
    }
}

sketch_state *states_add(sketch *s, char name[BLOCK_NAME])
{
    for (int k = OWN; k < SKETCH_STATES; k++) {
        if (!s->state[k].alive) {
            s->state[k].alive = true;
            snprintf(name, BLOCK_NAME, "z%d", k);
            return &s->state[k];
        }
    }
    return NULL;
}

static void write(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < SKETCH_STATES; k++) {
        if (s->state[k].alive) {
            write_text(w, "%s  z%d: {initial: %.16g, nominal: 1", any ? "" : "states:\n", k,
                       s->state[k].initial);
            write_law(w, "derivative", s->state[k].derivative, sketch_unit(s, 0, 0, -1),
                      write_factor(w));
            if (s->state[k].stops) {
                write_text(w, ", min: %.16g, max: %.16g", s->state[k].low, s->state[k].high);
            }
            write_text(w, "}\n");
            any = true;
        }
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < SKETCH_STATES; k++) {
        if (w->s->state[k].alive) {
            sketch t = *w->s;
            t.state[k].alive = false;
            shrinker_attempt(w, &t);
        }
    }
}

/* ---- dynamics ---- */

static void start(scene *sc, const verdict *v)
{
    for (int k = 0; k < SKETCH_STATES; k++) {
        char name[] = {'z', (char)('0' + k), '\0'};
        sc->z[k] = verdict_state(v, name, sc->s->state[k].initial);
    }
}

static void rates(scene *sc)
{
    for (int k = 0; k < SKETCH_STATES; k++) {
        const sketch_state *own = &sc->s->state[k];
        const double rate = own->alive ? scene_law(sc, 0, own->derivative) : 0;
        const bool held = own->stops && ((sc->z[k] >= own->high && rate > 0) ||
                                         (sc->z[k] <= own->low && rate < 0));
        sc->z_rate[k] = held ? 0 : rate;
    }
}

static void advance(scene *sc, double h)
{
    for (int k = 0; k < SKETCH_STATES; k++) {
        sc->z[k] += h * sc->z_rate[k];
    }
}

static bool look_up(scene *sc, const char *name, double *value)
{
    const bool is_state = name[0] == 'z' && name[1] >= '0' && name[1] < '0' + SKETCH_STATES;
    if (is_state) {
        *value = sc->z[name[1] - '0'];
    }
    return is_state;
}

const sketch_kind sketch_states = {.make = make,
                                   .write = write,
                                   .drop = drop,
                                   .start = start,
                                   .rates = rates,
                                   .advance = advance,
                                   .look_up = look_up};
