/*
 * Stops where nothing is simulated: positions beyond them are refused, rest at them, ranges that end there, forces that hold there, linear models
 * of what still moves.
 */
#include "support_linear.h"
#include "support_range.h"
#include "support_variants.h"

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

static size_t place_of(const detent_mechanism *m, const char *name)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    assert_int_equal(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p),
                     DETENT_OK);
    return p.first_coordinate;
}

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
    detent_assembly assembly = DETENT_INIT(detent_assembly);
    runs_must(detent_assemble(m, NULL, NULL, NULL, &assembly, &error), &error);
    assert_int_equal(assembly.beyond, detent_find(m, DETENT_PRIMITIVE, "D"));
    assert_int_equal(assembly.side, -1);
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(m, (size_t)assembly.beyond, &p);
    assert_true(p.stop[0] == 1 && p.stop[1] == INFINITY);
    detent_get_primitive(m, 0, &p);
    assert_true(p.stop[0] == -INFINITY && p.stop[1] == INFINITY);
    detent_mechanism_destroy(m);
    snprintf(text, sizeof text, crank_slider, 0.9);
    m = runs_parse(text, NULL);
    runs_must(detent_assemble(m, NULL, NULL, NULL, &assembly, &error), &error);
    assert_true(assembly.beyond == -1 && assembly.side == 0);
    detent_mechanism_destroy(m);
}

