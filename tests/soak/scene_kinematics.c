/* Where the bodies of a scene are, how they move, and their equations of motion: see prove.h. */
#include "kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void multiply(double C[9], const double A[9], const double B[9])
{
    double D[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            D[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
    memcpy(C, D, sizeof D);
}

/* Rodrigues. */
static void turn(double R[9], const double axis[3], double angle)
{
    const double n = sqrt(dot(axis, axis)), s = sin(angle), c = cos(angle);
    const double e[3] = {axis[0] / n, axis[1] / n, axis[2] / n};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            R[3 * i + j] = (1 - c) * e[i] * e[j] + (i == j ? c : 0);
        }
    }
    R[1] -= s * e[2];
    R[2] += s * e[1];
    R[3] += s * e[2];
    R[5] -= s * e[0];
    R[6] -= s * e[1];
    R[7] += s * e[0];
}

static void quaternion(double R[9], const double x[4])
{
    const double n = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    const double w = x[0] / n, e[3] = {x[1] / n, x[2] / n, x[3] / n};
    const double angle = 2 * atan2(sqrt(dot(e, e)), w), z[3] = {0, 0, 1};
    turn(R, dot(e, e) > 0 ? e : z, dot(e, e) > 0 ? angle : 0);
}

/* ---- kinematics ---- */

/* The axis of a primitive, in the frame that those before it have moved. */
static void axis_of(const sketch_joint *j, int i, double e[3])
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int which = 2, before = 0;
    const char kind = j->primitive[i].kind;
    for (int k = 0; k < i; k++) {
        before += strcmp(j->type, "custom") == 0 ? j->primitive[k].kind != 's'
                                                 : j->primitive[k].kind == kind;
    }
    if (j->count == 1) {
        if (j->axis[0] != 0 || j->axis[1] != 0 || j->axis[2] != 0) {
            const double n = sqrt(dot(j->axis, j->axis));
            for (int k = 0; k < 3; k++) {
                e[k] = j->axis[k] / n;
            }
            return;
        }
    } else if (strcmp(j->type, "cylindrical") != 0) {
        which = strcmp(j->type, "planar") == 0 && kind == 'r' ? 2 : before % 3;
    }
    memcpy(e, unit[which], sizeof unit[which]);
}

static void place_joint(scene *sc, int k, const double *q)
{
    const sketch_joint *j = &sc->s->joint[k];
    static const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0},
                        z[3] = {0, 0, 1};
    double R[9], p[3], T[9], arm[3];
    memcpy(R, j->base < 0 ? eye : sc->body[j->base].R, sizeof R);
    rotate(R, j->at_base, p);
    for (int i = 0; i < 3; i++) {
        p[i] += j->base < 0 ? 0 : sc->body[j->base].p[i];
    }
    turn(T, z, j->turn_base[2]);
    multiply(R, R, T);
    turn(T, y, j->turn_base[1]);
    multiply(R, R, T);
    turn(T, x, j->turn_base[0]);
    multiply(R, R, T);
    for (int d = 0; d < sc->count; d++) {
        const dof *own = &sc->dof[d];
        if (own->joint != k || own->axis > 0) {
            continue;
        }
        const char kind = j->primitive[own->primitive].kind;
        double e[3], world[3];
        if (kind == 's') {
            quaternion(T, q + own->q);
            multiply(R, R, T);
            for (int i = 0; i < 3; i++) {
                for (int n = 0; n < 3; n++) {
                    sc->screw[d + i].e[n] = R[3 * n + i];
                }
                memcpy(sc->screw[d + i].o, p, sizeof p);
                memcpy(sc->screw[d + i].R, R, sizeof R);
            }
            continue;
        }
        axis_of(j, own->primitive, e);
        rotate(R, e, world);
        if (kind == 'r') {
            turn(T, e, q[own->q]);
            multiply(R, R, T);
        } else {
            for (int n = 0; n < 3; n++) {
                p[n] += q[own->q] * world[n];
            }
        }
        memcpy(sc->screw[d].e, world, sizeof world);
        memcpy(sc->screw[d].o, p, sizeof p);
        memcpy(sc->screw[d].R, R, sizeof R);
    }
    rotate(R, j->at_follower, arm);
    body *b = &sc->body[k];
    memcpy(b->R, R, sizeof R);
    for (int i = 0; i < 3; i++) {
        b->p[i] = p[i] - arm[i];
    }
    rotate(R, j->center, b->c);
    for (int i = 0; i < 3; i++) {
        b->c[i] += b->p[i];
    }
}

