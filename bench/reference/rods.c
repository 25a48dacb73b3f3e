/* Lagrange's equations in absolute angles theta_i of the rods (from the x axis), i = 1 .. n, length l,
 * mass m, gravity g along -y:
 *
 *     sum_j A_ij cos(theta_i - theta_j) theta_j'' + sum_j A_ij sin(theta_i - theta_j) theta_j'^2
 *         + m g l (n - i + 1/2) cos(theta_i) = f_i - f_(i+1)
 *     A_ij = m l^2 (n - max(i, j) + 1/2),   A_ii = m l^2 (n - i + 1/3)
 *
 * with f_i the friction of joint i. Joint angles: q_i = theta_i - theta_(i-1), theta = T q with T lower
 * triangular of ones; multiplied by T' the equations are M q'' + h = f, with M and h sums from the
 * tail. Joints that hold have q'' = 0 and unknown f, the others f = -s limit: Cholesky on the rows and
 * columns of the slipping ones.
 *
 * With constant limits the accelerations minimise 1/2 a'Ma + h'a + sum limit |a|, the sum over the
 * joints at rest, which is strictly convex: one minimum. It is found downhill, see find_modes().
 *
 * M of a long chain is ill-conditioned (some 1e10 at n = 300), and its accelerations are large and of
 * alternating sign: solutions are refined with residuals in long double, and a held joint is past its
 * limit only by more than the rounding of the sum that its friction is. */

#include "rods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81;

bool rods_create(rods *r, size_t n, double length, double mass, const double *limit)
{
    *r = (rods){.n = n, .length = length, .mass = mass, .limit = limit};
    r->mode = calloc(n, sizeof *r->mode);
    r->slipping = calloc(n, sizeof *r->slipping);
    r->free = calloc(2 * n, sizeof *r->free);
    r->matrix = calloc(2 * n * n + 8 * n, sizeof *r->matrix);
    if (!r->mode || !r->slipping || !r->free || !r->matrix) {
        rods_free(r);
        return false;
    }
    r->barred = r->free + n;
    r->vector = r->matrix + 2 * n * n;
    r->acceleration = r->vector + n;
    r->friction = r->acceleration + n;
    r->cosine = r->friction + n;
    r->sine = r->cosine + n;
    r->rate = r->sine + n;
    r->right = r->rate + n;
    r->from = r->right + n;
    return true;
}

void rods_free(rods *r)
{
    free(r->mode);
    free(r->slipping);
    free(r->free);
    free(r->matrix);
    *r = (rods){0};
}

/* M (its lower triangle, then the other one) and h in joint angles. */
static void form_equations(rods *r, const double *y)
{
    const size_t n = r->n;
    const double *q = y, *v = y + n, ml2 = r->mass * r->length * r->length;
    double *M = r->matrix, *h = r->vector, *c = r->cosine, *s = r->sine, angle = 0, rate = 0;
    for (size_t i = 0; i < n; i++) {
        angle += q[i];
        rate += v[i];
        c[i] = cos(angle);
        s[i] = sin(angle);
        r->rate[i] = rate * rate;
        h[i] = r->mass * gravity * r->length * ((double)(n - i) - 0.5) * c[i];
    }
    for (size_t i = 0; i < n; i++) {
        const double A = ml2 * ((double)(n - i) - 0.5);
        for (size_t j = 0; j < i; j++) {
            const double sine = A * (s[i] * c[j] - c[i] * s[j]);
            M[i * n + j] = A * (c[i] * c[j] + s[i] * s[j]);
            h[i] += sine * r->rate[j];
            h[j] -= sine * r->rate[i];
        }
        M[i * n + i] = A - ml2 / 6;
    }
    for (size_t i = n; i-- > 0;) { /* T' M T and T' h: sums from the tail */
        for (size_t j = i + 1; j-- > 0;) {
            const double right = j < i ? M[i * n + j + 1] : i + 1 < n ? M[(i + 1) * n + i] : 0;
            M[i * n + j] += right;
            if (i + 1 < n) {
                M[i * n + j] += M[(i + 1) * n + j] - M[(i + 1) * n + j + 1];
            }
        }
        h[i] += i + 1 < n ? h[i + 1] : 0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            M[j * n + i] = M[i * n + j];
        }
    }
}

/* Cholesky's factor L of M_FF, F: the slipping joints. */
static void factor(rods *r, size_t count)
{
    const size_t n = r->n, *slipping = r->slipping;
    double *L = r->matrix + n * n;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = r->matrix[slipping[i] * n + slipping[j]];
            for (size_t k = 0; k < j; k++) {
                sum -= L[i * n + k] * L[j * n + k];
            }
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    }
}

/* b := (L L')^-1 b */
static void substitute(const rods *r, size_t count, double *b)
{
    const size_t n = r->n;
    const double *L = r->matrix + n * n;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            b[i] -= L[i * n + k] * b[k];
        }
        b[i] /= L[i * n + i];
    }
    for (size_t i = count; i-- > 0;) {
        b[i] /= L[i * n + i];
        for (size_t k = 0; k < i; k++) {
            b[k] -= L[i * n + k] * b[i];
        }
    }
}

/* What is missing to f in row i of M a + h = f, f the friction in the present mode. */
static double missing(const rods *r, size_t i, size_t count)
{
    long double sum = -r->mode[i] * r->limit[i] - (long double)r->vector[i];
    for (size_t k = 0; k < count; k++) {
        const size_t j = r->slipping[k];
        sum -= (long double)r->matrix[i * r->n + j] * r->acceleration[j];
    }
    return (double)sum;
}

