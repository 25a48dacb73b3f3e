/*
 * Massless rods (`distance`), in all variants: a conical pendulum and a double pendulum of points, a four-bar whose coupler has no
 * mass, and what holds it; rods are as long as they should be in every row, and do no work.
 */
#include "support_changes.h"
#include "support_variants.h"

#define PI 3.14159265358979323846

/** Newton's step is exact: one residual a step is the rule. */
static void is_quick(detent_simulation *sim, variant v)
{
    detent_statistics now = DETENT_INIT(detent_statistics);
    detent_get_statistics(sim, &now);
    assert_true((double)now.residuals <= 1.3 * (double)now.steps ||
                v.integrator != DETENT_INTEGRATOR_IDA);
}

/** On a circle at tan = 3/4 from a rod of 1 m: w^2 = g / 0.8, and the tension is m g / 0.8. */
static void a_conical_pendulum(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -10]\n"
        "bodies: {a: {mass: 2}}\n"
        "joints:\n"
        "  f: {type: custom, row: [p, p, p], base: ground, follower: a,\n"
        "    axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], primitives: {p1: {initial: {position: "
        "0.6}},\n"
        "    p2: {initial: {velocity: 2.1213203435596424}}, p3: {initial: {position: -0.8}}}}\n"
        "couplings:\n"
        "  rod: {type: distance, between: [{body: %s}, {body: %s}], length: 1}\n"
        "outputs: [position(f.p1), position(f.p2), position(f.p3), tension(rod)]\n"
        "simulation: {end: 4, rtol: 1e-10, atol: 1e-12}\n";
    const double w = sqrt(10 / 0.8);
    (void)state;
    for (size_t k = 0; k < 2 * VARIANTS; k++) {
        const variant v = variant_at(k / 2);
        char file[1024];
        double x[4];
        snprintf(file, sizeof file, text, k % 2 ? "a" : "ground", k % 2 ? "ground" : "a");
        detent_mechanism *m = runs_parse(file, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int row = 1; row <= 40; row++) {
            variant_outputs(sim, v, 0.1 * row, x, 4);
            variant_near(v, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 1, 1e-12);
        }
        variant_near(v, x[0], 0.6 * cos(4 * w), 1e-8);
        variant_near(v, x[1], 0.6 * sin(4 * w), 1e-8);
        variant_near(v, x[3], 25, 1e-8);
        is_quick(sim, v);
        runs_end(sim, m);
    }
}

/** The angle below the horizontal of a simple pendulum of 1 m that is let go there: th'' = 9.81 cos th, by Runge and Kutta. */
static double simple_pendulum(double end)
{
    const int steps = 100000;
    const double h = end / steps;
    double th = 0, w = 0;
    for (int k = 0; k < steps; k++) {
        const double a1 = 9.81 * cos(th), w2 = w + h / 2 * a1, a2 = 9.81 * cos(th + h / 2 * w),
                     w3 = w + h / 2 * a2, a3 = 9.81 * cos(th + h / 2 * w2), w4 = w + h * a3,
                     a4 = 9.81 * cos(th + h * w3);
        th += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return th;
}

/**
 * IFToMM A01 as a point on two slides and a rod, which lies along one of them at the start: bodies measure nothing, and what follows
 * moves by nothing for a while.
 */
static void a_point_on_two_slides(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {x: {mass: 0}, m: {mass: 1}}\n"
        "joints:\n"
        "  slide: {type: prismatic, base: ground, follower: x, axis: [1, 0, 0], "
        "initial: {position: -1}}\n"
        "  lift: {type: prismatic, base: x, follower: m, axis: [0, 1, 0]}\n"
        "couplings: {rod: {type: distance, between: [{body: ground}, {body: m}], length: 1}}\n"
        "outputs: [position(slide), position(lift)]\n"
        "simulation: {end: 10, rtol: 1e-10}\n";
    const double th = simple_pendulum(10);
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        double x[2];
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int row = 1; row <= 100; row++) {
            variant_outputs(sim, v, 0.1 * row, x, 2);
            variant_near(v, hypot(x[0], x[1]), 1, 1e-12);
        }
        variant_near(v, x[0], -cos(th), 1e-8);
        variant_near(v, x[1], -sin(th), 1e-8);
        runs_end(sim, m);
    }
}

