/* Enumeration of all sets of modes, with dynamics of its own: see prove.h. */
#include "prove.h"

#include "chance.h"
#include "formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOFS = 40, MOST_CANDIDATES = 7, STARTS = 6, ITERATIONS = 40 };

/* One freedom of the mechanism, as the sketch has it. */
typedef struct dof {
    int joint, primitive; /* of the sketch */
    int axis;             /* of a spherical primitive's three */
    int q, v;             /* places in the state */
} dof;

typedef struct body {
    double R[9], p[3]; /* frame in the world */
    double c[3];       /* centre of mass */
} body;

/* Of one freedom at the present position: where it is and what it moves. */
typedef struct screw {
    double e[3], o[3]; /* axis, point on it; for reactions the origin of the follower's frame */
    double R[9];
} screw;

typedef struct scene {
    const sketch *s;
    int count; /* freedoms */
    dof dof[DOFS];
    double t, u, q[2 * DOFS], v[DOFS], a[DOFS], f[DOFS]; /* a, f by freedom */
    int direction[DOFS];                                 /* what `dir` is */
    int now;                                             /* the freedom whose law is read */
    double Q[DOFS];                                      /* actuation, springs, damping */
    body body[SKETCH_JOINTS];
    screw screw[DOFS];
    double M[DOFS][DOFS], h[DOFS];
    double reaction[DOFS][6]; /* force, torque about the origin of the follower's frame */
    bool circular;            /* a load reads reactions: they are unknowns of their own */
} scene;

/* ---- small vectors ---- */

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void rotate(const double R[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    }
}

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
static bool hangs_on(const sketch *s, int k, int j)
{
    while (k >= 0 && k != j) {
        k = s->joint[k].base;
    }
    return k == j;
}

static char kind_of(const scene *sc, int d)
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
        if (!hangs_on(sc->s, k, sc->dof[d].joint)) {
            continue;
        }
        if (kind_of(sc, d) == 'p') {
            memcpy(J[d], own->e, sizeof own->e);
        } else {
            const double r[3] = {sc->body[k].c[0] - own->o[0], sc->body[k].c[1] - own->o[1],
                                 sc->body[k].c[2] - own->o[2]};
            memcpy(W[d], own->e, sizeof own->e);
            cross(own->e, r, J[d]);
        }
    }
}

/* The position h seconds later. */
static void drift(const scene *sc, double h, double *q)
{
    memcpy(q, sc->q, sizeof sc->q);
    for (int d = 0; d < sc->count; d++) {
        if (kind_of(sc, d) != 's') {
            q[sc->dof[d].q] += h * sc->v[sc->dof[d].v];
        } else if (sc->dof[d].axis == 0) {
            /* x' = x w / 2, w in the follower's frame; to second order by the midpoint's exponential */
            const double *x = sc->q + sc->dof[d].q, *w = sc->v + sc->dof[d].v;
            const double n = sqrt(dot(w, w)), half = n * h / 2;
            const double c = cos(half), k = n > 0 ? sin(half) / n : 0;
            double *y = q + sc->dof[d].q;
            y[0] = x[0] * c - k * (x[1] * w[0] + x[2] * w[1] + x[3] * w[2]);
            y[1] = x[1] * c + k * (x[0] * w[0] + x[2] * w[2] - x[3] * w[1]);
            y[2] = x[2] * c + k * (x[0] * w[1] + x[3] * w[0] - x[1] * w[2]);
            y[3] = x[3] * c + k * (x[0] * w[2] + x[1] * w[1] - x[2] * w[0]);
        }
    }
}

static void place_all(scene *sc, const double *q)
{
    for (int k = 0; k < sc->s->count; k++) {
        if (sc->s->joint[k].alive) {
            place_joint(sc, k, q);
        }
    }
}

/* What the present position and velocity make of a body: J' v and W' v, by a central difference. */
typedef struct carried {
    double J[DOFS][3], W[DOFS][3], a0[3], w0[3], omega[3]; /* accelerations at a = 0 */
    double I[9], mass;
} carried;

