/* Every set of modes of a mechanism at rest: see support_rest.h. */
#include "support_rest.h"

#include <math.h>
#include <string.h>

enum { ROWS = 6 * REST_JOINTS + REST_COUPLINGS };

/* ---- linear algebra ---- */

/*
 * Z: motions z with A z = 0, by elimination with full pivoting; A (rows x n) is used up. Their number, or -1 where rounding
 * decides about the rank.
 */
static int null_space(int rows, int n, double (*A)[REST_UNKNOWNS], double (*Z)[REST_UNKNOWNS])
{
    static const double nothing = 1e-11, something = 1e-4;
    int order[REST_UNKNOWNS], rank = 0;
    for (int k = 0; k < n; k++) {
        order[k] = k;
    }
    for (; rank < rows && rank < n; rank++) {
        int row = rank, column = rank;
        for (int i = rank; i < rows; i++) {
            for (int k = rank; k < n; k++) {
                if (fabs(A[i][order[k]]) > fabs(A[row][order[column]])) {
                    row = i;
                    column = k;
                }
            }
        }
        const int swap = order[column];
        order[column] = order[rank];
        order[rank] = swap;
        const double pivot = A[row][swap];
        if (fabs(pivot) < something) {
            if (fabs(pivot) > nothing) {
                return -1;
            }
            break;
        }
        for (int k = 0; k < n; k++) {
            const double x = A[row][k];
            A[row][k] = A[rank][k];
            A[rank][k] = x / pivot;
        }
        for (int i = 0; i < rows; i++) {
            const double factor = A[i][swap];
            for (int k = 0; k < n && i != rank && factor != 0; k++) {
                A[i][k] -= factor * A[rank][k];
            }
        }
    }
    for (int z = 0; z < n - rank; z++) {
        memset(Z[z], 0, sizeof Z[z]);
        Z[z][order[rank + z]] = 1;
        for (int i = 0; i < rank; i++) {
            Z[z][order[i]] = -A[i][order[rank + z]];
        }
    }
    return n - rank;
}

/* A x = b in the place of b, A symmetric and positive; used up. */
static void solve(int n, double (*A)[REST_UNKNOWNS], double *b)
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) {
                A[i][j] -= factor * A[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= A[k][j] * b[j];
        }
        b[k] /= A[k][k];
    }
}

/* ---- conditions, inertia and loads ---- */

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The six rows of a joint: how its follower turns and moves at its point beside the base. Of a body: turn, velocity of its centre. */
static void say_joint(const rest_scene *s, const rest_joint *j, double (*C)[REST_UNKNOWNS])
{
    for (int end = 0; end < 2; end++) {
        const int body = end ? j->follower : j->base;
        const double sign = end ? 1 : -1;
        for (int k = 0; k < 3 && body >= 0; k++) {
            double arm[3], moved[3];
            const double turn[3] = {k == 0, k == 1, k == 2};
            for (int i = 0; i < 3; i++) {
                arm[i] = j->point[i] - s->body[body].centre[i];
            }
            cross(turn, arm, moved);
            C[k][6 * body + k] += sign;
            C[3 + k][6 * body + 3 + k] += sign;
            for (int i = 0; i < 3; i++) {
                C[3 + i][6 * body + k] += sign * moved[i];
            }
        }
    }
    for (int f = j->first; f < j->first + j->count; f++) {
        for (int k = 0; k < 3; k++) {
            C[(s->rate[f].turns ? 0 : 3) + k][6 * s->bodies + f] -= s->rate[f].axis[k];
        }
    }
}

static int find_motions(const rest_scene *s, double (*Z)[REST_UNKNOWNS])
{
    static double C[ROWS][REST_UNKNOWNS];
    int rows = 0;
    memset(C, 0, sizeof C);
    for (int j = 0; j < s->joints; j++, rows += 6) {
        say_joint(s, &s->joint[j], &C[rows]);
    }
    for (int c = 0; c < s->couplings; c++, rows++) {
        for (int k = 0; k < 2; k++) {
            C[rows][6 * s->bodies + s->coupling[c].rate[k]] += s->coupling[c].factor[k];
        }
    }
    return null_space(rows, 6 * s->bodies + s->rates, C, Z);
}

