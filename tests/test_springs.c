/*
 * Springs and dampers between points of two bodies (`springs` in files), in all variants: exact solutions, springs of
 * joints that do the same, energy, and stuck joints that such a spring pulls loose.
 */
#include "detent/analysis.h"
#include "support_changes.h"
#include "support_linear.h"
#include "support_plain.h"
#include "support_runs.h"
#include "support_variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

/* What the outputs are at the end of a run in variant v. */
static void run(const char *text, size_t v, double *values, size_t count)
{
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = variant_start(m, variant_at(v));
    detent_error error = {.message = ""};
    detent_status status = DETENT_EVENT;
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    while (status == DETENT_EVENT) {
        status = detent_advance(sim, settings.end, true, &error);
    }
    if (status != DETENT_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(detent_read(sim, DETENT_OUTPUTS, values, count, &error), DETENT_OK);
    detent_simulation_destroy(sim);
    detent_mechanism_destroy(m);
}

static void near(double is, double should, double tolerance)
{
    if (!(fabs(is - should) <= tolerance)) {
        fail_msg("%.17g instead of %.17g", is, should);
    }
}

/** Two masses on one rail: they swing about each other at sqrt(k / mu), damped by d / (2 mu). */
static const char masses[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 2}, b: {mass: 3}}\n"
    "joints:\n"
    "  x: {type: prismatic, base: ground, follower: a, axis: [1, 2, 2], initial: {position: 0.1}}\n"
    "  y: {type: prismatic, base: ground, follower: b, axis: [1, 2, 2], initial: {position: 1.4}}\n"
    "springs:\n"
    "  s: {between: [{body: b, at: [0.1, 0.2, 0.2]}, {body: a}], stiffness: 50, rest: 1, damping: "
    "2}\n"
    "outputs: [position(x), position(y), spring_length(s), spring_force(s)]\n"
    "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n";

static void masses_on_a_rail(void **state)
{
    (void)state;
    const double mu = 2.0 * 3 / 5, decay = 2 / (2 * mu), w = sqrt(50 / mu - decay * decay);
    const double l0 = 1.4 - 0.1 + 0.3 - 1; /* from the rest length */
    const double l = exp(-decay * 3) * l0 * (cos(3 * w) + decay / w * sin(3 * w));
    const double rate =
        -exp(-decay * 3) * l0 * (decay * decay + w * w) / w * sin(3 * w); /* the derivative of l */
    const double centre = (2 * 0.1 + 3 * 1.4) / 5, apart = l + 1 - 0.3;
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double x[4];
        run(masses, v, x, 4);
        near(x[0], centre - apart * 3 / 5, 2e-9);
        near(x[1], centre + apart * 2 / 5, 2e-9);
        near(x[2], l + 1, 4e-9);
        near(x[3], 50 * l + 2 * rate, 4e-7);
    }
}

/** On an axis of its own a spring between two bodies does what the spring of the joint does. */
static const char by_joint[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies: {arm: {mass: 1, center_of_mass: [0, -1, 0], inertia: [0.1, 0.1, 0.1]}, slide: {mass: "
    "0.5}}\n"
    "joints:\n"
    "  pin: {type: revolute, base: ground, follower: arm, initial: {position: 1}}\n"
    "  rail: {type: prismatic, base: arm, follower: slide, axis: [0, -1, 0], initial: {position: "
    "0.7},%s}\n"
    "%s"
    "outputs: [position(pin), position(rail), reaction_force(pin)]\n"
    "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";

static void like_the_spring_of_a_joint(void **state)
{
    (void)state;
    char text[2][1024];
    snprintf(text[0], sizeof text[0], by_joint, " spring: {stiffness: 40, rest: 0.3}, damping: 0.5",
             "");
    snprintf(text[1], sizeof text[1], by_joint, "",
             "springs: {s: {between: [{body: arm}, {body: slide, at: [0, -0.2, 0]}],"
             " stiffness: 40, rest: 0.5, damping: 0.5}}\n");
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double x[2][3];
        run(text[0], v, x[0], 3);
        run(text[1], v, x[1], 3);
        near(x[1][0], x[0][0], 1e-8);
        near(x[1][1], x[0][1], 1e-8);
        near(x[1][2], x[0][2], 1e-6);
    }
}

/** A spring without rest length is k r whatever its direction: also through the point where its ends meet. */
static void through_the_point_where_ends_meet(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0],"
        " initial: {position: 0.5}}}\n"
        "springs: {s: {between: [{body: ground}, {body: a}], stiffness: 8}}\n"
        "outputs: [position(x)]\n"
        "simulation: {end: 2.5, rtol: 1e-10, atol: 1e-12}\n";
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double x;
        run(text, v, &x, 1);
        near(x, 0.5 * cos(2 * 2.5), 2e-9);
    }
}

