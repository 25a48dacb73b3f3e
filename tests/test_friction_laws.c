/*
 * Friction laws of a primitive without springs, against their formulas: values, symmetry, effects that are switched off, loads,
 * slopes, exact motions of one mass, in all variants.
 */
#include "support_linear.h"
#include "support_variants.h"

/* One rotor or slider of mass 2 that moves with velocity v0. */
static detent_mechanism *make(const char *type, const char *more, const char *law, double v0)
{
    char text[1200];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2, inertia: [1, 1, 2]}}\n"
             "joints: {x: {type: %s, base: ground, follower: a, initial: {velocity: %.17g}%s, "
             "friction: {%s}}}\n"
             "outputs: [friction(x), position(x), velocity(x), force(x), friction_work()]\n"
             "simulation: {end: 4, rtol: 1e-10}\n",
             type, v0, more, law);
    return runs_parse(text, NULL);
}

static double friction_at(const char *type, const char *law, double v)
{
    detent_mechanism *m = make(type, "", law, v);
    detent_simulation *sim = runs_start(m, NULL);
    const double value = runs_output(m, sim, "friction(x)");
    assert_true(runs_output(m, sim, "force(x)") == 0);
    runs_end(sim, m);
    return value;
}

#define LOADED                                                                                 \
    "law: stribeck, breakaway: 0.3, coulomb: 0.2, breakaway_velocity: 0.1, normal_force: 70, " \
    "radius: 0.1"
#define TOOLBOX "law: stribeck, breakaway: 25, coulomb: 20, breakaway_velocity: 0.1, viscous: 0.001"

/* T of the toolbox's blocks. */
static double toolbox(double breakaway, double coulomb, double w_breakaway, double viscous,
                      double w)
{
    const double S = w_breakaway * sqrt(2);
    return sqrt(2 * exp(1)) * (breakaway - coulomb) * exp(-(w / S) * (w / S)) * w / S +
           coulomb * tanh(w / (w_breakaway / 10)) + viscous * w;
}

static void stribeck_is_that_of_the_toolbox(void **state)
{
    static const char *const types[] = {"revolute", "prismatic"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        for (double w = 1e-4; w < 10; w *= 1.7) {
            const double value = friction_at(types[k], TOOLBOX, w);
            runs_near("formula", value, -toolbox(25, 20, 0.1, 0.001, w), 1e-13 * 25);
            runs_near("symmetry", friction_at(types[k], TOOLBOX, -w), -value, 0);
        }
        runs_near("breakaway", friction_at(types[k], TOOLBOX, 0.1),
                  -(5 + 20 * tanh(10) + 0.001 * 0.1), 1e-13 * 25);
        runs_near("rest", friction_at(types[k], TOOLBOX, 0), 0, 0);
    }
}

static void zero_coefficients_switch_effects_off(void **state)
{
    static const double w[] = {-3, -0.1, 0.003, 0.07, 2};
    (void)state;
    for (size_t k = 0; k < sizeof w / sizeof *w; k++) {
        const double v = w[k];
        runs_near("no breakaway",
                  friction_at("revolute", "law: stribeck, coulomb: 20, breakaway_velocity: 0.1", v),
                  -20 * tanh(v / 0.01), 1e-12);
        runs_near(
            "no Coulomb",
            friction_at("revolute", "law: stribeck, breakaway: 5, breakaway_velocity: 0.1", v),
            -toolbox(5, 0, 0.1, 0, v), 1e-13);
        runs_near("viscous alone", friction_at("revolute", "law: stribeck, viscous: 0.3", v),
                  -0.3 * v, 1e-15);
        runs_near("nothing", friction_at("revolute", "law: stribeck", v), 0, 0);
        runs_near("none", friction_at("revolute", "law: none, coulomb: 20, viscous: 3", v), 0, 0);
    }
}

