/*
 * Stops of restitution 1: impacts take nothing, and what ends the flights between them is friction, or nothing.
 */
#include "support_variants.h"

#include <math.h>

/** A ball on an elastic floor from some height, m, with a friction law's Coulomb friction, N. */
static detent_mechanism *elastic_ball(double height, double friction)
{
    runs_text text = {0};
    runs_say(&text,
             "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {ball: {mass: 1}}\n"
             "joints:\n"
             "  z: {type: prismatic, base: ground, follower: ball, axis: [0, 1, 0], "
             "initial: {position: %g}, friction: {law: coulomb, coulomb: %g, velocity_band: 0.05}, "
             "stops: {lower: {at: 0, restitution: 1}}}\n"
             "outputs: [velocity(z), stop_force(z), position(z)]\n"
             "simulation: {end: 3, rtol: 1e-7}\n",
             height, friction);
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    return m;
}

/**
 * No impact takes energy: where a friction law does, which is viscous near rest, the n-th flight lasts 1/n, and all of them for ever. Those that
 * nobody is told of end in contact. Without friction low flights go on as they were.
 */
static void elastic_flights_end_where_friction_shortens_them(void **state)
{
    static const double low = 1e-5;
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double x[3];
        detent_statistics n = DETENT_INIT(detent_statistics);
        detent_mechanism *m = elastic_ball(0.1, 2);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 3, x, 3);
        detent_get_statistics(sim, &n);
        assert_true(x[0] == 0 && x[2] == 0);
        variant_near(v, x[1], 9.81, 1e-12);
        assert_true(n.events < 2000);
        assert_int_equal(n.endless, 1);
        runs_end(sim, m);

        m = elastic_ball(low, 1e-12);
        sim = variant_start(m, v);
        variant_outputs(sim, v, 3, x, 3);
        /* 1,000 flights later it is off by no more than what is told of a position of nominally 1 m */
        variant_near(v, 9.81 * x[2] + 0.5 * x[0] * x[0], 9.81 * low, 9.81 * 1e-7);
        detent_get_statistics(sim, &n);
        assert_true(n.events > 1000);
        assert_int_equal(n.endless, 0);
        runs_end(sim, m);
    }
}

/**
 * Who has come to rest by flights that nobody is told of, and is then lifted by a force and let go, strikes as hard as ever: the stop takes
 * nothing of m g h.
 */
static void who_is_lifted_from_rest_strikes_as_before(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double x[1];
        detent_statistics rest = DETENT_INIT(detent_statistics),
                          end = DETENT_INIT(detent_statistics);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, -9.81, 0]\nbodies: {ball: {mass: 1}}\n"
                       "joints:\n"
                       "  z: {type: prismatic, base: ground, follower: ball, axis: [0, 1, 0], "
                       "initial: {position: 0.1}, force: \"if(t > 3 and t < 3.5, 15, 0)\", "
                       "friction: {law: coulomb, coulomb: 2, velocity_band: 0.05}, "
                       "stops: {lower: {at: 0, restitution: 1}}}\n"
                       "outputs: [position(z)]\n"
                       "simulation: {end: 8, rtol: 1e-7}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 3, x, 1);
        detent_get_statistics(sim, &rest);
        assert_true(x[0] == 0);
        variant_outputs(sim, v, 3.5, x, 1);
        assert_true(x[0] > 0.3);
        variant_outputs(sim, v, 8, x, 1);
        detent_get_statistics(sim, &end);
        assert_true(x[0] == 0);
        assert_true(rest.endless == 1 && end.endless == 2);
        variant_near(v, end.impact_loss, rest.impact_loss, 1e-6);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_lifted_from_rest_strikes_as_before),
        cmocka_unit_test(elastic_flights_end_where_friction_shortens_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
