/*
 * Bushings at half a turn, where their torque jumps: against the oscillators that they make on either side, in all variants.
 */
#include "support_changes.h"
#include "support_runs.h"
#include "support_variants.h"

/**
 * A rotor that a bushing slows down passes half a turn against a disc that sticks: just then the torque on the disc is the other way round, and
 * with the force on it more than it can hold. The rotor is an oscillator until then.
 */
static void half_a_turn_tears_a_disc_loose(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {disc: {mass: 1, inertia: [1, 1, 1]}, rotor: {mass: 2, inertia: [0.5, 0.5, "
        "0.5]}}\n"
        "joints:\n"
        "  d: {type: revolute, base: ground, follower: disc}\n"
        "  r: {type: revolute, base: ground, follower: rotor, initial: {velocity: 14}}\n"
        "stiction: {d: {kinetic: 20, static: 30, external: -10}}\n"
        "bushings: {b: {between: [{body: disc}, {body: rotor}], rotational_stiffness: [5, 6, 8]}}\n"
        "outputs: [friction(d), acceleration(d), \"bushing_torque(b, z)\"]\n"
        "simulation: {end: 2, rtol: 1e-9}\n";
    const double w = 4, pi = acos(-1), instant = asin(pi * w / 14) / w, torque = 8 * pi;
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        const variant one = variant_at(v);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, one);
        detent_error error = {.message = ""};
        size_t changes = 0;
        double before[3], after[3];
        assert_int_equal(detent_advance(sim, 1, true, &error), DETENT_EVENT);
        const detent_mode_change *change = last_event(sim, &changes);
        assert_int_equal(changes, 1);
        assert_int_equal(change->from, DETENT_LOCKED);
        assert_int_equal(change->to_direction, -1);
        variant_near(one, change->time, instant, 1e-8);
        runs_must(detent_read_before(sim, DETENT_OUTPUTS, before, 3, &error), &error);
        runs_must(detent_read(sim, DETENT_OUTPUTS, after, 3, &error), &error);
        variant_near(one, before[0], 10 - torque, 1e-6);
        assert_true(before[1] == 0);
        variant_near(one, before[2], -torque, 1e-6);
        variant_near(one, after[0], 20, 0);
        variant_near(one, after[1], 20 - 10 - torque, 1e-6);
        variant_near(one, after[2], torque, 1e-6);
        runs_end(sim, m);
    }
}

/** A mechanism that starts at half a turn exactly, or is set there, goes on to the side that it turns into, whichever way rounding has it. */
static void starts_at_half_a_turn(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2, inertia: [0.5, 0.5, 0.5]}}\n"
        "joints: {r: {type: revolute, base: ground, follower: a, initial: {position: %s, velocity: "
        "%g}}}\n"
        "bushings: {b: {between: [{body: ground}, {body: a}], rotational_stiffness: [5, 6, 8]}}\n"
        "outputs: [position(r)]\n"
        "simulation: {end: 0.1, rtol: 1e-10, atol: 1e-12}\n";
    const double w = 4, pi = acos(-1), end = 0.1;
    for (int k = 0; k < 4; k++) {
        char of[1024];
        const double start = k < 2 ? pi : -pi, speed = k % 2 ? 3 : -3,
                     /* of the middle of the oscillation */
            middle = speed > 0 ? start + pi : start - pi;
        snprintf(of, sizeof of, text, k < 2 ? "pi" : "-pi", speed);
        for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
            double x[1];
            const variant one = variant_at(v);
            detent_mechanism *m = runs_parse(of, NULL);
            detent_simulation *sim = variant_start(m, one);
            variant_outputs(sim, one, end, x, 1);
            runs_end(sim, m);
            variant_near(one, x[0],
                         middle + (start - middle) * cos(w * end) + speed / w * sin(w * end), 2e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_turn_tears_a_disc_loose),
        cmocka_unit_test(starts_at_half_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
