/*
 * Positions where branches of the motion meet, in all variants: a parallelogram goes through its flat position as a parallelogram, driven
 * and by itself; one whose sides differ by a hair turns between the branches instead; and where the two cannot be told apart the run says so.
 */
#include "support_variants.h"

#include <float.h>

/* Cranks of 0.5 m, 1 m apart, with a bar of 1 m on them; how the first crank moves, by how much the second is longer, more. */
static const char parallelogram[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, center_of_mass: [0, 0.25, 0], inertia: [0.02, 1e-4, 0.02]}\n"
    "  b: {mass: 1, center_of_mass: [0, 0.25, 0], inertia: [0.02, 1e-4, 0.02]}\n"
    "  c: {mass: 2, center_of_mass: [0.5, 0, 0], inertia: [1e-3, 0.1, 0.1]}\n"
    "joints:\n"
    "  A: {type: revolute, base: ground, follower: a, %s}\n"
    "  B: {type: revolute, base: ground, follower: b, at: {base: [1, 0, 0]}, initial: {position: "
    "30 "
    "deg}}\n"
    "  C: {type: revolute, base: a, follower: c, at: {base: [0, 0.5, 0]}, initial: {position: -30 "
    "deg}}\n"
    "  D: {type: revolute, base: b, follower: c, at: {base: [0, %.17g, 0], follower: [1, 0, 0]}, "
    "initial: {position: -30 deg}}\n"
    "%s"
    "outputs: [position(A), velocity(A), position(B), velocity(B), position(C), position(D)]\n"
    "simulation: {end: %g, rtol: 1e-8}\n";

static const char starts[] = "initial: {position: 30 deg}";

/* The same bodies on one crank, which are one body then but for the bar, that does not turn: it is a point on the crank. */
static const char pendulum[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies: {a: {mass: 4, center_of_mass: [0, 0.375, 0], inertia: [1, 1, 0.1025]}}\n"
    "joints: {A: {type: revolute, base: ground, follower: a, initial: {position: 30 deg}}}\n"
    "outputs: [position(A), velocity(A)]\n"
    "simulation: {end: 4, rtol: 1e-11}\n";

static detent_mechanism *parse(const char *first, double longer, const char *more, double end)
{
    char text[4096];
    snprintf(text, sizeof text, parallelogram, first, 0.5 + longer, more, end);
    return runs_parse(text, NULL);
}

static size_t leaps(detent_simulation *sim)
{
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_get_statistics(sim, &s);
    return s.leaps;
}

static void driven_through_flat(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = parse("motion: 30 deg + 2*t", 0, "", 10);
        detent_simulation *sim = variant_start(m, v);
        double x[6];
        for (int n = 1; n <= 10; n++) {
            variant_outputs(sim, v, n, x, 6);
            variant_near(v, x[2], x[0], 1e-10);
            variant_near(v, x[3], 2, 1e-9);
            variant_near(v, x[4], -x[0], 1e-10);
            variant_near(v, x[5], -x[0], 1e-10);
        }
        assert_true(leaps(sim) >= 5); /* of seven times */
        runs_end(sim, m);
    }
}

/** By itself it is a pendulum, which shares nothing with it. */
static void swings_through_flat(void **state)
{
    (void)state;
    detent_mechanism *simple = runs_parse(pendulum, NULL);
    detent_simulation *exact = runs_start(simple, NULL);
    double wanted[4][2];
    detent_error error;
    for (int n = 0; n < 4; n++) {
        runs_advance(exact, n + 1);
        runs_must(detent_read(exact, DETENT_OUTPUTS, wanted[n], 2, &error), &error);
    }
    runs_end(exact, simple);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = parse(starts, 0, "", 4);
        detent_simulation *sim = variant_start(m, v);
        double x[6];
        for (int n = 0; n < 4; n++) {
            variant_outputs(sim, v, n + 1, x, 6);
            variant_near(v, x[0], wanted[n][0], 1e-6);
            variant_near(v, x[1], wanted[n][1], 1e-6);
            variant_near(v, x[2], x[0], 1e-10);
        }
        assert_true(leaps(sim) >= 5);
        runs_end(sim, m);
    }
}

/**
 * A torque that is sampled a thousand times a second changes on the way over the flat position. Against the pendulum with
 * that torque.
 */
