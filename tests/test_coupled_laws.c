/*
 * Laws that read what they determine: accelerations, reactions, their own joint's friction. Solved,
 * whatever their gain; where friction fades nothing is left to solve.
 */
#include "support_runs.h"
#include "support_variants.h"

/** A block that sticks under a changing force; `mass` and `external` as texts. */
static detent_mechanism *pushed_block(const char *mass, const char *external)
{
    char text[700];
    snprintf(text, sizeof text,
             "detent: 1\n"
             "gravity: [0, 0, 0]\n"
             "bodies: {block: {mass: %s}}\n"
             "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
             "stiction:\n"
             "  slide: {velocity_threshold: 1e-4, kinetic: 1, static: 1.5, external: \"%s\"}\n"
             "simulation: {end: 10, rtol: 1e-9, atol: 1e-11}\n",
             mass, external);
    return runs_parse(text, NULL);
}

typedef struct outcome {
    runs_log log;
    double position;
    detent_statistics statistics;
} outcome;

static outcome run(detent_mechanism *m, variant v)
{
    outcome out = {.log = {0}};
    detent_simulation *s = variant_start(m, v);
    runs_record(s, 10, &out.log);
    out.position = runs_position(m, s, "slide");
    out.statistics.size = sizeof out.statistics;
    detent_get_statistics(s, &out.statistics);
    detent_simulation_destroy(s);
    return out;
}

/** A reflected inertia as an actuation is a mass, up to a hundred times that of the block. */
static void inertia_as_actuation(void **state)
{
    static const double J[] = {0.5, 0.99, 1, 4, 8, 100};
    UNUSED(state);
    for (size_t n = 0; n < sizeof J / sizeof *J; n++) {
        char mass[40], external[80];
        snprintf(mass, sizeof mass, "%g", 1 + J[n]);
        snprintf(external, sizeof external, "4*sin(2*t) - %g*acceleration(slide)", J[n]);
        detent_mechanism *law = pushed_block("1", external),
                         *body = pushed_block(mass, "4*sin(2*t)");
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            outcome a = run(law, variant_at(k)), b = run(body, variant_at(k));
            assert_int_equal(a.log.count, b.log.count);
            for (size_t c = 0; c < a.log.count; c++) {
                assert_int_equal(a.log.change[c].to, b.log.change[c].to);
                runs_near("time", a.log.change[c].time, b.log.change[c].time, 1e-7);
            }
            runs_near("position", a.position, b.position, 1e-7);
            assert_true(a.statistics.search_solves <= 3 * b.statistics.search_solves);
            runs_log_free(&a.log);
            runs_log_free(&b.log);
        }
        detent_mechanism_destroy(law);
        detent_mechanism_destroy(body);
    }
}

