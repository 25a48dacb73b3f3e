/* Friction along joints; what else acts along them is made in the same pass (make_joints.c). */
#include "kind.h"

#include <string.h>

/* Friction that is being made. */
typedef struct friction {
    maker *m;
    double K, ratio, t0, w, mu;
    const char *name;
} friction;

/* Laws that follow side or speed, with limits of their own: false where it is another one. */
static bool friction_of_velocity(const friction *f, sketch_primitive *p, int which)
{
    chance *c = &f->m->c;
    switch (which) {
    case 3: { /* asymmetric */
        const double other = chance_short(f->K * chance_in(c, 0.3, 2));
        make_say(p->kinetic, "if(dir > 0, %g, %g)", f->K, other);
        make_say(p->forward, "-%g", f->K * f->ratio);
        make_say(p->reverse, "%g", other * f->ratio);
        return true;
    }
    case 4: /* Stribeck */
        make_say(p->kinetic, "%g*(1 + %g*exp(-abs(1*velocity(%s))/%g))", f->K, f->ratio - 1,
                 f->name, f->w);
        make_say(p->limit, "%g*%g", f->K * 1.000001, f->ratio);
        return true;
    case 5: /* a table of the speed */
        make_say(p->kinetic,
                 "if(abs(1*velocity(%s)) < %g, %g*(1 - 0.5*abs(1*velocity(%s))/%g), 0.5*%g)",
                 f->name, f->w, f->K, f->name, f->w, f->K);
        make_say(p->limit, "%g*%g", f->K, f->ratio);
        return true;
    default:
        return false;
    }
}

/* The value at rest of all others. */
static void friction_at_rest(const friction *f, char *base, int which)
{
    chance *c = &f->m->c;
    switch (which) {
    case 0:
    case 1:
    case 2:
        make_say(base, "%g", f->K);
        break;
    case 6:
        make_say(base, "%g*reaction_force(%s)", f->mu, f->name);
        break;
    case 7:
        make_say(base, "%g*normal_force(%s)", f->mu, f->name);
        break;
    case 8:
        make_say(base, "%g*reaction_torque(%s)", f->mu, f->name);
        break;
    case 9:
        make_say(base, "%g + %g*normal_force(%s)", f->K, f->mu, f->name);
        break;
    case 10: /* fades to zero and stays there */
        make_say(base, "max(0, %g - %g*t)", f->K, chance_short(f->K / f->t0));
        break;
    case 11: /* is pressed on at some time */
        make_say(base, chance_of(c, 0.5) ? "if(t < %g, 0, %g)" : "max(0, (t - %g)*%g)", f->t0,
                 f->K);
        break;
    case 12:
        make_say(base, "0");
        break;
    case 13:
        make_say(base, "1e-9");
        break;
    case 14:
        make_say(base, "%g*(1 + 0.8*sin(%g*t))", f->K, chance_size(c, 1, 20));
        break;
    case 15:
        make_say(base, "%g*(1 + 0.5*sin(3*position(%s)))", f->K, f->name);
        break;
    default: { /* pressed on by what another joint does */
        const sketch_primitive *other = make_pick(f->m->s, c);
        if (other) {
            make_say(base, "%g*max(0, 1*position(%s))", f->K, other->name);
        } else {
            make_say(base, "%g", f->K);
        }
    }
    }
}

void make_friction(maker *m, sketch_primitive *p, double size)
{
    chance *c = &m->c;
    friction f = {.m = m, .name = p->name};
    f.K = chance_short(size * chance_in(c, 0.1, 2));
    f.ratio = chance_of(c, 0.35) ? 1 : chance_number(c, 1, chance_of(c, 0.3) ? 5 : 2);
    f.t0 = chance_number(c, 0.1, 1);
    f.w = chance_size(c, 0.01, 1);
    f.mu = chance_size(c, 0.01, p->kind == 'r' ? 0.15 : 0.5);
    const int which = chance_below(c, 17);
    sketch_law base;
    if (friction_of_velocity(&f, p, which)) {
        return;
    }
    friction_at_rest(&f, base, which);
    memcpy(p->kinetic, base, sizeof base);
    if (f.ratio == 1) {
        memcpy(p->limit, base, sizeof base);
    } else {
        char law[SKETCH_LAW + 32];
        snprintf(law, sizeof law, "%g*(%s)", f.ratio, base);
        memcpy(p->limit, law, SKETCH_LAW - 1);
        p->limit[SKETCH_LAW - 1] = '\0';
    }
    if (chance_of(c, 0.04)) {
        make_say(p->test, "%g*friction(%s)", chance_number(c, 0.7, 1.4), f.name);
    }
}

static void write(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count && s->joint[k].alive; i++) {
            const sketch_primitive *p = &s->joint[k].primitive[i];
            if (!p->stiction || p->by_law) {
                continue;
            }
            /* One for all, so that static stays above kinetic friction. */
            const double by = write_factor(w);
            write_text(w, any ? "" : "stiction:\n");
            any = true;
            const int l = sketch_length(p);
            const double force = sketch_unit(s, 1, 2 - l, -2);
            write_text(w, "  %s: {", p->name);
            const size_t start = w->length;
            if (p->threshold > 0) {
                write_text(w, ", velocity_threshold: %.16g",
                           p->threshold * sketch_unit(s, 0, l, -1));
            }
            write_law(w, "kinetic", p->kinetic, force, by);
            write_law(w, "static", p->limit, force, by);
            write_law(w, "forward", p->forward, force, by);
            write_law(w, "reverse", p->reverse, force, by);
            write_law(w, "test", p->test, force, 1);
            write_law(w, "external", p->external, force, write_factor(w));
            for (int n = 0; n < SKETCH_KINDS; n++) {
                if (sketch_kinds[n]->write_stiction) {
                    sketch_kinds[n]->write_stiction(w, s, k, i);
                }
            }
            write_drop_comma(w, start);
            write_text(w, "%s}\n", p->band ? ", locking: band" : "");
        }
    }
}

/* ---- shrinking ---- */

/*
 * Kinetic and static friction change together, lest the static friction falls below the kinetic one: no consistent
 * state would be no wonder.
 */
static void try_friction(shrinker *w, int k, int i, const char *law)
{
    sketch t = *w->s;
    sketch_primitive *p = &t.joint[k].primitive[i];
    char copy[SKETCH_LAW] = {0};
    snprintf(copy, sizeof copy, "%s", law);
    memcpy(p->kinetic, copy, SKETCH_LAW);
    memcpy(p->limit, copy, SKETCH_LAW);
    memset(p->forward, 0, SKETCH_LAW);
    memset(p->reverse, 0, SKETCH_LAW);
    shrinker_attempt(w, &t);
}

static void simplify_friction(shrinker *w, sketch_primitive *p, int k, int i)
{
    sketch t = *w->s;
    t.joint[k].primitive[i].stiction = false;
    if (shrinker_attempt(w, &t)) {
        return;
    }
    try_friction(w, k, i, "0");
    try_friction(w, k, i, "1");
    try_friction(w, k, i, p->kinetic);
    shrinker_law(w, p->test, true);
    shrinker_law(w, p->external, true);
}

static void simplify_laws(shrinker *w)
{
    for (int k = 0; k < w->s->count; k++) {
        for (int i = 0; w->s->joint[k].alive && i < w->s->joint[k].count; i++) {
            sketch_primitive *p = &w->s->joint[k].primitive[i];
            if (p->stiction && !p->by_law) {
                simplify_friction(w, p, k, i);
            }
        }
    }
}

const sketch_kind sketch_friction = {
    .make = make_joint_laws, .write = write, .simplify_laws = simplify_laws};
