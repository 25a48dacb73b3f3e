/*
 * The assembly of loops with priorities: a four-bar by its formulas, limits by the cosine law, velocities by ratios, contradictions.
 */
#include "detent/analysis.h"
#include "support_runs.h"

enum { MOST = 32 };

/* Lengths of ground, crank, rod, rocker; `at`: `initial` of a, b, d and c. */
static detent_mechanism *four_bar(const double l[4], const char *const at[4], const char *more)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
        "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
        "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: crank, initial: {%s}}\n"
        "  b: {type: revolute, base: crank, follower: rod, at: {base: [%.17g, 0, 0]}, initial: "
        "{%s}}\n"
        "  d: {type: revolute, base: ground, follower: rocker, at: {base: [%.17g, 0, 0]}, initial: "
        "{%s}}\n"
        "  c: {type: revolute, base: rocker, follower: rod, at: {base: [%.17g, 0, 0], follower: "
        "[%.17g, 0, 0]}, initial: {%s}}\n%s",
        at[0], l[1], at[1], l[0], at[2], l[3], l[2], at[3], more);
    return runs_parse(text, NULL);
}

static const double rocking[] = {0.9, 0.3, 0.8, 0.6}, narrow[] = {1, 0.8, 0.7, 0.6};

/* Angles of crank, rod and rocker in the world where the crank stands at `angle`, the rod above. */
static void solve_four_bar(const double l[4], double angle, double world[3])
{
    const double x = l[0] - l[1] * cos(angle), y = -l[1] * sin(angle), d = hypot(x, y);
    world[0] = angle;
    world[1] = atan2(y, x) + acos((l[2] * l[2] + d * d - l[3] * l[3]) / (2 * l[2] * d));
    world[2] = atan2(l[1] * sin(angle) + l[2] * sin(world[1]),
                     l[1] * cos(angle) + l[2] * cos(world[1]) - l[0]);
}

static size_t coordinate(const detent_mechanism *m, const char *name)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p);
    return p.first_coordinate;
}

static detent_assembly assemble(const detent_mechanism *m, double *q, double *v)
{
    detent_assembly assembly = DETENT_INIT(detent_assembly);
    detent_error error;
    runs_must(detent_assemble(m, NULL, q, v, &assembly, &error), &error);
    return assembly;
}

static double apart(double a, double b)
{
    return remainder(a - b, 2 * acos(-1));
}

/* Whoever is exact or preferred, and can be had, is not moved by a bit; the others are where the formulas have them. */
static void test_ranked_positions_stay(void **state)
{
    (void)state;
    static const char *const words[] = {"exact", "preferred"};
    for (int k = 0; k < 12; k++) {
        char a[128];
        double q[MOST], v[MOST], world[3];
        const double angle = 0.1 + 0.5 * k;
        solve_four_bar(rocking, angle, world);
        snprintf(a, sizeof a, "position: %.17g, priority: %s", angle, words[k % 2]);
        char b[64], d[64];
        snprintf(b, sizeof b, "position: %.17g", world[1] - angle + 0.3);
        snprintf(d, sizeof d, "position: %.17g", world[2] - 0.25);
        const char *const at[] = {a, b, d, "position: 0"};
        detent_mechanism *m = four_bar(rocking, at, "");
        const detent_assembly assembly = assemble(m, q, v);
        assert_true(q[coordinate(m, "a")] == angle);
        runs_near("rod", apart(q[coordinate(m, "b")], world[1] - angle), 0, 1e-12);
        runs_near("rocker", apart(q[coordinate(m, "d")], world[2]), 0, 1e-12);
        runs_near("gap", assembly.gap, 0, 1e-14);
        assert_int_equal(assembly.loop, 0);
        assert_true(assembly.iterations > 1);
        assert_string_equal(detent_name(m, DETENT_PRIMITIVE, (size_t)assembly.moved), "c");
        /* a run begins there */
        detent_simulation *s = runs_start(m, NULL);
        assert_true(runs_position(m, s, "a") == angle);
        runs_near("run", runs_position(m, s, "d"), q[coordinate(m, "d")], 0);
        runs_end(s, m);
    }
}

/* How far all joints are from where they are asked to be, squared, when the crank stands there. */
static double change_at(double crank, const double asked[4])
{
    double world[3];
    solve_four_bar(rocking, crank, world);
    const double q[] = {crank, world[1] - world[0], world[2], world[1] - world[2]};
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        const double way = apart(q[k], asked[k]);
        sum += way * way;
    }
    return sum;
}