static void a_normal_force_is_a_load(void **state)
{
    static const double w = 0.03;
    const double unit = toolbox(0.3, 0.2, 0.1, 0, w);
    static const char coefficients[] =
        "law: stribeck, breakaway: 0.3, coulomb: 0.2, breakaway_velocity: 0.1, viscous: 0.4, ";
    (void)state;
    char law[256];
    snprintf(law, sizeof law, "%snormal_force: 100 N, radius: 50 mm", coefficients);
    runs_near("constant", friction_at("revolute", law, w), -(5 * unit + 0.4 * w), 1e-13);
    snprintf(law, sizeof law, "%snormal_force: 100 N", coefficients);
    runs_near("of a slider", friction_at("prismatic", law, w), -(100 * unit + 0.4 * w), 1e-12);
    snprintf(law, sizeof law, "%snormal_force: -100 N, radius: 50 mm", coefficients);
    runs_near("negative", friction_at("revolute", law, w), -0.4 * w, 1e-15);
    snprintf(law, sizeof law, "%snormal_force: 40 - 200*t, radius: 50 mm", coefficients);
    detent_mechanism *m = make("revolute", "", law, w);
    detent_simulation *sim = runs_start(m, NULL);
    for (double t = 0; t < 0.4; t += 0.05) {
        runs_advance(sim, t);
        const double v = runs_velocity(m, sim, "x"), N = fmax(0, 40 - 200 * t);
        runs_near("signal", runs_output(m, sim, "friction(x)"),
                  -(N * 0.05 * toolbox(0.3, 0.2, 0.1, 0, v) + 0.4 * v), 1e-12);
    }
    runs_end(sim, m);
}

/* A load that the joint itself transmits: a block on a plane under its weight. */
static void a_normal_force_may_be_that_of_the_joint(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -10]\nbodies: {a: {mass: 2}}\n"
        "joints: {x: {type: prismatic, axis: [1, 0, 0], base: ground, follower: a, "
        "initial: {velocity: 3}, friction: {law: sign, coulomb: 0.3, normal_force: "
        "normal_force(x)}}}\n"
        "outputs: [position(x), velocity(x), friction(x), friction_work()]\n"
        "simulation: {end: 2, rtol: 1e-9}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[4];
        variant_outputs(sim, v, 0.5, x, 4);
        variant_check(v, "velocity", x[1], 3 - 0.5 * 3, 1e-9);
        variant_check(v, "friction", x[2], -6, 1e-9);
        variant_outputs(sim, v, 2, x, 4);
        variant_check(v, "way to rest", x[0], 1.5, 1e-8);
        variant_check(v, "rest", x[1], 0, 1e-8);
        variant_check(v, "work", x[3], -9, 1e-7);
        runs_end(sim, m);
    }
}

/** d(friction)/dv at velocity w by the linear model, in its output friction(x). */
static double slope_at(const char *law, double w)
{
    detent_mechanism *m = make("revolute", "", law, w);
    detent_simulation *sim = runs_start(m, NULL);
    linear_model *model = NULL;
    detent_error error = {.message = ""};
    runs_must(linear_model_make(sim, NULL, &model, &error), &error);
    assert_true(model->state[1].kind == DETENT_STATE_VELOCITY);
    const double slope = model->C[1]; /* of the first output by the velocity */
    runs_near("acceleration", model->A[model->states + 1], slope / 2, 1e-12 * fabs(slope));
    linear_model_free(model);
    runs_end(sim, m);
    return slope;
}

static void slopes_are_those_of_differences(void **state)
{
    static const char *const laws[] = {
        TOOLBOX, "law: coulomb, coulomb: 20, velocity_band: 0.02, viscous: 0.1",
        "law: hyperviscous, coulomb: 20, velocity_band: 0.02, viscous: 0.1", LOADED};
    static const double w[] = {-0.3, -0.013, 0.004, 0.08, 0.5};
    (void)state;
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        for (size_t k = 0; k < sizeof w / sizeof *w; k++) {
            const double h = 1e-6;
            runs_near(laws[l], slope_at(laws[l], w[k]),
                      (friction_at("revolute", laws[l], w[k] + h) -
                       friction_at("revolute", laws[l], w[k] - h)) /
                          (2 * h),
                      1e-4);
        }
    }
}

/* ---- exact motions of a mass of 2 from velocity 0.05 under a force of 3 ---- */

typedef struct motion {
    const char *law, *force;
    double (*velocity)(double t);
    double tolerance;
} motion;

/* C = 8, band 0.1, f = 0: m v' = 3 - 8 v / 0.1 */
static double in_band(double t)
{
    return 0.0375 + (0.05 - 0.0375) * exp(-40 * t);
}

/* h = 3 within the band: F = 8 u + (1 - u) 3, so m v' = -5 v / 0.1 */
static double of_quinn(double t)
{
    return 0.05 * exp(-25 * t);
}

/* m v' = -8 tanh(v / 0.1) without a force: sinh(v / 0.1) falls as exp(-40 t) */
static double of_tanh(double t)
{
    return 0.1 * asinh(sinh(0.5) * exp(-40 * t));
}

/* m v' = 3 - 8, and at rest it stays */
static double of_sign(double t)
{
    return fmax(0, 0.05 - 2.5 * t);
}

