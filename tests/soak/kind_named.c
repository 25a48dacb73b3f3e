/*
 * Named formulas y0, y1, ..., made for other kinds (blocks.h): signals of the file, some of them late. What is late only the run knows: its
 * value is an output, and unknown at the start.
 */
#include "blocks.h"

#include "kind.h"

#include <string.h>

enum { NAMED = 6 };

typedef struct named {
    double late; /* 0: it is not */
    sketch_law law;
} named;

static named *of(const sketch *s, int k)
{
    return (named *)sketch_own(s, &sketch_named) + k;
}

bool named_add(sketch *s, const char *law, double late, char name[BLOCK_NAME])
{
    for (int k = 0; k < NAMED; k++) {
        if (!of(s, k)->law[0]) {
            of(s, k)->late = late;
            snprintf(of(s, k)->law, SKETCH_LAW, "%s", law);
            snprintf(name, BLOCK_NAME, "y%d", k);
            return true;
        }
    }
    return false;
}

static void write(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < NAMED; k++) {
        const named *own = of(s, k);
        if (own->law[0]) {
            write_text(w, "%s  y%d: \"%s", any ? "" : "signals:\n", k,
                       own->late > 0 ? "delay(" : "");
            write_formula(w, own->law, 1, write_factor(w));
            if (own->late > 0) {
                write_text(w, ", %.17g)", own->late * sketch_unit(s, 0, 0, 1));
            }
            write_text(w, "\"\n");
            any = true;
        }
    }
}

static void write_output(writer *w, const sketch *s)
{
    for (int k = 0; k < NAMED; k++) {
        if (of(s, k)->law[0] && of(s, k)->late > 0) {
            write_text(w, ", y%d", k);
        }
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < NAMED; k++) {
        if (of(w->s, k)->law[0]) {
            sketch t = *w->s;
            memset(of(&t, k), 0, sizeof *of(&t, k));
            if (!shrinker_attempt(w, &t)) {
                shrinker_numbers(w, &of(w->s, k)->late, 1, 0);
                shrinker_law(w, of(w->s, k)->law, false);
            }
        }
    }
}

/* ---- dynamics ---- */

static void start(scene *sc, const verdict *v)
{
    double *value = scene_own(sc, &sketch_named);
    for (int k = 0; k < NAMED; k++) {
        char name[] = {'y', (char)('0' + k), '\0'};
        value[k] = verdict_state(v, name, (double)NAN);
    }
}

static bool look_up(scene *sc, const char *name, double *value)
{
    const int k = name[0] == 'y' ? name[1] - '0' : -1;
    if (k < 0 || k >= NAMED) {
        return false;
    }
    *value = of(sc->s, k)->late > 0 ? ((const double *)scene_own(sc, &sketch_named))[k]
                                    : scene_law(sc, sc->now, of(sc->s, k)->law);
    return true;
}

static bool is_known(const scene *sc)
{
    bool known = true;
    for (int k = 0; k < NAMED; k++) {
        known = known && !(of(sc->s, k)->late > 0 &&
                           isnan(((const double *)scene_own(sc, &sketch_named))[k]));
    }
    return known;
}

const sketch_kind sketch_named = {.size = NAMED * sizeof(named),
                                  .scene_size = NAMED * sizeof(double),
                                  .write = write,
                                  .write_output = write_output,
                                  .drop = drop,
                                  .start = start,
                                  .look_up = look_up,
                                  .is_known = is_known};
