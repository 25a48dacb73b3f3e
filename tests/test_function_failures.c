/* Functions of the program that fail: in any law, by any integrator, at once or step by step; what is said, what can be read
 * afterwards, and where it makes no difference. */
#include "support_functions.h"

static const double last_good = 0.71; /* s */

static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                DETENT_INTEGRATOR_EULER, DETENT_INTEGRATOR_FIXED};

/* Runs without the watch of the tests, which would read when a law is bad. */
detent_status __real_detent_simulation_create(const detent_mechanism *m,
                                              const detent_simulation_options *options,
                                              detent_simulation **s, detent_error *error);
detent_status __real_detent_advance(detent_simulation *s, double t, bool stop_at_events,
                                    detent_error *error);
void __real_detent_simulation_destroy(detent_simulation *s);

/* Ways to fail after some time; which words tell. */
static const struct {
    int returned;
    double value;
    const char *words;
} ways[] = {{-4, 1, "the function 'trip' failed: it returned -4"},
            {2, 1, "the function 'trip' failed: it returned 2"},
            {0, NAN, "the value of the function 'trip' is not a finite number"}};

static detent_simulation *start(const detent_mechanism *m, detent_integrator integrator)
{
    detent_error error;
    detent_simulation *s = NULL;
    detent_settings settings = runs_settings(m, 1e-6, 0);
    settings.integrator = integrator;
    settings.step =
        integrator == DETENT_INTEGRATOR_EULER || integrator == DETENT_INTEGRATOR_FIXED ? 1e-3 : 0;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    runs_must(__real_detent_simulation_create(m, &options, &s, &error), &error);
    return s;
}

