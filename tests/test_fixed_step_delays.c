/* Dead times with steps of fixed length, however far a caller advances at once, and whatever ends steps earlier. */
#include "support_variants.h"

/* Not through support_watch.c, which would look at the run in between. */
detent_status __real_detent_advance(detent_simulation *, double, bool, detent_error *);

static double at_end(const detent_mechanism *m, detent_integrator integrator, double step,
                     int calls)
{
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = integrator;
    settings.step = step;
    settings.rtol = 1e-10;
    detent_error error;
    detent_simulation *sim = runs_start(m, &settings);
    for (int n = 1; n <= calls; n++) {
        runs_must(__real_detent_advance(sim, 1.0 * n / calls, false, &error), &error);
    }
    const double x = runs_position(m, sim, "z");
    detent_simulation_destroy(sim);
    return x;
}

/** What is too old to be read is forgotten as steps are made, not where a caller looks; and the run does not depend on that. */
static void who_advances_far_forgets_as_others_do(void **state)
{
    (void)state;
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
                   "joints: {z: {type: prismatic, base: ground, follower: b, force: \"cos(3*t) - "
                   "10*delay(velocity(z), 0.02)\"}}\nsimulation: {end: 1}\n",
                   NULL);
    const double exact = at_end(m, DETENT_INTEGRATOR_IDA, 0, 1);
    for (int n = 0; n < 2; n++) {
        const detent_integrator integrator =
            n == 0 ? DETENT_INTEGRATOR_EULER : DETENT_INTEGRATOR_RK4;
        const double once = at_end(m, integrator, 1e-3, 1), off = fabs(once - exact),
                     half = fabs(at_end(m, integrator, 5e-4, 1) - exact);
        assert_true(once == at_end(m, integrator, 1e-3, 97));
        if (runs_verbose()) {
            printf("%g and %g off\n", off, half);
        }
        runs_near("position", once, exact, n == 0 ? 2e-4 : 1e-11);
        assert_true(n > 0 || fabs(off / half - 2) < 0.1);
    }
    detent_mechanism_destroy(m);
}

/** A force switches some 640 times in a second, and each switch comes back as up to four breaks: steps end at all of them. */
static void steps_that_end_early_are_remembered(void **state)
{
    (void)state;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
        "joints: {z: {type: prismatic, base: ground, follower: b, force: \"if(sin(2000*t) > 0, 1, "
        "-1) - 10*delay(velocity(z), 0.10037)\"}}\nsimulation: {end: 1}\n",
        NULL);
    const double exact = at_end(m, DETENT_INTEGRATOR_IDA, 0, 1);
    runs_near("rk4", at_end(m, DETENT_INTEGRATOR_RK4, 1e-3, 1), exact, 1e-11);
    runs_near("euler", at_end(m, DETENT_INTEGRATOR_EULER, 1e-3, 1), exact, 1e-6);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_advances_far_forgets_as_others_do),
        cmocka_unit_test(steps_that_end_early_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
