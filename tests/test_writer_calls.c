/* Mechanisms that were built by calls as files: all that the library takes is written, or refused by name. */

#include "model/mechanism.h"
#include "support_written.h"
#include "test_api_fixture.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- building ---- */

static detent_mechanism *begin(const char *name)
{
    detent_mechanism *m = NULL;
    detent_error e = {0};
    must(detent_mechanism_create(name, NULL, &m, &e), &e);
    return m;
}

static void add_body(detent_mechanism *m, const char *name)
{
    detent_error e = {0};
    detent_body_def body = DETENT_INIT(detent_body_def);
    body.name = name;
    body.mass = 0.1 + 0.2; /* 17 digits */
    body.center_of_mass[0] = -0.0;
    body.center_of_mass[1] = 5e-324;
    body.inertia[0] = body.inertia[1] = 1.0 / 3;
    body.inertia[2] = 0.5;
    body.inertia[4] = -1e-3;
    must(detent_add_body(m, &body, &e), &e);
}

static void add_joint(detent_mechanism *m, const char *name, const char *type, const char *base,
                      const char *follower, const detent_primitive_def *primitive)
{
    detent_error e = {0};
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    joint.name = name;
    joint.type = type;
    joint.base = base;
    joint.follower = follower;
    joint.base_point[0] = 0.1;
    joint.base_rotation[0] = 0.3; /* of any length */
    joint.base_rotation[3] = 0.1;
    joint.primitive[0] = primitive;
    must(detent_add_joint(m, &joint, &e), &e);
}

static void finish(detent_mechanism *m)
{
    detent_error e = {0};
    must(detent_mechanism_finish(m, &e), &e);
}

static void must_be_the_same(detent_mechanism *m)
{
    const char *difference = written_differs(m, NULL);
    if (difference) {
        fail_msg("%s", difference);
    }
    detent_mechanism_destroy(m);
}

/* ---- everything that calls can say ---- */

static void add_bodies_and_joints(detent_mechanism *m)
{
    static const char *const names[] = {"a", "b[1]", "b[2]", "c", "d", "e", "f", "yes", "null"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        add_body(m, names[k]);
    }
    detent_primitive_def p = DETENT_INIT(detent_primitive_def);
    p.axis[1] = 2;
    p.position[0] = 0.1;
    p.velocity[0] = -3;
    p.position_priority = DETENT_PRIORITY_EXACT;
    p.velocity_priority = DETENT_PRIORITY_PREFERRED; /* which differ */
    p.rest = 0.25;                                   /* of no spring */
    p.damping = 1;
    p.armature = 0.01;
    p.nominal_velocity = 10;
    add_joint(m, "a", "revolute", "ground", "a", &p);
    p = (detent_primitive_def)DETENT_INIT(detent_primitive_def);
    p.stiffness = 2;
    p.velocity[0] = 1;
    p.velocity_priority = DETENT_PRIORITY_EXACT; /* of the velocity alone */
    p.constant_force = 0.1 + 0.2;
    add_joint(m, "b[1]", "prismatic", "a", "b[1]", &p);
    p = (detent_primitive_def)DETENT_INIT(detent_primitive_def);
    p.position[0] = 0.5;
    p.position[2] = 0.5;
    p.position_priority = p.velocity_priority = DETENT_PRIORITY_PREFERRED;
    add_joint(m, "b[2]", "spherical", "ground", "b[2]", &p);
    p = (detent_primitive_def)DETENT_INIT(detent_primitive_def);
    p.axis[0] = 1; /* the first alone: others have that of the type */
    p.moves = DETENT_FORWARD;
    add_joint(m, "c", "universal", "ground", "c", &p);
    p = (detent_primitive_def)DETENT_INIT(detent_primitive_def);
    p.motion = "0.1*sin(w * t)";
    add_joint(m, "d", "prismatic", "ground", "d", &p);
    p = (detent_primitive_def)DETENT_INIT(detent_primitive_def);
    p.speed = "0.1";
    p.position[0] = 1;
    add_joint(m, "e", NULL, NULL, "e", &p);
    add_joint(m, "f", "cylindrical", "ground", "f", NULL);
    add_joint(m, "yes", "weld", "f", "yes", NULL);
    detent_joint_def custom = DETENT_INIT(detent_joint_def);
    detent_error e = {0};
    custom.name = custom.follower = "null";
    custom.type = "custom";
    custom.row = "prp";
    detent_primitive_def across = DETENT_INIT(detent_primitive_def);
    across.axis[1] = 1;
    custom.primitive[2] = &across;
    must(detent_add_joint(m, &custom, &e), &e);
}

