/* What the reader makes of a file: values, units, chains, overrides, places of errors, bounds. */

#include "model/mechanism.h"
#include "test_format_support.h"

#include <math.h>

#define HEAD "detent: 1\ngravity: [0, -9.81, 0]\n"

static detent_mechanism *load(const char *text, const detent_load_options *options)
{
    detent_mechanism *m = NULL;
    detent_error error = {0};
    if (detent_mechanism_parse(text, strlen(text), "test.yaml", options, &m, &error)) {
        fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, error.detail);
    }
    return m;
}

static detent_error refuse(const char *text, const detent_load_options *options)
{
    detent_mechanism *m = NULL;
    detent_error error = {0};
    assert_true(detent_mechanism_parse(text, strlen(text), "test.yaml", options, &m, &error) < 0);
    assert_null(m);
    return error;
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-14 * (1 + fabs(b)))) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static int find(const detent_mechanism *m, detent_item item, const char *name)
{
    ptrdiff_t index = detent_find(m, item, name);
    if (index < 0) {
        fail_msg("there is no '%s'", name);
    }
    return (int)index;
}

/* --- Values ---------------------------------------------------------------------------------- */

static void values_take_units_and_parameters(void **state)
{
    (void)state;
    detent_mechanism *m =
        load(HEAD "parameters: {L: 30 cm, m: 2*L/(1 m)}\n"
                  "bodies:\n"
                  "  a: {mass: m, center_of_mass: [L/2, 1 inch, 0],\n"
                  "      inertia: [1, 1, 1.5 kg*m^2]}\n"
                  "joints:\n"
                  "  j: {type: revolute, base: ground, follower: a, axis: [0, 0, 3],\n"
                  "      initial: {position: 30 deg, velocity: 1 rpm},\n"
                  "      spring: {stiffness: 2 N*m/rad, rest: pi/6}, damping: 0.5}\n",
             NULL);
    const dt_node *node = &m->tree.nodes[0];
    const dt_primitive *j = &m->primitives[0];
    assert_near(node->body->mass, 0.6);
    assert_near(node->body->com[0], 0.15);
    assert_near(node->body->com[1], 0.0254);
    assert_near(node->body->inertia[2], 1.5);
    assert_near(node->frame->axis[2], 1);
    assert_near(m->position[0], acos(-1.0) / 6);
    assert_near(m->velocity[0], acos(-1.0) / 30);
    assert_near(j->stiffness, 2);
    assert_near(j->rest, acos(-1.0) / 6);
    assert_near(j->damping, 0.5);
    detent_mechanism_destroy(m);
}

static void a_motion_says_where_it_starts(void **state)
{
    (void)state;
    detent_mechanism *m = load(HEAD "bodies: {a: {mass: 1}}\n"
                                    "joints: {j: {type: revolute, base: ground, follower: a,\n"
                                    "             motion: 0.5 + sin(3*t)}}\n"
                                    "simulation: {start: 0.25}\n",
                               NULL);
    assert_near(m->position[0], 0.5 + sin(0.75));
    assert_near(m->velocity[0], 3 * cos(0.75));
    detent_mechanism_destroy(m);
}

static void rotations_have_three_forms(void **state)
{
    (void)state;
    static const char *const forms[] = {"axis: [0, 0, 2], angle: 90 deg",
                                        "quaternion: [1, 0, 0, 1]", "rpy: [0, 0, pi/2]"};
    for (int k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 HEAD "bodies: {a: {mass: 1}}\njoints:\n  j: {type: prismatic, base: ground, "
                      "follower: a, at: {base: {point: [1, 2, 3], rotation: {%s}}}}\n",
                 forms[k]);
        detent_mechanism *m = load(text, NULL);
        const double expected[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
        for (int i = 0; i < 9; i++) {
            assert_near(m->tree.nodes[0].frame->R[i], expected[i]);
        }
        assert_near(m->tree.nodes[0].frame->p[2], 3);
        detent_mechanism_destroy(m);
    }
}

static void settings_have_defaults(void **state)
{
    (void)state;
    static const char body[] = "bodies: {a: {mass: 1}}\n"
                               "joints: {j: {type: prismatic, base: ground, follower: a}}\n";
    char text[512];
    snprintf(text, sizeof text, HEAD "%ssimulation: {start: 1, end: 3 min, atol: 1e-8}\n", body);
    detent_mechanism *m = load(text, NULL);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    assert_near(settings.start, 1);
    assert_near(settings.end, 180);
    assert_near(settings.interval, 0.179);
    assert_near(settings.rtol, 1e-7);
    assert_near(settings.atol, 1e-8);
    assert_near(settings.max_step, 0);
    assert_near(settings.max_event_rate, 0); /* from the mechanism */
    assert_string_equal(info.name, "test");
    detent_mechanism_destroy(m);
}

