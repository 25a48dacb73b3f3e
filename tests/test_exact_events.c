/* Single events whose outcome is known exactly: joints that break at one instant, loads that just reach their limit,
 * different limits forward and backward, and velocities that the locking band takes away. */

#include "support_changes.h"
#include "support_runs.h"

static size_t next_event(detent_simulation *s, double end)
{
    detent_error error;
    size_t count = 0;
    if (detent_advance(s, end, true, &error) == DETENT_EVENT) {
        last_event(s, &count);
    }
    return count;
}

/* Three blocks on axes of their own, with the same load over limit: one event, and nobody is first. */
static void test_equal_loads_break_in_one_event(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}, c: {mass: 2 kg}}\n"
        "joints:\n"
        "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
        "  b: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0]}\n"
        "  c: {type: prismatic, base: ground, follower: c, axis: [0, 0, 1]}\n"
        "stiction:\n"
        "  a: {velocity_threshold: 1e-4, kinetic: 1, static: 1, external: 0.1*t}\n"
        "  b: {velocity_threshold: 1e-4, kinetic: 1, static: 1, external: 0.1*t}\n"
        "  c: {velocity_threshold: 1e-4, kinetic: 2, static: 2, external: -0.2*t}\n"
        "simulation: {end: 20, rtol: 1e-9, atol: 1e-11}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    assert_int_equal(next_event(s, 20), 3);
    runs_near("time of the break", detent_time(s), 10, 1e-9);
    static const int expected[] = {1, 1, -1};
    for (size_t k = 0; k < 3; k++) {
        int direction;
        assert_int_equal(detent_get_mode(s, k, &direction), DETENT_WAIT);
        assert_int_equal(direction, expected[k]);
    }
    runs_advance(s, 12);
    runs_near("a", runs_position(m, s, "a"), 0.1 * 8 / 6, 1e-8);
    runs_near("b", runs_position(m, s, "b"), 0.1 * 8 / 6, 1e-8);
    runs_near("c", runs_position(m, s, "c"), -0.1 * 8 / 6, 1e-8);
    runs_end(s, m);
}

/* At its limit, and not beyond it, a joint holds: all the time, or for the moment in which the load touches it. */
static void test_loads_that_just_reach_their_limit_hold(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n"
        "joints:\n"
        "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
        "  b: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}\n"
        "stiction:\n"
        "  a: {velocity_threshold: 1e-4, kinetic: 1.5, static: 1.5, external: 1.5}\n"
        "  b: {velocity_threshold: 1e-4, kinetic: 1, static: 1, external: sin(t)}\n"
        "simulation: {end: 20, rtol: 1e-9, atol: 1e-11, interval: 0.02}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 20);
    assert_true(runs_position(m, s, "a") == 0.0 && runs_velocity(m, s, "a") == 0.0);
    /* The load of b touches the limit to rounding: released or not, it goes nowhere. */
    runs_near("b", runs_position(m, s, "b"), 0, 1e-9);
    runs_end(s, m);
}

/* Different limits: 2 sin t breaks a limit of 1.5 forward at asin(3/4); after stopping, 0.7 backward. */
static void test_limits_of_two_directions(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1 kg}}\n"
        "joints: {a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}}\n"
        "parameters: {push: 2}\n"
        "stiction:\n"
        "  a: {velocity_threshold: 1e-4, kinetic: \"if(dir > 0, 1, 0.5)\", forward: -1.5,\n"
        "      reverse: 0.7, external: push*sin(t)}\n"
        "simulation: {end: 20, rtol: 1e-10, atol: 1e-12}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    assert_int_equal(next_event(s, 20), 1);
    runs_near("forward break", detent_time(s), asin(0.75), 1e-9);
    /* v(t) = 2 (cos t0 - cos t) - (t - t0) */
    const double t0 = asin(0.75);
    runs_advance(s, 2);
    runs_near("velocity", runs_velocity(m, s, "a"), 2 * (cos(t0) - cos(2)) - (2 - t0), 1e-9);
    runs_end(s, m);

    static const char *const backward[] = {"push=-1", NULL};
    m = runs_parse(text, backward);
    s = runs_start(m, NULL);
    assert_int_equal(next_event(s, 20), 1);
    const double t1 = asin(0.7);
    runs_near("backward break", detent_time(s), t1, 1e-9);
    runs_advance(s, 2);
    runs_near("velocity", runs_velocity(m, s, "a"), -(cos(t1) - cos(2)) + 0.5 * (2 - t1), 1e-9);
    runs_end(s, m);
}