/* Without priorities all are moved by the least change: nowhere beside it is it less. */
static void test_free_ones_share(void **state)
{
    (void)state;
    static const double asked[][4] = {{1, 0, 1, 0}, {0.8, 0.1, 1.6, -0.9}, {2, -0.4, 2.2, -1.5}};
    for (size_t n = 0; n < sizeof asked / sizeof *asked; n++) {
        char words[4][64];
        double q[MOST], v[MOST];
        for (int k = 0; k < 4; k++) {
            snprintf(words[k], sizeof words[k], "position: %.17g", asked[n][k]);
        }
        const char *const at[] = {words[0], words[1], words[2], words[3]};
        detent_mechanism *m = four_bar(rocking, at, "");
        assemble(m, q, v);
        const double crank = q[coordinate(m, "a")], h = 1e-4, least = change_at(crank, asked[n]);
        assert_true(crank != asked[n][0] && q[coordinate(m, "d")] != asked[n][2]);
        assert_true(change_at(crank - h, asked[n]) > least &&
                    change_at(crank + h, asked[n]) > least);
        runs_near("slope",
                  (change_at(crank + h, asked[n]) - change_at(crank - h, asked[n])) / (2 * h), 0,
                  1e-7);
        detent_mechanism_destroy(m);
    }
}

/* A crank that is asked to be where rod and rocker cannot reach stops at the limit of the cosine law; one that is exact is an error. */
static void test_out_of_reach(void **state)
{
    (void)state;
    double q[MOST], v[MOST];
    const double limit = acos((1 + 0.64 - 1.69) / (2 * 0.8));
    const char *const at[] = {"position: 2, velocity: 1, priority: preferred", "position: -1.5",
                              "position: 1.5", "position: 0"};
    detent_mechanism *m = four_bar(narrow, at, "");
    assemble(m, q, v);
    runs_near("limit", q[coordinate(m, "a")], limit, 1e-9);
    runs_near("velocity at the limit", v[coordinate(m, "a")], 0,
              1e-4); /* how near it is: its square root */
    detent_mechanism_destroy(m);
}

static double number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* A crank of any four-bar is asked to be anywhere, from poor guesses: there to the last bit where that can be, or at a limit. */
static void test_any_four_bar(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int kept = 0, limited = 0, failed = 0;
    while (kept + limited < 200) {
        double l[4], q[MOST], v[MOST];
        char guess[4][64];
        const char *at[4];
        for (int k = 0; k < 4; k++) {
            l[k] = 0.2 + number(&seed);
        }
        const double asked = 3.1 * number(&seed), out = l[2] + l[3], in = fabs(l[2] - l[3]),
                     d = sqrt(l[0] * l[0] + l[1] * l[1] - 2 * l[0] * l[1] * cos(asked));
        snprintf(guess[0], sizeof guess[0], "position: %.17g, priority: preferred", asked);
        for (int k = 1; k < 4; k++) {
            snprintf(guess[k], sizeof guess[k], "position: %.17g", 4 * number(&seed) - 2);
        }
        for (int k = 0; k < 4; k++) {
            at[k] = guess[k];
        }
        if (l[0] + l[1] < in + 0.02 || fabs(l[0] - l[1]) > out - 0.02) {
            continue;
        }
        detent_mechanism *m = four_bar(l, at, "");
        if (detent_assemble(m, NULL, q, v, NULL, NULL)) {
            failed++;
        } else if (d >= in && d <= out) {
            kept++;
            assert_true(q[coordinate(m, "a")] == asked);
        } else {
            const double side = d > out ? out : in;
            const double limit =
                acos((l[0] * l[0] + l[1] * l[1] - side * side) / (2 * l[0] * l[1]));
            limited++;
            runs_near("limit", fabs(apart(q[coordinate(m, "a")], 0)), limit, 1e-8);
        }
        detent_mechanism_destroy(m);
    }
    assert_true(kept > 50 && limited > 50 && failed <= 2);
}

