/*
 * Stops where nothing is simulated: positions beyond them are refused, rest at them, ranges that end there, forces that hold there.
 */
#include "support_runs.h"

#include "detent/analysis.h"

static const char crank_slider[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  rod: {mass: 0.7, center_of_mass: [0.4, 0, 0], inertia: [0.02, 0.05, 0.05]}\n"
    "  slider: {mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"
    "joints:\n"
    "  A: {type: revolute, base: ground, follower: crank, damping: 0.1, initial: {position: 1, "
    "priority: exact}}\n"
    "  B: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}, initial: "
    "{position: -1.3}}\n"
    "  C: {type: revolute, base: rod, follower: slider, at: {base: [0.8, 0, 0]}, initial: "
    "{position: 0.3}}\n"
    "  D: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: {position: "
    "0.9}, stops: {lower: {at: %g}}}\n"
    "simulation: {end: 1}\n";

/** Loops may be assembled beyond a stop: that is told. */
static void what_is_beyond_is_told(void **state)
{
    (void)state;
    char text[2048];
    detent_error error;
    detent_simulation *sim = NULL;
    snprintf(text, sizeof text, crank_slider, 1.0);
    detent_mechanism *m = runs_parse(text, NULL);
    assert_int_equal(detent_simulation_create(m, NULL, &sim, &error), DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "'D' starts at 0.92"));
    detent_mechanism_destroy(m);
}

static size_t place_of(const detent_mechanism *m, const char *name)
{
    detent_primitive_info p;
    assert_int_equal(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p),
                     DETENT_OK);
    return p.first_coordinate;
}

/** At rest at a stop, by virtual work: with A the angle of the crank and p that of the rod, V' = f D' along A. */
static void rests_at_stops(void **state)
{
    (void)state;
    char text[2048];
    detent_error error;
    detent_rest rest;
    bool holds = false;
    /* hanging down the crank would be at -90 degrees, and the slider at 0.74 m */
    snprintf(text, sizeof text, crank_slider, 0.8);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    double q[8], f, margin;
    runs_must(detent_equilibrium(analysis, NULL, &rest, &error), &error);
    runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
    const double A = -acos(0.1875), p = -asin(0.3 / 0.8 * sin(A)),
                 turn = -0.3 * cos(A) / (0.8 * cos(p)),
                 V = 9.81 * (0.15 * cos(A) + 0.7 * (0.3 * cos(A) + 0.4 * cos(p) * turn)),
                 D = -0.3 * sin(A) - 0.8 * sin(p) * turn;
    runs_near("crank", q[place_of(m, "A")], A, 1e-12);
    assert_true(q[place_of(m, "D")] == 0.8);
    runs_must(detent_hold(analysis, &holds, &f, &margin, &error), &error);
    assert_true(holds && f > 0);
    runs_near("what the stop does", f, V / D, 1e-10);
    runs_near("until it would pull", margin, V / D, 1e-10);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/** How far the crank turns until its slider is at a stop: by the cosine law. A joint alone ends at its own. */
static void ranges_end_at_stops(void **state)
{
    (void)state;
    char text[2048];
    detent_error error;
    detent_range range;
    detent_joint_range joints[8];
    snprintf(text, sizeof text, crank_slider, 0.8);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    const size_t crank = (size_t)detent_find(m, DETENT_PRIMITIVE, "A");
    runs_must(detent_find_range(analysis, crank, NAN, NAN, &range, joints, &error), &error);
    assert_true(!range.turns && range.low_end == DETENT_RANGE_STOP &&
                range.high_end == DETENT_RANGE_STOP);
    runs_near("low", range.low, -acos(0.1875), 1e-9);
    runs_near("high", range.high, acos(0.1875), 1e-9);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    m = runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                   "joints: {h: {type: revolute, base: ground, follower: b, stops: {lower: {at: "
                   "-0.5}}}}\n",
                   NULL);
    analysis = runs_analyse(m);
    runs_must(detent_find_range(analysis, 0, NAN, 2, &range, joints, &error), &error);
    assert_true(range.low == -0.5 && range.low_end == DETENT_RANGE_STOP && range.high == 2 &&
                range.high_end == DETENT_RANGE_INTERVAL && !range.turns);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/** No force moves a joint beyond its stop; pressing against it, any force holds that is large enough. */
static void no_force_goes_beyond(void **state)
{
    (void)state;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, -10]\nbodies: {b: {mass: 2}}\n"
        "joints: {z: {type: prismatic, base: ground, follower: b, axis: [0, 0, 1], stops: {lower: "
        "{at: 0}, upper: {at: 1}}}}\n"
        "stiction: {z: {kinetic: 1, static: 3}}\n",
        NULL);
    detent_analysis *analysis = runs_analyse(m);
    detent_error error;
    double low, high;
    const double q[] = {1.5, 0.5, 0}, down = -1, none = 0, fast = -2;
    const bool driven = true;
    runs_must(detent_analysis_set_state(analysis, 0, &q[0], NULL, NULL, &error), &error);
    assert_int_equal(detent_inverse(analysis, &none, &driven, &low, &high, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'z' is at 1.5, beyond its stop"));
    runs_must(detent_analysis_set_state(analysis, 0, &q[1], NULL, NULL, &error), &error);
    runs_must(detent_inverse(analysis, &down, &driven, &low, &high, &error), &error);
    runs_near("drive", low, 18 - 1, 1e-12); /* friction helps against a fall */
    runs_must(detent_analysis_set_state(analysis, 0, &q[2], &fast, NULL, &error), &error);
    assert_int_equal(detent_inverse(analysis, &none, &driven, &low, &high, &error),
                     DETENT_ERROR_ARGUMENT);
    runs_must(detent_analysis_set_state(analysis, 0, &q[2], &none, NULL, &error), &error);
    assert_int_equal(detent_inverse(analysis, &down, &driven, &low, &high, &error),
                     DETENT_ERROR_ARGUMENT);
    runs_must(detent_inverse(analysis, &none, &driven, &low, &high, &error), &error);
    runs_near("until it leaves", high, 20 + 3, 1e-12);
    assert_true(low == -INFINITY);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_beyond_is_told),
        cmocka_unit_test(rests_at_stops),
        cmocka_unit_test(ranges_end_at_stops),
        cmocka_unit_test(no_force_goes_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
