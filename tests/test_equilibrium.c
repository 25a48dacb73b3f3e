/*
 * Positions of rest: exact ones, of trees, loops and states; stability.
 */
#include "analysis/equilibrium.h"
#include "detent/analysis.h"
#include "support_runs.h"
#include "support_trees.h"

enum { MOST = 64 };

/* Rest from the initial positions; q has room for MOST. */
static detent_rest rest_of(const detent_mechanism *m, bool stiction, double *q)
{
    detent_error error;
    detent_rest rest = DETENT_INIT(detent_rest);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_analysis *analysis = runs_analyse(m);
    const detent_equilibrium_options options = {.size = sizeof options, .stiction = stiction};
    detent_mechanism_get_info(m, &info);
    assert_true(info.coordinates <= MOST);
    runs_must(detent_equilibrium(analysis, &options, &rest, &error), &error);
    runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
    assert_true(rest.residual <= 100 * rest.rounding);
    detent_analysis_destroy(analysis);
    return rest;
}

static double coordinate(const detent_mechanism *m, const double *q, const char *name)
{
    detent_error error;
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p), &error);
    return q[p.first_coordinate];
}

/* ---- trees ---- */

/* From almost upright it goes down, by whichever side is nearer; from exactly upright it stays, and is unstable. */
static void test_pendulum(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "parameters: {start: 0}\n"
        "bodies: {rod: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1], damping: "
        "0.2,\n"
        "  force: 1.5, initial: {position: start}}}\n"
        "simulation: {end: 1}\n";
    const double torque = 1.5, level = 2 * 9.81 * 0.5, hangs = asin(torque / level);
    double q[MOST];
    (void)state;
    static const char *const starts[] = {"start=0", "start=2.9", "start=-2.9", "start=1.57",
                                         "start=-9"};
    for (int k = 0; k < 5; k++) {
        detent_mechanism *m = runs_parse(text, (const char *const[]){starts[k], NULL});
        const detent_rest rest = rest_of(m, false, q);
        const double pi = acos(-1);
        runs_near(starts[k], remainder(q[0] - hangs, 2 * pi), 0, 4e-14);
        assert_int_equal(rest.stability, DETENT_STABLE);
        /* I s^2 + c s + m g l cos: a pair */
        const double I = 0.1 + 2 * 0.25, stiffness = level * cos(hangs);
        runs_near("growth", rest.growth, -0.2 / (2 * I), 1e-12);
        runs_near("frequency", rest.frequency, sqrt(stiffness / I), 1e-12);
        detent_mechanism_destroy(m);
    }
    detent_error error;
    detent_rest rest = DETENT_INIT(detent_rest);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    q[0] = acos(-1) - hangs;
    runs_must(detent_analysis_set_state(analysis, 0, q, NULL, NULL, &error), &error);
    runs_must(detent_equilibrium(analysis, NULL, &rest, &error), &error);
    assert_int_equal(rest.stability, DETENT_UNSTABLE);
    assert_true(rest.growth > 3);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/*
 * A way that has led some joints to rest and left others where they are unstable goes on: down, where that leads anywhere. Two plates
 * are unstable at once: of one alone the sign of the determinant tells, and the way does not end there.
 */
static void test_ways_on(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -10, 0]\n"
        "parameters: {start: 1, place: 0, slope: 0 N/m, bend: 0 N/m^3, loss: 0 N*s/m}\n"
        "bodies: {rod: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}, left: "
        "{mass: 1}, right: {mass: 1}}\n"
        "joints:\n"
        "  pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1], damping: 0.2, "
        "initial: {position: start}}\n"
        "  left: {type: prismatic, base: ground, follower: left, axis: [1, 0, 0], initial: "
        "{position: place},\n"
        "    force: (slope + bend*(position(left)^2 + position(right)^2))*position(left) - "
        "loss*velocity(left)}\n"
        "  right: {type: prismatic, base: ground, follower: right, axis: [1, 0, 0], initial: "
        "{position: place},\n"
        "    force: (slope + bend*(position(left)^2 + position(right)^2))*position(right) - "
        "loss*velocity(right)}\n"
        "states: {pace: {derivative: \"position(left)/1 [m*s] - pace/1 [s]\", initial: 0, nominal: "
        "1}}\n"
        "simulation: {end: 1}\n";
    static const struct {
        const char *set[4];
        detent_stability stability;
        double far, growth; /* of the plates; NAN: not by them */
    } cases[] = {
        /* upside down, while the plates come to rest: it falls */
        {{"start=pi", "place=0.5", "slope=-4", "loss=1"}, DETENT_STABLE, 0, NAN},
        /* on top of a hill in a round valley, in which any place is as good */
        {{"slope=1", "bend=-1", "loss=1"}, DETENT_INDIFFERENT, 1, NAN},
        /* on top of a hill without an end: there is nowhere to go to */
        {{"slope=4"}, DETENT_UNSTABLE, 0, 2},
        /* what grows by oscillating gives no direction */
        {{"slope=-4", "loss=-1"}, DETENT_UNSTABLE, 0, 0.5},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *set[5] = {NULL};
        double q[MOST];
        memcpy(set, cases[k].set, sizeof cases[k].set);
        detent_mechanism *m = runs_parse(text, set);
        const detent_rest rest = rest_of(m, false, q);
        assert_int_equal(rest.stability, cases[k].stability);
        runs_near("angle", remainder(coordinate(m, q, "pin"), 2 * acos(-1)), 0, 1e-12);
        runs_near("far", hypot(coordinate(m, q, "left"), coordinate(m, q, "right")), cases[k].far,
                  1e-12);
        if (!isnan(cases[k].growth)) {
            runs_near("growth", rest.growth, cases[k].growth, 1e-12);
        }
        detent_mechanism_destroy(m);
    }
}

