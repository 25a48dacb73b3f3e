/*
 * Friction that reads what cams, slots and rigid couplings do, or the thrust of a joint, of a stream of chance of its own: that of joints anywhere, beside what they
 * have.
 */
#include "kind.h"

#include <string.h>

enum { READINGS = 2, ALL = 8 };

/* What can be read, by name; how many. */
static int list_forces(const sketch *s, sketch_law text[ALL])
{
    int count = 0;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        for (int n = 0; count < ALL && sketch_kinds[k]->say_force &&
                        sketch_kinds[k]->say_force(s, n, text[count]);
             n++) {
            count += text[count][0] != '\0';
        }
    }
    return count;
}

/* More friction, with static friction above it. */
static void add(chance *c, sketch_primitive *p, const char *force)
{
    const double mu = chance_size(c, 0.003, p->kind == 'r' ? 0.03 : 0.1),
                 ratio = chance_of(c, 0.5) ? 1 : chance_number(c, 1, 1.5);
    char *const laws[] = {p->kinetic, p->limit, p->forward, p->reverse};
    for (int k = 0; k < 4; k++) {
        char text[2 * SKETCH_LAW];
        snprintf(text, sizeof text, "%s %c %g*abs(1*%s)", laws[k], k == 2 ? '-' : '+',
                 k == 0 ? mu : mu * ratio, force);
        if (laws[k][0] && strlen(text) >= SKETCH_LAW) {
            return;
        }
    }
    for (int k = 0; k < 4; k++) {
        sketch_law text;
        make_say(text, "%s", laws[k]);
        if (text[0]) {
            snprintf(laws[k], SKETCH_LAW, "%.90s %c %g*abs(1*%s)", text, k == 2 ? '-' : '+',
                     k == 0 ? mu : mu * ratio, force);
        }
    }
}

static bool is_tied(const sketch *s, int k)
{
    return s->joint[k].tied || sketch_is_in_loop(s, k) || sketch_is_coupled(s, k);
}

/* The engine takes what is shared by joints with stiction only where who reads it shares it, too. */
static bool may_read(const sketch *s, const sketch_primitive *p)
{
    const int own = atoi(p->name + 1);
    int sharing = 0;
    for (int k = 0; k < s->count; k++) {
        sharing += is_tied(s, k) && s->joint[k].primitive[0].stiction;
    }
    return sharing - (is_tied(s, own) && p->stiction) < 1;
}

static void make_one(sketch *s, chance *c)
{
    sketch_law force[ALL];
    const int count = list_forces(s, force);
    sketch_primitive *p = make_pick(s, c);
    const sketch_primitive *other = make_pick(s, c);
    if (!p || !p->stiction || p->by_law || p->test[0] || strlen(p->kinetic) > 80 ||
        strlen(p->limit) > 80 || !p->kinetic[0]) {
        return;
    }
    if (count > 0 && chance_of(c, 0.8) && may_read(s, p)) {
        add(c, p, force[chance_below(c, count)]);
    } else if (other && !s->more_ties && !is_tied(s, atoi(other->name + 1))) {
        sketch_law text;
        make_say(text, "thrust_force(%s)", other->name);
        add(c, p, text);
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x0303030303030303u}, *c = &own;
    const double *unit = m->s->unit;
    const bool plain =
        unit[0] == 1 && unit[1] == 1 && unit[2] == 1; /* write.c knows no others of these */
    for (int k = 0; k < READINGS && m->wish.readings && plain; k++) {
        if (chance_of(c, 0.5)) {
            make_one(m->s, c);
        }
    }
}

/* Nothing of the program's own tells these forces. */
static bool is_known(const scene *sc)
{
    bool known = true;
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = scene_primitive_of(sc, d);
        known = known && !(p->stiction &&
                           (strstr(p->kinetic, "contact_") || strstr(p->kinetic, "coupling_") ||
                            strstr(p->kinetic, "thrust_")));
    }
    return known;
}

const sketch_kind sketch_readings = {.make = make, .is_known = is_known};
