/*
 * What static friction holds, by exact formulas: intervals that begin elsewhere, have no end, or are none; what is refused.
 */
#include "support_hold.h"

/* Steeper than its friction allows: the interval does not hold the present value. */
static void test_interval_elsewhere(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, -10]\n"
        "inputs: {pull: 0, idle: 3}\n"
        "bodies: {block: {mass: 2}}\n"
        "joints: {lift: {type: prismatic, base: ground, follower: block, axis: [0, 0, 1]}}\n"
        "stiction: {lift: {external: 2*pull, kinetic: 3, forward: -4, reverse: 6}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_error error;
    detent_hold_interval found = DETENT_INIT(detent_hold_interval);
    detent_mechanism *m = hold_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    bool holds = true;
    double friction, margin;
    found = hold_interval(m, "pull");
    runs_near("low", found.low, 7, 1e-13);
    runs_near("high", found.high, 12, 1e-13);
    runs_must(detent_hold(analysis, &holds, &friction, &margin, &error), &error);
    assert_false(holds);
    runs_near("friction", friction, 20, 1e-13);
    runs_near("margin", margin, -14, 1e-13);
    /* an input that has nothing to do with it cannot help, and where it holds has no end */
    assert_int_equal(detent_find_hold_interval(analysis, 1, &found, &error), DETENT_ERROR_SOLVER);
    assert_non_null(strstr(error.message, "does not hold 'lift', which starts in reverse"));
    runs_must(detent_analysis_set_input(analysis, 0, 8, &error), &error);
    runs_must(detent_hold(analysis, &holds, &friction, &margin, &error), &error);
    assert_true(holds);
    runs_near("margin", margin, 2, 1e-13);
    runs_must(detent_find_hold_interval(analysis, 1, &found, &error), &error);
    assert_true(isinf(found.low) && found.low < 0 && isinf(found.high) && found.high > 0);
    assert_true(found.low_primitive == -1 && found.high_primitive == -1);
    assert_int_equal(detent_find_hold_interval(analysis, 2, &found, &error), DETENT_ERROR_ARGUMENT);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* ---- what has no friction ---- */