/* the same with a viscous part: m v' = -5 - 4 v, until v = 0 */
static double of_sign_and_viscous(double t)
{
    return fmax(0, -1.25 + 1.3 * exp(-2 * t));
}

static void one_mass_moves_by_formulas(void **state)
{
    static const motion motions[] = {
        {"law: hyperviscous, coulomb: 8, velocity_band: 0.1", ", force: 3", in_band, 1e-9},
        {"law: quinn, coulomb: 8, velocity_band: 0.1", ", force: 3", of_quinn, 1e-9},
        {"law: quinn, coulomb: 8, velocity_band: 0.1, inertia: 2", ", force: 3", of_quinn, 1e-9},
        {"law: quinn, coulomb: 0.08, normal_force: 100 N, velocity_band: 0.1", ", force: 3",
         of_quinn, 1e-9},
        {"law: coulomb, coulomb: 8, velocity_band: 0.1", "", of_tanh, 1e-9},
        {"law: coulomb, coulomb: 8", ", force: 3", of_sign, 1e-8},
        {"law: sign, coulomb: 8", ", force: 3", of_sign, 1e-8},
        {"law: sign, coulomb: 8, viscous: 4", ", force: 3", of_sign_and_viscous, 1e-8},
        {"law: stiction, coulomb: 8, viscous: 4", ", force: 3", of_sign_and_viscous, 1e-9},
    };
    (void)state;
    for (size_t n = 0; n < sizeof motions / sizeof *motions; n++) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = make("prismatic", motions[n].force, motions[n].law, 0.05);
            detent_simulation *sim = variant_start(m, v);
            for (double t = 0.005; t < 0.3; t *= 1.5) {
                double x[5];
                variant_outputs(sim, v, t, x, 5);
                variant_check(v, motions[n].law, x[2], motions[n].velocity(t),
                              motions[n].tolerance);
                variant_check(v, "force", x[3], motions[n].force[0] ? 3 : 0, 1e-9);
            }
            variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-9);
            runs_end(sim, m);
        }
    }
}

/* Whatever the inertia that Quinn's law is told with: at rest it is held up to its friction, and beyond that it is not. */
static void quinn_holds_to_its_friction(void **state)
{
    static const char *const laws[] = {"law: quinn, coulomb: 8, velocity_band: 0.1",
                                       "law: quinn, coulomb: 8, velocity_band: 0.1, inertia: 0.3",
                                       "law: quinn, coulomb: 8, velocity_band: 0.1, inertia: 9"};
    (void)state;
    for (int n = 0; n < 3; n++) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = make("prismatic", ", force: 4*t", laws[n], 0);
            detent_simulation *sim = variant_start(m, v);
            double x[5];
            variant_outputs(sim, v, 1.9, x, 5);
            variant_check(v, "held", x[1], 0, 1e-12);
            variant_check(v, "by friction", x[0], -4 * 1.9, 1e-9);
            variant_outputs(sim, v, 3, x, 5);
            variant_check(v, "friction in motion", x[0], -8, 1e-9);
            variant_check(v, "velocity", x[2], 1, 1e-7); /* (4 t - 8) / 2 from t = 2 on */
            runs_end(sim, m);
        }
    }
}

/* A spring and an armature act along the joint, too, and gravity on what it carries. */
static void quinn_reads_all_that_acts(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -10]\nbodies: {a: {mass: 2}, b: {mass: 1}}\n"
        "joints:\n"
        "  x: {type: prismatic, base: ground, follower: a, force: 12, damping: 1, armature: 0.5, "
        "spring: {stiffness: 100, rest: 0.05}, friction: {law: quinn, coulomb: 20, velocity_band: "
        "0.1}}\n"
        "  y: {type: weld, base: a, follower: b}\n"
        "outputs: [velocity(x), friction(x), force(x)]\nsimulation: {end: 1}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[3];
        variant_outputs(sim, v, 1, x, 3);
        variant_check(v, "rest", x[0], 0, 1e-12);
        variant_check(v, "friction", x[1], 30 - 12 - 5,
                      1e-9); /* holds the weight less what lifts */
        variant_check(v, "force", x[2], 12 + 5, 1e-9);
        runs_end(sim, m);
    }
}

/*
 * A clutch by Quinn's law with a narrow band, which comes to rest at a rate of 10^8 1/s: what is left of its velocity is noise of either sign, and no event. From there on
 * both shafts have their common momentum, 2 w = 2 rad/s kg m^2 + 10 (1 - cos(2 pi t)) / (2 pi). An explicit method would take steps of 10^-8 s.
 */
