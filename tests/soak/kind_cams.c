/*
 * Cams: the position of a joint is a function of that of another one, of a stream of chance of their own. Laws are formulas, or the table
 * of a cam that turns. A cam may have a motion.
 */
#include "kind.h"
#include "tables.h"

#include <math.h>
#include <string.h>

enum { CAMS = 2 };

typedef enum shape { SINE, LIFT, RISE, STEP, TABLE, SHAPES } shape;

typedef struct cam {
    bool alive;
    int joint[2]; /* cam, follower */
    shape shape;
    double size, rate, slope;
} cam;

static cam *of(const sketch *s, int k)
{
    return (cam *)sketch_own(s, &sketch_cams) + k;
}

static const sketch_primitive *primitive_of(const sketch *s, int joint)
{
    return &s->joint[joint].primitive[0];
}

/* The law, and its slope. */
static double value_of(const sketch *s, const cam *own, double x, double *slope)
{
    const double A = own->size, w = own->rate, t = tanh(w * x);
    double value, rate;
    switch (own->shape) {
    case SINE:
        *slope = A * w * cos(w * x);
        return A * sin(w * x);
    case LIFT:
        *slope = A * w * sin(w * x);
        return A * (1 - cos(w * x));
    case RISE:
        *slope = own->slope + A * w * cos(w * x);
        return own->slope * x + A * sin(w * x);
    case STEP:
        *slope = A * w * (1 - t * t);
        return A * t;
    default:
        value = tables_value(s, TABLES_CAM, x, &rate);
        *slope = A * rate;
        return A * value;
    }
}

static void say_law(const sketch *s, const cam *own, char *law)
{
    const char *x = primitive_of(s, own->joint[0])->name;
    const double A = own->size, w = own->rate;
    switch (own->shape) {
    case SINE:
        make_say(law, "%.17g*sin(%.17g*1*position(%s))", A, w, x);
        break;
    case LIFT:
        make_say(law, "%.17g*(1 - cos(%.17g*1*position(%s)))", A, w, x);
        break;
    case RISE:
        make_say(law, "%.17g*1*position(%s) + %.17g*sin(%.17g*1*position(%s))", own->slope, x, A, w,
                 x);
        break;
    case STEP:
        make_say(law, "%.17g*tanh(%.17g*1*position(%s))", A, w, x);
        break;
    default:
        make_say(law, "%.17g*w%d(1*position(%s))", A, TABLES_CAM, x);
    }
}

/* ---- making ---- */

/* A joint with a motion may be a cam. */
static int pick_cam(const sketch *s, chance *c)
{
    for (int tries = 0; tries < 6 && chance_of(c, 0.3); tries++) {
        const int k = chance_below(c, s->count);
        const sketch_joint *j = &s->joint[k];
        if (j->count == 1 && j->primitive[0].motion[0] && !j->tied && !sketch_is_in_loop(s, k)) {
            return k;
        }
    }
    return make_pick_tied(s, c, '\0');
}

static void make_one(maker *m, chance *c, cam *own)
{
    sketch *s = m->s;
    cam made = {.alive = true,
                .joint = {pick_cam(s, c), make_pick_tied(s, c, '\0')},
                .shape = (shape)chance_below(c, SHAPES),
                .size = chance_size(c, 0.03, 0.5),
                .rate = chance_size(c, 0.5, 4),
                .slope = chance_number(c, -1, 1)};
    /* a follower is put where its law has it, and a loop is closed as it is */
    if (made.joint[0] < 0 || made.joint[1] < 0 || made.joint[0] == made.joint[1] ||
        sketch_is_in_loop(s, made.joint[1])) {
        return;
    }
    if (made.shape == TABLE) {
        tables_make_cam(s, c);
    }
    const sketch_primitive *drives = primitive_of(s, made.joint[0]);
    sketch_primitive *follows = &s->joint[made.joint[1]].primitive[0];
    double slope;
    follows->position = value_of(s, &made, drives->position, &slope);
    follows->velocity = slope * drives->velocity;
    for (int e = 0; e < 2; e++) {
        s->joint[made.joint[e]].tied = true;
    }
    *own = made;
    make_more_ties(s);
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x4d4d4d4d4d4d4d4du}, *c = &own;
    for (int k = 0; k < CAMS && m->wish.curves; k++) {
        if (chance_of(c, 0.2)) {
            make_one(m, c, of(m->s, k));
        }
    }
}

