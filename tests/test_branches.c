/*
 * All assemblies: of four-bars and slider-cranks by formulas; of platforms on three cranks, whose number is counted in another way.
 */
#include "detent/analysis.h"
#include "support_runs.h"

enum { MOST = 16, NAMES = 40 };
static const double pi = 3.14159265358979323846;

typedef struct bench {
    detent_mechanism *m;
    detent_analysis *analysis;
    detent_mechanism_info info;
    detent_branches found;
    double q[MOST * NAMES];
} bench;

static bench begin(const char *text)
{
    bench b = {.m = runs_parse(text, NULL)};
    detent_error error;
    runs_must(detent_analysis_create(b.m, NULL, &b.analysis, &error), &error);
    b.info.size = sizeof b.info;
    detent_mechanism_get_info(b.m, &b.info);
    return b;
}

/* The analysis is left as it is. */
static void find(bench *b)
{
    double q[2][NAMES];
    detent_error error;
    detent_analysis_get_state(b->analysis, NULL, q[0], NULL, NULL);
    b->found.size = sizeof b->found;
    runs_must(detent_find_branches(b->analysis, NULL, MOST, b->q, &b->found, &error), &error);
    detent_analysis_get_state(b->analysis, NULL, q[1], NULL, NULL);
    assert_memory_equal(q[0], q[1], b->info.coordinates * sizeof **q);
    assert_false(b->found.is_full);
}

static void end(bench *b)
{
    detent_analysis_destroy(b->analysis);
    detent_mechanism_destroy(b->m);
}

static double position(const bench *b, size_t branch, const char *name)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(b->m, (size_t)detent_find(b->m, DETENT_PRIMITIVE, name), &p);
    return b->q[branch * b->info.coordinates + p.first_coordinate];
}

/* ---- formulas ---- */

static void test_four_bar(void **state)
{
    (void)state;
    static const double l[] = {0.9, 0.3, 0.8, 0.6}, crank = 1;
    char text[2048];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "joints:\n"
             "  a: {type: revolute, base: ground, follower: crank, initial: {position: %g, "
             "priority: exact}}\n"
             "  b: {type: revolute, base: crank, follower: rod, at: {base: [%g, 0, 0]}}\n"
             "  d: {type: revolute, base: ground, follower: rocker, at: {base: [%g, 0, 0]}, "
             "initial: {position: 1.2}}\n"
             "  c: {type: revolute, base: rocker, follower: rod, at: {base: [%g, 0, 0], follower: "
             "[%g, 0, 0]}}\n",
             crank, l[1], l[0], l[3], l[2]);
    bench b = begin(text);
    find(&b);
    assert_int_equal(b.found.count, 2);
    const double x = l[0] - l[1] * cos(crank), y = -l[1] * sin(crank), d = hypot(x, y),
                 half = acos((l[3] * l[3] + d * d - l[2] * l[2]) / (2 * l[3] * d));
    const double first = position(&b, 0, "d"), second = position(&b, 1, "d");
    const double side = fabs(remainder(first - (atan2(-y, -x) - half), 2 * pi)) < 1e-6 ? 1 : -1;
    runs_near("here", remainder(first - (atan2(-y, -x) - side * half), 2 * pi), 0, 1e-9);
    runs_near("there", remainder(second - (atan2(-y, -x) + side * half), 2 * pi), 0, 1e-9);
    end(&b);
}

static void test_slider_crank(void **state)
{
    (void)state;
    bench b =
        begin("detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
              "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
              "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
              "  block: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
              "joints:\n"
              "  pivot: {type: revolute, base: ground, follower: crank, motion: '0.7 + 1*t'}\n"
              "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
              "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], "
              "initial: {position: 1}}\n"
              "  wrist: {type: revolute, base: block, follower: rod, closes: true, at: "
              "{follower: [0.8, 0, 0]}}\n");
    find(&b);
    assert_int_equal(b.found.count, 2);
    const double root = sqrt(0.64 - pow(0.3 * sin(0.7), 2));
    runs_near("in front", position(&b, 0, "slide"), 0.3 * cos(0.7) + root, 1e-9);
    runs_near("behind", position(&b, 1, "slide"), 0.3 * cos(0.7) - root, 1e-9);
    end(&b);
}

/* ---- platforms ---- */

/* Three cranks that are kept end in `B`; rods of length `rod` lead to the corners of a platform, in its own axes `P`. */
typedef struct platform {
    double foot[3][2], angle[3], B[3][2], P[3][2], crank, rod;
} platform;

/*
 * How many there are: along the circle of the first corner the second one's rod leaves two directions of the platform each; the third rod
 * has its length where the difference changes its sign.
 */
