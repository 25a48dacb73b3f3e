/*
 * Positions of rest: what is said where there is none, and where memory is out.
 */
#include "detent/analysis.h"
#include "support_ledger.h"
#include "support_runs.h"

/* ---- where there is none ---- */

static void test_refusals(void **state)
{
    static const char falls[] = "detent: 1\ngravity: [0, 0, -10]\nbodies: {a: {mass: 2}}\n"
                                "joints: {drop: {type: prismatic, base: ground, follower: a, axis: "
                                "[0, 0, 1]}}\nsimulation: {end: 1}\n";
    static const char clock[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: a, axis: [0, 0, 1], spring: "
        "{stiffness: 5}}}\nstates: {hand: {derivative: 1}}\n"
        "simulation: {end: 1}\n";
    static const char moves[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: a, motion: "
        "sin(t)}}\nsimulation: {end: 1}\n";
    (void)state;
    detent_error error;
    detent_rest rest = DETENT_INIT(detent_rest);
    detent_mechanism *m = runs_parse(falls, NULL);
    detent_analysis *analysis = runs_analyse(m);
    assert_int_equal(detent_equilibrium(analysis, NULL, &rest, &error), DETENT_ERROR_SOLVER);
    assert_non_null(strstr(error.message, "-20 N is left over at 'drop'"));
    runs_near("left over", rest.residual, 20, 1e-12);
    const detent_equilibrium_options few = {.size = sizeof few, .most_iterations = 3};
    assert_int_equal(detent_equilibrium(analysis, &few, NULL, &error), DETENT_ERROR_SOLVER);
    assert_non_null(strstr(error.message, " 3 iterations"));
    assert_int_equal(detent_equilibrium(NULL, NULL, &rest, &error), DETENT_ERROR_ARGUMENT);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    m = runs_parse(clock, NULL);
    analysis = runs_analyse(m);
    assert_int_equal(detent_equilibrium(analysis, NULL, &rest, &error), DETENT_ERROR_SOLVER);
    assert_non_null(strstr(error.message, "the state 'hand' still changes by 1 a second"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    m = runs_parse(moves, NULL);
    analysis = runs_analyse(m);
    assert_int_equal(detent_equilibrium(analysis, NULL, &rest, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the motion of 'slide' has velocity 1"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* ---- memory ---- */

/* All that an analysis of rest can be asked. */
static detent_status ask_all(const detent_mechanism *m, const detent_allocator *allocator,
                             detent_error *error)
{
    const detent_equilibrium_options options = {.size = sizeof options, .stiction = true};
    detent_analysis *analysis = NULL;
    detent_hold_interval interval = DETENT_INIT(detent_hold_interval);
    bool holds;
    detent_status status = detent_analysis_create(m, allocator, &analysis, error);
    status = status ? status : detent_equilibrium(analysis, &options, NULL, error);
    status = status ? status : detent_hold(analysis, &holds, NULL, NULL, error);
    status = status ? status : detent_find_hold_interval(analysis, 0, &interval, error);
    detent_analysis_destroy(analysis);
    return status;
}

/* Every allocation fails in its turn: an error, and everything is given back. */
static void test_out_of_memory(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "inputs: {u: 0}\n"
        "bodies: {a: {mass: 1, center_of_mass: [0, -1, 0], inertia: [1, 1, 1]}, b: {mass: 1}}\n"
        "joints:\n"
        "  pin: {type: revolute, base: ground, follower: a, initial: {position: 0.4}}\n"
        "  slide: {type: prismatic, base: a, follower: b, axis: [0, 1, 0], spring: {stiffness: "
        "90}}\n"
        "stiction: {pin: {external: u, kinetic: 1, static: 0.2*reaction_force(pin)}}\n"
        "simulation: {end: 1}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_status status = DETENT_ERROR_MEMORY;
    for (size_t limit = 0; status != DETENT_OK; limit++) {
        ledger c = {.allowed = limit};
        const detent_allocator allocator = ledger_allocator(&c);
        detent_error error;
        status = ask_all(m, &allocator, &error);
        assert_int_equal(c.alive, 0);
        assert_true(status == DETENT_OK || status == DETENT_ERROR_MEMORY);
        assert_true(limit < 10000);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
