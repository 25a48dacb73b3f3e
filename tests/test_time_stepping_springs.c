/*
 * Friction laws with internal states under time stepping (`integrator: fixed`): however long the step, bristles are never beyond what they slip at; runs
 * converge to those of IDA; a loop takes its area; what friction takes is what energy is missing.
 */
#include "support_order.h"

static detent_simulation *start(const detent_mechanism *m, double step)
{
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = step;
    return runs_start(m, &settings);
}

/* ---- mechanisms ---- */

typedef struct law_case {
    const char *name, *law;
    double most; /* N */
} law_case;

static const law_case laws[] = {
    {"maxwell-slip",
     "law: maxwell-slip, stiffnesses: [4000, 2000, 1000, 500], limits: [1, 1, 1, 1]", 4},
    {"dahl", "law: dahl, coulomb: 4, stiffness: 1e4", 4},
    {"dahl of order two", "law: dahl, coulomb: 4, stiffness: 1e4, exponent: 2", 4},
    {"lugre", "law: lugre, coulomb: 3, breakaway: 4, breakaway_velocity: 0.05, stiffness: 1e4", 4},
    {"stiff maxwell-slip", "law: maxwell-slip, stiffnesses: [1e9, 1e7], limits: [2, 2]", 4},
    {"stiff lugre",
     "law: lugre, coulomb: 3, breakaway: 4, breakaway_velocity: 0.005, stiffness: 1e8", 4},
};
enum { LAWS = sizeof laws / sizeof *laws };

#define READS                                                                                \
    "outputs: [position(x), velocity(x), friction(x), friction_work(), potential_energy(), " \
    "kinetic_energy(), actuation_work()]\n"
enum { PLACE, SPEED, FORCE, WORK, POTENTIAL, KINETIC, ACTUATION, OUTPUTS };

/* A mass that is pushed to and fro, alone; or geared to another one that rubs, too. */
static detent_mechanism *pushed(const char *law, bool geared)
{
    char text[1600];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies: {b: {mass: 1}%s}\n"
             "joints:\n"
             "  x: {type: prismatic, base: ground, follower: b, force: \"6*sin(3*t)\", friction: "
             "{%s}}\n%s" READS,
             geared ? ", a: {mass: 2}" : "", law,
             geared ? "  y: {type: prismatic, base: ground, follower: a, friction: {law: lugre, "
                      "coulomb: 0.3, breakaway: 0.4, breakaway_velocity: 0.05, stiffness: 1e4, "
                      "damping: 30}}\n"
                      "couplings: {rod: {type: gear, joints: [x, y], ratio: 2}}\n"
                    : "");
    return runs_parse(text, NULL);
}

/* Two rods that swing, a chain: each joint's friction acts on the other. */
static detent_mechanism *rods(const char *law)
{
    char text[1600];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, -9.81, 0]\n"
             "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, b: "
             "{mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0.05, 0.05, 0.05]}}\n"
             "joints:\n"
             "  x: {type: revolute, base: ground, follower: a, initial: {position: 0.3}, friction: "
             "{%s}}\n"
             "  y: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}, initial: "
             "{position: 0.1}, friction: {law: maxwell-slip, stiffnesses: [300, 1000], limits: "
             "[0.5, 0.5]}}\n" READS,
             law);
    return runs_parse(text, NULL);
}

/* ---- limits ---- */

static void stays_inside(detent_mechanism *m, const char *what, double most)
{
    static const double steps[] = {2e-2, 1e-3, 1e-4};
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        detent_simulation *sim = start(m, steps[n]);
        detent_error error = {.message = ""};
        double worst = 0;
        for (int k = 0; k < (int)(1.5 / steps[n]); k++) {
            double out[OUTPUTS];
            runs_must(detent_step(sim, &error), &error);
            runs_must(detent_read(sim, DETENT_OUTPUTS, out, OUTPUTS, &error), &error);
            assert_true(isfinite(out[FORCE]));
            worst = fmax(worst, fabs(out[FORCE]));
        }
        assert_true(worst > 0.7 * most); /* it has slipped, at breakaway or in motion */
        runs_near(what, fmax(worst, most), most, 1e-12 * most);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static void friction_is_never_beyond_its_limit(void **state)
{
    (void)state;
    for (int l = 0; l < LAWS; l++) {
        stays_inside(pushed(laws[l].law, false), laws[l].name, laws[l].most);
        stays_inside(rods(laws[l].law), laws[l].name, laws[l].most);
    }
    stays_inside(pushed(laws[0].law, true), "geared", laws[0].most);
}

/* ---- convergence ---- */

static void converges(detent_mechanism *m, const char *what, double longest, double order)
{
    static order_table exact;
    double last;
    const detent_settings fine = runs_settings(m, 1e-10, 0);
    order_fill(m, &fine, 100, 2, &exact);
    const double found = order_of(m, DETENT_INTEGRATOR_FIXED, DETENT_LOCKED_JOINTS_CONSTRAIN,
                                  longest, 5, &exact, 2, &last);
    if (runs_verbose()) {
        printf("%s: order %.2f, last %.2g\n", what, found, last);
    }
    assert_true(found > order);
    detent_mechanism_destroy(m);
}

static void runs_converge_to_those_of_ida(void **state)
{
    (void)state;
    for (int l = 0; l < 4; l++) {
        converges(pushed(laws[l].law, false), laws[l].name, 4e-3, 1.6);
        converges(rods(laws[l].law), laws[l].name, 4e-3, 1.6);
        converges(pushed(laws[l].law, true), "geared", 4e-3, 0.85);
    }
}

/* A mass on a slow spring: it sticks, and slips. */
static void stick_and_slip_converges(void **state)
{
    (void)state;
    converges(
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\njoints:\n"
                   "  x: {type: prismatic, base: ground, follower: b, force: "
                   "\"20*(2*t - position(x))\", friction: {law: lugre, coulomb: 3, breakaway: "
                   "4, breakaway_velocity: 0.01, stiffness: 1e5, damping: 600}}\n" READS,
                   NULL),
        "stick and slip", 2e-3, 1.5);
}

