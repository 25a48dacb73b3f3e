/*
 * Initial positions that are given, and others that are not: what is given stays where the others can close the loop, by the formulas of a four-bar;
 * where they cannot, and it is moved far, a warning says so, with its place. So does one where a loop all but stands where branches meet.
 */
#include "detent/analysis.h"
#include "support_runs.h"

enum { MOST = 32 };

static double number(uint64_t *seed, double from, double to)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (to - from) * (double)(*seed >> 11) / 9007199254740992.0;
}

/* Lengths of ground, crank, rod, rocker in units of `unit`; `a`, `d`: what crank and rocker have beside their ends. */
static detent_mechanism *four_bar(const double l[4], double unit, const char *a, const char *d)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  crank: {mass: 1, inertia: [%1$.17g, %2$.17g, %2$.17g]}\n"
        "  rod: {mass: 1, inertia: [%1$.17g, %2$.17g, %2$.17g]}\n"
        "  rocker: {mass: 1, inertia: [%1$.17g, %2$.17g, %2$.17g]}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: crank%3$s}\n"
        "  b: {type: revolute, base: crank, follower: rod, at: {base: [%4$.17g, 0, 0]}}\n"
        "  d: {type: revolute, base: ground, follower: rocker, at: {base: [%5$.17g, 0, 0]}%6$s}\n"
        "  c: {type: revolute, base: rocker, follower: rod, at: {base: [%7$.17g, 0, 0], "
        "follower: [%8$.17g, 0, 0]}}\n",
        0.01 * unit * unit, 0.1 * unit * unit, a, unit * l[1], unit * l[0], d, unit * l[3],
        unit * l[2]);
    return runs_parse(text, NULL);
}

static double position_of(const detent_mechanism *m, const double *q, const char *name)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p);
    return q[p.first_coordinate];
}

static void assemble(const detent_mechanism *m, double *q)
{
    detent_error error;
    runs_must(detent_assemble(m, NULL, q, NULL, NULL, &error), &error);
}

/* Rod and rocker reach each other. */
static bool can_stand(const double l[4], double crank)
{
    const double d = hypot(l[0] - l[1] * cos(crank), l[1] * sin(crank));
    return d < l[2] + l[3] - 0.05 && d > fabs(l[2] - l[3]) + 0.05;
}

/* A crank alone is given: it is not moved by what nobody knows, and nobody is warned. In any unit of length. */
static void test_crank_alone(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < 60;) {
        double l[4] = {1, 0, 0, 0}, q[MOST];
        for (int k = 1; k < 4; k++) {
            l[k] = number(&seed, 0.2, 1.2);
        }
        const double crank = number(&seed, -3, 3);
        if (!can_stand(l, crank)) {
            continue;
        }
        char words[64];
        snprintf(words, sizeof words, ", initial: {position: %.17g}", crank);
        detent_mechanism *m = four_bar(l, n % 2 ? 1e-3 : 40, words, "");
        assemble(m, q);
        const double at = position_of(m, q, "a"), rod = at + position_of(m, q, "b"),
                     rocker = position_of(m, q, "d");
        runs_near("crank", at, crank, 0.5);
        runs_near("x", l[1] * cos(at) + l[2] * cos(rod), l[0] + l[3] * cos(rocker), 1e-9);
        detent_simulation *s = runs_start(m, NULL);
        assert_null(detent_simulation_warning(s, 0));
        runs_end(s, m);
        n++;
    }
}

/* Crank and rocker are given, a tenth of a radian beside where they can stand: they stay near, and do not fold over. */
static void test_crank_and_rocker(void **state)
{
    (void)state;
    static const double l[] = {0.9, 0.3, 0.8, 0.6};
    for (int k = 0; k < 24; k++) {
        const double crank = -3 + 0.25 * k, side = k % 2 ? 1 : -1, x = l[0] - l[1] * cos(crank),
                     y = -l[1] * sin(crank), d = hypot(x, y),
                     rod = atan2(y, x) +
                           side * acos((l[2] * l[2] + d * d - l[3] * l[3]) / (2 * l[2] * d)),
                     rocker = atan2(l[1] * sin(crank) + l[2] * sin(rod),
                                    l[1] * cos(crank) + l[2] * cos(rod) - l[0]);
        char a[64], b[64];
        double q[MOST];
        snprintf(a, sizeof a, ", initial: {position: %.17g}", crank + 0.1);
        snprintf(b, sizeof b, ", initial: {position: %.17g}", rocker - 0.1);
        detent_mechanism *m = four_bar(l, 1, a, b);
        assemble(m, q);
        runs_near("rocker", position_of(m, q, "d"), rocker - 0.1, 0.5);
        detent_mechanism_destroy(m);
    }
}

