#include "make.h"

#include <stdarg.h>
#include <string.h>

void make_say(char *law, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(law, SKETCH_LAW, format, arguments);
    va_end(arguments);
}

sketch_primitive *make_pick(sketch *s, chance *c)
{
    for (int tries = 0; tries < 8; tries++) {
        sketch_joint *j = &s->joint[chance_below(c, s->count)];
        sketch_primitive *p = j->count ? &j->primitive[chance_below(c, j->count)] : NULL;
        if (p && p->kind != 's') {
            return p;
        }
    }
    return NULL;
}

/* Adds to a law, or (`by`) multiplies it, where there is room. */
static void extend(char *law, const char *text, bool by)
{
    char all[2 * SKETCH_LAW + 16];
    if (by ? law[0] != '\0' : true) {
        snprintf(all, sizeof all, by ? "(%s)*(%s)" : law[0] ? "%s + %s" : "%s%s", law, text);
        if (strlen(all) < SKETCH_LAW) {
            memcpy(law, all, strlen(all) + 1);
        }
    }
}

void make_use_along(sketch_primitive *p, double size, const char *name)
{
    sketch_law text;
    make_say(text, "%g*%s", size, name);
    extend(p->stiction ? p->external : p->force, text, false);
}

void make_use(sketch *s, chance *c, const char *name)
{
    sketch_primitive *p = make_pick(s, c);
    char text[SKETCH_LAW];
    if (!p || p->kept || p->motion[0]) {
        return;
    }
    if (p->stiction &&
        chance_of(c, 0.4)) { /* one factor, so that static stays above kinetic friction */
        make_say(text, "1 + %g*%s^2", chance_number(c, 0.1, 0.6), name);
        if (!p->by_law && /* whose formulas are what the library says */
            strlen(p->limit) + strlen(p->kinetic) + 2 * strlen(text) < SKETCH_LAW) {
            extend(p->kinetic, text, true);
            extend(p->limit, text, true);
            extend(p->forward, text, true);
            extend(p->reverse, text, true);
        }
        return;
    }
    make_use_along(p, chance_number(c, -5, 5), name);
}

/* A drive that is being made. */
typedef struct drive {
    maker *m;
    char *law;
    double size, F, w, t0;
    const sketch_primitive *own, *other;
    const char *name; /* of the one or the other; NULL: there is none */
} drive;

/* Of joints: false where it is another one. */
static bool drive_of_joints(const drive *d, int which)
{
    chance *c = &d->m->c;
    switch (which) {
    case 6:
        if (d->other && d->name) {
            make_say(d->law, "-%g*(1*position(%s) - 1*position(%s))",
                     chance_short(d->size * chance_size(c, 0.5, 10)), d->name, d->other->name);
        } else {
            make_say(d->law, "%g*min(t, %g)", d->F, d->t0);
        }
        break;
    case 7:
        if (d->name) {
            make_say(d->law, "%g*(%g*sin(%g*t) - 1*position(%s)) - %g*velocity(%s)",
                     chance_short(d->size * chance_size(c, 1, 10)), chance_number(c, 0.1, 0.8),
                     d->w, d->name, chance_short(d->size * chance_size(c, 0.03, 0.3)), d->name);
        } else {
            make_say(d->law, "%g", d->F);
        }
        break;
    case 8:
        if (d->own) {
            make_say(d->law, "%g*sin(%g*t) - %g*acceleration(%s)", d->F, d->w,
                     chance_size(c, 0.01, 5), d->own->name);
        } else {
            make_say(d->law, "%g*cos(%g*t)", d->F, d->w);
        }
        break;
    case 9:
        if (d->other) {
            /* bounded: reactions grow with the square of speeds, and would pump them up without end */
            make_say(d->law, "%g*sin(%g*t) + %g*min(1*reaction_force(%s), %g)", d->F, d->w,
                     chance_number(c, -0.05, 0.05), d->other->name, chance_size(c, 10, 100));
        } else {
            make_say(d->law, "max(0, %g*(t - %g))", fabs(d->F), d->t0);
        }
        break;
    case 12:
        if (d->name) {
            make_say(d->law, "%g*cos(2*position(%s))", d->F, d->name);
        } else {
            make_say(d->law, "%g", d->F);
        }
        break;
    default:
        return false;
    }
    return true;
}

/* These two slide along their borders; sketch_jumps(). */
static bool drive_that_jumps(const drive *d, int which)
{
    chance *c = &d->m->c;
    switch (which) {
    case 13:
        if (d->name) {
            make_say(d->law, "%g*sin(%g*t) - %g*sign(1*velocity(%s) - %g)", d->F, d->w,
                     chance_short(d->size * chance_size(c, 0.3, 3)), d->name,
                     chance_number(c, -0.2, 0.2));
        } else {
            make_say(d->law, "%g", d->F);
        }
        break;
    case 14:
        if (d->name) {
            make_say(d->law, "if(1*velocity(%s) < %g*cos(%g*t), %g, %g)", d->name,
                     chance_number(c, 0, 0.3), d->w, d->F,
                     chance_short(d->size * chance_in(c, -3, 3)));
        } else {
            make_say(d->law, "%g", d->F);
        }
        break;
    default:
        return false;
    }
    return true;
}

static void drive_of_time(const drive *d, int which)
{
    chance *c = &d->m->c;
    switch (which) {
    case 0:
        make_say(d->law, "%g", d->F);
        break;
    case 1:
    case 2:
        make_say(d->law, "%g*sin(%g*t + %g)", d->F, d->w, d->t0);
        break;
    case 3:
        make_say(d->law, "if(t < %g, 0, %g)", d->t0, d->F);
        break;
    case 4:
        make_say(d->law, "if(mod(t, %g) < %g, %g, 0)", chance_number(c, 0.2, 0.6),
                 chance_number(c, 0.02, 0.15), d->F);
        break;
    case 5:
        make_say(d->law, "%g*t", d->F);
        break;
    case 10:
        make_say(d->law, "%su", d->m->s->inputs ? "" : "0*");
        if (!d->m->s->inputs) {
            make_say(d->law, "%g*max(0, sin(%g*t))", d->F, d->w);
        }
        break;
    case 11:
        make_say(d->law, "clamp(%g*sin(%g*t), -%g, %g)", d->F, d->w, fabs(d->F) / 2,
                 fabs(d->F) / 3);
        break;
    default:
        make_say(d->law, "%g*exp(-%g*t)", d->F, d->w);
        break;
    }
}

void make_drive(maker *m, char *law, double size, const sketch_primitive *own)
{
    chance *c = &m->c;
    drive d = {.m = m, .law = law, .size = size, .own = own};
    d.F = chance_short(size * chance_in(c, -3, 3));
    d.w = chance_size(c, 0.5, 15);
    d.t0 = chance_number(c, 0, 1);
    d.other = make_pick(m->s, c);
    d.name = own ? own->name : d.other ? d.other->name : NULL;
    const int which = chance_below(c, 16);
    if (!drive_of_joints(&d, which) && !drive_that_jumps(&d, which)) {
        drive_of_time(&d, which);
    }
}

void make_quiet_drive(maker *m, char *law, double size, const sketch_primitive *own)
{
    do {
        make_drive(m, law, size, own);
    } while (strstr(law, "reaction") || strstr(law, "acceleration"));
}
