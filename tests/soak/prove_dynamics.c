/* Whether accelerations and frictions satisfy the equations: see prove.h. */
#include "prove.h"

#include "prove_scene.h"
#include "prove_ties.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const double prove_bound = 1e-10;
/** What a cam or a slot may be open by, of its size. */
static const double closed = 1e-12;

double prove_gyroscopic_size(const scene *sc)
{
    double fastest = 0, size = 0;
    for (int d = 0; d < sc->count; d++) {
        const bool turns = sketch_length(scene_primitive_of(sc, d)) == 0;
        fastest = fmax(fastest, turns ? fabs(sc->v[sc->dof[d].v]) : 0);
    }
    for (int d = 0; d < sc->count; d++) {
        for (int e = 0; e < sc->count; e++) {
            size = fmax(size, fabs(sc->M[d][e] * sc->v[sc->dof[e].v]) * fastest);
        }
    }
    return size;
}

/* Where no force is left but rounding, that of the frictions that joints may have is nothing. */
static double rounding_of_friction(scene *sc)
{
    double largest = 0;
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = scene_primitive_of(sc, d);
        largest = p->stiction ? fmax(largest, fabs(scene_kinetic(sc, d, 1))) : largest;
    }
    return DBL_EPSILON * largest;
}

/*
 * Takes out of a residual what forces of loops, couplings and motions may be: what is in the span of their rows. False where it is
 * not clear what the span is, near a dead centre.
 */
static bool take_out_ties(const scene *sc, double *residual)
{
    static const double something = 1e-4;
    static double C[PROVE_TIES][DOFS];
    int count = prove_ties(sc, C);
    for (int d = 0; d < sc->count; d++) {
        C[count][d] = scene_primitive_of(sc, d)->motion[0] ? 1 : 0;
        count += C[count][d] != 0;
    }
    for (int r = 0; r < count; r++) {
        const double size = prove_orthonormalize(sc, C, NULL, r);
        double along = 0;
        if (size > 0 && size < something) {
            return false;
        }
        for (int d = 0; d < sc->count; d++) {
            along += C[r][d] * residual[d];
        }
        for (int d = 0; d < sc->count; d++) {
            residual[d] -= along * C[r][d];
        }
    }
    return true;
}

double prove_departure(scene *sc, int *freedom)
{
    double worst = 0;
    for (int d = 0; d < sc->count; d++) {
        const double v = sc->v[sc->dof[d].v];
        if (!scene_primitive_of(sc, d)->stiction || v == 0) {
            continue;
        }
        const int side = v > 0 ? 1 : -1;
        const double off = fabs(sc->f[d] + side * scene_kinetic(sc, d, side));
        if (off > worst) {
            worst = off;
            *freedom = d;
        }
    }
    return worst;
}

static double change_of(double (*a)[6], double (*b)[6], int n)
{
    double most = 0;
    for (int d = 0; d < n; d++) {
        for (int i = 0; i < 6; i++) {
            most = fmax(most, fabs(a[d][i] - b[d][i]));
        }
    }
    return most;
}

/* What joints transmit, loads that read it among what acts; false where that does not come to rest. */
static bool settle_reactions(scene *sc)
{
    static const double settled = 1e-13;
    enum { ROUNDS = 50 };
    double before[DOFS][6], none[DOFS][6] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(before, sc->reaction, sizeof before);
        if (sc->tied && sc->circular) {
            prove_form_tied_reactions(sc);
        } else {
            scene_form_reactions(sc);
        }
        if (!sc->circular || change_of(before, sc->reaction, sc->count) <=
                                 settled * change_of(none, sc->reaction, sc->count)) {
            return true;
        }
    }
    return false;
}

