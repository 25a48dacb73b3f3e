/* Who comes to rest in a loop, by Euler's method and that of Runge and Kutta. */
#include "support_variants.h"

/*
 * The crank of a four-bar turns round, and is held: as one who follows others he would be left with a velocity that is rounding, and go on by it, with friction
 * of the wrong sign and an event in each step.
 */
static void who_turns_round_in_a_loop_rests(void **state)
{
    (void)state;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  c: {mass: 1, inertia: [0.01, 0.01, 0.01], center_of_mass: [0.1, 0, 0]}\n"
        "  k: {mass: 1.5, inertia: [0.075, 0.075, 0.075], center_of_mass: [0.25, 0, 0]}\n"
        "  r: {mass: 1.2, inertia: [0.036, 0.036, 0.036], center_of_mass: [0.2, 0, 0]}\n"
        "joints:\n"
        "  A: {type: revolute, base: ground, follower: c, initial: {position: 70 deg, priority: "
        "exact}}\n"
        "  B: {type: revolute, base: c, follower: k, at: {base: [0.2, 0, 0]}, initial: {position: "
        "-50 deg}}\n"
        "  C: {type: revolute, base: ground, follower: r, at: {base: [0.55, 0, 0]}, initial: "
        "{position: 95 deg}, spring: {stiffness: 8, rest: 1.4}}\n"
        "  D: {type: revolute, base: k, follower: r, at: {base: [0.5, 0, 0], follower: [0.4, 0, "
        "0]}, closes: true, initial: {position: 75 deg}}\n"
        "stiction: {A: {external: 9*sin(2.3*t), kinetic: 0.7, static: 1}}\n",
        NULL);
    detent_simulation *exact = runs_start(m, NULL);
    runs_advance(exact, 0.1);
    for (int n = 0; n < 4; n++) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = n % 2 ? DETENT_INTEGRATOR_EULER : DETENT_INTEGRATOR_RK4;
        settings.step = n < 2 ? 1e-4 : 1e-5;
        detent_simulation *sim = runs_start(m, &settings);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        runs_advance(sim, 0.1);
        detent_get_statistics(sim, &statistics);
        assert_true(statistics.events < 4);
        assert_true(runs_velocity(m, sim, "A") == 0);
        runs_near("crank", runs_position(m, sim, "A"), runs_position(m, exact, "A"),
                  settings.step); /* an acceleration of some 10 rad/s^2 for 0.1 s, by Euler */
        detent_simulation_destroy(sim);
    }
    runs_end(exact, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_turns_round_in_a_loop_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
