/*
 * Planar loops: chains of 3 to 6 links, the ground or a body among them, that a joint closes, of a stream of chance of
 * their own. Joints turn about z, one may slide; bodies are made so that the loop is closed with all coordinates 0; the last
 * one may have no inertia of its own. Friction may follow the reactions of the loop, and one of its joints
 * have a motion, of streams of their own; loops of four may be such that branches of their motion meet. Locking in a band is not made, for the engine refuses it.
 */
#include "kind.h"

#include <string.h>

enum { LINKS = 6 };

/* Where joints are, in the base's frame: around a circle, each at its own distance. */
static void place_joints(chance *c, int links, double at[LINKS][3])
{
    const double middle[2] = {chance_number(c, -0.5, 0.5), chance_number(c, -0.5, 0.5)},
                 size = chance_size(c, 0.2, 1);
    for (int i = 0; i < links; i++) {
        const double angle = 6.283 * (i + chance_in(c, 0, 0.6)) / links;
        const double r = size * chance_in(c, 0.6, 1.4);
        at[i][0] = chance_short(middle[0] + r * cos(angle));
        at[i][1] = chance_short(middle[1] + r * sin(angle));
        at[i][2] = 0;
    }
}

/* Four links so that all of them come to lie on one line: a parallelogram; a kite, with the joint opposite mirrored; or all but so. */
static void make_meeting(chance *c, double at[LINKS][3])
{
    const double off = chance_of(c, 0.2) ? chance_size(c, 1e-9, 1e-3) : 0;
    if (chance_of(c, 0.5)) {
        at[2][0] = at[1][0] + at[3][0] - at[0][0] + off;
        at[2][1] = at[1][1] + at[3][1] - at[0][1];
        return;
    }
    const double along[2] = {at[2][0] - at[0][0], at[2][1] - at[0][1]},
                 to[2] = {at[1][0] - at[0][0], at[1][1] - at[0][1]};
    const double part =
        (along[0] * to[0] + along[1] * to[1]) / (along[0] * along[0] + along[1] * along[1]);
    for (int x = 0; x < 2; x++) {
        at[3][x] = at[0][x] + 2 * part * along[x] - to[x] + (x == 0 ? off : 0);
    }
}

static void make_link(chance *c, sketch_joint *j, const double here[3], const double next[3])
{
    const double length = hypot(next[0] - here[0], next[1] - here[1]);
    j->mass = chance_size(c, 0.2, 5);
    j->inertia[0] = chance_short(j->mass * length * length / 20);
    j->inertia[1] = j->inertia[2] = chance_short(j->mass * length * length / 12);
    for (int x = 0; x < 2; x++) {
        j->center[x] = chance_short((next[x] - here[x]) * chance_in(c, 0.3, 0.7));
    }
    j->center[2] = chance_of(c, 0.2) ? chance_number(c, -0.2, 0.2) : 0;
}

/* What acts along a joint of a loop. */
static void make_laws(maker *own, sketch_primitive *p, double size)
{
    chance *c = &own->c;
    p->threshold = chance_size(c, 1e-5, 1);
    p->damping = chance_of(c, 0.3) ? chance_size(c, 1e-3, 1) : 0;
    p->stiffness = chance_of(c, 0.2) ? chance_size(c, 1, 100) : 0;
    p->rest = p->stiffness > 0 ? chance_number(c, -0.3, 0.3) : 0;
    p->stiction = chance_of(c, 0.45);
    if (p->stiction) {
        const double K = chance_short(size * chance_in(c, 0.05, 1));
        make_say(p->kinetic, "%g", K);
        make_say(p->limit, "%g", K * (chance_of(c, 0.35) ? 1 : chance_number(c, 1, 2)));
    }
    if (chance_of(c, 0.35)) {
        make_quiet_drive(own, p->stiction ? p->external : p->force, size, p);
    }
}

/* Friction that follows what the joint, or another one of the loop, transmits. */
static void make_following(chance *c, sketch *s, int first, int links)
{
    if (!chance_of(c, 0.6)) {
        return;
    }
    for (int i = 0; i < links; i++) {
        sketch_primitive *p = &s->joint[first + i].primitive[0];
        const int other = chance_of(c, 0.8) ? i : chance_below(c, links);
        const char *name = s->joint[first + other].primitive[0].name;
        const double mu = chance_size(c, 0.002, p->kind == 'r' ? 0.03 : 0.25),
                     ratio = chance_of(c, 0.35) ? 1 : chance_number(c, 1, 2);
        const char *reading = p->kind == 'p' && other == i ? "normal_force" : "reaction_force";
        if (chance_of(c, 0.7) && !p->force[0]) {
            p->stiction = true;
            make_say(p->kinetic, "%g*%s(%s)", mu, reading, name);
            make_say(p->limit, "%g*%s(%s)", mu * ratio, reading, name);
        }
    }
}

/* A joint of the loop goes to and fro, from the start or later, when the loop may be at rest; not far, and some even so to a dead centre. */
static void make_way(chance *c, sketch *s, int first, int links)
{
    if (links < 4 || !chance_of(c, 0.5)) {
        return;
    }
    sketch_primitive *p = &s->joint[first + chance_below(c, links)].primitive[0];
    sketch_primitive driven = {.kind = p->kind};
    const double A = chance_size(c, 0.01, 0.15), w = chance_size(c, 0.5, 12),
                 T = chance_number(c, 0.1, 0.5);
    memcpy(driven.name, p->name, sizeof driven.name);
    switch (chance_below(c, 3)) {
    case 0:
        make_say(driven.motion, "%g*sin(%g*t)", A, w);
        break;
    case 1:
        make_say(driven.motion, "%g*(1 - cos(%g*t))", A, w);
        break;
    default:
        make_say(driven.motion, "if(t < %g, 0, %g*(1 - cos(%g*(t - %g))))", T, A, w, T);
    }
    *p = driven;
}