/* A mass on a spring at its place of rest, and a block: what pushes the mass moves it, whatever little it is. */
static void test_free_joint(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "inputs: {both: 0, block: 0}\n"
        "bodies: {mass: {mass: 2}, block: {mass: 3}}\n"
        "joints:\n"
        "  up: {type: prismatic, base: ground, follower: mass, axis: [0, 0, 1], spring: "
        "{stiffness: "
        "700}, initial: {position: %s}}\n"
        "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
        "stiction: {slide: {external: both + block, kinetic: 3, static: 4}}\n"
        "loads: {up: {body: mass, force: [0, 0, both]}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_error error;
    detent_hold_interval found = DETENT_INIT(detent_hold_interval);
    detent_mechanism *m;
    for (int k = 0; k < 2; k++) {
        char file[1024];
        snprintf(file, sizeof file, text, k ? "0.1" : "-2*9.81/700");
        m = hold_parse(file, NULL);
        detent_analysis *analysis = runs_analyse(m);
        const detent_status status = detent_find_hold_interval(analysis, 1, &found, &error);
        if (k) {
            assert_int_equal(status, DETENT_ERROR_SOLVER);
            assert_non_null(strstr(error.message, "nothing holds 'up', which has no stiction"));
        } else {
            runs_must(status, &error);
            assert_true(fabs(found.low + 4) < 1e-13 && fabs(found.high - 4) < 1e-13);
            runs_must(detent_find_hold_interval(analysis, 0, &found, &error), &error);
            assert_true(found.low == 0 && found.high == 0);
            assert_int_equal(found.high_primitive, 0);
            assert_true(found.low_direction == -1 && found.high_direction == 1);
        }
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

/* ---- limits of all kinds ---- */

/*
 * One block is pushed by 5 N, another one pulled by 3 N; their limits are functions of the input. Intervals that begin elsewhere, that
 * have no end, that end where a law has no value; and none.
 */
static void test_limits_of_all_kinds(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "inputs: {u: %.17g}\n"
        "bodies: {one: {mass: 1}, two: {mass: 1}}\n"
        "joints:\n"
        "  one: {type: prismatic, base: ground, follower: one, axis: [1, 0, 0]}\n"
        "  two: {type: prismatic, base: ground, follower: two, axis: [1, 0, 0]}\n"
        "stiction:\n"
        "  one: {external: 5, kinetic: 0, static: \"%s\"}\n"
        "  two: {external: -3, kinetic: 0, static: \"%s\"}\n"
        "simulation: {end: 1}\n";
    const double inf = (double)INFINITY;
    const struct {
        double u;
        const char *one, *two;
        double low, high;
        int low_primitive, high_primitive;
        const char *message; /* there is none: why */
    } cases[] = {
        {1, "u", "4", 5, inf, 0, -1, NULL},
        {-1, "-u", "4", -inf, -5, -1, 0, NULL},
        {0, "u", "4", 5, inf, 0, -1, NULL},
        {7, "u", "10 - u", 5, 7, 0, 1, NULL},
        {0, "6 + sqrt(u)", "4", 0, inf, -1, -1, NULL},
        {0, "6 + sqrt(9 - u)", "4", -inf, 9, -1, -1, NULL},
        {3, "6 + sqrt(9 - u)", "4 + 2*sqrt(u)", 0, 9, -1, -1, NULL},
        {4, "u^2", "max(u, 0)^3", sqrt(5), inf, 0, -1, NULL},
        {0, "7", "4", -inf, inf, -1, -1, NULL},
        {0, "4", "4", 0, 0, 0, 0, "static friction does not hold 'one', which starts forward"},
        {0, "7", "1", 0, 0, 0, 0, "static friction does not hold 'two', which starts in reverse"},
        {1, "u", "5 - u", 0, 0, 0, 0, "does not hold 'one'"},
        {-1, "6 + sqrt(u)", "4", 0, 0, 0, 0, "not a finite number"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char file[1024];
        detent_error error;
        detent_hold_interval found = DETENT_INIT(detent_hold_interval);
        snprintf(file, sizeof file, text, cases[k].u, cases[k].one, cases[k].two);
        detent_mechanism *m = hold_parse(file, NULL);
        detent_analysis *analysis = runs_analyse(m);
        const detent_status status = detent_find_hold_interval(analysis, 0, &found, &error);
        if (cases[k].message) {
            assert_true(status == DETENT_ERROR_SOLVER || status == DETENT_ERROR_NUMERIC);
            assert_non_null(strstr(error.message, cases[k].message));
        } else {
            runs_must(status, &error);
            const double low = cases[k].low, high = cases[k].high;
            if (!(found.low == low || fabs(found.low - low) < 1e-12) ||
                !(found.high == high || fabs(found.high - high) < 1e-12)) {
                fail_msg("%s, %s: %.17g to %.17g", cases[k].one, cases[k].two, found.low,
                         found.high);
            }
            assert_int_equal(found.low_primitive, cases[k].low_primitive);
            assert_int_equal(found.high_primitive, cases[k].high_primitive);
        }
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

/* ---- what is refused ---- */

static void test_refusals(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "inputs: {u: 0}\n"
        "bodies: {block: {mass: 5}, sledge: {mass: 1}}\n"
        "joints:\n"
        "  drive: {type: prismatic, base: ground, follower: sledge, motion: 0.1*t}\n"
        "  slide: {type: prismatic, base: sledge, follower: block}\n"
        "stiction: {slide: {kinetic: 1, static: 2}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_error error;
    detent_hold_interval found = DETENT_INIT(detent_hold_interval);
    bool holds;
    detent_mechanism *m = hold_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    assert_int_equal(detent_find_hold_interval(analysis, 0, &found, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the motion of 'drive' has velocity 0.1"));
    assert_int_equal(detent_hold(analysis, &holds, NULL, NULL, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_hold(analysis, NULL, NULL, NULL, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_find_hold_interval(analysis, 0, NULL, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_find_hold_interval(NULL, 0, &found, &error), DETENT_ERROR_ARGUMENT);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval_elsewhere),
        cmocka_unit_test(test_free_joint),
        cmocka_unit_test(test_limits_of_all_kinds),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
