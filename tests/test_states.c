/*
 * States of controllers, filters, actuators: exact solutions, a motor against the same motor whose current is the
 * velocity of a dummy body, limits that fall with a state, saved runs, other ways to say the same. In all variants.
 */
#include "support_variants.h"

#define SETTINGS "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n"

/* A cart on a spring that only a state knows, and a low-pass filter of its place. */
static const char oscillator[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {cart: {mass: 2}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: cart, initial: {position: 0.1}, "
    "force: -pull}}\n"
    "states:\n"
    "  pull: {derivative: \"18 [N/m]*velocity(slide)\", initial: 1.8 N}\n"
    "  filtered: {derivative: \"(position(slide) - filtered)/0.5 [s]\", initial: 0 m}\n"
    "  delay: {derivative: \"(state(filtered) - delay)*2 [1/s]\"}\n"
    "outputs: [position(slide), velocity(slide), pull, filtered, delay]\n" SETTINGS;

/** x = 0.1 cos w t; 0.5 y' = x - y, y(0) = 0; 0.5 z' = y - z, z(0) = 0. */
static void exact(double t, double x[5])
{
    const double w = 3, T = 0.5, A = 0.1, d = 1 + T * T * w * w;
    const double c = cos(w * t), s = sin(w * t), e = exp(-t / T);
    const double p = A / d, q = A * T * w / d; /* y = p cos + q sin - p e */
    x[0] = A * c;
    x[1] = -A * w * s;
    x[2] = 18 * x[0];
    x[3] = p * c + q * s - p * e;
    const double P = (p - T * w * q) / d, Q = (q + T * w * p) / d;
    x[4] = P * c + Q * s - P * e - p / T * t * e;
}

static void states_are_integrated(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        static const char *const names[] = {"x", "v", "pull", "filtered", "delay"};
        double is[5], should[5];
        detent_mechanism *m = runs_parse(oscillator, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 0; n <= 6; n++) {
            variant_outputs(sim, v, 0.5 * n, is, 5);
            exact(0.5 * n, should);
            for (int j = 0; j < 5; j++) {
                variant_check(v, names[j], is[j], should[j], 3e-9);
            }
        }
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &now);
        assert_true((double)now.residuals <= 1.2 * (double)now.steps ||
                    v.integrator != DETENT_INTEGRATOR_IDA);
        runs_end(sim, m);
    }
}

/* Laws that read a stiff state beside a joint that is locked, and welded: Newton's step stays exact. */
static void states_beside_a_locked_joint(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {a: {mass: 1}, b: {mass: 1}, c: {mass: 3}}\n"
            "joints:\n"
            "  held: {type: prismatic, base: ground, follower: a}\n"
            "  first: {type: prismatic, base: ground, follower: b, force: z, "
            "initial: {position: 1}}\n"
            "  second: {type: prismatic, base: ground, follower: c, force: '0*z - "
            "3*velocity(second)'}\n"
            "stiction: {held: {kinetic: 1, static: 1}}\n"
            "states: {z: {derivative: \"(-1e4*position(first) - 300*velocity(first) - z)/1e-4\"}}\n"
            "outputs: [position(second), position(held)]\n"
            "simulation: {end: 1, rtol: 1e-6, atol: 1e-8}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[2];
        detent_statistics now = DETENT_INIT(detent_statistics);
        variant_outputs(sim, v, 1, x, 2);
        variant_check(v, "second", x[0], 0, 0);
        variant_check(v, "held", x[1], 0, 0);
        detent_get_statistics(sim, &now);
        assert_true((double)now.residuals <= 1.2 * (double)now.steps ||
                    v.integrator != DETENT_INTEGRATOR_IDA);
        runs_end(sim, m);
    }
}

