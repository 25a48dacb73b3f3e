/*
 * Joints that come to their stops: bounces that accumulate, cradles, stops that push while friction holds, compliant ones, loops; by
 * formulas and hand calculations.
 */
#include "support_changes.h"
#include "support_trees.h"
#include "support_variants.h"

#include <float.h>

enum { BALLS = 5 };

/* ---- bouncing ---- */

/** From h the first impact is after sqrt(2 h / g), and all bounces together take 2 v e / (g (1 - e)). */
static void bounces_end_in_contact(void **state)
{
    static const double restitutions[] = {0, 0.2, 0.5, 0.8, 0.5, 0.7},
                        floors[] = {0, 0, 0, 0, 0.3, -0.7};
    (void)state;
    for (size_t n = 0; n < sizeof restitutions / sizeof *restitutions; n++) {
        const double e = restitutions[n], at = floors[n], g = 9.81, fall = sqrt(2 / g),
                     rest = fall + 2 * fall * e / (1 - e);
        char text[1024];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, -9.81]\nbodies: {ball: {mass: 2}}\n"
                 "joints:\n"
                 "  z: {type: prismatic, base: ground, follower: ball, axis: [0, 0, 1], initial: "
                 "{position: %g}}\n"
                 "stops: {floor: {joint: z, side: lower, at: %g, restitution: %g}}\n"
                 "outputs: [position(z), velocity(z), friction(z), stop_force(z), impact_loss()]\n"
                 "simulation: {end: 6, rtol: 1e-11}\n",
                 at + 1, at, e);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            runs_log log = {0};
            double x[5];
            runs_record(sim, 6, &log);
            variant_near(v, runs_time_of(&log, 0, DETENT_LOCKED, 0), rest, 1e-9);
            variant_outputs(sim, v, 6, x, 5);
            assert_true(x[0] == at && x[1] == 0 && x[2] == 0);
            variant_near(v, x[3], 2 * g, 1e-12);
            variant_near(v, x[4], 2 * g, 1e-8);
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

/** Thrown back at once, and by a restitution of 1 as fast as it came: after 100 bounces as high as at first. */
static void bounces_for_ever(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -9.81]\nbodies: {ball: {mass: 2}}\n"
        "joints:\n"
        "  z: {type: prismatic, base: ground, follower: ball, axis: [0, 0, 1], initial: "
        "{position: 1.5}}\n"
        "stops: {floor: {joint: z, side: lower, at: 0.5, restitution: 1}}\n"
        "outputs: [position(z), velocity(z)]\n"
        "simulation: {end: 100, rtol: 1e-10}\n";
    (void)state;
    const double fall = sqrt(2 / 9.81);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[2];
        variant_outputs(sim, v, 100 * fall, x, 2);
        variant_near(v, x[0], 1.5, 1e-6);
        variant_near(v, x[1], 0, 1e-5);
        runs_end(sim, m);
    }
}

/* ---- cradles ---- */

static detent_mechanism *cradle(const char *gap, const char *restitution)
{
    const char *const set[] = {gap, restitution, NULL};
    return runs_load("newtons_cradle.yaml", set);
}

/** With gaps they hit each other one by one, and one goes out; touching ones are one impact, and all go out. */
static void newtons_cradle(void **state)
{
    static const double apart[] = {0, 0, 0, 0, 1}, touching[] = {-0.6, 0.4, 0.4, 0.4, 0.4};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int touch = 0; touch < 2; touch++) {
            detent_mechanism *m = cradle(touch ? "gap=0" : "gap=1 mm", "restitution=1");
            detent_simulation *sim = variant_start(m, v);
            double x[BALLS + 1];
            variant_outputs(sim, v, 3, x, BALLS + 1);
            for (int i = 0; i < BALLS; i++) {
                variant_near(v, x[i], touch ? touching[i] : apart[i], 1e-12);
            }
            variant_near(v, x[BALLS], 0.5, 1e-12);
            runs_end(sim, m);
        }
    }
}

