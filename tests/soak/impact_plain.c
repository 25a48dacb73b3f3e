#include "impact_plain.h"

#include "prove_ties.h"
#include "stops.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of what the energy may make of a velocity: one that is as small is none. */
static const double rounding = 1e-11;

/* ---- dense matrices ---- */

/* A = R'R, R upper triangular, by Cholesky; false where A is not positive but for rounding. */
static bool take_root(int n, double (*A)[DOFS], double (*R)[DOFS])
{
    static const double nothing = 64 * DBL_EPSILON;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            double sum = A[i][j];
            for (int k = 0; k < i; k++) {
                sum -= R[k][i] * R[k][j];
            }
            if (i == j && !(sum > nothing * A[i][i])) {
                return false;
            }
            R[i][j] = i == j ? sqrt(sum) : sum / R[i][i];
        }
    }
    return true;
}

/* R'x = y in the place of y. */
static void solve_down(int n, double (*R)[DOFS], double *y)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            y[i] -= R[k][i] * y[k];
        }
        y[i] /= R[i][i];
    }
}

/* R x = y, likewise. */
static void solve_up(int n, double (*R)[DOFS], double *y)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            y[i] -= R[i][k] * y[k];
        }
        y[i] /= R[i][i];
    }
}

static double inner(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
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
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->m; j++) {
            double sum = 0;
            for (int a = 0; a < p->n; a++) {
                for (int b = 0; b < p->n; b++) {
                    sum += p->Z[a][i] * sc->M[a][b] * p->Z[b][j];
                }
            }
            p->M[i][j] = sum;
        }
    }
    return take_root(p->m, p->M, p->R);
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
        for (int i = 0; i < p->m; i++) {
            p->X[k][i] = p->sign[k] * p->Z[p->freedom[k]][i];
        }
        solve_down(p->m, p->R, p->X[k]);
    }
    return true;
}

double impact_plain_away(const impact_plain *p, const double *v, int k)
{
    return p->sign[k] * v[p->freedom[k]];
}

double impact_plain_scale(const impact_plain *p, double energy, int k)
{
    return sqrt(2 * energy * inner(p->m, p->X[k], p->X[k]));
}

