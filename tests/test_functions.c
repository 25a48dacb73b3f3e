/* Functions of the program in expressions: the same as formulas, wherever expressions stand; what is refused; clones and saved
 * states. Where they fail: test_function_failures.c. */
#include "support_functions.h"

/* ---- the same as formulas ---- */

static void compare(const detent_mechanism *as_functions, const detent_mechanism *as_formulas,
                    const detent_settings *settings, double tolerance, const char *name)
{
    double values[2][FUNCTION_OUTPUTS];
    for (int k = 0; k < 2; k++) {
        detent_error error;
        detent_simulation *s = runs_start(k == 0 ? as_functions : as_formulas, settings);
        runs_advance(s, 1.2);
        runs_must(detent_read(s, DETENT_OUTPUTS, values[k], FUNCTION_OUTPUTS, &error), &error);
        detent_simulation_destroy(s);
    }
    for (int k = 0; k < FUNCTION_OUTPUTS; k++) {
        if (!(fabs(values[0][k] - values[1][k]) <= tolerance)) {
            fail_msg("%s: output %d is %.12g by functions and %.12g by formulas", name, k,
                     values[0][k], values[1][k]);
        }
    }
}

static void equal_to_formulas(void **state)
{
    UNUSED(state);
    detent_mechanism *as_functions = functions_parse(functions_text(true, true)),
                     *as_formulas = functions_parse(functions_text(false, true));
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        detent_settings settings = variant_settings(as_functions, variant_at(n));
        compare(as_functions, as_formulas, &settings, 2e-6, variant_name(variant_at(n)));
    }
    for (int method = DETENT_INTEGRATOR_EULER; method <= DETENT_INTEGRATOR_RK4; method++) {
        detent_settings settings = variant_settings(as_functions, variant_at(0));
        settings.integrator = (detent_integrator)method, settings.step = 1e-3;
        compare(as_functions, as_formulas, &settings, 1e-10, "fixed steps");
    }
    detent_mechanism_destroy(as_functions);
    detent_mechanism_destroy(as_formulas);
}

/* A and B of the linear model, and the work that analyses do. */
static void analyses_know_them(void **state)
{
    UNUSED(state);
    detent_mechanism *m[2] = {functions_parse(functions_text(true, false)),
                              functions_parse(functions_text(false, false))};
    detent_linearization *of[2];
    detent_linear_info info[2] = {DETENT_INIT(detent_linear_info), DETENT_INIT(detent_linear_info)};
    detent_simulation *s[2];
    detent_error error;
    for (int k = 0; k < 2; k++) {
        detent_settings settings = runs_settings(m[k], 1e-10, 0);
        s[k] = runs_start(m[k], &settings);
        runs_advance(s[k], 0.4);
        runs_must(detent_linearize(s[k], NULL, &of[k], &error), &error);
        assert_int_equal(detent_linearization_get_info(of[k], &info[k]), DETENT_OK);
    }
    assert_int_equal(info[0].states, info[1].states);
    assert_true(info[0].states >= 5);
    for (size_t k = 0; k < info[0].states * info[0].states; k++) {
        runs_near("A", info[0].A[k], info[1].A[k], 1e-5 * (1 + fabs(info[1].A[k])));
    }
    for (size_t k = 0; k < FUNCTION_OUTPUTS * info[0].states; k++) {
        runs_near("C", info[0].C[k], info[1].C[k], 1e-5 * (1 + fabs(info[1].C[k])));
    }
    for (int k = 0; k < 2; k++) {
        detent_linearization_destroy(of[k]);
        runs_end(s[k], m[k]);
    }
}

/* ---- beginnings ---- */

static void read_links(detent_simulation *s, double values[FUNCTION_OUTPUTS])
{
    detent_error error;
    runs_must(detent_read(s, DETENT_OUTPUTS, values, FUNCTION_OUTPUTS, &error), &error);
}

