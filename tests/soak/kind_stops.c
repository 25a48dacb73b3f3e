/*
 * Stops of joints, of a stream of chance of their own: rigid and compliant ones on either side or both, on joints with and without
 * friction, in trees and loops. Joints start between them, or at one.
 */
#include "stops.h"

#include "kind.h"

#include <string.h>

enum { STOPPED = 8 };

typedef struct side {
    bool there;
    double off; /* from where the joint starts */
    double restitution, stiffness, damping;
} side;

typedef struct stopped {
    bool alive;
    int joint, primitive;
    side side[2]; /* lower, upper */
} stopped;

static stopped *of(const sketch *s, int k)
{
    return (stopped *)sketch_own(s, &sketch_stops) + k;
}

/* Whether it is a joint of some mesh that rubs, and not the first: of one joint has to be told what the mesh carries. */
static bool tells_mesh(const sketch *s, int joint)
{
    bool tells = false;
    for (int k = 0; k < SKETCH_COUPLINGS; k++) {
        const sketch_coupling *mesh = &s->coupling[k];
        for (int i = 1; mesh->type && mesh->driving > 0 && i < mesh->count; i++) {
            tells = tells || mesh->joint[i] == joint;
        }
    }
    return tells;
}

/* The primitive of stops; NULL: it can have none now. */
static const sketch_primitive *place_of(const sketch *s, const stopped *own)
{
    const sketch_joint *j = &s->joint[own->joint];
    const sketch_primitive *p = &j->primitive[own->primitive];
    const bool there = own->alive && j->alive && own->primitive < j->count && p->kind != 's';
    const bool pushes = own->side[0].stiffness > 0 || own->side[1].stiffness > 0;
    const bool tells =
        tells_mesh(s, own->joint) || (pushes && sketch_is_beside_mesh(s, own->joint));
    return there && !tells && !p->motion[0] ? p : NULL;
}

static void make_side(chance *c, side *own, bool narrow)
{
    static const double restitutions[] = {0, 0.3, 0.5, 0.8, 1};
    own->there = chance_of(c, 0.75);
    own->off = chance_of(c, 0.1) ? 0 : chance_size(c, narrow ? 1e-3 : 0.02, narrow ? 0.02 : 1);
    own->restitution =
        chance_of(c, 0.3) ? chance_number(c, 0, 1) : restitutions[chance_below(c, 5)];
    own->stiffness = chance_of(c, 0.2) ? chance_size(c, 30, 1e4) : 0;
    own->damping = chance_of(c, 0.6) ? chance_size(c, 0.01, 30) : 0;
}

static bool is_free(const sketch *s, int k)
{
    bool free = true;
    for (int l = 0; l < k; l++) {
        free = free && !(of(s, l)->alive && of(s, l)->joint == of(s, k)->joint &&
                         of(s, l)->primitive == of(s, k)->primitive);
    }
    return free;
}

static bool has_motion(const sketch *s, int joint)
{
    return s->joint[joint].primitive[0].motion[0];
}

