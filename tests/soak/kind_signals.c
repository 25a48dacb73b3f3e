/*
 * Blocks of controllers, of a stream of chance of their own, which forces and friction follow: of time, and of joints, bounded. Which
 * numbers noise is made of only the library knows, so its value is an output n0, and unknown at the start.
 */
#include "kind.h"

#include <string.h>

enum { SIGNALS = 3 };

typedef struct noise {
    double period; /* of the noise; 0: there is none */
    int seed;
} noise;

static noise *of(const sketch *s)
{
    return sketch_own(s, &sketch_signals);
}

static void say_noise(const noise *own, char *text)
{
    make_say(text, "noise(t, %g, %d)", own->period, own->seed);
}

static void make_one(maker *m, chance *c, char *text)
{
    const sketch_primitive *p = make_pick(m->s, c);
    const char *const reading = chance_of(c, 0.5) ? "position" : "velocity";
    const int any = p ? chance_below(c, 6) : chance_below(c, 4),
              which = any == 3 && of(m->s)->period > 0 ? 2 : any; /* one noise */
    const double period = chance_number(c, 0.1, 0.8), low = chance_number(c, -0.6, 0);
    switch (which) {
    case 0:
        make_say(text, "pulse(t, %g, %g)", period, chance_short(period * chance_in(c, 0.1, 0.9)));
        break;
    case 1:
        make_say(text, "ramp(t, %g, %g)", -low, chance_short(period - low));
        break;
    case 2:
        make_say(text, "chirp(t, %g, %g)", chance_size(c, 0.3, 5), chance_number(c, -2, 3));
        break;
    case 3:
        *of(m->s) = (noise){.period = chance_number(c, 0.03, 0.4), .seed = chance_below(c, 1000)};
        say_noise(of(m->s), text);
        break;
    case 4:
        make_say(text, "saturate(1*%s(%s), %g, %g)", reading, p->name, low, low + period);
        break;
    default:
        make_say(text, "deadband(sin(1*%s(%s)), %g, %g)", reading, p->name, low, low + period);
        break;
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x5b5b5b5b5b5b5b5bu}, *c = &own;
    for (int k = 0; k < SIGNALS && m->wish.signals; k++) {
        if (chance_of(c, 0.3)) {
            sketch_law text;
            make_one(m, c, text);
            make_use(m->s, c, text);
        }
    }
}

/* ---- noise ---- */

static void write_output(writer *w, const sketch *s)
{
    sketch_law text;
    if (of(s)->period > 0) {
        say_noise(of(s), text);
        write_text(w, ", {n0: \"");
        write_formula(w, text, 1, 1);
        write_text(w, "\"}");
    }
}

static void drop(shrinker *w)
{
    shrinker_numbers(w, &of(w->s)->period, 1, 0);
}

static void start(scene *sc, const verdict *v)
{
    double *value = scene_own(sc, &sketch_signals);
    *value = of(sc->s)->period > 0 ? verdict_state(v, "n0", (double)NAN) : 0;
}

static bool call(const scene *sc, const char *name, const double *x, int count, double *value)
{
    (void)x;
    if (count != 3 || strcmp(name, "noise") != 0) {
        return false;
    }
    *value = *(const double *)scene_own(sc, &sketch_signals);
    return true;
}

static bool is_known(const scene *sc)
{
    return !isnan(*(const double *)scene_own(sc, &sketch_signals));
}

const sketch_kind sketch_signals = {.size = sizeof(noise),
                                    .scene_size = sizeof(double),
                                    .make = make,
                                    .write_output = write_output,
                                    .drop = drop,
                                    .start = start,
                                    .call = call,
                                    .is_known = is_known};
