/* Bodies that no joint holds, and mechanisms far from the world's origin. In free flight a joint transmits nothing but rounding;
 * far away, what is summed about a point must not be summed about the origin. */

#include "support_runs.h"

/* A free body with two equal moments of inertia precesses: in its own frame the angular velocity goes round its axis at the
 * rate (J3/J1 - 1) w3 (Euler). */
static void test_free_top(void **state)
{
    UNUSED(state);
    static const char text[] = "detent: 1\n"
                               "gravity: [0, 0, 0]\n"
                               "bodies: {top: {mass: 1 kg, inertia: [0.2, 0.2, 0.3]}}\n"
                               "joints:\n"
                               "  space: {type: spherical, base: ground, follower: top,\n"
                               "          initial: {velocity: [0.5, 0, 4]}}\n"
                               "simulation: {end: 10, rtol: 1e-10, atol: 1e-12}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 10);
    detent_error error;
    double w[3], q[4];
    runs_must(detent_read(s, DETENT_VELOCITIES, w, 3, &error), &error);
    runs_must(detent_read(s, DETENT_POSITIONS, q, 4, &error), &error);
    const double rate = (0.3 / 0.2 - 1) * 4;
    runs_near("w1", w[0], 0.5 * cos(rate * 10), 1e-8);
    runs_near("w2", w[1], 0.5 * sin(rate * 10), 1e-8);
    runs_near("w3", w[2], 4, 1e-8);
    runs_near("length of the quaternion", q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1,
              1e-8);
    runs_end(s, m);
}

/* Turning evenly about a principal axis: no acceleration at all, and yet coordinates that curve. */
static void test_even_spin(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {top: {mass: 1 kg, inertia: [0.1, 0.2, 0.25]}}\n"
        "joints:\n"
        "  space: {type: spherical, base: ground, follower: top, initial: {velocity: [0, 0, 4]}}\n"
        "simulation: {end: 10, rtol: 1e-9, atol: 1e-11}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 5);
    detent_error error;
    double q[4];
    runs_must(detent_read(s, DETENT_POSITIONS, q, 4, &error), &error);
    runs_near("w", q[0], cos(10), 1e-7);
    runs_near("k", q[3], sin(10), 1e-7);
    runs_end(s, m);
}

static const char thrown_text[] = "detent: 1\n"
                                  "gravity: [0, 0, -9.81]\n"
                                  "parameters: {wx: 0, wz: 4}\n"
                                  "bodies: {stone: {mass: 2 kg, inertia: [0.1, 0.2, 0.25]}}\n"
                                  "joints:\n"
                                  "  space:\n"
                                  "    type: free\n"
                                  "    base: ground\n"
                                  "    follower: stone\n"
                                  "    primitives:\n"
                                  "      p1: {initial: {velocity: 20 m/s}}\n"
                                  "      p3: {initial: {velocity: 30 m/s}}\n"
                                  "      s1: {initial: {velocity: [wx, 0, wz]}}\n"
                                  "simulation: {end: 5, rtol: 1e-9, atol: 1e-11}\n";

/* About a principal axis it turns evenly, and its angle is known. */
static void test_thrown_stone(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(thrown_text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 5);
    detent_error error;
    double q[7];
    runs_must(detent_read(s, DETENT_POSITIONS, q, 7, &error), &error);
    runs_near("x", q[0], 100, 1e-6);
    runs_near("y", q[1], 0, 1e-6);
    runs_near("z", q[2], 30 * 5 - 0.5 * 9.81 * 25, 1e-6);
    runs_near("w", q[3], cos(10), 1e-7);
    runs_near("k", q[6], sin(10), 1e-7);
    assert_true(runs_relative_energy_gap(s) < 1e-8);
    assert_true(runs_residuals_per_step(s) < 1.2);
    runs_end(s, m);
}

/* Otherwise it tumbles, by the torque-free motion of the same body held at its centre of mass. */
static void test_tumbling_stone(void **state)
{
    UNUSED(state);
    static const char held_text[] = "detent: 1\n"
                                    "gravity: [0, 0, 0]\n"
                                    "bodies: {stone: {mass: 2 kg, inertia: [0.1, 0.2, 0.25]}}\n"
                                    "joints:\n"
                                    "  space: {type: spherical, base: ground, follower: stone,\n"
                                    "          initial: {velocity: [1.5, 0, 4]}}\n"
                                    "simulation: {end: 5, rtol: 1e-9, atol: 1e-11}\n";
    const char *const set[] = {"wx=1.5", NULL};
    detent_error error;
    double thrown[6], held[3];
    detent_mechanism *m = runs_parse(thrown_text, set);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 5);
    runs_must(detent_read(s, DETENT_VELOCITIES, thrown, 6, &error), &error);
    assert_true(runs_residuals_per_step(s) < 1.2);
    runs_end(s, m);
    m = runs_parse(held_text, NULL);
    s = runs_start(m, NULL);
    runs_advance(s, 5);
    runs_must(detent_read(s, DETENT_VELOCITIES, held, 3, &error), &error);
    runs_end(s, m);
    for (int k = 0; k < 3; k++) {
        runs_near("angular velocity", thrown[3 + k], held[k], 1e-7);
    }
}

/* Two bodies joined by a hinge with stiction, let go from rest: no force anywhere, and they fall as one. */
static void test_falling_pair(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1 kg, center_of_mass: [0.1, 0.2, 0.3], inertia: [0.1, 0.2, 0.25]}\n"
        "  b: {mass: 0.7 kg, center_of_mass: [0.3, -0.1, 0.2], inertia: [0.1, 0.2, 0.15]}\n"
        "joints:\n"
        "  space: {type: free, base: ground, follower: a}\n"
        "  arm: {type: revolute, base: a, follower: b, axis: [1, 2, 3],\n"
        "        at: {base: [0.3, 0.2, 0.1], follower: [-0.1, 0.1, 0.2]}}\n"
        "stiction: {arm: {velocity_threshold: 1e-4, kinetic: 0.5, static: 0.6}}\n"
        "simulation: {end: 10, rtol: 1e-9, atol: 1e-11}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 3);
    runs_near("z", runs_position(m, s, "space.p3"), -0.5 * 9.81 * 9, 1e-8);
    assert_int_equal(runs_mode(m, s, "arm"), DETENT_LOCKED);
    assert_true(runs_position(m, s, "arm") == 0.0);
    runs_end(s, m);
}

/* Ten kilometres from the origin a pendulum swings as it does there. */
static void test_far_from_the_origin(void **state)
{
    UNUSED(state);
    static const char *const places[] = {"far=0", "far=1e4"};
    double q[2][2];
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {places[k], NULL};
        detent_mechanism *m = runs_parse(runs_rods_text, set);
        const detent_settings settings = runs_settings(m, 1e-8, 1e-10);
        detent_simulation *s = runs_start(m, &settings);
        runs_advance(s, 3);
        q[k][0] = runs_position(m, s, "shoulder");
        q[k][1] = runs_position(m, s, "elbow");
        assert_true(runs_residuals_per_step(s) < 1.2);
        runs_end(s, m);
    }
    runs_near("shoulder", q[1][0], q[0][0], 1e-6);
    runs_near("elbow", q[1][1], q[0][1], 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_top),     cmocka_unit_test(test_even_spin),
        cmocka_unit_test(test_thrown_stone), cmocka_unit_test(test_tumbling_stone),
        cmocka_unit_test(test_falling_pair), cmocka_unit_test(test_far_from_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