/* A motor that drives an arm with stiction through its current: a state, or a body of inertia L that nothing holds. */
static const char motor[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {mass: 1, center_of_mass: [0, -0.2, 0], inertia: [0.01, 0.01, 0.02]}\n"
    "%s"
    "joints:\n"
    "  elbow: {type: revolute, base: ground, follower: arm}\n"
    "%s"
    "stiction: {elbow: {external: \"0.8*%s\", kinetic: 0.3, static: 0.5}}\n"
    "signals: {voltage: \"6*sin(4*t)\"}\n"
    "%s"
    "outputs: [position(elbow), velocity(elbow), friction(elbow), %s]\n"
    "simulation: {end: 4, rtol: 1e-10, atol: 1e-12}\n";

static void a_current_is_a_dummy_body(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double x[2][4];
        size_t turns[2];
        for (int dummy = 0; dummy < 2; dummy++) {
            char text[2048];
            const char *current = dummy ? "velocity(charge)" : "current";
            snprintf(text, sizeof text, motor, dummy ? "  coil: {mass: 0.05}\n" : "",
                     dummy
                         ? "  charge: {type: prismatic, base: ground, follower: coil, axis: [1, 0, "
                           "0], force: \"voltage - 2*velocity(charge) - 0.8*velocity(elbow)\"}\n"
                         : "",
                     current,
                     dummy ? ""
                           : "states: {current: {derivative: \"(voltage - 2*current - "
                             "0.8*velocity(elbow))/0.05\"}}\n",
                     current);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            runs_log log = {0};
            detent_error error;
            runs_record(sim, 4, &log);
            turns[dummy] = runs_count_turns(&log);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x[dummy], 4, &error), &error);
            runs_log_free(&log);
            runs_end(sim, m);
        }
        assert_int_equal(turns[0], turns[1]);
        if (turns[0] <= 5) {
            fail_msg("%zu", turns[0]);
        }
        for (int j = 0; j < 4; j++) {
            variant_check(v, "motor", x[0][j], x[1][j], 1e-9);
        }
    }
}

/* Static friction that fades with a state lets go at an instant that is known: 10 exp(-2 t) = 4. */
static void a_limit_follows_a_state(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                                         "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
                                         "joints:\n"
                                         "  slide: {type: prismatic, base: ground, follower: a}\n"
                                         "  other: {type: prismatic, base: ground, follower: b}\n"
                                         "stiction:\n"
                                         "  slide: {external: 4, kinetic: 1, static: grip}\n"
                                         "  other: {external: 4, kinetic: 1, static: 5}\n"
                                         "states: {grip: {derivative: -2*grip, initial: 10}}\n"
                                         "outputs: [position(slide), position(other)]\n" SETTINGS,
                                         NULL);
        const double t = log(2.5) / 2;
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        double x[2];
        detent_error error;
        runs_record(sim, 3, &log);
        variant_check(v, "breakaway", runs_time_of(&log, 0, DETENT_WAIT, 0), t, 1e-9);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 2, &error), &error);
        variant_check(v, "slide", x[0], 1.5 * (3 - t) * (3 - t), 1e-8);
        variant_check(v, "other", x[1], 0, 0);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/* While all joints rest a state goes on, and reads forces: the integral of what a stuck joint bears, from a pulse on. */
static void states_go_on_at_rest(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
            "stiction: {slide: {external: \"if(t > 1, 2, 0) + 0.5*t\", kinetic: 5, static: 6}}\n"
            "states:\n"
            "  borne: {derivative: friction(slide)}\n"
            "  count: {derivative: \"if(mod(t, 0.5) < 0.125, 1, 0)\", nominal: 1}\n"
            "  worn: {derivative: abs(borne)*0.01}\n"
            "outputs: [borne, count, worn]\n" SETTINGS,
            NULL);
        double x[3];
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 3, x, 3);
        variant_check(v, "borne", x[0], -(4 + 0.25 * 9), 1e-9);
        variant_check(v, "count", x[1], 0.75, 1e-9);
        /* integral of 0.25 t^2, and of 2 (t - 1) from 1 on */
        variant_check(v, "worn", x[2], 0.01 * (27 / 12.0 + 4), 1e-10);
        runs_end(sim, m);
    }
}

/* An integral controller around stiction, saved in the middle and gone on with, is the run itself. */
static void saved_with_a_run(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                       "bodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
                       "signals: {error: 0.3 - position(slide)}\n"
                       "stiction: {slide: {external: 20*error + 30*sum - 3*velocity(slide), "
                       "kinetic: 2, static: 3}}\n"
                       "states: {sum: {derivative: error}}\n"
                       "outputs: [position(slide), velocity(slide), sum]\n"
                       "simulation: {end: 9, rtol: 1e-9}\n",
                       NULL);
        double once[3], again[3], z, z0;
        detent_error error;
        detent_simulation *sim = variant_start(m, v);
        variant_advance(sim, v, 4);
        const size_t size = detent_state_size(sim);
        void *bytes = malloc(size);
        runs_must(detent_save_state(sim, bytes, size, &error), &error);
        runs_must(detent_read(sim, DETENT_STATES, &z0, 1, &error), &error);
        runs_must(detent_restore_state(sim, bytes, size, &error), &error);
        variant_outputs(sim, v, 9, once, 3);
        runs_must(detent_restore_state(sim, bytes, size, &error), &error);
        runs_must(detent_read(sim, DETENT_STATES, &z, 1, &error), &error);
        assert_true(z == z0);
        variant_outputs(sim, v, 9, again, 3);
        assert_memory_equal(once, again, sizeof once);
        assert_true(fabs(once[2] - z0) > 1e-3);
        free(bytes);
        runs_end(sim, m);
    }
}