/** Where they meet its slope is -k in every direction, and nothing else: the model is that of a spring along each axis. */
static void slopes_where_ends_meet(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2}}\n"
        "joints: {f: {type: custom, row: [p, p, p], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], base: "
        "ground, follower: a}}\n"
        "springs: {s: {between: [{body: ground}, {body: a}], stiffness: 8}}\n"
        "simulation: {end: 1}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    linear_model *l = NULL;
    detent_error error = {.message = ""};
    runs_must(linear_model_make(sim, NULL, &l, &error), &error);
    assert_int_equal(l->states, 6);
    for (size_t row = 0; row < 6; row++) {
        for (size_t column = 0; column < 6; column++) {
            const double should = column == row + 3 ? 1 : row == column + 3 ? -8.0 / 2 : 0;
            near(l->A[row * 6 + column], should, 1e-15);
        }
    }
    linear_model_free(l);
    runs_end(sim, m);
}

/**
 * A linear model has the slopes of outputs, across which the motion goes: against formulas,
 * l = |r|, T = k (l - l0) + d n . r', with the line across the motion, too.
 */
static void slopes_of_outputs(void **state)
{
    (void)state;
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\n"
                               "bodies: {a: {mass: 2}, b: {mass: 3}}\n"
                               "joints:\n"
                               "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], "
                               "initial: {position: 0.3, velocity: 0.7}}\n"
                               "  y: {type: prismatic, base: a, follower: b, axis: [0, 1, 0], "
                               "initial: {position: -0.4, velocity: 1.1}}\n"
                               "springs: {s: {between: [{body: b, at: [0.1, 0, 0]}, {body: ground, "
                               "at: [0, 0, 0.5]}], stiffness: 50, rest: 0.2, damping: 2}}\n"
                               "outputs: [spring_length(s), spring_force(s)]\n"
                               "simulation: {end: 1}\n";
    const double rx = 0.4, ry = -0.4, rz = -0.5, vx = 0.7, vy = 1.1;
    const double length = sqrt(rx * rx + ry * ry + rz * rz), rate = (rx * vx + ry * vy) / length;
    const double by_length[4] = {rx / length, ry / length, 0, 0};
    const double by_rate[4] = {(vx - rate * by_length[0]) / length,
                               (vy - rate * by_length[1]) / length, rx / length, ry / length};
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    linear_model *l = NULL;
    detent_error error = {.message = ""};
    runs_must(linear_model_make(sim, NULL, &l, &error), &error);
    assert_int_equal(l->states, 4);
    near(l->output_value[0], length, 1e-15);
    near(l->output_value[1], 50 * (length - 0.2) + 2 * rate, 1e-13);
    for (size_t column = 0; column < 4; column++) {
        near(l->C[column], by_length[column], 1e-14);
        near(l->C[4 + column], 50 * by_length[column] + 2 * by_rate[column], 1e-12);
    }
    linear_model_free(l);
    runs_end(sim, m);
}

/**
 * A block is pulled along the floor by a spring whose other end moves at 0.1 m/s: the pull k (u t - rest) passes the
 * static limit at an exact time. In front of it stands a stuck block that is pulled as much to the other side.
 */