static void outputs_have_labels_and_units(void **state)
{
    (void)state;
    detent_mechanism *m =
        load(HEAD "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "joints: {j: {type: revolute, base: ground, follower: a}}\n"
                  "outputs:\n- velocity(j)\n- {speed: 60*velocity(j)}\n- reaction_force(j)\n"
                  "- t\n- position(j)\n  + 1\n- 'position(a, x)'\n- 2*t^2\n- force(j)\n",
             NULL);
    static const char *const names[] = {"velocity(j)", "speed",           "reaction_force(j)",
                                        "t",           "position(j) + 1", "position(a, x)",
                                        "2*t^2",       "force(j)"};
    static const char *const units[] = {"rad/s", NULL, "N", "s", "", "m", NULL, "N m"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_string_equal(detent_name(m, DETENT_OUTPUT, k), names[k]);
        if (units[k]) {
            assert_string_equal(detent_unit(m, DETENT_OUTPUT, k), units[k]);
        }
    }
    detent_mechanism_destroy(m);
}

static void reactions_of_a_joint_are_those_of_its_last_primitive(void **state)
{
    (void)state;
    detent_mechanism *m = load(HEAD "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                                    "joints: {j: {type: gimbal, base: ground, follower: a}}\n"
                                    "outputs: [reaction_force(j), reaction_force(j.r3)]\n",
                               NULL);
    assert_int_equal(m->outputs[0].program->variables[0].index, 2);
    assert_int_equal(m->outputs[1].program->variables[0].index, 2);
    detent_mechanism_destroy(m);
}

static void warnings_have_a_place(void **state)
{
    (void)state;
    detent_mechanism *m =
        load(HEAD "bodies: {a: {mass: 1}}\n"
                  "joints: {j: {type: prismatic, base: ground, follower: a}}\n"
                  "stiction:\n  j: {velocity_threshold: 1e-3, kinetic: 2, static: 1}\n",
             NULL);
    assert_int_equal(m->warning_count, 1);
    assert_string_equal(m->warnings[0],
                        "test.yaml:6:53: stiction 'j': the static limit (1) is below "
                        "the kinetic friction (2)");
    detent_mechanism_destroy(m);
}

/* --- Chains ---------------------------------------------------------------------------------- */

static const char chain[] =
    HEAD "parameters: {n: 3}\n"
         "chain:\n"
         "  count: n\n"
         "  bodies:\n"
         "    link: {mass: 0.5*i, center_of_mass: [1, 0, 0]}\n"
         "  joints:\n"
         "    hinge: {type: revolute, base: 'link[i-1]', follower: 'link[i]'}\n"
         "  stiction:\n"
         "    hinge:\n"
         "      velocity_threshold: 1e-3\n"
         "      kinetic: i\n"
         "      static: 2 + if(i > 1, 3*position(hinge[i-1]), 0)\n"
         "  outputs:\n"
         "  - i*friction(hinge[i])\n"
         "  - angle: position(hinge[i])\n"
         "  first:\n"
         "    joints: {hinge: {base: ground}}\n"
         "    outputs: null\n"
         "  last:\n"
         "    stiction: {hinge: ~}\n"
         "    outputs: []\n"
         "outputs: ['position(hinge[n])']\n";

static void chains_make_copies(void **state)
{
    (void)state;
    detent_mechanism *m = load(chain, NULL);
    assert_int_equal(m->body_count, 3);
    assert_int_equal(m->stiction_count, 2);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "hinge[%d]", i + 1);
        int node = find(m, DETENT_PRIMITIVE, name);
        assert_int_equal(node, i);
        assert_int_equal(m->tree.nodes[node].parent, i - 1);
        assert_near(m->tree.nodes[node].body->mass, 0.5 * (i + 1));
    }
    assert_near(m->stictions[1].friction->kinetic->constant, 2);
    assert_true(m->stictions[0].friction->magnitude->is_constant);
    assert_int_equal(m->stictions[1].friction->magnitude->variable_count, 1);
    assert_int_equal(m->stictions[1].friction->magnitude->variables[0].index, 0);
    assert_int_equal(m->output_count, 3);
    assert_string_equal(m->outputs[0].text, "position(hinge[3])");
    assert_string_equal(m->outputs[1].text, "2*friction(hinge[2])");
    assert_string_equal(m->outputs[2].text, "angle[2]");
    detent_mechanism_destroy(m);
}

