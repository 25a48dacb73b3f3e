/* Where a function of time may be least between points at which it is known. */
#include "integrator/interpolant.h"

#include <math.h>

double dt_hermite_value(const dt_hermite *c, double x)
{
    const double u = 1 - x;
    return c->g0 * u * u * (1 + 2 * x) + c->g1 * x * x * (3 - 2 * x) +
           c->h * x * u * (c->d0 * u - c->d1 * x);
}

bool dt_comes_near(double least, double end)
{
    return least <= 0.2 * (end - least);
}

bool dt_hermite_minimum(const dt_hermite *c, double *x)
{
    /* derivative p x^2 + q x + r */
    const double rise = c->g1 - c->g0, s0 = c->h * c->d0, s1 = c->h * c->d1;
    const double p = 3 * (s0 + s1 - 2 * rise), q = 2 * (3 * rise - 2 * s0 - s1), r = s0;
    const double discriminant = q * q - 4 * p * r;
    if (!(r < 0) || discriminant < 0) {
        return false;
    }
    /* the root where the derivative changes from - to +, written without cancellation */
    const double root = sqrt(discriminant);
    *x = q >= 0 ? -2 * r / (q + root) : (root - q) / (2 * p);
    return *x > 0 && *x < 1;
}

double dt_parabola_minimum(const double t[3], const double g[3])
{
    const double left = t[1] - t[0], right = t[2] - t[1];
    const double rise_left = (g[1] - g[0]) / left, rise_right = (g[2] - g[1]) / right;
    const double curvature = (rise_right - rise_left) / (left + right);
    return t[1] - 0.5 * (rise_left + curvature * left) / curvature;
}

/*
 * One chord alone, which falls from `near` at one inner point by `fall` to the other, where the value is `far`: how much of
 * that way is in the middle of what may be below zero. Where nothing is, the other side is taken to be as steep.
 */
static double way_along(double near, double far, double fall)
{
    const double level = near < fall ? 0 : far;
    return 0.5 * (1 + fmax(0, (near - level) / fall));
}

/* dt_chords_meet() where what is beyond the last inner point is not known, or what is before the first. */
static bool meet_end(const dt_chords *c, double *t, double *least)
{
    const bool last = isnan(c->g[3]);
    const int outer = last ? 0 : 3, near = last ? 1 : 2, far = last ? 2 : 1;
    const double span = c->t[far] - c->t[near];
    const double fall = (c->g[outer] - c->g[near]) / (c->t[near] - c->t[outer]) * span;
    *least = c->g[near] - fall;
    *t = c->t[near] + span * way_along(c->g[near], c->g[far], fall);
    return fall > 0 && *least < c->g[far] && *t > c->t[1] && *t < c->t[2];
}

bool dt_chords_meet(const dt_chords *c, double *t, double *least)
{
    if (isnan(c->g[0]) || isnan(c->g[3])) {
        return meet_end(c, t, least);
    }
    const double *at = c->t, *g = c->g;
    const double left = (g[1] - g[0]) / (at[1] - at[0]), right = (g[3] - g[2]) / (at[3] - at[2]);
    const double x = (g[1] - g[2] + right * (at[2] - at[1])) / (right - left);
    *t = at[1] + x;
    *least = g[1] + left * x;
    return left < 0 && right > 0 && *t > at[1] && *t < at[2];
}

dt_chords dt_chords_part(const dt_chords *c, double t, double g, bool after)
{
    return after ? (dt_chords){{c->t[1], t, c->t[2], c->t[3]}, {c->g[1], g, c->g[2], c->g[3]}}
                 : (dt_chords){{c->t[0], c->t[1], t, c->t[2]}, {c->g[0], c->g[1], g, c->g[2]}};
}

bool dt_chords_near(const dt_chords *c, double *t, double *least)
{
    return dt_chords_meet(c, t, least) && dt_comes_near(*least, fmin(c->g[1], c->g[2]));
}