static bool is_there(const sketch *s, const cam *own)
{
    return own->alive && s->joint[own->joint[0]].alive && s->joint[own->joint[1]].alive;
}

static void write_coupling(writer *w, const sketch *s)
{
    for (int k = 0; k < CAMS; k++) {
        const cam *own = of(s, k);
        sketch_law law;
        if (!is_there(s, own)) {
            continue;
        }
        const sketch_primitive *follows = primitive_of(s, own->joint[1]);
        say_law(s, own, law);
        write_text(w, "  m%d: {type: cam, cam: %s, follower: %s", k,
                   primitive_of(s, own->joint[0])->name, follows->name);
        write_law(w, "law", law, sketch_unit(s, 0, sketch_length(follows), 0), write_factor(w));
        write_text(w, "}\n");
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < CAMS; k++) {
        sketch t = *w->s;
        of(&t, k)->alive = false;
        shrinker_attempt(w, &t);
        if (is_there(w->s, of(w->s, k))) {
            t = *w->s;
            of(&t, k)->shape = SINE;
            shrinker_attempt(w, &t);
            shrinker_round(w, &of(w->s, k)->size);
            shrinker_round(w, &of(w->s, k)->rate);
        }
    }
}

/* ---- dynamics: along freedoms alone, as of couplings ---- */

static int freedom_of(const scene *sc, int joint)
{
    int d = 0;
    while (d < sc->count - 1 && sc->dof[d].joint != joint) {
        d++;
    }
    return d;
}

static int tie(const scene *sc, double (*rows)[DOFS])
{
    int count = 0;
    for (int k = 0; k < CAMS; k++) {
        const cam *own = of(sc->s, k);
        if (is_there(sc->s, own)) {
            const int d = freedom_of(sc, own->joint[0]);
            double slope;
            value_of(sc->s, own, sc->q[sc->dof[d].q], &slope);
            rows[count][d] -= slope;
            rows[count++][freedom_of(sc, own->joint[1])] += 1;
        }
    }
    return count;
}

static int pull(scene *sc, const double *forces)
{
    int count = 0;
    (void)forces;
    for (int k = 0; k < CAMS; k++) {
        count += is_there(sc->s, of(sc->s, k));
    }
    return count;
}

static double open_by(const scene *sc)
{
    double worst = 0;
    for (int k = 0; k < CAMS; k++) {
        const cam *own = of(sc->s, k);
        if (is_there(sc->s, own)) {
            const double x = sc->q[sc->dof[freedom_of(sc, own->joint[0])].q],
                         y = sc->q[sc->dof[freedom_of(sc, own->joint[1])].q];
            double slope;
            const double off = y - value_of(sc->s, own, x, &slope);
            worst = fmax(worst, fabs(off) / (fabs(own->size) + fabs(y) + fabs(slope * x)));
        }
    }
    return worst;
}

static bool say_force(const sketch *s, int n, char *law)
{
    const bool item = n < CAMS;
    law[0] = '\0';
    if (item && is_there(s, of(s, n))) {
        make_say(law, "contact_force(m%d)", n);
    }
    return item;
}

const sketch_kind sketch_cams = {.say_force = say_force,
                                 .size = CAMS * sizeof(cam),
                                 .make = make,
                                 .write_coupling = write_coupling,
                                 .drop = drop,
                                 .tie = tie,
                                 .pull = pull,
                                 .open = open_by};
