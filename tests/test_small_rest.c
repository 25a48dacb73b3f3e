/*
 * Laws that read accelerations and are nothing but the small rest of their terms: their rounding is that of what they read. Until this was
 * measured, accelerations did "not converge", or a run hung, with the tree solver alone.
 */
#include "support_variants.h"

#define HEAD                                                                                     \
    "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\njoints:\n"             \
    "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], damping: 0.5, initial: " \
    "{velocity: -0.5}}\n"                                                                        \
    "  y: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0], force: "
#define TAIL                                                      \
    "stiction: {x: {kinetic: 0.5, static: 0.5, external: 3.5}}\n" \
    "outputs: [force(y)]\n"                                       \
    "simulation: {end: 1 s, interval: 0.1 s, rtol: 1e-9}\n"

/** x turns round where v = 8 - 8.5 exp(-t / 2) is 0, and goes on with 6 (1 - exp(-(t - turn) / 2)). */
static double turn(void)
{
    return 2 * log(8.5 / 8);
}

static void check(const char *text, double velocity, double force)
{
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        variant_advance(s, v, 0.1);
        variant_check(v, "y before", runs_velocity(m, s, "y"), 0, 1e-9);
        variant_advance(s, v, 1);
        variant_check(v, "x", runs_velocity(m, s, "x"), 6 * (1 - exp(-(1 - turn()) / 2)), 1e-7);
        variant_check(v, "y", runs_velocity(m, s, "y"), velocity, 1e-7);
        variant_check(v, "force", runs_output(m, s, "force(y)"), force, 1e-9);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/** 0.7 (a - 0.5) - 0.7 (3.5 - v / 2), with a = 4 - v / 2 before the turn, and 3 - v / 2 after it. */
static void acceleration_less_what_it_is(void **state)
{
    UNUSED(state);
    check(HEAD "\"0.7*(acceleration(x) - 0.5) - 0.7*(3.5 - 0.5*velocity(x))\"}\n" TAIL,
          -0.7 * (1 - turn()), -0.7);
}

/** A relay holds y at rest against what is read: the sum is nothing. */
static void held_by_a_relay(void **state)
{
    UNUSED(state);
    check(HEAD "\"0.5 + 1.5*if(velocity(y) < 0, 1, 0) - 0.5*(acceleration(x) - 0.5)\"}\n" TAIL, 0,
          0);
}

/** The same with friction: f = 0.5 before the turn, -0.5 after it. */
static void friction_less_what_it_is(void **state)
{
    UNUSED(state);
    check(HEAD "\"3*friction(x) - 1.5\"}\n" TAIL, -3 * (1 - turn()), -3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(acceleration_less_what_it_is),
                                       cmocka_unit_test(held_by_a_relay),
                                       cmocka_unit_test(friction_less_what_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
