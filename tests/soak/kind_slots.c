/*
 * Slots: a point of a body is on a plane curve that is fixed on another one, or the ground; a line, a wave, an ellipse. Of a stream of chance
 * of their own. The frame of the curve is put where the point starts. Of the joints between the bodies nobody reads forces, and at least
 * two move.
 */
#include "kind.h"
#include "prove_scene.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 2 };

typedef enum shape { LINE, WAVE, ELLIPSE, SHAPES } shape;

typedef struct slot {
    bool alive;
    int body[2]; /* of the point, of the curve; -1: the ground */
    double at[3], place[3], turn[3];
    shape shape;
    double a, b; /* of an ellipse its halves, of a wave its height and 2 pi over its length */
} slot;

/* The point as the curve sees it, and the curve there. */
typedef struct foot {
    double point[3], normal[3]; /* in the world */
    double off, size;           /* from the curve, in its plane; of all that it is told from */
} foot;

static slot *of(const sketch *s, int k)
{
    return (slot *)sketch_own(s, &sketch_slots) + k;
}

/* ---- the curve ---- */

static void place_body(const scene *sc, int k, double R[9], double p[3])
{
    static const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double zero[3] = {0};
    memcpy(R, k < 0 ? eye : sc->body[k].R, 9 * sizeof *R);
    memcpy(p, k < 0 ? zero : sc->body[k].p, 3 * sizeof *p);
}

static void rotate_back(const double R[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
    }
}

/* The columns of a turn about the fixed x, then y, then z. */
static void turn_by(const double rpy[3], double R[9])
{
    const double c[3] = {cos(rpy[0]), cos(rpy[1]), cos(rpy[2])},
                 s[3] = {sin(rpy[0]), sin(rpy[1]), sin(rpy[2])};
    const double T[9] = {c[1] * c[2],
                         s[0] * s[1] * c[2] - c[0] * s[2],
                         c[0] * s[1] * c[2] + s[0] * s[2],
                         c[1] * s[2],
                         s[0] * s[1] * s[2] + c[0] * c[2],
                         c[0] * s[1] * s[2] - s[0] * c[2],
                         -s[1],
                         s[0] * c[1],
                         c[0] * c[1]};
    memcpy(R, T, sizeof T);
}

/* Where the point of the curve with a parameter is, in its plane, and the direction there. */
static void curve_at(const slot *own, double u, double p[2], double way[2])
{
    switch (own->shape) {
    case LINE:
        p[0] = u, p[1] = 0;
        way[0] = 1, way[1] = 0;
        break;
    case WAVE:
        p[0] = u, p[1] = own->a * sin(own->b * u);
        way[0] = 1, way[1] = own->a * own->b * cos(own->b * u);
        break;
    default:
        p[0] = own->a * cos(u), p[1] = own->b * sin(u);
        way[0] = -own->a * sin(u), way[1] = own->b * cos(u);
    }
}

/* Of a point that is on the curve but for rounding its parameter is told from its place. */
static void look(const scene *sc, const slot *own, foot *f)
{
    double R[9], p[3], T[9], d[3], x[3], y[3], on[2], way[2], n[3] = {0};
    place_body(sc, own->body[0], R, p);
    rotate(R, own->at, f->point);
    for (int i = 0; i < 3; i++) {
        f->point[i] += p[i];
    }
    place_body(sc, own->body[1], R, p);
    turn_by(own->turn, T);
    for (int i = 0; i < 3; i++) {
        d[i] = f->point[i] - p[i];
    }
    rotate_back(R, d, x);
    for (int i = 0; i < 3; i++) {
        x[i] -= own->place[i];
    }
    rotate_back(T, x, y);
    curve_at(own, own->shape == ELLIPSE ? atan2(y[1] / own->b, y[0] / own->a) : y[0], on, way);
    const double length = hypot(way[0], way[1]);
    n[0] = -way[1] / length;
    n[1] = way[0] / length;
    f->off = fabs(n[0] * (y[0] - on[0]) + n[1] * (y[1] - on[1]));
    f->size = fabs(own->a) + sqrt(dot(d, d)) + sqrt(dot(f->point, f->point));
    rotate(T, n, x);
    rotate(R, x, f->normal);
}

/* ---- making ---- */

static bool hangs(const sketch *s, int k, int joint)
{
    return k >= 0 && scene_hangs_on(s, k, joint);
}

/* Whether joint k is between the bodies. */
static bool is_between(const sketch *s, const slot *own, int k)
{
    return !sketch_closes(s, k) && hangs(s, own->body[0], k) != hangs(s, own->body[1], k);
}