/* Whether body k hangs on joint j. */
bool scene_hangs_on(const sketch *s, int k, int j)
{
    while (k >= 0 && k != j) {
        k = s->joint[k].base;
    }
    return k == j;
}

char scene_kind_of(const scene *sc, int d)
{
    return sc->s->joint[sc->dof[d].joint].primitive[sc->dof[d].primitive].kind;
}

/* Jacobians of body k: its centre of mass moves by J v, it turns by W v. */
static void jacobian(const scene *sc, int k, double J[DOFS][3], double W[DOFS][3])
{
    for (int d = 0; d < sc->count; d++) {
        const screw *own = &sc->screw[d];
        memset(J[d], 0, sizeof J[d]);
        memset(W[d], 0, sizeof W[d]);
        if (!scene_hangs_on(sc->s, k, sc->dof[d].joint)) {
            continue;
        }
        if (scene_kind_of(sc, d) == 'p') {
            memcpy(J[d], own->e, sizeof own->e);
        } else {
            const double r[3] = {sc->body[k].c[0] - own->o[0], sc->body[k].c[1] - own->o[1],
                                 sc->body[k].c[2] - own->o[2]};
            memcpy(W[d], own->e, sizeof own->e);
            cross(own->e, r, J[d]);
        }
    }
}

static void place_all(scene *sc)
{
    for (int k = 0; k < sc->s->count; k++) {
        if (sc->s->joint[k].alive) {
            place_joint(sc, k, sc->q);
        }
    }
}

void scene_advance(scene *sc, double h)
{
    for (int k = 0; k < SKETCH_KINDS; k++) {
        if (sketch_kinds[k]->rates) {
            sketch_kinds[k]->rates(sc);
        }
    }
    for (int k = 0; k < SKETCH_KINDS; k++) {
        if (sketch_kinds[k]->advance) {
            sketch_kinds[k]->advance(sc, h);
        }
    }
    for (int d = 0; d < sc->count; d++) {
        sc->v[sc->dof[d].v] += h * sc->a[d];
    }
    for (int d = 0; d < sc->count; d++) {
        if (scene_kind_of(sc, d) != 's') {
            sc->q[sc->dof[d].q] += h * sc->v[sc->dof[d].v];
        } else if (sc->dof[d].axis == 0) {
            /* x' = x w / 2, w in the follower's frame */
            const double *w = sc->v + sc->dof[d].v;
            double *y = sc->q + sc->dof[d].q, x[4];
            memcpy(x, y, sizeof x);
            y[0] -= h / 2 * (x[1] * w[0] + x[2] * w[1] + x[3] * w[2]);
            y[1] += h / 2 * (x[0] * w[0] + x[2] * w[2] - x[3] * w[1]);
            y[2] += h / 2 * (x[0] * w[1] + x[3] * w[0] - x[1] * w[2]);
            y[3] += h / 2 * (x[0] * w[2] + x[1] * w[1] - x[2] * w[0]);
        }
    }
    sc->t += h;
}

/* ---- velocities, and accelerations at a = 0 ---- */

/*
 * How the screw of freedom d moves: it is fixed in the frame that all freedoms before it have moved.
 *   e' = w x e,  o' = the velocity of that frame at o
 * A spherical primitive's three turn with its own rotation u too, but sum v_i u x e_i = u x u is nothing.
 */
static void move_screw(const scene *sc, int d, double e[3], double o[3])
{
    const screw *own = &sc->screw[d];
    double w[3] = {0, 0, 0};
    memset(o, 0, 3 * sizeof *o);
    for (int b = 0; b < d - sc->dof[d].axis; b++) {
        const screw *before = &sc->screw[b];
        const double v = sc->v[sc->dof[b].v];
        double r[3], sweep[3];
        if (!scene_hangs_on(sc->s, sc->dof[d].joint, sc->dof[b].joint)) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            r[i] = own->o[i] - before->o[i];
        }
        cross(before->e, r, sweep);
        for (int i = 0; i < 3; i++) {
            const bool slides = scene_kind_of(sc, b) == 'p';
            o[i] += v * (slides ? before->e[i] : sweep[i]);
            w[i] += slides ? 0 : v * before->e[i];
        }
    }
    cross(w, own->e, e);
}

/*
 * Omega = sum W v, and J' v, W' v of body k, by the rule of products:
 *   p  J = e           J' = e'
 *   r  J = e x (c - o) J' = e' x (c - o) + e x (c' - o'),  W' = e'
 */