/* A zero that is written is given, as any other number is; one that is not is not. */
static void test_zero(void **state)
{
    (void)state;
    static const double l[] = {1, 0.3, 0.9, 0.9};
    double q[MOST];
    detent_mechanism *m = four_bar(l, 1, ", initial: {position: 0}", ", initial: {position: 2.5}");
    assemble(m, q);
    const double given = fabs(position_of(m, q, "a"));
    detent_mechanism_destroy(m);
    m = four_bar(l, 1, "", ", initial: {position: 2.5}");
    assemble(m, q);
    assert_true(given < fabs(position_of(m, q, "a")));
    detent_mechanism_destroy(m);
}

/* What no assembly is near to is told: name, both values, and where the given one is written. */
static void test_warning(void **state)
{
    (void)state;
    static const double narrow[] = {1, 0.8, 0.7, 0.6};
    static const char *const words[] = {", initial: {position: 3}",
                                        ", initial: {position: 3, priority: preferred}"};
    const double limit = acos((1 + 0.64 - 1.69) / (2 * 0.8)); /* where rod and rocker are in line */
    for (int k = 0; k < 2; k++) {
        detent_mechanism *m = four_bar(narrow, 1, words[k], "");
        detent_simulation *s = runs_start(m, NULL);
        const char *text = detent_simulation_warning(s, 0);
        assert_non_null(text);
        assert_non_null(strstr(text, ":8:74: 'a' is given at 3 rad, and stands at "));
        assert_true(runs_position(m, s, "a") < limit + 1e-9);
        assert_null(detent_simulation_warning(s, 1));
        runs_end(s, m);
    }
    assert_null(detent_simulation_warning(NULL, 0));
}

/* A slider is far by the lengths of its mechanism, whatever the unit; with a nominal position by that. */
static void test_slider(void **state)
{
    (void)state;
    static const struct {
        double unit, at;
        const char *nominal;
        bool is_far;
    } cases[] = {{1, 1.2, "", false},
                 {1, 3, "", true},
                 {1e3, 1.2, "", false},
                 {1e3, 3, "", true},
                 {1, 1.2, ", nominal: {position: 0.1}", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double u = cases[k].unit;
        char text[2048];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
                 "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
                 "  rod: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n  slider: {mass: 1}\n"
                 "joints:\n"
                 "  a: {type: revolute, base: ground, follower: crank, initial: {position: 0.5, "
                 "priority: exact}}\n"
                 "  b: {type: revolute, base: crank, follower: rod, at: {base: [%g, 0, 0]}, "
                 "initial: {position: -0.7}}\n"
                 "  s: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
                 "{position: %g}%s}\n"
                 "  c: {type: revolute, base: slider, follower: rod, at: {follower: [%g, 0, 0]}, "
                 "initial: {position: -0.2}}\n",
                 0.3 * u, cases[k].at * u, cases[k].nominal, 0.7 * u);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *s = runs_start(m, NULL);
        const char *told = detent_simulation_warning(s, 0);
        assert_true((told != NULL) == cases[k].is_far);
        assert_true(!told || strstr(told, "'s' is given at "));
        runs_end(s, m);
    }
}

/* A parallelogram next to where it lies flat is told of, in any unit of length; not one that lies flat, or is well beside; nor what is small. */
static void test_near_branches(void **state)
{
    (void)state;
    static const double lengths[] = {1, 0.4, 1, 0.4};
    static const struct {
        const char *angle;
        bool is_near;
    } cases[] = {{"0", false}, {"1e-7", true}, {"2e-5", true}, {"1e-2", false}, {"1", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int p = -6; p <= 6; p += 3) {
            char words[128];
            snprintf(words, sizeof words, ", initial: {position: %s, priority: exact}",
                     cases[k].angle);
            detent_mechanism *m = four_bar(lengths, pow(10, p), words, words);
            detent_simulation *s = runs_start(m, NULL);
            const char *told = detent_simulation_warning(s, 0);
            assert_true((told != NULL) == cases[k].is_near);
            assert_true(!told || strstr(told, "next to a position where branches of its motion"));
            runs_end(s, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crank_alone), cmocka_unit_test(test_crank_and_rocker),
        cmocka_unit_test(test_zero),        cmocka_unit_test(test_warning),
        cmocka_unit_test(test_slider),      cmocka_unit_test(test_near_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
