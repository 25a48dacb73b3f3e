/* Laws, loads and reactions of a scene: see prove.h. */
#include "scene.h"

#include "formula.h"
#include "kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- laws ---- */

static int find_dof(const scene *sc, const char *name)
{
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = &sc->s->joint[sc->dof[d].joint].primitive[sc->dof[d].primitive];
        if (strcmp(p->name, name) == 0) {
            return d;
        }
    }
    /* a joint with several primitives stands for its last */
    for (int d = sc->count - 1; d >= 0; d--) {
        char joint[16];
        snprintf(joint, sizeof joint, "j%d", sc->dof[d].joint);
        if (strcmp(joint, name) == 0) {
            return d;
        }
    }
    return -1;
}

static double look_up(void *user, const char *reading, const char *item)
{
    scene *sc = user;
    double value = (double)NAN;
    for (int k = 0; k < SKETCH_KINDS && !item[0]; k++) {
        if (sketch_kinds[k]->look_up && sketch_kinds[k]->look_up(sc, reading, &value)) {
            return value;
        }
    }
    if (!item[0]) {
        return strcmp(reading, "t") == 0     ? sc->t
               : strcmp(reading, "u") == 0   ? sc->u
               : strcmp(reading, "dir") == 0 ? sc->direction[sc->now]
                                             : (double)NAN;
    }
    const int d = find_dof(sc, item);
    if (d < 0) {
        return (double)NAN;
    }
    const double *F = sc->reaction[d], *T = F + 3, *e = sc->screw[d].e;
    if (strcmp(reading, "position") == 0) {
        return sc->q[sc->dof[d].q];
    }
    if (strcmp(reading, "velocity") == 0) {
        return sc->v[sc->dof[d].v];
    }
    if (strcmp(reading, "acceleration") == 0) {
        return sc->a[d];
    }
    if (strcmp(reading, "rest_time") == 0) {
        return sc->rest[d];
    }
    if (strcmp(reading, "friction") == 0) {
        return sc->f[d];
    }
    if (strcmp(reading, "force") == 0) {
        return sc->Q[d];
    }
    if (strcmp(reading, "reaction_force") == 0) {
        return sqrt(dot(F, F));
    }
    if (strcmp(reading, "reaction_torque") == 0) {
        return sqrt(dot(T, T));
    }
    const double along = dot(F, e);
    double across[3];
    for (int i = 0; i < 3; i++) {
        across[i] = F[i] - along * e[i];
    }
    return sqrt(dot(across, across));
}

static double call(void *user, const char *name, const double *x, int count)
{
    const scene *sc = user;
    double value = (double)NAN;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        if (sketch_kinds[k]->call && sketch_kinds[k]->call(sc, name, x, count, &value)) {
            break;
        }
    }
    return value;
}

double scene_law(scene *sc, int d, const char *text)
{
    sc->now = d;
    return text[0] ? formula_value(text, look_up, call, sc) : 0;
}

const sketch_primitive *scene_primitive_of(const scene *sc, int d)
{
    return &sc->s->joint[sc->dof[d].joint].primitive[sc->dof[d].primitive];
}

double scene_rub(scene *sc, int d, int side, bool rests)
{
    double sum = 0;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        sum += sketch_kinds[k]->rub ? sketch_kinds[k]->rub(sc, d, side, rests) : 0;
    }
    return sum;
}

double scene_kinetic(scene *sc, int d, int side)
{
    const int kept = sc->direction[d];
    sc->direction[d] = side;
    const double value = scene_law(sc, d, scene_primitive_of(sc, d)->kinetic);
    sc->direction[d] = kept;
    return value + scene_rub(sc, d, side, false);
}

/* ---- what acts on bodies, and reactions ---- */

/* The wrench of all that acts on body k about its centre of mass, in the world. */
static void wrench_on(scene *sc, int k, double wrench[6])
{
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int n = 0; n < SKETCH_KINDS; n++) {
        if (sketch_kinds[n]->act) {
            sketch_kinds[n]->act(sc, k, sc->body[k].c, wrench);
        }
    }
}

/* What joints transmit at the present a: the forces of inertia less gravity and loads of all that hangs beyond. */
void scene_form_reactions(scene *sc)
{
    static double next[DOFS][6];
    memset(next, 0, sizeof next);
    for (int k = 0; k < sc->s->count; k++) {
        const carried *b = &sc->carried[k];
        double ac[3], wd[3], Iw[3], gyro[3], Iwd[3], load[6];
        if (!sc->s->joint[k].alive) {
            continue;
        }
        memcpy(ac, b->a0, sizeof ac);
        memcpy(wd, b->w0, sizeof wd);
        for (int d = 0; d < sc->count; d++) {
            for (int i = 0; i < 3; i++) {
                ac[i] += b->J[d][i] * sc->a[d];
                wd[i] += b->W[d][i] * sc->a[d];
            }
        }
        rotate(b->I, b->omega, Iw);
        cross(b->omega, Iw, gyro);
        rotate(b->I, wd, Iwd);
        wrench_on(sc, k, load);
        for (int i = 0; i < 6; i++) {
            load[i] += sc->tie[k][i];
        }
        for (int d = 0; d < sc->count; d++) {
            double F[3], r[3], moment[3];
            if (!scene_hangs_on(sc->s, k, sc->dof[d].joint)) {
                continue;
            }
            for (int i = 0; i < 3; i++) {
                F[i] = b->mass * (ac[i] - sc->s->gravity[i]) - load[i];
                r[i] = sc->body[k].c[i] - sc->screw[d].o[i];
            }
            cross(r, F, moment);
            for (int i = 0; i < 3; i++) {
                next[d][i] += F[i];
                next[d][3 + i] += Iwd[i] + gyro[i] - load[3 + i] + moment[i];
            }
        }
    }
    memcpy(sc->reaction, next, sizeof next);
}

/* What kinds of items add along a freedom. */
static double push(scene *sc, int d)
{
    double sum = 0;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        sum += sketch_kinds[k]->push ? sketch_kinds[k]->push(sc, d) : 0;
    }
    return sum;
}

/* Forces along each freedom but friction. */
void scene_form_forces(scene *sc, double *Q)
{
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = scene_primitive_of(sc, d);
        const double q = sc->q[sc->dof[d].q], v = sc->v[sc->dof[d].v];
        Q[d] = -p->damping * v;
        if (p->kind != 's') {
            Q[d] -= p->stiffness * (q - p->rest);
            Q[d] += p->stiction ? scene_law(sc, d, p->external) : scene_law(sc, d, p->force);
            Q[d] += push(sc, d);
        }
    }
    memcpy(sc->Q, Q, sizeof sc->Q);
    for (int k = 0; k < sc->s->count; k++) {
        double load[6];
        if (!sc->s->joint[k].alive) {
            continue;
        }
        wrench_on(sc, k, load);
        for (int d = 0; d < sc->count; d++) {
            Q[d] += dot(sc->carried[k].J[d], load) + dot(sc->carried[k].W[d], load + 3);
        }
    }
}