static void carry(scene *sc, carried *body_of)
{
    static const double h = 1e-5;
    static double J[DOFS][3], W[DOFS][3];
    double q[2 * DOFS];
    for (int k = 0; k < sc->s->count; k++) {
        memset(&body_of[k], 0, sizeof body_of[k]);
    }
    for (int side = -1; side <= 1; side++) {
        drift(sc, side * h, q);
        place_all(sc, q);
        for (int k = 0; k < sc->s->count && side != 0; k++) {
            if (!sc->s->joint[k].alive) {
                continue;
            }
            jacobian(sc, k, J, W);
            for (int d = 0; d < sc->count; d++) {
                for (int i = 0; i < 3; i++) {
                    body_of[k].a0[i] += side * J[d][i] * sc->v[sc->dof[d].v] / (2 * h);
                    body_of[k].w0[i] += side * W[d][i] * sc->v[sc->dof[d].v] / (2 * h);
                }
            }
        }
    }
    place_all(sc, sc->q);
    for (int k = 0; k < sc->s->count; k++) {
        const sketch_joint *j = &sc->s->joint[k];
        carried *b = &body_of[k];
        if (!j->alive) {
            continue;
        }
        jacobian(sc, k, b->J, b->W);
        b->mass = j->mass;
        for (int i = 0; i < 3; i++) {
            for (int n = 0; n < 3; n++) {
                for (int m = 0; m < 3; m++) {
                    b->I[3 * i + n] +=
                        sc->body[k].R[3 * i + m] * j->inertia[m] * sc->body[k].R[3 * n + m];
                }
            }
            for (int d = 0; d < sc->count; d++) {
                b->omega[i] += b->W[d][i] * sc->v[sc->dof[d].v];
            }
        }
    }
}

static carried carried_bodies[SKETCH_JOINTS];

/* M and h = (forces of inertia at a = 0) - gravity. */
static void form_equations(scene *sc)
{
    memset(sc->M, 0, sizeof sc->M);
    memset(sc->h, 0, sizeof sc->h);
    carry(sc, carried_bodies);
    for (int k = 0; k < sc->s->count; k++) {
        const carried *b = &carried_bodies[k];
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

static double law(scene *sc, int d, const char *text)
{
    sc->now = d;
    return formula_value(text, look_up, sc);
}

static const sketch_primitive *primitive_of(const scene *sc, int d)
{
    return &sc->s->joint[sc->dof[d].joint].primitive[sc->dof[d].primitive];
}

static double kinetic(scene *sc, int d, int side)
{
    const int kept = sc->direction[d];
    sc->direction[d] = side;
    const double value = law(sc, d, primitive_of(sc, d)->kinetic);
    sc->direction[d] = kept;
    return value;
}

/* ---- loads and reactions ---- */

/* The wrench of all loads on body k about the point, in the world. */
static void loads_on(scene *sc, int k, const double about[3], double wrench[6])
{
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int l = 0; l < SKETCH_LOADS; l++) {
        const sketch_load *own = &sc->s->load[l];
        double F[3], T[3], r[3], moment[3];
        if (own->body != k) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            F[i] = law(sc, 0, own->force[i]);
            T[i] = law(sc, 0, own->torque[i]);
        }
        if (own->in_body) {
            double world[3];
            rotate(sc->body[k].R, F, world);
            memcpy(F, world, sizeof F);
            rotate(sc->body[k].R, T, world);
            memcpy(T, world, sizeof T);
        }
        rotate(sc->body[k].R, own->at, r);
        for (int i = 0; i < 3; i++) {
            r[i] += sc->body[k].p[i] - about[i];
        }
        cross(r, F, moment);
        for (int i = 0; i < 3; i++) {
            wrench[i] += F[i];
            wrench[3 + i] += T[i] + moment[i];
        }
    }
}