/* Two that are preferred: where one alone can be kept it is not given up for the other. */
static void test_two_preferred(void **state)
{
    (void)state;
    double q[MOST], v[MOST], world[3];
    solve_four_bar(rocking, 1, world);
    char b[96];
    snprintf(b, sizeof b, "position: %.17g, priority: preferred", world[1] - 1 + 0.05);
    const char *const at[] = {"position: 1, priority: preferred", b, "position: 1.5",
                              "position: 0"};
    detent_mechanism *m = four_bar(rocking, at, "");
    assemble(m, q, v);
    /* not both: whatever the crank is, the rod follows from it; they end where they meet */
    solve_four_bar(rocking, q[coordinate(m, "a")], world);
    runs_near("closed", apart(q[coordinate(m, "b")], world[1] - q[coordinate(m, "a")]), 0, 1e-12);
    const double first = fabs(q[coordinate(m, "a")] - 1);
    assert_true(first < 0.1);
    detent_mechanism_destroy(m);
}

static void test_velocities(void **state)
{
    (void)state;
    double q[MOST], v[MOST], low[3], high[3];
    const double angle = 1, h = 1e-5;
    solve_four_bar(rocking, angle - h, low);
    solve_four_bar(rocking, angle + h, high);
    const double ratio = (high[2] - low[2]) / (2 * h);
    static const char *const words[] = {"exact", "preferred"};
    for (int k = 0; k < 2; k++) { /* the rocker's velocity is given, the crank's follows */
        char d[96];
        snprintf(d, sizeof d, "velocity: 3, priority: %s", words[k]);
        const char *const at[] = {"position: 1, priority: exact", "position: 0", d, "position: 0"};
        detent_mechanism *m = four_bar(rocking, at, "");
        assemble(m, q, v);
        /* it is one of those that follow from the others, by a solution that rounds */
        runs_near("rocker", v[coordinate(m, "d")], 3, 1e-13);
        runs_near("crank", v[coordinate(m, "a")], 3 / ratio, 1e-7);
        detent_mechanism_destroy(m);
    }
    /* two preferred: v = (1, r) s, nearest to (1, 3) */
    const char *const at[] = {"position: 1, velocity: 1, priority: preferred", "position: 0",
                              "velocity: 3, priority: preferred", "position: 0"};
    detent_mechanism *m = four_bar(rocking, at, "");
    assemble(m, q, v);
    runs_near("nearest", v[coordinate(m, "a")], (1 + 3 * ratio) / (1 + ratio * ratio), 1e-7);
    detent_mechanism_destroy(m);
}

/* Refused, with the place of the first and the words. */
static void refuse(detent_mechanism *m, int line, const char *const words[])
{
    detent_assembly assembly = DETENT_INIT(detent_assembly);
    detent_error error = {.message = ""};
    assert_int_equal(detent_assemble(m, NULL, NULL, NULL, &assembly, &error), DETENT_ERROR_MODEL);
    for (int k = 0; words[k]; k++) {
        if (!strstr(error.message, words[k])) {
            fail_msg("'%s' is not in: %s", words[k], error.message);
        }
    }
    assert_int_equal(error.line, line);
    assert_true((line > 0) == (error.column > 1));
    assert_true(assembly.iterations > 0 || strstr(error.message, "velocities"));
    detent_mechanism_destroy(m);
}

static void test_contradictions(void **state)
{
    (void)state;
    const char *const both[] = {"position: 1, priority: exact", "position: 0",
                                "position: 1, priority: exact", "position: 0"};
    refuse(four_bar(rocking, both, ""), 8,
           (const char *const[]){"exact initial positions cannot all be had", "'a' (8:", "'d' (10:",
                                 "the loop that joint 'c' closes stays", "moved most", NULL});
    const char *const far[] = {"position: 2, priority: exact", "position: -1.5", "position: 1.5",
                               "position: 0"};
    refuse(four_bar(narrow, far, ""), 8, (const char *const[]){"'a' (8:", NULL});
    const char *const fast[] = {"position: 1, velocity: 1, priority: exact", "position: 0",
                                "velocity: 30, priority: exact", "position: 0"};
    refuse(four_bar(rocking, fast, ""), 8,
           (const char *const[]){"exact initial velocities", "'a'", "'d'", "comes apart", NULL});
    const double open[] = {5, 0.3, 0.8, 0.6};
    const char *const free[] = {"position: 1", "position: 0", "position: 1", "position: 0"};
    refuse(four_bar(open, free, ""), 11,
           (const char *const[]){"the loop that joint 'c' closes cannot be assembled", " m and ",
                                 "moved most, by", NULL});
    /* what else holds joints of the loop is named: a gear, motions */
    refuse(four_bar(rocking, free,
                    "couplings: {g: {type: gear, joints: [a, d], ratio: -40}, h: {type: gear, "
                    "joints: [a, b], ratio: 1}}\n"),
           11,
           (const char *const[]){"the loop that joint 'c' closes cannot be assembled",
                                 "tied by 'g' (12:", "'h' (12:", NULL});
}