/* Whether the joints between the bodies can be tied. */
static bool can_tie(const sketch *s, const slot *own)
{
    int freedoms = 0;
    bool can = true;
    for (int k = 0; k < s->count && can; k++) {
        const sketch_joint *j = &s->joint[k];
        if (!is_between(s, own, k)) {
            continue;
        }
        char name[16];
        snprintf(name, sizeof name, "j%d", k);
        can = !j->tied && !sketch_is_coupled(s, k) && !sketch_is_in_loop(s, k) &&
              !sketch_is_read(s, name);
        for (int i = 0; i < j->count; i++) {
            can = can && !sketch_is_read(s, j->primitive[i].name) && !j->primitive[i].kept;
            freedoms += j->primitive[i].kind == 's' ? 3 : !j->primitive[i].motion[0];
        }
    }
    return can && freedoms >= 2;
}

static int tie_one(const scene *sc, const slot *own, double *row)
{
    foot f;
    look(sc, own, &f);
    for (int d = 0; d < sc->count; d++) {
        for (int e = 0; e < 2; e++) {
            double twist[6];
            if (own->body[e] >= 0) {
                scene_moves_at(sc, own->body[e], f.point, d, twist);
                row[d] += (e ? -1 : 1) * dot(f.normal, twist);
            }
        }
    }
    return 1;
}

/* Puts the curve where the point is; false where the start is not known, or nothing moves the point off the curve. */
static bool put(const sketch *s, slot *own, double u)
{
    static scene sc;
    static verdict start;
    double R[9], T[9], p[3], on[3] = {0}, way[2], d[3], x[3], y[3], row[DOFS] = {0}, most = 0;
    if (!prove_set_scene(&sc, s, &start)) {
        return false;
    }
    scene_form_equations(&sc);
    foot f;
    look(&sc, own, &f);
    place_body(&sc, own->body[1], R, p);
    turn_by(own->turn, T);
    curve_at(own, u, on, way);
    for (int i = 0; i < 3; i++) {
        d[i] = f.point[i] - p[i];
    }
    rotate_back(R, d, x);
    rotate(T, on, y);
    for (int i = 0; i < 3; i++) {
        own->place[i] = x[i] - y[i];
    }
    tie_one(&sc, own, row);
    for (int k = 0; k < sc.count; k++) {
        most = fmax(most, scene_primitive_of(&sc, k)->motion[0] ? 0 : fabs(row[k]));
    }
    return most > 0.1;
}

static void make_one(maker *m, chance *c, slot *own)
{
    sketch *s = m->s;
    slot made = {.body = {chance_below(c, s->count), chance_below(c, s->count + 1) - 1},
                 .shape = (shape)chance_below(c, SHAPES),
                 .a = chance_size(c, 0.05, 0.4)};
    made.b = made.shape == WAVE ? chance_size(c, 1, 5) : chance_size(c, 0.1, 0.4);
    made.a = made.shape == ELLIPSE ? chance_size(c, 0.1, 0.4) : made.a;
    for (int x = 0; x < 3; x++) {
        made.at[x] = chance_of(c, 0.6) ? chance_number(c, -0.4, 0.4) : 0;
        made.turn[x] = chance_of(c, x == 2 ? 0.7 : 0.15) ? chance_number(c, -1, 1) : 0;
    }
    for (int e = 0; e < 2; e++) {
        made.body[e] = made.body[e] >= 0 && sketch_closes(s, made.body[e]) ? -1 : made.body[e];
    }
    const double u = chance_number(c, -1, 1);
    if (made.body[0] < 0 || made.body[0] == made.body[1] || !can_tie(s, &made) ||
        !put(s, &made, u)) {
        return;
    }
    for (int k = 0; k < s->count; k++) {
        s->joint[k].tied = s->joint[k].tied || is_between(s, &made, k);
    }
    made.alive = true;
    *own = made;
    make_more_ties(s);
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x7d7d7d7d7d7d7d7du}, *c = &own;
    for (int k = 0; k < SLOTS && m->wish.curves; k++) {
        for (int tries = 0; tries < 3 && chance_of(c, 0.35) && !of(m->s, k)->alive; tries++) {
            make_one(m, c, of(m->s, k));
        }
    }
}

static bool is_there(const sketch *s, const slot *own)
{
    return own->alive && s->joint[own->body[0]].alive &&
           (own->body[1] < 0 || s->joint[own->body[1]].alive);
}

/* ---- writing ---- */