/* A ball joint, masses in its way: the centre of mass ends below the point that carries it. */
static void test_spherical(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [3, -4, 0]\n"
        "bodies: {top: {mass: 2, center_of_mass: [0.1, 0.2, 0.3], inertia: [0.1, 0.2, 0.15]}}\n"
        "joints: {ball: {type: spherical, base: ground, follower: top}}\n"
        "outputs: ['position(top, x)']\n"
        "simulation: {end: 1}\n";
    double q[MOST];
    (void)state;
    detent_mechanism *m = runs_parse(text, NULL);
    const detent_rest rest = rest_of(m, false, q);
    const double c[3] = {0.1, 0.2, 0.3}, *u = q + 1;
    double t[3], at[3];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        t[k] = 2 * (u[i] * c[j] - u[j] * c[i]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        at[k] = c[k] + q[0] * t[k] + u[i] * t[j] - u[j] * t[i];
    }
    const double length = sqrt(0.14);
    runs_near("x", at[0], 0.6 * length, 1e-14);
    runs_near("y", at[1], -0.8 * length, 1e-14);
    runs_near("z", at[2], 0, 1e-14);
    assert_int_equal(rest.stability, DETENT_INDIFFERENT); /* it turns about the line */
    detent_mechanism_destroy(m);
}

/* A stiff chain of links that hangs, from straight and horizontal: a rope of rods. */
static void test_hanging_chain(void **state)
{
    double q[MOST];
    (void)state;
    detent_mechanism *m = runs_load("hanging_chain.yaml", NULL);
    const detent_rest rest = rest_of(m, false, q);
    runs_near("root", q[0], -acos(0), 1e-13);
    for (int k = 1; k < 10; k++) {
        runs_near("hinge", q[k], 0, 1e-13);
    }
    assert_int_equal(rest.stability, DETENT_STABLE);
    assert_true(rest.iterations < 60);
    detent_mechanism_destroy(m);
}