static void a_spring_pulls_a_block_loose(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {hook: {mass: 1}, block: {mass: 1}, post: {mass: 1}}\n"
        "joints:\n"
        "  u: {type: prismatic, base: ground, follower: hook, axis: [1, 0, 0], motion: 0.1*t}\n"
        "  x: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
        "  y: {type: prismatic, base: ground, follower: post, axis: [1, 0, 0]}\n"
        "stiction:\n"
        "  x: {kinetic: 2, static: 3}\n"
        "  y: {kinetic: 5, static: 8}\n"
        "springs:\n"
        "  pull: {between: [{body: hook, at: [1, 0, 0]}, {body: block}], stiffness: 20, rest: 1}\n"
        "  hold: {between: [{body: post, at: [-1, 0, 0]}, {body: block}], stiffness: 7, rest: 1}\n"
        "outputs: [friction(x), friction(y)]\n"
        "simulation: {end: 3, rtol: 1e-9}\n";
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, variant_at(v));
        detent_error error = {.message = ""};
        size_t changes = 0;
        double f[2];
        assert_int_equal(detent_advance(sim, 1, true, &error), DETENT_OK);
        assert_int_equal(detent_read(sim, DETENT_OUTPUTS, f, 2, &error), DETENT_OK);
        near(f[0], -2, 1e-9); /* 20 N/m * 0.1 m */
        near(f[1], 0, 1e-9);
        assert_int_equal(detent_advance(sim, 3, true, &error), DETENT_EVENT);
        const detent_mode_change *change = last_event(sim, &changes);
        assert_true(changes > 0);
        near(change->time, 1.5, 1e-8);
        detent_simulation_destroy(sim);
        detent_mechanism_destroy(m);
    }
}

/** Ends that meet have no direction where the spring has a rest length: that is told, not computed with. */
static void ends_that_meet(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}}\n"
        "springs: {s: {between: [{body: ground}, {body: a}], stiffness: 8, rest: 1}}\n"
        "simulation: {end: 1}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = NULL;
    detent_error error = {.message = ""};
    detent_status status = detent_simulation_create(m, NULL, &sim, &error);
    if (status == DETENT_OK) {
        status = detent_advance(sim, 1, true, &error);
    }
    assert_true(status < 0);
    if (!strstr(error.message, "'s'")) {
        fail_msg("%s", error.message);
    }
    detent_simulation_destroy(sim);
    detent_mechanism_destroy(m);
}

/** IFToMM benchmark A05, stiff, against numbers computed elsewhere; every variant that is implicit, and one that is not. */
static void flyball_governor(void **state)
{
    (void)state;
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        const bool is_explicit = variant_at(v).integrator != DETENT_INTEGRATOR_IDA;
        const double end = is_explicit ? 1 : 10;
        detent_mechanism *m = runs_load("flyball_governor.yaml", NULL);
        detent_simulation *sim = variant_start(m, variant_at(v));
        detent_error error = {.message = ""};
        double x[4];
        variant_advance(sim, variant_at(v), 1);
        assert_int_equal(detent_read(sim, DETENT_OUTPUTS, x, 4, &error), DETENT_OK);
        near(x[1], 0.5014209224, 1e-6);
        variant_advance(sim, variant_at(v), end);
        assert_int_equal(detent_read(sim, DETENT_OUTPUTS, x, 4, &error), DETENT_OK);
        near(x[1], is_explicit ? 0.5014209224 : 0.6196229171, 1e-6);
        detent_simulation_destroy(sim);
        detent_mechanism_destroy(m);
    }
}

/** Angle of the spindle, slider, rods below the horizontal, and their rates, by Lagrange: T = Iz(b) p'^2/2 + 3 s'^2/2 + Ib b'^2/2. */
static void rate_of_governor(double t, const double *y, double *rate, const void *user)
{
    UNUSED(t);
    UNUSED(user);
    const double rod = 0.3, ball = 5, both = rod + ball, centre = (rod * 0.5 + ball) / both,
                 along = rod * 1e-4 / 6,
                 across =
                     rod * (1 + 1e-4) / 12 + rod * pow(centre - 0.5, 2) + ball * pow(1 - centre, 2);
    const double c = cos(y[2]), s = sin(y[2]), x = 0.05 + centre * c,
                 Iz = 0.005 + 2 * (both * x * x + along * s * s + across * c * c),
                 slope = 4 * (along * s * c - both * x * centre * s - across * s * c),
                 Ib = 2 * (both * centre * centre + across);
    const double strut[2] = {0.5 * c, 1 - 0.5 * s - y[1]}, length = hypot(strut[0], strut[1]),
                 by_s = -strut[1] / length, by_b = -0.5 * (strut[0] * s + strut[1] * c) / length,
                 pull = 8e5 * (length - 0.5) + 4e4 * (by_s * y[4] + by_b * y[5]);
    memcpy(rate, y + 3, 3 * sizeof *rate);
    rate[3] = -slope * y[5] * y[3] / Iz;
    rate[4] = -9.81 - 2 * pull * by_s / 3;
    rate[5] = (0.5 * slope * y[3] * y[3] + 2 * both * 9.81 * centre * c - 2 * pull * by_b) / Ib;
}

