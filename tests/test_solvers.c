/* The Newton iteration and its two linear solvers; and runs that must not go on for ever. */

#include "support_runs.h"

/* ---- the exact Newton matrix: one residual evaluation a step is the rule ---- */

static const struct {
    const char *file, *set[2];
    double end;
} long_runs[] = {
    {"hanging_chain.yaml", {"n=30"}, 1},
    {"hanging_chain.yaml", {"n=100"}, 0.3},
    {"sticky_double_pendulum.yaml", {NULL}, 20},
    {"z1_arm.yaml", {NULL}, 2},
};

static void test_residuals_per_step(void **state)
{
    UNUSED(state);
    for (size_t k = 0; k < sizeof long_runs / sizeof *long_runs; k++) {
        detent_mechanism *m = runs_load(long_runs[k].file, long_runs[k].set);
        detent_simulation *s = runs_start(m, NULL);
        runs_advance(s, long_runs[k].end);
        runs_near(long_runs[k].file, runs_residuals_per_step(s), 1, 0.2);
        runs_end(s, m);
    }
}

/* ---- elimination along the tree against the full matrix ---- */

typedef struct solver_case {
    const char *file, *set[2];
    double end, rtol, tolerance;
} solver_case;

static double *run_with(const solver_case *c, detent_linear_solver solver, size_t *count)
{
    detent_mechanism *m = runs_load(c->file, c->set);
    detent_settings settings = runs_settings(m, c->rtol, 0.01 * c->rtol);
    settings.linear_solver = solver;
    detent_simulation *s = runs_start(m, &settings);
    runs_advance(s, c->end);
    double *state = runs_state(m, s, count);
    assert_true(runs_residuals_per_step(s) <= 1.2);
    runs_end(s, m);
    return state;
}

static void check_solvers(const solver_case *c)
{
    size_t count;
    double *tree = run_with(c, DETENT_LINEAR_SOLVER_TREE, &count),
           *dense = run_with(c, DETENT_LINEAR_SOLVER_DENSE, &count), worst = 0;
    for (size_t k = 0; k < count; k++) {
        worst = fmax(worst, fabs(tree[k] - dense[k]));
    }
    runs_near(c->file, worst, 0, c->tolerance);
    free(tree);
    free(dense);
}

/* Both take the same steps as long as their Newton steps are the same, so they differ by far less than either errs. */
static void test_both_solvers_agree(void **state)
{
    UNUSED(state);
    static const solver_case cases[] = {
        {"hanging_chain.yaml", {"n=10"}, 1, 1e-8, 1e-8},
        {"sticky_double_pendulum.yaml", {NULL}, 2, 1e-8, 1e-8},
        {"z1_arm.yaml", {NULL}, 2, 1e-8, 1e-8},
        {"burridge_knopoff.yaml", {NULL}, 4, 1e-8, 1e-8},
        {"sticky_box_stack.yaml", {NULL}, 10, 1e-8, 1e-8},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        check_solvers(&cases[k]);
    }
}

/* ---- event storms ---- */

/* A relay on the place, and a damper: every return to zero comes sooner than the last one, and more often than allowed. */
static const char chatter_text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {block: {mass: 1 kg}}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0],\n"
    "          initial: {velocity: 0.5 m/s}, force: \"-2 [N]*sign(position(slide))\", damping: 3}\n"
    "outputs: [position(slide), velocity(slide)]\n"
    "simulation: {end: 10, rtol: 1e-7, max_event_rate: 2000}\n";

static void test_chatter_ends_as_an_event_storm(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(chatter_text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    detent_error error;
    const detent_status status = detent_advance(s, 10, false, &error);
    if (runs_verbose()) {
        print_message("    %s: %s\n", detent_status_text(status), error.message);
    }
    assert_int_equal(status, DETENT_EVENT_STORM);
    assert_int_equal(error.status, DETENT_EVENT_STORM);
    assert_non_null(strstr(error.message, "sign(position(slide))")); /* the law that takes part */
    /* The results so far are there: it has come to rest, and the storm followed. */
    assert_true(detent_time(s) > 0.4);
    runs_near("place", runs_output(m, s, "position(slide)"), 0, 1e-3);
    runs_near("velocity", runs_output(m, s, "velocity(slide)"), 0, 1e-3);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    /* a storm costs what the settings allow, and little between events */
    assert_true(statistics.events < 20000 && statistics.steps < 30 * statistics.events);
    assert_true(statistics.events > 0 && isfinite(statistics.kinetic_energy));
    runs_end(s, m);
}

/* Shaken hard, a block stops and starts 200 times a second: a storm or not, as the settings say. */
static const char shaken_text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {block: {mass: 1 kg}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
    "stiction: {slide: {velocity_threshold: 1e-6, static: 1, kinetic: 1,\n"
    "                   external: 1.2*sin(2*pi*100*t)}}\n"
    "simulation: {end: 2, rtol: 1e-6}\n";

static void test_the_bound_is_that_of_the_settings(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(shaken_text, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    detent_error error;
    detent_simulation *s = runs_start(m, &settings);
    assert_int_equal(detent_advance(s, 2, false, &error), DETENT_OK);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    assert_in_range(statistics.events, 800, 1300);
    detent_simulation_destroy(s);

    settings.max_event_rate = 100;
    s = runs_start(m, &settings);
    assert_int_equal(detent_advance(s, 2, false, &error), DETENT_EVENT_STORM);
    assert_non_null(strstr(error.message, "joint 'slide' ("));
    assert_true(detent_time(s) > 0 && detent_time(s) < 1);
    assert_true(isfinite(runs_position(m, s, "slide")));
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residuals_per_step),
        cmocka_unit_test(test_both_solvers_agree),
        cmocka_unit_test(test_chatter_ends_as_an_event_storm),
        cmocka_unit_test(test_the_bound_is_that_of_the_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
