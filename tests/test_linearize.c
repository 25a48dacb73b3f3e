/*
 * Linear models: against exact solutions; what is held, chosen, left as it is and refused.
 */
#include "detent/analysis.h"
#include "support_linear.h"
#include "support_runs.h"

#include <float.h>

static const double pi = 3.14159265358979323846;

static linear_model *linearize(detent_simulation *s)
{
    detent_error error;
    linear_model *l = NULL;
    runs_must(linear_model_make(s, NULL, &l, &error), &error);
    return l;
}

/* ---- exact ---- */

static const char two_masses[] =
    "detent: 1\n"
    "name: two masses\n"
    "gravity: [0, 0, 0]\n"
    "inputs: {push: 0}\n"
    "bodies: {a: {mass: 2}, b: {mass: 3}}\n"
    "joints:\n"
    "  first: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], spring: {stiffness: "
    "50}}\n"
    "  second: {type: prismatic, base: a, follower: b, axis: [1, 0, 0], spring: {stiffness: 70}}\n"
    "loads: {pull: {body: b, force: [push, 0, 0]}}\n"
    "outputs: [position(first), force(second), \"position(b, x)\"]\n";

/* x1, and x2 relative to it: (m1 + m2) x1'' + m2 x2'' + k1 x1 = u, m2 (x1'' + x2'') + k2 x2 = u. */
static void test_two_masses(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(two_masses, NULL);
    detent_simulation *s = runs_start(m, NULL);
    linear_model *l = linearize(s);
    const double m1 = 2, m2 = 3, k1 = 50, k2 = 70;
    assert_int_equal(l->states, 4);
    assert_int_equal(l->inputs, 1);
    assert_int_equal(l->outputs, 3);
    const double A[16] = {0,        0,       1, 0, 0,       0,
                          0,        1, /* */
                          -k1 / m1, k2 / m1, 0, 0, k1 / m1, -k2 / m1 - k2 / m2,
                          0,        0};
    for (int i = 0; i < 16; i++) {
        assert_true(fabs(l->A[i] - A[i]) < 1e-12);
    }
    const double B[4] = {0, 0, 0, 1 / m2};
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(l->B[i] - B[i]) < 1e-14);
    }
    const double C[12] = {1, 0, 0, 0, 0, -k2, 0, 0, 1, 1, 0, 0};
    for (int i = 0; i < 12; i++) {
        assert_true(fabs(l->C[i] - C[i]) < 1e-11);
    }
    assert_true(l->D[0] == 0 && fabs(l->D[1]) < 1e-14 && l->D[2] == 0);
    /* det(K - w^2 M) = 0 in absolute coordinates */
    const double b = (k1 + k2) / m1 + k2 / m2, c = k1 * k2 / (m1 * m2);
    for (int k = 0; k < 2; k++) {
        const double w = sqrt((b + (k ? 1 : -1) * sqrt(b * b - 4 * c)) / 2);
        const detent_eigenvalue *e = &l->eigenvalue[2 * k];
        assert_true(fabs(e->imaginary - w) < 1e-12 * w && fabs(e->real) < 1e-12 * w);
        assert_true(e[1].imaginary == -e->imaginary);
        assert_true(fabs(e->frequency - w) < 1e-12 * w && fabs(e->damping) < 1e-12);
        /* shape in absolute coordinates: x2 / x1 = (k1 + k2 - m1 w^2) / k2 */
        const double(*x)[2] = l->shape + 2 * k * 4;
        const double ratio = (x[0][0] + x[1][0]) / x[0][0];
        assert_true(fabs(ratio - (k1 + k2 - m1 * w * w) / k2) < 1e-11);
        assert_true(fabs(x[2][1] - w * x[0][0]) < 1e-11); /* velocity = lambda position */
    }
    linear_model_free(l);
    runs_end(s, m);
}

