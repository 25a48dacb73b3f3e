/* What is handed over incomplete, too late, or not at all: each call says what is missing, and changes nothing. Getters of nothing have nothing. */

#include "detent/analysis.h"
#include "detent/import.h"
#include "test_api_fixture.h"

/* ---- items ---- */

/* What the calls add, all of it in order but for one member that a row takes away. */
typedef struct given {
    detent_body_def body;
    detent_joint_def joint;
    detent_primitive_def primitive;
    detent_stiction_def stiction;
    detent_load_def load;
    detent_spring_def spring;
    detent_stop_def stop;
    detent_coupling_def coupling;
    detent_state_def state;
    detent_shape_def shape;
    detent_function_def function;
} given;

static int half(void *user, const double *arguments, double *value, double *slopes)
{
    UNUSED(user);
    *value = 0.5 * arguments[0];
    if (slopes) {
        slopes[0] = 0.5;
    }
    return 0;
}

static given all_of_it(void)
{
    given g = {.body = DETENT_INIT(detent_body_def),
               .joint = DETENT_INIT(detent_joint_def),
               .primitive = DETENT_INIT(detent_primitive_def),
               .stiction = DETENT_INIT(detent_stiction_def),
               .load = DETENT_INIT(detent_load_def),
               .spring = DETENT_INIT(detent_spring_def),
               .stop = DETENT_INIT(detent_stop_def),
               .coupling = DETENT_INIT(detent_coupling_def),
               .state = DETENT_INIT(detent_state_def),
               .shape = DETENT_INIT(detent_shape_def),
               .function = DETENT_INIT(detent_function_def)};
    g.body.name = "b";
    g.joint.name = "j";
    g.joint.follower = "b";
    g.stiction.primitive = "j";
    g.load.name = "l";
    g.load.body = "b";
    g.spring.name = "s";
    g.stop.name = "t";
    g.stop.joint = "j";
    g.coupling.name = "c";
    g.coupling.count = 2;
    g.coupling.primitive[0] = g.coupling.primitive[1] = "j";
    g.state.name = "z";
    g.state.derivative = "1";
    g.function.name = "half";
    g.function.argument_count = 1;
    g.function.function = half;
    return g;
}

/* `what`: -1: no definition at all; else the number of a call whose definition is `g`. */
enum { KINDS = 11 };

static detent_status add(detent_mechanism *m, int kind, const given *g, detent_error *e)
{
    switch (kind) {
    case 0:
        return detent_add_body(m, g ? &g->body : NULL, e);
    case 1:
        return detent_add_joint(m, g ? &g->joint : NULL, e);
    case 2:
        return detent_add_stiction(m, g ? &g->stiction : NULL, e);
    case 3:
        return detent_add_load(m, g ? &g->load : NULL, e);
    case 4:
        return detent_add_spring(m, g ? &g->spring : NULL, e);
    case 5:
        return detent_add_stop(m, g ? &g->stop : NULL, e);
    case 6:
        return detent_add_coupling(m, g ? &g->coupling : NULL, e);
    case 7:
        return detent_add_state(m, g ? &g->state : NULL, e);
    case 8:
        return detent_add_function(m, g ? &g->function : NULL, e);
    case 9:
        return detent_add_shape(m, g ? &g->shape : NULL, e);
    default:
        return detent_add_output(m, g ? "1" : NULL, e);
    }
}

static void no_definition_and_too_late(void **state)
{
    UNUSED(state);
    const given g = all_of_it();
    detent_error e;
    detent_mechanism *m, *finished = load_two_links();
    must(detent_mechanism_create("open", NULL, &m, &e), &e);
    for (int kind = 0; kind < KINDS; kind++) {
        expect_argument_error(add(m, kind, NULL, &e), &e,
                              kind < KINDS - 1 ? "definition" : "expression");
        expect_argument_error(add(NULL, kind, &g, &e), &e, "mechanism");
        expect_argument_error(add(finished, kind, &g, &e), &e, "is finished and cannot be changed");
        expect_argument_error(add(finished, kind, NULL, &e), &e,
                              "is finished and cannot be changed");
        assert_int_equal(add(NULL, kind, NULL, NULL), DETENT_ERROR_ARGUMENT);
    }
    detent_mechanism_destroy(m);
    assert_int_equal(detent_count(finished, DETENT_BODY), 2);
    detent_mechanism_destroy(finished);
}