static void add_friction(detent_mechanism *m)
{
    detent_error e = {0};
    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    detent_bearing bearing = DETENT_INIT(detent_bearing);
    bearing.coefficient = 0.1;
    bearing.length = 0.2;
    bearing.fixed_to = DETENT_FIXED_TO_BASE;
    stiction.primitive = "f.p1";
    stiction.constant_kinetic = 1.0 / 3;
    stiction.constant_static = 1;
    stiction.external = "if(t > 1, u, 0)";
    stiction.test = "computed";
    stiction.bearing = &bearing;
    must(detent_add_stiction(m, &stiction, &e), &e);
    stiction = (detent_stiction_def)DETENT_INIT(detent_stiction_def);
    stiction.primitive = "f.r1";
    stiction.kinetic = "k";
    stiction.forward = "-2 *\n k"; /* on one line in the file */
    stiction.reverse = "3*k";
    stiction.locking = DETENT_LOCKING_BAND;
    stiction.velocity_threshold = 1e-3;
    must(detent_add_stiction(m, &stiction, &e), &e);
    must(detent_add_item(m, "friction", "c.r2",
                         "{law: stribeck, coulomb: 0.1, breakaway: 0.2, breakaway_velocity: 0.1, "
                         "velocity_band: 1e-3}",
                         &e),
         &e);
}

static void add_forces(detent_mechanism *m)
{
    detent_error e = {0};
    detent_load_def load = DETENT_INIT(detent_load_def);
    load.name = "push";
    load.body = "b[2]";
    load.force[1] = "max(u, 1)"; /* one component alone */
    load.constant_torque[2] = 0.5;
    load.frame = DETENT_FRAME_BODY;
    must(detent_add_load(m, &load, &e), &e);
    detent_spring_def spring = DETENT_INIT(detent_spring_def);
    spring.name = "rope";
    spring.body[0] = "a";
    spring.point[1][2] = 3;
    spring.stiffness = 30;
    spring.rest = 0.1;
    must(detent_add_spring(m, &spring, &e), &e);
    detent_stop_def stop = DETENT_INIT(detent_stop_def);
    stop.name = "b[1].upper"; /* as one in a joint is called */
    stop.joint = "b[1]";
    stop.side = DETENT_UPPER;
    stop.at = 2;
    stop.restitution = 0.5;
    must(detent_add_stop(m, &stop, &e), &e);
    stop = (detent_stop_def)DETENT_INIT(detent_stop_def);
    stop.name = "wall"; /* and by another name */
    stop.joint = "null.p1";
    stop.at = -1;
    stop.stiffness = 1e4;
    must(detent_add_stop(m, &stop, &e), &e);
    detent_state_def state = DETENT_INIT(detent_state_def);
    state.name = "z";
    state.derivative = "u - z";
    state.initial = -0.0;
    state.nominal = 2;
    state.max = "2*k";
    must(detent_add_state(m, &state, &e), &e);
    must(detent_add_item(m, "sampled", "held",
                         "{every: 10 ms, value: previous(held) + 1, initial: 2}", &e),
         &e);
    must(
        detent_add_item(m, "points", "tip", "{body: a, at: {rotation: {rpy: [0, 0, 30 deg]}}}", &e),
        &e);
}

static void add_coupling(detent_mechanism *m, const char *name, const char *first,
                         const char *second, double factor, double other, double loss)
{
    detent_error e = {0};
    detent_coupling_def coupling = DETENT_INIT(detent_coupling_def);
    coupling.name = name;
    coupling.primitive[0] = first;
    coupling.primitive[1] = second;
    coupling.factor[0] = factor;
    coupling.factor[1] = other;
    coupling.factor[2] = 7; /* beyond the count: of no account */
    coupling.primitive[3] = "nobody";
    coupling.count = 2;
    coupling.loss_driving = coupling.static_loss_driving = loss;
    coupling.loss_driven = loss / 3;
    coupling.no_load = loss;
    must(detent_add_coupling(m, &coupling, &e), &e);
}

