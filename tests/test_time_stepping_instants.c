/*
 * Time stepping: what changes at the end of a step is not yet so within it, whether somebody reads there, an input comes, or an event of the
 * step's start is looked at.
 */
#include "support_runs.h"

static detent_simulation *start(const detent_mechanism *m, double step)
{
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = step;
    return runs_start(m, &settings);
}

/* A count, one more every 3 ms, and a motion that begins at 10.5 ms; steps of 2 ms. */
static detent_mechanism *counter(void)
{
    return runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\ninputs: {u: 0}\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], motion: "
        "\"1 [m/s^2]*if(t < 10.5 ms, 0, 1)*(t - 10.5 ms)^2\"},\n"
        "  y: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}}\n"
        "stiction: {y: {kinetic: 1, static: 1, external: \"u\"}}\n"
        "sampled: {c: {every: 3 ms, offset: 3 ms, initial: 0, value: \"c + 1\"}}\n"
        "outputs: [c, position(x)]\nsimulation: {end: 0.1}\n",
        NULL);
}

/* What is due at t, with those of before where t is an instant. */
static void must_be_at(detent_mechanism *m, detent_simulation *sim, double t)
{
    const double count = floor(t / 3e-3 + 1e-9), along = fmax(0, t - 0.0105);
    assert_true(runs_output(m, sim, "c") == count);
    assert_true(fabs(runs_output(m, sim, "position(x)") - along * along) < 1e-17);
}

static void within_a_step_nothing_is_ahead_of_time(void **state)
{
    (void)state;
    detent_mechanism *m = counter();
    detent_simulation *sim = start(m, 2e-3);
    for (int k = 1; k <= 60; k++) {
        runs_advance(sim, k * 0.35e-3);
        must_be_at(m, sim, k * 0.35e-3);
    }
    runs_end(sim, m);
}

static void an_input_takes_no_sample(void **state)
{
    (void)state;
    detent_mechanism *m = counter();
    detent_simulation *sim = start(m, 2e-3);
    for (int k = 1; k <= 60; k++) {
        detent_error error = {.message = ""};
        runs_advance(sim, k * 0.35e-3);
        runs_must(detent_set_input(sim, 0, 0.1 * (k % 7), &error), &error);
        must_be_at(m, sim, k * 0.35e-3);
    }
    runs_end(sim, m);
}

/* A crank that turns, and a block beside it that an input sets out within a step: the event moves nobody, and all stay closed. */
static void an_input_moves_no_loop(void **state)
{
    (void)state;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\ninputs: {u: 0}\n"
        "bodies:\n"
        "  crank: {mass: 0.5, inertia: [0.01, 0.01, 0.02]}\n"
        "  rod: {mass: 0.8, center_of_mass: [0.12, 0.01, 0], inertia: [0.01, 0.01, 0.007]}\n"
        "  piston: {mass: 0.6}\n"
        "  block: {mass: 1}\n"
        "joints:\n"
        "  main: {type: revolute, base: ground, follower: crank, "
        "initial: {position: 0.5, velocity: 30, priority: exact}}\n"
        "  big: {type: revolute, base: crank, follower: rod, at: {base: [0.1, 0, 0]}, "
        "initial: {position: -0.7}}\n"
        "  small: {type: revolute, base: piston, follower: rod, at: {follower: [0.3, 0, 0]}, "
        "initial: {position: -0.2}}\n"
        "  slide: {type: prismatic, base: ground, follower: piston, axis: [1, 0, 0], "
        "initial: {position: 0.38}}\n"
        "  y: {type: prismatic, base: ground, follower: block, axis: [0, 1, 0]}\n"
        "stiction: {y: {kinetic: 1, static: 1, external: \"u\"}}\n",
        NULL);
    detent_simulation *sim = start(m, 5e-3);
    enum { COORDINATES = 5 };
    double read[COORDINATES], before[COORDINATES], after[COORDINATES];
    detent_error error = {.message = ""};
    runs_advance(sim, 0.0123);
    runs_must(detent_read(sim, DETENT_POSITIONS, read, COORDINATES, &error), &error);
    runs_must(detent_set_input(sim, 0, 2, &error), &error);
    assert_int_equal(detent_advance(sim, 0.05, true, &error), DETENT_EVENT);
    runs_must(detent_read_before(sim, DETENT_POSITIONS, before, COORDINATES, &error), &error);
    runs_must(detent_read(sim, DETENT_POSITIONS, after, COORDINATES, &error), &error);
    for (int k = 0; k < COORDINATES; k++) {
        assert_true(fabs(before[k] - read[k]) < 1e-14 && fabs(after[k] - read[k]) < 1e-14);
    }
    runs_end(sim, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_a_step_nothing_is_ahead_of_time),
        cmocka_unit_test(an_input_takes_no_sample),
        cmocka_unit_test(an_input_moves_no_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