void impact_plain_round_off(const impact_plain *p, double energy, double *v)
{
    double x[DOFS], (*R)[DOFS] = (double(*)[DOFS])p->R;
    for (int d = 0; d < p->n; d++) {
        memcpy(x, p->Z[d], sizeof x);
        solve_down(p->m, R, x);
        const double little = rounding * sqrt(2 * energy * inner(p->m, x, x));
        v[d] = !can_move(p, d) || fabs(v[d]) <= little ? 0 : v[d];
    }
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

/* v + Z R^-1 w */
static void change(const impact_plain *p, const double *w, double *v)
{
    double u[DOFS], (*R)[DOFS] = (double(*)[DOFS])p->R;
    memcpy(u, w, sizeof u);
    solve_up(p->m, R, u);
    for (int d = 0; d < p->n; d++) {
        v[d] += inner(p->m, p->Z[d], u);
    }
}

/*
 * The w of least size with X_k'w + b_k = 0 in a set of stops, w = sum of L_k X_k, L = 0 elsewhere: by X = Q T, Q orthonormal, T triangular,
 * orthogonal twice, which is enough (Parlett). False where they are redundant.
 */
static bool solve(const impact_plain *p, unsigned set, const double *b, double *L, double *w)
{
    static const double nothing = 1e-12;
    double Q[IMPACT_STOPS][DOFS], T[DOFS][DOFS] = {{0}}, y[IMPACT_STOPS];
    int who[IMPACT_STOPS], n = 0;
    memset(w, 0, DOFS * sizeof *w);
    for (int k = 0; k < p->count; k++) {
        L[k] = 0;
        if (!(set >> k & 1)) {
            continue;
        }
        const double size = sqrt(inner(p->m, p->X[k], p->X[k]));
        memcpy(Q[n], p->X[k], sizeof Q[n]);
        for (int twice = 0; twice < 2; twice++) {
            for (int l = 0; l < n; l++) {
                const double along = inner(p->m, Q[l], Q[n]);
                T[l][n] += along;
                for (int i = 0; i < p->m; i++) {
                    Q[n][i] -= along * Q[l][i];
                }
            }
        }
        T[n][n] = sqrt(inner(p->m, Q[n], Q[n]));
        if (!(T[n][n] > nothing * size)) {
            return false;
        }
        for (int i = 0; i < p->m; i++) {
            Q[n][i] /= T[n][n];
        }
        y[n] = -b[k];
        who[n++] = k;
    }
    solve_down(n, T, y);
    for (int l = 0; l < n; l++) {
        for (int i = 0; i < p->m; i++) {
            w[i] += y[l] * Q[l][i];
        }
    }
    solve_up(n, T, y);
    for (int l = 0; l < n; l++) {
        L[who[l]] = y[l];
    }
    return true;
}

/* By how much a set is wrong for those of K, in speeds over `size` of each; those that push are to have what is asked for. */
static double wrong(const impact_plain *p, unsigned K, const double *b, const double *L,
                    const double *w, const double *size)
{
    double worst = 0;
    for (int k = 0; k < p->count; k++) {
        const double off = b[k] + inner(p->m, p->X[k], w),
                     pull = -L[k] * inner(p->m, p->X[k], p->X[k]);
        if (K >> k & 1) {
            worst = fmax(worst, fmax(L[k] != 0 ? fabs(off) : -off, pull) / size[k]);
        }
    }
    return worst;
}

/* One impact of the stops K, at an instant that began with such an energy; false where no set has impulses. */
static bool strike(const impact_plain *p, unsigned K, bool last, double energy, double *v)
{
    static const double enough = 1e-9;
    double b[IMPACT_STOPS], size[IMPACT_STOPS], best = (double)INFINITY, chosen[DOFS] = {0};
    for (int k = 0; k < p->count; k++) {
        b[k] = (last ? 1 : 1 + p->restitution[k]) * impact_plain_away(p, v, k);
        size[k] = impact_plain_scale(p, energy, k);
    }
    for (unsigned set = 0; set < 1u << p->count; set++) {
        double L[IMPACT_STOPS], w[DOFS];
        if ((set & ~K) != 0 || !solve(p, set, b, L, w)) {
            continue;
        }
        const double off = wrong(p, K, b, L, w, size);
        if (off < best) {
            best = off;
            memcpy(chosen, w, sizeof chosen);
        }
    }
    if (!(best <= enough)) {
        return false;
    }
    change(p, chosen, v);
    return true;
}

int impact_plain_strike(const impact_plain *p, int most, double *v, double *slowest)
{
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
    static const double little = 1e-9;
    double difference[DOFS], best = (double)INFINITY, size[IMPACT_STOPS], b[IMPACT_STOPS];
    const double energy = impact_plain_energy(p, before);
    for (int d = 0; d < p->n; d++) {
        difference[d] = after[d] - before[d];
    }
    for (int k = 0; k < p->count; k++) {
        b[k] = -impact_plain_away(p, difference, k);
        size[k] = impact_plain_scale(p, energy, k);
    }
    for (unsigned set = 0; set < 1u << p->count; set++) {
        double L[IMPACT_STOPS], w[DOFS], left[DOFS];
        if (!solve(p, set, b, L, w)) {
            continue;
        }
        bool pulls = false;
        for (int k = 0; k < p->count; k++) {
            pulls = pulls || -L[k] * inner(p->m, p->X[k], p->X[k]) > little * size[k];
        }
        for (int i = 0; i < p->m; i++) {
            w[i] = -w[i];
        }
        if (!pulls) {
            memcpy(left, difference, sizeof left);
            change(p, w, left);
            best = fmin(best, impact_plain_energy(p, left));
        }
    }
    return best;
}