static void everything_is_written(void **state)
{
    (void)state;
    detent_error e = {0};
    detent_mechanism *m = begin("all: of # it");
    must(detent_set_gravity(m, (const double[3]){0, 1e-300, -9.80665}, &e), &e);
    must(detent_add_parameter(m, "k", "2 N*m", &e), &e);
    must(detent_add_parameter(m, "w", "2*pi", &e), &e);
    must(detent_add_input(m, "u", -0.0, &e), &e);
    must(detent_add_signal(m, "s", "2*u", &e), &e);
    must(detent_add_item(m, "tables", "curve",
                         "{of: [0 m, 1, 2], is: [1 N, 2, 4], outside: extend}", &e),
         &e);
    add_bodies_and_joints(m);
    add_friction(m);
    add_forces(m);
    must(detent_add_output(m, "position(a)", &e), &e);
    must(detent_add_output(m, "  s +   z ", &e), &e); /* its own label, with its blanks */
    must(detent_add_output(m, "curve( position(b[1]) ) + 0", &e), &e);
    must(detent_add_item(m, "outputs", NULL, "{'a \"b\": # 1e5': u}", &e), &e);
    must(detent_add_item(m, "outputs", NULL, "{true: t}", &e), &e);
    finish(m);
    must_be_the_same(m);
}

/* Numbers of calls become texts of laws, and numbers of a file. */
static void write_numbers(void)
{
    detent_error e = {0};
    detent_mechanism *m = begin("numbers");
    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    detent_primitive_def p = DETENT_INIT(detent_primitive_def);
    p.position[0] = 0.5;
    must(detent_set_gravity(m, (const double[3]){0, 0.25, -9.80665}, &e), &e);
    must(detent_add_parameter(m, "k", "2.5", &e), &e);
    add_body(m, "a");
    add_joint(m, "a", "revolute", "ground", "a", &p);
    stiction.primitive = "a";
    stiction.constant_kinetic = 1.5;
    stiction.static_limit = "k";
    must(detent_add_stiction(m, &stiction, &e), &e);
    finish(m);
    must_be_the_same(m);
}

/* Where people write 0,5 files have points all the same. */
static void the_locale_is_of_no_account(void **state)
{
    (void)state;
    static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
    bool tried = false;
    write_numbers();
    for (size_t k = 0; k < sizeof with_comma / sizeof *with_comma && !tried; k++) {
        tried = setlocale(LC_NUMERIC, with_comma[k]) != NULL;
    }
    if (!tried) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    write_numbers();
    setlocale(LC_NUMERIC, "C");
}

static void couplings_are_written(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    detent_mechanism *m = begin("couplings");
    for (size_t k = 0; k < 6; k++) {
        add_body(m, names[k]);
        add_joint(m, names[k], k == 1 || k == 5 ? "prismatic" : "revolute", "ground", names[k],
                  NULL);
    }
    add_coupling(m, "rack", "a", "b", -0.1, 1, 0);
    add_coupling(m, "gear", "c", "a", 1, -1.0 / 3, 0.1);
    add_coupling(m, "else", "d", "e", 2, 1.0 / 7, 0.1);
    add_coupling(m, "mixed", "e", "f", 1, -1.0 / 7, 0);
    finish(m);
    char *text = written_text(m, NULL);
    assert_non_null(text);
    assert_non_null(strstr(text, "type: rack"));
    assert_non_null(strstr(text, "type: gear"));
    assert_non_null(strstr(text, "type: differential"));
    free(text);
    must_be_the_same(m);
}

/* ---- texts ---- */