/** What is driven, or has a motion, does not go through a stop, wherever that is: the slider is at 0.8 m where cos A = 0.1875. */
static void no_drive_goes_beyond(void **state)
{
    (void)state;
    char text[2048];
    detent_error error;
    detent_drive drive = {.size = sizeof drive, .position = acos(0.1875) - 1e-6};
    double q[8];
    snprintf(text, sizeof text, crank_slider, 0.8);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    drive.primitive = (size_t)detent_find(m, DETENT_PRIMITIVE, "A");
    runs_must(detent_kinematics(analysis, 0, &drive, q, NULL, NULL, &error), &error);
    runs_near("slider", q[place_of(m, "D")], 0.8, 1e-6);
    drive.position += 2e-6;
    assert_int_equal(detent_kinematics(analysis, 0, &drive, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "with 'A' at 1.38"));
    assert_non_null(strstr(error.message, "'D' is at 0.79"));
    assert_non_null(strstr(error.message, "beyond its lower stop, at 0.8"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    m = runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
                   "joints:\n"
                   "  a: {type: revolute, base: ground, follower: a, motion: 0.5*t}\n"
                   "  b: {type: revolute, base: ground, follower: b, stops: {upper: {at: 2}}}\n"
                   "couplings: {g: {type: gear, joints: [b, a], ratio: 2}}\n"
                   "simulation: {end: 1}\n",
                   NULL);
    analysis = runs_analyse(m);
    runs_must(detent_kinematics(analysis, 2, NULL, q, NULL, NULL, &error), &error);
    assert_int_equal(detent_kinematics(analysis, 2.5, NULL, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(
        strstr(error.message, "at t = 2.5 s the joint 'b' is at 2.5, beyond its upper"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/** At rest at a stop, by virtual work: with A the angle of the crank and p that of the rod, V' = f D' along A. */
static void rests_at_stops(void **state)
{
    (void)state;
    char text[2048];
    detent_error error;
    detent_rest rest = DETENT_INIT(detent_rest);
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
    detent_range range = DETENT_INIT(detent_range);
    detent_joint_range joints[8];
    snprintf(text, sizeof text, crank_slider, 0.8);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    const size_t crank = (size_t)detent_find(m, DETENT_PRIMITIVE, "A");
    runs_must(range_find(analysis, crank, NAN, NAN, &range, joints, &error), &error);
    assert_true(!range.turns && range.low_end == DETENT_RANGE_STOP &&
                range.high_end == DETENT_RANGE_STOP);
    runs_near("low", range.low, -acos(0.1875), 1e-9);
    runs_near("high", range.high, acos(0.1875), 1e-9);
    const ptrdiff_t slider = detent_find(m, DETENT_PRIMITIVE, "D");
    assert_true(range.low_stop == slider && range.high_stop == slider);
    assert_true(range.low_side == -1 && range.high_side == -1);
    assert_int_equal(range_find(analysis, crank, 1.5, 2, &range, joints, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'D' is at 0.76"));
    double q[8];
    runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
    assert_true(q[crank] == 1); /* where it was */
    runs_must(range_find(analysis, crank, -0.5, 1.2, &range, joints, &error), &error);
    assert_true(range.low_stop == -1 && range.high_stop == -1 && range.low_side == 0);
    const double p = -asin(0.3 / 0.8 * sin(1.6)); /* analyses may stand beyond it */
    q[crank] = 1.6;
    q[place_of(m, "B")] = p - 1.6;
    q[place_of(m, "C")] = -p;
    q[place_of(m, "D")] = 0.3 * cos(1.6) + 0.8 * cos(p);
    runs_must(detent_analysis_set_state(analysis, 0, q, NULL, NULL, &error), &error);
    assert_int_equal(range_find(analysis, crank, NAN, NAN, &range, joints, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "lower stop"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    m = runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                   "joints: {h: {type: revolute, base: ground, follower: b, stops: {lower: {at: "
                   "-0.5}}}}\n",
                   NULL);
    analysis = runs_analyse(m);
    runs_must(range_find(analysis, 0, NAN, 2, &range, joints, &error), &error);
    assert_true(range.low == -0.5 && range.low_end == DETENT_RANGE_STOP && range.high == 2 &&
                range.high_end == DETENT_RANGE_INTERVAL && !range.turns);
    assert_true(range.low_stop == 0 && range.low_side == -1 && range.high_stop == -1);
    assert_int_equal(range_find(analysis, 0, -3, -2, &range, joints, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "-3 to -2 is beyond the lower stop of 'h', at -0.5"));
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

/**
 * A joint that rests at a stop is held there: what still moves are the others. Two blocks on each other by a spring, the lower one on the floor, and a
 * pendulum on it; what presses it on the floor is an output.
 */
static void what_rests_at_a_stop_is_held(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error;
        linear_model *l = NULL;
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, -10]\n"
            "bodies: {a: {mass: 2}, b: {mass: 0.5}}\n"
            "joints:\n"
            "  floor: {type: prismatic, axis: [0, 0, 1], base: ground, follower: a, initial: "
            "{position: 0.01}, stops: {lower: {at: 0, restitution: 0.2}}}\n"
            "  lift: {type: prismatic, axis: [0, 0, 1], base: a, follower: b, spring: {stiffness: "
            "50}, damping: 0.2, initial: {position: -0.1}}\n"
            "outputs: [stop_force(floor), position(lift)]\nsimulation: {end: 20, rtol: 1e-9}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_advance(sim, v, 5);
        runs_must(linear_model_make(sim, NULL, &l, &error), &error);
        assert_int_equal(l->states, 2); /* of the block above, alone */
        variant_near(v, l->eigenvalue[0].frequency, sqrt(50 / 0.5), 1e-9);
        variant_near(v, l->eigenvalue[0].damping, 0.2 / 0.5 / 2 / 10, 1e-9);
        variant_near(v, l->C[0], -50, 1e-6); /* what the spring presses the floor with */
        variant_near(v, l->C[1], -0.2, 1e-6);
        linear_model_free(l);
        runs_end(sim, m);
    }
}

/** A loop of which a joint rests at its stop stands still; friction does not let it go either. */
static void a_loop_at_a_stop_has_no_states(void **state)
{
    (void)state;
    char text[2048];
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error;
        linear_model *l = NULL;
        snprintf(text, sizeof text, crank_slider, 0.8);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_must(linear_model_make(sim, NULL, &l, &error), &error);
        assert_int_equal(l->states, 2); /* still in the air */
        linear_model_free(l);
        variant_advance(sim, v, 1);
        assert_int_equal(detent_get_mode(sim, 0, NULL), DETENT_LOCKED);
        runs_must(linear_model_make(sim, NULL, &l, &error), &error);
        assert_int_equal(l->states, 0);
        linear_model_free(l);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_beyond_is_told),
        cmocka_unit_test(no_drive_goes_beyond),
        cmocka_unit_test(rests_at_stops),
        cmocka_unit_test(ranges_end_at_stops),
        cmocka_unit_test(no_force_goes_beyond),
        cmocka_unit_test(what_rests_at_a_stop_is_held),
        cmocka_unit_test(a_loop_at_a_stop_has_no_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