/* What joints transmit at the present a: the forces of inertia less gravity and loads of all that hangs beyond. */
static void form_reactions(scene *sc)
{
    static double next[DOFS][6];
    memset(next, 0, sizeof next);
    for (int k = 0; k < sc->s->count; k++) {
        const carried *b = &carried_bodies[k];
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
        loads_on(sc, k, sc->body[k].c, load);
        for (int d = 0; d < sc->count; d++) {
            double F[3], r[3], moment[3];
            if (!hangs_on(sc->s, k, sc->dof[d].joint)) {
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

/* Forces along each freedom but friction. */
static void form_forces(scene *sc, double *Q)
{
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = primitive_of(sc, d);
        const double q = sc->q[sc->dof[d].q], v = sc->v[sc->dof[d].v];
        Q[d] = -p->damping * v;
        if (p->kind != 's') {
            Q[d] -= p->stiffness * (q - p->rest);
            Q[d] += p->stiction ? law(sc, d, p->external) : law(sc, d, p->force);
        }
    }
    memcpy(sc->Q, Q, sizeof sc->Q);
    for (int k = 0; k < sc->s->count; k++) {
        double load[6];
        if (!sc->s->joint[k].alive) {
            continue;
        }
        loads_on(sc, k, sc->body[k].c, load);
        for (int d = 0; d < sc->count; d++) {
            Q[d] += dot(carried_bodies[k].J[d], load) + dot(carried_bodies[k].W[d], load + 3);
        }
    }
}

/* ---- one set of modes ---- */

typedef struct modes {
    bool held[DOFS];  /* a is given: locked or prescribed */
    bool slips[DOFS]; /* friction is given by `side` */
    int side[DOFS];
    double given[DOFS];
} modes;

/*
 * Unknowns x: a of the free freedoms, the driving force of the held ones (friction, or what drives a motion). Laws are
 * evaluated at the state that x makes; reactions depend on a and on loads that may depend on reactions, so they are
 * unknowns as well: z, six a freedom.
 */
static void set_unknowns(scene *sc, const modes *m, const double *x)
{
    const int n = sc->count;
    for (int d = 0; d < n; d++) {
        sc->a[d] = m->held[d] ? m->given[d] : x[d];
        sc->f[d] = m->held[d] ? x[d] : m->slips[d] ? x[d + n] : 0;
        if (sc->circular) {
            memcpy(sc->reaction[d], x + 2 * n + 6 * d, sizeof sc->reaction[d]);
        }
    }
    if (!sc->circular) {
        form_reactions(sc);
    }
}

static void residual(scene *sc, const modes *m, const double *x, double *r)
{
    const int n = sc->count;
    double Q[DOFS];
    set_unknowns(sc, m, x);
    form_forces(sc, Q);
    for (int d = 0; d < n; d++) {
        r[d] = sc->h[d] - Q[d] - sc->f[d];
        for (int e = 0; e < n; e++) {
            r[d] += sc->M[d][e] * sc->a[e];
        }
        r[d + n] = x[d + n];
        if (m->slips[d] && !m->held[d]) {
            r[d + n] = x[d + n] + m->side[d] * kinetic(sc, d, m->side[d]);
        }
    }
    if (!sc->circular) {
        return;
    }
    double kept[DOFS][6];
    memcpy(kept, sc->reaction, sizeof kept);
    form_reactions(sc);
    for (int d = 0; d < n; d++) {
        for (int i = 0; i < 6; i++) {
            r[2 * n + 6 * d + i] = kept[d][i] - sc->reaction[d][i];
        }
    }
    memcpy(sc->reaction, kept, sizeof kept);
}

enum { UNKNOWNS = 8 * DOFS };

static bool solve_linear(int n, double *A, double *b)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++) {
            pivot = fabs(A[r * n + c]) > fabs(A[pivot * n + c]) ? r : pivot;
        }
        if (!(fabs(A[pivot * n + c]) > 0)) {
            return false;
        }
        for (int k = c; k < n && pivot != c; k++) {
            const double t = A[c * n + k];
            A[c * n + k] = A[pivot * n + k];
            A[pivot * n + k] = t;
        }
        const double t = b[c];
        b[c] = b[pivot];
        b[pivot] = t;
        for (int r = c + 1; r < n; r++) {
            const double factor = A[r * n + c] / A[c * n + c];
            for (int k = c; k < n && factor != 0; k++) {
                A[r * n + k] -= factor * A[c * n + k];
            }
            b[r] -= factor * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) {
            b[r] -= A[r * n + k] * b[k];
        }
        b[r] /= A[r * n + r];
    }
    return true;
}

