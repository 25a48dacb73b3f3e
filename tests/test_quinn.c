/* What acts along a joint with Quinn's law: stops that yield, and cams, too. */
#include "support_variants.h"

enum { STEPS = 300000 };
static const double end = 3, mass = 2, coulomb = 1, band = 0.5, at = 0.2, stiffness = 60;

static const char beside_a_stop[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {block: {mass: 2}}\n"
    "joints:\n"
    "  block: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], force: "
    "\"3*sin(2*t)\",\n"
    "    friction: {law: quinn, coulomb: 1, velocity_band: 0.5},\n"
    "    stops: {upper: {at: 0.2, stiffness: 60}}}\n"
    "simulation: {end: 3, rtol: 1e-8}\n";

static const char tied[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1}, b: {mass: 2}}\n"
    "joints:\n"
    "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], force: \"3*sin(2*t)\",\n"
    "    friction: {law: quinn, coulomb: 1, velocity_band: 0.5}}\n"
    "  b: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], force: \"2*cos(3*t)\"}\n"
    "couplings: {c: {%s}}\n"
    "simulation: {end: 3, rtol: 1e-9}\n";

/* What acts on the block but friction, and the acceleration with it. */
static double acceleration(double t, double x, double v)
{
    const double pushed = stiffness * fmax(0, x - at), h = 3 * sin(2 * t) - pushed,
                 u = fmin(1, fabs(v) / band),
                 friction = coulomb * copysign(u, v) + (1 - u) * fmax(-coulomb, fmin(coulomb, h));
    return (h - friction) / mass;
}

/* By Runge's and Kutta's steps. */
static void follow(double *x, double *v)
{
    const double h = end / STEPS;
    *x = *v = 0;
    for (int k = 0; k < STEPS; k++) {
        const double t = k * h, a1 = acceleration(t, *x, *v), v1 = *v,
                     a2 = acceleration(t + h / 2, *x + h / 2 * v1, *v + h / 2 * a1),
                     v2 = *v + h / 2 * a1,
                     a3 = acceleration(t + h / 2, *x + h / 2 * v2, *v + h / 2 * a2),
                     v3 = *v + h / 2 * a2, v4 = *v + h * a3,
                     a4 = acceleration(t + h, *x + h * v3, v4);
        *x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        *v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

static void a_stop_that_yields_acts(void **state)
{
    double x, v;
    (void)state;
    follow(&x, &v);
    detent_mechanism *m = runs_parse(beside_a_stop, NULL);
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant way = variant_at(k);
        detent_simulation *sim = variant_start(m, way);
        variant_advance(sim, way, end);
        variant_check(way, "position", runs_position(m, sim, "block"), x, 1e-7);
        variant_check(way, "velocity", runs_velocity(m, sim, "block"), v, 1e-6);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static double ends_at(const char *coupling, variant way)
{
    char text[1000];
    snprintf(text, sizeof text, tied, coupling);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = variant_start(m, way);
    variant_advance(sim, way, end);
    const double x = runs_position(m, sim, "a");
    detent_simulation_destroy(sim);
    detent_mechanism_destroy(m);
    return x;
}

/* 0.2464070636: by a program of one freedom, 9 a = 3 sin 2t + 4 cos 3t - F, in 4,000 steps of order four. */
static void a_cam_acts_as_a_gear(void **state)
{
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant way = variant_at(k);
        const double geared = ends_at("type: gear, joints: [b, a], ratio: 2", way);
        variant_check(way, "with a gear", geared, 0.24640706, 2e-8);
        variant_check(way, "with a cam",
                      ends_at("type: cam, cam: a, follower: b, law: \"2*position(a)\"", way),
                      geared, 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_that_yields_acts),
        cmocka_unit_test(a_cam_acts_as_a_gear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
