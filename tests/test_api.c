/* The public API: what it asks of its arguments, and that it hands through what it is given. */

#include "support_changes.h"
#include "test_api_fixture.h"

#include <float.h>

/* ---- arguments ---- */

static void test_null_arguments_to_mechanisms(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = (detent_mechanism *)&e;
    expect_argument_error(detent_mechanism_load(NULL, NULL, &m, &e), &e, "path");
    assert_null(m);
    expect_argument_error(detent_mechanism_load("x", NULL, NULL, &e), &e, "place");
    expect_argument_error(detent_mechanism_parse(NULL, 0, "x", NULL, &m, &e), &e, "text");
    expect_argument_error(detent_mechanism_create("x", NULL, NULL, &e), &e, "place");
    detent_allocator half = {.allocate = NULL};
    expect_argument_error(detent_mechanism_create("x", &half, &m, &e), &e, "allocator");
    assert_null(m);
    expect_argument_error(detent_add_body(NULL, NULL, &e), &e, "mechanism");
    expect_argument_error(detent_mechanism_finish(NULL, &e), &e, "mechanism");
    detent_mechanism_destroy(NULL);

    const detent_parameter parameter = {.name = "x"};
    const detent_load_options no_value = {
        .size = sizeof no_value, .parameters = &parameter, .parameter_count = 1};
    expect_argument_error(detent_mechanism_parse("", 0, "x", &no_value, &m, &e), &e, "value");
    const detent_load_options no_list = {.size = sizeof no_list, .parameter_count = 1};
    expect_argument_error(detent_mechanism_parse("", 0, "x", &no_list, &m, &e), &e, "list");
    const detent_load_options no_tunable = {.size = sizeof no_tunable, .tunable_count = 1};
    expect_argument_error(
        detent_mechanism_parse(two_links_text, strlen(two_links_text), "x", &no_tunable, &m, &e),
        &e, "tunable");
    static const char *const nobody[1];
    const detent_load_options no_name = {
        .size = sizeof no_name, .tunable = nobody, .tunable_count = 1};
    expect_argument_error(
        detent_mechanism_parse(two_links_text, strlen(two_links_text), "x", &no_name, &m, &e), &e,
        "needs a name");
}

static void test_null_arguments_to_definitions(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    must(detent_mechanism_create(NULL, NULL, &m, &e), &e);
    const char *const gravity[3] = {"0", NULL, "0"};
    detent_body_def body = DETENT_INIT(detent_body_def);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    detent_load_def load = DETENT_INIT(detent_load_def);
    expect_argument_error(detent_set_gravity_law(m, gravity, &e), &e, "gravity");
    expect_argument_error(detent_set_gravity_law(m, NULL, &e), &e, "gravity");
    expect_argument_error(detent_add_parameter(m, NULL, "1", &e), &e, "name");
    expect_argument_error(detent_add_parameter(m, "x", NULL, &e), &e, "value");
    expect_argument_error(detent_add_input(m, NULL, 0, &e), &e, "name");
    expect_argument_error(detent_add_signal(m, "x", NULL, &e), &e, "expression");
    expect_argument_error(detent_add_body(m, &body, &e), &e, "name");
    expect_argument_error(detent_add_joint(m, &joint, &e), &e, "name");
    joint.name = "j";
    expect_argument_error(detent_add_joint(m, &joint, &e), &e, "follower");
    expect_argument_error(detent_add_stiction(m, &stiction, &e), &e, "primitive");
    expect_argument_error(detent_add_load(m, &load, &e), &e, "name");
    expect_argument_error(detent_add_output(m, NULL, &e), &e, "expression");

    /* Nobody needs to ask for the words. */
    assert_int_equal(detent_add_output(m, NULL, NULL), DETENT_ERROR_ARGUMENT);
    detent_mechanism_destroy(m);
}

