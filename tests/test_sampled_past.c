/*
 * Sampled values as they were many instants ago, previous(S, n): recursions, chains of single delays, saved runs, a dead time in a loop.
 */
#include "support_variants.h"

/* Longer ago: before the first instant the initial value, of others with instants of their own as many of these. */
static void values_of_long_before_are_read(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\nparameters: {n: 40}\n"
        "bodies: {a: {mass: 1}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
        "sampled:\n"
        "  late: {every: 0.5, value: \"previous(x, n)\"}\n" /* asked for before x is there */
        "  x: {every: 0.5, value: count*count, initial: -7}\n"
        "  count: {every: 0.5, value: count + 1}\n"
        "  three: {every: 0.5, value: \"previous(x, 3) + 0*previous(x, 1)\"}\n"
        "  same: {every: 0.5, value: \"previous(x, 3) + previous(x, n - 37) - previous(x, 3)\"}\n"
        "  slow: {every: 2, offset: 0.25, value: \"previous(x, 2)\"}\n"
        "  fibonacci: {every: 0.5, value: \"fibonacci + previous(fibonacci, 2)\", initial: 1}\n"
        "chain:\n  count: 5\n  sampled:\n"
        "    taps: {every: 0.5, value: \"previous(x, 2*i)\"}\n"
        "    line: {every: 0.5, value: \"previous(line[i-1])\"}\n"
        "  first: {sampled: {line: {value: previous(x), initial: -7}}}\n"
        "outputs: [late, three, same, slow, fibonacci, \"sampled(taps[5])\", "
        "\"sampled(line[3])\"]\nsimulation: {end: 100}\n",
        NULL);
    detent_simulation *sim = runs_start(m, NULL);
    const size_t size = detent_state_size(sim);
    char *saved = malloc(size);
    assert_non_null(saved);
    double x[400], fibonacci[400];
    const int kept = 77;
    for (int round = 0; round < 2; round++) { /* the second one from what was saved */
        for (int k = round ? kept + 1 : 0; k < 120; k++) {
            x[k] = (double)(k + 1) * (k + 1);
            fibonacci[k] = (k > 0 ? fibonacci[k - 1] : 1) + (k > 1 ? fibonacci[k - 2] : 1);
            runs_advance(sim, 0.5 * k + 0.3);
            assert_true(runs_output(m, sim, "late") == (k < 40 ? -7 : x[k - 40]));
            assert_true(runs_output(m, sim, "three") == (k < 3 ? -7 : x[k - 3]));
            assert_true(runs_output(m, sim, "same") == (k < 3 ? -7 : x[k - 3]));
            /* at 0.25 + 2 j x has been there 4 j + 1 times, not at that instant */
            assert_true(runs_output(m, sim, "slow") == (k < 4 ? -7 : x[k / 4 * 4 - 1]));
            assert_true(runs_output(m, sim, "fibonacci") == fibonacci[k]);
            assert_true(runs_output(m, sim, "sampled(taps[5])") == (k < 10 ? -7 : x[k - 10]));
            if (k >= 3) {
                assert_true(runs_output(m, sim, "sampled(line[3])") == x[k - 3]);
            }
            if (k == kept && !round) {
                runs_must(detent_save_state(sim, saved, size, &error), &error);
            }
        }
        runs_must(detent_restore_state(sim, saved, size, &error), &error);
    }
    detent_simulation *other = runs_start(m, NULL); /* another one goes on from there, too */
    runs_must(detent_restore_state(other, saved, size, &error), &error);
    runs_advance(other, 0.5 * 100 + 0.3);
    assert_true(runs_output(m, other, "late") == x[60]);
    detent_simulation_destroy(other);
    free(saved);
    runs_end(sim, m);
}

/* A dead time in a loop: the rotor is pushed by what it was n periods ago, so that the recursion is that of parabolas. */
static void a_dead_time_is_exact(void **state)
{
    UNUSED(state);
    enum { LATE = 12, STEPS = 500 };
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {arm: {mass: 1, inertia: [2, 2, 2]}}\n"
            "joints: {shoulder: {type: revolute, base: ground, follower: arm, force: torque}}\n"
            "sampled:\n"
            "  error: {every: 2 ms, value: 1 - position(shoulder) - 0.3*velocity(shoulder)}\n"
            "  torque: {every: 2 ms, value: \"50*previous(error, 12)\"}\n"
            "outputs: [position(shoulder), velocity(shoulder), torque]\n"
            "simulation: {end: 2, rtol: 1e-10}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double q = 0, w = 0, error[STEPS];
        for (int n = 0; n < STEPS; n++) {
            error[n] = 1 - q - 0.3 * w;
            const double torque = n < LATE ? 0 : 50 * error[n - LATE], a = torque / 2;
            if (n % 100 == 99) {
                double is[3];
                variant_outputs(sim, v, 2e-3 * n + 1e-3, is, 3);
                variant_check(v, "angle", is[0], q + w * 1e-3 + 0.5 * a * 1e-6, 1e-8);
                variant_check(v, "rate", is[1], w + a * 1e-3, 1e-7);
                variant_check(v, "torque", is[2], torque, 1e-6);
            }
            q += w * 2e-3 + 0.5 * a * 4e-6;
            w += a * 2e-3;
        }
        runs_end(sim, m);
    }
}

/*
 * Modes and friction of the start are those that the values' own initial ones lead to: who reads them, or others who do, is not evaluated before, as if nothing
 * were locked yet and nothing rubbed.
 */
static void a_start_is_sampled_from_initial_values(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 2}}\n"
            "joints: {x: {type: prismatic, base: ground, follower: b}}\n"
            "sampled:\n"
            "  push: {every: 0.5, value: \"if(locked > 0, 14, 0)\"}\n"
            "  locked: {every: 0.5, value: \"if(mode(x) == 0, 1, 0)\"}\n"
            "  count: {every: 0.5, value: count + 1}\n"
            "  rubs: {every: 0.5, value: friction(x)}\n"
            "stiction: {x: {external: push, kinetic: 5, static: 8}}\n"
            "outputs: [acceleration(x), push, locked, count, rubs]\nsimulation: {end: 1}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[5];
        variant_outputs(sim, v, 0, is, 5);
        variant_check(v, "acceleration", is[0], 4.5, 1e-9);
        variant_check(v, "push", is[1], 14, 0);
        variant_check(v, "locked", is[2], 1, 0);
        variant_check(v, "count", is[3], 1, 0);
        variant_check(v, "rubs", is[4], 0, 0);
        runs_end(sim, m);
    }
}

/* 0.1 + 3 * 0.3 is less than 1 by its rounding alone: that is the start, and an instant. */
static void a_start_is_an_instant_but_for_rounding(void **state)
{
    UNUSED(state);
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 2}}\n"
                   "joints: {x: {type: prismatic, base: ground, follower: b}}\n"
                   "sampled: {s: {every: 0.3, offset: 0.1, value: t}}\noutputs: [s]\n"
                   "simulation: {start: 1, end: 2}\n",
                   NULL);
    detent_simulation *sim = runs_start(m, NULL);
    runs_near("at the start", runs_output(m, sim, "s"), 1, 1e-15);
    runs_advance(sim, 1.2);
    runs_near("later", runs_output(m, sim, "s"), 1, 1e-15);
    runs_end(sim, m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_is_sampled_from_initial_values),
        cmocka_unit_test(a_start_is_an_instant_but_for_rounding),
        cmocka_unit_test(values_of_long_before_are_read),
        cmocka_unit_test(a_dead_time_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
