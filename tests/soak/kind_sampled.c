/*
 * Sampled values c0, c1, of a stream of chance of their own: numbers without unit that stay bounded, are read by forces and friction, and read
 * joints, each other and themselves. Those after them are made for other kinds (blocks.h).
 */
#include "blocks.h"

#include "kind.h"

#include <string.h>

enum { SAMPLED = 10, OWN = 2 };

typedef struct sampled {
    bool alive;
    double every, offset, initial;
    sketch_law value;
} sampled;

static sampled *of(const sketch *s, int k)
{
    return (sampled *)sketch_own(s, &sketch_sampled) + k;
}

static void make_value(sketch *s, chance *c, int k, char *law)
{
    const sketch_primitive *p = make_pick(s, c);
    const double factor = chance_number(c, 0.3, 3);
    switch (p ? chance_below(c, 6) : 6) {
    case 0:
        make_say(law, "%g*sin(1*position(%s))", factor, p->name);
        break;
    case 1:
        make_say(law, "clamp(%g*velocity(%s), -1, 1)", factor, p->name);
        break;
    case 2: /* a filter */
        make_say(law, "0.7*c%d + 0.3*sin(1*position(%s))", k, p->name);
        break;
    case 3: /* an integrator, for what is left of the run */
        make_say(law, "clamp(c%d + 0.1*sin(1*position(%s)), -1, 1)", k, p->name);
        break;
    case 4:
        make_say(law, "%g*1*acceleration(%s)/(1 + abs(1*acceleration(%s)))",
                 chance_number(c, 0.1, 1), p->name, p->name);
        break;
    case 5:
        make_say(law, k ? "0.6*c0 - 0.4*sin(1*velocity(%s))" : "sin(1*velocity(%s))", p->name);
        break;
    default:
        make_say(law, "sin(%g*t)", factor);
        break;
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x3333333333333333u}, *c = &own;
    sketch *s = m->s;
    const bool both = chance_of(c, 0.4);
    if (!m->wish.blocks || !chance_of(c, 0.5)) {
        return;
    }
    for (int k = 0; k < 1 + both; k++) {
        sampled *own_one = of(s, k);
        own_one->alive = true;
        own_one->every = chance_size(c, 0.01, 0.3);
        own_one->offset = chance_of(c, 0.3) ? chance_number(c, 0, 0.2) : 0;
        own_one->initial = chance_of(c, 0.5) ? chance_number(c, -1, 1) : 0;
        make_value(s, c, k, own_one->value);
    }
    for (int k = 0; k < 1 + both; k++) {
        make_use(s, c, k ? "c1" : "c0");
        make_use(s, c, k ? "c1" : "c0");
    }
}

/* A kind that finds no room for all that it needs leaves some without a law. */
static bool is_there(const sketch *s, int k)
{
    return of(s, k)->alive && of(s, k)->value[0];
}

char *sampled_add(sketch *s, double every, double initial, char name[BLOCK_NAME])
{
    for (int k = OWN; k < SAMPLED; k++) {
        sampled *one = of(s, k);
        if (!one->alive) {
            *one = (sampled){.alive = true, .every = every, .initial = initial};
            snprintf(name, BLOCK_NAME, "c%d", k);
            return one->value;
        }
    }
    return NULL;
}

static void write(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < SAMPLED; k++) {
        const sampled *own = of(s, k);
        if (is_there(s, k)) {
            write_text(w, "%s  c%d: {every: %.16g, offset: %.16g, initial: %.16g",
                       any ? "" : "sampled:\n", k, own->every * sketch_unit(s, 0, 0, 1),
                       own->offset * sketch_unit(s, 0, 0, 1), own->initial);
            write_law(w, "value", own->value, 1, write_factor(w));
            write_text(w, "}\n");
            any = true;
        }
    }
}

static void write_output(writer *w, const sketch *s)
{
    for (int k = 0; k < SAMPLED; k++) {
        if (is_there(s, k)) {
            write_text(w, ", c%d", k);
        }
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < SAMPLED; k++) {
        if (of(w->s, k)->alive) {
            sketch t = *w->s;
            of(&t, k)->alive = false;
            shrinker_attempt(w, &t);
            shrinker_law(w, of(w->s, k)->value, false);
        }
    }
}

/* ---- dynamics: they are held ---- */

static void start(scene *sc, const verdict *v)
{
    for (int k = 0; k < SAMPLED; k++) {
        double *held = scene_own(sc, &sketch_sampled);
        const char name[] = {'c', (char)('0' + k), '\0'};
        held[k] = verdict_state(v, name, of(sc->s, k)->initial);
    }
}

static bool look_up(scene *sc, const char *name, double *value)
{
    const bool is_sampled = name[0] == 'c' && name[1] >= '0' && name[1] < '0' + SAMPLED;
    if (is_sampled) {
        *value = ((const double *)scene_own(sc, &sketch_sampled))[name[1] - '0'];
    }
    return is_sampled;
}

const sketch_kind sketch_sampled = {.size = SAMPLED * sizeof(sampled),
                                    .scene_size = SAMPLED * sizeof(double),
                                    .make = make,
                                    .write = write,
                                    .write_output = write_output,
                                    .drop = drop,
                                    .start = start,
                                    .look_up = look_up};
