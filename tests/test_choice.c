/* `integrator: auto`: takes the explicit method where events are dense, the implicit one where the
 * mechanism is stiff, and gives the same run as each of them. */

#include "support_runs.h"

static const char stiff[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1}, b: {mass: 1e-3}}\n"
    "joints:\n"
    "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], spring: {stiffness: 10},\n"
    "      initial: {position: 1 m}}\n"
    "  y: {type: prismatic, base: a, follower: b, axis: [1, 0, 0], spring: {stiffness: 1e4}, "
    "damping: 100}\n"
    "stiction: {x: {velocity_threshold: 1e-6, kinetic: 0.5, static: 0.5}}\n"
    "simulation: {end: 10}\n";

typedef struct outcome {
    double position;
    detent_statistics statistics;
} outcome;

static outcome run(detent_mechanism *mechanism, const char *joint, detent_integrator integrator,
                   double end)
{
    outcome out;
    detent_settings settings = runs_settings(mechanism, 1e-6, 0);
    settings.integrator = integrator;
    detent_simulation *simulation = runs_start(mechanism, &settings);
    runs_advance(simulation, end);
    out.position = runs_position(mechanism, simulation, joint);
    out.statistics.size = sizeof out.statistics;
    detent_get_statistics(simulation, &out.statistics);
    detent_simulation_destroy(simulation);
    return out;
}

/** The three runs of a mechanism agree; IDA, ERK, auto. */
static void run_all(detent_mechanism *mechanism, const char *joint, double end, outcome out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = run(mechanism, joint, (detent_integrator)k, end);
        assert_true(fabs(out[k].position - out[0].position) < 1e-5);
        assert_int_equal(out[k].statistics.events, out[0].statistics.events);
    }
    print_message("residuals: ida %zu, erk %zu, auto %zu\n", out[0].statistics.residuals,
                  out[1].statistics.residuals, out[2].statistics.residuals);
}

static void stiff_mechanisms_are_implicit(void **state)
{
    outcome out[3];
    UNUSED(state);
    detent_mechanism *mechanism = runs_parse(stiff, NULL);
    run_all(mechanism, "x", 10, out);
    /* the implicit method's, and what the trials cost */
    assert_true(out[1].statistics.residuals > 100 * out[0].statistics.residuals);
    assert_true(out[2].statistics.residuals < out[1].statistics.residuals / 20);
    detent_mechanism_destroy(mechanism);
}

static void dense_events_are_explicit(void **state)
{
    outcome out[3];
    const char *const set[] = {"n=100", NULL};
    UNUSED(state);
    detent_mechanism *mechanism = runs_load("hanging_chain.yaml", set);
    run_all(mechanism, "hinge[1]", 1, out);
    /* far fewer steps than the implicit method's: it was the explicit one that ran */
    assert_true(out[2].statistics.steps < out[0].statistics.steps / 2 + 500);
    detent_mechanism_destroy(mechanism);
}

/** What is restored runs as it ran before, also where the explicit method ran meanwhile. */
static void a_restored_run_chooses_anew(void **state)
{
    const char *const set[] = {"n=100", NULL};
    detent_statistics before = DETENT_INIT(detent_statistics),
                      after[2] = {DETENT_INIT(detent_statistics), DETENT_INIT(detent_statistics)};
    double position[2];
    detent_error error;
    UNUSED(state);
    detent_mechanism *mechanism = runs_load("hanging_chain.yaml", set);
    detent_settings settings = runs_settings(mechanism, 1e-6, 0);
    settings.integrator = DETENT_INTEGRATOR_AUTO;
    detent_simulation *simulation = runs_start(mechanism, &settings);
    runs_advance(simulation, 0.5);
    const size_t size = detent_state_size(simulation);
    void *bytes = malloc(size);
    runs_must(detent_save_state(simulation, bytes, size, &error), &error);
    for (int k = 0; k < 2; k++) {
        runs_must(detent_restore_state(simulation, bytes, size, &error), &error);
        detent_get_statistics(simulation, &before);
        runs_advance(simulation, 1);
        detent_get_statistics(simulation, &after[k]);
        after[k].steps -= before.steps;
        after[k].residuals -= before.residuals;
        position[k] = runs_position(mechanism, simulation, "hinge[1]");
    }
    assert_int_equal(after[0].steps, after[1].steps);
    assert_true(position[0] == position[1]);              /* to the last bit */
    assert_true(after[0].residuals > 3 * after[0].steps); /* the explicit method, mostly */
    free(bytes);
    runs_end(simulation, mechanism);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_mechanisms_are_implicit),
        cmocka_unit_test(dense_events_are_explicit),
        cmocka_unit_test(a_restored_run_chooses_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
