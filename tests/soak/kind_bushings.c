/*
 * Bushings between frames of bodies, of a stream of chance of their own. Their torque is made here from the other side than
 * in the engine: that whose power is the rate of the energy, T' t = -G phi with phi' = T^-1 omega, solved for t.
 */
#include "kind.h"

#include <string.h>

enum { BUSHINGS = 2 };

typedef struct bushing {
    bool alive;
    int body[2];                 /* -1: the ground */
    double at[2][3], turn[2][3]; /* roll, pitch, yaw of the frames */
    double stiffness[3], damping[3], turning_stiffness[3], turning_damping[3];
} bushing;

static bushing *of(const sketch *s, int k)
{
    return (bushing *)sketch_own(s, &sketch_bushings) + k;
}

static void make_sizes(chance *c, double probability, double low, double high, double size[3])
{
    const bool any = chance_of(c, probability), same = chance_of(c, 0.3);
    for (int x = 0; x < 3; x++) {
        size[x] = !any || chance_of(c, 0.15) ? 0 : chance_size(c, low, high);
        size[x] = same ? size[0] : size[x];
    }
}

static int make_body(chance *c, const sketch *s)
{
    const int k = chance_below(c, s->count + 1) - 1;
    return k >= 0 && sketch_closes(s, k) ? -1 : k;
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x3b3b3b3b3b3b3b3bu}, *c = &own;
    sketch *s = m->s;
    for (int k = 0; k < BUSHINGS && m->wish.bushings; k++) {
        bushing *p = of(s, k);
        p->alive = chance_of(c, 0.6);
        for (int e = 0; e < 2; e++) {
            p->body[e] = make_body(c, s);
            for (int x = 0; x < 3; x++) {
                p->at[e][x] = chance_of(c, 0.5) ? chance_number(c, -0.5, 0.5) : 0;
                p->turn[e][x] = chance_of(c, 0.3) ? chance_number(c, -1, 1) : 0;
            }
        }
        make_sizes(c, 0.8, 1, 100, p->stiffness);
        make_sizes(c, 0.4, 0.01, 3, p->damping);
        make_sizes(c, 0.8, 0.1, 20, p->turning_stiffness);
        make_sizes(c, 0.4, 0.003, 0.5, p->turning_damping);
    }
}

static bool is_there(const sketch *s, int k)
{
    const bushing *p = of(s, k);
    bool there = p->alive && p->body[0] != p->body[1];
    for (int e = 0; e < 2; e++) {
        there = there && (p->body[e] < 0 || s->joint[p->body[e]].alive);
    }
    return there;
}

static void write_sizes(writer *w, const char *key, const double size[3], double unit)
{
    if (!write_is_zero(size)) {
        write_vector(w, key, size, unit * write_factor(w));
    }
}

static void write(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < BUSHINGS; k++) {
        const bushing *p = of(s, k);
        if (!is_there(s, k)) {
            continue;
        }
        write_text(w, "%s  h%d: {between: [", any ? "" : "bushings:\n", k);
        any = true;
        for (int e = 0; e < 2; e++) {
            write_text(w, e ? ", {body: " : "{body: ");
            write_text(w, p->body[e] < 0 ? "ground" : "b%d", p->body[e]);
            write_vector(w, ", at: {point: ", p->at[e], sketch_unit(s, 0, 1, 0));
            if (!write_is_zero(p->turn[e])) {
                write_vector(w, ", rotation: {rpy: ", p->turn[e], 1);
                write_text(w, "}");
            }
            write_text(w, "}}");
        }
        write_text(w, "]");
        write_sizes(w, ", stiffness: ", p->stiffness, sketch_unit(s, 1, 0, -2));
        write_sizes(w, ", damping: ", p->damping, sketch_unit(s, 1, 0, -1));
        write_sizes(w, ", rotational_stiffness: ", p->turning_stiffness, sketch_unit(s, 1, 2, -2));
        write_sizes(w, ", rotational_damping: ", p->turning_damping, sketch_unit(s, 1, 2, -1));
        write_text(w, "}\n");
    }
}

/* ---- shrinking ---- */

static void drop(shrinker *w)
{
    for (int k = 0; k < BUSHINGS; k++) {
        if (is_there(w->s, k)) {
            sketch t = *w->s;
            of(&t, k)->alive = false;
            shrinker_attempt(w, &t);
        }
    }
}

static void simplify_numbers(shrinker *w)
{
    for (int k = 0; k < BUSHINGS; k++) {
        bushing *p = of(w->s, k);
        if (is_there(w->s, k)) {
            shrinker_numbers(w, p->at[0], 6, 0);
            shrinker_numbers(w, p->turn[0], 6, 0);
            shrinker_numbers(w, p->stiffness, 3, 0);
            shrinker_numbers(w, p->damping, 3, 0);
            shrinker_numbers(w, p->turning_stiffness, 3, 0);
            shrinker_numbers(w, p->turning_damping, 3, 0);
        }
    }
}

/* ---- dynamics ---- */

/* A frame at an instant: point, axes as columns, velocities. */
typedef struct frame {
    double p[3], R[9], v[3], w[3];
} frame;

static void multiply_into(double R[9], const double B[9])
{
    double A[9];
    memcpy(A, R, sizeof A);
    for (int i = 0; i < 9; i++) {
        R[i] = A[i / 3 * 3] * B[i % 3] + A[i / 3 * 3 + 1] * B[3 + i % 3] +
               A[i / 3 * 3 + 2] * B[6 + i % 3];
    }
}