/* The problem along the motions that are possible. */
typedef struct reduced {
    int n, sticking;
    double M[REST_UNKNOWNS][REST_UNKNOWNS], Q[REST_UNKNOWNS];
    double R[REST_STICKING][REST_UNKNOWNS]; /* rates with friction */
} reduced;

static void reduce(const rest_scene *s, int n, double (*Z)[REST_UNKNOWNS], reduced *r)
{
    memset(r, 0, sizeof *r);
    r->n = n;
    r->sticking = s->sticking;
    for (int z = 0; z < n; z++) {
        for (int b = 0; b < s->bodies; b++) {
            const rest_body *body = &s->body[b];
            for (int k = 0; k < 3; k++) {
                const double *turn = &Z[z][6 * b], *way = &Z[z][6 * b + 3];
                r->Q[z] += turn[k] * body->torque[k] + way[k] * body->mass * s->gravity[k];
                for (int y = 0; y < n; y++) {
                    r->M[z][y] += turn[k] * body->inertia[k] * Z[y][6 * b + k] +
                                  way[k] * body->mass * Z[y][6 * b + 3 + k];
                }
            }
        }
        for (int k = 0; k < s->sticking; k++) {
            r->R[k][z] = Z[z][6 * s->bodies + s->stick[k]];
        }
    }
}

/* ---- modes ---- */

/*
 * The least of 1/2 z'M z - z'(Q - sum of side * limit * rate) with the other rates zero, in z; its value. Infinite where rates do not
 * have their sign; NAN where rounding decides.
 */
static double try_sides(const reduced *r, const int *side, double (*limit)[2], double *z)
{
    static double A[REST_STICKING][REST_UNKNOWNS], Y[REST_UNKNOWNS][REST_UNKNOWNS],
        N[REST_UNKNOWNS][REST_UNKNOWNS];
    double force[REST_UNKNOWNS], b[REST_UNKNOWNS] = {0}, value = 0;
    int rows = 0;
    memcpy(force, r->Q, sizeof force);
    for (int k = 0; k < r->sticking; k++) {
        if (side[k] == 0) {
            memcpy(A[rows++], r->R[k], sizeof A[0]);
        }
        for (int i = 0; i < r->n && side[k] != 0; i++) {
            force[i] -= side[k] * limit[k][side[k] < 0] * r->R[k][i];
        }
    }
    const int n = null_space(rows, r->n, A, Y);
    if (n < 0) {
        return (double)NAN;
    }
    memset(N, 0, sizeof N);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < r->n; j++) {
            b[i] += Y[i][j] * force[j];
            for (int k = 0; k < r->n; k++) {
                for (int l = 0; l < n; l++) {
                    N[i][l] += Y[i][j] * r->M[j][k] * Y[l][k];
                }
            }
        }
    }
    solve(n, N, b);
    memset(z, 0, sizeof b);
    for (int j = 0; j < r->n; j++) {
        for (int i = 0; i < n; i++) {
            z[j] += Y[i][j] * b[i];
        }
        value -= 0.5 * z[j] * force[j];
    }
    for (int k = 0; k < r->sticking; k++) {
        double rate = 0;
        for (int j = 0; j < r->n; j++) {
            rate += r->R[k][j] * z[j];
        }
        value = side[k] * rate < 0 ? (double)INFINITY : value;
    }
    return value;
}