/* Random trees in three dimensions, with springs, struts, balls: from anywhere to a position that is not unstable. */
static void test_random_trees(void **state)
{
    (void)state;
    size_t most = 0, sum = 0;
    int unstable = 0, count = 0;
    for (int seed = 1; seed <= 300; seed++) {
        support_random random = {.state = (uint64_t)seed};
        support_tree_def def = support_default_tree(2 + seed % 15);
        def.spherical = 0.2;
        def.weld = 0.1;
        def.spring = 30;
        def.force = 0; /* which would turn a joint for ever */
        def.damper = 1;
        def.armature = 0.3;
        def.prismatic = 0; /* one without a spring falls for ever */
        detent_mechanism *m = support_random_tree(&def, &random);
        dt_load *places = dt_arena_alloc(&m->arena, 4, sizeof *places);
        support_add_struts(m, &random, 2, places);
        m->loads = places;
        dt_arena arena;
        dt_analysis analysis = {0};
        detent_error error;
        detent_rest rest = DETENT_INIT(detent_rest);
        double q[MOST];
        const detent_equilibrium_options options = DETENT_INIT(detent_equilibrium_options);
        dt_arena_init(&arena, NULL);
        runs_must(dt_analysis_create(&arena, m, &analysis, &error), &error);
        assert_true(m->tree.nq <= MOST);
        support_random_pose(&m->tree, &random, q);
        runs_must(dt_analysis_set_state(&analysis, 0, q, NULL, NULL, &error), &error);
        const detent_status status = dt_equilibrium(&arena, &analysis, &options, &rest, &error);
        if (status) {
            fail_msg("seed %d: %s", seed, error.message);
        }
        most = rest.iterations > most ? rest.iterations : most;
        sum += rest.iterations;
        unstable += rest.stability == DETENT_UNSTABLE;
        count++;
        dt_arena_free(&arena);
        support_free(m);
    }
    print_message("random trees: %zu iterations at most, %g on average, %d unstable\n", most,
                  (double)sum / count, unstable);
    assert_int_equal(unstable, 0);
}

/* ---- loops ---- */

static const char four_bar[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  coupler: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  rocker: {mass: 1.5, center_of_mass: [0.25, 0, 0], inertia: [0.05, 0.05, 0.05]}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1}}\n"
    "  b: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, initial: "
    "{position: -0.8}}\n"
    "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, spring: "
    "{stiffness: 2, rest: 1.2}, initial: {position: 1.6}}\n"
    "  c: {type: revolute, base: rocker, follower: coupler, closes: true,\n"
    "      at: {base: [0.5, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -1.4}}\n"
    "simulation: {end: 1}\n";

/* m g y of the bodies and the spring's energy, of a closed four-bar at these positions. */
static double potential(const detent_mechanism *m, const double *q)
{
    const double a = coordinate(m, q, "a"), b = coordinate(m, q, "b"), d = coordinate(m, q, "d");
    const double y = 0.15 * sin(a) + 2 * (0.3 * sin(a) + 0.4 * sin(a + b)) + 1.5 * 0.25 * sin(d);
    return 9.81 * y + (d - 1.2) * (d - 1.2);
}

/* Its potential energy is least there: by differences along the closed positions. */
static void test_four_bar(void **state)
{
    double q[MOST], here, side[2];
    detent_error error;
    (void)state;
    detent_mechanism *m = runs_parse(four_bar, NULL);
    const detent_rest rest = rest_of(m, false, q);
    assert_int_equal(rest.stability, DETENT_STABLE);
    detent_analysis *analysis = runs_analyse(m);
    bool given[4] = {false};
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, "a"), &p), &error);
    given[p.first_freedom] = true;
    here = potential(m, q);
    const double h = 1e-4;
    for (int k = 0; k < 2; k++) {
        double moved[MOST];
        memcpy(moved, q, sizeof moved);
        moved[p.first_coordinate] += k ? h : -h;
        runs_must(detent_analysis_set_state(analysis, 0, q, NULL, NULL, &error), &error);
        runs_must(detent_analysis_set_state(analysis, 0, moved, NULL, given, &error), &error);
        runs_must(detent_analysis_get_state(analysis, NULL, moved, NULL, &error), &error);
        side[k] = potential(m, moved);
    }
    runs_near("slope", (side[1] - side[0]) / (2 * h), 0, 1e-6);
    assert_true(side[0] > here && side[1] > here);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* Stiff springs, loops in three dimensions: what was found rests, as far as rounding tells. */
