/* Time stepping with dead times: what was is kept step by step, and steps end where what is read has a break. */
#include "support_order.h"

/* A joint that sticks, led by a controller that sees where it was. */
static const char led[] = "detent: 1\ngravity: [0, 0, 0]\n"
                          "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}}\n"
                          "joints: {x: {type: revolute, base: ground, follower: a}}\n"
                          "stiction: {x: {kinetic: 0.02, static: 0.03, external: \"0.4*(sin(2*t) - "
                          "delay(position(x), 0.05 s)) - 0.05*delay(velocity(x), 0.05 s)\"}}\n"
                          "outputs: [position(x), velocity(x)]\n";

static void a_joint_led_with_delay_converges(void **state)
{
    (void)state;
    order_check_first(runs_parse(led, NULL), 4, 4e-3);
}

/* In a loop, with a sampled value and a state that read what was. */
static void a_loop_with_delayed_samples_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "bodies:\n"
            "  crank: {mass: 0.5, center_of_mass: [0.03, 0, 0], inertia: [0.01, 0.01, 0.02]}\n"
            "  rod: {mass: 0.8, center_of_mass: [0.12, 0.01, 0], "
            "inertia: [0.01, 0.01, 0.007]}\n"
            "  piston: {mass: 0.6}\n"
            "joints:\n"
            "  main: {type: revolute, base: ground, follower: crank, "
            "initial: {position: 0.5, velocity: 9, priority: exact}}\n"
            "  big: {type: revolute, base: crank, follower: rod, at: {base: [0.1, 0, 0]}, "
            "initial: {position: -0.7}}\n"
            "  small: {type: revolute, base: piston, follower: rod, "
            "at: {follower: [0.3, 0, 0]}, initial: {position: -0.2}}\n"
            "  slide: {type: prismatic, base: ground, follower: piston, axis: [1, 0, 0], "
            "at: {base: [0, 0.02, 0]}, initial: {position: 0.38}}\n"
            "states: {z: {derivative: \"4*(sin(delay(position(main), 0.1 s)) - z)\"}}\n"
            "sampled: {u: {every: 20 ms, value: \"2*sin(6*t) - 0.05*velocity(main)\"}}\n"
            "stiction:\n"
            "  main: {kinetic: 0.1, static: 0.15, external: \"delay(u, 0.03 s) + 0.3*z\"}\n"
            "  slide: {kinetic: 2, static: 3}\n"
            "outputs: [position(main), velocity(main), position(slide), z]\n",
            NULL),
        2, 4e-3);
}

/* From its bytes a run goes on as it would have, to the last bit, dead times and all. */
static void a_restored_run_goes_on_as_it_would_have(void **state)
{
    (void)state;
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(led, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = 1e-3;
    detent_simulation *one = runs_start(m, &settings), *other = runs_start(m, &settings);
    runs_must(detent_advance(one, 1.25, false, &error), &error);
    const size_t size = detent_state_size(one);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    runs_must(detent_save_state(one, bytes, size, &error), &error);
    runs_must(detent_restore_state(other, bytes, size, &error), &error);
    for (double t = 1.3; t < 4; t += 0.1) {
        double out[2][2];
        runs_must(detent_advance(one, t, false, &error), &error);
        runs_must(detent_advance(other, t, false, &error), &error);
        runs_must(detent_read(one, DETENT_OUTPUTS, out[0], 2, &error), &error);
        runs_must(detent_read(other, DETENT_OUTPUTS, out[1], 2, &error), &error);
        assert_memory_equal(out[0], out[1], sizeof out[0]);
    }
    free(bytes);
    detent_simulation_destroy(other);
    runs_end(one, m);
}

/* However fast what is kept turns within a step: as many pieces as steps, and so room for them; and the run converges. */
static void a_step_is_kept_in_one_piece(void **state)
{
    (void)state;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: [1, 1, 0.02]}}\n"
        "joints: {x: {type: revolute, base: ground, follower: a, initial: {velocity: 3}}}\n"
        "stiction: {x: {kinetic: 0.02, static: 0.03, external: \"0.1*delay(sin(100*position(x)), "
        "0.5 s)\"}}\noutputs: [position(x)]\nsimulation: {end: 2, rtol: 1e-9}\n",
        NULL);
    static order_table exact, now;
    detent_settings settings = runs_settings(m, 1e-9, 0);
    order_fill(m, &settings, 40, 2, &exact);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = 4e-3;
    order_fill(m, &settings, 40, 2, &now);
    const double coarse = order_distance(&now, &exact);
    settings.step = 1e-3;
    order_fill(m, &settings, 40, 2, &now);
    assert_true(order_distance(&now, &exact) <
                coarse / 8); /* nothing breaks away: of second order, a sixteenth */
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_led_with_delay_converges),
        cmocka_unit_test(a_loop_with_delayed_samples_converges),
        cmocka_unit_test(a_restored_run_goes_on_as_it_would_have),
        cmocka_unit_test(a_step_is_kept_in_one_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