/* A damped pendulum in any position: I a = -m g c sin(q) - d v + u, linearised where it is let go, in a field of any strength. */
static void test_pendulum(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "parameters: {start: 0}\n"
        "inputs: {torque: 0, g: 9.81}\n"
        "gravity: [0, -g, 0]\n"
        "bodies: {rod: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1], damping: "
        "0.3,\n"
        "  force: torque, initial: {position: start}}}\n";
    const double I = 0.1 + 2 * 0.25, d = 0.3;
    UNUSED(state);
    for (int k = 0; k <= 6; k++) {
        char start[32];
        const double q = k * pi / 6;
        snprintf(start, sizeof start, "start=%.17g", q);
        detent_mechanism *m = runs_parse(text, (const char *const[]){start, NULL});
        detent_simulation *s = runs_start(m, NULL);
        linear_model *l = linearize(s);
        const double A[4] = {0, 1, -2 * 9.81 * 0.5 * cos(q) / I, -d / I};
        for (int i = 0; i < 4; i++) {
            assert_true(fabs(l->A[i] - A[i]) < 1e-13 * 20);
        }
        assert_true(fabs(l->B[2] - 1 / I) < 1e-14);
        assert_true(fabs(l->B[3] + 2 * 0.5 * sin(q) / I) < 1e-14); /* the field */
        assert_true(fabs(l->state[1].rate + 2 * 9.81 * 0.5 * sin(q) / I) < 1e-12);
        if (k == 0) {
            assert_true(fabs(l->eigenvalue[0].frequency - sqrt(-A[2])) < 1e-12);
            assert_true(fabs(l->eigenvalue[0].damping - d / I / 2 / sqrt(-A[2])) < 1e-13);
        }
        linear_model_free(l);
        runs_end(s, m);
    }
}

/* Friction of a joint that slides is linearised, one that is locked is not there. */
static void test_modes_are_held(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, -10]\n"
        "inputs: {pull: 30}\n"
        "bodies: {low: {mass: 4}, high: {mass: 1}}\n"
        "joints:\n"
        "  floor: {type: prismatic, base: ground, follower: low, axis: [1, 0, 0]}\n"
        "  top: {type: prismatic, base: low, follower: high, axis: [1, 0, 0]}\n"
        "stiction:\n"
        "  floor: {external: pull, kinetic: (0.2 + 0.1*abs(velocity(floor)))*normal_force(floor), "
        "static: 12}\n"
        "  top: {kinetic: 7, static: 8}\n"
        "outputs: [friction(floor), friction(top)]\n";
    UNUSED(state);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 0.1);
    assert_int_equal(runs_mode(m, s, "top"), DETENT_LOCKED);
    linear_model *l = linearize(s);
    assert_int_equal(l->states, 2);
    assert_int_equal(l->state[0].primitive, 0);
    /* 5 a = pull - (0.2 + 0.1 v) 50; the top holds on with 1 a */
    assert_true(fabs(l->A[3] + 1) < 1e-12 && fabs(l->A[2]) < 1e-14);
    assert_true(fabs(l->B[1] - 0.2) < 1e-14);
    assert_true(fabs(l->C[1] + 5) < 1e-11 && fabs(l->D[0]) < 1e-12);
    assert_true(fabs(l->C[3] + 1) < 1e-12 && fabs(l->D[1] - 0.2) < 1e-14);
    linear_model_free(l);
    runs_end(s, m);
}

/* ---- the call ---- */