/* The same constant is compiled once; what is wrong with it elsewhere is told there. */
static void constant_laws_are_shared(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "parameters: {M: 2 N*m, F: 3 N}\n"
             "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints:\n  r: {type: revolute, base: ground, follower: a}\n"
             "  p: {type: prismatic, base: a, follower: b}\n"
             "stiction:\n  r: {velocity_threshold: 1e-5, kinetic: M/2, static: M}\n"
             "  p: {velocity_threshold: 1e-5, kinetic: %s, static: %s}\n";
    char filled[sizeof text + 32];
    snprintf(filled, sizeof filled, text, "F/2", "F/2");
    detent_mechanism *m = load(filled, NULL);
    assert_ptr_equal(m->stictions[1].friction->kinetic, m->stictions[1].friction->magnitude);
    assert_ptr_not_equal(m->stictions[0].friction->kinetic, m->stictions[0].friction->magnitude);
    assert_near(m->stictions[1].friction->kinetic->constant, 1.5);
    assert_string_equal(m->stictions[1].friction->kinetic->text, "F/2");
    detent_mechanism_destroy(m);

    snprintf(filled, sizeof filled, text, "F/2", "M");
    const detent_error error = refuse(filled, NULL);
    assert_non_null(strstr(error.message, "a value in N is expected here"));
    assert_int_equal(error.line, 10);
}

static void counts_follow_parameters(void **state)
{
    (void)state;
    const detent_parameter set = {"n", "25"};
    const detent_load_options options = {
        .size = sizeof options, .parameters = &set, .parameter_count = 1};
    detent_mechanism *m = load(chain, &options);
    assert_int_equal(m->body_count, 25);
    assert_int_equal(m->stiction_count, 24);
    assert_string_equal(m->outputs[0].text, "position(hinge[25])");
    detent_mechanism_destroy(m);
}

static void errors_in_copies_name_the_copy(void **state)
{
    (void)state;
    detent_error error =
        refuse(HEAD "chain:\n  count: 3\n  bodies:\n    link: {mass: 2 - i}\n", NULL);
    assert_int_equal(error.line, 6);
    assert_int_equal(error.column, 18);
    assert_string_equal(error.message, "body 'link[3]': the mass (-1 kg) is negative");
    error = refuse(HEAD "chain:\n  count: 3\n  bodies:\n    link: {mass: 1}\n  last:\n    bodies:\n"
                        "      link: {mass: -1}\n",
                   NULL);
    assert_int_equal(error.line, 9);
    assert_int_equal(error.column, 20);
    assert_non_null(strstr(error.message, "link[3]"));
}

/* --- Overrides ------------------------------------------------------------------------------- */

static const char pendulum[] = HEAD "parameters: {mass: 2 kg, length: 1, twice: 2*length}\n"
                                    "bodies: {a: {mass: mass, center_of_mass: [twice, 0, 0]}}\n"
                                    "joints: {j: {type: revolute, base: ground, follower: a}}\n";

static void overrides_replace_parameters(void **state)
{
    (void)state;
    const detent_parameter set[] = {{"mass", "100 g"}, {"length", "3"}, {"length", "4 ft"}};
    const detent_load_options options = {
        .size = sizeof options, .parameters = set, .parameter_count = 3};
    detent_mechanism *m = load(pendulum, &options);
    assert_near(m->tree.nodes[0].body->mass, 0.1);
    assert_near(m->tree.nodes[0].body->com[0], 2 * 4 * 0.3048);
    detent_mechanism_destroy(m);
}

#define LONG "1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + "

static void wrong_overrides_are_refused(void **state)
{
    (void)state;
    static const struct {
        detent_parameter set;
        const char *fragment;
        /* Of a value that only the mechanism refuses: that of the mechanism. */
        detent_status status;
    } cases[] = {
        {{"lenght", "3"},
         "test.yaml has no parameter 'lenght'; did you mean 'length'?",
         DETENT_ERROR_ARGUMENT},
        {{"j", "3"}, "test.yaml has no parameter 'j'", DETENT_ERROR_ARGUMENT},
        {{"mass", "3 m"},
         "value '3 m' of parameter 'mass': a value in kg is expected",
         DETENT_ERROR_ARGUMENT},
        {{"mass", "3 +"},
         "value '3 +' of parameter 'mass': a value is expected",
         DETENT_ERROR_ARGUMENT},
        {{"mass", "-3"}, "body 'a': the mass (-3 kg) is negative", DETENT_ERROR_MODEL},
        {{"mass", "twice"},
         "value 'twice' of parameter 'mass': there is no 'twice'",
         DETENT_ERROR_ARGUMENT},
        {{"mass", LONG LONG LONG LONG LONG LONG " +"},
         "value of parameter 'mass': a value is expected",
         DETENT_ERROR_ARGUMENT},
        {{"mass", "-.inf"},
         "value '-.inf' of parameter 'mass': a finite number is expected",
         DETENT_ERROR_ARGUMENT},
        {{"mass", ""},
         "value '' of parameter 'mass': an expression is missing",
         DETENT_ERROR_ARGUMENT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const detent_load_options options = {
            .size = sizeof options, .parameters = &cases[k].set, .parameter_count = 1};
        detent_error error = refuse(pendulum, &options);
        assert_int_equal(error.status, cases[k].status);
        if (!strstr(error.message, cases[k].fragment)) {
            fail_msg("%s", error.message);
        }
    }
}

/* --- Errors ---------------------------------------------------------------------------------- */

static void errors_show_the_line(void **state)
{
    (void)state;
    detent_error error = refuse(HEAD "bodies:\n  \303\244: {mass: 1}\n", NULL);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 3);
    error =
        refuse(HEAD "name: \"\303\244\303\266\"\nbodies: {a: {mass: 1, \"m\303\274\": 2}}\n", NULL);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 23);
    assert_string_equal(error.file, "test.yaml");
    assert_string_equal(error.detail, "bodies: {a: {mass: 1, \"m\303\274\": 2}}\n"
                                      "                      ^");
    error = refuse(HEAD "name: \"\303\244\377\"\n", NULL); /* not UTF-8 */
    assert_int_equal(error.status, DETENT_ERROR_SYNTAX);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 9);
    error = refuse(HEAD "name: \"\303\244\001\"\n", NULL);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 9);
    assert_non_null(strstr(error.message, "a text in UTF-8"));
    assert_string_equal(error.detail, ""); /* not a line that one wants to see */
    error = refuse("", NULL);
    assert_string_equal(error.message, "the file is empty");
    assert_string_equal(error.detail, "");
    error = refuse(HEAD "\tbodies: 1\n", NULL);
    assert_int_equal(error.status, DETENT_ERROR_SYNTAX);
    assert_int_equal(error.line, 3);
}

/* The error's own text points into a text that YAML has changed on its way. */
static void columns_are_exact_in_blocks_and_quotes(void **state)
{
    (void)state;
    detent_error error = refuse(HEAD "bodies: {a: {mass: 1}}\njoints:\n  j:\n    type: prismatic\n"
                                     "    base: ground\n    follower: a\n    force: |\n"
                                     "      1 +\n      2*foo\n",
                                NULL);
    assert_int_equal(error.line, 11);
    assert_int_equal(error.column, 9);
    error = refuse(HEAD "bodies: {a: {mass: 1}}\njoints:\n  j:\n    type: prismatic\n"
                        "    base: ground\n    follower: a\n    force: 1 +\n      2*foo\n",
                   NULL);
    assert_int_equal(error.line, 10);
    assert_int_equal(error.column, 9);
    error = refuse(HEAD "bodies: {a: {mass: '1 + foo'}}\n", NULL);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 25);
    error = refuse(HEAD "bodies: {a: {mass: \"1\\t+ foo\"}}\n", NULL);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 26);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    detent_mechanism *m = NULL;
    detent_error error = {0};
    assert_int_equal(detent_mechanism_load("/nowhere/x.yaml", NULL, &m, &error), DETENT_ERROR_IO);
    assert_string_equal(error.file, "/nowhere/x.yaml");
    assert_non_null(strstr(error.message, "/nowhere/x.yaml"));
    assert_int_equal(detent_mechanism_load(DETENT_SOURCE_DIR, NULL, &m, &error), DETENT_ERROR_IO);
    assert_null(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_take_units_and_parameters),
        cmocka_unit_test(constant_laws_are_shared),
        cmocka_unit_test(a_motion_says_where_it_starts),
        cmocka_unit_test(rotations_have_three_forms),
        cmocka_unit_test(settings_have_defaults),
        cmocka_unit_test(outputs_have_labels_and_units),
        cmocka_unit_test(reactions_of_a_joint_are_those_of_its_last_primitive),
        cmocka_unit_test(warnings_have_a_place),
        cmocka_unit_test(chains_make_copies),
        cmocka_unit_test(counts_follow_parameters),
        cmocka_unit_test(errors_in_copies_name_the_copy),
        cmocka_unit_test(overrides_replace_parameters),
        cmocka_unit_test(wrong_overrides_are_refused),
        cmocka_unit_test(errors_show_the_line),
        cmocka_unit_test(columns_are_exact_in_blocks_and_quotes),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
