#include "kind.h"

/*
 * Units of any size: the same motion, told in other numbers. An absolute tolerance would be one for metres and for
 * radians alike, so it goes. What a user says about sizes is not far from the truth: what he tells too large is not seen.
 */
static void make(maker *m)
{
    chance *c = &m->c;
    sketch *s = m->s;
    const bool other = chance_of(c, 0.3), told = chance_of(c, 0.2);
    for (int k = 0; k < 3; k++) {
        s->unit[k] = other ? pow(10, chance_below(c, 13) - 6) : 1;
    }
    if (other || chance_of(c, 0.4)) {
        s->atol = 0;
    }
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            sketch_primitive *p = &s->joint[k].primitive[i];
            if (told && chance_of(c, 0.4)) {
                p->nominal[0] = chance_of(c, 0.7) ? chance_size(c, 0.03, 1) : 0;
                p->nominal[1] = chance_of(c, 0.7) ? chance_size(c, 0.1, 5) : 0;
            }
            if (p->stiction && !p->band && chance_of(c, 0.2)) {
                p->threshold = 0;
            }
        }
    }
}

/* Ordinary sizes. */
static void drop(shrinker *w)
{
    shrinker_numbers(w, w->s->unit, 3, 1);
    for (int k = 0; k < 3; k++) {
        shrinker_numbers(w, &w->s->unit[k], 1, 1);
    }
    for (int k = 0; k < w->s->count; k++) {
        for (int i = 0; i < w->s->joint[k].count; i++) {
            shrinker_numbers(w, w->s->joint[k].primitive[i].nominal, 2, 0);
        }
    }
}

const sketch_kind sketch_sizes = {.make = make, .drop = drop};
