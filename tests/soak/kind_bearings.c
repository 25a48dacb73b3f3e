/*
 * Bearings of some length or radius (docs/theory.md, "Bearings"), of a stream of chance of their own, beside other friction or alone. Forces
 * at both ends follow from what the joint transmits.
 */
#include "kind.h"

#include <string.h>

enum { BEARINGS = 3 };

typedef struct bearing {
    bool alive;
    int joint, primitive;
    double coefficient, at_rest; /* at rest: as a share beyond the other */
    double length, radius, collar, center;
    bool to_base;
} bearing;

static bearing *of(const sketch *s, int k)
{
    return (bearing *)sketch_own(s, &sketch_bearings) + k;
}

/* The primitive of a bearing; NULL: it can have none. */
static const sketch_primitive *place_of(const sketch *s, const bearing *own)
{
    const sketch_joint *j = &s->joint[own->joint];
    const sketch_primitive *p = &j->primitive[own->primitive];
    const bool there = own->alive && j->alive && own->primitive < j->count && p->kind != 's' &&
                       p->stiction && !p->by_law && !p->test[0];
    return there && !sketch_is_coupled(s, own->joint) ? p : NULL;
}

/* Beside cams and slots friction does not follow what is tied, yet. */
static bool can_follow(const sketch *s, int joint)
{
    return !s->more_ties || !(s->joint[joint].tied || sketch_is_in_loop(s, joint));
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

static void make_one(maker *m, chance *c, int k)
{
    sketch *s = m->s;
    bearing *own = of(s, k);
    own->joint = chance_below(c, s->count);
    sketch_joint *j = &s->joint[own->joint];
    own->primitive = chance_below(c, j->count + 1);
    sketch_primitive *p = &j->primitive[own->primitive];
    own->coefficient = chance_size(c, 0.01, 0.15);
    own->at_rest = chance_of(c, 0.4) ? 0 : chance_number(c, 0.05, 1);
    own->length = p->kind == 'p' || chance_of(c, 0.6) ? chance_size(c, 0.2, 1) : 0;
    own->radius = chance_size(c, 0.005, 0.05);
    own->collar = chance_of(c, 0.3) ? chance_size(c, 0.005, 0.1) : 0;
    own->center = chance_of(c, 0.4) ? chance_number(c, -0.3, 0.3) : 0;
    own->to_base = chance_of(c, 0.4);
    const bool alone = chance_of(c, 0.4);
    own->alive = true;
    own->alive = place_of(s, own) && is_free(s, k) && can_follow(s, own->joint);
    if (own->alive && alone) {
        memset(p->kinetic, 0, SKETCH_LAW);
        memset(p->limit, 0, SKETCH_LAW);
        memset(p->forward, 0, SKETCH_LAW);
        memset(p->reverse, 0, SKETCH_LAW);
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x6a6a6a6a6a6a6a6au}, *c = &own;
    for (int k = 0; k < BEARINGS && m->wish.bearings; k++) {
        if (chance_of(c, 0.35)) {
            make_one(m, c, k);
        }
    }
}

static void write_stiction(writer *w, const sketch *s, int joint, int primitive)
{
    const double l = sketch_unit(s, 0, 1, 0);
    for (int k = 0; k < BEARINGS; k++) {
        const bearing *own = of(s, k);
        const sketch_primitive *p = place_of(s, own);
        if (!p || own->joint != joint || own->primitive != primitive) {
            continue;
        }
        const double by = write_factor(w);
        write_text(w, ", bearing: {coefficient: %.17g, static_coefficient: %.17g",
                   by * own->coefficient, by * own->coefficient * (1 + own->at_rest));
        if (own->length > 0) {
            write_text(w, ", length: %.17g, center: %.17g", own->length * l, own->center * l);
        }
        if (p->kind == 'r') {
            write_text(w, ", radius: %.17g", own->radius * l);
            if (own->collar > 0) {
                write_text(w, ", collar: %.17g", own->collar * l);
            }
        } else if (own->to_base) {
            write_text(w, ", fixed_to: base");
        }
        write_text(w, "}");
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < BEARINGS; k++) {
        if (of(w->s, k)->alive) {
            sketch t = *w->s;
            of(&t, k)->alive = false;
            shrinker_attempt(w, &t);
        }
    }
}

static void simplify_numbers(shrinker *w)
{
    for (int k = 0; k < BEARINGS; k++) {
        bearing *own = of(w->s, k);
        if (own->alive) {
            shrinker_numbers(w, &own->center, 1, 0);
            shrinker_numbers(w, &own->at_rest, 1, 0);
            shrinker_numbers(w, &own->collar, 1, 0);
            shrinker_round(w, &own->coefficient);
            shrinker_round(w, &own->length);
            shrinker_round(w, &own->radius);
        }
    }
}

/* ---- dynamics ---- */

/* Both ends take the force F across the axis and its moment: A + B = F, (s + L/2) a x A + (s - L/2) a x B = T. */
static double ends(const double F[3], const double T[3], const double a[3], double L, double s)
{
    double sum = 0, moment[3];
    cross(T, a, moment); /* (a x X) x a is X */
    for (int side = -1; side <= 1; side += 2) {
        double X[3];
        for (int i = 0; i < 3; i++) {
            X[i] = L > 0 ? F[i] / 2 + side * (moment[i] - s * F[i]) / L : F[i] / 2;
        }
        sum += sqrt(dot(X, X));
    }
    return sum;
}

static double rub_of(const scene *sc, int d, const bearing *own, bool rests)
{
    const double *R = sc->reaction[d], *a = sc->screw[d].e, q = sc->q[sc->dof[d].q],
                 thrust = dot(R, a);
    const bool turns = scene_kind_of(sc, d) == 'r';
    double F[3], T[3];
    for (int i = 0; i < 3; i++) {
        F[i] = R[i] - thrust * a[i];
        T[i] = R[3 + i] - dot(R + 3, a) * a[i];
    }
    const double middle = own->center - (!turns && own->to_base ? q : 0),
                 pressure = ends(F, T, a, own->length, middle),
                 mu = own->coefficient * (rests ? 1 + own->at_rest : 1);
    return turns ? mu * (own->radius * pressure +
                         (own->collar > 0 ? own->collar : own->radius) * fabs(thrust))
                 : mu * pressure;
}

static double rub(scene *sc, int d, int side, bool rests)
{
    double sum = 0;
    (void)side;
    for (int k = 0; k < BEARINGS; k++) {
        const bearing *own = of(sc->s, k);
        if (place_of(sc->s, own) && sc->dof[d].joint == own->joint &&
            sc->dof[d].primitive == own->primitive) {
            sum += rub_of(sc, d, own, rests);
        }
    }
    return sum;
}

const sketch_kind sketch_bearings = {.size = BEARINGS * sizeof(bearing),
                                     .make = make,
                                     .write_stiction = write_stiction,
                                     .drop = drop,
                                     .simplify_numbers = simplify_numbers,
                                     .rub = rub};
