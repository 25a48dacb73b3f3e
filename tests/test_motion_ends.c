/* A motion by a table that ends where the run ends, with a velocity: the run is over before it would jump, for who goes on it does. */
#include "support_runs.h"

static const char *const lift =
    "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\n"
    "tables: {z: {of: [0, 1, 2, 3], is: [0, 0, 0.8, 1], interpolation: %s}}\n"
    "joints:\n  a: {type: prismatic, base: ground, follower: a, motion: z(t)}\n"
    "  b: {type: prismatic, base: a, follower: b}\n"
    "stiction: {b: {kinetic: 0.4, static: 0.5}}\n"
    "simulation: {end: 3}\n";

static void check(const char *interpolation, detent_integrator integrator)
{
    char text[1000];
    snprintf(text, sizeof text, lift, interpolation);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    detent_error error = {.message = ""};
    settings.integrator = integrator;
    settings.step =
        integrator == DETENT_INTEGRATOR_IDA || integrator == DETENT_INTEGRATOR_ERK ? 0 : 1e-3;
    detent_simulation *sim = runs_start(m, &settings);
    runs_advance(sim, 2.999999);
    const double before = runs_velocity(m, sim, "a");
    assert_true(fabs(before) > 0.01);
    runs_advance(sim, 3);
    runs_near(interpolation, runs_velocity(m, sim, "a"), before, 1e-5);
    runs_near(interpolation, runs_position(m, sim, "a"), 1, 1e-9);
    if (integrator != DETENT_INTEGRATOR_FIXED) { /* which lets motions jump */
        assert_int_equal(detent_advance(sim, 3.5, false, &error), DETENT_ERROR_NUMERIC);
        assert_non_null(strstr(error.message, "'a' jumps"));
    }
    runs_end(sim, m);
}

static void motions_may_end_with_the_run(void **state)
{
    static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                    DETENT_INTEGRATOR_RK4, DETENT_INTEGRATOR_EULER,
                                                    DETENT_INTEGRATOR_FIXED};
    (void)state;
    for (size_t n = 0; n < sizeof integrators / sizeof *integrators; n++) {
        check("spline", integrators[n]);
        check("monotone", integrators[n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_may_end_with_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
