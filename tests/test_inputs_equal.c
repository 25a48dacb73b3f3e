/* An input that is set to the value it has is no event, with any integrator: who sets all inputs every time has the run of who sets those that
 * change. What counts is the value that the input has in the run: not one that no advance has taken yet, and not one of before the run went
 * back to a saved state, or to its beginning. Equal is to the last bit. */
#include "support_variants.h"

enum { STEPPED = 3, RUNS = VARIANTS + STEPPED, PERIODS = 400 };
static const double period = 1e-3;

/* A block that sticks and slips on a rail, under an input that is a push, one that a relay compares, and one that reaches it sampled and late. */
static const char text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "inputs: {push: 0, level: 0.2, far: 0}\n"
    "bodies: {block: {mass: 1 kg}, knob: {mass: 0.5 kg}}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
    "  turn: {type: prismatic, base: block, follower: knob, axis: [1, 0, 0], force: "
    "-20*position(turn) + held}\n"
    "sampled: {held: {every: 2e-3, value: 0.3*far}}\n"
    "stiction: {slide: {kinetic: 1, static: 1.2, external: \"push + if(push > level, 0.5, 0)\"}}\n"
    "outputs: [{side: \"atan2(push, -1)\"}]\n"
    "simulation: {end: 10 s, rtol: 1e-6}\n";

/* The same without what time stepping refuses, or has no use for. */
static detent_settings settings_of(const detent_mechanism *m, size_t run)
{
    static const detent_integrator stepped[STEPPED] = {
        DETENT_INTEGRATOR_EULER, DETENT_INTEGRATOR_RK4, DETENT_INTEGRATOR_FIXED};
    if (run < VARIANTS) {
        detent_settings settings = variant_settings(m, variant_at(run));
        settings.step = 0;
        return settings;
    }
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    settings.integrator = stepped[run - VARIANTS];
    settings.step = 2e-4;
    return settings;
}

static detent_simulation *start(const detent_mechanism *m, size_t run)
{
    const detent_settings settings = settings_of(m, run);
    return runs_start(m, &settings);
}

static void set(detent_simulation *sim, size_t input, double value)
{
    detent_error error = {.message = ""};
    runs_must(detent_set_input(sim, input, value, &error), &error);
}

static detent_statistics statistics_of(detent_simulation *sim)
{
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    runs_must(detent_get_statistics(sim, &statistics), NULL);
    return statistics;
}

/* Whether the next advance makes an event at once. */
static bool makes_event(detent_simulation *sim)
{
    detent_error error = {.message = ""};
    const double t = detent_time(sim);
    const size_t events = statistics_of(sim).events;
    const detent_status status = detent_advance(sim, t, true, &error);
    assert_true(status == DETENT_OK || status == DETENT_EVENT);
    assert_true(detent_time(sim) == t);
    assert_int_equal(status == DETENT_EVENT, statistics_of(sim).events > events);
    return status == DETENT_EVENT;
}

/* Time stepping searches nothing for an input, so that no event tells that it was taken: the reading does. */
static bool tells(size_t run)
{
    return run != RUNS - 1;
}

static double push_at(int k)
{
    const double steps[] = {0, 0.6, 1.1, 1.6, -0.4, -1.4};
    return steps[k / 40 % 6];
}

static void expect_same(const detent_mechanism *m, detent_simulation *a, detent_simulation *b)
{
    size_t count = 0;
    double *p = runs_state(m, a, &count), *q = runs_state(m, b, &count);
    assert_memory_equal(p, q, count * sizeof *p);
    free(p);
    free(q);
    assert_int_equal(runs_mode(m, a, "slide"), runs_mode(m, b, "slide"));
}

static void who_sets_all_has_the_same_run(void **state)
{
    detent_mechanism *m = runs_parse(text, NULL);
    (void)state;
    for (size_t run = 0; run < RUNS; run++) {
        detent_simulation *all = start(m, run), *few = start(m, run);
        for (int k = 0; k < PERIODS; k++) {
            for (size_t input = 0; input < 3; input++) {
                const double value = input == 1 ? 0.2 : push_at(k);
                set(all, input, value);
                if (k > 0 && input != 1 && value != push_at(k - 1)) {
                    set(few, input, value);
                }
            }
            runs_advance(all, (k + 1) * period);
            runs_advance(few, (k + 1) * period);
            expect_same(m, all, few);
        }
        const detent_statistics a = statistics_of(all), b = statistics_of(few);
        assert_int_equal(a.events, b.events);
        assert_int_equal(a.steps, b.steps);
        assert_int_equal(a.restarts, b.restarts);
        assert_true(fabs(runs_position(m, all, "slide")) > 1e-3);
        detent_simulation_destroy(all);
        detent_simulation_destroy(few);
    }
    detent_mechanism_destroy(m);
}