static void test_unfinished_and_finished(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    detent_simulation *s;
    must(detent_mechanism_create("x", NULL, &m, &e), &e);
    must(add_link(m, "rod", &e), &e);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    assert_int_equal(info.bodies, 0);
    assert_null(detent_name(m, DETENT_BODY, 0));
    assert_int_equal(detent_find(m, DETENT_BODY, "rod"), -1);
    expect_argument_error(detent_simulation_create(m, NULL, &s, &e), &e, "finish");
    assert_null(s);
    detent_mechanism_destroy(m);

    m = load_two_links();
    expect_argument_error(add_link(m, "third", &e), &e, "finished");
    expect_argument_error(detent_mechanism_finish(m, &e), &e, "finished");
    detent_mechanism_destroy(m);
}

static void test_arguments_to_simulations(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m);
    double values[8], wrench[6], origin[3], rotation[4];
    expect_argument_error(detent_simulation_create(m, NULL, NULL, &e), &e, "place");
    expect_argument_error(detent_advance(NULL, 1, false, &e), &e, "simulation");
    expect_argument_error(detent_advance(s, (double)NAN, false, &e), &e, "nan");
    expect_argument_error(detent_advance(s, (double)INFINITY, false, &e), &e, "inf");
    expect_argument_error(detent_read(NULL, DETENT_POSITIONS, values, 2, &e), &e, "simulation");
    expect_argument_error(detent_read(s, DETENT_POSITIONS, values, 3, &e), &e, "2 are needed");
    expect_argument_error(detent_read(s, DETENT_OUTPUTS, values, 2, &e), &e, "4 are needed");
    expect_argument_error(detent_read(s, DETENT_POSITIONS, NULL, 2, &e), &e, "place");
    expect_argument_error(detent_read(s, (detent_quantity)99, values, 2, &e), &e, "quantity");
    expect_argument_error(detent_read_before(s, DETENT_POSITIONS, values, 2, &e), &e, "before");
    expect_argument_error(detent_get_reaction(s, 2, DETENT_REACTION_WORLD, false, wrench, &e), &e,
                          "primitive 2");
    expect_argument_error(detent_get_reaction(s, 0, (detent_reaction_frame)7, false, wrench, &e),
                          &e, "frame");
    expect_argument_error(detent_get_reaction(s, 0, DETENT_REACTION_WORLD, false, NULL, &e), &e,
                          "wrench");
    expect_argument_error(detent_get_pose(s, 2, origin, rotation, &e), &e, "body 2");
    expect_argument_error(detent_get_pose(s, 0, origin, NULL, &e), &e, "pose");
    expect_argument_error(detent_set_input(s, 1, 0, &e), &e, "input 1");
    expect_argument_error(detent_set_input(s, 0, (double)NAN, &e), &e, "finite");
    advance(s, 0.5);
    expect_argument_error(detent_advance(s, 0.25, false, &e), &e, "0.25");
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* Functions without a status answer with nothing. */
static void test_questions_without_answer(void **state)
{
    UNUSED(state);
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_primitive_info primitive = DETENT_INIT(detent_primitive_info);
    int direction = 5;
    assert_int_equal(detent_get_mode(s, 2, &direction), DETENT_LOCKED);
    assert_int_equal(direction, 0);
    assert_int_equal(detent_get_mode(NULL, 0, NULL), DETENT_LOCKED);
    assert_true(isnan(detent_time(NULL)));
    assert_int_equal(detent_mode_change_count(NULL), 0);
    assert_int_equal(detent_get_statistics(NULL, &statistics), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_statistics(s, NULL), DETENT_ERROR_ARGUMENT);
    detent_mechanism_get_info(m, NULL);
    assert_null(detent_name(m, DETENT_BODY, 2));
    assert_null(detent_name(NULL, DETENT_BODY, 0));
    assert_null(detent_unit(m, DETENT_PRIMITIVE, 2));
    assert_int_equal(detent_find(m, DETENT_BODY, NULL), -1);
    assert_int_equal(detent_find(m, DETENT_BODY, "ground"), -1);
    assert_int_equal(detent_get_primitive(m, 2, &primitive), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_primitive(m, 0, NULL), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_state_size(NULL), 0);
    detent_simulation_destroy(NULL);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void test_settings(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s;
    detent_settings settings;
    detent_init_settings(&settings, sizeof settings);
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    settings.rtol = -1;
    assert_int_equal(detent_simulation_create(m, &options, &s, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(e.status, DETENT_ERROR_ARGUMENT);
    assert_null(s);
    detent_init_settings(&settings, sizeof settings);
    settings.atol = 1; /* above the velocity thresholds */
    assert_int_equal(detent_simulation_create(m, &options, &s, &e), DETENT_ERROR_ARGUMENT);
    settings = (detent_settings){.size = sizeof(detent_settings), .start = 3, .end = 4};
    must(detent_simulation_create(m, &options, &s, &e), &e);
    assert_true(detent_time(s) == 3);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* ---- what a mechanism tells ---- */

static void test_info(void **state)
{
    UNUSED(state);
    detent_mechanism *m = load_two_links();
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    assert_string_equal(info.name, "two links");
    assert_int_equal(info.bodies, 2);
    assert_int_equal(info.joints, 2);
    assert_int_equal(info.primitives, 2);
    assert_int_equal(info.stictions, 2);
    assert_int_equal(info.inputs, 1);
    assert_int_equal(info.outputs, 4);
    assert_int_equal(info.coordinates, 2);
    assert_int_equal(info.freedoms, 2);
    assert_true(info.memory > 0);
    assert_true(settings.rtol == 1e-7 && settings.interval == 0.01);
    static const detent_item items[] = {DETENT_BODY,     DETENT_JOINT, DETENT_PRIMITIVE,
                                        DETENT_STICTION, DETENT_INPUT, DETENT_OUTPUT};
    for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
        const char *name;
        for (size_t i = 0; (name = detent_name(m, items[k], i)) != NULL; i++) {
            assert_int_equal(detent_find(m, items[k], name), i);
            assert_non_null(detent_unit(m, items[k], i));
        }
        assert_int_equal(detent_find(m, items[k], "nobody"), -1);
    }
    assert_string_equal(detent_unit(m, DETENT_PRIMITIVE, 0), "rad");
    assert_string_equal(detent_name(m, DETENT_OUTPUT, 3), "2*velocity(shoulder)");
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    assert_int_equal(detent_get_primitive(m, 1, &p), DETENT_OK);
    assert_string_equal(p.name, "elbow");
    assert_string_equal(p.type, "revolute");
    assert_int_equal(p.base, detent_find(m, DETENT_BODY, "upper"));
    assert_int_equal(p.follower, detent_find(m, DETENT_BODY, "lower"));
    assert_int_equal(p.stiction, detent_find(m, DETENT_STICTION, "elbow"));
    assert_int_equal(p.first_coordinate, 1);
    assert_int_equal(p.coordinates, 1);
    detent_mechanism_destroy(m);
}

/* ---- trajectories ---- */

static void test_definitions_equal_text(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *loaded = load_two_links(), *built;
    must(build_two_links(NULL, NULL, &built, &e), &e);
    detent_simulation *a = simulate(loaded), *b = simulate(built);
    for (int i = 0; i <= 40; i++) {
        links_state one, other;
        advance(a, 0.1 * i);
        advance(b, 0.1 * i);
        one = read_links(a);
        other = read_links(b);
        assert_memory_equal(&one, &other, sizeof one);
    }
    detent_simulation_destroy(a);
    detent_simulation_destroy(b);
    detent_mechanism_destroy(loaded);
    detent_mechanism_destroy(built);
}

static int elbow_friction(void *user, const double *arguments, double *value, double *derivatives)
{
    UNUSED(user);
    *value = 0.01 * arguments[0] + 0.05;
    derivatives[0] = 0.01;
    return 0;
}

static void test_function_equals_expression(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *loaded = load_two_links(), *built;
    must(build_two_links(NULL, elbow_friction, &built, &e), &e);
    detent_simulation *a = simulate(loaded), *b = simulate(built);
    assert_int_equal(advance_by_events(a, 5), advance_by_events(b, 5));
    links_state one = read_links(a), other = read_links(b);
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(one.q[k] - other.q[k]) < 1e-9);
        assert_true(one.modes[k] == other.modes[k]);
    }
    detent_simulation_destroy(a);
    detent_simulation_destroy(b);
    detent_mechanism_destroy(loaded);
    detent_mechanism_destroy(built);
}

/* Where advance stops does not change where the mechanism goes. */
static void test_stops_do_not_matter(void **state)
{
    UNUSED(state);
    detent_mechanism *m = load_two_links();
    detent_simulation *a = simulate(m), *b = simulate(m), *c = simulate(m);
    advance(a, 4);
    for (int i = 1; i <= 400; i++) {
        advance(b, 0.01 * i);
    }
    assert_true(advance_by_events(c, 4) > 3);
    links_state one = read_links(a), by_rows = read_links(b), by_events = read_links(c);
    assert_memory_equal(&one, &by_rows, sizeof one);
    assert_memory_equal(&one, &by_events, sizeof one);
    detent_simulation_destroy(a);
    detent_simulation_destroy(b);
    detent_simulation_destroy(c);
    detent_mechanism_destroy(m);
}

static void test_save_and_restore(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m), *one = simulate(m), *other = simulate(m);
    advance(s, 1);
    size_t size = detent_state_size(s);
    unsigned char *bytes = malloc(size);
    must(detent_save_state(s, bytes, size, &e), &e);
    links_state saved = read_links(s);

    advance(s, 3);
    must(detent_restore_state(s, bytes, size, &e), &e);
    links_state restored = read_links(s);
    assert_memory_equal(&saved, &restored, sizeof saved);

    /* The same future, to the last bit, in this simulation and in others of the mechanism. */
    must(detent_restore_state(one, bytes, size, &e), &e);
    must(detent_restore_state(other, bytes, size, &e), &e);
    size_t events = advance_by_events(s, 5);
    assert_true(events > 0);
    assert_int_equal(advance_by_events(one, 5), events);
    assert_int_equal(advance_by_events(other, 5), events);
    links_state by_itself = read_links(s), by_one = read_links(one), by_other = read_links(other);
    assert_memory_equal(&by_one, &by_itself, sizeof by_one);
    assert_memory_equal(&by_one, &by_other, sizeof by_one);
    free(bytes);
    detent_simulation_destroy(s);
    detent_simulation_destroy(one);
    detent_simulation_destroy(other);
    detent_mechanism_destroy(m);
}