/* A number that is none, or beside a law, wherever one may be either. */
static void neither_number_nor_law(void **state)
{
    UNUSED(state);
    const double none = (double)NAN;
    detent_error e;
    detent_mechanism *m;
    must(detent_mechanism_create("open", NULL, &m, &e), &e);
    given g = all_of_it();
    g.joint.primitive[0] = &g.primitive;
    g.primitive.constant_force = none;
    expect_argument_error(add(m, 1, &g, &e), &e, "the force");
    g.primitive.size = 0;
    expect_argument_error(add(m, 1, &g, &e), &e, "a primitive's definition");

    g = all_of_it();
    g.stiction.constant_external = none;
    expect_argument_error(add(m, 2, &g, &e), &e, "the external actuation");
    g.stiction.constant_external = 0;
    g.stiction.constant_kinetic = none;
    expect_argument_error(add(m, 2, &g, &e), &e, "the kinetic friction");
    g.stiction.constant_kinetic = 1;
    g.stiction.constant_static = none;
    expect_argument_error(add(m, 2, &g, &e), &e, "the static limit");
    const detent_bearing bearing = {.size = 0};
    g.stiction.constant_static = 1;
    g.stiction.bearing = &bearing;
    expect_argument_error(add(m, 2, &g, &e), &e, "the bearing");

    for (int k = 0; k < 3; k++) {
        g = all_of_it();
        g.load.constant_force[k] = none;
        expect_argument_error(add(m, 3, &g, &e), &e, "the force");
        g = all_of_it();
        g.load.constant_torque[k] = none;
        expect_argument_error(add(m, 3, &g, &e), &e, "the torque");
        g.load.torque[k] = "2";
        g.load.constant_torque[k] = 3;
        expect_argument_error(add(m, 3, &g, &e), &e, "the torque");
    }
    detent_mechanism_destroy(m);
}

static void names_that_are_missing(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    must(detent_mechanism_create("open", NULL, &m, &e), &e);
    given g = all_of_it();
    g.body.name = g.joint.name = g.load.name = g.spring.name = g.stop.name = g.coupling.name =
        g.state.name = g.function.name = NULL;
    static const int named[] = {0, 1, 3, 4, 5, 6, 7, 8};
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        expect_argument_error(add(m, named[k], &g, &e), &e, "name");
    }
    g = all_of_it();
    g.stop.joint = NULL;
    expect_argument_error(add(m, 5, &g, &e), &e, "the stop's joint");
    g.load.body = NULL;
    expect_argument_error(add(m, 3, &g, &e), &e, "the load's body");
    g.function.function = NULL;
    expect_argument_error(add(m, 8, &g, &e), &e, "the function 'half' is missing");
    detent_mechanism_destroy(m);
}

/* ---- how to load ---- */