/** Runs a mechanism in every variant and compares outputs at the end. */
static void expect(const char *text, double end, size_t count, const char *const output[],
                   const double value[], double tolerance)
{
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *s = variant_start(m, variant_at(k));
        variant_advance(s, variant_at(k), end);
        for (size_t n = 0; n < count; n++) {
            runs_near(output[n], runs_output(m, s, output[n]), value[n], tolerance);
        }
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/**
 * A load that reads the reaction that it makes: F = 3 - 2 F is 1, and no sweep finds it; along the
 * slide half of the norm of the reaction, which is 1 as well.
 */
static void load_on_its_own_reaction(void **state)
{
    static const char *const output[] = {"acceleration(slide)", "reaction_force(slide)"};
    static const double value[] = {0.25, 1};
    UNUSED(state);
    expect("detent: 1\n"
           "gravity: [0, 0, 0]\n"
           "bodies: {block: {mass: 2}}\n"
           "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
           "loads:\n"
           "  push: {body: block, force: [0.5*reaction_force(slide),\n"
           "                              \"3 + 2*reaction_force(slide, y)\", 0]}\n"
           "outputs: [acceleration(slide), reaction_force(slide)]\n"
           "simulation: {end: 1}\n",
           1, 2, output, value, 1e-12);
}

/** Loads on two bodies that read each other's reactions; 1 N and -1 N. */
static void loads_on_each_other(void **state)
{
    static const char *const output[] = {"reaction_force(a, y)", "reaction_force(b, y)"};
    static const double value[] = {-1, 1};
    UNUSED(state);
    expect("detent: 1\n"
           "gravity: [0, 0, 0]\n"
           "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
           "joints:\n"
           "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
           "  b: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}\n"
           "loads:\n"
           "  a: {body: a, force: [0, \"2 - reaction_force(b, y)\", 0]}\n"
           "  b: {body: b, force: [0, \"1 + 2*reaction_force(a, y)\", 0]}\n"
           "outputs: [\"reaction_force(a, y)\", \"reaction_force(b, y)\"]\n"
           "simulation: {end: 1}\n",
           1, 2, output, value, 1e-12);
}

/**
 * Two pendulums that hang at rest, gravity turned by an angle: the reactions across them cancel, and the load that
 * reads them is the rounding of 13 N and 1300 N; neither moves.
 */
static void load_of_reactions_that_cancel(void **state)
{
    UNUSED(state);
    for (int k = 0; k < 60; k++) {
        const double angle = -3 + 0.1 * k;
        char text[2048];
        snprintf(text, sizeof text,
                 "detent: 1\n"
                 "gravity: [%.17g, %.17g, 0]\n"
                 "bodies:\n"
                 "  a: {mass: 1.3, inertia: [0.01, 0.01, 0.01]}\n"
                 "  b: {mass: 130, inertia: [0.01, 0.01, 0.01]}\n"
                 "joints:\n"
                 "  j: {type: revolute, base: ground, follower: a, axis: [0, 0, 1],\n"
                 "      at: {follower: [0, 0.5, 0]}, initial: {position: %.17g}}\n"
                 "  k: {type: revolute, base: ground, follower: b, axis: [0, 0, 1],\n"
                 "      at: {base: [1, 0, 0], follower: [0, 0.5, 0]}, initial: {position: %.17g}}\n"
                 "loads:\n"
                 "  l: {body: a, frame: body,\n"
                 "      force: [\"-0.4*reaction_force(j, x) - 0.2*reaction_force(k, x)\", 0, 0]}\n"
                 "outputs: [position(j)]\n"
                 "simulation: {end: 0.1}\n",
                 9.81 * sin(angle), -9.81 * cos(angle), angle, angle);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *s = runs_start(m, NULL);
        runs_advance(s, 0.1);
        runs_near("position", runs_output(m, s, "position(j)"), angle, 1e-12);
        detent_simulation_destroy(s);
        detent_mechanism_destroy(m);
    }
}

/** The derivative of such a load is exact: one evaluation a step. */
static void newton_knows_its_slope(void **state)
{
    UNUSED(state);
    detent_mechanism *m =
        runs_parse("detent: 1\n"
                   "gravity: [0, 0, 0]\n"
                   "bodies: {b: {mass: 1}}\n"
                   "joints:\n"
                   "  j: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0],\n"
                   "      initial: {velocity: 1}, spring: {stiffness: 50}}\n"
                   "loads: {l: {body: b, force: [0.04*reaction_force(j), 3, 0]}}\n"
                   "simulation: {end: 2}\n",
                   NULL);
    static const detent_linear_solver solvers[] = {DETENT_LINEAR_SOLVER_TREE,
                                                   DETENT_LINEAR_SOLVER_DENSE};
    for (int k = 0; k < 2; k++) {
        detent_settings settings = DETENT_INIT(detent_settings);
        detent_mechanism_get_settings(m, &settings);
        settings.linear_solver = solvers[k];
        detent_simulation *s = runs_start(m, &settings);
        runs_advance(s, 2);
        assert_true(runs_residuals_per_step(s) < 1.2);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/** An outcome that nobody asks the words of. */
static void no_state_and_nobody_to_tell(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse("detent: 1\n"
                                     "gravity: [0, -9.81, 0]\n"
                                     "bodies: {b: {mass: 1}}\n"
                                     "joints: {a: {type: prismatic, base: ground, follower: b,\n"
                                     "             axis: [1, 0, 0]}}\n"
                                     "stiction: {a: {kinetic: 0.9*normal_force(a),\n"
                                     "               static: 0.5*normal_force(a),\n"
                                     "               external: 5*t}}\n"
                                     "simulation: {end: 5}\n",
                                     NULL);
    detent_simulation *s = runs_start(m, NULL);
    assert_int_equal(detent_advance(s, 5, false, NULL), DETENT_NO_CONSISTENT_STATE);
    assert_true(fabs(detent_time(s) - 0.981) < 1e-6);
    runs_end(s, m);
}

/* ---- friction that fades ---- */

/** A driven shaft drags a second one by a slipping clutch; the third hangs on an open one. */
static void open_clutch(void **state)
{
    static const char *const output[] = {"velocity(a)", "w_b", "w_c"};
    static const double value[] = {99.7, 0.3, 0};
    UNUSED(state);
    expect("detent: 1\n"
           "gravity: [0, 0, 0]\n"
           "bodies:\n"
           "  A: {mass: 1, inertia: [1, 1, 1]}\n"
           "  B: {mass: 1, inertia: [1, 1, 1]}\n"
           "  C: {mass: 1, inertia: [1, 1, 1]}\n"
           "joints:\n"
           "  a: {type: revolute, base: ground, follower: A, force: 100}\n"
           "  b: {type: revolute, base: A, follower: B}\n"
           "  c: {type: revolute, base: B, follower: C}\n"
           "stiction:\n"
           "  b: {velocity_threshold: 1e-4, kinetic: 0.3, static: 0.3}\n"
           "  c: {velocity_threshold: 1e-4, kinetic: 0, static: 0}\n"
           "signals:\n"
           "  w_b: velocity(a) + velocity(b)\n"
           "  w_c: velocity(a) + velocity(b) + velocity(c)\n"
           "outputs: [velocity(a), w_b, w_c]\n"
           "simulation: {end: 1}\n",
           1, 3, output, value, 1e-9);
}

/** The same between blocks, with a friction of 1 nN. */
static void faint_friction(void **state)
{
    static const char *const output[] = {"velocity(a)", "x"};
    static const double value[] = {1, 0.5e-9};
    UNUSED(state);
    expect("detent: 1\n"
           "gravity: [0, 0, 0]\n"
           "bodies: {A: {mass: 1}, B: {mass: 1}}\n"
           "joints:\n"
           "  a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0], force: 1}\n"
           "  b: {type: prismatic, base: A, follower: B, axis: [1, 0, 0]}\n"
           "stiction: {b: {velocity_threshold: 1e-4, kinetic: 1e-9, static: 1e-9}}\n"
           "signals: {x: position(a) + position(b)}\n"
           "outputs: [velocity(a), x]\n"
           "simulation: {end: 1}\n",
           1, 2, output, value, 1e-8);
}

/** Friction that fades to zero at 1 s and stays there; a step sees beyond on the old branch. */
static void friction_that_fades(void **state)
{
    static const char *const output[] = {"velocity(a)"};
    static const double value[] = {9.5};
    UNUSED(state);
    expect("detent: 1\n"
           "gravity: [0, 0, 0]\n"
           "bodies: {A: {mass: 1}}\n"
           "joints:\n"
           "  a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0],\n"
           "      initial: {velocity: 10}}\n"
           "stiction:\n"
           "  a: {velocity_threshold: 1e-4, kinetic: \"max(0, 1 - 1*t)\", static: \"max(0, 1 - "
           "1*t)\"}\n"
           "outputs: [velocity(a)]\n"
           "simulation: {end: 2}\n",
           2, 1, output, value, 1e-7);
}

/** Two rails that carry nothing, one with constant friction beside: 0 N is a load like any other. */
static void rails_without_load(void **state)
{
    static const char *const output[] = {"velocity(a)", "velocity(b)", "position(c)"};
    static const double value[] = {0, 0, 2};
    UNUSED(state);
    expect("detent: 1\n"
           "gravity: [0, 0, 0]\n"
           "bodies: {A: {mass: 1}, B: {mass: 1}, C: {mass: 0.196}}\n"
           "joints:\n"
           "  a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0],\n"
           "      initial: {velocity: 1}}\n"
           "  b: {type: prismatic, base: ground, follower: B, axis: [1, 0, 0]}\n"
           "  c: {type: prismatic, base: ground, follower: C, axis: [-0.928, -0.638, -0.478],\n"
           "      initial: {velocity: 1}}\n"
           "stiction:\n"
           "  a: {velocity_threshold: 1e-5, kinetic: 6.797, static: 6.797}\n"
           "  b: {velocity_threshold: 1e-5, kinetic: 0.15*normal_force(b),\n"
           "      static: 0.15*normal_force(b)}\n"
           "  c: {velocity_threshold: 1e-5, kinetic: 0.1*normal_force(c),\n"
           "      static: 0.1*normal_force(c)}\n"
           "outputs: [velocity(a), velocity(b), position(c)]\n"
           "simulation: {end: 2}\n",
           2, 3, output, value, 1e-9);
}

/* ---- a test friction of its own ---- */

/** It leaves its range at 0.909 s; kinetic friction holds the block until 1 s. */
static void held_beyond_its_own_test(void **state)
{
    UNUSED(state);
    detent_mechanism *m =
        runs_parse("detent: 1\n"
                   "gravity: [0, 0, 0]\n"
                   "bodies: {b: {mass: 1}}\n"
                   "joints: {j: {type: prismatic, base: ground, follower: b}}\n"
                   "stiction:\n"
                   "  j: {velocity_threshold: 1e-3, kinetic: 1, static: 1, test: 1.1*friction(j),\n"
                   "      external: \"t*1 [N/s]\"}\n"
                   "simulation: {end: 2}\n",
                   NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *s = variant_start(m, variant_at(k));
        runs_log log = {0};
        runs_record(s, 2, &log);
        runs_near("release", runs_time_of(&log, 0, DETENT_WAIT, 0), 1, 1e-9);
        assert_int_equal(runs_count_turns(&log), 2); /* the first search, and the release */
        runs_near("position", runs_position(m, s, "j"), 1.0 / 6, 1e-7);
        runs_log_free(&log);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/** A static limit below the kinetic friction by rounding counts as equal; by more it is named. */
static void static_below_kinetic(void **state)
{
    UNUSED(state);
    for (int far = 0; far < 2; far++) {
        const char *const set[] = {far ? "low=1e-3" : "low=1e-12", NULL};
        detent_error error;
        detent_mechanism *m = runs_parse(
            "detent: 1\n"
            "gravity: [0, 0, 0]\n"
            "parameters: {low: 0}\n"
            "bodies: {A: {mass: 1}}\n"
            "joints: {a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0]}}\n"
            "stiction:\n"
            "  a: {velocity_threshold: 1e-4, external: 1*t, kinetic: 2.25, static: 2.25*(1 - "
            "low)}\n"
            "simulation: {end: 5}\n",
            set);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            detent_simulation *s = variant_start(m, variant_at(k));
            const detent_status status = detent_advance(s, 5, false, &error);
            assert_int_equal(status, far ? DETENT_NO_CONSISTENT_STATE : DETENT_OK);
            if (far) {
                assert_non_null(strstr(error.message, "is below the kinetic friction 2.25"));
            } else {
                runs_near("velocity", runs_velocity(m, s, "a"), 0.5 * 2.75 * 2.75, 1e-6);
            }
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia_as_actuation),
        cmocka_unit_test(load_on_its_own_reaction),
        cmocka_unit_test(loads_on_each_other),
        cmocka_unit_test(load_of_reactions_that_cancel),
        cmocka_unit_test(newton_knows_its_slope),
        cmocka_unit_test(no_state_and_nobody_to_tell),
        cmocka_unit_test(open_clutch),
        cmocka_unit_test(faint_friction),
        cmocka_unit_test(friction_that_fades),
        cmocka_unit_test(rails_without_load),
        cmocka_unit_test(held_beyond_its_own_test),
        cmocka_unit_test(static_below_kinetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