/* The best of all sets of sides; false where rounding decides. */
static bool enumerate(const reduced *r, double (*limit)[2], double *best)
{
    int sets = 1;
    double least = (double)INFINITY;
    for (int k = 0; k < r->sticking; k++) {
        sets *= 3;
    }
    for (int set = 0; set < sets; set++) {
        int side[REST_STICKING], rest = set;
        double z[REST_UNKNOWNS];
        for (int k = 0; k < r->sticking; k++, rest /= 3) {
            side[k] = rest % 3 - 1;
        }
        const double value = try_sides(r, side, limit, z);
        if (isnan(value)) {
            return false;
        }
        if (value < least) {
            least = value;
            memcpy(best, z, sizeof z);
        }
    }
    return true;
}

/* Accelerations and directions of z; false where a rate is close to none. */
static bool take(const reduced *r, const double *z, rest_answer *answer)
{
    double most = 1e-3;
    for (int k = 0; k < r->sticking; k++) {
        double *a = &answer->acceleration[k];
        *a = 0;
        for (int j = 0; j < r->n; j++) {
            *a += r->R[k][j] * z[j];
        }
        most = fmax(most, fabs(*a));
    }
    for (int k = 0; k < r->sticking; k++) {
        const double size = fabs(answer->acceleration[k]) / most;
        if (size > 1e-11 && size < 1e-6) {
            return false;
        }
        answer->direction[k] = size < 1e-6 ? 0 : answer->acceleration[k] > 0 ? 1 : -1;
    }
    return true;
}

/* Frictions of joints at rest are unique where their rates do not depend on each other. */
static bool are_unique(const reduced *r, const rest_answer *answer)
{
    static double A[REST_STICKING][REST_UNKNOWNS], Y[REST_UNKNOWNS][REST_UNKNOWNS];
    int rows = 0;
    for (int k = 0; k < r->sticking; k++) {
        if (answer->direction[k] == 0) {
            memcpy(A[rows++], r->R[k], sizeof A[0]);
        }
    }
    return null_space(rows, r->n, A, Y) == r->n - rows;
}

bool rest_solve(const rest_scene *s, rest_answer *answer)
{
    static double Z[REST_UNKNOWNS][REST_UNKNOWNS];
    static reduced r;
    double z[REST_UNKNOWNS] = {0}, limit[REST_STICKING][2];
    memset(answer, 0, sizeof *answer);
    answer->freedoms = find_motions(s, Z);
    if (answer->freedoms < 0) {
        return false;
    }
    reduce(s, answer->freedoms, Z, &r);
    for (bool more = true; more; answer->rounds++) {
        for (int k = 0; k < s->sticking; k++) {
            const rest_rate *rate = &s->rate[s->stick[k]];
            for (int side = 0; side < 2; side++) {
                limit[k][side] = rate->kinetic[side] * (answer->released[k] ? 1 : rate->ratio);
            }
        }
        if (!enumerate(&r, limit, z) || !take(&r, z, answer)) {
            return false;
        }
        more = false;
        for (int k = 0; k < s->sticking; k++) {
            more = more || (answer->direction[k] != 0 && !answer->released[k]);
            answer->released[k] = answer->released[k] || answer->direction[k] != 0;
        }
    }
    answer->unique = are_unique(&r, answer);
    for (int i = 0; i < r.n; i++) {
        answer->work[i] = r.Q[i];
        for (int j = 0; j < r.n; j++) {
            answer->work[i] -= r.M[i][j] * z[j];
        }
        for (int k = 0; k < s->sticking; k++) {
            answer->along[i][k] = r.R[k][i];
        }
    }
    return true;
}

double rest_imbalance(const rest_answer *answer, const double friction[])
{
    double worst = 0;
    for (int i = 0; i < answer->freedoms; i++) {
        double sum = answer->work[i], size = 1 + fabs(sum);
        for (int k = 0; k < REST_STICKING; k++) {
            sum += answer->along[i][k] * friction[k];
            size += fabs(answer->along[i][k] * friction[k]);
        }
        worst = fmax(worst, fabs(sum) / size);
    }
    return worst;
}