static double norm(const double *r, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) {
        most = fmax(most, fabs(r[k]));
        if (isnan(r[k])) {
            return (double)INFINITY;
        }
    }
    return most;
}

/* Newton with a matrix of differences and halved steps; false where it does not converge. */
static bool newton(scene *sc, const modes *m, double *x, double size)
{
    static double A[UNKNOWNS * UNKNOWNS];
    static double r[UNKNOWNS], other[UNKNOWNS], y[UNKNOWNS], step[UNKNOWNS];
    const int n = (sc->circular ? 8 : 2) * sc->count;
    residual(sc, m, x, r);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        const double was = norm(r, n);
        if (was <= 1e-11 * size) {
            return true;
        }
        for (int c = 0; c < n; c++) {
            const double h = 1e-6 * fmax(fabs(x[c]), 1e-3 * size);
            memcpy(y, x, (size_t)n * sizeof *y);
            y[c] += h;
            residual(sc, m, y, other);
            for (int k = 0; k < n; k++) {
                A[k * n + c] = (other[k] - r[k]) / h;
            }
        }
        memcpy(step, r, (size_t)n * sizeof *step);
        if (!isfinite(was) || !solve_linear(n, A, step)) {
            return false;
        }
        double share = 1;
        for (int halving = 0; halving < 12; halving++, share /= 2) {
            for (int k = 0; k < n; k++) {
                y[k] = x[k] - share * step[k];
            }
            residual(sc, m, y, other);
            if (norm(other, n) < was) {
                break;
            }
        }
        if (!(norm(other, n) < was)) {
            return was <= 1e-8 * size; /* rounding is all that is left */
        }
        memcpy(x, y, (size_t)n * sizeof *x);
        memcpy(r, other, (size_t)n * sizeof *r);
    }
    return norm(r, n) <= 1e-8 * size;
}

/* Whether the modes hold at the solution that is in `sc`. */
static bool holds(scene *sc, const modes *m, const int *candidate, int candidates, double size)
{
    const double slack = 1e-7 * size;
    for (int c = 0; c < candidates; c++) {
        const int d = candidate[c];
        const sketch_primitive *p = primitive_of(sc, d);
        if (m->slips[d]) {
            if (m->side[d] * sc->a[d] * sc->M[d][d] < -slack) {
                return false;
            }
            continue;
        }
        sc->direction[d] = 0;
        const double forward = p->forward[0] ? law(sc, d, p->forward) : -law(sc, d, p->limit),
                     reverse = p->reverse[0] ? law(sc, d, p->reverse) : law(sc, d, p->limit);
        const double test = p->test[0] ? law(sc, d, p->test) : sc->f[d];
        const bool inside = test >= forward - slack && test <= reverse + slack;
        /* one that its own test has released is held by its kinetic friction */
        const bool held =
            p->test[0] && fabs(sc->f[d]) <= kinetic(sc, d, sc->f[d] > 0 ? -1 : 1) + slack;
        if (!inside && !held) {
            return false;
        }
    }
    return true;
}

/* Second derivative of a motion. */
static double motion_acceleration(scene *sc, int d, const char *text)
{
    const double h = 1e-4, t = sc->t;
    double x[3];
    for (int k = 0; k < 3; k++) {
        sc->t = t + (k - 1) * h;
        x[k] = law(sc, d, text);
    }
    sc->t = t;
    return (x[0] - 2 * x[1] + x[2]) / (h * h);
}

static double typical_size(scene *sc)
{
    double size = 1e-30, Q[DOFS];
    memset(sc->a, 0, sizeof sc->a);
    memset(sc->f, 0, sizeof sc->f);
    form_reactions(sc);
    form_forces(sc, Q);
    for (int d = 0; d < sc->count; d++) {
        size = fmax(size, fmax(fabs(sc->h[d]), fabs(Q[d])));
        size = fmax(size, norm(sc->reaction[d], 6));
    }
    return size;
}

/* ---- all sets ---- */

