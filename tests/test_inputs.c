/* Control loops: inputs that are set at a thousand and at a hundred thousand times a second, on a block that rests and on
 * one that is free. A change from outside is no event of a storm, and steps do not grow without bound at rest.
 * DETENT_TEST_INPUTS sets the number of control steps: 10000000 for the long run. */
#include "support_variants.h"

#include <time.h>

static const char resting[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "inputs: {u: 0}\n"
    "bodies: {block: {mass: 1 kg}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
    "stiction: {slide: {velocity_threshold: 1e-5, kinetic: 1, static: 1, external: u}}\n"
    "simulation: {end: 1000 s}\n";

static const char freely_sliding[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "inputs: {u: 0}\n"
    "bodies: {block: {mass: 1 kg}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], force: u}}\n"
    "simulation: {end: 1000 s}\n";

static long control_steps(void)
{
    const char *asked = getenv("DETENT_TEST_INPUTS");
    return asked ? atol(asked) : 20000;
}

static double force_at(long k, double amplitude)
{
    return amplitude * sin(0.01 * (double)k);
}

/* Sets the input before each of n advances by dt. */
static void control(detent_simulation *sim, variant v, long n, double dt, double amplitude)
{
    detent_error error;
    const clock_t began = clock();
    for (long k = 1; k <= n; k++) {
        runs_must(detent_set_input(sim, 0, force_at(k, amplitude), &error), &error);
        variant_advance(sim, v, (double)k * dt);
    }
    if (runs_verbose()) {
        print_message("    %s, every %g s: %.3g us a control step\n", variant_name(v), dt,
                      1e6 * (double)(clock() - began) / CLOCKS_PER_SEC / (double)n);
    }
}

static const double periods[] = {1e-3, 1e-5};

static void block_rests(void **test)
{
    UNUSED(test);
    detent_mechanism *m = runs_parse(resting, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t p = 0; p < 2; p++) {
            detent_simulation *sim = variant_start(m, variant_at(k));
            control(sim, variant_at(k), control_steps(), periods[p], 0.5);
            assert_true(runs_position(m, sim, "slide") == 0);
            assert_int_equal(runs_mode(m, sim, "slide"), DETENT_LOCKED);
            detent_simulation_destroy(sim);
        }
    }
    detent_mechanism_destroy(m);
}

static void free_block_follows(void **test)
{
    UNUSED(test);
    detent_mechanism *m = runs_parse(freely_sliding, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t p = 0; p < 2; p++) {
            const long n = control_steps();
            const double dt = periods[p];
            double q = 0, v = 0;
            detent_simulation *sim = variant_start(m, variant_at(k));
            control(sim, variant_at(k), n, dt, 0.5);
            for (long j = 1; j <= n; j++) {
                const double a = force_at(j, 0.5);
                q += dt * (v + 0.5 * dt * a);
                v += dt * a;
            }
            runs_near(variant_name(variant_at(k)), runs_position(m, sim, "slide"), q,
                      1e-6 * fmax(fabs(q), (double)n * dt * 0.01));
            detent_simulation_destroy(sim);
        }
    }
    detent_mechanism_destroy(m);
}

/* A push that lets go and holds at every change: two changes of mode in twenty microseconds are no storm. */
static void block_is_nudged(void **test)
{
    UNUSED(test);
    detent_mechanism *m = runs_parse(resting, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_error error;
        for (long j = 1; j <= 2000; j++) {
            runs_must(detent_set_input(sim, 0, j % 2 ? 2 : -2, &error), &error);
            variant_advance(sim, variant_at(k), (double)j * 1e-5);
        }
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* Long at rest with nothing at all to do, and far beyond the end that the file tells. */
static void rest_is_long(void **test)
{
    UNUSED(test);
    detent_mechanism *m = runs_parse(resting, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        for (double t = 1; t < 1e12; t *= 3) {
            variant_advance(sim, variant_at(k), t);
        }
        detent_get_statistics(sim, &statistics);
        assert_true(statistics.steps < 1000);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* ---- tunable parameters ---- */

static const char rubbing[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "parameters: {m: 2 kg, mu: 0.5}\n"
    "bodies: {a: {mass: m}}\n"
    "joints: {x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}}\n"
    "stiction: {x: {external: 8, kinetic: mu*normal_force(x),"
    " static: mu*normal_force(x)}}\n"
    "simulation: {end: 3}\n";

static detent_status load_tunable(const char *name, detent_mechanism **m, detent_error *error)
{
    const char *const names[] = {name};
    const detent_load_options options = {
        .size = sizeof options, .tunable = names, .tunable_count = 1};
    return detent_mechanism_parse(rubbing, strlen(rubbing), "rubbing.yaml", &options, m, error);
}

/** One mechanism, two simulations with a coefficient of their own; both change it on the way. */
static void parameters_of_a_simulation(void **test)
{
    (void)test;
    const double g = 9.81, m = 2;
    detent_mechanism *mechanism = NULL;
    detent_simulation *sim[2];
    detent_error error = {.message = ""};
    assert_int_equal(load_tunable("mu", &mechanism, &error), DETENT_OK);
    const size_t mu = (size_t)detent_find(mechanism, DETENT_INPUT, "mu");
    for (int k = 0; k < 2; k++) {
        assert_int_equal(detent_simulation_create(mechanism, NULL, &sim[k], &error), DETENT_OK);
    }
    assert_int_equal(detent_set_input(sim[1], mu, 0.3, &error), DETENT_OK);
    for (int k = 0; k < 2; k++) { /* 8 N against 9.81 N, and against 5.886 N */
        double v;
        while (detent_advance(sim[k], 1, false, &error) == DETENT_EVENT) {
        }
        assert_int_equal(detent_read(sim[k], DETENT_VELOCITIES, &v, 1, &error), DETENT_OK);
        assert_true(fabs(v - (k == 0 ? 0 : (8 - 0.3 * m * g) / m)) <= 1e-6);
        assert_int_equal(detent_set_input(sim[k], mu, 0.1, &error), DETENT_OK);
        while (detent_advance(sim[k], 2, false, &error) == DETENT_EVENT) {
        }
        const double before = v;
        assert_int_equal(detent_read(sim[k], DETENT_VELOCITIES, &v, 1, &error), DETENT_OK);
        assert_true(fabs(v - before - (8 - 0.1 * m * g) / m) <= 1e-6);
        detent_simulation_destroy(sim[k]);
    }
    detent_mechanism_destroy(mechanism);
}

/** What a mass follows from cannot change later; nor can what there is not. */
static void parameters_of_the_mechanism(void **test)
{
    (void)test;
    detent_mechanism *mechanism = NULL;
    detent_error error = {.message = ""};
    assert_int_equal(load_tunable("m", &mechanism, &error), DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "the parameter 'm' cannot be tunable"));
    assert_int_equal(error.line, 4);
    assert_int_equal(load_tunable("muh", &mechanism, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "did you mean 'mu'?"));
    assert_int_equal(load_tunable(NULL, &mechanism, &error), DETENT_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_rests),
        cmocka_unit_test(free_block_follows),
        cmocka_unit_test(block_is_nudged),
        cmocka_unit_test(rest_is_long),
        cmocka_unit_test(parameters_of_a_simulation),
        cmocka_unit_test(parameters_of_the_mechanism),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
