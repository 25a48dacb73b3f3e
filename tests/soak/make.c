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

void make_drive(maker *m, char *law, double size, const sketch_primitive *own)
{
    chance *c = &m->c;
    const double F = chance_short(size * chance_in(c, -3, 3)), w = chance_size(c, 0.5, 15);
    const double t0 = chance_number(c, 0, 1);
    const sketch_primitive *other = make_pick(m->s, c);
    const char *name = own ? own->name : other ? other->name : NULL;
    switch (chance_below(c, 16)) {
    case 0:
        make_say(law, "%g", F);
        break;
    case 1:
    case 2:
        make_say(law, "%g*sin(%g*t + %g)", F, w, t0);
        break;
    case 3:
        make_say(law, "if(t < %g, 0, %g)", t0, F);
        break;
    case 4:
        make_say(law, "if(mod(t, %g) < %g, %g, 0)", chance_number(c, 0.2, 0.6),
                 chance_number(c, 0.02, 0.15), F);
        break;
    case 5:
        make_say(law, "%g*t", F);
        break;
    case 6:
        if (other && name) {
            make_say(law, "-%g*(1*position(%s) - 1*position(%s))",
                     chance_short(size * chance_size(c, 0.5, 10)), name, other->name);
        } else {
            make_say(law, "%g*min(t, %g)", F, t0);
        }
        break;
    case 7:
        if (name) {
            make_say(law, "%g*(%g*sin(%g*t) - 1*position(%s)) - %g*velocity(%s)",
                     chance_short(size * chance_size(c, 1, 10)), chance_number(c, 0.1, 0.8), w,
                     name, chance_short(size * chance_size(c, 0.03, 0.3)), name);
        } else {
            make_say(law, "%g", F);
        }
        break;
    case 8:
        if (own) {
            make_say(law, "%g*sin(%g*t) - %g*acceleration(%s)", F, w, chance_size(c, 0.01, 5),
                     own->name);
        } else {
            make_say(law, "%g*cos(%g*t)", F, w);
        }
        break;
    case 9:
        if (other) {
            /* bounded: reactions grow with the square of speeds, and would pump them up without end */
            make_say(law, "%g*sin(%g*t) + %g*min(1*reaction_force(%s), %g)", F, w,
                     chance_number(c, -0.05, 0.05), other->name, chance_size(c, 10, 100));
        } else {
            make_say(law, "max(0, %g*(t - %g))", fabs(F), t0);
        }
        break;
    case 10:
        make_say(law, "%su", m->s->inputs ? "" : "0*");
        if (!m->s->inputs) {
            make_say(law, "%g*max(0, sin(%g*t))", F, w);
        }
        break;
    case 11:
        make_say(law, "clamp(%g*sin(%g*t), -%g, %g)", F, w, fabs(F) / 2, fabs(F) / 3);
        break;
    case 12:
        if (name) {
            make_say(law, "%g*cos(2*position(%s))", F, name);
        } else {
            make_say(law, "%g", F);
        }
        break;
    case 13: /* these two slide along their borders; sketch_jumps() */
        if (name) {
            make_say(law, "%g*sin(%g*t) - %g*sign(1*velocity(%s) - %g)", F, w,
                     chance_short(size * chance_size(c, 0.3, 3)), name,
                     chance_number(c, -0.2, 0.2));
        } else {
            make_say(law, "%g", F);
        }
        break;
    case 14:
        if (name) {
            make_say(law, "if(1*velocity(%s) < %g*cos(%g*t), %g, %g)", name,
                     chance_number(c, 0, 0.3), w, F, chance_short(size * chance_in(c, -3, 3)));
        } else {
            make_say(law, "%g", F);
        }
        break;
    default:
        make_say(law, "%g*exp(-%g*t)", F, w);
        break;
    }
}

void make_quiet_drive(maker *m, char *law, double size, const sketch_primitive *own)
{
    do {
        make_drive(m, law, size, own);
    } while (strstr(law, "reaction") || strstr(law, "acceleration"));
}