/** Two points on rods move as those at the ends of two arms on hinges. */
static void a_double_pendulum(void **state)
{
    static const char rods[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {a: {mass: 1}, b: {mass: 2}}\n"
        "joints:\n"
        "  a: {type: custom, row: [p, p], base: ground, follower: a, axes: [[1, 0, 0], [0, 1, "
        "0]],\n"
        "    primitives: {p1: {initial: {position: 0.6}}, p2: {initial: {position: -0.8}}}}\n"
        "  b: {type: custom, row: [p, p], base: ground, follower: b, axes: [[1, 0, 0], [0, 1, "
        "0]],\n"
        "    primitives: {p1: {initial: {position: 1.3}}, p2: {initial: {position: -0.8}}}}\n"
        "couplings:\n"
        "  upper: {type: distance, between: [{body: ground}, {body: a}], length: 1}\n"
        "  lower: {type: distance, between: [{body: a}, {body: b}], length: 0.7}\n"
        "outputs: [position(a.p1), position(a.p2), position(b.p1), position(b.p2)]\n"
        "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n";
    static const char hinges[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, center_of_mass: [0, -1, 0]}\n"
        "  b: {mass: 2, center_of_mass: [0, -0.7, 0]}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, initial: {position: asin(0.6)}}\n"
        "  b: {type: revolute, base: a, follower: b, at: {base: [0, -1, 0]}, initial: {position: "
        "acos(0.6)}}\n"
        "outputs: [position(a), position(b)]\n"
        "simulation: {end: 3, rtol: 1e-11, atol: 1e-13}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *one = runs_parse(rods, NULL), *other = runs_parse(hinges, NULL);
        detent_simulation *sim = variant_start(one, v), *twin = variant_start(other, v);
        double x[4], q[2];
        for (int row = 1; row <= 30; row++) {
            variant_outputs(sim, v, 0.1 * row, x, 4);
            variant_near(v, hypot(x[0], x[1]), 1, 1e-12);
            variant_near(v, hypot(x[2] - x[0], x[3] - x[1]), 0.7, 1e-12);
        }
        variant_outputs(twin, v, 3, q, 2);
        variant_near(v, x[0], sin(q[0]), 1e-8);
        variant_near(v, x[1], -cos(q[0]), 1e-8);
        variant_near(v, x[2], sin(q[0]) + 0.7 * sin(q[0] + q[1]), 1e-8);
        variant_near(v, x[3], -cos(q[0]) - 0.7 * cos(q[0] + q[1]), 1e-8);
        is_quick(sim, v);
        runs_end(sim, one);
        runs_end(twin, other);
    }
}

/** Crank and rocker with a coupler that is a rod. %s: more of the file. */
static const char four_bar[] =
    "detent: 1\ngravity: [0, %g, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.2]}\n"
    "  rocker: {mass: 2, inertia: [0.2, 0.2, 0.4]}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1, velocity: %g}}\n"
    "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, initial: "
    "{position: 1.9}}\n"
    "couplings:\n"
    "  rod: {type: distance, between: [{body: crank, at: [0.3, 0, 0]}, {body: rocker, at: [0.6, 0, "
    "0]}], length: 0.8}\n"
    "%s"
    "outputs: [position(a), position(d), velocity(a), velocity(d), tension(rod)]\n"
    "simulation: {end: 5, rtol: 1e-10, atol: 1e-12}\n";

/** What the rod makes of a turn of the crank: the turn of the rocker, and how long it is. */
static double ratio_at(const double q[2], double *length)
{
    const double r[2] = {0.9 + 0.6 * cos(q[1]) - 0.3 * cos(q[0]),
                         0.6 * sin(q[1]) - 0.3 * sin(q[0])};
    *length = hypot(r[0], r[1]);
    return 0.3 * (-sin(q[0]) * r[0] + cos(q[0]) * r[1]) /
           (0.6 * (-sin(q[1]) * r[0] + cos(q[1]) * r[1]));
}

/** Without gravity the kinetic energy stays, and with the ratio it tells both speeds. */
static void a_four_bar(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        char text[2048];
        double x[5], length;
        snprintf(text, sizeof text, four_bar, 0.0, 3.0, "");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 0, x, 5);
        const double energy = 0.1 * x[2] * x[2] + 0.2 * x[3] * x[3];
        for (int row = 1; row <= 100; row++) {
            variant_outputs(sim, v, 0.05 * row, x, 5);
            const double ratio = ratio_at(x, &length);
            variant_near(v, length, 0.8, 1e-12);
            variant_near(v, x[3], ratio * x[2], 1e-11);
            variant_near(v, fabs(x[2]), sqrt(energy / (0.1 + 0.2 * ratio * ratio)), 1e-8);
        }
        is_quick(sim, v);
        runs_end(sim, m);
    }
}

