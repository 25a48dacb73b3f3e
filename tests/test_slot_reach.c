/*
 * How exactly loops close beside a curve that goes on beyond all that moves.
 */
#include "support_variants.h"

static detent_mechanism *parse(const char *format, const char *curve)
{
    char text[4096];
    snprintf(text, sizeof text, format, curve);
    return runs_parse(text, NULL);
}

/** A four-bar beside a bead on a wire of 600 km: how long a curve goes on has nothing to do with how exactly anything closes. */
static void a_long_curve_beside_a_loop(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n%s\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "  coupler: {mass: 1, center_of_mass: [0.4, 0, 0], inertia: [0.06, 0.06, 0.06]}\n"
        "  rocker: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.03, 0.03, 0.03]}\n"
        "  x: {mass: 0}\n  m: {mass: 1}\n"
        "joints:\n"
        "  main: {type: revolute, base: ground, follower: crank, "
        "initial: {position: 50 deg, velocity: 3, priority: exact}}\n"
        "  pin: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, "
        "initial: {position: -25 deg}}\n"
        "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, "
        "initial: {position: 75 deg}}\n"
        "  head: {type: revolute, base: coupler, follower: rocker, "
        "at: {base: [0.8, 0, 0], follower: [0.6, 0, 0]}}\n"
        "  slide: {type: prismatic, base: ground, follower: x, axis: [1, 0, 0]}\n"
        "  lift: {type: prismatic, base: x, follower: m, axis: [0, 1, 0]}\n"
        "outputs: [constraint_error()]\n"
        "simulation: {end: 2, rtol: 1e-6}\n";
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_mechanism *m =
            parse(text, "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], "
                        "x: 1000*u, y: -200*u, from: -300, to: 300}}");
        detent_simulation *sim = variant_start(m, variant_at(k));
        for (int row = 1; row <= 200; row++) {
            runs_advance(sim, 0.01 * row);
            variant_check(variant_at(k), "open", runs_output(m, sim, "constraint_error()"), 0,
                          1e-12);
        }
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_long_curve_beside_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