static double check_dynamics(const sketch *s, const verdict *v, double later, char *words,
                             size_t capacity)
{
    static scene sc;
    double Q[DOFS], residual[DOFS], worst = 0;
    if (!prove_set_scene(&sc, s, v) || v->coordinates == 0 || sketch_jumps(s)) {
        return (double)NAN;
    }
    const double open = prove_open(&sc);
    if (open > closed) {
        snprintf(words, capacity, "a cam or slot is open by %g of its size", open);
        return (double)INFINITY;
    }
    sc.t += later;
    scene_form_equations(&sc);
    double most = fmax(prove_typical_size(&sc), prove_gyroscopic_size(&sc));
    prove_take_state(&sc, v); /* the accelerations too */
    sc.t += later;
    if (!settle_reactions(&sc)) {
        return (double)NAN;
    }
    scene_form_forces(&sc, Q);
    for (int d = 0; d < sc.count; d++) {
        if (isnan(Q[d])) { /* what joints share is not known here */
            return (double)NAN;
        }
        residual[d] = sc.h[d] - Q[d] - sc.f[d];
        for (int e = 0; e < sc.count; e++) {
            residual[d] += sc.M[d][e] * sc.a[e];
            most = fmax(most, fabs(sc.M[d][e] * sc.a[e]));
        }
        most = sc.tied ? fmax(most, fmax(fabs(sc.h[d]), fabs(Q[d]) + fabs(sc.f[d]))) : most;
    }
    if (sc.tied && !take_out_ties(&sc, residual)) {
        return (double)NAN;
    }
    for (int d = 0; d < sc.count; d++) {
        if (!scene_primitive_of(&sc, d)->motion[0] && fabs(residual[d]) > worst) {
            worst = fabs(residual[d]);
            snprintf(words, capacity, "%s: the equations of motion are off by %g of %g",
                     scene_primitive_of(&sc, d)->name, worst, most);
        }
    }
    if (sc.tied) {
        prove_form_tied_reactions(&sc);
    }
    int who = 0;
    const double departure = prove_departure(&sc, &who);
    if (departure > worst) {
        worst = departure;
        snprintf(words, capacity, "%s: friction is not what its law says, by %g of %g",
                 scene_primitive_of(&sc, who)->name, worst, most);
    }
    return worst / fmax(most, rounding_of_friction(&sc) / prove_bound);
}

double prove_dynamics(const sketch *s, const verdict *v, char *words, size_t capacity)
{
    double off = check_dynamics(s, v, 0, words, capacity);
    /* a switch of t that stands at its border may be on either side; laws change by 1e-11 until then */
    for (int side = -1; side <= 1 && off > prove_bound; side += 2) {
        off = fmin(off, check_dynamics(s, v, side * 1e-12, words, capacity));
    }
    return off;
}

/* The conditions on the velocities of joints without motion, C x = right, where those with one have theirs; how many. */
static int given_ties(const scene *sc, double (*C)[DOFS], double *right, double *given)
{
    const int count = prove_ties(sc, C);
    *given = 0;
    for (int d = 0; d < sc->count; d++) {
        if (!scene_primitive_of(sc, d)->motion[0]) {
            continue;
        }
        const double m = sc->v[sc->dof[d].v];
        *given = fmax(*given, fabs(m));
        for (int r = 0; r < count; r++) {
            right[r] -= C[r][d] * m;
            C[r][d] = 0;
        }
    }
    return count;
}

/* The least x, which is in the span of the rows; infinite where there is none. */
static double least_velocities(const scene *sc, double *given)
{
    static const double contradiction = 1e-6;
    static double C[PROVE_TIES][DOFS];
    double right[PROVE_TIES] = {0}, x[DOFS] = {0};
    const int count = given_ties(sc, C, right, given);
    for (int r = 0; r < count; r++) {
        const double size = prove_orthonormalize(sc, C, right, r);
        if (size == 0 && fabs(right[r]) > contradiction * *given) {
            return (double)INFINITY;
        }
        right[r] = size > 0 ? right[r] / size : 0;
        for (int d = 0; d < sc->count; d++) {
            x[d] += right[r] * C[r][d];
        }
    }
    return prove_norm(x, sc->count);
}

bool prove_dead_end(const sketch *s, const verdict *v)
{
    static const double beyond = 300;
    static scene sc;
    double given;
    if (v->coordinates == 0 || !prove_place_scene(&sc, s, v) || !sc.tied) {
        return false;
    }
    scene_form_equations(&sc);
    const double least = least_velocities(&sc, &given);
    return given > 0 && least > beyond * given;
}
