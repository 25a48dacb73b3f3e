/* Conditions of loops and couplings, and their forces: see prove_ties.h. */
#include "prove_ties.h"

#include "kind.h"
#include "prove_scene.h"

#include <math.h>
#include <string.h>

/*
 * Makes row r orthogonal to those before it, which have length 1 or 0, and of length 1 itself, or 0 where nothing is left; and its
 * right-hand side with it, if there are any. Gram and Schmidt, twice is enough. Returns the length that was left.
 */
double prove_orthonormalize(const scene *sc, double (*C)[DOFS], double *right, int r)
{
    static const double nothing = 1e-11;
    double square = 0;
    for (int k = 0; k < 2 * r; k++) {
        double along = 0;
        for (int d = 0; d < sc->count; d++) {
            along += C[k % r][d] * C[r][d];
        }
        for (int d = 0; d < sc->count; d++) {
            C[r][d] -= along * C[k % r][d];
        }
        if (right) {
            right[r] -= along * right[k % r];
        }
    }
    for (int d = 0; d < sc->count; d++) {
        square += C[r][d] * C[r][d];
    }
    const double size = sqrt(square);
    for (int d = 0; d < sc->count; d++) {
        C[r][d] = size > nothing ? C[r][d] / size : 0;
    }
    return size > nothing ? size : 0;
}

/* C x, and C' y. */
static double out_of(double (*C)[DOFS], int count, int n, const double *x, double *y)
{
    double square = 0;
    for (int k = 0; k < count; k++) {
        y[k] = 0;
        for (int d = 0; d < n; d++) {
            y[k] += C[k][d] * x[d];
        }
        square += y[k] * y[k];
    }
    return square;
}

static double into(double (*C)[DOFS], int count, int n, const double *y, double *x)
{
    double square = 0;
    for (int d = 0; d < n; d++) {
        x[d] = 0;
        for (int k = 0; k < count; k++) {
            x[d] += C[k][d] * y[k];
        }
        square += x[d] * x[d];
    }
    return square;
}

/*
 * The least forces of ties, and of motions if they count, that leave the least of this residual, C' x = r: conjugate gradients on
 * C C' x = C r (CGLS; Hestenes and Stiefel 1952). Where redundant conditions carry something it is a guess.
 */
static void find_forces(const scene *sc, const double *r, bool motions, double *x)
{
    static double C[PROVE_TIES][DOFS];
    const int n = sc->count;
    int count = prove_ties(sc, C);
    for (int d = 0; d < n && motions; d++) {
        C[count][d] = scene_primitive_of(sc, d)->motion[0] ? 1 : 0;
        count += C[count][d] != 0;
    }
    double left[DOFS], moved[DOFS], slope[PROVE_TIES], way[PROVE_TIES];
    memset(x, 0, PROVE_TIES * sizeof *x);
    memcpy(left, r, sizeof left);
    double square = out_of(C, count, n, left, slope);
    const double enough = 1e-28 * square;
    memcpy(way, slope, sizeof way);
    for (int round = 0; round < 20 * n && square > enough; round++) {
        const double step = square / into(C, count, n, way, moved), before = square;
        for (int k = 0; k < count; k++) {
            x[k] += step * way[k];
        }
        for (int d = 0; d < n; d++) {
            left[d] -= step * moved[d];
        }
        square = out_of(C, count, n, left, slope);
        for (int k = 0; k < count; k++) {
            way[k] = slope[k] + square / before * way[k];
        }
    }
}

/* What bodies get from these forces of the conditions as the kinds have them. */
static void pull(scene *sc, const double *forces)
{
    memset(sc->tie, 0, sizeof sc->tie);
    for (int k = 0; k < SKETCH_KINDS; k++) {
        forces += sketch_kinds[k]->tie ? sketch_kinds[k]->pull(sc, forces) : 0;
    }
}

/* ---- what redundant conditions carry ---- */