/* Accelerations in the present modes, from M and h; how many joints slip. */
static size_t solve(rods *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->acceleration[i] = 0;
        if (r->mode[i]) {
            r->slipping[count++] = i;
        }
    }
    factor(r, count);
    for (int pass = 0; pass < 3; pass++) { /* the first from zero, two refine */
        for (size_t k = 0; k < count; k++) {
            r->right[k] = missing(r, r->slipping[k], count);
        }
        substitute(r, count, r->right);
        for (size_t k = 0; k < count; k++) {
            r->acceleration[r->slipping[k]] += r->right[k];
        }
    }
    return count;
}

/* Friction of all joints; behind solve(). */
static void find_friction(rods *r, size_t count)
{
    for (size_t i = 0; i < r->n; i++) {
        r->friction[i] = r->mode[i] ? -r->mode[i] * r->limit[i] : -missing(r, i, count);
    }
}

static void derivative(void *data, double t, const double *y, double *dy)
{
    rods *r = data;
    (void)t;
    form_equations(r, y);
    solve(r);
    for (size_t i = 0; i < r->n; i++) {
        dy[i] = r->mode[i] ? y[r->n + i] : 0;
        dy[r->n + i] = r->acceleration[i];
    }
}

static double excess(void *data, double t, const double *y)
{
    rods *r = data;
    const double noise = 1e-18; /* rad/s: of a joint that has let go a moment ago */
    double most = -INFINITY;
    (void)t;
    form_equations(r, y);
    find_friction(r, solve(r));
    for (size_t i = 0; i < r->n; i++) {
        most = fmax(most, r->mode[i] ? -r->mode[i] * y[r->n + i] - noise
                                     : fabs(r->friction[i]) / r->limit[i] - 1);
    }
    return most;
}

static void turn(rods *r, size_t i)
{
    r->mode[i] = r->mode[i] ? 0 : r->friction[i] > 0 ? -1 : 1;
}

/* How far held joint i is past its limit, but for the rounding of its friction. */
static double past_limit(const rods *r, size_t i, size_t count)
{
    double terms = fabs(r->vector[i]);
    for (size_t k = 0; k < count; k++) {
        const size_t j = r->slipping[k];
        terms += fabs(r->matrix[i * r->n + j] * r->acceleration[j]);
    }
    return fabs(r->friction[i]) - r->limit[i] - 1e-14 * terms;
}

/* The held joint that is furthest past its limit; n where none is. */
static size_t find_worst(const rods *r, size_t count)
{
    size_t worst = r->n;
    double most = 0;
    for (size_t i = 0; i < r->n; i++) {
        const double past = r->mode[i] || r->barred[i] ? 0 : past_limit(r, i, count);
        if (past > most) {
            most = past;
            worst = i;
        }
    }
    return worst;
}

/* Goes from the accelerations `from` towards those just solved until the first joint at rest would
 * turn round: that one holds from there on. Returns it, or n where the whole way is free. */
static size_t go(rods *r, const double *from)
{
    double *to = r->acceleration, part = 1;
    size_t blocking = r->n;
    for (size_t i = 0; i < r->n; i++) {
        if (r->free[i] && r->mode[i] && r->mode[i] * to[i] < 0) {
            const double allowed = from[i] / (from[i] - to[i]);
            if (allowed < part || blocking == r->n) {
                part = allowed;
                blocking = i;
            }
        }
    }
    if (blocking < r->n) {
        for (size_t i = 0; i < r->n; i++) {
            to[i] = from[i] + part * (to[i] - from[i]);
        }
        to[blocking] = 0;
        r->mode[blocking] = 0;
        r->barred[blocking] = part <= 0; /* no way at all: it is at its limit up to rounding */
    }
    return blocking;
}

/* Downhill to the minimum: all joints at rest hold at first; the one that is furthest past its limit
 * slips; the accelerations go towards the minimum in the present modes, and stop where one of them
 * would change its sign. Each step lowers the function, so that no modes come twice. */
static bool find_modes(rods *r)
{
    memset(r->barred, 0, r->n * sizeof *r->barred);
    memset(r->acceleration, 0, r->n * sizeof *r->acceleration);
    for (size_t round = 0; round < 100 * (r->n + 1); round++) {
        memcpy(r->from, r->acceleration, r->n * sizeof *r->from);
        const size_t count = solve(r);
        if (go(r, r->from) < r->n) {
            continue;
        }
        find_friction(r, count);
        const size_t worst = find_worst(r, count);
        if (worst == r->n) {
            return true;
        }
        turn(r, worst);
    }
    return false;
}

/* `free` become the joints at rest but for those that have just reached their limit: these slip,
 * whatever the last bit of their force says. */
static bool settle(void *data, double t, double *y)
{
    rods *r = data;
    form_equations(r, y);
    find_friction(r, solve(r));
    for (size_t i = 0; i < r->n; i++) {
        double *v = &y[r->n + i];
        const bool reached = !r->mode[i] && t > 0 && fabs(r->friction[i]) >= r->limit[i];
        if (reached) {
            turn(r, i);
        } else if (r->mode[i] * *v <= 0) { /* it stopped: it holds, unless that is wrong */
            *v = 0;
            r->mode[i] = 0;
        }
        r->free[i] = *v == 0 && !reached;
    }
    form_equations(r, y);
    return find_modes(r);
}

problem rods_problem(rods *r)
{
    return (problem){
        .size = 2 * r->n, .data = r, .derivative = derivative, .excess = excess, .settle = settle};
}

void rods_tip(const rods *r, const double *y, double tip[2])
{
    double angle = 0;
    tip[0] = tip[1] = 0;
    for (size_t i = 0; i < r->n; i++) {
        angle += y[i];
        tip[0] += r->length * cos(angle);
        tip[1] += r->length * sin(angle);
    }
}