/* Whether a motion may leave a joint of its loop or coupling no choice: it would be driven through a stop that does not yield. */
static bool is_driven(const sketch *s, int joint)
{
    bool driven = false;
    for (int c = 0; c < s->count; c++) {
        bool member = c == joint, moved = has_motion(s, c);
        for (int k = sketch_closes(s, c) ? s->joint[c].follower : -1;
             k >= 0 && k != s->joint[c].base; k = s->joint[k].base) {
            member = member || k == joint;
            moved = moved || has_motion(s, k);
        }
        driven = driven || (sketch_closes(s, c) && member && moved);
    }
    for (int c = 0; c < SKETCH_COUPLINGS; c++) {
        bool member = false, moved = false;
        for (int k = 0; s->coupling[c].type && k < s->coupling[c].count; k++) {
            member = member || s->coupling[c].joint[k] == joint;
            moved = moved || has_motion(s, s->coupling[c].joint[k]);
        }
        driven = driven || (member && moved);
    }
    bool any = false;
    for (int k = 0; k < s->count; k++) {
        any = any || has_motion(s, k);
    }
    return driven || (any && s->more_ties);
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x2b2b2b2b2b2b2b2bu}, *c = &own;
    const bool narrow = chance_of(c, 0.3);
    const int count = 1 + chance_below(c, STOPPED);
    for (int k = 0; k < count && m->wish.stops; k++) {
        stopped *one = of(m->s, k);
        one->joint = chance_below(c, m->s->count);
        one->primitive = chance_below(c, m->s->joint[one->joint].count + 1);
        make_side(c, &one->side[0], narrow || chance_of(c, 0.1));
        make_side(c, &one->side[1], narrow || chance_of(c, 0.1));
        if (one->side[0].off == 0) { /* nothing would be between them */
            one->side[1].off = fmax(one->side[1].off, 1e-3);
        }
        /* rigid stops are stiction, which a free joint cannot have */
        const bool compliant =
            is_driven(m->s, one->joint) || strcmp(m->s->joint[one->joint].type, "free") == 0;
        for (int which = 0; which < 2 && compliant; which++) {
            one->side[which].stiffness = fmax(one->side[which].stiffness, 100);
        }
        one->alive = is_free(m->s, k);
    }
}

/* ---- for impacts ---- */

static void scatter_side(chance *c, side *own, bool closed)
{
    static const double restitutions[] = {0, 0.3, 0.5, 0.8, 1};
    own->there = closed || chance_of(c, 0.5);
    own->off = closed ? 0 : chance_size(c, 1e-3, 1);
    own->restitution =
        chance_of(c, 0.4) ? chance_number(c, 0, 1) : restitutions[chance_below(c, 5)];
}

void stops_scatter(sketch *s, chance *c)
{
    const double share = chance_in(c, 0.3, 1), closed = chance_in(c, 0.3, 1);
    int count = 0;
    stops_lift(s);
    for (int tries = 0; tries < 4 * STOPPED && count < STOPPED; tries++) {
        stopped *own = of(s, count);
        own->joint = chance_below(c, s->count);
        own->primitive = chance_below(c, s->joint[own->joint].count + 1);
        own->alive = strcmp(s->joint[own->joint].type, "free") != 0 && chance_of(c, share);
        own->alive = own->alive && place_of(s, own) && is_free(s, count);
        if (own->alive) {
            const int which = chance_of(c, closed) ? chance_below(c, 2) : 2;
            scatter_side(c, &own->side[0], which == 0);
            scatter_side(c, &own->side[1], which == 1);
            count++;
        }
    }
}

void stops_lift(sketch *s)
{
    memset(of(s, 0), 0, STOPPED * sizeof(stopped));
}

/* ---- writing ---- */

static double at(const sketch_primitive *p, const stopped *own, int which)
{
    return p->position + (which ? own->side[1].off : -own->side[0].off);
}

static void write_side(writer *w, const sketch_primitive *p, const stopped *own, int which)
{
    const side *x = &own->side[which];
    const int l = sketch_length(p);
    const double place = sketch_unit(w->s, 0, l, 0), effort = sketch_unit(w->s, 1, 2 - l, -2);
    write_text(w, "%s: {at: %.16g", which ? "upper" : "lower", at(p, own, which) * place);
    if (x->stiffness > 0) {
        write_text(w, ", stiffness: %.16g", x->stiffness * write_factor(w) * effort / place);
        if (x->damping > 0) {
            write_text(w, ", damping: %.16g",
                       x->damping * write_factor(w) * effort / sketch_unit(w->s, 0, l, -1));
        }
    } else if (x->restitution > 0) {
        write_text(w, ", restitution: %.16g", fmin(1, x->restitution * write_factor(w)));
    }
    write_text(w, "}");
}

