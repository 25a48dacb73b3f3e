/*
 * Positions of rest where loops do not leave the same freedoms everywhere: a linkage that moves by its shape alone, a dead centre; and
 * what static friction is told to do where joints share it.
 */
#include "support_runs.h"

#include "detent/analysis.h"

enum { JOINTS = 6 };

static double coordinate(const detent_mechanism *m, const double *q, const char *name)
{
    detent_error error;
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p), &error);
    return q[p.first_coordinate];
}

static detent_rest rest_of(detent_analysis *analysis, bool stiction, double *q)
{
    detent_error error;
    detent_rest rest = DETENT_INIT(detent_rest);
    const detent_equilibrium_options options = {.size = sizeof options, .stiction = stiction};
    runs_must(detent_equilibrium(analysis, &options, &rest, &error), &error);
    runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
    assert_true(rest.residual <= 100 * rest.rounding);
    return rest;
}

/*
 * Bennett's linkage has as many independent conditions as freedoms wherever it is open, and one less where it is closed. The tangents of half
 * its angles have a product that is sin((b + a)/2) / sin((b - a)/2).
 */
static void bennett(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "parameters: {a: 0.5, al: 30 deg, be: 50 deg, b: a*sin(be)/sin(al), rest: 1.2}\n"
        "bodies:\n"
        "  A: {mass: 1, center_of_mass: [a/2, 0, 0], inertia: [0.01, 0.03, 0.03]}\n"
        "  B: {mass: 1, center_of_mass: [b/2, 0, 0], inertia: [0.01, 0.03, 0.03]}\n"
        "  C: {mass: 1, center_of_mass: [a/2, 0, 0], inertia: [0.01, 0.03, 0.03]}\n"
        "  D: {mass: 0.1, inertia: [0.01, 0.01, 0.01]}\n"
        "joints:\n"
        "  j1: {type: revolute, base: ground, follower: A, spring: {stiffness: 50, rest: rest}, "
        "initial: {position: 1, priority: exact}}\n"
        "  j2: {type: revolute, base: A, follower: B, at: {base: {point: [a, 0, 0], rotation: "
        "{axis: [1, 0, 0], angle: al}}}, initial: {position: 2}}\n"
        "  j3: {type: revolute, base: B, follower: C, at: {base: {point: [b, 0, 0], rotation: "
        "{axis: [1, 0, 0], angle: be}}}, initial: {position: -1}}\n"
        "  j4: {type: revolute, base: C, follower: D, at: {base: {point: [a, 0, 0], rotation: "
        "{axis: [1, 0, 0], angle: al}}}, initial: {position: -2}}\n"
        "  j5: {type: weld, base: ground, follower: D, at: {follower: {point: [b, 0, 0], "
        "rotation: {axis: [1, 0, 0], angle: be}}}}\n"
        "simulation: {end: 1}\n";
    static const char *const rests[] = {"rest=-1.3", "rest=1.2", "rest=2", "rest=-0.3"};
    const double one = acos(-1) / 180, product = sin(40 * one) / sin(10 * one);
    double q[JOINTS];
    (void)state;
    for (int k = 0; k < 4; k++) {
        detent_mechanism *m = runs_parse(text, (const char *const[]){rests[k], NULL});
        detent_analysis *analysis = runs_analyse(m);
        const detent_rest rest = rest_of(analysis, false, q);
        assert_int_equal(rest.stability, DETENT_STABLE);
        runs_near(rests[k], coordinate(m, q, "j1"), strtod(rests[k] + 5, NULL), 1e-12);
        runs_near("j2", tan(coordinate(m, q, "j1") / 2) * tan(coordinate(m, q, "j2") / 2), product,
                  1e-11);
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

/* A crank whose torque is beyond all friction: at the dead centre, where it starts, its slider seems to stay where it is. */
static void out_of_a_dead_centre(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "parameters: {r: 0.2, l: 0.6, torque: 3}\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [r/2, 0, 0], inertia: [1e-3, 0.01, 0.01]}\n"
        "  rod: {mass: 1, center_of_mass: [l/2, 0, 0], inertia: [1e-3, 0.03, 0.03]}\n"
        "  piston: {mass: 2}\n"
        "joints:\n"
        "  main: {type: revolute, base: ground, follower: crank}\n"
        "  big: {type: revolute, base: crank, follower: rod, at: {base: [r, 0, 0]}}\n"
        "  small: {type: revolute, base: rod, follower: piston, at: {base: [l, 0, 0]}}\n"
        "  slide: {type: prismatic, axis: [1, 0, 0], base: ground, follower: piston, spring: "
        "{stiffness: 100}, at: {base: [r + l, 0, 0]}}\n"
        "stiction:\n"
        "  main: {external: torque, kinetic: 0.3, static: 0.5}\n"
        "  big: {kinetic: 0.2, static: 0.3}\n"
        "  small: {kinetic: 0.2, static: 0.3}\n"
        "  slide: {kinetic: 20, static: 30}\n"
        "simulation: {end: 1}\n";
    static const char *const torques[] = {"torque=3", "torque=-3", "torque=1.01"};
    double q[JOINTS];
    (void)state;
    for (int k = 0; k < 3; k++) {
        detent_mechanism *m = runs_parse(text, (const char *const[]){torques[k], NULL});
        detent_analysis *analysis = runs_analyse(m);
        const detent_rest rest = rest_of(analysis, true, q);
        assert_int_equal(rest.held, 0);
        const double r = 0.2, l = 0.6, angle = coordinate(m, q, "main"), across = r * sin(angle),
                     along = sqrt(l * l - across * across), way = r * cos(angle) + along - (r + l),
                     ratio = -across - across * r * cos(angle) / along;
        runs_near("slide", coordinate(m, q, "slide"), way, 1e-13);
        runs_near(torques[k], 100 * way * ratio, strtod(torques[k] + 7, NULL), 1e-11);
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
    /* the friction of the slider has no part in what holds there */
    detent_mechanism *m = runs_parse(text, (const char *const[]){"torque=0.99", NULL});
    detent_analysis *analysis = runs_analyse(m);
    assert_int_equal(rest_of(analysis, true, q).held, 4);
    assert_true(coordinate(m, q, "main") == 0);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* What the friction of joints is told to be that share a load: within their limits, by the margins, and what carries it. */
static void shares_and_margins(void **state)
{
    static const char geared[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "couplings: {g: {type: gear, joints: [a, b], ratio: 2}}\n"
        "stiction: {a: {external: 1, kinetic: 0.4, static: 0.5}, b: {kinetic: 2, static: 2}}\n"
        "simulation: {end: 1}\n";
    static const char truss[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [1e-3, 0.08, 0.08]}\n"
        "  b: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [1e-3, 0.08, 0.08]}\n"
        "joints:\n"
        "  l: {type: revolute, base: ground, follower: a, initial: {position: 60 deg}}\n"
        "  r: {type: revolute, base: ground, follower: b, at: {base: [1, 0, 0]}, initial: "
        "{position: 120 deg}}\n"
        "  top: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0], follower: [1, 0, "
        "0]}, initial: {position: 60 deg}}\n"
        "loads: {P: {body: a, at: [1, 0, 0], force: [100, -100, 0]}}\n"
        "stiction: {l: {kinetic: 1, static: 2}, top: {kinetic: 1, static: 1}}\n"
        "simulation: {end: 1}\n";
    detent_error error;
    double friction[2], margin[2];
    bool holds = false;
    (void)state;
    detent_mechanism *m = runs_parse(geared, NULL);
    detent_analysis *analysis = runs_analyse(m);
    runs_must(detent_hold(analysis, &holds, friction, margin, &error), &error);
    assert_true(holds);
    /* both are at two thirds of their limits: 0.5 and 2/2 hold 1 */
    runs_near("a", friction[0], -1.0 / 3, 1e-12);
    runs_near("b", friction[1], -4.0 / 3, 1e-12);
    runs_near("margin of a", margin[0], 0.5 / 3, 1e-12);
    runs_near("margin of b", margin[1], 2.0 / 3, 1e-12);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    m = runs_parse(truss, NULL); /* which holds without any */
    analysis = runs_analyse(m);
    runs_must(detent_hold(analysis, &holds, friction, margin, &error), &error);
    assert_true(holds);
    runs_near("l", friction[0], 0, 1e-11);
    runs_near("top", friction[1], 0, 1e-11);
    runs_near("margin of l", margin[0], 2, 1e-11);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bennett),
        cmocka_unit_test(out_of_a_dead_centre),
        cmocka_unit_test(shares_and_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