static int count(const platform *p)
{
    enum { STEPS = 200000 };
    int found = 0;
    const double x2 = p->P[1][0] - p->P[0][0], y2 = p->P[1][1] - p->P[0][1], d2 = hypot(x2, y2),
                 x3 = p->P[2][0] - p->P[0][0], y3 = p->P[2][1] - p->P[0][1];
    for (int side = -1; side <= 1; side += 2) {
        double before = NAN;
        for (int k = 0; k <= STEPS; k++) {
            const double t = 2 * pi * k / STEPS, x = p->B[0][0] + p->rod * cos(t),
                         y = p->B[0][1] + p->rod * sin(t), ex = p->B[1][0] - x, ey = p->B[1][1] - y,
                         e = hypot(ex, ey), c = (d2 * d2 + e * e - p->rod * p->rod) / (2 * d2 * e);
            if (fabs(c) > 1) {
                before = NAN;
                continue;
            }
            const double turn = atan2(ey, ex) + side * acos(c) - atan2(y2, x2),
                         cx = x + cos(turn) * x3 - sin(turn) * y3,
                         cy = y + sin(turn) * x3 + cos(turn) * y3,
                         now = hypot(cx - p->B[2][0], cy - p->B[2][1]) - p->rod;
            found += now * before < 0;
            before = now;
        }
    }
    return found;
}

static bench make_platform(const platform *p, double x, double y, double turn)
{
    char text[6000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
                                "  table: {mass: 1, inertia: [1, 1, 1]}\n");
    for (int k = 0; k < 3; k++) {
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  crank%d: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
                              "  rod%d: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n",
                              k, k);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "joints:\n");
    for (int k = 0; k < 3; k++) {
        const double cx = x + cos(turn) * p->P[k][0] - sin(turn) * p->P[k][1] - p->B[k][0],
                     cy = y + sin(turn) * p->P[k][0] + cos(turn) * p->P[k][1] - p->B[k][1],
                     rod = atan2(cy, cx);
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "  a%d: {type: revolute, base: ground, follower: crank%d, at: {base: [%.17g, %.17g, "
            "0]}, "
            "initial: {position: %.17g, priority: exact}}\n"
            "  b%d: {type: revolute, base: crank%d, follower: rod%d, at: {base: [%.17g, 0, 0]}, "
            "initial: {position: %.17g}}\n"
            "  c%d: {type: revolute, base: rod%d, follower: table, at: {base: [%.17g, 0, 0], "
            "follower: [%.17g, %.17g, 0]}, initial: {position: %.17g}}\n",
            k, k, p->foot[k][0], p->foot[k][1], p->angle[k], k, k, k, p->crank, rod - p->angle[k],
            k, k, p->rod, p->P[k][0], p->P[k][1], turn - rod);
    }
    return begin(text);
}

static void test_platform(void **state)
{
    (void)state;
    enum { PLATFORMS = 12 };
    unsigned seed = 12345;
    int most = 0;
    for (int n = 0; n < PLATFORMS; n++) {
        platform p = {.crank = 0.5, .rod = 0.9};
        double r[8];
        for (int k = 0; k < 8; k++) {
            seed = seed * 1103515245u + 12345u;
            r[k] = (double)(seed >> 8) / 16777216.0;
        }
        const double turn = 6 * r[0], x = 0.3 * r[1], y = 0.3 * r[2];
        for (int k = 0; k < 3;
             k++) { /* rods of that length, from a platform that is placed first */
            const double corner = 2 * pi * k / 3 + r[3 + k], way = 2 * pi * r[(k + 5) % 8];
            p.P[k][0] = 0.6 * cos(corner);
            p.P[k][1] = 0.6 * sin(corner);
            p.B[k][0] = x + cos(turn) * p.P[k][0] - sin(turn) * p.P[k][1] - p.rod * cos(way);
            p.B[k][1] = y + sin(turn) * p.P[k][0] + cos(turn) * p.P[k][1] - p.rod * sin(way);
            p.angle[k] = 1 + k;
            p.foot[k][0] = p.B[k][0] - p.crank * cos(p.angle[k]);
            p.foot[k][1] = p.B[k][1] - p.crank * sin(p.angle[k]);
        }
        bench b = make_platform(&p, x, y, turn);
        find(&b);
        assert_int_equal(b.found.count, count(&p));
        most = (int)b.found.count > most ? (int)b.found.count : most;
        end(&b);
    }
    assert_true(most >= 4);
}

/* ---- what is refused ---- */

static void test_refused(void **state)
{
    (void)state;
    detent_error error;
    detent_mechanism *m = runs_load("four_bar.yaml", NULL);
    bench b = {.m = m};
    runs_must(detent_analysis_create(m, NULL, &b.analysis, &error), &error);
    b.info.size = sizeof b.info;
    detent_mechanism_get_info(m, &b.info);
    bool kept[NAMES] = {false};
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, "main"), &p);
    kept[p.first_freedom] = true;
    b.found.size = sizeof b.found;
    runs_must(detent_find_branches(b.analysis, kept, MOST, b.q, &b.found, &error), &error);
    assert_int_equal(b.found.count, 2);
    runs_must(detent_find_branches(b.analysis, kept, 1, b.q, &b.found, &error), &error);
    assert_true(b.found.is_full && b.found.count == 1);
    assert_int_equal(detent_find_branches(b.analysis, kept, 0, b.q, &b.found, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_find_branches(NULL, kept, 1, b.q, &b.found, &error),
                     DETENT_ERROR_ARGUMENT);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_platform),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
