/* The equations of one set of modes, and Newton's method on them: see prove_modes.h. */
#include "prove_modes.h"

#include "prove_scene.h"
#include "prove_ties.h"

#include <math.h>
#include <string.h>

const double prove_hair = 1e-7;

enum { ITERATIONS = 40 };

/*
 * Unknowns x: a of the free freedoms, the driving force of the held ones (friction, or what drives a motion). Laws are
 * evaluated at the state that x makes; reactions depend on a and on loads that may depend on reactions, so they are
 * unknowns as well: z, six a freedom. So are the forces of loops and couplings, one a condition.
 */
static int first_tie(const scene *sc)
{
    return (sc->circular ? 8 : 2) * sc->count;
}

int prove_unknowns(const scene *sc)
{
    return first_tie(sc) + (sc->tied ? sc->ties : 0);
}

/* The equations at the present state; false where those of loops are not clear. */
bool prove_form(scene *sc)
{
    scene_form_equations(sc);
    return !sc->tied || prove_form_ties(sc);
}

void prove_set_unknowns(scene *sc, const modes *m, const double *x)
{
    const int n = sc->count;
    for (int d = 0; d < n; d++) {
        sc->a[d] = m->held[d] ? m->given[d] : x[d];
        sc->f[d] = m->held[d] ? x[d] : m->slips[d] ? x[d + n] : 0;
        if (sc->circular) {
            memcpy(sc->reaction[d], x + 2 * n + 6 * d, sizeof sc->reaction[d]);
        }
    }
    if (sc->tied) {
        prove_pull(sc, x + first_tie(sc));
    }
    if (!sc->circular) {
        scene_form_reactions(sc);
        prove_relax(sc);
    }
}

/* Forces of loops and couplings act, and accelerations are what these ask for, or forces are what was chosen. */
static void add_ties(const scene *sc, const modes *m, const double *x, double *r)
{
    const double *force = x + first_tie(sc);
    double *off = r + first_tie(sc);
    for (int k = 0; k < sc->ties; k++) {
        off[k] = -sc->right[k];
        for (int d = 0; d < sc->count; d++) {
            r[d] -= sc->C[k][d] * force[k];
            off[k] += sc->C[k][d] * sc->a[d];
        }
        off[k] = m->loose[k] ? force[k] - m->gauge[k] : off[k];
    }
}

void prove_residual(scene *sc, const modes *m, const double *x, double *r)
{
    const int n = sc->count;
    double Q[DOFS];
    prove_set_unknowns(sc, m, x);
    scene_form_forces(sc, Q);
    for (int d = 0; d < n; d++) {
        r[d] = sc->h[d] - Q[d] - sc->f[d];
        for (int e = 0; e < n; e++) {
            r[d] += sc->M[d][e] * sc->a[e];
        }
        r[d + n] = x[d + n];
        if (m->slips[d] && !m->held[d]) {
            r[d + n] = x[d + n] + m->side[d] * scene_kinetic(sc, d, m->side[d]);
        }
    }
    if (sc->tied) {
        add_ties(sc, m, x, r);
    }
    if (!sc->circular) {
        return;
    }
    double kept[DOFS][6];
    memcpy(kept, sc->reaction, sizeof kept);
    scene_form_reactions(sc);
    prove_relax(sc);
    for (int d = 0; d < n; d++) {
        for (int i = 0; i < 6; i++) {
            r[2 * n + 6 * d + i] = kept[d][i] - sc->reaction[d][i];
        }
    }
    memcpy(sc->reaction, kept, sizeof kept);
}

bool prove_solve_linear(int n, double *A, double *b)
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

/* The derivatives of the residual r at x, by differences. */
void prove_differentiate(scene *sc, const modes *m, const double *x, const double *r, double size,
                         double *A)
{
    static double y[UNKNOWNS], other[UNKNOWNS];
    const int n = prove_unknowns(sc);
    for (int c = 0; c < n; c++) {
        const double h = 1e-6 * fmax(fabs(x[c]), 1e-3 * size);
        memcpy(y, x, (size_t)n * sizeof *y);
        y[c] += h;
        prove_residual(sc, m, y, other);
        for (int k = 0; k < n; k++) {
            A[k * n + c] = (other[k] - r[k]) / h;
        }
    }
}

/* Newton with a matrix of differences and halved steps; false where it does not converge. */
bool prove_newton(scene *sc, const modes *m, double *x, double size)
{
    static double A[UNKNOWNS * UNKNOWNS];
    static double r[UNKNOWNS], other[UNKNOWNS], y[UNKNOWNS], step[UNKNOWNS];
    const int n = prove_unknowns(sc);
    prove_residual(sc, m, x, r);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        const double was = prove_norm(r, n);
        if (was <= 1e-11 * size) {
            return true;
        }
        prove_differentiate(sc, m, x, r, size, A);
        memcpy(step, r, (size_t)n * sizeof *step);
        if (!isfinite(was) || !prove_solve_linear(n, A, step)) {
            return false;
        }
        double share = 1;
        for (int halving = 0; halving < 12; halving++, share /= 2) {
            for (int k = 0; k < n; k++) {
                y[k] = x[k] - share * step[k];
            }
            prove_residual(sc, m, y, other);
            if (prove_norm(other, n) < was) {
                break;
            }
        }
        if (!(prove_norm(other, n) < was)) {
            return was <= 1e-8 * size; /* rounding is all that is left */
        }
        memcpy(x, y, (size_t)n * sizeof *x);
        memcpy(r, other, (size_t)n * sizeof *r);
    }
    return prove_norm(r, n) <= 1e-8 * size;
}