/* One block of 1 kg at 1 m/s under 1 N: stops by the band where v = vth, and loses what is left. */
static void test_band_stops_at_its_velocity(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1 kg}}\n"
        "joints: {a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0],\n"
        "             initial: {velocity: 1}}}\n"
        "stiction: {a: {velocity_threshold: 0.1, kinetic: 1, static: 1, locking: band}}\n"
        "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    assert_int_equal(next_event(s, 2), 1);
    assert_int_equal(runs_mode(m, s, "a"), DETENT_LOCKED);
    runs_near("time", detent_time(s), 0.9, 1e-8);
    runs_advance(s, 2);
    runs_near("place", runs_position(m, s, "a"), 0.5 * (1 - 0.01), 1e-8);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    runs_near("loss", statistics.impact_loss, 0.5 * 0.01, 1e-8);
    assert_true(runs_relative_energy_gap(s) < 1e-8);
    runs_end(s, m);
}

/* A block slides on a free sled: the band stops it there by an impulse between the two, which keeps their momentum. */
static void test_band_keeps_the_momentum_of_the_rest(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {sled: {mass: 3 kg}, block: {mass: 1 kg}}\n"
        "joints:\n"
        "  sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0]}\n"
        "  block: {type: prismatic, base: sled, follower: block, axis: [1, 0, 0],\n"
        "          initial: {velocity: 1}}\n"
        "stiction: {block: {velocity_threshold: 0.1, kinetic: 1, static: 1, locking: band}}\n"
        "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    assert_int_equal(next_event(s, 2), 1);
    runs_near("time", detent_time(s), 0.9 / (1 + 1.0 / 3), 1e-8);
    assert_true(runs_velocity(m, s, "block") == 0.0);
    runs_near("common velocity", runs_velocity(m, s, "sled"), 0.25, 1e-8);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    runs_near("loss", statistics.impact_loss, 0.5 * 0.75 * 0.01, 1e-8); /* reduced mass 3/4 kg */
    runs_advance(s, 2);
    assert_true(runs_relative_energy_gap(s) < 1e-8);
    runs_end(s, m);
}

/** Friction that depends on time keeps the joint out of every group; still it does not move. */
static void locked_joints_do_not_move(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "joints:\n"
        "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0],\n"
        "      initial: {position: 0.7}}\n"
        "  b: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0],\n"
        "      initial: {position: 1}, spring: {stiffness: 10}}\n"
        "stiction: {a: {velocity_threshold: 1e-6, kinetic: 1, static: 1,\n"
        "               external: 0.999*sin(t)}}\n"
        "simulation: {end: 20}\n";
    UNUSED(state);
    for (int k = 0; k < 3; k++) {
        detent_mechanism *mechanism = runs_parse(text, NULL);
        detent_settings settings = runs_settings(mechanism, 0, 0);
        settings.integrator = (detent_integrator)k;
        detent_simulation *simulation = runs_start(mechanism, &settings);
        for (int row = 1; row <= 2000; row++) {
            runs_advance(simulation, 0.01 * row);
            assert_true(runs_position(mechanism, simulation, "a") == 0.7);
        }
        runs_end(simulation, mechanism);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_loads_break_in_one_event),
        cmocka_unit_test(test_loads_that_just_reach_their_limit_hold),
        cmocka_unit_test(test_limits_of_two_directions),
        cmocka_unit_test(test_band_stops_at_its_velocity),
        cmocka_unit_test(test_band_keeps_the_momentum_of_the_rest),
        cmocka_unit_test(locked_joints_do_not_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
