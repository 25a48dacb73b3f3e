#include "loops.h"

#include <math.h>

static const double gravity = 9.81;

/* ---- the four-bar ----
 *
 * With the directions e(x) = (cos x, sin x) and n(x) = (-sin x, cos x) the loop is
 *   crank e(q) + coupler e(b) = (base, 0) + rocker e(c).
 * Where it is closed b and c follow from the triangle of coupler, rocker and the diagonal; their
 * derivatives by q, dashes, from the loop's: with crank n(q) + coupler n(b) b' = rocker n(c) c', times
 * e(b) and e(c). */

typedef struct bar {
    double length, mass, inertia; /* the centre of mass, which inertia is about, is in the middle */
} bar;

static const bar crank = {0.3, 0.6, 5e-3}, coupler = {0.8, 1.2, 0.06}, rocker = {0.6, 1, 0.03};
static const double base = 0.9, torque = 8, damping = 1;

typedef struct angles {
    double b, c, db, dc, ddb, ddc;
} angles;

static angles close_four_bar(double q)
{
    const double x = base - crank.length * cos(q), y = -crank.length * sin(q);
    const double square = x * x + y * y, diagonal = sqrt(square);
    const double between =
        acos((square + coupler.length * coupler.length - rocker.length * rocker.length) /
             (2 * diagonal * coupler.length));
    angles a = {.b = atan2(y, x) + between};
    a.c = atan2(coupler.length * sin(a.b) - y, coupler.length * cos(a.b) - x);
    const double s = sin(a.b - a.c);
    a.db = -crank.length * sin(q - a.c) / (coupler.length * s);
    a.dc = crank.length * sin(q - a.b) / (rocker.length * sin(a.c - a.b));
    /* the derivatives of these two once more */
    a.ddb = -crank.length * cos(q - a.c) * (1 - a.dc) / (coupler.length * s) -
            a.db * (a.db - a.dc) * cos(a.b - a.c) / s;
    a.ddc = -crank.length * cos(q - a.b) * (1 - a.db) / (rocker.length * s) -
            a.dc * (a.db - a.dc) * cos(a.b - a.c) / s;
    return a;
}

static double about_end(bar of)
{
    return of.inertia + 0.25 * of.mass * of.length * of.length;
}

four_bar_terms four_bar_at(double q)
{
    const angles a = close_four_bar(q);
    const double half = 0.5 * coupler.length, r = crank.length;
    /* of the coupler's middle, r e(q) + half e(b), the derivatives by q */
    const double x1 = -r * sin(q) - half * sin(a.b) * a.db;
    const double y1 = r * cos(q) + half * cos(a.b) * a.db;
    const double x2 = -r * cos(q) - half * cos(a.b) * a.db * a.db - half * sin(a.b) * a.ddb;
    const double y2 = -r * sin(q) - half * sin(a.b) * a.db * a.db + half * cos(a.b) * a.ddb;
    const double mass = about_end(crank) + coupler.mass * (x1 * x1 + y1 * y1) +
                        coupler.inertia * a.db * a.db + about_end(rocker) * a.dc * a.dc;
    const double half_slope = coupler.mass * (x1 * x2 + y1 * y2) + coupler.inertia * a.db * a.ddb +
                              about_end(rocker) * a.dc * a.ddc;
    const double weight = gravity * (0.5 * crank.mass * r * cos(q) + coupler.mass * y1 +
                                     0.5 * rocker.mass * rocker.length * cos(a.c) * a.dc);
    return (four_bar_terms){mass, half_slope, weight, a.db - 1, a.dc};
}

static double four_bar_acceleration(const loop *l, double q, double v)
{
    const four_bar_terms at = four_bar_at(q);
    (void)l;
    return (torque - damping * v - at.weight - at.half_slope * v * v) / at.mass;
}

loop four_bar_loop(void)
{
    return (loop){.acceleration = four_bar_acceleration, .start = 0.9};
}

/* ---- the scissor lift ----
 *
 * All bars stand at angle q or pi - q; the middles of the two of stage k are at
 *   (length/2 cos q, (k - 1/2) length sin q),
 * the platform at (0, n length sin q), the foot at length cos q. Over all k the sum of k - 1/2 is n^2/2, that
 * of its square n^3/3 - n/12. The foot is pushed by -push, against a damper. */

static double scissor_acceleration(const loop *l, double q, double v)
{
    const double length = 1, bar_mass = 2, load = 50, n = l->n, s = sin(q), c = cos(q);
    const double inertia = 2 * n * bar_mass * length * length / 12;
    /* Times s^2, and times c^2. */
    const double across = 2 * n * bar_mass * length * length / 4;
    const double upward =
        length * length * (2 * bar_mass * (n * n * n / 3 - n / 12) + load * n * n);
    const double mass = inertia + across * s * s + upward * c * c;
    const double half_slope = (across - upward) * s * c;
    const double lifted = (n * load + n * n * bar_mass) * gravity;
    const double push = 1.05 * lifted / tan(l->start);
    const double foot = -length * s; /* derivative by q */
    const double force = (-push - 200 * n * n * foot * v) * foot;
    return (force - lifted * length * c - half_slope * v * v) / mass;
}

loop scissor_loop(size_t n)
{
    return (loop){.acceleration = scissor_acceleration, .n = (double)n, .start = 0.5};
}

/* ---- the gear train ----
 *
 * Neighbours turn against each other: the angle of wheel i is (-1)^(i - 1) r_1/r_i q, r_i = 1 + sin(i)/5. */

static double geared_acceleration(const loop *l, double q, double v)
{
    const double wheel = 1, off_axis = 0.02, inertia = 5e-3;
    const double first = 1 + 0.2 * sin(1);
    double mass = 0, weight = 0, sign = 1;
    for (double i = 1; i <= l->n; i++) {
        const double ratio = sign * first / (1 + 0.2 * sin(i));
        mass += ratio * ratio * (inertia + wheel * off_axis * off_axis);
        weight += wheel * gravity * off_axis * cos(ratio * q) * ratio;
        sign = -sign;
    }
    return (0.3 * l->n - 0.1 * l->n * v - weight) / mass;
}

loop geared_loop(size_t n)
{
    return (loop){.acceleration = geared_acceleration, .n = (double)n};
}

/* ---- as dopri.h wants them: nothing happens at an event, and there are none ---- */

static void derivative(void *data, double t, const double *y, double *dy)
{
    const loop *l = data;
    (void)t;
    dy[0] = y[1];
    dy[1] = l->acceleration(l, y[0], y[1]);
}

static double excess(void *data, double t, const double *y)
{
    (void)data;
    (void)t;
    (void)y;
    return -1;
}

static bool settle(void *data, double t, double *y)
{
    (void)data;
    (void)t;
    (void)y;
    return true;
}

problem loop_problem(loop *l)
{
    return (problem){
        .size = 2, .data = l, .derivative = derivative, .excess = excess, .settle = settle};
}
