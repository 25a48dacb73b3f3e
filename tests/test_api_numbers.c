/* Numbers in definitions, beside expressions, and in settings. */
#include "test_api_fixture.h"

/* Numbers where numbers are meant are what the same expressions are. */
static detent_mechanism *sled(bool numbers)
{
    detent_error e;
    detent_mechanism *m = NULL;
    must(detent_mechanism_create("sled", NULL, &m, &e), &e);
    const double down[3] = {0.25, -9.81, 1e-3};
    const char *const law[3] = {"0.25", "-9.81", "1e-3"};
    must(numbers ? detent_set_gravity(m, down, &e) : detent_set_gravity_law(m, law, &e), &e);
    const detent_body_def body = {
        .size = sizeof body, .name = "sled", .mass = 2, .inertia = {1, 1, 1}};
    detent_primitive_def slide = DETENT_INIT(detent_primitive_def);
    detent_joint_def joint = {
        .size = sizeof joint, .name = "slide", .type = "prismatic", .follower = "sled"};
    detent_stiction_def stiction = {.size = sizeof stiction, .primitive = "slide"};
    detent_load_def load = {.size = sizeof load, .name = "wind", .body = "sled"};
    slide.axis[0] = 1;
    joint.primitive[0] = &slide;
    if (numbers) {
        stiction.constant_external = 0.7;
        stiction.constant_kinetic = 0.3;
        stiction.constant_static = 0.4;
        load.constant_force[0] = 0.1;
        load.constant_torque[2] = 0.2;
    } else {
        stiction.external = "0.7";
        stiction.kinetic = "0.3";
        stiction.static_limit = "0.4";
        load.force[0] = "0.1";
        load.torque[2] = "0.2";
    }
    must(detent_add_body(m, &body, &e), &e);
    must(detent_add_joint(m, &joint, &e), &e);
    must(detent_add_stiction(m, &stiction, &e), &e);
    must(detent_add_load(m, &load, &e), &e);
    must(detent_add_output(m, "reaction_torque(slide)", &e), &e);
    must(detent_mechanism_finish(m, &e), &e);
    return m;
}

static void numbers_are_expressions(void **state)
{
    UNUSED(state);
    double value[2][4];
    for (int k = 0; k < 2; k++) {
        detent_error e;
        detent_mechanism *m = sled(k == 1);
        detent_simulation *s = simulate(m);
        must(detent_advance(s, 1, false, &e), &e);
        must(detent_read(s, DETENT_POSITIONS, &value[k][0], 1, &e), &e);
        must(detent_read(s, DETENT_VELOCITIES, &value[k][1], 1, &e), &e);
        must(detent_read(s, DETENT_FRICTIONS, &value[k][2], 1, &e), &e);
        must(detent_read(s, DETENT_OUTPUTS, &value[k][3], 1, &e), &e);
        detent_simulation_destroy(s);
        detent_mechanism_destroy(m);
    }
    assert_memory_equal(value[0], value[1], sizeof value[0]);
    assert_true(fabs(value[1][1] - (0.7 - 0.3 + 0.1 + 2 * 0.25) / 2) < 1e-12);
}

/* One of the two, and a number. */
static void numbers_are_refused(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = NULL;
    must(detent_mechanism_create("sled", NULL, &m, &e), &e);
    const double none[3] = {0, (double)NAN, 0};
    expect_argument_error(detent_set_gravity(m, none, &e), &e, "not a finite number");
    expect_argument_error(detent_set_gravity(m, NULL, &e), &e, "gravity");
    detent_load_def load = {.size = sizeof load, .name = "wind", .body = "sled"};
    load.torque[1] = "t";
    load.constant_torque[1] = 1;
    expect_argument_error(detent_add_load(m, &load, &e), &e, "the torque of 'wind' is given twice");
    load.torque[1] = NULL;
    load.constant_torque[1] = (double)INFINITY;
    expect_argument_error(detent_add_load(m, &load, &e), &e, "not a finite number");
    detent_stiction_def stiction = {.size = sizeof stiction, .primitive = "slide"};
    stiction.kinetic = "1";
    stiction.constant_kinetic = 1;
    expect_argument_error(detent_add_stiction(m, &stiction, &e), &e, "kinetic friction");
    detent_mechanism_destroy(m);
}

/* ---- settings ---- */

static void must_refuse_settings(const detent_settings *settings, const char *words)
{
    detent_error e = {0};
    detent_simulation *s = NULL;
    detent_mechanism *m = load_two_links();
    const detent_simulation_options options = {.size = sizeof options, .settings = settings};
    const detent_status status = detent_simulation_create(m, &options, &s, &e);
    if (status >= 0 || s || !strstr(e.message, words)) {
        fail_msg("instead of '%s': status %d, '%s'", words, status, e.message);
    }
    detent_mechanism_destroy(m);
}

static void test_settings(void **state)
{
    UNUSED(state);
    detent_settings usual;
    detent_init_settings(&usual, sizeof usual);
    detent_settings s = usual;
    s.integrator = (detent_integrator)9;
    must_refuse_settings(&s, "integrator: must be ida, erk, auto, euler, rk4 or fixed");
    s = usual;
    s.linear_solver = (detent_linear_solver)9;
    must_refuse_settings(&s, "linear_solver: must be tree or dense");
    s = usual;
    s.locked_joints = (detent_locked_joints)9;
    must_refuse_settings(&s, "locked_joints: must be weld or constrain");
    s = usual;
    s.rtol = NAN;
    must_refuse_settings(&s, "rtol: not a finite number");
    s = usual;
    s.end = INFINITY;
    must_refuse_settings(&s, "end: not a finite number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_expressions),
        cmocka_unit_test(numbers_are_refused),
        cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