/* Until an advance has taken it a change can be taken back, and be made again. */
static void changes_that_wait(void **state)
{
    detent_mechanism *m = runs_parse(text, NULL);
    (void)state;
    for (size_t run = 0; run < RUNS; run++) {
        detent_simulation *sim = start(m, run);
        detent_error error = {.message = ""};
        set(sim, 0, 0.5);
        set(sim, 0, 0);
        assert_false(makes_event(sim));
        set(sim, 0, 0.5);
        set(sim, 0, 0.5);
        assert_int_equal(detent_set_input(sim, 0, (double)NAN, &error), DETENT_ERROR_ARGUMENT);
        assert_int_equal(makes_event(sim), tells(run));
        runs_near("push", runs_output(m, sim, "side"), atan2(0.5, -1), 0);
        assert_false(makes_event(sim));
        /* -0 is another value than 0: a function in C may tell them apart */
        set(sim, 0, 0);
        makes_event(sim);
        runs_near("0", runs_output(m, sim, "side"), atan2(0.0, -1), 0);
        set(sim, 0, -0.0);
        assert_int_equal(makes_event(sim), tells(run));
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* Saved with a change that waits, and restored when another one has been taken since. */
static void what_is_restored(void **state)
{
    detent_mechanism *m = runs_parse(text, NULL);
    (void)state;
    for (size_t run = 0; run < RUNS; run++) {
        detent_simulation *sim = start(m, run), *clone = NULL;
        detent_error error = {.message = ""};
        const size_t size = detent_state_size(sim);
        void *bytes = malloc(size);
        runs_advance(sim, 0.01);
        set(sim, 0, 0.5);
        runs_must(detent_save_state(sim, bytes, size, &error), &error);
        runs_advance(sim, 0.02);
        for (int k = 0; k < 2; k++) {
            runs_must(detent_restore_state(sim, bytes, size, &error), &error);
            set(sim, 0, k == 0 ? 0.5 : 0); /* what waits, what it has */
            assert_int_equal(makes_event(sim), k == 0 && tells(run));
            runs_near("push", runs_output(m, sim, "side"), atan2(k == 0 ? 0.5 : 0, -1), 0);
        }
        set(sim, 0, 0.5);
        runs_must(detent_clone(sim, &clone, &error), &error);
        assert_int_equal(makes_event(clone), tells(run));
        runs_near("push", runs_output(m, clone, "side"), atan2(0.5, -1), 0);
        set(clone, 0, 0.5);
        assert_false(makes_event(clone));
        detent_simulation_destroy(clone);
        makes_event(sim);
        /* a state that is given keeps inputs, and the beginning has those of the file */
        const double at[] = {0.1, 0}, moving[] = {0, 0};
        runs_must(detent_set_state(sim, 0, at, moving, NULL, NULL, &error), &error);
        set(sim, 0, 0.5);
        assert_false(makes_event(sim));
        runs_must(detent_reset(sim, &error), &error);
        set(sim, 0, 0);
        assert_false(makes_event(sim));
        set(sim, 0, 0.5);
        assert_int_equal(makes_event(sim), tells(run));
        detent_simulation_destroy(sim);
        free(bytes);
    }
    detent_mechanism_destroy(m);
}

static const char rooted[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "inputs: {u: 1}\n"
    "bodies: {block: {mass: 1 kg}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
    "stiction: {slide: {kinetic: 0.5, static: 0.5, external: 2*sqrt(u)}}\n"
    "simulation: {end: 10 s}\n";

/* A change that could not be made, and is taken back: the run goes on as if nothing had been. */
static void a_change_that_fails(void **state)
{
    detent_mechanism *m = runs_parse(rooted, NULL);
    (void)state;
    for (size_t run = 0; run < RUNS; run++) {
        detent_simulation *sim = start(m, run);
        detent_error error = {.message = ""};
        runs_advance(sim, 0.1);
        if (run < VARIANTS) {
            set(sim, 0, -1);
            assert_true(detent_advance(sim, 0.2, false, &error) < 0);
            assert_true(detent_time(sim) == 0.1);
            set(sim, 0, 1);
        }
        runs_advance(sim, 1);
        runs_near("velocity", runs_velocity(m, sim, "slide"), 1.5, 1e-6);
        runs_near("position", runs_position(m, sim, "slide"), 0.75, run < VARIANTS ? 1e-6 : 1e-3);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_sets_all_has_the_same_run),
        cmocka_unit_test(changes_that_wait),
        cmocka_unit_test(what_is_restored),
        cmocka_unit_test(a_change_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
