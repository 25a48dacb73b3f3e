/* Impacts at the stops of random trees and loops: no impact gives energy, and what is lost is what the impulses took. */
#include "support_trees.h"
#include "support_variants.h"

static const char *pick(support_random *random, const char *const *words, int count)
{
    return words[(int)(support_uniform(random, 0, 1) * count) % count];
}

/** Stops of n joints, around where these start, of mixed restitutions. */
static void say_stops(runs_text *text, support_random *random, const double *start, int n)
{
    static const char *const restitutions[] = {"0", "0.3", "0.7", "1"};
    runs_say(text, "stops:\n");
    for (int i = 0; i < n; i++) {
        runs_say(text, "  l%d: {joint: j%d, side: lower, at: %.17g, restitution: %s}\n", i, i,
                 start[i] - support_uniform(random, 0, 0.3), pick(random, restitutions, 4));
        runs_say(text, "  u%d: {joint: j%d, side: upper, at: %.17g, restitution: %s}\n", i, i,
                 start[i] + support_uniform(random, 0.01, 0.3), pick(random, restitutions, 4));
    }
}

/** A ring of five bars in a plane, and a sixth that hangs on the third: closed where all joints are at 0. */
static detent_mechanism *random_loop(support_random *random)
{
    enum { BARS = 5 };
    const double start[BARS + 2] = {0};
    double at[BARS + 1][2];
    runs_text text = {0};
    for (int i = 0; i <= BARS; i++) {
        const double angle = 6.2832 * (i + support_uniform(random, 0, 0.6)) / (BARS + 1),
                     r = support_uniform(random, 0.3, 0.7);
        at[i][0] = r * cos(angle);
        at[i][1] = r * sin(angle);
    }
    runs_say(&text, "detent: 1\ngravity: [0, 0, 0]\nbodies:\n");
    for (int i = 0; i <= BARS; i++) {
        runs_say(&text,
                 "  b%d: {mass: %g, center_of_mass: [%g, %g, 0], inertia: [0.1, 0.12, 0.15]}\n", i,
                 exp(support_uniform(random, -1.5, 1.5)), support_uniform(random, -0.3, 0.3),
                 support_uniform(random, -0.3, 0.3));
    }
    runs_say(&text, "joints:\n");
    for (int i = 0; i < BARS; i++) {
        char base[16] = "ground", initial[64] = "";
        if (i > 0) {
            snprintf(base, sizeof base, "b%d", i - 1);
        }
        if (i < 2) {
            snprintf(initial, sizeof initial, ", initial: {velocity: %g}",
                     support_uniform(random, -4, 4));
        }
        runs_say(
            &text,
            "  j%d: {type: revolute, base: %s, follower: b%d, at: {base: [%.17g, %.17g, 0]}%s}\n",
            i, base, i, at[i][0] - (i > 0 ? at[i - 1][0] : 0),
            at[i][1] - (i > 0 ? at[i - 1][1] : 0), initial);
    }
    runs_say(&text,
             "  j5: {type: revolute, base: ground, follower: b4, closes: true, at: {base: [%.17g, "
             "%.17g, 0], follower: [%.17g, %.17g, 0]}}\n"
             "  j6: {type: %s, base: b2, follower: b5, axis: [0.3, 0.2, 1], at: {base: [0.1, 0.2, "
             "0]}, initial: {velocity: %g}}\n",
             at[5][0], at[5][1], at[5][0] - at[4][0], at[5][1] - at[4][1],
             support_uniform(random, 0, 1) < 0.5 ? "revolute" : "prismatic",
             support_uniform(random, -4, 4));
    say_stops(&text, random, start, BARS + 2);
    runs_say(&text, "outputs: [kinetic_energy(), impact_loss()]\nsimulation: {end: 5, rtol: "
                    "1e-9}\n");
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    return m;
}

/** A random tree without forces: what moves comes to stops again and again. */
static detent_mechanism *random_tree(support_random *random)
{
    static const char *const types[] = {"revolute", "prismatic"};
    const int n = 1 + (int)support_uniform(random, 0, 4.999);
    runs_text text = {0};
    double start[8];
    runs_say(&text, "detent: 1\ngravity: [0, 0, 0]\nbodies:\n");
    for (int i = 0; i < n; i++) {
        runs_say(&text,
                 "  b%d: {mass: %g, center_of_mass: [%g, %g, %g], inertia: [0.1, 0.12, 0.15]}\n", i,
                 exp(support_uniform(random, -1.5, 1.5)), support_uniform(random, -0.5, 0.5),
                 support_uniform(random, -0.5, 0.5), support_uniform(random, -0.5, 0.5));
    }
    runs_say(&text, "joints:\n");
    for (int i = 0; i < n; i++) {
        char base[16] = "ground";
        const int parent = (int)floor(support_uniform(random, -1, i - 0.001));
        if (parent >= 0) {
            snprintf(base, sizeof base, "b%d", parent);
        }
        start[i] = support_uniform(random, -0.5, 0.5);
        runs_say(&text,
                 "  j%d: {type: %s, base: %s, follower: b%d, axis: [%g, %g, %g], at: {base: [%g, "
                 "%g, %g]}, initial: {position: %.17g, velocity: %g}}\n",
                 i, pick(random, types, 2), base, i, support_uniform(random, -1, 1),
                 support_uniform(random, -1, 1), support_uniform(random, 0.2, 1),
                 support_uniform(random, -0.5, 0.5), support_uniform(random, -0.5, 0.5),
                 support_uniform(random, -0.5, 0.5), start[i], support_uniform(random, -4, 4));
    }
    say_stops(&text, random, start, n);
    runs_say(&text, "outputs: [kinetic_energy(), impact_loss()]\nsimulation: {end: 5, rtol: "
                    "1e-9}\n");
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    return m;
}

/** The kinetic energy grows at no impact, and what is lost is what the impulses took. */
static void impacts_take_energy(void **state)
{
    support_random random = {20261127};
    const char *most = getenv("DETENT_TEST_IMPACTS");
    const size_t wanted = most ? strtoul(most, NULL, 10) : variants_are_few() ? 800 : 3000;
    size_t impacts = 0;
    (void)state;
    for (size_t n = 0; impacts < wanted; n++) {
        detent_mechanism *m = n % 2 ? random_loop(&random) : random_tree(&random);
        detent_settings settings = runs_settings(m, 1e-9, 0);
        settings.integrator = DETENT_INTEGRATOR_ERK;
        detent_simulation *sim = runs_start(m, &settings);
        detent_error error;
        double before[2], after[2], first;
        runs_must(detent_read(sim, DETENT_OUTPUTS, before, 2, &error), &error);
        first = before[0] + before[1];
        for (detent_status status = DETENT_EVENT; status == DETENT_EVENT;) {
            status = detent_advance(sim, 5, true, &error);
            if (status != DETENT_EVENT) {
                runs_must(status, &error);
            }
            runs_must(detent_read(sim, DETENT_OUTPUTS, after, 2, &error), &error);
            assert_true(after[1] >= before[1]);
            assert_true(after[0] <= before[0] + 1e-8 * first);
            runs_near("balance", after[0] + after[1], first, 1e-6 * first);
            memcpy(before, after, sizeof after);
        }
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &statistics);
        impacts += statistics.impacts;
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_take_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