/** Without restitution those that meet go on together. */
static void plastic_cradle(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = cradle("gap=0", "restitution=0");
        detent_simulation *sim = variant_start(m, v);
        double x[BALLS + 1];
        variant_outputs(sim, v, 3, x, BALLS + 1);
        for (int i = 0; i < BALLS; i++) {
            variant_near(v, x[i], 0.2, 1e-12);
        }
        runs_end(sim, m);
    }
}

/* ---- with friction, at once, on loops ---- */

/** m v' = -F until the wall, thrown back by e, and on until it rests: 3 m/s, 2 kg, 4 N, wall at 1 m. */
static void wall_and_friction(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 2}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], initial: "
        "{velocity: 3}}}\n"
        "stops: {wall: {joint: x, side: upper, at: 1, restitution: 0.6}}\n"
        "stiction: {x: {kinetic: 4, static: 6, external: \"if(t < 2, 0, if(t < 3, 20, -5.5*(t - "
        "2)))\"}}\n"
        "outputs: [position(x), velocity(x), friction(x), stop_force(x)]\n"
        "simulation: {end: 6, rtol: 1e-10}\n";
    const double hit = (3 - sqrt(9 - 4)) / 2, after = 0.6 * sqrt(5), rest = hit + after / 2,
                 place = 1 - after * after / 4;
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        double x[4];
        runs_record(sim, 1.9, &log);
        variant_near(v, runs_time_of(&log, 0, DETENT_LOCKED, 0), rest, 1e-9);
        variant_outputs(sim, v, 1.9, x, 4);
        variant_near(v, x[0], place, 1e-9);
        /* pushed to the wall, and against it: what friction could hold the wall holds */
        variant_outputs(sim, v, 2.99, x, 4);
        assert_true(x[0] == 1 && x[1] == 0 && x[2] == 0);
        variant_near(v, x[3], -20, 1e-12);
        /* and away: friction holds first, 6 N */
        variant_outputs(sim, v, 3.05, x, 4);
        assert_true(x[0] == 1 && x[3] == 0);
        variant_near(v, x[2], 5.5 * 1.05, 1e-12);
        const double leaves = 2 + 6 / 5.5;
        runs_log_free(&log);
        runs_record(sim, 4, &log);
        variant_near(v, runs_time_of(&log, 0, DETENT_WAIT, 0), leaves, 1e-9);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/** Two blocks that come to their walls at one time: one event. */
static void two_at_once(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 3}}\n"
        "joints:\n"
        "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: {velocity: "
        "2}}\n"
        "  y: {type: prismatic, base: a, follower: b, axis: [0, 1, 0], initial: {velocity: -1}}\n"
        "stops:\n"
        "  right: {joint: x, side: upper, at: 1, restitution: 0.5}\n"
        "  down: {joint: y, side: lower, at: -0.5, restitution: 0.25}\n"
        "outputs: [velocity(x), velocity(y)]\n"
        "simulation: {end: 1, rtol: 1e-9}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_error error;
        size_t changes = 0;
        double x[2];
        assert_int_equal(detent_advance(sim, 1, true, &error), DETENT_EVENT);
        const detent_mode_change *change = last_event(sim, &changes);
        assert_int_equal(changes, 2);
        variant_near(v, change[0].time, 0.5, 1e-9);
        assert_true(change[0].cause == DETENT_CAUSE_IMPACT &&
                    change[1].cause == DETENT_CAUSE_IMPACT);
        variant_outputs(sim, v, 0.6, x, 2);
        variant_near(v, x[0], -1, 1e-12);
        variant_near(v, x[1], 0.25, 1e-12);
        runs_end(sim, m);
    }
}