static void test_bytes_that_are_no_state(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m);
    size_t size = detent_state_size(s);
    unsigned char *bytes = malloc(size);
    expect_argument_error(detent_save_state(s, bytes, size - 1, &e), &e, "bytes");
    expect_argument_error(detent_save_state(s, NULL, size, &e), &e, "bytes");
    must(detent_save_state(s, bytes, size, &e), &e);
    expect_argument_error(detent_restore_state(s, bytes, size - 1, &e), &e, "were saved");
    expect_argument_error(detent_restore_state(s, bytes, 3, &e), &e, "no state that was saved");
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x10;
        expect_argument_error(detent_restore_state(s, bytes, size, &e), &e, "cannot be restored");
        bytes[i] ^= 0x10;
    }
    must(detent_restore_state(s, bytes, size, &e), &e);
    free(bytes);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* ---- inputs, parameters, trace ---- */

static void test_inputs(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m);
    advance(s, 60);
    assert_int_equal(detent_get_mode(s, 0, NULL), DETENT_LOCKED);
    links_state before = read_links(s);
    must(detent_set_input(s, 0, 8, &e), &e);
    advance(s, 60.2);
    links_state after = read_links(s);
    assert_true(after.q[0] > before.q[0] + 0.01);
    assert_int_not_equal(detent_get_mode(s, 0, NULL), DETENT_LOCKED);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* A discontinuity and an input that leave every joint as it was are events without a change. */