static void laws_that_are_chosen(void **state)
{
    UNUSED(state);
    static const detent_parameter no_value = {"viscous", NULL}, no_name = {NULL, "1"};
    const detent_law_choice good = {
        .size = sizeof good, .primitive = "elbow", .law = "hyperviscous", .velocity = 1e-3};
    const struct {
        detent_law_choice law;
        const char *message;
    } rows[] = {
        {{.size = sizeof good, .law = "sign"}, "the joint of a friction law"},
        {{.size = sizeof good, .primitive = "elbow"}, "the name of a friction law"},
        {{.size = sizeof good, .primitive = "elbow", .law = "sign", .key_count = 1},
         "the keys of a friction law"},
        {{.size = sizeof good,
          .primitive = "elbow",
          .law = "sign",
          .keys = &no_value,
          .key_count = 1},
         "the value of a key"},
        {{.size = sizeof good,
          .primitive = "elbow",
          .law = "sign",
          .keys = &no_name,
          .key_count = 1},
         "the name of a key"},
        {{.size = sizeof good, .primitive = "elbow", .law = "sign", .velocity = -1},
         "'velocity' and 'stretch' are finite and not negative"},
        {{.size = sizeof good, .primitive = "elbow", .law = "sign", .velocity = INFINITY},
         "'velocity' and 'stretch' are finite and not negative"},
        {{.size = sizeof good, .primitive = "elbow", .law = "sign", .stretch = -1},
         "'velocity' and 'stretch' are finite and not negative"},
        {{.size = sizeof good, .primitive = "elbow", .law = "sign", .stretch = INFINITY},
         "'velocity' and 'stretch' are finite and not negative"},
        {{.size = 0, .primitive = "elbow", .law = "sign"}, "the choice of a friction law"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const detent_law_choice *list[] = {&good, &rows[k].law};
        const detent_load_options options = {.size = sizeof options, .laws = list, .law_count = 2};
        detent_error e = {0};
        detent_mechanism *m = NULL;
        expect_argument_error(
            detent_mechanism_parse(two_links_text, strlen(two_links_text), NULL, &options, &m, &e),
            &e, rows[k].message);
        assert_null(m);
    }
    detent_error e = {0};
    detent_mechanism *m = NULL;
    const detent_law_choice *list[] = {&good, NULL};
    detent_load_options options = {.size = sizeof options, .laws = list, .law_count = 2};
    expect_argument_error(
        detent_mechanism_parse(two_links_text, strlen(two_links_text), NULL, &options, &m, &e), &e,
        "the choice of a friction law");
    options.laws = NULL;
    expect_argument_error(
        detent_mechanism_parse(two_links_text, strlen(two_links_text), NULL, &options, &m, &e), &e,
        "the list of friction laws");
    options = (detent_load_options){.size = sizeof options, .tunable_count = 1};
    expect_argument_error(
        detent_mechanism_parse(two_links_text, strlen(two_links_text), NULL, &options, &m, &e), &e,
        "the list of tunable parameters");
}

/* ---- functions ---- */

static void functions_are_checked_where_they_can_be(void **state)
{
    UNUSED(state);
    detent_error e = {0};
    const given g = all_of_it();
    const double at[] = {1e9}, good[] = {1}, bad[] = {0, -1, INFINITY, (double)NAN, 1e-9},
                 nowhere = INFINITY;
    must(detent_check_function(&g.function, at, good, &e), &e);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        expect_argument_error(
            detent_check_function(&g.function, at, &bad[k], &e), &e,
            "function 'half': argument 1 has to be finite, and its step positive");
    }
    expect_argument_error(detent_check_function(&g.function, &nowhere, good, &e), &e,
                          "argument 1 has to be finite");
    expect_argument_error(detent_check_function(&g.function, NULL, good, &e), &e, "the arguments");
    expect_argument_error(detent_check_function(&g.function, at, NULL, &e), &e, "the steps");
    expect_argument_error(detent_check_function(NULL, at, good, &e), &e,
                          "the function's definition");
    detent_function_def none = g.function;
    none.argument_count = 0;
    expect_argument_error(detent_check_function(&none, at, good, &e), &e, "it takes 1 to");
    none.argument_count = DETENT_MAX_ARGUMENTS + 1;
    expect_argument_error(detent_check_function(&none, at, good, &e), &e, "it takes 1 to");
}

/* ---- nothing ---- */