static void rotate_back(const double R[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
    }
}

/* Turns about the fixed x, then y, then z. */
static void turn_by(double R[9], const double rpy[3])
{
    for (int axis = 2; axis >= 0; axis--) {
        const double c = cos(rpy[axis]), s = sin(rpy[axis]);
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        double T[9] = {0};
        T[4 * axis] = 1;
        T[4 * i] = T[4 * j] = c;
        T[3 * i + j] = -s;
        T[3 * j + i] = s;
        multiply_into(R, T);
    }
}

static void place_end(const scene *sc, const bushing *own, int e, frame *f)
{
    static const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int k = own->body[e];
    double r[3], turned[3];
    memset(f, 0, sizeof *f);
    memcpy(f->R, k < 0 ? eye : sc->body[k].R, sizeof f->R);
    rotate(f->R, own->at[e], f->p);
    turn_by(f->R, own->turn[e]);
    if (k < 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        f->p[i] += sc->body[k].p[i];
        r[i] = f->p[i] - sc->body[k].c[i];
    }
    for (int d = 0; d < sc->count; d++) {
        const double v = sc->v[sc->dof[d].v];
        cross(sc->carried[k].W[d], r, turned);
        for (int i = 0; i < 3; i++) {
            f->v[i] += (sc->carried[k].J[d][i] + turned[i]) * v;
            f->w[i] += sc->carried[k].W[d][i] * v;
        }
    }
}

/* x with A x = b, by Cramer's rule. */
static void solve(const double A[3][3], const double b[3], double x[3])
{
    double c[3];
    cross(A[1], A[2], c);
    const double determinant = dot(A[0], c);
    for (int i = 0; i < 3; i++) {
        double B[3][3];
        memcpy(B, A, sizeof B);
        for (int r = 0; r < 3; r++) {
            B[r][i] = b[r];
        }
        cross(B[1], B[2], c);
        x[i] = dot(B[0], c) / determinant;
    }
}

/* The torque of the energy 1/2 phi . G phi of a turn E. */
static void elastic_torque(const double E[9], const double G[3], double torque[3])
{
    const double axis[3] = {E[7] - E[5], E[2] - E[6], E[3] - E[1]},
                 sine = sqrt(dot(axis, axis)) / 2,
                 angle = atan2(sine, (E[0] + E[4] + E[8] - 1) / 2);
    double n[3], T[3][3], b[3];
    for (int i = 0; i < 3; i++) {
        n[i] = sine > 0 ? axis[i] / (2 * sine) : 0;
        b[i] = -G[i] * angle * n[i];
    }
    if (angle < 1e-6) {
        memcpy(torque, b, sizeof b);
        return;
    }
    const double along = sine / angle, across = (1 - cos(angle)) / angle;
    const double hat[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) { /* transposed */
            T[j][i] = (i == j) * along + (1 - along) * n[i] * n[j] + across * hat[i][j];
        }
    }
    solve((const double(*)[3])T, b, torque);
}

/* Force and torque on the second body, in the world. */
static void pull(const bushing *own, const frame end[2], double F[3], double T[3])
{
    double r[3], u[3], w[3], arm[3], d[3], rate[3], spin[3], E[9], force[3], torque[3];
    for (int i = 0; i < 3; i++) {
        r[i] = end[1].p[i] - end[0].p[i];
        w[i] = end[1].w[i] - end[0].w[i];
    }
    cross(end[0].w, r, arm);
    for (int i = 0; i < 3; i++) {
        u[i] = end[1].v[i] - end[0].v[i] - arm[i];
    }
    rotate_back(end[0].R, r, d);
    rotate_back(end[0].R, u, rate);
    rotate_back(end[0].R, w, spin);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            E[3 * i + j] = end[0].R[i] * end[1].R[j] + end[0].R[3 + i] * end[1].R[3 + j] +
                           end[0].R[6 + i] * end[1].R[6 + j];
        }
    }
    elastic_torque(E, own->turning_stiffness, torque);
    for (int i = 0; i < 3; i++) {
        force[i] = -own->stiffness[i] * d[i] - own->damping[i] * rate[i];
        torque[i] -= own->turning_damping[i] * spin[i];
    }
    rotate(end[0].R, force, F);
    rotate(end[0].R, torque, T);
}

static void act(scene *sc, int k, const double about[3], double wrench[6])
{
    for (int l = 0; l < BUSHINGS; l++) {
        const bushing *own = of(sc->s, l);
        for (int e = 0; e < 2 && is_there(sc->s, l); e++) {
            const double sign = e ? 1 : -1;
            frame end[2];
            double F[3], T[3], r[3], moment[3];
            if (own->body[e] != k) {
                continue;
            }
            place_end(sc, own, 0, &end[0]);
            place_end(sc, own, 1, &end[1]);
            pull(own, end, F, T);
            for (int i = 0; i < 3; i++) {
                r[i] = end[1].p[i] - about[i];
            }
            cross(r, F, moment);
            for (int i = 0; i < 3; i++) {
                wrench[i] += sign * F[i];
                wrench[3 + i] += sign * (moment[i] + T[i]);
            }
        }
    }
}

const sketch_kind sketch_bushings = {.size = BUSHINGS * sizeof(bushing),
                                     .make = make,
                                     .write = write,
                                     .drop = drop,
                                     .simplify_numbers = simplify_numbers,
                                     .act = act};