static void test_events_without_change(void **state)
{
    UNUSED(state);
    static const char text[] = "detent: 1\n"
                               "gravity: [0, 0, 0]\n"
                               "inputs: {push: 0}\n"
                               "bodies: {block: {mass: 1}}\n"
                               "joints: {slide: {type: prismatic, base: ground, follower: block}}\n"
                               "stiction:\n"
                               "  slide: {velocity_threshold: 1e-3, kinetic: 1, static: 2,\n"
                               "          external: \"if(t > 0.5, push + 0.5, push)\"}\n";
    detent_error e;
    detent_mechanism *m;
    size_t count = 99;
    must(detent_mechanism_parse(text, strlen(text), "block.yaml", NULL, &m, &e), &e);
    detent_simulation *s = simulate(m);
    last_event(s, &count);
    assert_int_equal(count, 1); /* the first search */
    assert_int_equal(detent_advance(s, 1, true, &e), DETENT_EVENT);
    assert_true(fabs(detent_time(s) - 0.5) < 1e-9);
    last_event(s, &count);
    assert_int_equal(count, 0);
    assert_int_equal(detent_advance(s, 1, true, &e), DETENT_OK);
    must(detent_set_input(s, 0, 1, &e), &e);
    assert_int_equal(detent_advance(s, 2, true, &e), DETENT_EVENT);
    assert_true(detent_time(s) == 1);
    last_event(s, &count);
    assert_int_equal(count, 0);
    assert_int_equal(detent_get_mode(s, 0, NULL), DETENT_LOCKED);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void test_parameters_override(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    const detent_parameter parameters[] = {{"pin", "10"}};
    const detent_load_options options = {
        .size = sizeof options, .parameters = parameters, .parameter_count = 1};
    must(detent_mechanism_parse(two_links_text, strlen(two_links_text), "x", &options, &m, &e), &e);
    detent_simulation *s = simulate(m);
    assert_int_equal(detent_get_mode(s, 0, NULL), DETENT_LOCKED);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);

    const detent_parameter wrong[] = {{"pine", "10"}};
    const detent_load_options wrong_options = {
        .size = sizeof wrong_options, .parameters = wrong, .parameter_count = 1};
    assert_int_equal(
        detent_mechanism_parse(two_links_text, strlen(two_links_text), "x", &wrong_options, &m, &e),
        DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(e.message, "'pin'"));
}