/* A body that nothing but the loop holds: a point mass in its joint, or no mass at all. */
static void make_bare(chance *c, sketch_joint *j)
{
    if (!chance_of(c, 0.2)) {
        return;
    }
    j->mass = chance_of(c, 0.5) ? 0 : j->mass;
    memset(j->inertia, 0, sizeof j->inertia);
    memset(j->center, 0, sizeof j->center);
}

static void make(maker *m)
{
    maker own = {.c = {m->seed ^ 0x3333333333333333u}, .s = m->s};
    chance *c = &own.c;
    sketch *s = m->s;
    if (!m->wish.ties || !chance_of(c, 0.6)) {
        return;
    }
    chance meeting = {m->seed ^ 0x1111111111111111u};
    const bool wanted = m->wish.meets && chance_of(&meeting, 0.6);
    const int some = 3 + chance_below(c, LINKS - 2), links = wanted ? 4 : some;
    const int first = s->count, last = first + links - 2;
    const int base = chance_of(c, 0.5) ? -1 : chance_below(c, first);
    const int slider = chance_of(c, 0.3) ? chance_below(c, links) : -1;
    double at[LINKS][3];
    place_joints(c, links, at);
    const bool meets = wanted && slider < 0;
    if (meets) {
        make_meeting(&meeting, at);
    }
    for (int i = 0; i < links; i++) { /* the last one closes the loop */
        sketch_joint *j = &s->joint[first + i];
        sketch_primitive *p = &j->primitive[0];
        const bool closes = i == links - 1;
        *j = (sketch_joint){.alive = true, .base = i == 0 || closes ? base : first + i - 1};
        j->follower = closes ? last : first + i;
        j->type = i == slider ? "prismatic" : "revolute";
        j->axis[i == slider ? chance_below(c, 2) : 2] = 1;
        j->count = 1;
        p->kind = i == slider ? 'p' : 'r';
        snprintf(p->name, sizeof p->name, "j%d", first + i);
        for (int x = 0; x < 3; x++) {
            j->at_base[x] = at[i][x] - (i == 0 || closes ? 0 : at[i - 1][x]);
            j->at_follower[x] = closes ? at[i][x] - at[i - 1][x] : 0;
        }
        if (!closes) {
            make_link(c, j, at[i], at[i + 1]);
        }
        p->velocity = i == 0 && links > 3 && chance_of(c, 0.6) ? chance_number(c, -3, 3) : 0;
        p->velocity = meets && i == 0 ? chance_number(&meeting, -9, 9) : p->velocity;
    }
    s->count += links;
    const double g = fabs(s->gravity[0]) + fabs(s->gravity[1]) + fabs(s->gravity[2]);
    for (int i = 0; i < links; i++) {
        sketch_primitive *p = &s->joint[first + i].primitive[0];
        const double mass = s->joint[i == links - 1 ? last : first + i].mass;
        make_laws(&own, p, mass * (g > 0 ? g : 5) * (p->kind == 'r' ? 0.2 : 0.5));
    }
    chance following = {m->seed ^ 0x7777777777777777u};
    if (m->wish.follows) {
        make_following(&following, s, first, links);
    }
    chance drive = {m->seed ^ 0x9999999999999999u};
    if (m->wish.drives) {
        make_way(&drive, s, first, links);
    }
    chance bare = {m->seed ^ 0x5555555555555555u};
    make_bare(&bare, &s->joint[last]);
}

/* ---- shrinking ---- */

/* A loop whose last body goes is open. */
static void lose_joint(sketch *s, int k)
{
    for (int j = 0; j < s->count; j++) {
        if (sketch_closes(s, j) && s->joint[j].follower == k) {
            s->joint[j].alive = false;
        }
    }
}

/* ---- dynamics ---- */

/* What a joint moves that closes a loop is where its follower is: body k of the scene is a ghost of that. */
static int tie(const scene *sc, double (*rows)[DOFS])
{
    int count = 0;
    for (int k = 0; k < sc->s->count; k++) {
        for (int d = 0; d < sc->count && sketch_closes(sc->s, k); d++) {
            double ghost[6], original[6];
            scene_moves_at(sc, k, sc->body[k].p, d, ghost);
            scene_moves_at(sc, sc->s->joint[k].follower, sc->body[k].p, d, original);
            for (int i = 0; i < 6; i++) {
                rows[count + i][d] = ghost[i] - original[i];
            }
        }
        count += sketch_closes(sc->s, k) ? 6 : 0;
    }
    return count;
}

static int pull(scene *sc, const double *forces)
{
    int count = 0;
    for (int k = 0; k < sc->s->count; k++) {
        if (sketch_closes(sc->s, k)) {
            scene_load_tie(sc, k, sc->body[k].p, forces + count, 1);
            scene_load_tie(sc, sc->s->joint[k].follower, sc->body[k].p, forces + count, -1);
            count += 6;
        }
    }
    return count;
}

const sketch_kind sketch_loops = {.make = make, .lose_joint = lose_joint, .tie = tie, .pull = pull};
