#include "impact_plain.h"

#include "prove_ties.h"
#include "stops.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- dense matrices ---- */

static void swap(double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        const double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

/* X = A^-1 X of `columns` right-hand sides, by elimination with the largest pivot of a column; false: A is singular. */
static bool eliminate(int n, double (*A)[DOFS], int columns, double (*X)[DOFS])
{
    static const double nothing = 64 * DBL_EPSILON;
    double size[DOFS];
    for (int i = 0; i < n; i++) {
        size[i] = prove_norm(A[i], n);
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) * size[best] > fabs(A[best][k]) * size[i] ? i : best;
        }
        if (!(fabs(A[best][k]) > nothing * size[best])) {
            return false;
        }
        swap(A[k], A[best], n);
        swap(X[k], X[best], columns);
        swap(size + k, size + best, 1);
        for (int i = 0; i < n; i++) {
            const double by = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = k; j < n; j++) {
                A[i][j] -= by * A[k][j];
            }
            for (int j = 0; j < columns; j++) {
                X[i][j] -= by * X[k][j];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < columns; j++) {
            X[k][j] /= A[k][k];
        }
    }
    return true;
}

/* ---- what moves ---- */

/* A basis of what conditions leave; they come first among the rows that are made orthonormal, units after them. */
static bool find_basis(impact_plain *p, const scene *sc)
{
    static const double something = 1e-3;
    static double C[PROVE_TIES + DOFS][DOFS];
    int rows = prove_ties(sc, C);
    for (int r = 0; r < rows; r++) {
        const double size = prove_orthonormalize(sc, C, NULL, r);
        if (size > 0 && size < something) {
            return false;
        }
    }
    bool used[DOFS] = {false};
    p->m = 0;
    for (int left = sc->count; left > 0; left--) { /* the one that sticks out most is next */
        int best = -1;
        double most = 0;
        for (int d = 0; d < sc->count; d++) {
            double in = 0;
            for (int r = 0; r < rows; r++) {
                in += C[r][d] * C[r][d];
            }
            if (!used[d] && 1 - in > most) {
                most = 1 - in;
                best = d;
            }
        }
        if (best < 0 || most < 1e-6) {
            break;
        }
        memset(C[rows], 0, sizeof C[rows]);
        C[rows][best] = 1;
        used[best] = true;
        prove_orthonormalize(sc, C, NULL, rows);
        for (int d = 0; d < sc->count; d++) {
            p->Z[d][p->m] = C[rows][d];
        }
        rows++;
        p->m++;
    }
    return true;
}

static bool find_mass(impact_plain *p, const scene *sc)
{
    double M[DOFS][DOFS];
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->m; j++) {
            double sum = 0;
            for (int a = 0; a < p->n; a++) {
                for (int b = 0; b < p->n; b++) {
                    sum += p->Z[a][i] * sc->M[a][b] * p->Z[b][j];
                }
            }
            M[i][j] = p->M[i][j] = sum;
            p->B[i][j] = i == j;
        }
    }
    return eliminate(p->m, M, p->m, p->B);
}

/* How fast freedom d is made by an impulse along freedom e. */
static double mobility(const impact_plain *p, int d, int e)
{
    double sum = 0;
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->m; j++) {
            sum += p->Z[d][i] * p->B[i][j] * p->Z[e][j];
        }
    }
    return sum;
}

/* Whether loops leave it any motion. */
static bool can_move(const impact_plain *p, int d)
{
    static const double nothing = 1e-9;
    double most = 0;
    for (int i = 0; i < p->m; i++) {
        most = fmax(most, fabs(p->Z[d][i]));
    }
    return most > nothing;
}

bool impact_plain_open(impact_plain *p, const scene *sc)
{
    memset(p, 0, sizeof *p);
    p->n = sc->count;
    if (!find_basis(p, sc) || !find_mass(p, sc)) {
        return false;
    }
    for (int d = 0; d < p->n && p->count < IMPACT_STOPS; d++) {
        int side;
        double e;
        if (stops_at(sc, d, &side, &e) && can_move(p, d)) {
            p->freedom[p->count] = d;
            p->sign[p->count] = -side;
            p->restitution[p->count++] = e;
        }
    }
    for (int k = 0; k < p->count; k++) {
        for (int l = 0; l < p->count; l++) {
            p->A[k][l] = p->sign[k] * p->sign[l] * mobility(p, p->freedom[k], p->freedom[l]);
        }
    }
    return true;
}

double impact_plain_away(const impact_plain *p, const double *v, int k)
{
    return p->sign[k] * v[p->freedom[k]];
}

double impact_plain_scale(const impact_plain *p, double energy, int k)
{
    return sqrt(2 * energy * p->A[k][k]);
}

static void reduce(const impact_plain *p, const double *v, double *u)
{
    for (int i = 0; i < p->m; i++) {
        u[i] = 0;
        for (int d = 0; d < p->n; d++) {
            u[i] += p->Z[d][i] * v[d];
        }
    }
}

static double energy_of(const impact_plain *p, const double *u)
{
    double sum = 0;
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->m; j++) {
            sum += 0.5 * u[i] * p->M[i][j] * u[j];
        }
    }
    return sum;
}