static void test_stiff(void **state)
{
    static const char *const files[] = {"stewart_platform.yaml", "flyball_governor.yaml",
                                        "burridge_knopoff.yaml"};
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        detent_error error;
        detent_rest rest = DETENT_INIT(detent_rest);
        bool holds = false;
        detent_mechanism *m = runs_load(files[k], NULL);
        detent_analysis *analysis = runs_analyse(m);
        runs_must(detent_equilibrium(analysis, NULL, &rest, &error), &error);
        runs_must(detent_hold(analysis, &holds, NULL, NULL, &error), &error);
        assert_true(holds);
        assert_true(rest.iterations < 200);
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

/* ---- states ---- */

/* A mass held by a controller that integrates its error: at rest there is none, and the integral carries the weight. */
static void test_controller(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, -10]\n"
        "inputs: {goal: 0.25}\n"
        "bodies: {mass: {mass: 3}}\n"
        "joints: {lift: {type: prismatic, base: ground, follower: mass, axis: [0, 0, 1], damping: "
        "30,\n"
        "  force: 100*(goal - position(lift)) + integral, initial: {position: 2}}}\n"
        "states: {integral: {derivative: 40*(goal - position(lift)), initial: 0 N}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_error error;
    detent_rest rest = DETENT_INIT(detent_rest);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    double q, z;
    runs_must(detent_equilibrium(analysis, NULL, &rest, &error), &error);
    runs_must(detent_analysis_get_state(analysis, NULL, &q, NULL, &error), &error);
    runs_must(detent_analysis_get_states(analysis, &z, &error), &error);
    runs_near("position", q, 0.25, 1e-13);
    runs_near("integral", z, 30, 1e-11);
    assert_int_equal(rest.stability, DETENT_STABLE);
    /* what is held counts with states as they are */
    bool holds = true;
    z = 29;
    runs_must(detent_analysis_set_states(analysis, &z, &error), &error);
    runs_must(detent_hold(analysis, &holds, NULL, NULL, &error), &error);
    assert_false(holds);
    z = NAN;
    assert_int_equal(detent_analysis_set_states(analysis, &z, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the state 'integral' is not finite"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* ---- stiction ---- */

/* Two links: friction holds the elbow where it is, and lets the shoulder go. */
static void test_held(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  upper: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "  lower: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "joints:\n"
        "  shoulder: {type: revolute, base: ground, follower: upper, axis: [0, 0, 1], initial: "
        "{position: 1}}\n"
        "  elbow: {type: revolute, base: upper, follower: lower, axis: [0, 0, 1], at: {base: [0, "
        "-1, "
        "0]}, initial: {position: 0.4}}\n"
        "stiction:\n"
        "  shoulder: {kinetic: 1, static: 2}\n"
        "  elbow: {kinetic: 0.8, static: elbow_limit}\n"
        "parameters: {elbow_limit: 6}\n"
        "simulation: {end: 1}\n";
    (void)state;
    double q[MOST], friction[2], margin[2];
    detent_error error;
    bool holds;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_rest rest = rest_of(m, true, q);
    assert_true(rest.held == 1 && q[1] == 0.4);
    /* 1.5 sin(s) + 0.5 sin(s + 0.4) = 0 */
    runs_near("shoulder", tan(q[0]), -0.5 * sin(0.4) / (1.5 + 0.5 * cos(0.4)), 1e-13);
    detent_analysis *analysis = runs_analyse(m);
    runs_must(detent_analysis_set_state(analysis, 0, q, NULL, NULL, &error), &error);
    runs_must(detent_hold(analysis, &holds, friction, margin, &error), &error);
    assert_true(holds);
    runs_near("shoulder friction", friction[0], 0, 1e-12);
    runs_near("elbow friction", friction[1], 0.5 * 9.81 * sin(q[0] + 0.4), 1e-12);
    runs_near("margin", margin[1], 6 - fabs(friction[1]), 1e-12);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    /* a weaker elbow gives way, at the start or on the way: all hangs */
    m = runs_parse(text, (const char *const[]){"elbow_limit=1.2", NULL});
    rest = rest_of(m, true, q);
    assert_int_equal(rest.held, 0);
    runs_near("elbow", q[1], 0, 1e-13);
    rest = rest_of(m, false, q);
    assert_int_equal(rest.held, 0);
    runs_near("elbow", q[1], 0, 1e-13);
    detent_mechanism_destroy(m);
    /* where it all holds nothing moves, to the last bit */
    m = runs_parse("detent: 1\ngravity: [0, 0, -9.81]\nbodies: {a: {mass: 1}}\njoints: {j: {type: "
                   "prismatic, base: ground, follower: a, axis: [0, 0, 1], initial: {position: "
                   "0.7}}}\nstiction: {j: {kinetic: 9, static: 10}}\nsimulation: {end: 1}\n",
                   NULL);
    rest = rest_of(m, true, q);
    assert_true(rest.held == 1 && rest.iterations == 0 && q[0] == 0.7);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),     cmocka_unit_test(test_ways_on),
        cmocka_unit_test(test_spherical),    cmocka_unit_test(test_hanging_chain),
        cmocka_unit_test(test_four_bar),     cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_controller),   cmocka_unit_test(test_held),
        cmocka_unit_test(test_random_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