static void count_lines(void *user, const char *line)
{
    assert_null(strchr(line, '\n'));
    ++*(size_t *)user;
}

static void test_trace(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s;
    size_t lines = 0;
    const detent_simulation_options options = {
        .size = sizeof options, .trace = count_lines, .trace_user = &lines};
    must(detent_simulation_create(m, &options, &s, &e), &e);
    size_t at_start = lines;
    assert_true(at_start > 0);
    advance(s, 3);
    assert_true(lines > at_start);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void test_files_that_are_not_there(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    assert_int_equal(detent_mechanism_load("/nowhere/x.yaml", NULL, &m, &e), DETENT_ERROR_IO);
    assert_null(m);
    assert_string_equal(e.file, "/nowhere/x.yaml");
    assert_int_equal(detent_mechanism_load("/", NULL, &m, &e), DETENT_ERROR_IO);
    assert_int_equal(detent_mechanism_load("", NULL, &m, &e), DETENT_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_arguments_to_mechanisms),
        cmocka_unit_test(test_null_arguments_to_definitions),
        cmocka_unit_test(test_unfinished_and_finished),
        cmocka_unit_test(test_arguments_to_simulations),
        cmocka_unit_test(test_questions_without_answer),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_definitions_equal_text),
        cmocka_unit_test(test_function_equals_expression),
        cmocka_unit_test(test_stops_do_not_matter),
        cmocka_unit_test(test_save_and_restore),
        cmocka_unit_test(test_bytes_that_are_no_state),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_events_without_change),
        cmocka_unit_test(test_parameters_override),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_files_that_are_not_there),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