/* A loop that a joint is on the way round, 0 of none; the loops that share a joint are one. */
static void find_loops(const sketch *s, int *loop)
{
    memset(loop, 0, SKETCH_JOINTS * sizeof *loop);
    for (int k = 0; k < s->count; k++) {
        for (int j = 0; j < s->count && sketch_closes(s, k); j++) {
            if (j != k && (!s->joint[j].alive || sketch_closes(s, j) ||
                           scene_hangs_on(s, s->joint[k].follower, j) ==
                               scene_hangs_on(s, s->joint[k].base, j))) {
                continue;
            }
            const int other = loop[j];
            loop[j] = k + 1;
            for (int i = 0; i < s->count && other > 0; i++) {
                loop[i] = loop[i] == other ? k + 1 : loop[i];
            }
        }
    }
}

/* The largest distance of two joints of loop k on one body. */
static double loop_length(const sketch *s, const int *loop, int k)
{
    double most = 0;
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < s->count; j++) {
            for (int end = 0; end < 4 && i != j && loop[i] == k && loop[j] == k; end++) {
                const sketch_joint *one = &s->joint[i], *other = &s->joint[j];
                const double *a = end % 2 ? one->at_base : one->at_follower,
                             *b = end / 2 ? other->at_base : other->at_follower;
                const double apart[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
                const bool same = (end % 2 ? one->base : one->follower) ==
                                  (end / 2 ? other->base : other->follower);
                most = same ? fmax(most, sqrt(dot(apart, apart))) : most;
            }
        }
    }
    return most;
}

/* The length of each joint's loops, 0 on the way round none; the largest one is returned. */
static double loop_lengths(const sketch *s, double *length)
{
    int loop[SKETCH_JOINTS];
    double most = 0;
    find_loops(s, loop);
    for (int j = 0; j < SKETCH_JOINTS; j++) {
        length[j] = loop[j] > 0 ? loop_length(s, loop, loop[j]) : 0;
        most = fmax(most, length[j]);
    }
    return most;
}

/* Of two sets of reactions: the sum of R R + T T / l l over the joints of the loops. */
static double product(const scene *sc, const double *length, double (*a)[6], double (*b)[6])
{
    double sum = 0;
    for (int d = 0; d < sc->count; d++) {
        const sketch_joint *joint = &sc->s->joint[sc->dof[d].joint];
        const double l = length[sc->dof[d].joint];
        if (l > 0 && sc->dof[d].primitive == joint->count - 1) {
            sum += dot(a[d], b[d]) + dot(a[d] + 3, b[d] + 3) / (l * l);
        }
    }
    return sum;
}

static void subtract(const scene *sc, double share, double (*from)[6], double (*what)[6])
{
    for (int d = 0; d < sc->count; d++) {
        for (int i = 0; i < 6; i++) {
            from[d][i] -= share * what[d][i];
        }
    }
}

/*
 * What joints transmit by forces of the conditions alone: no difference of what they transmit with and without, which near a
 * friction that grows without bound would be rounding.
 */
static void transmit(scene *sc, const double *forces, double (*R)[6])
{
    memset(R, 0, DOFS * sizeof *R);
    pull(sc, forces);
    for (int k = 0; k < sc->s->count; k++) {
        const double *own = sc->tie[k];
        for (int d = 0; d < sc->count && sc->s->joint[k].alive; d++) {
            double r[3], moment[3];
            if (!scene_hangs_on(sc->s, k, sc->dof[d].joint)) {
                continue;
            }
            for (int i = 0; i < 3; i++) {
                r[i] = sc->body[k].c[i] - sc->screw[d].o[i];
            }
            cross(r, own, moment);
            for (int i = 0; i < 3; i++) {
                R[d][i] -= own[i];
                R[d][3 + i] -= own[3 + i] + moment[i];
            }
        }
    }
}