/* An actuator between a point of the ground and an arm, whose spindle makes some eighty turns while its loop closes. */
static void test_spindle(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  arm: {mass: 50, inertia: [0.1, 1, 1]}\n"
        "  tube: {mass: 2, inertia: [0.05, 0.05, 0.001]}\n"
        "  rod: {mass: 1, inertia: [0.05, 0.05, 0.001]}\n"
        "  spindle: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4]}\n"
        "joints:\n"
        "  hinge: {type: revolute, base: ground, follower: arm, initial: {position: 20 deg, "
        "priority: exact}}\n"
        "  foot: {type: revolute, base: ground, follower: tube, axis: [1, 0, 0], at: {base: "
        "{point: "
        "[0, -0.5, 0], rotation: {axis: [0, 1, 0], angle: 90 deg}}}}\n"
        "  slide: {type: prismatic, base: tube, follower: rod, initial: {position: 0.5}}\n"
        "  turn: {type: revolute, base: tube, follower: spindle%s}\n"
        "  eye: {type: revolute, base: rod, follower: arm, axis: [1, 0, 0], at: {follower: {point: "
        "[0.6, 0, 0], rotation: {axis: [0, 1, 0], angle: 90 deg}}}}\n"
        "couplings: {lead: {type: screw, joints: [turn, slide], pitch: 5 mm}}\n";
    char own[2048];
    double q[MOST], v[MOST];
    (void)state;
    snprintf(own, sizeof own, text, "");
    detent_mechanism *m = runs_parse(own, NULL);
    assert_true(assemble(m, q, v).iterations < 20);
    const double angle = acos(-1) / 9, length = hypot(0.6 * cos(angle), 0.6 * sin(angle) + 0.5);
    runs_near("slide", q[coordinate(m, "slide")], length, 1e-12);
    runs_near("turn", q[coordinate(m, "turn")], (length - 0.5) / 5e-3 * 2 * acos(-1), 1e-8);
    detent_mechanism_destroy(m);
    /* an exact spindle is one of those that contradict each other, though it is in no loop */
    snprintf(own, sizeof own, text, ", initial: {position: 0, priority: exact}");
    refuse(runs_parse(own, NULL), 9, (const char *const[]){"'hinge' (9:", "'turn' (12:", NULL});
}