static void clones_and_saved_states(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = functions_parse(functions_text(true, true));
    detent_settings settings = runs_settings(m, 1e-7, 0);
    detent_simulation *s = runs_start(m, &settings), *clone;
    double first[FUNCTION_OUTPUTS], again[FUNCTION_OUTPUTS];
    runs_advance(s, 1);
    const size_t size = detent_state_size(s);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    runs_must(detent_save_state(s, bytes, size, &error), &error);
    runs_must(detent_restore_state(s, bytes, size, &error), &error);
    runs_must(detent_clone(s, &clone, &error), &error);
    runs_advance(s, 2);
    runs_advance(clone, 2);
    read_links(s, first);
    read_links(clone, again);
    assert_memory_equal(first, again, sizeof first);
    runs_must(detent_restore_state(s, bytes, size, &error), &error);
    runs_advance(s, 2);
    read_links(s, again);
    assert_memory_equal(first, again, sizeof first);

    runs_must(detent_reset(clone, &error), &error);
    detent_simulation *fresh = runs_start(m, &settings);
    runs_advance(clone, 1.5);
    runs_advance(fresh, 1.5);
    read_links(clone, first);
    read_links(fresh, again);
    assert_memory_equal(first, again, sizeof first);
    detent_simulation_destroy(clone);
    detent_simulation_destroy(fresh);
    free(bytes);
    runs_end(s, m);
}

static int nothing(void *user, const double *arguments, double *value, double *derivatives)
{
    UNUSED(user);
    *value = 0 * arguments[0];
    derivatives[0] = 0;
    return 0;
}