/* The name can be any text. */
static void texts_come_back(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",
        "yes",
        "1e5",
        "null",
        "~",
        "true",
        ".nan",
        "a: b",
        "# c",
        "c #d",
        "- x",
        "'",
        "\"",
        "{a",
        "[",
        "*x",
        "&y",
        "!z",
        "|",
        ">",
        "%",
        "@",
        "`",
        "  a  ",
        "a\nb",
        "a\n\nb\n",
        "\ta",
        "a\tb",
        "...",
        "---",
        "--- a",
        "? x",
        ": x",
        ",",
        "\xC3\xA4\xE2\x82\xAC",
        "\x01",
        "\x7F\x1B[0m",
        "a\r\nb",
        "\xF0\x9F\x98\x80",
        "\xEF\xBB\xBF"
        "a",
        "a\\n",
        "0x1F",
        "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s "
        "t u v "
        "w x y z a b c  d e f g h i j k l m n o p q r s t u v w x y z",
        "\xE2\x80\xA8 \xC2\x85"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        detent_mechanism *m = begin(names[k]);
        add_body(m, "a");
        add_joint(m, "a", "revolute", "ground", "a", NULL);
        finish(m);
        const char *difference = written_differs(m, NULL);
        if (difference) {
            fail_msg("the name %zu, '%s': %s", k, names[k], difference);
        }
        detent_mechanism_destroy(m);
    }
}

static void must_be_refused(detent_mechanism *m, const char *words)
{
    detent_error e = {0};
    size_t length = 77;
    assert_int_equal(detent_mechanism_text(m, NULL, 0, &length, &e), DETENT_ERROR_MODEL);
    assert_int_equal(length, 77);
    if (!strstr(e.message, words)) {
        fail_msg("no '%s' in '%s'", words, e.message);
    }
    detent_mechanism_destroy(m);
}

static int law(void *user, const double *arguments, double *value, double *derivatives)
{
    (void)user;
    *value = 1 + 0.5 * arguments[0];
    derivatives[0] = 0.5;
    return 0;
}

/* Functions of the program are called by name in the file: who reads it brings them along. */
static void calls_of_functions_are_written(void **state)
{
    (void)state;
    detent_error e = {0};
    detent_function_def function = DETENT_INIT(detent_function_def);
    const detent_function_def *functions[] = {&function};
    detent_load_options options = DETENT_INIT(detent_load_options);
    detent_mechanism *m = begin("x"), *again = NULL;
    char text[2][4000];
    size_t length;
    function.name = "law";
    function.argument_count = 1;
    function.function = law;
    options.functions = functions;
    options.function_count = 1;
    must(detent_add_function(m, &function, &e), &e);
    add_body(m, "a");
    add_joint(m, "slide", "prismatic", "ground", "a", NULL);
    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    stiction.primitive = "slide";
    stiction.kinetic = "law(position(slide))";
    stiction.static_limit = "2";
    must(detent_add_stiction(m, &stiction, &e), &e);
    finish(m);
    must(detent_mechanism_text(m, text[0], sizeof text[0], &length, &e), &e);
    assert_non_null(strstr(text[0], "law(position(slide))"));
    assert_int_equal(detent_mechanism_parse(text[0], length, "x", NULL, &again, &e),
                     DETENT_ERROR_MODEL);
    must(detent_mechanism_parse(text[0], length, "x", &options, &again, &e), &e);
    assert_int_equal(dt_mechanism_fingerprint(again), dt_mechanism_fingerprint(m));
    must(detent_mechanism_text(again, text[1], sizeof text[1], &length, &e), &e);
    assert_string_equal(text[0], text[1]);
    detent_mechanism_destroy(again);
    detent_mechanism_destroy(m);
}

static void what_no_file_holds_is_refused(void **state)
{
    (void)state;
    detent_mechanism *m;
    static const char *const broken[] = {"\xff", "a\xC3", "\xED\xA0\x80"};
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        m = begin(broken[k]);
        add_body(m, "a");
        add_joint(m, "a", "revolute", "ground", "a", NULL);
        finish(m);
        must_be_refused(m, "UTF-8");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_written),
        cmocka_unit_test(the_locale_is_of_no_account),
        cmocka_unit_test(couplings_are_written),
        cmocka_unit_test(texts_come_back),
        cmocka_unit_test(calls_of_functions_are_written),
        cmocka_unit_test(what_no_file_holds_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
