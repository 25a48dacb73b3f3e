/*
 * Joints whose stops send each other back: chains that fall into narrow stops bounce at several of them at once, ever faster. They come to
 * rest, and there the stops carry what hangs on them.
 */
#include "support_trees.h"
#include "support_variants.h"

enum { LINKS = 6 };

/** A chain of rods with mass in their middles, near its stops all along, with friction at some joints. */
static detent_mechanism *narrow_chain(support_random *random)
{
    static const char *const restitutions[] = {"0", "0.3", "0.5", "0.8", "1"};
    runs_text text = {0};
    runs_say(&text, "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
    for (int i = 0; i < LINKS; i++) {
        runs_say(
            &text,
            "  b%d: {mass: %.4g, center_of_mass: [0.1, 0, 0], inertia: [0.002, 0.002, 0.002]}\n", i,
            support_uniform(random, 0.5, 2));
    }
    runs_say(&text, "joints:\n");
    for (int i = 0; i < LINKS; i++) {
        char base[16] = "ground";
        if (i > 0) {
            snprintf(base, sizeof base, "b%d", i - 1);
        }
        const double width = support_uniform(random, 0.002, 0.05);
        runs_say(
            &text,
            "  j%d: {type: revolute, base: %s, follower: b%d, at: {base: [%g, 0, 0]}, initial: "
            "{position: %.5g, velocity: %.4g}, stops: {lower: {at: %.4g, restitution: %s}, "
            "upper: {at: %.4g, restitution: %s}}}\n",
            i, base, i, i > 0 ? 0.2 : 0.0, width * support_uniform(random, -0.5, 0.5),
            support_uniform(random, -2, 2), -width,
            restitutions[(int)support_uniform(random, 0, 4.99)], width,
            restitutions[(int)support_uniform(random, 0, 4.99)]);
    }
    runs_say(&text, "stiction:\n  j0: {kinetic: 0.3, static: 0.4}\n");
    for (int i = 1; i < LINKS; i += 2) {
        const double rubs = support_uniform(random, 0.05, 0.3);
        runs_say(&text, "  j%d: {kinetic: %.3g, static: %.3g}\n", i, rubs, 1.5 * rubs);
    }
    runs_say(&text, "outputs: [kinetic_energy()]\nsimulation: {end: 4, rtol: 1e-7}\n");
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    return m;
}

/** What stands still is held by its stop, or by its friction, which is less than 0.6 N m. Every variant has a chain of its own. */
static void chains_come_to_rest(void **state)
{
    support_random random = {20261128};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = narrow_chain(&random);
        detent_simulation *sim = variant_start(m, v);
        double energy, f[LINKS], q[LINKS], speed[LINKS];
        detent_error error;
        variant_outputs(sim, v, 4, &energy, 1);
        runs_must(detent_read(sim, DETENT_FRICTIONS, f, LINKS, &error), &error);
        runs_must(detent_read(sim, DETENT_POSITIONS, q, LINKS, &error), &error);
        runs_must(detent_read(sim, DETENT_VELOCITIES, speed, LINKS, &error), &error);
        variant_near(v, energy, 0, 0);
        for (int i = 0; i < LINKS; i++) {
            const dt_rigid_stops *stops = m->stictions[m->primitives[i].stiction]
                                              .stops; /* joints are in the order of the chain */
            const double own = f[m->primitives[i].stiction];
            assert_true(speed[i] == 0);
            assert_true(fabs(own) <= 0.6 || q[i] == stops->at[own < 0]);
        }
        runs_end(sim, m);
    }
}

/**
 * Two blocks that a gear makes one freedom, 1 and 3 kg, come to both their walls at once: the one of greater restitution throws both back, the
 * other has nothing to do; 2 m/s, 8 J. A third wall that is 1 mm away holds nobody.
 */
static void walls_of_one_freedom(void **state)
{
    static const double restitution[][2] = {{0.5, 0.25}, {0.25, 0.5}, {0, 0.75}, {1, 0}, {0, 0}};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (size_t n = 0; n < sizeof restitution / sizeof *restitution; n++) {
            const double *e = restitution[n], back = fmax(e[0], e[1]);
            runs_text text = {0};
            runs_say(&text,
                     "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 3}}\n"
                     "joints:\n"
                     "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: "
                     "{velocity: 2}, stops: {upper: {at: 1, restitution: %g}}}\n"
                     "  y: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0], initial: "
                     "{velocity: -2}, stops: {lower: {at: -1, restitution: %g}, upper: {at: "
                     "0.001}}}\n"
                     "couplings: {c: {type: gear, joints: [x, y], ratio: -1}}\n"
                     "outputs: [velocity(x), velocity(y), impact_loss(), position(x)]\n"
                     "simulation: {end: 0.6, rtol: 1e-9}\n",
                     e[0], e[1]);
            detent_mechanism *m = runs_parse(text.text, NULL);
            detent_simulation *sim = variant_start(m, v);
            double x[4];
            variant_outputs(sim, v, 0.6, x, 4);
            variant_near(v, x[0], -2 * back, 1e-12);
            variant_near(v, x[1], 2 * back, 1e-12);
            variant_near(v, x[2], 8 * (1 - back * back), 1e-11);
            variant_near(v, x[3], 1 - 0.2 * back, 1e-9);
            free(text.text);
            runs_end(sim, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains_come_to_rest),
                                       cmocka_unit_test(walls_of_one_freedom)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