/* What joints transmit by forces of the conditions that push nobody: `free` of the scene, orthonormal as the sum above goes. */
static void find_free(scene *sc)
{
    static double C[PROVE_TIES][DOFS];
    static const double nothing = 1e-6, rounding = 1e-24; /* of squares */
    const int n = sc->count, count = prove_ties(sc, C);
    double length[SKETCH_JOINTS], most = 0;
    for (int k = 0; k < count; k++) {
        double unit[PROVE_TIES] = {0}, pushed[DOFS];
        unit[k] = 1;
        most = fmax(most, into(C, count, n, unit, pushed));
    }
    const bool any = loop_lengths(sc->s, length) > 0;
    sc->frees = 0;
    for (int k = 0; k < count && any; k++) {
        double unit[PROVE_TIES] = {0}, pushed[DOFS], forces[PROVE_TIES];
        double(*R)[6] = sc->free[sc->frees];
        unit[k] = 1;
        if (into(C, count, n, unit, pushed) > rounding * most) {
            find_forces(sc, pushed, false, forces);
        } else {
            memset(
                forces, 0,
                sizeof forces); /* it pushes nobody but by rounding, which is not to be balanced */
        }
        for (int r = 0; r < count; r++) {
            forces[r] = unit[r] - forces[r];
        }
        transmit(sc, forces, R);
        const double before = sqrt(product(sc, length, R, R));
        for (int other = 0; other < 2 * sc->frees; other++) { /* twice is enough */
            double(*done)[6] = sc->free[other % sc->frees];
            subtract(sc, product(sc, length, R, done), R, done);
        }
        const double size = sqrt(product(sc, length, R, R));
        if (before > nothing && size > nothing * before) {
            for (int d = 0; d < n; d++) {
                for (int i = 0; i < 6; i++) {
                    R[d][i] /= size;
                }
            }
            sc->frees += sc->frees < SCENE_FREES - 1;
        }
    }
}

void prove_relax(scene *sc)
{
    double length[SKETCH_JOINTS];
    loop_lengths(sc->s, length);
    for (int k = 0; k < sc->frees; k++) {
        subtract(sc, product(sc, length, sc->reaction, sc->free[k]), sc->reaction, sc->free[k]);
    }
}

void prove_form_tied_reactions(scene *sc)
{
    double Q[DOFS], r[DOFS], x[PROVE_TIES];
    scene_form_forces(sc, Q);
    for (int d = 0; d < sc->count; d++) {
        r[d] = sc->h[d] - Q[d] - sc->f[d];
        for (int e = 0; e < sc->count; e++) {
            r[d] += sc->M[d][e] * sc->a[e];
        }
    }
    find_forces(sc, r, true, x);
    find_free(sc);
    pull(sc, x);
    scene_form_reactions(sc);
    prove_relax(sc);
}

/* How the conditions on velocities change along the motion: C' v, by differences. */
static void find_change(const scene *sc, double *change)
{
    static const double h = 1e-5;
    static scene near;
    static double C[PROVE_TIES][DOFS];
    memset(change, 0, PROVE_TIES * sizeof *change);
    for (int side = -1; side <= 1; side += 2) {
        near = *sc;
        memset(near.a, 0, sizeof near.a);
        scene_advance(&near, side * h);
        scene_form_equations(&near);
        const int count = prove_ties(&near, C);
        for (int r = 0; r < count; r++) {
            for (int d = 0; d < sc->count; d++) {
                change[r] += side * C[r][d] * sc->v[sc->dof[d].v] / (2 * h);
            }
        }
    }
}

bool prove_form_ties(scene *sc)
{
    static const double something = 1e-4;
    static double C[PROVE_TIES][DOFS];
    double right[PROVE_TIES], forces[PROVE_TIES];
    const int count = prove_ties(sc, C);
    find_change(sc, right);
    sc->ties = 0;
    for (int r = 0; r < count; r++) {
        right[r] = -right[r];
        const double size = prove_orthonormalize(sc, C, right, r);
        right[r] = size > 0 ? right[r] / size : 0;
        if (size == 0) {
            continue;
        }
        if (size < something || sc->ties == DOFS) {
            return false;
        }
        memcpy(sc->C[sc->ties], C[r], sizeof C[r]);
        sc->right[sc->ties++] = right[r];
    }
    for (int k = 0; k < sc->ties; k++) {
        find_forces(sc, sc->C[k], false, forces);
        pull(sc, forces);
        memcpy(sc->pull[k], sc->tie, sizeof sc->tie);
    }
    find_free(sc);
    return true;
}

void prove_pull(scene *sc, const double *x)
{
    memset(sc->tie, 0, sizeof sc->tie);
    for (int k = 0; k < sc->ties; k++) {
        for (int j = 0; j < SKETCH_JOINTS; j++) {
            for (int i = 0; i < 6; i++) {
                sc->tie[j][i] += x[k] * sc->pull[k][j][i];
            }
        }
    }
}