static bool try_modes(scene *sc, modes *m, const int *candidate, int candidates, double size)
{
    static double x[UNKNOWNS];
    const int n = (sc->circular ? 8 : 2) * sc->count;
    chance c = {12345};
    for (int start = 0; start < STARTS; start++) {
        for (int k = 0; k < n; k++) {
            x[k] = start == 0 ? 0 : size * pow(10, start - 3) * chance_in(&c, -1, 1);
        }
        for (int d = 0; d < sc->count; d++) {
            sc->direction[d] = m->slips[d] ? m->side[d] : 0;
        }
        if (newton(sc, m, x, size)) {
            set_unknowns(sc, m, x);
            if (holds(sc, m, candidate, candidates, size)) {
                return true;
            }
        }
    }
    return false;
}

static proof enumerate(scene *sc, modes *m, const int *candidate, int candidates, char *words,
                       size_t capacity)
{
    const double size = typical_size(sc);
    long sets = 1;
    for (int k = 0; k < candidates; k++) {
        sets *= 3;
    }
    for (long set = 0; set < sets; set++) {
        long rest = set;
        for (int k = 0; k < candidates; k++, rest /= 3) {
            const int d = candidate[k];
            m->side[d] = (int)(rest % 3) == 2 ? -1 : (int)(rest % 3);
            m->slips[d] = m->side[d] != 0;
            m->held[d] = !m->slips[d];
            m->given[d] = 0;
        }
        if (try_modes(sc, m, candidate, candidates, size)) {
            size_t length = (size_t)snprintf(words, capacity, "consistent:");
            for (int k = 0; k < candidates && length < capacity; k++) {
                length +=
                    (size_t)snprintf(words + length, capacity - length, " %s %+d",
                                     primitive_of(sc, candidate[k])->name, m->side[candidate[k]]);
            }
            return PROOF_ONE_EXISTS;
        }
    }
    snprintf(words, capacity, "none of %ld sets of modes, %d starts each", sets, STARTS);
    return PROOF_NONE_EXISTS;
}

/* Freedoms in the order of the state, which is that of the file's joints. */
static bool list_freedoms(scene *sc)
{
    int q = 0, v = 0;
    for (int k = 0; k < sc->s->count; k++) {
        const sketch_joint *j = &sc->s->joint[k];
        for (int i = 0; i < j->count && j->alive; i++) {
            const int axes = j->primitive[i].kind == 's' ? 3 : 1;
            for (int axis = 0; axis < axes; axis++) {
                if (sc->count == DOFS) {
                    return false;
                }
                sc->dof[sc->count++] = (dof){k, i, axis, q, v + axis};
            }
            q += axes == 3 ? 4 : 1;
            v += axes;
        }
    }
    return true;
}

/* The state at the start, where none is known. */
static void set_start(scene *sc)
{
    const double h = 1e-4;
    sc->t = 0;
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = primitive_of(sc, d);
        const dof *own = &sc->dof[d];
        if (p->kind == 's') {
            sc->q[own->q] = 1;
            sc->v[own->v] = p->spin[own->axis];
        } else if (p->motion[0]) {
            sc->t = h;
            const double later = law(sc, d, p->motion);
            sc->t = -h;
            sc->v[own->v] = (later - law(sc, d, p->motion)) / (2 * h);
            sc->t = 0;
            sc->q[own->q] = law(sc, d, p->motion);
        } else {
            sc->q[own->q] = p->position;
            sc->v[own->v] = p->velocity;
        }
    }
}

/* A state of the run, in the units of the sketch. */
static void take_state(scene *sc, const verdict *v)
{
    const sketch *s = sc->s;
    const double *q = v->state, *speed = q + v->coordinates, *a = speed + v->freedoms,
                 *f = a + v->freedoms;
    sc->t = v->time / sketch_unit(s, 0, 0, 1);
    for (int d = 0; d < sc->count; d++) {
        const dof *own = &sc->dof[d];
        const int l = sketch_length(primitive_of(sc, d));
        for (int k = own->q; k < own->q + (kind_of(sc, d) == 's' ? 4 : 1); k++) {
            sc->q[k] = q[k] / sketch_unit(s, 0, l, 0);
        }
        sc->v[own->v] = speed[own->v] / sketch_unit(s, 0, l, -1);
        sc->a[d] = a[own->v] / sketch_unit(s, 0, l, -2);
        sc->f[d] = f[own->v] / sketch_unit(s, 1, 2 - l, -2);
    }
}