/**
 * The same as a mechanism of two loops: each spring-damper is a massless telescope, hinged to the slider and to the middle of a
 * rod, whose joint closes a loop.
 */
static void flyball_governor_of_telescopes(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -9.81]\n"
        "parameters:\n"
        "  centre: (0.3*0.5 + 5*1)/5.3\n"
        "  along: 0.3*0.01^2/6\n"
        "  across: 0.3*(1 + 0.01^2)/12 + 0.3*(centre - 0.5)^2 + 5*(1 - centre)^2\n"
        "bodies:\n"
        "  spindle: {mass: 0}\n"
        "  slider: {mass: 3, inertia: [0.005, 0.005, 0.005]}\n"
        "  left: {mass: 5.3, center_of_mass: [-centre, 0, 0], inertia: [along, across, across]}\n"
        "  right: {mass: 5.3, center_of_mass: [centre, 0, 0], inertia: [along, across, across]}\n"
        "joints:\n"
        "  turn: {type: revolute, base: ground, follower: spindle, initial: {velocity: 2*pi}}\n"
        "  slide: {type: prismatic, base: spindle, follower: slider, initial: {position: 0.5,"
        " priority: exact}}\n"
        "  lift_right: {type: revolute, base: spindle, follower: right, axis: [0, 1, 0],"
        " at: {base: [0.05, 0, 1]}, initial: {position: 30 deg, priority: exact}}\n"
        "  lift_left: {type: revolute, base: spindle, follower: left, axis: [0, -1, 0],"
        " at: {base: [-0.05, 0, 1]}, initial: {position: 30 deg, priority: exact}}\n"
        "  telescope_right: {type: custom, row: [r, p, r], base: slider, follower: right,"
        " axes: [[0, 1, 0], [1, 0, 0], [0, 1, 0]],"
        " at: {base: [0.05, 0, 0], follower: [0.5, 0, 0]}, primitives: {"
        "r1: {initial: {position: -0.5}}, r2: {initial: {position: 1}},"
        " p1: {initial: {position: 0.48}, spring: {stiffness: 8e5, rest: 0.5}, damping: 4e4}}}\n"
        "  telescope_left: {type: custom, row: [r, p, r], base: slider, follower: left,"
        " axes: [[0, -1, 0], [-1, 0, 0], [0, -1, 0]],"
        " at: {base: [-0.05, 0, 0], follower: [-0.5, 0, 0]}, primitives: {"
        "r1: {initial: {position: -0.5}}, r2: {initial: {position: 1}},"
        " p1: {initial: {position: 0.52}, spring: {stiffness: 8e5, rest: 0.5}, damping: 4e4}}}\n"
        "outputs: [position(slide), constraint_error()]\n"
        "simulation: {end: 10, rtol: 1e-7}\n";
    double plain[2] = {0}, y[6] = {0, 0.5, acos(-1) / 6, 2 * acos(-1)};
    for (int n = 0; n < 500000; n++) {
        plain_step(y, 6, 0, 2e-5, rate_of_governor, NULL);
        plain[n >= 50000] = y[1];
    }
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        const variant way = variant_at(v);
        const bool is_explicit = way.integrator == DETENT_INTEGRATOR_ERK;
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, way);
        double x[2];
        variant_outputs(sim, way, 1, x, 2);
        variant_check(way, "slider after 1 s", x[0], 0.5014209224, 1e-6);
        variant_check(way, "the same by a plain program", x[0], plain[0], 1e-8);
        variant_check(way, "loops after 1 s", x[1], 0, 1e-12);
        if (!is_explicit) { /* the other one takes steps of some microseconds */
            variant_outputs(sim, way, 10, x, 2);
            variant_check(way, "slider after 10 s", x[0], 0.6196229171, 1e-6);
            variant_check(way, "the same by a plain program", x[0], plain[1], 1e-7);
            variant_check(way, "loops after 10 s", x[1], 0, 1e-12);
        }
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_on_a_rail),
        cmocka_unit_test(like_the_spring_of_a_joint),
        cmocka_unit_test(through_the_point_where_ends_meet),
        cmocka_unit_test(slopes_where_ends_meet),
        cmocka_unit_test(slopes_of_outputs),
        cmocka_unit_test(a_spring_pulls_a_block_loose),
        cmocka_unit_test(ends_that_meet),
        cmocka_unit_test(flyball_governor),
        cmocka_unit_test(flyball_governor_of_telescopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