static detent_mechanism *with_function(const char *name, detent_function function)
{
    char text[600];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {b: {mass: 1}}\njoints: {j: {type: "
             "prismatic, base: ground, follower: b, force: %s(t)}}\nsimulation: {end: 1}\n",
             name);
    const detent_function_def def = {
        .size = sizeof def, .name = name, .argument_count = 1, .function = function};
    const detent_function_def *const list[] = {&def};
    const detent_load_options options = {
        .size = sizeof options, .functions = list, .function_count = 1};
    detent_mechanism *m = NULL;
    detent_error error;
    runs_must(detent_mechanism_parse(text, strlen(text), "one.yaml", &options, &m, &error), &error);
    return m;
}

/* A state is that of a mechanism with functions of these names: what they do nobody can compare. */
static void states_tell_functions_by_name(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *a = with_function("push", nothing), *b = with_function("pull", nothing),
                     *c = with_function("push", nothing);
    detent_simulation *of[3] = {runs_start(a, NULL), runs_start(b, NULL), runs_start(c, NULL)};
    const size_t size = detent_state_size(of[0]);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    runs_must(detent_save_state(of[0], bytes, size, &error), &error);
    assert_int_equal(detent_restore_state(of[1], bytes, size, &error), DETENT_ERROR_ARGUMENT);
    runs_must(detent_restore_state(of[2], bytes, size, &error), &error);
    free(bytes);
    runs_end(of[0], a);
    runs_end(of[1], b);
    runs_end(of[2], c);
}

/* ---- what is known, and what is refused ---- */

static void functions_are_items(void **state)
{
    UNUSED(state);
    detent_mechanism *m = functions_parse(functions_text(true, true));
    assert_int_equal(detent_count(m, DETENT_FUNCTION), FUNCTIONS);
    assert_string_equal(detent_name(m, DETENT_FUNCTION, 1), "grip");
    assert_int_equal(detent_find(m, DETENT_FUNCTION, "drive"), 2);
    assert_int_equal(detent_find(m, DETENT_FUNCTION, "position"), -1);
    detent_mechanism_destroy(m);
}

static void must_refuse_def(const detent_function_def *def, detent_status status, const char *words)
{
    detent_error error;
    detent_mechanism *m = NULL;
    runs_must(detent_mechanism_create("m", NULL, &m, &error), &error);
    runs_must(detent_add_item(m, "tables", "curve", "{of: [0, 1], is: [0, 1]}", &error), &error);
    assert_int_equal(detent_add_function(m, def, &error), status);
    if (!strstr(error.message, words)) {
        fail_msg("'%s' does not say '%s'", error.message, words);
    }
    detent_mechanism_destroy(m);
}

static void definitions_are_checked(void **state)
{
    UNUSED(state);
    const detent_function_def good = {
        .size = sizeof good, .name = "f", .argument_count = 1, .function = nothing};
    detent_function_def def = good;
    def.name = NULL;
    must_refuse_def(&def, DETENT_ERROR_ARGUMENT, "the function's name");
    static const struct {
        const char *name, *words;
    } names[] = {{"", "needs a name"},        {"2f", "starts with no digit"},
                 {"sin", "reserved"},         {"position", "reserved"},
                 {"if", "reserved"},          {"f[1]", "reserved"},
                 {"curve", "that of a table"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        def.name = names[k].name;
        must_refuse_def(&def, DETENT_ERROR_MODEL, names[k].words);
    }
    def = good;
    def.function = NULL;
    must_refuse_def(&def, DETENT_ERROR_ARGUMENT, "the function 'f' is missing");
    def = good;
    def.argument_count = 0;
    must_refuse_def(&def, DETENT_ERROR_MODEL, "1 to 16 arguments, not 0");
    def.argument_count = 17;
    must_refuse_def(&def, DETENT_ERROR_MODEL, "1 to 16 arguments, not 17");
    must_refuse_def(NULL, DETENT_ERROR_ARGUMENT, "the function's definition");
    def = good;
    def.size = 0;
    must_refuse_def(&def, DETENT_ERROR_ARGUMENT, "no size");

    detent_error error;
    detent_mechanism *m = NULL;
    runs_must(detent_mechanism_create("m", NULL, &m, &error), &error);
    runs_must(detent_add_function(m, &good, &error), &error);
    assert_int_equal(detent_add_function(m, &good, &error), DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "the name 'f' is used by two functions");
    assert_int_equal(detent_add_item(m, "tables", "f", "{of: [0, 1], is: [0, 1]}", &error),
                     DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "already that of a function of the program"));
    detent_mechanism_destroy(m);
}

static void calls_are_checked(void **state)
{
    UNUSED(state);
    static const struct {
        const char *joint;
        detent_status status;
        int column;
        const char *words;
    } calls[] = {
        {"force: grip()", DETENT_ERROR_SYNTAX, 56, "'grip' takes 1 argument, not 0"},
        {"force: \"drive(t, 1, 2)\"", DETENT_ERROR_SYNTAX, 57, "'drive' takes 2 arguments, not 3"},
        {"force: 2*grib(t)", DETENT_ERROR_MODEL, 58, "no function 'grib'; did you mean 'grip'?"},
        {"force: grip", DETENT_ERROR_SYNTAX, 56, "'grip' is a function: its arguments"},
        {"force: grip(t", DETENT_ERROR_SYNTAX, 60, "this '(' is never closed"},
        {"motion: grip(t)", DETENT_ERROR_MODEL, 57, "'grip' has no second derivative"},
        {"force: 1/grip(-40)", DETENT_ERROR_MODEL, 57, "division by zero"},
        {"force: 1 + trip(9)", DETENT_ERROR_FUNCTION, 60, "'trip' failed: it returned -1"},
    };
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        char text[400];
        detent_error error;
        detent_mechanism *m = NULL;
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
                 "joints: {j: {type: prismatic, base: ground, follower: b, %s}}\n",
                 calls[k].joint);
        function_trip = (trip){.after = 1, .returned = -1};
        const detent_status status = functions_try(text, &m, &error);
        if (status != calls[k].status || !strstr(error.message, calls[k].words) ||
            error.line != 4) {
            fail_msg("%s: %d at %d:%d, %s", calls[k].joint, status, error.line, error.column,
                     error.message);
        }
        assert_null(m);
    }
}