/** Both frictions hold both arms, up to the sum of limit times ratio. */
static void both_ends_hold(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        char text[2048];
        double x[5], length;
        size_t changes;
        detent_error error;
        snprintf(text, sizeof text, four_bar, 0.0, 0.0,
                 "stiction:\n"
                 "  a: {kinetic: 0.5, static: 0.6, external: \"1 [N*m]*t/1 [s]\"}\n"
                 "  d: {kinetic: 0.7, static: 0.8}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 0, x, 5);
        const double breaks = 0.6 + 0.8 * fabs(ratio_at(x, &length));
        runs_must(detent_advance(sim, 0.999 * breaks, true, &error), &error);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 5, &error), &error);
        assert_true(x[2] == 0 && x[3] == 0);
        assert_int_equal(detent_advance(sim, 5, true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time, breaks, 1e-9);
        variant_outputs(sim, v, breaks + 0.2, x, 5);
        assert_true(x[2] > 0);
        variant_near(v, x[3], ratio_at(x, &length) * x[2], 1e-11);
        runs_end(sim, m);
    }
}

/** Where the sled of an arm of 1 m and a rod of 1.1 m is, and how fast it follows the arm. */
static double sled_at(double arm, double *ratio)
{
    const double root = sqrt(1.21 - sin(arm) * sin(arm));
    *ratio = -sin(arm) - sin(arm) * cos(arm) / root;
    return cos(arm) + root;
}

/** How far the sled has gone since the arm was at 0.6: 2 m from one dead centre to the next. */
static double way_to(double arm)
{
    const int passed = (int)floor(arm / PI);
    double ratio;
    const double now = sled_at(arm, &ratio);
    if (passed == 0) {
        return sled_at(0.6, &ratio) - now;
    }
    return sled_at(0.6, &ratio) - 0.1 + 2 * (passed - 1) + fabs(now - sled_at(passed * PI, &ratio));
}

/** The arm goes round, through dead centres where the sled alone decides nothing: what it has lost is friction times way. */
static void through_dead_centres(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  arm: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0, 0.1, 0.1]}\n"
        "  sled: {mass: 1}\n"
        "joints:\n"
        "  arm: {type: revolute, base: ground, follower: arm, initial: {position: 0.6, velocity: "
        "6, priority: exact}}\n"
        "  sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], initial: "
        "{position: 1.7}}\n"
        "couplings: {rod: {type: distance, between: [{body: arm, at: [1, 0, 0]}, {body: sled}], "
        "length: 1.1}}\n"
        "%s"
        "outputs: [position(arm), velocity(arm), position(sled), velocity(sled)]\n"
        "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n";
    (void)state;
    for (size_t k = 0; k < 2 * VARIANTS; k++) {
        const variant v = variant_at(k / 2);
        const double friction = k % 2 ? 0.5 : 0;
        char file[1024];
        double x[4] = {0}, ratio;
        snprintf(file, sizeof file, text,
                 k % 2 ? "stiction: {sled: {kinetic: 0.5, static: 0.5}}\n" : "");
        detent_mechanism *m = runs_parse(file, NULL);
        detent_simulation *sim = variant_start(m, v);
        sled_at(0.6, &ratio);
        const double energy = 0.5 * 36 * (0.35 + ratio * ratio);
        for (int row = 1; row <= 30; row++) {
            variant_outputs(sim, v, 0.1 * row, x, 4);
            variant_near(v, x[2], sled_at(x[0], &ratio), 1e-12);
            variant_near(v, x[1],
                         sqrt(2 * (energy - friction * way_to(x[0])) / (0.35 + ratio * ratio)),
                         1e-7);
            variant_near(v, x[3], ratio * x[1], 1e-11);
        }
        assert_true(x[0] > 4 * PI);
        runs_end(sim, m);
    }
}

/** A rod can be added from C, by its text; ends that meet have no direction. */
static void ends_that_meet(void **state)
{
    detent_error error;
    detent_simulation *sim = NULL;
    (void)state;
    detent_mechanism *m = NULL;
    runs_must(detent_mechanism_create("rod", NULL, &m, &error), &error);
    detent_body_def body = DETENT_INIT(detent_body_def);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    body.name = joint.follower = "a";
    body.mass = 1;
    joint.name = "x";
    joint.type = "prismatic";
    runs_must(detent_add_body(m, &body, &error), &error);
    runs_must(detent_add_joint(m, &joint, &error), &error);
    runs_must(detent_add_item(m, "couplings", "rod",
                              "{type: distance, between: [{body: a}, {body: ground}], length: 1}",
                              &error),
              &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    assert_int_equal(detent_simulation_create(m, NULL, &sim, &error), DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "the ends of the distance 'rod' meet"));
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conical_pendulum),   cmocka_unit_test(a_point_on_two_slides),
        cmocka_unit_test(a_double_pendulum),    cmocka_unit_test(a_four_bar),
        cmocka_unit_test(both_ends_hold),       cmocka_unit_test(ends_that_meet),
        cmocka_unit_test(through_dead_centres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