double impact_plain_energy(const impact_plain *p, const double *v)
{
    double u[DOFS];
    reduce(p, v, u);
    return energy_of(p, u);
}

double impact_plain_departure(const impact_plain *p, const double *v)
{
    double u[DOFS], worst = 0;
    reduce(p, v, u);
    for (int d = 0; d < p->n; d++) {
        double along = 0;
        for (int i = 0; i < p->m; i++) {
            along += p->Z[d][i] * u[i];
        }
        worst = fmax(worst, fabs(along - v[d]));
    }
    return worst;
}

/* ---- impulses ---- */

/* v + Z B G'L */
static void push(const impact_plain *p, const double *L, double *v)
{
    for (int k = 0; k < p->count; k++) {
        for (int d = 0; d < p->n && L[k] != 0; d++) {
            for (int i = 0; i < p->m; i++) {
                for (int j = 0; j < p->m; j++) {
                    v[d] += p->Z[d][i] * p->B[i][j] * p->Z[p->freedom[k]][j] * p->sign[k] * L[k];
                }
            }
        }
    }
}

/* A L + b = 0 in a set of stops, L = 0 elsewhere; false where these are redundant. */
static bool solve(const impact_plain *p, unsigned set, const double *b, double *L)
{
    double A[DOFS][DOFS], X[DOFS][DOFS];
    int who[IMPACT_STOPS], n = 0;
    for (int k = 0; k < p->count; k++) {
        L[k] = 0;
        if (set >> k & 1) {
            who[n++] = k;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i][j] = p->A[who[i]][who[j]];
        }
        X[i][0] = -b[who[i]];
    }
    if (!eliminate(n, A, 1, X)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        L[who[i]] = X[i][0];
    }
    return true;
}

/* By how much L of a set is wrong for those of K, in speeds over `size` of each. */
static double wrong(const impact_plain *p, unsigned K, const double *b, const double *L,
                    const double *size)
{
    double worst = 0;
    for (int k = 0; k < p->count; k++) {
        double w = b[k];
        for (int l = 0; l < p->count; l++) {
            w += p->A[k][l] * L[l];
        }
        if (K >> k & 1) {
            worst = fmax(worst, fmax(-w, -L[k] * p->A[k][k]) / size[k]);
        }
    }
    return worst;
}

/* One impact of the stops K, at an instant that began with such an energy; false where no set has impulses. */
static bool strike(const impact_plain *p, unsigned K, bool last, double energy, double *v)
{
    static const double rounding = 1e-9;
    double b[IMPACT_STOPS], size[IMPACT_STOPS], best = (double)INFINITY, chosen[IMPACT_STOPS] = {0};
    for (int k = 0; k < p->count; k++) {
        b[k] = (last ? 1 : 1 + p->restitution[k]) * impact_plain_away(p, v, k);
        size[k] = impact_plain_scale(p, energy, k);
    }
    for (unsigned set = 0; set < 1u << p->count; set++) {
        double L[IMPACT_STOPS];
        if ((set & ~K) != 0 || !solve(p, set, b, L)) {
            continue;
        }
        const double off = wrong(p, K, b, L, size);
        if (off < best) {
            best = off;
            memcpy(chosen, L, sizeof L);
        }
    }
    if (!(best <= rounding)) {
        return false;
    }
    push(p, chosen, v);
    return true;
}

int impact_plain_strike(const impact_plain *p, int most, double *v, double *slowest)
{
    static const double rounding = 1e-11;
    const double energy = impact_plain_energy(p, v);
    *slowest = (double)INFINITY;
    for (int n = 0;; n++) {
        unsigned K = 0;
        bool due = false;
        for (int k = 0; k < p->count; k++) {
            const double away = impact_plain_away(p, v, k),
                         little = rounding * impact_plain_scale(p, energy, k);
            due = due || away < -little;
            K |= away <= little ? 1u << k : 0;
            *slowest = fabs(away) > little ? fmin(*slowest, fabs(away)) : *slowest;
        }
        if (!due || n > most) {
            return n;
        }
        const bool last = n == most;
        if (!strike(p, last ? (1u << p->count) - 1 : K, last, energy, v)) {
            return -1;
        }
    }
}

double impact_plain_pull(const impact_plain *p, const double *before, const double *after)
{
    static const double rounding = 1e-9;
    double change[DOFS], best = (double)INFINITY, size[IMPACT_STOPS], b[IMPACT_STOPS];
    const double energy = impact_plain_energy(p, before);
    for (int d = 0; d < p->n; d++) {
        change[d] = after[d] - before[d];
    }
    for (int k = 0; k < p->count; k++) {
        b[k] = -impact_plain_away(p, change, k);
        size[k] = impact_plain_scale(p, energy, k);
    }
    for (unsigned set = 0; set < 1u << p->count; set++) {
        double L[IMPACT_STOPS], left[DOFS];
        if (!solve(p, set, b, L)) {
            continue;
        }
        bool pulls = false;
        for (int k = 0; k < p->count; k++) {
            pulls = pulls || -L[k] * p->A[k][k] > rounding * size[k];
            L[k] = -L[k];
        }
        if (!pulls) {
            memcpy(left, change, sizeof left);
            push(p, L, left);
            best = fmin(best, impact_plain_energy(p, left));
        }
    }
    return best;
}