static void write_along(writer *w, const sketch *s, int joint, int primitive)
{
    for (int k = 0; k < STOPPED; k++) {
        const stopped *own = of(s, k);
        const sketch_primitive *p = place_of(s, own);
        if (!p || own->joint != joint || own->primitive != primitive ||
            !(own->side[0].there || own->side[1].there)) {
            continue;
        }
        write_text(w, ", stops: {");
        for (int which = 0; which < 2; which++) {
            if (own->side[which].there) {
                write_text(w, which && own->side[0].there ? ", " : "");
                write_side(w, p, own, which);
            }
        }
        write_text(w, "}");
    }
}

/* ---- shrinking ---- */

static void drop(shrinker *w)
{
    for (int k = 0; k < STOPPED; k++) {
        if (!of(w->s, k)->alive) {
            continue;
        }
        sketch t = *w->s;
        of(&t, k)->alive = false;
        shrinker_attempt(w, &t);
        for (int which = 0; which < 2; which++) {
            t = *w->s;
            of(&t, k)->side[which].there = false;
            shrinker_attempt(w, &t);
        }
    }
}

static void simplify_numbers(shrinker *w)
{
    for (int k = 0; k < STOPPED; k++) {
        for (int which = 0; which < 2 && place_of(w->s, of(w->s, k)); which++) {
            side *own = &of(w->s, k)->side[which];
            shrinker_numbers(w, &own->restitution, 1, 0);
            shrinker_numbers(w, &own->damping, 1, 0);
            shrinker_round(w, &own->restitution);
            shrinker_round(w, &own->off);
            shrinker_round(w, &own->stiffness);
        }
    }
}

/* ---- dynamics ---- */

static const stopped *at_freedom(const scene *sc, int d)
{
    const stopped *found = NULL;
    for (int k = 0; k < STOPPED; k++) {
        const stopped *own = of(sc->s, k);
        if (place_of(sc->s, own) && sc->dof[d].joint == own->joint &&
            sc->dof[d].primitive == own->primitive) {
            found = own;
        }
    }
    return found;
}

static double push(scene *sc, int d)
{
    const stopped *own = at_freedom(sc, d);
    double sum = 0;
    for (int which = 0; which < 2 && own; which++) {
        const side *x = &own->side[which];
        const int sign = which ? 1 : -1;
        const double e = sign * (sc->q[sc->dof[d].q] - at(scene_primitive_of(sc, d), own, which));
        if (x->there && x->stiffness > 0 && e > 0) {
            sum -= sign * fmax(0, x->stiffness * e + x->damping * sign * sc->v[sc->dof[d].v]);
        }
    }
    return sum;
}

static int stop_side(const scene *sc, int d)
{
    const stopped *own = at_freedom(sc, d);
    const double q = sc->q[sc->dof[d].q];
    int side_of = 0;
    for (int which = 0; which < 2 && own; which++) {
        const side *x = &own->side[which];
        const double off = q - at(scene_primitive_of(sc, d), own, which);
        if (x->there && x->stiffness == 0 && fabs(off) <= 1e-12 * (1 + fabs(q))) {
            side_of = which ? 1 : -1;
        }
    }
    return side_of;
}

bool stops_at(const scene *sc, int d, int *of_side, double *restitution)
{
    const stopped *own = at_freedom(sc, d);
    *of_side = stop_side(sc, d);
    *restitution = *of_side ? own->side[*of_side > 0].restitution : 0;
    return *of_side != 0;
}

double stops_ahead(const scene *sc, int d, double velocity)
{
    const stopped *own = at_freedom(sc, d);
    const int which = velocity > 0;
    const bool is_rigid = own && own->side[which].there && own->side[which].stiffness == 0;
    return is_rigid ? at(scene_primitive_of(sc, d), own, which) - sc->q[sc->dof[d].q]
                    : (double)INFINITY;
}

const sketch_kind sketch_stops = {.size = STOPPED * sizeof(stopped),
                                  .make = make,
                                  .write_along = write_along,
                                  .drop = drop,
                                  .simplify_numbers = simplify_numbers,
                                  .push = push,
                                  .stop_side = stop_side};
