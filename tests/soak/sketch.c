/* A sketch as a whole: what its kinds of items make of it. */
#include "kind.h"

#include <string.h>

double sketch_unit(const sketch *s, int m, int l, int t)
{
    return pow(s->unit[0], m) * pow(s->unit[1], l) * pow(s->unit[2], t);
}

int sketch_length(const sketch_primitive *p)
{
    return p->kind == 'p';
}

/* Where those of sampled values have always stood. */
static void write_outputs(writer *w, const sketch *s)
{
    static const char key[] = "outputs: [";
    const size_t start = w->length;
    write_text(w, key);
    for (int k = 0; k < SKETCH_KINDS; k++) {
        if (sketch_kinds[k]->write_output) {
            sketch_kinds[k]->write_output(w, s);
        }
    }
    if (w->length == start + strlen(key)) {
        w->length = start;
        w->text[start] = '\0';
        return;
    }
    write_drop_comma(w, start + strlen(key));
    write_text(w, "]\n");
}

void sketch_write(const sketch *s, uint64_t seed, double size, char *text, size_t capacity)
{
    writer w = {.text = text, .capacity = capacity, .chance = {seed}, .size = size, .s = s};
    const double time = sketch_unit(s, 0, 0, 1);
    text[0] = '\0';
    for (int k = 0; k < SKETCH_KINDS; k++) {
        if (sketch_kinds[k]->write) {
            sketch_kinds[k]->write(&w, s);
        }
        if (sketch_kinds[k] == &sketch_sampled) {
            write_outputs(&w, s);
        }
    }
    write_text(&w, "simulation: {end: %.16g, interval: %.16g, rtol: %.16g", s->end * time,
               s->end / 20 * time, s->rtol);
    if (s->atol > 0) {
        write_text(&w, ", atol: %.16g", s->atol);
    }
    write_text(&w, "}\n");
}

/* The same laws as velocities. */
static void make_speeds(sketch *s, uint64_t seed)
{
    chance c = {seed ^ 0x7777777777777777u};
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            sketch_primitive *p = &s->joint[k].primitive[i];
            p->by_speed = p->motion[0] && chance_of(&c, 0.5);
            p->position = p->by_speed ? 0 : p->position; /* where the motion starts */
        }
    }
}

sketch_wishes sketch_wishes_of(uint64_t seed)
{
#define WISH(name, since, words) .name = seed >= (since),
    return (sketch_wishes){SKETCH_WISH_TABLE(WISH)};
#undef WISH
}

bool sketch_wishes_named(const char *list, sketch_wishes *wishes)
{
    *wishes = (sketch_wishes){0};
    while (*list) {
        const size_t length = strcspn(list, ",");
        bool known = false;
#define WISH(name, since, words)                                        \
    if (length == strlen(#name) && strncmp(list, #name, length) == 0) { \
        wishes->name = known = true;                                    \
    }
        SKETCH_WISH_TABLE(WISH)
#undef WISH
        if (!known) {
            return false;
        }
        list += length + (list[length] == ',');
    }
    return true;
}

void sketch_generate(sketch *s, uint64_t seed, sketch_wishes wish)
{
    maker m = {.c = {seed}, .s = s, .seed = seed, .wish = wish};
    memset(s, 0, sizeof *s);
    s->steps = wish.steps;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        if (sketch_kinds[k]->make) {
            sketch_kinds[k]->make(&m);
        }
    }
    if (wish.speeds) {
        make_speeds(s, seed);
    }
}

bool sketch_closes(const sketch *s, int k)
{
    return s->joint[k].alive && s->joint[k].follower != k;
}

bool sketch_law_jumps(const char *law)
{
    return strstr(law, "sign(") || strstr(law, "if(1*velocity");
}

bool sketch_jumps(const sketch *s)
{
    bool any = false;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        any = any || (sketch_kinds[k]->jumps && sketch_kinds[k]->jumps(s));
    }
    return any;
}

bool sketch_is_beside_mesh(const sketch *s, int joint)
{
    bool rubs = false, coupled = false;
    for (int k = 0; k < SKETCH_COUPLINGS; k++) {
        const sketch_coupling *own = &s->coupling[k];
        rubs = rubs || (own->type && own->driving > 0);
        for (int i = 0; own->type && i < own->count; i++) {
            coupled = coupled || own->joint[i] == joint;
        }
    }
    return rubs && coupled;
}