/* Motions that do not fit in position. */
static void test_motions(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {wheel: {mass: 1, inertia: [1, 1, 1]}, sled: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  p: {type: prismatic, base: ground, follower: sled, motion: 1 + 3*t}\n"
        "  q: {type: prismatic, base: ground, follower: sled, closes: true, motion: 2 + 3*t}\n"
        "  e: {type: revolute, base: ground, follower: wheel}\n";
    (void)state;
    refuse(runs_parse(text, NULL), 6,
           (const char *const[]){"cannot be assembled", "the motions of 'p' (5:", "'q' (6:", NULL});
}

/* Couplings: the exact velocity of a wheel is that of the other times the ratio. */
static void test_coupling(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {one: {mass: 1, inertia: [1, 1, 1]}, two: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  p: {type: revolute, base: ground, follower: one, initial: {velocity: 2, priority: "
        "exact}}\n"
        "  s: {type: revolute, base: ground, follower: two, initial: {velocity: 1, priority: %s}}\n"
        "couplings: {mesh: {type: gear, joints: [p, s], ratio: 4}}\n";
    char own[1024];
    double q[MOST], v[MOST];
    snprintf(own, sizeof own, text, "preferred");
    detent_mechanism *m = runs_parse(own, NULL);
    assemble(m, q, v);
    assert_true(v[0] == 2);
    runs_near("geared", fabs(v[1]), 0.5, 1e-14);
    detent_mechanism_destroy(m);
    snprintf(own, sizeof own, text, "exact");
    m = runs_parse(own, NULL);
    refuse(m, 5, (const char *const[]){"the coupling 'mesh' does not hold", NULL});
}

/* Those of other loops are not blamed; without a file there is no line to name. */
static void test_who_is_exact(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {wheel: {mass: 1, inertia: [1, 1, 1]}, sled: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  e: {type: revolute, base: ground, follower: wheel, initial: {position: 2, priority: "
        "exact}}\n"
        "  f: {type: revolute, base: ground, follower: wheel, closes: true, initial: {position: "
        "2}}\n"
        "  p: {type: prismatic, base: ground, follower: sled, initial: {position: 1, priority: "
        "exact}}\n"
        "  q: {type: prismatic, base: ground, follower: sled, closes: true, initial: {position: 3, "
        "priority: exact}}\n";
    (void)state;
    refuse(runs_parse(text, NULL), 7,
           (const char *const[]){"cannot all be had: 'p' (7:", "'q' (8:",
                                 "the loop that joint 'q' closes stays 2 m", NULL});

    detent_error error;
    detent_mechanism *m = NULL;
    detent_body_def sled = DETENT_INIT(detent_body_def);
    sled.name = "sled";
    sled.mass = sled.inertia[0] = sled.inertia[1] = sled.inertia[2] = 1;
    runs_must(detent_mechanism_create("defined", NULL, &m, &error), &error);
    runs_must(detent_add_body(m, &sled, &error), &error);
    for (int k = 0; k < 2; k++) {
        detent_joint_def joint = DETENT_INIT(detent_joint_def);
        detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
        joint.primitive[0] = &joint_pin;
        joint.name = k ? "q" : "p";
        joint.type = "prismatic";
        joint.base = "ground";
        joint.follower = "sled";
        joint.closes = k == 1;
        joint_pin.position[0] = k ? 3 : 1;
        joint_pin.position_priority = DETENT_PRIORITY_EXACT;
        runs_must(detent_add_joint(m, &joint, &error), &error);
    }
    runs_must(detent_mechanism_finish(m, &error), &error);
    refuse(m, 0, (const char *const[]){"cannot all be had: 'p', 'q'; ", NULL});
}

static void test_arguments(void **state)
{
    (void)state;
    detent_error error;
    size_t begin, end;
    const char *const at[] = {"position: 1", "position: 0", "position: 1", "position: 0"};
    assert_int_equal(detent_assemble(NULL, NULL, NULL, NULL, NULL, &error), DETENT_ERROR_ARGUMENT);
    detent_mechanism *m = four_bar(rocking, at, "");
    runs_must(detent_assemble(m, NULL, NULL, NULL, NULL, &error), &error);
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(m, 0, &p);
    assert_true(p.position[0] == 1 && p.position_priority == DETENT_PRIORITY_FREE);
    detent_mechanism_destroy(m);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &joint_pin;
    joint.name = "j", joint.follower = "b", joint.base = "ground", joint.type = "revolute";
    joint_pin.velocity_priority = (detent_priority)7;
    assert_int_equal(detent_mechanism_create("x", NULL, &m, &error), DETENT_OK);
    assert_int_equal(detent_add_joint(m, &joint, &error), DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "no such priority"));
    detent_mechanism_destroy(m);
    /* the section's place */
    static const char without[] = "detent: 1\nname: x",
                      with[] = "detent: 1\ninitial:\n  a: {}\n# b\nname: x\n";
    runs_must(
        detent_find_initial_section(without, strlen(without), "x", NULL, &begin, &end, &error),
        &error);
    assert_true(begin == strlen(without) && end == begin);
    runs_must(detent_find_initial_section(with, strlen(with), "x", NULL, &begin, &end, &error),
              &error);
    assert_memory_equal(with + begin, "initial:", 8);
    assert_memory_equal(with + end, "name: x", 7);
    assert_int_equal(
        detent_find_initial_section("{detent: 1}", 11, "x", NULL, &begin, &end, &error),
        DETENT_ERROR_MODEL);
    assert_int_equal(detent_find_initial_section("a: [", 4, "x", NULL, &begin, &end, &error),
                     DETENT_ERROR_SYNTAX);
    assert_int_equal(detent_find_initial_section(NULL, 0, "x", NULL, &begin, &end, &error),
                     DETENT_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranked_positions_stay),
        cmocka_unit_test(test_free_ones_share),
        cmocka_unit_test(test_out_of_reach),
        cmocka_unit_test(test_two_preferred),
        cmocka_unit_test(test_any_four_bar),
        cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_spindle),
        cmocka_unit_test(test_motions),
        cmocka_unit_test(test_coupling),
        cmocka_unit_test(test_who_is_exact),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