static void quinn_rests_without_events(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, initial: {velocity: 2}, force: "
        "10*sin(2*pi*t)}\n"
        "  clutch: {type: revolute, base: a, follower: b, initial: {velocity: -2}, friction: "
        "{law: quinn, coulomb: 50, velocity_band: 1e-6}}\n"
        "outputs: [velocity(a), velocity(clutch)]\nsimulation: {end: 2, rtol: 1e-9}\n";
    const double circle = 2 * acos(-1);
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        if (v.integrator == DETENT_INTEGRATOR_ERK) {
            continue;
        }
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        double x[2];
        for (int n = 1; n <= 8; n++) {
            const double t = 0.25 * n;
            variant_outputs(sim, v, t, x, 2);
            variant_check(v, "speed", x[0], 1 + 5 * (1 - cos(circle * t)) / circle, 1e-7);
            variant_check(v, "slip", x[1], 0, 1e-12);
        }
        detent_get_statistics(sim, &statistics);
        if (statistics.events > 100) {
            fail_msg("%s: %zu events", variant_name(v), statistics.events);
        }
        runs_end(sim, m);
    }
}

/* As stiction: breakaway at the static limit, and no jump there. */
static void stiction_breaks_away_at_its_limit(void **state)
{
    static const char law[] = "law: stiction, breakaway: 10, coulomb: 8, breakaway_velocity: 0.1, "
                              "viscous: 2";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = make("prismatic", ", force: 4*t", law, 0);
        detent_simulation *sim = variant_start(m, v);
        double x[5];
        variant_outputs(sim, v, 2.5 - 1e-6, x, 5);
        assert_true(x[1] == 0 && x[2] == 0);
        variant_outputs(sim, v, 2.5 + 1e-4, x, 5);
        assert_true(x[2] > 0);
        variant_check(v, "continuous", x[0], -10, 1e-4);
        variant_outputs(sim, v, 4, x, 5);
        const double decay = x[2] / 0.1;
        variant_check(v, "curve", x[0], -(8 + 2 * exp(-0.5 * decay * decay) + 2 * x[2]), 1e-9);
        runs_end(sim, m);
    }
}

static detent_status read_geared(const char *law, detent_mechanism **m, detent_error *error)
{
    char text[1000];
    const int length = snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "joints:\n"
        "  x: {type: prismatic, base: ground, follower: a, force: 3, initial: {velocity: 1}, "
        "friction: {law: %s, coulomb: 0.2, normal_force: abs(coupling_force(c))}}\n"
        "  y: {type: prismatic, base: ground, follower: b, initial: {velocity: 0.5}}\n"
        "couplings: {c: {type: gear, joints: [x, y], ratio: 2}}\n"
        "outputs: [friction(x), position(x)]\n"
        "simulation: {end: 2, rtol: 1e-10}\n",
        law);
    return detent_mechanism_parse(text, (size_t)length, "geared.yaml", NULL, m, error);
}

/*
 * Laws may follow what a coupling does, as stiction may: of two masses 1, geared 2 : 1, the coupling does 1/4 of the first one's acceleration, and 0.2
 * of that rubs. Without friction nothing does.
 */
static void laws_may_follow_a_coupling(void **state)
{
    static const char *const laws[] = {"none", "stiction", "coulomb", "sign"};
    detent_error error;
    (void)state;
    for (int l = 0; l < 4; l++) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = NULL;
            runs_must(read_geared(laws[l], &m, &error), &error);
            detent_simulation *sim = variant_start(m, v);
            double x[2];
            variant_outputs(sim, v, 1.5, x, 2);
            const double a = 3 / (1.25 + (l > 0 ? 0.05 : 0));
            variant_check(v, "position", x[1], 1.5 + 0.5 * a * 1.5 * 1.5, 1e-9);
            variant_check(v, "friction", x[0], l > 0 ? -0.05 * a : 0, 1e-9);
            runs_end(sim, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stribeck_is_that_of_the_toolbox),
        cmocka_unit_test(zero_coefficients_switch_effects_off),
        cmocka_unit_test(a_normal_force_is_a_load),
        cmocka_unit_test(a_normal_force_may_be_that_of_the_joint),
        cmocka_unit_test(slopes_are_those_of_differences),
        cmocka_unit_test(one_mass_moves_by_formulas),
        cmocka_unit_test(quinn_holds_to_its_friction),
        cmocka_unit_test(quinn_reads_all_that_acts),
        cmocka_unit_test(quinn_rests_without_events),
        cmocka_unit_test(stiction_breaks_away_at_its_limit),
        cmocka_unit_test(laws_may_follow_a_coupling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