/** What a law makes of accelerations is a finite force: the wall hits a, and b goes on as it went. */
static void laws_have_no_impulse(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "joints:\n"
        "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: {velocity: "
        "2}, stops: {upper: {at: 1, restitution: 0.5}}}\n"
        "  y: {type: prismatic, base: a, follower: b, axis: [1, 0, 0], force: "
        "\"-3*acceleration(y)\"}\n"
        "outputs: [velocity(x), velocity(y), impact_loss()]\n"
        "simulation: {end: 1, rtol: 1e-9}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[3];
        variant_outputs(sim, v, 1, x, 3);
        variant_near(v, x[0], -1, 1e-12);
        variant_near(v, x[1], 3, 1e-12);
        variant_near(v, x[2], 1.5, 1e-12);
        runs_end(sim, m);
    }
}

/** A slider-crank with stops of its slider: the same wherever its loop is cut. */
static void stops_of_a_loop(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "  rod: {mass: 0.7, center_of_mass: [0.4, 0, 0], inertia: [0.02, 0.05, 0.05]}\n"
        "  slider: {mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"
        "joints:\n"
        "  A: {type: revolute, base: ground, follower: crank, initial: {position: 1, velocity: 4, "
        "priority: exact}}\n"
        "  B: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}, initial: "
        "{position: -1.3}}\n"
        "  C: {type: revolute, base: rod, follower: slider, at: {base: [0.8, 0, 0]}, initial: "
        "{position: 0.3}%s}\n"
        "  D: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
        "{position: 0.9}%s}\n"
        "stops:\n"
        "  wall: {joint: D, side: lower, at: 0.7, restitution: 0.4}\n"
        "  far: {joint: D, side: upper, at: 1.05, restitution: 0.2}\n"
        "stiction: {A: {kinetic: 0.1, static: 0.2}}\n"
        "outputs: [position(A), velocity(A), position(D), velocity(D), stop_force(D)]\n"
        "simulation: {end: 4, rtol: 1e-9}\n";
    double first[4] = {NAN, NAN, NAN, NAN};
    (void)state;
    for (int cut = 0; cut < 2; cut++) {
        char own[2048];
        snprintf(own, sizeof own, text, cut == 0 ? ", closes: true" : "",
                 cut == 1 ? ", closes: true" : "");
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = runs_parse(own, NULL);
            detent_simulation *sim = variant_start(m, v);
            double x[5];
            variant_outputs(sim, v, 0.9, x, 5);
            for (int n = 0; n < 4; n++) {
                first[n] = isnan(first[n]) ? x[n] : first[n];
                variant_near(v, x[n], first[n], 1e-6);
            }
            variant_outputs(sim, v, 4, x, 5);
            assert_true(x[2] == 1.05 && x[1] == 0 && x[3] == 0);
            variant_near(v, x[4], -11.40516739489, 1e-9);
            runs_end(sim, m);
        }
    }
}

/* ---- compliant ---- */

/** m x'' = -k x - d x' in contact: how long it lasts and how fast it leaves, until the force would pull. */
static void compliant(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 2}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], initial: "
        "{position: 0.1, velocity: -1}}}\n"
        "stops: {wall: {joint: x, side: lower, at: 0, stiffness: 800, damping: 8}}\n"
        "outputs: [position(x), velocity(x), potential_energy(), damping_work(), "
        "actuation_work()]\n"
        "simulation: {end: 1, rtol: 1e-10}\n";
    /* w = 20, zeta = 0.1: the force k x + d x' is zero first where tan(w1 t) = 2 zeta sqrt(1 - zeta^2) / (2 zeta^2 - 1) */
    const double w = 20, zeta = 0.1, w1 = w * sqrt(1 - zeta * zeta),
                 t = atan2(2 * zeta * sqrt(1 - zeta * zeta), 2 * zeta * zeta - 1) / w1,
                 speed = exp(-zeta * w * t) * -(cos(w1 * t) - zeta * w / w1 * sin(w1 * t));
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[5];
        const double s = 0.05, deep = -exp(-zeta * w * s) / w1 * sin(w1 * s);
        variant_outputs(sim, v, 0.1 + s, x, 5);
        variant_near(v, x[0], deep, 1e-9);
        variant_near(v, x[2], 400 * deep * deep, 1e-7);
        variant_near(v, x[3], x[1] * x[1] + x[2] - 1, 1e-8);
        variant_near(v, x[4], 0, 1e-12);
        variant_outputs(sim, v, 1, x, 5);
        variant_near(v, x[1], speed, 1e-7);
        variant_near(v, x[2], 0, 0);
        variant_near(v, x[3], speed * speed - 1, 1e-7);
        variant_near(v, x[4], 0, 1e-12);
        runs_end(sim, m);
    }
}