static void fails_in(const char *place, size_t way, detent_integrator integrator)
{
    char what[100];
    detent_error error = {.message = ""};
    double values[FUNCTION_OUTPUTS];
    snprintf(what, sizeof what, "%s, integrator %d, way %zu", place, integrator, way);
    detent_mechanism *m = functions_parse(
        functions_text_with(place, "trip(t)", integrator != DETENT_INTEGRATOR_FIXED));
    detent_simulation *s = start(m, integrator);
    function_trip =
        (trip){.after = last_good, .returned = ways[way].returned, .value = ways[way].value};
    const detent_status status = __real_detent_advance(s, 1, false, &error);
    const double t = detent_time(s);
    if (status != DETENT_ERROR_FUNCTION || !strstr(error.message, ways[way].words)) {
        fail_msg("%s: %d, %s", what, status, error.message);
    }
    if (ways[way].returned < 0) {
        assert_int_equal(function_trip.failed, 1);
    }
    const double asked = strcmp(place, "sample") == 0  ? 0.75 /* every 50 ms */
                         : strcmp(place, "delay") == 0 ? 0.73 /* once a step is made */
                         : integrator == DETENT_INTEGRATOR_FIXED
                             ? last_good + 1e-3 /* what is coupled goes by a step's start */
                             : last_good;
    if (!(t <= asked * (1 + 1e-9) && t > 0.65)) {
        fail_msg("%s: good until %.17g s", what, t);
    }
    const detent_status read = detent_read(s, DETENT_OUTPUTS, values, FUNCTION_OUTPUTS, &error);
    /* time stepping takes laws within steps: at the end of the last one they may have no value, which is told */
    const bool has_none = integrator == DETENT_INTEGRATOR_FIXED && t > last_good &&
                          read == DETENT_ERROR_FUNCTION && strstr(error.message, ways[way].words);
    if (read != DETENT_OK && !has_none) {
        fail_msg("%s: %s", what, error.message);
    }
    for (int k = 0; k < FUNCTION_OUTPUTS && read == DETENT_OK; k++) {
        assert_true(isfinite(values[k]));
    }
    const detent_status again = __real_detent_advance(s, 1, false, &error);
    if (again != DETENT_ERROR_FUNCTION) {
        fail_msg("%s: %d the second time, %s", what, again, error.message);
    }
    __real_detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void in_every_law(void **state)
{
    UNUSED(state);
    for (size_t p = 0; functions_places[p]; p++) {
        for (size_t k = 0; k < sizeof integrators / sizeof *integrators; k++) {
            const bool is_refused = integrators[k] == DETENT_INTEGRATOR_FIXED &&
                                    strcmp(functions_places[p], "delay") == 0;
            for (size_t way = 0; way < sizeof ways / sizeof *ways && !is_refused; way++) {
                fails_in(functions_places[p], way, integrators[k]);
            }
        }
    }
}

/* ---- at the start ---- */

static void at_the_start(void **state)
{
    UNUSED(state);
    for (size_t p = 0; functions_places[p]; p++) {
        for (size_t way = 0; way < 2; way++) {
            detent_error error = {.message = ""};
            detent_simulation *s = NULL;
            detent_mechanism *m =
                functions_parse(functions_text_with(functions_places[p], "trip(t)", true));
            function_trip = (trip){.after = -1, .returned = ways[way].returned};
            detent_status status = __real_detent_simulation_create(m, NULL, &s, &error);
            if (s) { /* it is asked for by the first step */
                status = __real_detent_advance(s, 1, false, &error);
                __real_detent_simulation_destroy(s);
            }
            if (status != DETENT_ERROR_FUNCTION || !strstr(error.message, ways[way].words)) {
                fail_msg("%s: %d, %s", functions_places[p], status, error.message);
            }
            detent_mechanism_destroy(m);
        }
    }
}

/* ---- what has an influence ---- */

static const char block[] =
    "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
    "joints: {j: {type: prismatic, base: ground, follower: b, initial: {velocity: 1}, force: "
    "\"%s\"}}\noutputs: [\"%s\"]\nsimulation: {end: 1}\n";

static detent_status run_block(const char *force, const char *output, detent_error *error)
{
    char text[600];
    snprintf(text, sizeof text, block, force, output);
    detent_mechanism *m = functions_parse(text);
    detent_simulation *s = start(m, DETENT_INTEGRATOR_IDA);
    double value;
    function_trip = (trip){.after = last_good, .returned = -1};
    detent_status status = __real_detent_advance(s, 1, false, error);
    status = status ? status : detent_read(s, DETENT_OUTPUTS, &value, 1, error);
    __real_detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    return status;
}

/* A side that is not selected has none; what hides a value that is no number does not hide that there is none. */
static void where_it_has_an_influence(void **state)
{
    UNUSED(state);
    static const struct {
        const char *law;
        bool fails;
    } laws[] = {{"if(t < 5, 1, trip(t))", false},  {"if(t < 5, trip(t), 1)", true},
                {"if(trip(t) > 1, 1, 0)", true},   {"if(trip(t) + position(j) > 9, 1, 0)", true},
                {"min(trip(t), 3)", true},         {"sign(trip(t) + 1)", true},
                {"floor(0.5 + trip(t))", true},    {"trip(t)^0.5", true},
                {"grip(trip(t))", true},           {"0*trip(t)", false},
                {"if(t < 0.5, trip(t), 1)", false}};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        detent_error error = {.message = ""};
        const detent_status expected = laws[k].fails ? DETENT_ERROR_FUNCTION : DETENT_OK;
        const detent_status status = run_block(laws[k].law, "position(j)", &error);
        if (status != expected) {
            fail_msg("%s: %d, %s", laws[k].law, status, error.message);
        }
        assert_int_equal(run_block("1", laws[k].law, &error), expected);
        if (laws[k].fails && !strstr(error.message, "in the output")) {
            fail_msg("%s: %s", laws[k].law, error.message);
        }
    }
}