static void write_end(writer *w, int k, const double point[3], const double turn[3])
{
    write_text(w, k < 0 ? "{body: ground" : "{body: b%d", k);
    write_vector(w, ", at: {point: ", point, sketch_unit(w->s, 0, 1, 0));
    if (!write_is_zero(turn)) {
        write_vector(w, ", rotation: {rpy: ", turn, 1);
        write_text(w, "}");
    }
    write_text(w, "}}");
}

static void write_coupling(writer *w, const sketch *s)
{
    static const double none[3] = {0};
    const double l = sketch_unit(s, 0, 1, 0);
    for (int k = 0; k < SLOTS; k++) {
        const slot *own = of(s, k);
        if (!is_there(s, own)) {
            continue;
        }
        write_text(w, "  r%d: {type: slot, between: [", k);
        write_end(w, own->body[0], own->at, none);
        write_text(w, ", ");
        write_end(w, own->body[1], own->place, own->turn);
        write_text(w, "], ");
        if (own->shape == ELLIPSE) {
            write_text(w,
                       "x: %.17g*cos(u), y: %.17g*sin(u), from: 0, to: 6.283185307179586, "
                       "closed: true}\n",
                       own->a * l, own->b * l);
        } else if (own->shape == WAVE) {
            write_text(w, "x: %.17g*u, y: %.17g*sin(%.17g*u), from: -40, to: 40}\n", l, own->a * l,
                       own->b);
        } else {
            write_text(w, "x: %.17g*u, y: 0*u, from: -300, to: 300}\n", l);
        }
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < SLOTS; k++) {
        sketch t = *w->s;
        of(&t, k)->alive = false;
        shrinker_attempt(w, &t);
        if (is_there(w->s, of(w->s, k))) {
            t = *w->s;
            of(&t, k)->shape = LINE;
            shrinker_attempt(w, &t);
        }
    }
}

static void simplify_numbers(shrinker *w)
{
    for (int k = 0; k < SLOTS; k++) {
        slot *own = of(w->s, k);
        if (is_there(w->s, own)) {
            shrinker_numbers(w, own->at, 3, 0);
            shrinker_numbers(w, own->place, 3, 0);
            shrinker_numbers(w, own->turn, 3, 0);
            shrinker_round(w, &own->a);
            shrinker_round(w, &own->b);
        }
    }
}

/* A slot goes with its body. */
static void lose_joint(sketch *s, int k)
{
    for (int n = 0; n < SLOTS; n++) {
        slot *own = of(s, n);
        own->alive = own->alive && own->body[0] != k && own->body[1] != k;
    }
}

/* ---- dynamics ---- */

static int tie(const scene *sc, double (*rows)[DOFS])
{
    int count = 0;
    for (int k = 0; k < SLOTS; k++) {
        const slot *own = of(sc->s, k);
        count += is_there(sc->s, own) ? tie_one(sc, own, rows[count]) : 0;
    }
    return count;
}

static int pull(scene *sc, const double *forces)
{
    int count = 0;
    for (int k = 0; k < SLOTS; k++) {
        const slot *own = of(sc->s, k);
        foot f;
        if (!is_there(sc->s, own)) {
            continue;
        }
        look(sc, own, &f);
        const double m = forces[count++];
        const double wrench[6] = {m * f.normal[0], m * f.normal[1], m * f.normal[2]};
        for (int e = 0; e < 2; e++) {
            if (own->body[e] >= 0) {
                scene_load_tie(sc, own->body[e], f.point, wrench, e ? -1 : 1);
            }
        }
    }
    return count;
}

static double open_by(const scene *sc)
{
    static scene posed;
    double worst = 0;
    bool any = false;
    for (int k = 0; k < SLOTS; k++) {
        any = any || is_there(sc->s, of(sc->s, k));
    }
    if (!any) {
        return 0;
    }
    posed = *sc;
    scene_form_equations(&posed);
    for (int k = 0; k < SLOTS; k++) {
        foot f;
        if (is_there(sc->s, of(sc->s, k))) {
            look(&posed, of(sc->s, k), &f);
            worst = fmax(worst, f.off / f.size);
        }
    }
    return worst;
}

static bool say_force(const sketch *s, int n, char *law)
{
    const bool item = n < SLOTS;
    law[0] = '\0';
    if (item && is_there(s, of(s, n))) {
        make_say(law, "contact_force(r%d)", n);
    }
    return item;
}

const sketch_kind sketch_slots = {.say_force = say_force,
                                  .size = SLOTS * sizeof(slot),
                                  .make = make,
                                  .write_coupling = write_coupling,
                                  .drop = drop,
                                  .simplify_numbers = simplify_numbers,
                                  .lose_joint = lose_joint,
                                  .tie = tie,
                                  .pull = pull,
                                  .open = open_by};