static void carry_body(const scene *sc, int k, carried *b)
{
    double speed[3] = {0, 0, 0}; /* c' */
    for (int d = 0; d < sc->count; d++) {
        for (int i = 0; i < 3; i++) {
            speed[i] += b->J[d][i] * sc->v[sc->dof[d].v];
            b->omega[i] += b->W[d][i] * sc->v[sc->dof[d].v];
        }
    }
    for (int d = 0; d < sc->count; d++) {
        const screw *own = &sc->screw[d];
        const double v = sc->v[sc->dof[d].v];
        double e[3], o[3], r[3], turned[3], swept[3];
        if (!scene_hangs_on(sc->s, k, sc->dof[d].joint)) {
            continue;
        }
        move_screw(sc, d, e, o);
        for (int i = 0; i < 3; i++) {
            r[i] = sc->body[k].c[i] - own->o[i];
            o[i] = speed[i] - o[i];
        }
        cross(e, r, turned);
        cross(own->e, o, swept);
        for (int i = 0; i < 3; i++) {
            const bool slides = scene_kind_of(sc, d) == 'p';
            b->a0[i] += v * (slides ? e[i] : turned[i] + swept[i]);
            b->w0[i] += slides ? 0 : v * e[i];
        }
    }
}

static void carry(scene *sc)
{
    place_all(sc);
    memset(sc->carried, 0, sizeof sc->carried);
    for (int k = 0; k < sc->s->count; k++) {
        const sketch_joint *j = &sc->s->joint[k];
        const double *R = sc->body[k].R;
        carried *b = &sc->carried[k];
        if (!j->alive) {
            continue;
        }
        jacobian(sc, k, b->J, b->W);
        carry_body(sc, k, b);
        b->mass = j->mass;
        for (int i = 0; i < 3; i++) {
            for (int n = 0; n < 3; n++) {
                for (int m = 0; m < 3; m++) {
                    b->I[3 * i + n] += R[3 * i + m] * j->inertia[m] * R[3 * n + m];
                }
            }
        }
    }
}

/* M and h = (forces of inertia at a = 0) - gravity. */
void scene_form_equations(scene *sc)
{
    memset(sc->M, 0, sizeof sc->M);
    memset(sc->h, 0, sizeof sc->h);
    carry(sc);
    for (int k = 0; k < sc->s->count; k++) {
        const carried *b = &sc->carried[k];
        double Iw[3], gyro[3], Iw0[3], moment[3];
        if (!sc->s->joint[k].alive) {
            continue;
        }
        rotate(b->I, b->omega, Iw);
        cross(b->omega, Iw, gyro);
        rotate(b->I, b->w0, Iw0);
        for (int i = 0; i < 3; i++) {
            moment[i] = Iw0[i] + gyro[i];
        }
        for (int d = 0; d < sc->count; d++) {
            double Iwd[3];
            rotate(b->I, b->W[d], Iwd);
            for (int e = 0; e < sc->count; e++) {
                sc->M[d][e] += b->mass * dot(b->J[d], b->J[e]) + dot(Iwd, b->W[e]);
            }
            for (int i = 0; i < 3; i++) {
                sc->h[d] +=
                    b->mass * b->J[d][i] * (b->a0[i] - sc->s->gravity[i]) + b->W[d][i] * moment[i];
            }
        }
    }
    for (int d = 0; d < sc->count; d++) {
        sc->M[d][d] += sc->s->joint[sc->dof[d].joint].primitive[sc->dof[d].primitive].armature;
    }
}

/* ---- points of bodies ---- */

void scene_moves_at(const scene *sc, int k, const double point[3], int d, double twist[6])
{
    double r[3], turned[3];
    for (int i = 0; i < 3; i++) {
        r[i] = point[i] - sc->body[k].c[i];
    }
    cross(sc->carried[k].W[d], r, turned);
    for (int i = 0; i < 3; i++) {
        twist[i] = sc->carried[k].J[d][i] + turned[i];
        twist[3 + i] = sc->carried[k].W[d][i];
    }
}

void scene_load_tie(scene *sc, int k, const double point[3], const double wrench[6], double sign)
{
    double r[3], moment[3];
    for (int i = 0; i < 3; i++) {
        r[i] = point[i] - sc->body[k].c[i];
    }
    cross(r, wrench, moment);
    for (int i = 0; i < 3; i++) {
        sc->tie[k][i] += sign * wrench[i];
        sc->tie[k][3 + i] += sign * (wrench[3 + i] + moment[i]);
    }
}