static void getters_of_nothing(void **state)
{
    UNUSED(state);
    detent_linear_info info = DETENT_INIT(detent_linear_info);
    detent_linear_state at = DETENT_INIT(detent_linear_state);
    detent_eigenvalue value = DETENT_INIT(detent_eigenvalue);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_state_change change = DETENT_INIT(detent_state_change);
    detent_mobility mobility = DETENT_INIT(detent_mobility);
    detent_mesh mesh = DETENT_INIT(detent_mesh);
    detent_moment moment = DETENT_INIT(detent_moment);
    detent_error e = {0};
    int word = 1;
    assert_int_equal(detent_linearization_get_info(NULL, &info), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_linearization_get_state(NULL, 0, &at), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_linearization_get_eigenvalue(NULL, 0, &value), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_statistics(NULL, &statistics), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_state_change(NULL, 0, &change), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_state_change_count(NULL), 0);
    assert_null(detent_simulation_warning(NULL, 0));
    expect_argument_error(detent_get_mobility(NULL, &mobility, &e), &e, "the simulation");
    expect_argument_error(detent_get_mesh(NULL, 0, &mesh, &e), &e, "the simulation");
    expect_argument_error(detent_recall(NULL, &moment, &e), &e, "the simulation");
    detent_set_user(NULL, &word);
    assert_null(detent_user(NULL));
    assert_null(detent_imported_text(NULL, NULL));
    assert_int_equal(detent_imported_note_count(NULL), 0);

    detent_mechanism *m = load_two_links();
    detent_simulation *s = NULL;
    detent_linearization *l = NULL;
    must(detent_simulation_create(m, NULL, &s, &e), &e);
    detent_set_user(s, &word);
    assert_ptr_equal(detent_user(s), &word);
    expect_argument_error(detent_recall(s, NULL, &e), &e, "the moment");
    expect_argument_error(detent_get_mesh(s, 0, NULL, &e), &e, "the place for the mesh");
    expect_argument_error(detent_get_mesh(s, 0, &mesh, &e), &e, "mesh");
    expect_argument_error(detent_get_mobility(s, NULL, &e), &e, "the place for the mobility");
    assert_int_equal(detent_get_statistics(s, NULL), DETENT_ERROR_ARGUMENT);
    must(detent_linearize(s, NULL, &l, &e), &e);
    must(detent_linearization_get_info(l, &info), &e);
    assert_int_equal(detent_linearization_get_state(l, info.states, &at), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_linearization_get_eigenvalue(l, info.states, &value),
                     DETENT_ERROR_ARGUMENT);
    assert_true(info.states > 0);
    must(detent_linearization_get_state(l, 0, &at), &e);
    detent_linearization_destroy(l);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void words_of_statuses(void **state)
{
    UNUSED(state);
    assert_string_equal(detent_status_text(DETENT_ERROR_FUNCTION),
                        "a function of the program failed");
    assert_string_equal(detent_status_text(DETENT_INTERRUPTED), "interrupted");
    assert_string_equal(detent_status_text(DETENT_ERROR_IO), "input or output failed");
    assert_string_equal(detent_status_text(DETENT_ERROR_MEMORY), "out of memory");
    assert_string_equal(detent_status_text(DETENT_ERROR_SOLVER), "the integrator failed");
    assert_string_equal(detent_status_text((detent_status)-1000), "unknown status");
}

/* ---- settings ---- */

static void settings_that_are_none(void **state)
{
    UNUSED(state);
    detent_mechanism *m = load_two_links();
    detent_error e = {0};
    detent_simulation *s = NULL;
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    settings.size = 0;
    expect_argument_error(detent_simulation_create(m, &options, &s, &e), &e, "the settings");
    settings.size = sizeof settings;
    settings.start = 2;
    settings.end = 1;
    expect_argument_error(detent_simulation_create(m, &options, &s, &e), &e, "end");
    assert_int_equal(detent_simulation_create(m, &options, &s, NULL), DETENT_ERROR_ARGUMENT);
    assert_null(s);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_definition_and_too_late),
                                       cmocka_unit_test(neither_number_nor_law),
                                       cmocka_unit_test(names_that_are_missing),
                                       cmocka_unit_test(laws_that_are_chosen),
                                       cmocka_unit_test(functions_are_checked_where_they_can_be),
                                       cmocka_unit_test(getters_of_nothing),
                                       cmocka_unit_test(words_of_statuses),
                                       cmocka_unit_test(settings_that_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