static void sampled_torque_through_flat(void **state)
{
    static const char torque[] = "stiction: {A: {kinetic: 0, static: 0, external: "
                                 "\"if(mod(t, 0.001) < 0.0005, 0.2, 0) - 0.5*velocity(A)\"}}\n";
    char text[2000];
    double wanted[2], x[6];
    detent_error error;
    (void)state;
    snprintf(text, sizeof text, "%s%s", pendulum, torque);
    detent_mechanism *simple = runs_parse(text, NULL);
    detent_simulation *exact = runs_start(simple, NULL);
    runs_advance(exact, 1.2);
    runs_must(detent_read(exact, DETENT_OUTPUTS, wanted, 2, &error), &error);
    runs_end(exact, simple);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = parse(starts, 0, torque, 1.2);
        detent_settings settings = variant_settings(m, v);
        settings.rtol = 1e-6;
        detent_simulation *sim = runs_start(m, &settings);
        variant_outputs(sim, v, 1.2, x, 6);
        variant_near(v, x[0], wanted[0], 3e-5); /* IDA starts anew at each switch */
        variant_near(v, x[2], x[0], 1e-9);
        assert_true(leaps(sim) >= 6);
        runs_end(sim, m);
    }
}

/** Who measures ten thousand times a second, and does not act, changes no force on the way over the flat position: it is one leap still. */
static void measured_over_flat(void **state)
{
    static const char measures[] =
        "sampled: {angle: {every: 1e-4, value: position(A)}, late: {every: 1e-4, value: angle}}\n";
    (void)state;
    detent_mechanism *simple = runs_parse(pendulum, NULL);
    detent_simulation *exact = runs_start(simple, NULL);
    double wanted[2], x[6];
    detent_error error;
    runs_advance(exact, 1.2);
    runs_must(detent_read(exact, DETENT_OUTPUTS, wanted, 2, &error), &error);
    runs_end(exact, simple);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = parse(starts, 0, measures, 1.2);
        detent_settings settings = variant_settings(m, v);
        settings.rtol = 1e-7;
        detent_simulation *sim = runs_start(m, &settings);
        variant_outputs(sim, v, 1.2, x, 6);
        variant_near(v, x[0], wanted[0], 1e-6);
        variant_near(v, x[2], x[0], 1e-9);
        assert_in_range(leaps(sim), 1, 3); /* of two times */
        runs_end(sim, m);
    }
}

/** A program sets the torque a thousand times a second; where the first crank is at the end. */
static double controlled(detent_simulation *sim, variant v, size_t outputs)
{
    double x[6];
    detent_error error;
    for (int k = 0; k < 1200; k++) {
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, outputs, &error), &error);
        runs_must(detent_set_input(sim, 0, 0.1 * sin(0.02 * k) - 0.5 * x[1], &error), &error);
        variant_advance(sim, v, 1e-3 * (k + 1));
    }
    variant_outputs(sim, v, 1.2, x, outputs);
    return x[0];
}

/** The same, with what the program has read, against the pendulum. */
static void controlled_through_flat(void **state)
{
    static const char motor[] =
        "inputs: {u: 0}\nstiction: {A: {kinetic: 0, static: 0, external: \"u\"}}\n";
    char text[2000];
    (void)state;
    snprintf(text, sizeof text, "%s%s", pendulum, motor);
    detent_mechanism *simple = runs_parse(text, NULL);
    detent_simulation *exact = runs_start(simple, NULL);
    const double wanted = controlled(exact, variant_at(0), 2);
    runs_end(exact, simple);
    for (size_t k = variant_first(); k < VARIANTS; k += 4) { /* the three integrators */
        const variant v = variant_at(k);
        detent_mechanism *m = parse(starts, 0, motor, 1.2);
        detent_settings settings = variant_settings(m, v);
        settings.rtol = 1e-7;
        detent_simulation *sim = runs_start(m, &settings);
        variant_near(v, controlled(sim, v, 6), wanted, 1e-5);
        assert_true(leaps(sim) >= 6);
        runs_end(sim, m);
    }
}

/**
 * Friction of the second crank has to come through the bar, whose lever is zero where it is flat: forces grow without bound there, and the
 * motion is smooth all the same. It stops somewhere.
 */
