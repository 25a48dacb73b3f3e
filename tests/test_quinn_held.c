/* Joints with Quinn's friction that conditions hold already, for good or in one pose. */
#include "support_variants.h"

/* A triangle of bars cannot move, whatever rubs in it: friction that would hold it, too, is 0. */
static void what_a_structure_holds(void **state)
{
    (void)state;
    for (int at = 0; at < 3; at++) {
        for (size_t k = 0; k < VARIANTS; k += 5) {
            const variant v = variant_at(k);
            char text[1600], rubs[3][96] = {"", "", ""};
            double F;
            snprintf(rubs[at], sizeof rubs[at],
                     ", friction: {law: quinn, coulomb: 2, velocity_band: 0.01, inertia: 0.3}");
            snprintf(text, sizeof text,
                     "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {p: {mass: 1}, q: {mass: 2, "
                     "center_of_mass: [0.1, 0.2, 0], inertia: [0.1, 0.1, 0.1]}}\njoints:\n"
                     "  a: {type: revolute, base: ground, follower: p%s}\n"
                     "  b: {type: revolute, base: p, follower: q, at: {base: [0.6, 0.5, 0]}%s}\n"
                     "  c: {type: revolute, base: ground, follower: q, closes: true, at: {base: "
                     "[0.8, 0, 0], follower: [0.2, -0.5, 0]}%s}\n"
                     "outputs: [friction(%c)]\nsimulation: {end: 0.5}\n",
                     rubs[0], rubs[1], rubs[2], "abc"[at]);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 0.5, &F, 1);
            variant_check(v, "friction", F, 0, 1e-6);
            runs_end(sim, m);
        }
    }
}

/* So it is at the dead centre of a slider-crank: its crank sets out as if nothing rubbed, and takes the slider along. */
static void a_dead_centre_holds(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {crank: {mass: 1, inertia: [0, 0.5, 0.5]}, rod: "
        "{mass: 0.2, inertia: [0, 0.01, 0.01]}, slide: {mass: 2}}\njoints:\n"
        "  a: {type: revolute, base: ground, follower: crank, force: 1.2}\n"
        "  b: {type: revolute, base: crank, follower: rod, at: {base: [0.5, 0, 0]}}\n"
        "  s: {type: prismatic, base: ground, follower: slide, axis: [1, 0, 0], at: {base: [2.5, "
        "0, "
        "0]}, friction: {law: quinn, coulomb: 3, velocity_band: 0.01}}\n"
        "  c: {type: revolute, base: rod, follower: slide, closes: true, at: {base: [2, 0, 0]}}\n"
        "outputs: [acceleration(a), velocity(a), kinetic_energy() - friction_work() - "
        "1.2*position(a)]\nsimulation: {end: 1, rtol: 1e-9}\n";
    /* crank and rod, whose body frame is at b and turns at -1/4 of the crank's rate about c */
    const double along = 1.2 / (0.5 + 0.2 * 0.25 + 0.01 * 0.0625);
    for (size_t k = 0; k < VARIANTS; k += 5) {
        const variant v = variant_at(k);
        double x[3];
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 0, x, 3);
        variant_check(v, "acceleration", x[0], along, 1e-6);
        variant_outputs(sim, v, 1, x, 3);
        assert_true(x[1] > 0.5);
        variant_check(v, "balance", x[2], 0, 1e-6);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_structure_holds),
        cmocka_unit_test(a_dead_centre_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
