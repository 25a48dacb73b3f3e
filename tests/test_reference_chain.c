/* The hanging chain: tips and numbers of events after one second, against an independent event-driven program. */

#include "support_runs.h"

/* The free end of the last link. */
static void tip(const detent_mechanism *m, detent_simulation *s, size_t n, double place[2])
{
    detent_error error;
    double origin[3], w[4];
    runs_must(detent_get_pose(s, n - 1, origin, w, &error), &error);
    const double length = 1.0 / (double)n;
    UNUSED(m);
    place[0] = origin[0] + length * (1 - 2 * (w[2] * w[2] + w[3] * w[3]));
    place[1] = origin[1] + length * 2 * (w[1] * w[2] + w[0] * w[3]);
}

static void check_chain(size_t n, double x, double y, size_t events, double rtol)
{
    char count[16];
    snprintf(count, sizeof count, "n=%zu", n);
    const char *const set[] = {count, NULL};
    detent_mechanism *m = runs_load("hanging_chain.yaml", set);
    const detent_settings settings = runs_settings(m, rtol, 0.01 * rtol);
    detent_simulation *s = runs_start(m, &settings);
    double place[2];
    runs_advance(s, 1);
    tip(m, s, n, place);
    runs_near("x of the tip", place[0], x, 1e-6);
    runs_near("y of the tip", place[1], y, 1e-6);
    assert_true(runs_relative_energy_gap(s) < 1e-6);
    detent_statistics st = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &st);
    assert_int_equal(st.restarts, 1 + events); /* the start, then each breakaway and stop */
    if (runs_verbose()) {
        print_message("    n = %zu: %zu events, %zu restarts, %zu steps, %.3f residuals a step\n",
                      n, st.events, st.restarts, st.steps, runs_residuals_per_step(s));
    }
    runs_end(s, m);
}

static void test_chain_of_10(void **state)
{
    UNUSED(state);
    check_chain(10, -0.840055099, -0.542407704, 3, 1e-9);
}

static void test_chain_of_30(void **state)
{
    UNUSED(state);
    check_chain(30, -0.840639545, -0.541175262, 9, 1e-8);
}

static void test_chain_of_100(void **state)
{
    UNUSED(state);
    check_chain(100, -0.840629217, -0.541206597, 74, 1e-7);
}

/*
 * In chains of many tiny links the neighbours of a joint that breaks away are as near to their
 * limits as rounding lets them be: to 1e-10 of it with 3,000 links.
 */
static void test_neighbours_at_their_limits(void **state)
{
    UNUSED(state);
    if (getenv("DETENT_TEST_VARIANT")) {
        skip(); /* a minute and more */
    }
    static const char *const set[] = {"n=3000", NULL};
    detent_mechanism *m = runs_load("hanging_chain.yaml", set);
    detent_settings settings = runs_settings(m, 1e-3, 1e-7);
    settings.integrator = DETENT_INTEGRATOR_ERK;
    detent_simulation *s = runs_start(m, &settings);
    runs_advance(s, 0.738);
    assert_true(runs_relative_energy_gap(s) < 1e-5);
    detent_statistics st = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &st);
    assert_true(st.restarts > 500);
    runs_end(s, m);
}

/* Friction above the moment of gravity at the root: the chain is a beam, and stays exactly where it is. */
static void test_chain_below_its_limit_does_not_sag(void **state)
{
    UNUSED(state);
    const char *const set[] = {"n=100", "friction=4.91",
                               NULL}; /* the moment is 9.81/2 = 4.905 N m */
    detent_mechanism *m = runs_load("hanging_chain.yaml", set);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 100);
    size_t count;
    double *state_now = runs_state(m, s, &count);
    for (size_t k = 0; k < count; k++) {
        assert_true(state_now[k] == 0.0);
    }
    free(state_now);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_of_10),
        cmocka_unit_test(test_chain_of_30),
        cmocka_unit_test(test_chain_of_100),
        cmocka_unit_test(test_neighbours_at_their_limits),
        cmocka_unit_test(test_chain_below_its_limit_does_not_sag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