static bool set_scene(scene *sc, const sketch *s, const verdict *v)
{
    memset(sc, 0, sizeof *sc);
    sc->s = s;
    for (int l = 0; l < SKETCH_LOADS; l++) {
        for (int x = 0; x < 3 && s->load[l].body >= 0; x++) {
            sc->circular = sc->circular || strstr(s->load[l].force[x], "reaction") ||
                           strstr(s->load[l].torque[x], "reaction");
        }
    }
    if (!list_freedoms(sc)) {
        return false;
    }
    if (v->coordinates == 0) {
        set_start(sc);
    } else {
        take_state(sc, v);
    }
    for (int k = 0; k < s->inputs && s->input_time[k] <= sc->t * (1 + 1e-12); k++) {
        sc->u = s->input_value[k];
    }
    return true;
}

static double check_dynamics(const sketch *s, const verdict *v, double later, char *words,
                             size_t capacity)
{
    static scene sc;
    double Q[DOFS], worst = 0;
    if (!set_scene(&sc, s, v) || v->coordinates == 0 || sc.circular) {
        return (double)NAN;
    }
    sc.t += later;
    form_equations(&sc);
    double most = typical_size(&sc);
    take_state(&sc, v); /* the accelerations too */
    sc.t += later;
    form_reactions(&sc);
    form_forces(&sc, Q);
    for (int d = 0; d < sc.count; d++) {
        double residual = sc.h[d] - Q[d] - sc.f[d];
        for (int e = 0; e < sc.count; e++) {
            residual += sc.M[d][e] * sc.a[e];
            most = fmax(most, fabs(sc.M[d][e] * sc.a[e]));
        }
        if (!primitive_of(&sc, d)->motion[0] && fabs(residual) > worst) {
            worst = fabs(residual);
            snprintf(words, capacity, "%s: the equations of motion are off by %g of %g",
                     primitive_of(&sc, d)->name, worst, most);
        }
    }
    return worst / most;
}

double prove_dynamics(const sketch *s, const verdict *v, char *words, size_t capacity)
{
    /* a switch of t that stands at its border may be on either side */
    const double before = check_dynamics(s, v, -1e-9, words, capacity);
    return before > 1e-5 ? fmin(before, check_dynamics(s, v, 1e-9, words, capacity)) : before;
}

/* Who may lock, who slips on, whose motion is given. */
static int sort_freedoms(scene *sc, modes *m, int *candidate)
{
    int candidates = 0;
    double fastest = 1e-3;
    for (int d = 0; d < sc->count; d++) {
        fastest = fmax(fastest, fabs(sc->v[sc->dof[d].v]));
    }
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = primitive_of(sc, d);
        double *speed = &sc->v[sc->dof[d].v];
        if (p->motion[0]) {
            m->held[d] = true;
            m->given[d] = motion_acceleration(sc, d, p->motion);
        } else if (p->stiction && fabs(*speed) <= 1e-7 * fastest) {
            *speed = 0;
            candidate[candidates++] = d;
        } else if (p->stiction) {
            m->slips[d] = true;
            m->side[d] = *speed > 0 ? 1 : -1;
        }
    }
    return candidates;
}

proof prove(const sketch *s, const verdict *v, char *words, size_t capacity)
{
    static scene sc;
    static modes m;
    int candidate[DOFS];
    memset(&m, 0, sizeof m);
    if (!set_scene(&sc, s, v) || (sc.circular && sc.count > 12)) {
        snprintf(words, capacity, "too large");
        return PROOF_NOT_POSSIBLE;
    }
    sc.t += 1e-9 * (1 + fabs(sc.t)); /* whatever switches now has switched */
    const int candidates = sort_freedoms(&sc, &m, candidate);
    if (candidates > MOST_CANDIDATES) {
        snprintf(words, capacity, "%d candidates are too many", candidates);
        return PROOF_NOT_POSSIBLE;
    }
    form_equations(&sc);
    return enumerate(&sc, &m, candidate, candidates, words, capacity);
}
