/*
 * Couplings with a gap, freewheels and joints that move one way: linear models in the gap, at a tooth and at an elastic one, and positions of rest,
 * against formulas. An arm of 2 kg, 0.3 m out, that gravity turns forward; a motor with a spring.
 */
#include "support_linear.h"
#include "support_variants.h"

static const double load = 2 * 10 * 0.3, /* of the arm, N m */
    spring = 50, damping = 1, rotor = 0.01, arm = 0.05 + 2 * 0.3 * 0.3;

static detent_mechanism *arm_on(const char *motor, const char *coupling)
{
    char text[1024];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, -10]\nbodies:\n"
             "  rotor: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
             "  arm: {mass: 2, center_of_mass: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05]}\n"
             "joints:\n"
             "  motor: {type: revolute, base: ground, follower: rotor, axis: [0, 1, 0], spring: "
             "{stiffness: 50}, damping: 1%s}\n"
             "  arm: {type: revolute, base: ground, follower: arm, axis: [0, 1, 0]}\n"
             "couplings: {mesh: {type: gear, joints: [motor, arm], ratio: 2, %s}}\n"
             "outputs: [position(motor), position(arm)]\n"
             "simulation: {end: 10, rtol: 1e-10}\n",
             motor, coupling);
    return runs_parse(text, NULL);
}

/** The motor's place where it holds the arm, which is (motor + ahead) / 2: by Newton's method. */
static double rest_of(double ahead)
{
    double q = 0;
    for (int n = 0; n < 50; n++) {
        const double angle = (q + ahead) / 2;
        q -= (spring * q - load * cos(angle) / 2) / (spring + load * sin(angle) / 4);
    }
    return q;
}

/** In the gap both move by themselves: the motor on its spring, the arm level, where gravity has no slope. */
static void within_the_gap(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error;
        linear_model *l = NULL;
        detent_mechanism *m = arm_on("", "backlash: 0.1");
        detent_simulation *sim = variant_start(m, v);
        double product = 1;
        runs_must(linear_model_make(sim, NULL, &l, &error), &error);
        assert_int_equal(l->states, 4);
        variant_check(v, "slow", l->eigenvalue[1].frequency, 0, 1e-6); /* a double one */
        for (int i = 2; i < 4; i++) {
            product *= l->eigenvalue[i].frequency;
        }
        variant_check(v, "spring", product, spring / rotor, 1e-9 * spring / rotor);
        linear_model_free(l);
        runs_end(sim, m);
    }
}

/** At a tooth, and where a freewheel holds, both are one. */
static void at_a_tooth(void **state)
{
    static const struct {
        const char *coupling;
        double ahead; /* of the arm, at the motor's speed */
    } cases[] = {{"backlash: 0.1, restitution: 0.3", 0.05}, {"drives: backward", 0}};
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t n = 0; n < 2; n++) {
            const variant v = variant_at(k);
            detent_error error;
            linear_model *l = NULL;
            double x[2];
            detent_mechanism *m = arm_on("", cases[n].coupling);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 10, x, 2);
            const double q = rest_of(cases[n].ahead), angle = (q + cases[n].ahead) / 2,
                         stiffness = spring + load * sin(angle) / 4, mass = rotor + arm / 4,
                         frequency = sqrt(stiffness / mass);
            variant_check(v, "motor", x[0], q, 1e-8);
            variant_check(v, "arm", x[1], angle, 1e-8);
            runs_must(linear_model_make(sim, NULL, &l, &error), &error);
            assert_int_equal(l->states, 2);
            variant_check(v, "frequency", l->eigenvalue[0].frequency, frequency, 1e-7);
            variant_check(v, "damping", l->eigenvalue[0].damping, damping / mass / 2 / frequency,
                          1e-8);
            linear_model_free(l);
            runs_end(sim, m);
        }
    }
}

/** A tooth that gives: two freedoms; the product of the eigenvalues is det K / det M, their sum that of the dampings over inertias. */
static void at_an_elastic_tooth(void **state)
{
    const double tooth = 400, tooth_damping = 2;
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error;
        linear_model *l = NULL;
        double x[2], product = 1, sum = 0;
        detent_mechanism *m = arm_on("", "backlash: 0.1, stiffness: 400, damping: 2");
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 10, x, 2);
        variant_check(v, "motor", spring * x[0], load * cos(x[1]) / 2, 1e-6);
        variant_check(v, "tooth", tooth * (2 * x[1] - x[0] - 0.05), spring * x[0], 1e-6);
        runs_must(linear_model_make(sim, NULL, &l, &error), &error);
        assert_int_equal(l->states, 4);
        for (int i = 0; i < 4; i++) {
            product *= l->eigenvalue[i].frequency;
            sum += l->eigenvalue[i].real;
        }
        const double hangs = load * sin(x[1]),
                     should = ((spring + tooth) * (4 * tooth + hangs) - 4 * tooth * tooth) /
                              (rotor * arm),
                     damps = (damping + tooth_damping) / rotor + 4 * tooth_damping / arm;
        variant_check(v, "stiffness", product, should, 1e-9 * should);
        variant_check(v, "damping", sum, -damps, 1e-9 * damps);
        linear_model_free(l);
        runs_end(sim, m);
    }
}

/** Where a joint that moves forward alone is pressed back it has no states. */
static void where_a_joint_cannot_go_back(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error;
        linear_model *l = NULL;
        detent_mechanism *m =
            arm_on(", moves: forward, initial: {position: 0.2}", "backlash: 0.1, stiffness: 400");
        detent_simulation *sim = variant_start(m, v);
        runs_must(linear_model_make(sim, NULL, &l, &error), &error);
        assert_int_equal(l->states, 2); /* of the arm */
        assert_true(l->state[0].primitive == 1);
        linear_model_free(l);
        runs_end(sim, m);
    }
}

/** Rest is found at the tooth as a run comes to it. */
static void rest_at_a_tooth(void **state)
{
    static const char *const couplings[] = {"backlash: 0.1", "drives: backward",
                                            "backlash: 0.1, stiffness: 400"};
    UNUSED(state);
    for (int n = 0; n < 3; n++) {
        detent_error error;
        detent_rest rest = DETENT_INIT(detent_rest);
        double q[4];
        detent_mechanism *m = arm_on("", couplings[n]);
        detent_analysis *analysis = runs_analyse(m);
        runs_must(
            detent_equilibrium(analysis,
                               &(detent_equilibrium_options){
                                   .size = sizeof(detent_equilibrium_options), .stiction = true},
                               &rest, &error),
            &error);
        runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
        /* the elastic one: in a row with the spring */
        const double ahead = n == 1 ? 0 : 0.05 + (n == 2 ? spring * q[0] / 400 : 0);
        runs_near("motor", q[0], rest_of(ahead), 1e-8);
        runs_near("arm", q[1], (q[0] + ahead) / 2, 1e-8);
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_the_gap),      cmocka_unit_test(at_a_tooth),
        cmocka_unit_test(at_an_elastic_tooth), cmocka_unit_test(where_a_joint_cannot_go_back),
        cmocka_unit_test(rest_at_a_tooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