/* ---- hysteresis ---- */

/* What a joint takes that is led to and fro by A, in a round when it has settled. */
static double area(const char *law, double A, double step)
{
    static const double pi = 3.14159265358979323846;
    char text[900];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\njoints:\n"
             "  lead: {type: prismatic, base: ground, follower: a, motion: \"%g*sin(t)\"}\n"
             "  x: {type: prismatic, base: ground, follower: b, friction: {%s}}\n"
             "couplings: {rod: {type: gear, joints: [x, lead], ratio: 1}}\n" READS,
             A, law);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = start(m, step);
    runs_advance(sim, 4.5 * pi);
    const double before = runs_output(m, sim, "friction_work()");
    runs_advance(sim, 6.5 * pi);
    const double took = before - runs_output(m, sim, "friction_work()");
    runs_end(sim, m);
    return took;
}

static void loops_take_their_areas(void **state)
{
    static const double A = 0.003, C = 2, k = 1000;
    const double dahl = 4 * C * (A - C * tanh(k * A / C) / k);
    /* springs that slip: 4 W (A - W/k) each; the last one does not */
    const double slip = 4 * 1 * (A - 1 / 1000.) + 4 * 0.5 * (A - 0.5 / 2000);
    (void)state;
    for (double step = 4e-3; step > 1e-3; step /= 2) {
        runs_near("dahl", area("law: dahl, coulomb: 2, stiffness: 1000", A, step), dahl,
                  0.5 * step * dahl);
        runs_near(
            "maxwell-slip",
            area("law: maxwell-slip, stiffnesses: [1000, 2000, 10], limits: [1, 0.5, 1]", A, step),
            slip, 0.5 * step * slip);
    }
}

/* ---- energy ---- */

static double gap(detent_mechanism *m, double step)
{
    detent_simulation *sim = start(m, step);
    runs_advance(sim, 3);
    const double left = fabs(runs_energy_gap(sim));
    assert_true(runs_output(m, sim, "friction_work()") < -1);
    runs_end(sim, m);
    return left;
}

/* What acts along one mass is balanced exactly; else to the order of the step. */
static void works_close_the_balance(void **state)
{
    static const char loaded[] =
        "law: lugre, coulomb: 0.3, breakaway: 0.4, breakaway_velocity: 0.05, stiffness: 1e3, "
        "normal_force: \"10 - 5*sin(2*t)\"";
    static const char *const others[] = {
        "law: stribeck, coulomb: 3, breakaway: 4, breakaway_velocity: 0.05",
        "law: coulomb, coulomb: 3, velocity_band: 0.01",
        loaded,
    };
    (void)state;
    for (int l = 0; l < 3; l++) {
        runs_near(laws[l].name, gap(pushed(laws[l].law, false), 1e-3), 0, 1e-11);
    }
    for (int l = 0; l < LAWS; l++) {
        runs_near(laws[l].name, gap(rods(laws[l].law), 1e-3), 0, 0.05);
        runs_near(laws[l].name, gap(rods(laws[l].law), 1e-4), 0, 0.005);
    }
    for (size_t l = 0; l < sizeof others / sizeof *others; l++) {
        runs_near(others[l], gap(pushed(others[l], false), 1e-3), 0, 2e-3);
        runs_near(others[l], gap(pushed(others[l], false), 1e-4), 0, 2e-4);
    }
    runs_near("geared", gap(pushed(laws[0].law, true), 1e-3), 0, 1e-2);
    runs_near("geared", gap(pushed(laws[0].law, true), 1e-4), 0, 1e-3);
}

/* ---- bits ---- */

/* Who looks at a run, or saves it and goes on in another simulation, changes nothing. */
static void goes_on_alike(detent_mechanism *m)
{
    detent_error error = {.message = ""};
    detent_simulation *sim[2] = {start(m, 1e-3), start(m, 1e-3)};
    size_t count = 0;
    for (int n = 0; n < 1000; n++) {
        double out[OUTPUTS];
        runs_must(detent_step(sim[0], &error), &error);
        runs_must(detent_step(sim[1], &error), &error);
        runs_must(detent_read(sim[1], DETENT_OUTPUTS, out, OUTPUTS, &error), &error);
        if (n % 100 == 37) {
            const size_t size = detent_state_size(sim[1]);
            char *bytes = malloc(size);
            runs_must(detent_save_state(sim[1], bytes, size, &error), &error);
            detent_simulation_destroy(sim[1]);
            sim[1] = start(m, 1e-3);
            runs_must(detent_restore_state(sim[1], bytes, size, &error), &error);
            free(bytes);
        }
        double *a = runs_state(m, sim[0], &count), *b = runs_state(m, sim[1], &count);
        assert_memory_equal(a, b, count * sizeof *a);
        free(a);
        free(b);
    }
    detent_simulation_destroy(sim[1]);
    runs_end(sim[0], m);
}

static void saved_runs_go_on_alike(void **state)
{
    (void)state;
    for (int l = 0; l < LAWS; l++) {
        goes_on_alike(pushed(laws[l].law, false));
        goes_on_alike(rods(laws[l].law));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_is_never_beyond_its_limit),
        cmocka_unit_test(runs_converge_to_those_of_ida),
        cmocka_unit_test(stick_and_slip_converges),
        cmocka_unit_test(loops_take_their_areas),
        cmocka_unit_test(works_close_the_balance),
        cmocka_unit_test(saved_runs_go_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