static void stops_after_flat(void **state)
{
    static const char friction[] = "stiction:\n"
                                   "  A: {kinetic: 0.5, static: 0.9}\n"
                                   "  B: {kinetic: 0.8, static: 0.9}\n";
    double first[6], x[6];
    bool known = false;
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = parse(starts, 0, friction, 12);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 12, x, 6);
        for (int i = 0; i < 6; i++) {
            first[i] = known ? first[i] : x[i];
            variant_near(v, x[i], first[i], 1e-5);
        }
        known = true;
        assert_true(leaps(sim) >= 3);
        runs_end(sim, m);
    }
}

/** Crank and rod of one length: where they stand across the rail the slider might stay, and they turn. It slides on: at 2 l cos(A). */
static void slides_from(double degrees)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.25, 0, 0], inertia: [0.02, 0.02, 0.02]}\n"
        "  rod: {mass: 0.7, center_of_mass: [0.25, 0, 0], inertia: [0.02, 0.02, 0.02]}\n"
        "  slider: {mass: 0.5}\n"
        "joints:\n"
        "  A: {type: revolute, base: ground, follower: crank, initial: {position: %.17g deg, "
        "velocity: 5}}\n"
        "  B: {type: revolute, base: crank, follower: rod, at: {base: [0.5, 0, 0]}, initial: "
        "{position: %.17g deg}}\n"
        "  C: {type: revolute, base: rod, follower: slider, at: {base: [0.5, 0, 0]}, initial: "
        "{position: %.17g deg}}\n"
        "  D: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
        "{position: 0.93969}}\n"
        "outputs: [position(A), velocity(A), position(B), position(D)]\n"
        "simulation: {end: 3, rtol: 1e-8}\n";
    char own[2048];
    double first = NAN, x[4];
    snprintf(own, sizeof own, text, degrees, -2 * degrees, degrees);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(own, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 6; n++) {
            variant_outputs(sim, v, 0.5 * n, x, 4);
            variant_near(v, x[2], -2 * x[0], 1e-9);
            variant_near(v, x[3], cos(x[0]), 1e-9);
        }
        first = isnan(first) ? x[0] : first;
        variant_near(v, x[0], first, 1e-5);
        assert_true(leaps(sim) >= 3);
        runs_end(sim, m);
    }
}

/** Wherever steps end before it. */
static void slides_through_the_middle(void **state)
{
    static const double degrees[] = {20, 20.11, 20.31, 20.35, 20.41};
    (void)state;
    for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++) {
        slides_from(degrees[k]);
    }
}

/** The lift of `mechanisms` is pushed until all its bars stand on each other, and over that: it comes down on the other side. */
static void lift_goes_over_its_top(void **state)
{
    double first = NAN, x[3];
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("scissor_lift.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 2.2, x, 3);
        first = isnan(first) ? x[1] : first;
        variant_near(v, x[1], first, 1e-5);
        assert_true(x[0] < -0.1 && leaps(sim) >= 1);
        runs_end(sim, m);
    }
}

/** The branches are apart by 2e-7 rad/m of difference and more: the motion turns sharply where they are nearest, in all variants. */
static void turns_between_branches(void **state)
{
    static const double longer[] = {1e-2, 1e-5};
    (void)state;
    for (size_t l = 0; l < 2; l++) {
        double first = NAN, x[6];
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = parse(starts, longer[l], "", 2);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 2, x, 6);
            first = isnan(first) ? x[0] : first;
            variant_near(v, x[0], first, 1e-5);
            assert_true(fabs(x[2] - x[0]) > 0.1); /* an antiparallelogram */
            assert_true(leaps(sim) == 0);
            runs_end(sim, m);
        }
    }
}

/** However loose the tolerance, and long the steps: none goes straight on where the branches are apart by some 1e5 roundings. */
static void turns_at_any_tolerance(void **state)
{
    static const double longer[] = {1e-8, 1e-10}, rtol[] = {1e-3, 1e-4};
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = parse(starts, longer[n / 2], "", 1);
            detent_settings settings = variant_settings(m, v);
            settings.rtol = rtol[n % 2];
            detent_simulation *sim = runs_start(m, &settings);
            double x[6];
            variant_outputs(sim, v, 0.6, x, 6);
            variant_near(v, x[0], 3.6511, 1e-3); /* straight on: 3.2465 */
            variant_near(v, x[2], 0.5376, 1e-3);
            runs_end(sim, m);
        }
    }
}

