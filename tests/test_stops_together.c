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
static void chains_of_seed_come_to_rest(uint64_t seed)
{
    support_random random = {seed};
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

/** The last three had chains that a friction joint and stops which send each other back, ever less, kept from coming to an end. */
static void chains_come_to_rest(void **state)
{
    static const uint64_t seeds[] = {20261128, 3, 5, 6};
    (void)state;
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        chains_of_seed_come_to_rest(seeds[k]);
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

/**
 * A block that next to nothing pushes would stop after 10^15 m; it does not get there. So that is no length of the mechanism, by which
 * tolerances are measured, and what a wheel makes of it at a wall 1 m away is no trifle: 3.7 m^2/s^2 are left of its square of velocity.
 */
static void far_from_any_stop_of_its_own(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], force: 1e-15, initial: "
        "{velocity: 2}, stops: {upper: {at: 1, restitution: 0.5}}}\n"
        "  wheel: {type: revolute, base: ground, follower: b, force: -0.3, initial: {velocity: "
        "2}}\n"
        "couplings: {c: {type: rack, joints: [wheel, x], radius: 1}}\n"
        "outputs: [velocity(x), impact_loss()]\nsimulation: {end: 0.6, rtol: 1e-9}\n";
    (void)state;
    const double fast = sqrt(3.7), arrival = (2 - fast) / 0.15;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[2];
        variant_outputs(sim, v, 0.6, x, 2);
        variant_near(v, x[0], -0.5 * fast - 0.15 * (0.6 - arrival), 1e-8);
        variant_near(v, x[1], 0.75 * 3.7, 1e-8);
        runs_end(sim, m);
    }
}

/** A slider-crank whose motion, x = cos a / 10 + sqrt(0.09 - sin^2 a / 100), and a gear drive a slide on beyond its stop: nothing can. */
static void driven_beyond(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.05, 0, 0], inertia: [1e-3, 3e-3, 3e-3]}\n"
        "  rod: {mass: 0.5, center_of_mass: [0.15, 0, 0], inertia: [1e-4, 4e-3, 4e-3]}\n"
        "  piston: {mass: 0.6}\n  feeler: {mass: 0.1}\n"
        "joints:\n"
        "  main: {type: revolute, base: ground, follower: crank, motion: \"1 rad - 0.9 rad*t/1s + "
        "0.3 rad*sin(3*t/1s)\"}\n"
        "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.1, 0, 0]}}\n"
        "  slide: {type: prismatic, base: ground, follower: piston, axis: [1, 0, 0], initial: "
        "{position: 0.35}%s}\n"
        "  wrist: {type: revolute, base: piston, follower: rod, at: {follower: [0.3, 0, 0]}}\n"
        "  far: {type: prismatic, base: ground, follower: feeler, axis: [1, 0, 0]%s}\n"
        "couplings: {c: {type: gear, joints: [slide, far], ratio: 2}}\n"
        "simulation: {end: 2}\n";
    static const char *const joint[] = {"slide", "far"};
    static const double ratio[] = {1, 0.5};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const int which = (int)(k % 2);
        const double place = ratio[which] * (0.39 - (which ? 0.35 : 0));
        runs_text file = {0};
        char stop[96];
        snprintf(stop, sizeof stop, ", stops: {upper: {at: %.17g, restitution: 0.3}}", place);
        runs_say(&file, text, which ? "" : stop, which ? stop : "");
        detent_mechanism *m = runs_parse(file.text, NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_error error;
        assert_int_equal(detent_advance(sim, 2, false, &error), DETENT_NO_CONSISTENT_STATE);
        assert_non_null(strstr(error.message, joint[which]));
        assert_non_null(strstr(error.message, "upper stop"));
        const double t = detent_time(sim), a = 1 - 0.9 * t + 0.3 * sin(3 * t);
        variant_near(v, 0.1 * cos(a) + sqrt(0.09 - 0.01 * sin(a) * sin(a)), 0.39, 1e-8);
        runs_end(sim, m);
        free(file.text);
    }
}

/** Nothing brings a joint to rest again that has no friction: an impact sends it off, however slowly that is. */
static void slow_without_friction(void **state)
{
    static const double speed = 1e-15;
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        runs_text file = {0};
        runs_say(&file,
                 "detent: 1\n"
                 "gravity: [0, 0, 0]\n"
                 "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
                 "joints:\n"
                 "  j: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: "
                 "{velocity: %g},\n"
                 "      stops: {lower: {at: 0, restitution: 1}}, spring: {stiffness: 100}}\n"
                 "  k: {type: prismatic, base: a, follower: b, axis: [1, 0, 0],\n"
                 "      initial: {position: 0.5}, stops: {lower: {at: 0}, upper: {at: 1}}}\n"
                 "simulation: {end: 1}\n",
                 -speed);
        detent_mechanism *m = runs_parse(file.text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_near(v, runs_velocity(m, sim, "k"), -2 * speed, 1e-12 * speed);
        runs_end(sim, m);
        free(file.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_come_to_rest), cmocka_unit_test(walls_of_one_freedom),
        cmocka_unit_test(driven_beyond), cmocka_unit_test(slow_without_friction),
        cmocka_unit_test(far_from_any_stop_of_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
