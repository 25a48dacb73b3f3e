/*
 * What a stop that is pressed on costs: nothing, whatever the force that presses does, and in whatever units.
 */
#include "support_variants.h"

/** A block on a stop, pressed with `force`, N, and a sprung pendulum on it; steps of 10 s. */
static size_t steps_of(variant v, const char *force)
{
    runs_text text = {0};
    double x[1];
    detent_statistics n = DETENT_INIT(detent_statistics);
    runs_say(&text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies:\n"
             "  block: {mass: 2}\n"
             "  swing: {mass: 1, center_of_mass: [0, -0.3, 0], inertia: [0.1, 0.1, 0.1]}\n"
             "joints:\n"
             "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], "
             "force: \"%s\", stops: {lower: {at: 0}}}\n"
             "  hinge: {type: revolute, base: block, follower: swing, axis: [0, 0, 1], "
             "initial: {velocity: 1}, spring: {stiffness: 4}}\n"
             "outputs: [velocity(slide)]\n"
             "simulation: {end: 10, rtol: 1e-7}\n",
             force);
    detent_mechanism *m = runs_parse(text.text, NULL);
    detent_simulation *sim = variant_start(m, v);
    variant_outputs(sim, v, 10, x, 1);
    assert_true(x[0] == 0);
    detent_get_statistics(sim, &n);
    runs_end(sim, m);
    free(text.text);
    return n.steps;
}

static void a_force_that_presses_on_a_stop_costs_no_steps(void **state)
{
    static const char *const force[] = {"-100*(2 + sin(3*t))", "-1e4*(2 + sin(3*t))",
                                        "-1e8*(2 + sin(3*t))"};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const size_t constant = steps_of(v, "-200");
        for (size_t j = 0; j < sizeof force / sizeof *force; j++) {
            const size_t steps = steps_of(v, force[j]);
            if (steps > constant + constant / 2) {
                print_error("%s: %zu steps under %s, %zu under a constant force\n", variant_name(v),
                            steps, force[j], constant);
                fail();
            }
        }
    }
}

/**
 * The block under `force`, with next to no friction and a test friction that reads it; the steps of 10 s, and whether it is still where it was.
 */
static size_t steps_tested(variant v, const char *force, bool moves, bool *rests)
{
    runs_text text = {0};
    detent_statistics n = DETENT_INIT(detent_statistics);
    runs_say(&text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies:\n"
             "  block: {mass: 2}\n"
             "  swing: {mass: 1, center_of_mass: [0, -0.3, 0], inertia: [0.1, 0.1, 0.1]}\n"
             "joints:\n"
             "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], "
             "stops: {lower: {at: 0}}}\n"
             "  hinge: {type: revolute, base: block, follower: swing, axis: [0, 0, 1], "
             "initial: {velocity: %d}, spring: {stiffness: 4}}\n"
             "stiction:\n"
             "  slide: {kinetic: 1e-6, static: 1.7e-6, test: \"1.07*friction(slide)\", "
             "external: \"%s\"}\n"
             "simulation: {end: 10, rtol: 1e-7}\n",
             moves, force);
    detent_mechanism *m = runs_parse(text.text, NULL);
    detent_simulation *s = variant_start(m, v);
    runs_advance(s, 10);
    detent_get_statistics(s, &n);
    *rests = n.mode_changes == 1; /* the initial one */
    runs_end(s, m);
    free(text.text);
    return n.steps;
}

/* The friction of a block that a stop has is nothing, however that which presses goes, until it pulls: then it is seen, be it for some microseconds. */
static void a_test_friction_at_a_stop_costs_no_steps(void **state)
{
    static const char pull[] = "-100 + 120*exp(-((t - 5.1234)/1e-5)^2)";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int moves = 0; moves < 2; moves++) {
            bool rests;
            const size_t constant = steps_tested(v, "-200", moves, &rests);
            assert_true(rests);
            assert_true(steps_tested(v, "-100*(2 + sin(3*t))", moves, &rests) <=
                        constant + constant / 2 + 20);
            assert_true(rests);
            steps_tested(v, pull, moves, &rests);
            assert_false(rests);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_that_presses_on_a_stop_costs_no_steps),
        cmocka_unit_test(a_test_friction_at_a_stop_costs_no_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
