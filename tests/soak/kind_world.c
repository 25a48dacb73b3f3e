/* Gravity, the input, and how long a run is. */
#include "kind.h"

static void make(maker *m)
{
    chance *c = &m->c;
    sketch *s = m->s;
    chance_bits(c);
    if (chance_of(c, 0.6)) {
        s->gravity[1] = -9.81;
    } else if (chance_of(c, 0.3)) {
        s->gravity[0] = chance_number(c, -5, 5);
        s->gravity[2] = chance_number(c, -5, 5);
    }
    s->count = 1 + chance_below(c, chance_of(c, 0.5) ? 3 : SKETCH_TREE);
    s->count = m->wish.few && s->count > 2 ? 2 : s->count;
    s->end = chance_number(c, 0.5, 3);
    s->rtol = 1e-7;
    s->atol = 1e-9;
    s->inputs = chance_of(c, 0.2) ? 1 + chance_below(c, SKETCH_INPUTS) : 0;
    for (int k = 0; k < s->inputs; k++) {
        s->input_time[k] = chance_short((k + chance_in(c, 0, 1)) * s->end / s->inputs);
        s->input_value[k] = chance_number(c, -10, 10);
    }
}

static void write(writer *w, const sketch *s)
{
    for (int k = 0; k < s->inputs; k++) {
        write_text(w, "# input u %.16g %.16g\n", s->input_time[k] * sketch_unit(s, 0, 0, 1),
                   s->input_value[k]);
    }
    write_text(w, "detent: 1\n");
    write_vector(w, "gravity: ", s->gravity, sketch_unit(s, 0, 1, -2));
    write_text(w, "\n%s", s->inputs ? "inputs: {u: 0}\n" : "");
}

static void drop(shrinker *w)
{
    for (int k = 0; k < w->s->inputs; k++) {
        sketch t = *w->s;
        t.inputs = k;
        shrinker_attempt(w, &t);
    }
}

static void simplify_numbers(shrinker *w)
{
    sketch *s = w->s;
    shrinker_numbers(w, s->gravity, 3, 0);
    shrinker_round(w, &s->end);
    if (s->end > 0.01) {
        shrinker_numbers(w, &s->end, 1, s->end / 2);
    }
}

const sketch_kind sketch_world = {
    .make = make, .write = write, .drop = drop, .simplify_numbers = simplify_numbers};