/* Arguments that are no numbers do not come to the function: the law is to blame. */
static void arguments_are_finite(void **state)
{
    UNUSED(state);
    detent_error error = {.message = ""};
    assert_int_equal(run_block("trip(0.5*sqrt(0.5 - t))", "0", &error), DETENT_ERROR_NUMERIC);
    assert_non_null(
        strstr(error.message, "'trip(0.5*sqrt(0.5 - t))', a law of 'j', is not a finite"));
    assert_int_equal(function_trip.failed, 0);
}

/* ---- not at this point ---- */

static int edge(void *user, const double *x, double *value, double *slope)
{
    *value = slope[0] = 0;
    *(size_t *)user += x[0] > 5;
    return x[0] > 5;
}

/*
 * A block that flies on to a buffer at 4.9 m, which sends it back. Beyond 5 m the function has no value, and the block never comes there; steps, as
 * long as the flight is free, try it with the branch that they began on. They are made shorter, and that is no end.
 */
static void trial_points_are_given_up(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
        "joints: {j: {type: prismatic, base: ground, follower: b, initial: {velocity: 1}, force: "
        "\"if(position(j) < 4.9, edge(position(j)), -10)\"}}\nsimulation: {end: 40}\n";
    size_t beyond = 0;
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        const detent_function_def def = {
            .size = sizeof def, .name = "edge", .argument_count = 1, .function = edge, &beyond};
        const detent_function_def *const list[] = {&def};
        const detent_load_options options = {
            .size = sizeof options, .functions = list, .function_count = 1};
        detent_error error;
        detent_mechanism *m = NULL;
        double x;
        runs_must(detent_mechanism_parse(text, strlen(text), "edge", &options, &m, &error), &error);
        detent_settings settings = variant_settings(m, variant_at(n));
        detent_simulation *s = runs_start(m, &settings);
        runs_advance(s, 6);
        runs_must(detent_read(s, DETENT_POSITIONS, &x, 1, &error), &error);
        variant_near(variant_at(n), x, 4, 1e-6);
        runs_end(s, m);
    }
    assert_true(beyond > 0);
}

/* ---- analyses ---- */

static void analyses_tell_too(void **state)
{
    UNUSED(state);
    detent_error error;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
        "joints: {j: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}}\n"
        "loads: {push: {body: b, force: [\"trip(t) - 1 [N/m]*position(j)\", 0, 0]}}\n"
        "outputs: [trip(t)]\nsimulation: {end: 1}\n";
    detent_mechanism *m = functions_parse(text);
    detent_analysis *n = runs_analyse(m);
    detent_simulation *s = start(m, DETENT_INTEGRATOR_IDA);
    detent_linearization *model;
    double a = 0, low, high, margin, friction, value;
    bool holds;
    for (size_t way = 0; way < 2; way++) {
        function_trip = (trip){.after = -1, .returned = ways[way].returned};
        assert_int_equal(detent_linearize(s, NULL, &model, &error), DETENT_ERROR_FUNCTION);
        assert_non_null(strstr(error.message, ways[way].words));
        assert_int_equal(detent_inverse(n, &a, NULL, &low, &high, &error), DETENT_ERROR_FUNCTION);
        assert_int_equal(detent_equilibrium(n, NULL, NULL, &error), DETENT_ERROR_FUNCTION);
        assert_int_equal(detent_hold(n, &holds, &friction, &margin, &error), DETENT_ERROR_FUNCTION);
        assert_int_equal(detent_read(s, DETENT_OUTPUTS, &value, 1, &error), DETENT_ERROR_FUNCTION);
        function_trip = (trip){.after = INFINITY};
        runs_must(detent_inverse(n, &a, NULL, &low, &high, &error), &error);
        runs_must(detent_read(s, DETENT_OUTPUTS, &value, 1, &error), &error);
        assert_true(value == 0);
    }
    detent_analysis_destroy(n);
    __real_detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_every_law),
        cmocka_unit_test(at_the_start),
        cmocka_unit_test(where_it_has_an_influence),
        cmocka_unit_test(arguments_are_finite),
        cmocka_unit_test(trial_points_are_given_up),
        cmocka_unit_test(analyses_tell_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
