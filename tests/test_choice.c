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
                   double rtol, double end)
{
    outcome out;
    detent_settings settings = runs_settings(mechanism, rtol, 0);
    settings.integrator = integrator;
    detent_simulation *simulation = runs_start(mechanism, &settings);
    runs_advance(simulation, end);
    out.position = joint ? runs_position(mechanism, simulation, joint) : 0;
    out.statistics.size = sizeof out.statistics;
    detent_get_statistics(simulation, &out.statistics);
    detent_simulation_destroy(simulation);
    return out;
}

/** The three runs of a mechanism agree; IDA, ERK, auto. */
static void run_all(detent_mechanism *mechanism, const char *joint, double end, outcome out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = run(mechanism, joint, (detent_integrator)k, 1e-6, end);
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

/* A clutch before a shaft with a time constant of 8 us, and a block that is pushed to and fro between stops of 30 us. */
static const char clutch[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "signals: {grip: '600*(ramp(t, 0.2, 0.7) - ramp(t, 2, 2.5))'}\n"
    "bodies:\n"
    "  engine: {mass: 10, inertia: [0.1, 0.1, 0.2]}\n"
    "  shaft: {mass: 1, inertia: [0.01, 0.01, 0.02]}\n"
    "  load: {mass: 30, inertia: [0.3, 0.3, 0.5]}\n"
    "joints:\n"
    "  engine: {type: revolute, base: ground, follower: engine, force: 40,\n"
    "           initial: {velocity: 100}}\n"
    "  clutch: {type: revolute, base: engine, follower: shaft, initial: {velocity: -100}}\n"
    "  twist: {type: revolute, base: shaft, follower: load, spring: {stiffness: 5e4}, damping: "
    "2500}\n"
    "stiction: {clutch: {velocity_threshold: 1e-6, kinetic: 0.2*grip, static: 0.25*grip}}\n"
    "simulation: {end: 3}\n";

static const char stops[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {block: {mass: 1}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
    "stiction: {slide: {velocity_threshold: 1e-6, kinetic: 1, static: 1.2, external: "
    "12*sin(7*t)}}\n"
    "stops:\n"
    "  near: {joint: slide, side: lower, at: -0.02, stiffness: 1e7, damping: 3e4}\n"
    "  far: {joint: slide, side: upper, at: 0.02, stiffness: 1e7, damping: 3e4}\n"
    "simulation: {end: 3}\n";

/* Sweeps, where no law reads what it determines: four for a residual of IDA, as choice.c counts, and one for an evaluation of ERK. */
static double cost_of(const outcome *out)
{
    return (double)(out->statistics.residuals + 3 * out->statistics.solves);
}

/** Whether stiff or not: at most 1.3 times what the cheaper one of the two costs, at loose and at tight tolerances. */
static void costs_what_the_cheaper_one_costs(void **state)
{
    static const double tolerances[] = {1e-4, 1e-7};
    const struct {
        const char *text, *file;
        double end;
    } cases[] = {{stiff, NULL, 10},
                 {clutch, NULL, 3},
                 {stops, NULL, 3},
                 {runs_rods_text, NULL, 20},
                 {NULL, "burridge_knopoff.yaml", 20},
                 {NULL, "z1_arm.yaml", 2}};
    UNUSED(state);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        detent_mechanism *m =
            cases[k].text ? runs_parse(cases[k].text, NULL) : runs_load(cases[k].file, NULL);
        for (size_t n = 0; n < 2; n++) {
            double cost[3];
            for (int i = 0; i < 3; i++) {
                const outcome out = run(m, NULL, (detent_integrator)i, tolerances[n], cases[k].end);
                cost[i] = cost_of(&out);
            }
            print_message("%s, %g: ida %g, erk %g, auto %g sweeps\n",
                          cases[k].file ? cases[k].file : "a text", tolerances[n], cost[0], cost[1],
                          cost[2]);
            assert_true(cost[2] <= 1.3 * fmin(cost[0], cost[1]));
        }
        detent_mechanism_destroy(m);
    }
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
        cmocka_unit_test(costs_what_the_cheaper_one_costs),
        cmocka_unit_test(dense_events_are_explicit),
        cmocka_unit_test(a_restored_run_chooses_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