/** Sides that differ by a thousand roundings: what comes next is not known, and that is said. */
static void cannot_be_told_apart(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = parse(starts, 1e-12, "", 4);
        detent_simulation *sim = variant_start(m, v);
        detent_error error = {.message = ""};
        assert_true(detent_advance(sim, 4, false, &error) == DETENT_ERROR_SOLVER);
        assert_non_null(strstr(error.message, "branches of the motion meet"));
        runs_end(sim, m);
    }
}

/* A start exactly there, with a velocity or a motion of one crank: what is said is that branches meet, in mechanisms without modes too. */
static void starts_there(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.01, 0.02, 0.02], center_of_mass: [0.25, 0, 0]}\n"
        "  b: {mass: 1, inertia: [0.01, 0.02, 0.02], center_of_mass: [0.5, 0, 0]}\n"
        "  c: {mass: 1, inertia: [0.01, 0.02, 0.02], center_of_mass: [0.25, 0, 0]}\n"
        "joints:\n"
        "  j1: {type: revolute, base: ground, follower: a, %s}\n"
        "  j2: {type: revolute, base: a, follower: b, at: {base: [0.5, 0, 0]}}\n"
        "  j3: {type: revolute, base: ground, follower: c, at: {base: [1, 0, 0]}}\n"
        "  j4: {type: revolute, base: b, follower: c, at: {base: [1, 0, 0], follower: [0.5, 0, "
        "0]}}\n";
    static const char *const ways[] = {"initial: {velocity: 1}", "motion: 1*t"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char own[2048];
        detent_error error = {.message = ""};
        detent_simulation *sim = NULL;
        snprintf(own, sizeof own, text, ways[k]);
        detent_mechanism *m = runs_parse(own, NULL);
        detent_status status = detent_simulation_create(m, NULL, &sim, &error);
        status = status ? status : detent_advance(sim, 0.01, false, &error);
        assert_int_equal(status, k == 0 ? DETENT_NO_CONSISTENT_STATE : DETENT_ERROR_MODEL);
        assert_non_null(strstr(error.message, "branches of the motion meet at this position"));
        assert_null(strstr(error.message, "modes"));
        detent_simulation_destroy(sim);
        detent_mechanism_destroy(m);
    }
}

/** A run to the end at tight tolerances; returns its steps. */
static size_t steps_of(const char *file)
{
    detent_error error;
    detent_statistics now = DETENT_INIT(detent_statistics);
    detent_mechanism *m = runs_load(file, NULL);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    settings.rtol = 1e-9;
    settings.atol = 1e-11;
    settings.locked_joints = DETENT_LOCKED_JOINTS_CONSTRAIN;
    detent_simulation *sim = runs_start(m, &settings);
    runs_must(detent_advance(sim, settings.end, false, &error), &error);
    detent_get_statistics(sim, &now);
    runs_end(sim, m);
    return now.steps;
}

/**
 * Near a meeting for most of its time, to which no leap leads on, a run takes ordinary steps, and many where tolerances are tight. Leaps
 * that end before they have begun, since a limit is near, are not made again and again.
 */
static void lives_near(void **state)
{
    (void)state;
    const size_t steps = steps_of("../tests/found/lives_near_a_meeting.yaml");
    assert_true(steps > 20000 && steps < 60000);
    assert_true(steps_of("../tests/found/leaps_cut_short.yaml") < 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(driven_through_flat),
        cmocka_unit_test(swings_through_flat),
        cmocka_unit_test(slides_through_the_middle),
        cmocka_unit_test(lift_goes_over_its_top),
        cmocka_unit_test(sampled_torque_through_flat),
        cmocka_unit_test(measured_over_flat),
        cmocka_unit_test(controlled_through_flat),
        cmocka_unit_test(stops_after_flat),
        cmocka_unit_test(turns_between_branches),
        cmocka_unit_test(turns_at_any_tolerance),
        cmocka_unit_test(cannot_be_told_apart),
        cmocka_unit_test(starts_there),
        cmocka_unit_test(lives_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