/* Through the interface: the same as from a file; names, units and quantities. */
static void by_the_interface(void **state)
{
    UNUSED(state);
    detent_mechanism *m = NULL;
    detent_simulation *sim = NULL;
    detent_error error;
    const char *const gravity[3] = {"0", "0", "0"};
    double z[2];
    runs_must(detent_mechanism_create("made", NULL, &m, &error), &error);
    runs_must(detent_set_gravity_law(m, gravity, &error), &error);
    runs_must(
        detent_add_body(
            m, &(detent_body_def){.size = sizeof(detent_body_def), .name = "a", .mass = 1}, &error),
        &error);
    detent_joint_def joint = {.size = sizeof joint,
                              .name = "slide",
                              .type = "prismatic",
                              .base = "ground",
                              .follower = "a",
                              .base_rotation = {1, 0, 0, 0},
                              .follower_rotation = {1, 0, 0, 0}};
    runs_must(detent_add_joint(m, &joint, &error), &error);
    detent_state_def decay = {
        .size = sizeof decay, .name = "decay", .derivative = "-decay", .initial = 3};
    runs_must(detent_add_state(m, &decay, &error), &error);
    assert_int_equal(detent_add_state(m, &decay, &error), DETENT_ERROR_MODEL);
    detent_state_def sum = {.size = sizeof sum, .name = "sum", .derivative = "decay", .nominal = 1};
    runs_must(detent_add_state(m, &sum, &error), &error);
    sum.derivative = NULL;
    assert_int_equal(detent_add_state(m, &sum, &error), DETENT_ERROR_ARGUMENT);
    runs_must(detent_mechanism_finish(m, &error), &error);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    assert_int_equal(info.states, 2);
    assert_string_equal(detent_name(m, DETENT_STATE, 1), "sum");
    assert_string_equal(detent_unit(m, DETENT_STATE, 1), "");
    assert_int_equal(detent_find(m, DETENT_STATE, "sum"), 1);
    assert_int_equal(detent_find(m, DETENT_STATE, "some"), -1);
    sim = runs_start(m, NULL);
    runs_advance(sim, 1);
    runs_must(detent_read(sim, DETENT_STATES, z, 2, &error), &error);
    assert_true(fabs(z[0] - 3 * exp(-1)) < 1e-6 && fabs(z[1] - 3 * (1 - exp(-1))) < 1e-6);
    assert_int_equal(detent_read(sim, DETENT_STATES, z, 1, &error), DETENT_ERROR_ARGUMENT);
    runs_end(sim, m);
}

/* What is no number ends the run, names the state and keeps what there is. */
static void a_derivative_that_is_no_number(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a, initial: "
            "{velocity: 1}}}\n"
            "states: {level: {derivative: -sqrt(level), initial: 1}, other: {derivative: "
            "log(1.5 - t)}}\n"
            "outputs: [level]\n" SETTINGS,
            NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_error error = {.status = DETENT_OK};
        detent_status status;
        while ((status = detent_advance(sim, 3, false, &error)) == DETENT_EVENT) {
        }
        assert_int_equal(status, DETENT_ERROR_NUMERIC);
        if (!strstr(error.message, "other")) {
            fail_msg("%s: %s", variant_name(v), error.message);
        }
        variant_check(v, "end", detent_time(sim), 1.5, 0.01);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_integrated),
                                       cmocka_unit_test(states_beside_a_locked_joint),
                                       cmocka_unit_test(a_current_is_a_dummy_body),
                                       cmocka_unit_test(a_limit_follows_a_state),
                                       cmocka_unit_test(states_go_on_at_rest),
                                       cmocka_unit_test(saved_with_a_run),
                                       cmocka_unit_test(by_the_interface),
                                       cmocka_unit_test(a_derivative_that_is_no_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