/* Derivatives of x^2 sin(y), wrong by a factor where `user` is one. */
static int product(void *user, const double *x, double *value, double *slope)
{
    const double *factor = user;
    *value = x[0] * x[0] * sin(x[1]);
    slope[0] = factor[0] * 2 * x[0] * sin(x[1]);
    slope[1] = factor[1] * x[0] * x[0] * cos(x[1]);
    return x[0] > 5 ? 3 : 0;
}

static void wrong_derivatives_are_found(void **state)
{
    UNUSED(state);
    static const double points[][2] = {{1, 2}, {-3, 0.1}, {0, 0}, {1e-3, -40}, {4, 1.2}};
    static const double factors[][2] = {{1, 1}, {1.01, 1}, {1, 0.999}, {-1, 1}, {1, 0}};
    const double steps[] = {1e-3, 1e-3};
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
            double factor[2] = {factors[k][0], factors[k][1]};
            const detent_function_def def = {sizeof def, "product", 2, product, factor};
            detent_error error = {.message = ""};
            const double x = points[p][0];
            const bool seen[2] = {x != 0, x != 0};
            const int wrong = factor[0] != 1 && seen[0] ? 1 : factor[1] != 1 && seen[1] ? 2 : 0;
            const detent_status status = detent_check_function(&def, points[p], steps, &error);
            char words[80];
            snprintf(words, sizeof words, "with respect to argument %d is said to be", wrong);
            if (status != (wrong ? DETENT_ERROR_FUNCTION : DETENT_OK) ||
                (wrong && !strstr(error.message, words))) {
                fail_msg("point %zu, factors %zu: %d, %s", p, k, status, error.message);
            }
        }
    }
    detent_error error;
    double factor[2] = {1, 1};
    detent_function_def def = {sizeof def, "product", 2, product, factor};
    const double far[] = {6, 0}, here[] = {1, 1}, none[] = {0, 1}, infinite[] = {INFINITY, 0};
    assert_int_equal(detent_check_function(&def, far, steps, &error), DETENT_ERROR_FUNCTION);
    assert_non_null(strstr(error.message, "'product' failed: it returned 3"));
    assert_int_equal(detent_check_function(&def, here, none, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_check_function(&def, infinite, steps, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_check_function(&def, NULL, steps, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_check_function(&def, here, NULL, &error), DETENT_ERROR_ARGUMENT);
    def.argument_count = 17;
    assert_int_equal(detent_check_function(&def, here, steps, &error), DETENT_ERROR_ARGUMENT);
}

/* Of constants they are constants: where these have to be, too. */
static void constants_may_call(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nparameters: {n: grip(0), m: \"if(n > 0, 2, trip(9))\"}\n"
        "bodies: {b: {mass: grip(n)}}\n"
        "joints: {j: {type: prismatic, base: ground, follower: b, motion: \"grip(m)*t^2\"}}\n"
        "outputs: [n, acceleration(j)]\n";
    detent_error error;
    detent_mechanism *m = NULL;
    function_trip = (trip){.after = 1, .returned = -1};
    runs_must(functions_try(text, &m, &error), &error);
    detent_simulation *s = runs_start(m, NULL);
    double values[2];
    runs_must(detent_read(s, DETENT_OUTPUTS, values, 2, &error), &error);
    runs_near("n", values[0], 0.6, 1e-15);
    runs_near("acceleration", values[1], 2 * (0.6 + 0.015 * 2), 1e-12);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_formulas),
        cmocka_unit_test(analyses_know_them),
        cmocka_unit_test(clones_and_saved_states),
        cmocka_unit_test(states_tell_functions_by_name),
        cmocka_unit_test(functions_are_items),
        cmocka_unit_test(definitions_are_checked),
        cmocka_unit_test(calls_are_checked),
        cmocka_unit_test(constants_may_call),
        cmocka_unit_test(wrong_derivatives_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
