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
 * With constant limits the accelerations minimise 1/2 a'Ma + h'a + sum limit |a| over the joints at
 * rest: one minimum. It is found by changing what is wrong, all at once at first and then, if that goes
 * in circles, the wrong joint of least index (Murty's rule, which always ends). */

#include "rods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81;

bool rods_create(rods *r, size_t n, double length, double mass, const double *limit)
{
    *r = (rods){.n = n, .length = length, .mass = mass, .limit = limit};
    r->mode = calloc(n, sizeof *r->mode);
    r->matrix = calloc(2 * n * n + 6 * n, sizeof *r->matrix);
    if (!r->mode || !r->matrix) {
        rods_free(r);
        return false;
    }
    r->vector = r->matrix + 2 * n * n;
    r->acceleration = r->vector + n;
    r->friction = r->acceleration + n;
    r->cosine = r->friction + n;
    r->sine = r->cosine + n;
    r->rate = r->sine + n;
    return true;
}

void rods_free(rods *r)
{
    free(r->mode);
    free(r->matrix);
    *r = (rods){0};
}

/* M and h in joint angles. */
static void form_equations(rods *r, const double *y)
{
    const size_t n = r->n;
    const double *q = y, *v = y + n, ml2 = r->mass * r->length * r->length;
    double *M = r->matrix, *h = r->vector, angle = 0, rate = 0;
    for (size_t i = 0; i < n; i++) {
        angle += q[i];
        rate += v[i];
        r->cosine[i] = cos(angle);
        r->sine[i] = sin(angle);
        r->rate[i] = rate;
    }
    for (size_t i = 0; i < n; i++) {
        h[i] = r->mass * gravity * r->length * ((double)(n - i) - 0.5) * r->cosine[i];
        for (size_t j = 0; j < n; j++) {
            const size_t outer = i > j ? i : j;
            const double A = ml2 * ((double)(n - outer) - (i == j ? 2.0 / 3 : 0.5));
            M[i * n + j] = A * (r->cosine[i] * r->cosine[j] + r->sine[i] * r->sine[j]);
            h[i] += A * (r->sine[i] * r->cosine[j] - r->cosine[i] * r->sine[j]) * r->rate[j] *
                    r->rate[j];
        }
    }
    for (size_t i = n; i-- > 0;) { /* T' M T and T' h: sums from the tail */
        for (size_t j = n; j-- > 0;) {
            M[i * n + j] += (i + 1 < n ? M[(i + 1) * n + j] : 0) +
                            (j + 1 < n ? M[i * n + j + 1] : 0) -
                            (i + 1 < n && j + 1 < n ? M[(i + 1) * n + j + 1] : 0);
        }
        h[i] += i + 1 < n ? h[i + 1] : 0;
    }
}

/* Solves M_FF a_F = b_F for the slipping joints, in place; `b` holds b and receives a. */
static void solve_slipping(rods *r, const size_t *slipping, size_t count, double *b)
{
    const size_t n = r->n;
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
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            b[slipping[i]] -= L[i * n + k] * b[slipping[k]];
        }
        b[slipping[i]] /= L[i * n + i];
    }
    for (size_t i = count; i-- > 0;) {
        for (size_t k = i + 1; k < count; k++) {
            b[slipping[i]] -= L[k * n + i] * b[slipping[k]];
        }
        b[slipping[i]] /= L[i * n + i];
    }
}

/* Accelerations and friction in the present modes, from M and h. */
static void solve(rods *r)
{
    size_t slipping[4096], count = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->acceleration[i] = 0;
        if (r->mode[i]) {
            r->friction[i] = -r->mode[i] * r->limit[i];
            r->acceleration[i] = r->friction[i] - r->vector[i];
            slipping[count++] = i;
        }
    }
    solve_slipping(r, slipping, count, r->acceleration);
    for (size_t i = 0; i < r->n; i++) {
        if (!r->mode[i]) {
            r->friction[i] = r->vector[i];
            for (size_t k = 0; k < count; k++) {
                r->friction[i] += r->matrix[i * r->n + slipping[k]] * r->acceleration[slipping[k]];
            }
        }
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

static bool is_past(void *data, double t, const double *y)
{
    rods *r = data;
    (void)t;
    form_equations(r, y);
    solve(r);
    for (size_t i = 0; i < r->n; i++) {
        if (r->mode[i] ? r->mode[i] * y[r->n + i] < 0 : fabs(r->friction[i]) > r->limit[i]) {
            return true;
        }
    }
    return false;
}

/* Whether joint i, at rest, is wrong in its mode; the rounding of its force is forgiven. */
static bool is_wrong(const rods *r, size_t i, const double *scale)
{
    return r->mode[i] ? r->mode[i] * r->acceleration[i] < -1e-9 * *scale
                      : fabs(r->friction[i]) > r->limit[i] * (1 + 1e-11);
}

static void turn(rods *r, size_t i)
{
    r->mode[i] = r->mode[i] ? 0 : r->friction[i] > 0 ? -1 : 1;
}

/* Changes modes of joints at rest until none is wrong. `decreed`: those that have just reached their
 * limit slip, whatever the last bit of their force says. */
static bool pivot(rods *r, const bool *at_rest, const bool *decreed)
{
    size_t best = r->n + 1, patience = 10;
    for (size_t round = 0; round < 200000; round++) {
        size_t wrong = 0, first = 0;
        double scale = 0;
        solve(r);
        for (size_t i = 0; i < r->n; i++) {
            scale = fmax(scale, fabs(r->acceleration[i]));
        }
        for (size_t i = 0; i < r->n; i++) {
            if (at_rest[i] && !decreed[i] && is_wrong(r, i, &scale)) {
                first = wrong++ ? first : i;
            }
        }
        if (!wrong) {
            return true;
        }
        if (wrong < best) {
            best = wrong;
            patience = 10;
        } else if (patience) {
            patience--;
        }
        if (!patience) {
            turn(r, first);
            continue;
        }
        bool now[4096];
        for (size_t i = 0; i < r->n; i++) {
            now[i] = at_rest[i] && !decreed[i] && is_wrong(r, i, &scale);
        }
        for (size_t i = 0; i < r->n; i++) {
            if (now[i]) {
                turn(r, i);
            }
        }
    }
    return false;
}

static bool settle(void *data, double t, double *y)
{
    rods *r = data;
    bool at_rest[4096], decreed[4096] = {false};
    if (r->n > 4096) {
        return false;
    }
    form_equations(r, y);
    solve(r);
    for (size_t i = 0; i < r->n; i++) {
        double *v = &y[r->n + i];
        if (r->mode[i] && r->mode[i] * *v <= 0) { /* it stopped: it holds, unless that is wrong */
            *v = 0;
            r->mode[i] = 0;
        } else if (!r->mode[i] && t > 0 && fabs(r->friction[i]) >= r->limit[i]) {
            turn(r, i);
            decreed[i] = true;
        }
        at_rest[i] = *v == 0;
    }
    form_equations(r, y);
    return pivot(r, at_rest, decreed);
}

problem rods_problem(rods *r)
{
    return (problem){.size = 2 * r->n,
                     .data = r,
                     .derivative = derivative,
                     .is_past = is_past,
                     .settle = settle};
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
