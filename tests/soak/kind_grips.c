/*
 * Stiction of other kinds, in place of some, of a stream of chance of their own: belts around drums, whose limits differ from one direction
 * to the other (docs/mechanism-file.md, "Belts and ropes"), pulled by something or by the spring of another joint; and static friction
 * that grows with the time at rest.
 */
#include "kind.h"

#include <string.h>

enum { GRIPS = 3 };

/* T (E - 1) against the motion towards its own end, T (1 - 1/E) away from it. */
static void make_belt(sketch *s, chance *c, sketch_primitive *p, double size)
{
    const sketch_primitive *other = make_pick(s, c);
    const double E = chance_number(c, 1.1, 3), held = chance_of(c, 0.3) ? E : E * 1.3;
    sketch_law T;
    if (other && other != p && other->stiffness > 0) {
        make_say(T, "%g*max(0, %g - 1*position(%s))", other->stiffness, other->rest, other->name);
    } else if (chance_of(c, 0.4)) {
        make_say(T, "%g*(1 + 0.7*sin(%g*t))", size, chance_size(c, 1, 15));
    } else {
        make_say(T, "%g", size);
    }
    const bool turned = chance_of(c, 0.5);
    const double there = turned ? 1 - 1 / E : E - 1, back = turned ? E - 1 : 1 - 1 / E,
                 limit = turned ? 1 - 1 / held : held - 1,
                 other_limit = turned ? held - 1 : 1 - 1 / held;
    make_say(p->kinetic, "(%s)*if(dir > 0, %.6g, %.6g)", T, there, back);
    make_say(p->forward, "-(%s)*%.6g", T, limit * (1 + 1e-5));
    make_say(p->reverse, "(%s)*%.6g", T, other_limit * (1 + 1e-5));
    p->limit[0] = '\0';
}

static void make_ageing(chance *c, sketch_primitive *p, double size)
{
    const double T = chance_size(c, 0.01, 1), more = chance_short(size * chance_in(c, 0.1, 1));
    make_say(p->kinetic, "%g", size);
    make_say(p->limit,
             chance_of(c, 0.6) ? "%g + %g*(1 - exp(-rest_time(%s)/%g))"
                               : "%g + %g*log(1 + rest_time(%s)/%g)",
             size, more, p->name, T);
    p->forward[0] = p->reverse[0] = '\0';
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x1c1c1c1c1c1c1c1cu}, *c = &own;
    for (int k = 0; k < GRIPS && m->wish.grips; k++) {
        sketch_primitive *p = make_pick(m->s, c);
        const double size = chance_size(c, 0.1, 5);
        if (!p || !p->stiction || p->test[0] || !chance_of(c, 0.6)) {
            continue;
        }
        if (chance_of(c, 0.5)) {
            make_belt(m->s, c, p, size);
        } else {
            make_ageing(c, p, size);
        }
    }
}

/* ---- how long who rests ---- */

static bool ages(const sketch_primitive *p)
{
    return p->stiction && strstr(p->limit, "rest_time(");
}

static void write_output(writer *w, const sketch *s)
{
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count && s->joint[k].alive; i++) {
            if (ages(&s->joint[k].primitive[i])) {
                write_text(w, ", rest_time(%s)", s->joint[k].primitive[i].name);
            }
        }
    }
}

static void start(scene *sc, const verdict *v)
{
    for (int d = 0; d < sc->count; d++) {
        char name[64];
        snprintf(name, sizeof name, "rest_time(%s)", scene_primitive_of(sc, d)->name);
        sc->rest[d] = verdict_state(v, name, 0) / sketch_unit(sc->s, 0, 0, 1);
    }
}

static void advance(scene *sc, double h)
{
    for (int d = 0; d < sc->count; d++) {
        sc->rest[d] += sc->a[d] == 0 && sc->v[sc->dof[d].v] == 0 ? h : 0;
    }
}

const sketch_kind sketch_grips = {
    .make = make, .write_output = write_output, .start = start, .advance = advance};