/**
 * A relay keeps the velocity of a sled, and a box on it rests by friction that could hold against neither side of the relay alone: it is not let go, be
 * it for a moment, as a ball bounces elsewhere.
 */
static void a_relay_that_nobody_strikes(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, -10, 0]\nbodies: {sled: {mass: 1}, box: {mass: 1}, "
                       "ball: {mass: 1}}\n"
                       "joints:\n"
                       "  x: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], "
                       "force: \"if(velocity(x) < 0.1, 3, -14) "
                       "+ 0.5*sin(3*t)\"}\n"
                       "  y: {type: prismatic, base: sled, follower: box, axis: [1, 0, 0]}\n"
                       "  z: {type: prismatic, base: ground, follower: ball, axis: [0, 1, 0], "
                       "initial: {position: 0.3}, stops: "
                       "{lower: {at: 0, restitution: 0.9}}}\n"
                       "stiction: {y: {static: 4, kinetic: 3.5}}\nsimulation: {end: 2}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        const size_t y = (size_t)detent_find(m, DETENT_STICTION, "y");
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_status status;
        detent_error error;
        int direction;
        while ((status = detent_advance(sim, 2, true, &error)) == DETENT_EVENT) {
            assert_int_equal(detent_get_mode(sim, y, &direction), DETENT_LOCKED);
        }
        runs_must(status, &error);
        detent_get_statistics(sim, &statistics);
        assert_true(statistics.impacts >= 4);
        variant_near(v, runs_velocity(m, sim, "x"), 0.1, 1e-6);
        assert_true(runs_position(m, sim, "y") == 0);
        runs_end(sim, m);
    }
}

/** Who is in wait, below its threshold, and is thrown beyond it the way it goes is unlocked by that impact. */
static void thrown_beyond_the_threshold(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\njoints:\n"
            "  x: {type: prismatic, base: ground, follower: a, initial: {position: 1e-4, velocity: "
            "-1}, stops: {lower: {at: 0, restitution: 0.3}}}\n"
            "  y: {type: prismatic, base: a, follower: b, initial: {velocity: -0.001}}\n"
            "stiction: {y: {static: 0.1, kinetic: 0.1, velocity_threshold: 0.01}}\n"
            "simulation: {end: 1}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        const size_t y = (size_t)detent_find(m, DETENT_STICTION, "y");
        int direction;
        assert_int_equal(detent_get_mode(sim, y, &direction), DETENT_WAIT);
        variant_advance(sim, v, 2e-4);
        assert_int_equal(detent_get_mode(sim, y, &direction), DETENT_UNLOCKED);
        assert_int_equal(direction, -1);
        variant_near(v, runs_velocity(m, sim, "y"), -1.301, 1e-4); /* friction takes 2e-5 */
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_end_in_contact),
        cmocka_unit_test(bounces_for_ever),
        cmocka_unit_test(newtons_cradle),
        cmocka_unit_test(plastic_cradle),
        cmocka_unit_test(wall_and_friction),
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(laws_have_no_impulse),
        cmocka_unit_test(stops_of_a_loop),
        cmocka_unit_test(compliant),
        cmocka_unit_test(a_relay_that_nobody_strikes),
        cmocka_unit_test(thrown_beyond_the_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