static void test_outputs_are_chosen(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = runs_parse(two_masses, NULL);
    detent_simulation *s = runs_start(m, NULL);
    linear_model *all = linearize(s), *one = NULL;
    size_t output = 2;
    detent_linearize_options options = {
        .size = sizeof options, .outputs = &output, .output_count = 1};
    runs_must(linear_model_make(s, &options, &one, &error), &error);
    assert_int_equal(one->outputs, 1);
    assert_int_equal(one->output[0], 2);
    for (size_t k = 0; k < 4; k++) {
        assert_true(one->C[k] == all->C[8 + k]);
    }
    linear_model_free(one);
    output = 3;
    assert_int_equal(linear_model_make(s, &options, &one, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "output 3"));
    assert_null(one);
    assert_int_equal(linear_model_make(NULL, NULL, &one, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_linearize(s, NULL, NULL, &error), DETENT_ERROR_ARGUMENT);
    linear_model_free(all);
    linear_model_free(NULL);
    runs_end(s, m);
}

/* A run goes on to the same bits, whoever has looked at it. */
static void test_run_is_left_as_it_is(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_load("sticky_double_pendulum.yaml", NULL);
    detent_simulation *watched = runs_start(m, NULL), *alone = runs_start(m, NULL);
    for (int k = 1; k <= 20; k++) {
        runs_advance(watched, 0.25 * k);
        linear_model_free(linearize(watched));
    }
    runs_advance(alone, 5);
    size_t count;
    double *a = runs_state(m, watched, &count), *b = runs_state(m, alone, &count);
    assert_memory_equal(a, b, count * sizeof *a);
    free(a);
    free(b);
    detent_simulation_destroy(alone);
    runs_end(watched, m);
}

/* What slides along a border has no smooth model. */
static void test_sliding_is_refused(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {cart: {mass: 1}}\n"
        "joints: {rail: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0],\n"
        "  force: \"1 - 5*sign(velocity(rail))\", initial: {velocity: 0.5}}}\n";
    UNUSED(state);
    detent_error error;
    linear_model *l = NULL;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    linear_model_free(linearize(s));
    runs_advance(s, 1);
    assert_int_equal(linear_model_make(s, NULL, &l, &error), DETENT_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "slides"));
    assert_non_null(strstr(error.message, "rail"));
    runs_end(s, m);
}

/* How a load is shared that nothing but elasticity tells, or static friction, is known, but not how that changes. */
static void test_shares_are_refused(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "inputs: {u: 50, torque: 1}\n"
        "bodies:\n"
        "  a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [1e-3, 0.08, 0.08]}\n"
        "  b: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [1e-3, 0.08, 0.08]}\n"
        "  c: {mass: 1, inertia: [1, 1, 1]}\n"
        "  d: {mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  l: {type: revolute, base: ground, follower: a, initial: {position: 60 deg}}\n"
        "  r: {type: revolute, base: ground, follower: b, at: {base: [1, 0, 0]}, initial: "
        "{position: 120 deg}}\n"
        "  top: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0], follower: [1, 0, 0]}, "
        "initial: {position: 60 deg}}\n"
        "  c: {type: revolute, base: ground, follower: c}\n"
        "  d: {type: revolute, base: ground, follower: d}\n"
        "couplings: {g: {type: gear, joints: [c, d], ratio: 2}}\n"
        "stiction: {c: {external: torque, kinetic: 1, static: 2}, d: {kinetic: 1, static: 2}}\n"
        "loads: {P: {body: a, at: [1, 0, 0], force: [10, 0, u]}}\n"
        "outputs: [\"reaction_force(l, x)\", \"reaction_force(l, z)\", friction(c), "
        "coupling_force(g)]\n";
    static const char *const names[] = {"", "reaction_force(l, z)", "friction(c)",
                                        "coupling_force(g)"};
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    for (size_t output = 0; output < 4; output++) {
        const detent_linearize_options options = {
            .size = sizeof options, .outputs = &output, .output_count = 1};
        linear_model *l = NULL;
        const detent_status status = linear_model_make(s, &options, &l, &error);
        assert_int_equal(status, output == 0 ? DETENT_OK : DETENT_ERROR_MODEL);
        if (output == 0) {
            assert_true(fabs(l->output_value[0]) > 1);
        } else {
            assert_non_null(strstr(error.message, names[output]));
        }
        linear_model_free(l);
    }
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_masses),           cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_modes_are_held),       cmocka_unit_test(test_outputs_are_chosen),
        cmocka_unit_test(test_run_is_left_as_it_is), cmocka_unit_test(test_sliding_is_refused),
        cmocka_unit_test(test_shares_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
