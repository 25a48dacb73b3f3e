/*
 * How far joints move when one is driven: four-bars by the cosine law, a slider-crank by its stroke, gears, what cannot be driven.
 */
#include "detent/analysis.h"
#include "support_runs.h"

enum { MOST = 16 };
static const double pi = 3.14159265358979323846;

typedef struct bench {
    detent_mechanism *m;
    detent_analysis *analysis;
    detent_range range;
    detent_joint_range joints[MOST];
} bench;

static bench begin(const char *text)
{
    bench b = {.m = runs_parse(text, NULL)};
    detent_error error;
    runs_must(detent_analysis_create(b.m, NULL, &b.analysis, &error), &error);
    return b;
}

static void end(bench *b)
{
    detent_analysis_destroy(b->analysis);
    detent_mechanism_destroy(b->m);
}

static size_t index_of(const bench *b, const char *name)
{
    return (size_t)detent_find(b->m, DETENT_PRIMITIVE, name);
}

/* The analysis is left as it is, to the last bit. */
static void drive(bench *b, const char *name, double from, double to)
{
    double q[2][MOST], v[2][MOST];
    detent_error error;
    detent_analysis_get_state(b->analysis, NULL, q[0], v[0], NULL);
    runs_must(
        detent_find_range(b->analysis, index_of(b, name), from, to, &b->range, b->joints, &error),
        &error);
    detent_analysis_get_state(b->analysis, NULL, q[1], v[1], NULL);
    detent_mechanism_info info;
    detent_mechanism_get_info(b->m, &info);
    assert_memory_equal(q[0], q[1], info.coordinates * sizeof **q);
    assert_memory_equal(v[0], v[1], info.freedoms * sizeof **v);
}

static void same_angle(const char *what, double value, double expected)
{
    runs_near(what, remainder(value - expected, 2 * pi), 0, 1e-9);
}

/* ---- four-bars: lengths of ground, crank, rod, rocker ---- */

static bench four_bar(const double l[4], double crank, double rod, double rocker)
{
    char text[2048];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "joints:\n"
             "  a: {type: revolute, base: ground, follower: crank, initial: {position: %.17g, "
             "priority: exact}}\n"
             "  b: {type: revolute, base: crank, follower: rod, at: {base: [%.17g, 0, 0]}, "
             "initial: {position: %.17g}}\n"
             "  d: {type: revolute, base: ground, follower: rocker, at: {base: [%.17g, 0, 0]}, "
             "initial: {position: %.17g}}\n"
             "  c: {type: revolute, base: rocker, follower: rod, at: {base: [%.17g, 0, 0], "
             "follower: [%.17g, 0, 0]}}\n",
             crank, l[1], rod, l[0], rocker, l[3], l[2]);
    return begin(text);
}

/* The angle opposite to c in a triangle. */
static double angle_in(double a, double b, double c)
{
    return acos((a * a + b * b - c * c) / (2 * a * b));
}

/* dq_d/dq_a of the four-bar with the rod above, at a crank angle. */
static double ratio_at(const double l[4], double angle)
{
    const double x = l[0] - l[1] * cos(angle), y = -l[1] * sin(angle), d = hypot(x, y);
    const double rod = atan2(y, x) + acos((l[2] * l[2] + d * d - l[3] * l[3]) / (2 * l[2] * d));
    const double rocker =
        atan2(l[1] * sin(angle) + l[2] * sin(rod), l[1] * cos(angle) + l[2] * cos(rod) - l[0]);
    return l[1] * sin(angle - rod) / (l[3] * sin(rocker - rod));
}

static void test_crank_rocker(void **state)
{
    (void)state;
    static const double l[] = {0.9, 0.3, 0.8, 0.6};
    bench b = four_bar(l, 1, 0, 1.2);
    drive(&b, "a", NAN, NAN);
    assert_true(b.range.turns);
    assert_int_equal(b.range.high_end, DETENT_RANGE_INTERVAL);
    runs_near("turn", b.range.high - b.range.low, 2 * pi, 1e-14);
    const detent_joint_range *d = &b.joints[index_of(&b, "d")];
    const double out = l[2] + l[1], in = l[2] - l[1];
    runs_near("rocker, crank and rod in a line", d->high, pi - angle_in(l[0], l[3], in), 1e-9);
    runs_near("rocker, one behind the other", d->low, pi - angle_in(l[0], l[3], out), 1e-9);
    /* the larger distance makes the larger angle at the rocker's foot */
    same_angle("crank there", d->low_at, angle_in(l[0], out, l[3]));
    same_angle("crank there", d->high_at, pi + angle_in(l[0], in, l[3]));
    /* ratios against the formula, at many angles */
    double most = -INFINITY, least = INFINITY;
    for (int k = 0; k < 200000; k++) {
        const double ratio = ratio_at(l, 2 * pi * k / 200000);
        most = fmax(most, ratio);
        least = fmin(least, ratio);
    }
    runs_near("largest ratio", d->ratio_high, most, 1e-9);
    runs_near("least ratio", d->ratio_low, least, 1e-9);
    runs_near("place", ratio_at(l, d->ratio_high_at), most, 1e-9);
    /* the rocker as a driver: dead centres where the crank is in line with the rod */
    drive(&b, "d", NAN, NAN);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
    runs_near("lower dead centre", b.range.low, pi - angle_in(l[0], l[3], out), 1e-9);
    runs_near("upper dead centre", b.range.high, pi - angle_in(l[0], l[3], in), 1e-9);
    const detent_joint_range *a = &b.joints[index_of(&b, "a")];
    runs_near("crank's end", a->low, angle_in(l[0], out, l[3]), 1e-9);
    runs_near("crank's end", a->high, pi + angle_in(l[0], in, l[3]), 1e-9);
    assert_true(isinf(a->ratio_high) && isfinite(a->ratio_low));
    end(&b);
}

static void test_double_rocker(void **state)
{
    (void)state;
    static const double l[] = {1, 0.8, 0.7, 0.6}; /* 0.6 + 1 > 0.8 + 0.7: nobody turns */
    bench b = four_bar(l, 1, -1.3, 1.9);
    drive(&b, "a", NAN, NAN);
    const double limit = angle_in(l[0], l[1], l[2] + l[3]);
    assert_false(b.range.turns);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
    runs_near("lower limit", b.range.low, -limit, 1e-9);
    runs_near("upper limit", b.range.high, limit, 1e-9);
    const detent_joint_range *d = &b.joints[index_of(&b, "d")], *c = &b.joints[index_of(&b, "c")];
    assert_true(isinf(d->ratio_high) || isinf(d->ratio_low));
    assert_true(isinf(c->ratio_high) || isinf(c->ratio_low));
    /* the pin between rod and rocker: in a line at the limits, folded most where crank and ground are in a line */
    runs_near("fold", c->high - c->low, pi - angle_in(l[2], l[3], l[0] - l[1]), 1e-9);
    const bool low = fabs(c->low_at) < fabs(c->high_at);
    runs_near("folded there", low ? c->low_at : c->high_at, 0, 1e-9);
    same_angle("in a line", low ? c->high : c->low, pi);
    drive(&b, "d", NAN, NAN);
    const double other = pi - angle_in(l[0], l[3], l[1] + l[2]);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    same_angle("limit of the other", b.range.low, other);
    same_angle("limit of the other", b.range.high, -other);
    end(&b);
}

/* Four-bars of any lengths, but for those that fold flat: who turns, and where the others stop, by the cosine law. */
static void test_any_four_bar(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int turning = 0, stopping = 0;
    while (turning + stopping < 300) {
        double l[4], number[5];
        for (int k = 0; k < 5; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            number[k] = (double)(seed >> 11) * 0x1p-53;
        }
        for (int k = 0; k < 4; k++) {
            l[k] = 0.2 + number[k];
        }
        const double angle = pi * (0.02 + 0.96 * number[4]), out = l[2] + l[3],
                     in = fabs(l[2] - l[3]);
        const double x = l[0] - l[1] * cos(angle), y = -l[1] * sin(angle), d = hypot(x, y);
        const double far = l[0] + l[1] - out, near = in - fabs(l[0] - l[1]);
        if (fabs(far) < 0.02 || fabs(near) < 0.02 || fabs(d - out) < 0.02 || fabs(d - in) < 0.02 ||
            d > out || d < in) {
            continue;
        }
        const double rod = atan2(y, x) + acos((l[2] * l[2] + d * d - l[3] * l[3]) / (2 * l[2] * d));
        const double rocker =
            atan2(l[1] * sin(angle) + l[2] * sin(rod), l[1] * cos(angle) + l[2] * cos(rod) - l[0]);
        bench b = four_bar(l, angle, rod - angle, rocker);
        drive(&b, "a", NAN, NAN);
        const bool turns = far < 0 && near < 0;
        assert_true(b.range.turns == turns);
        turning += turns;
        stopping += !turns;
        if (!turns) {
            const double upper = far > 0 ? angle_in(l[0], l[1], out)
                                         : 2 * pi - angle_in(l[0], l[1], in),
                         lower = near > 0 ? angle_in(l[0], l[1], in) : -upper;
            assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
            assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
            runs_near("upper", b.range.high, upper, 1e-9);
            runs_near("lower", b.range.low, lower, 1e-9);
        }
        end(&b);
    }
    assert_true(turning > 20 && stopping > 20);
}

/* ---- a slider-crank ---- */

static const char crank[] =
    "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  rod: {mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
    "  slider: {mass: 1.5}\n"
    "  fan: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: %s, priority: "
    "exact}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
    "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
    "{position: 1}}\n"
    "  wrist: {type: revolute, base: slider, follower: rod, closes: true, at: {follower: [0.8, 0, "
    "0]}}\n"
    "  ball: {type: spherical, base: slider, follower: fan}\n";

static bench slider_crank(const char *start)
{
    char text[2048];
    snprintf(text, sizeof text, crank, start);
    return begin(text);
}

static void test_slider_crank(void **state)
{
    (void)state;
    bench b = slider_crank("1");
    const detent_joint_range *slide = &b.joints[index_of(&b, "slide")],
                             *pivot = &b.joints[index_of(&b, "pivot")],
                             *wrist = &b.joints[index_of(&b, "wrist")];
    drive(&b, "pivot", NAN, NAN);
    assert_true(b.range.turns);
    runs_near("inner end", slide->low, 0.5, 1e-12);
    runs_near("outer end", slide->high, 1.1, 1e-12);
    runs_near("stroke", slide->high - slide->low, 0.6, 1e-12);
    same_angle("inner dead centre", slide->low_at, pi);
    same_angle("outer dead centre", slide->high_at, 0);
    runs_near("swing of the rod", wrist->high, asin(0.3 / 0.8), 1e-12);
    assert_true(isnan(b.joints[index_of(&b, "ball")].low));
    /* driven by the slider it sticks there */
    drive(&b, "slide", NAN, NAN);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
    runs_near("inner", b.range.low, 0.5, 1e-12);
    runs_near("outer", b.range.high, 1.1, 1e-12);
    runs_near("crank at the inner one", pivot->high, pi, 1e-9);
    runs_near("crank at the outer one", pivot->low, 0, 1e-9);
    runs_near("there", pivot->low_at, 1.1, 1e-12);
    assert_true(isinf(pivot->ratio_low) && pivot->ratio_low < 0);
    end(&b);
}

static void test_interval(void **state)
{
    (void)state;
    bench b = slider_crank("1");
    drive(&b, "pivot", 0.5, 2);
    assert_true(b.range.low == 0.5 && b.range.high == 2 && b.range.start == 1);
    const detent_joint_range *slide = &b.joints[index_of(&b, "slide")];
    const double at = 2, s = 0.3 * sin(at);
    runs_near("slide", slide->low, 0.3 * cos(at) + sqrt(0.64 - s * s), 1e-12);
    runs_near("at its end", slide->low_at, 2, 1e-12);
    drive(&b, "pivot", 2, NAN); /* outside: it is driven there first */
    assert_true(b.range.start == 2 && b.range.low == 2);
    runs_near("a turn from there", b.range.high, 2 + 2 * pi, 1e-12);
    /* nothing but an interval limits what no loop ties */
    drive(&b, "pivot", -30, 50);
    runs_near("several turns", b.range.high - b.range.low, 80, 0);
    runs_near("same stroke", slide->high - slide->low, 0.6, 1e-12);
    end(&b);
}

static void test_trees_and_gears(void **state)
{
    (void)state;
    bench b =
        begin("detent: 1\ngravity: [0, 0, 0]\n"
              "bodies: {one: {mass: 1, inertia: [1, 1, 1]}, two: {mass: 1, inertia: [1, 1, 1]}, "
              "three: {mass: 1, inertia: [1, 1, 1]}}\n"
              "joints:\n"
              "  p: {type: revolute, base: ground, follower: one}\n"
              "  s: {type: prismatic, base: ground, follower: two, initial: {position: 0.25}}\n"
              "  f: {type: revolute, base: one, follower: three, initial: {position: 2}}\n"
              "couplings: {mesh: {type: rack, joints: [p, s], radius: 0.5}}\n");
    drive(&b, "p", -1, 3);
    const detent_joint_range *s = &b.joints[index_of(&b, "s")], *f = &b.joints[index_of(&b, "f")];
    runs_near("rack", s->high - s->low, 2, 1e-12);
    runs_near("ratio", fabs(s->ratio_low), 0.5, 1e-14);
    runs_near("ratio", s->ratio_high, s->ratio_low, 1e-14);
    assert_true(f->low == 2 && f->high == 2 && f->ratio_high == 0);
    drive(&b, "f", NAN, NAN);
    assert_true(b.range.turns && b.range.low == 2);
    runs_near("turn", f->high, 2 + 2 * pi, 1e-14);
    assert_true(b.joints[index_of(&b, "p")].high == 0 &&
                b.joints[index_of(&b, "p")].ratio_high == 0);
    end(&b);
}

/* ---- what cannot be ---- */

static void refuse(bench *b, size_t primitive, double from, double to, detent_status status,
                   const char *words)
{
    detent_error error = {.message = ""};
    assert_int_equal(
        detent_find_range(b->analysis, primitive, from, to, &b->range, b->joints, &error), status);
    if (!strstr(error.message, words)) {
        fail_msg("'%s' is not in: %s", words, error.message);
    }
}

static void test_refused(void **state)
{
    (void)state;
    bench b = slider_crank("1");
    const size_t pivot = index_of(&b, "pivot"), slide = index_of(&b, "slide");
    refuse(&b, 99, NAN, NAN, DETENT_ERROR_ARGUMENT, "primitive");
    refuse(&b, index_of(&b, "ball"), NAN, NAN, DETENT_ERROR_ARGUMENT, "neither revolute nor");
    refuse(&b, pivot, 2, 1, DETENT_ERROR_ARGUMENT, "the interval from 2 to 1 is empty");
    refuse(&b, pivot, -INFINITY, 1, DETENT_ERROR_ARGUMENT, "not finite");
    refuse(&b, slide, 5, 6, DETENT_ERROR_ARGUMENT, "of 'slide'");
    detent_error error;
    assert_int_equal(detent_find_range(NULL, 0, NAN, NAN, &b.range, b.joints, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_find_range(b.analysis, pivot, NAN, NAN, NULL, b.joints, &error),
                     DETENT_ERROR_ARGUMENT);
    end(&b);
    b = slider_crank("0");
    refuse(&b, slide, NAN, NAN, DETENT_ERROR_NUMERIC, "stands at a dead centre");
    drive(&b, "pivot", NAN, NAN); /* the crank goes on from there */
    runs_near("stroke", b.joints[slide].high - b.joints[slide].low, 0.6, 1e-12);
    end(&b);
    /* five bars: two freedoms */
    b = begin(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {k: {mass: 1, inertia: [1, 1, 1]}, l: {mass: 1, inertia: [1, 1, 1]}, m: {mass: "
        "1, inertia: [1, 1, 1]}, n: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: k, initial: {position: 2}}\n"
        "  b: {type: revolute, base: k, follower: l, at: {base: [1, 0, 0]}, initial: {position: "
        "-1}}\n"
        "  c: {type: revolute, base: ground, follower: m, at: {base: [1, 0, 0]}, initial: "
        "{position: 1}}\n"
        "  d: {type: revolute, base: m, follower: n, at: {base: [1, 0, 0]}, initial: {position: "
        "1}}\n"
        "  e: {type: revolute, base: l, follower: n, at: {base: [1, 0, 0], follower: [1, 0, "
        "0]}}\n");
    refuse(&b, 0, NAN, NAN, DETENT_ERROR_ARGUMENT, "loops and couplings leave 2 freedoms");
    end(&b);
}

/* ---- mechanical advantage and transmission angles ---- */

/* The acute angle between coupler and rocker of a four-bar at a crank angle. */
static double four_bar_transmission(const double l[4], double angle)
{
    const double d = hypot(l[0] - l[1] * cos(angle), l[1] * sin(angle)),
                 mu = angle_in(l[2], l[3], d);
    return fmin(mu, pi - mu);
}

static void test_transmission_of_four_bar(void **state)
{
    (void)state;
    static const double l[] = {0.9, 0.3, 0.8, 0.6};
    bench b = four_bar(l, 1, 0, 1.2);
    drive(&b, "a", NAN, NAN);
    const detent_joint_range *d = &b.joints[index_of(&b, "d")];
    double least = INFINITY, advantage = INFINITY;
    for (int k = 0; k < 200000; k++) {
        const double angle = 2 * pi * k / 200000;
        least = fmin(least, four_bar_transmission(l, angle));
        advantage = fmin(advantage, 1 / fabs(ratio_at(l, angle)));
    }
    runs_near("least", d->transmission_low, least, 1e-9);
    same_angle("crank there", 1e-3 * remainder(d->transmission_low_at, 2 * pi), 0);
    runs_near("it passes 90 degrees", d->transmission_high, pi / 2, 1e-7);
    runs_near("advantage", d->advantage_low, advantage, 1e-9);
    runs_near("inverse ratio", d->advantage_low, 1 / fmax(fabs(d->ratio_low), fabs(d->ratio_high)),
              1e-12);
    assert_true(isinf(d->advantage_high)); /* where the rocker turns back */
    const double turns_back = fmin(fabs(remainder(d->advantage_high_at - d->low_at, 2 * pi)),
                                   fabs(remainder(d->advantage_high_at - d->high_at, 2 * pi)));
    runs_near("there", turns_back, 0, 1e-9);
    /* along a part of the way: its ends */
    drive(&b, "a", 0.8, 1.2);
    runs_near("at one end", d->transmission_low, four_bar_transmission(l, 0.8), 1e-9);
    runs_near("at the other", d->transmission_high, four_bar_transmission(l, 1.2), 1e-9);
    runs_near("at one end", d->transmission_low_at, 0.8, 1e-15);
    runs_near("ratio", d->advantage_low, 1 / fabs(ratio_at(l, d->advantage_low_at)), 1e-9);
    /* the rocker drives: 0 where crank and coupler are in a line */
    drive(&b, "d", NAN, NAN);
    const detent_joint_range *a = &b.joints[index_of(&b, "a")];
    assert_true(a->transmission_low == 0 && a->advantage_low == 0);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    end(&b);
}

/* Cut at each of its joints in turn: forces do not depend on where; turned in space, neither. */
static void test_transmission_of_slider(void **state)
{
    (void)state;
    static const char *const closes[] = {"wrist", "pin", "slide"};
    for (int k = 0; k < 6; k++) {
        char text[2048];
        const char *tilt =
            k < 3 ? "[0, 0, 0]"
                  : "{point: [0.3, -0.1, 2], rotation: {axis: [1, 2, 3], angle: 50 deg}}";
        snprintf(
            text, sizeof text,
            "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
            "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
            "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
            "  block: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
            "joints:\n"
            "  pivot: {type: revolute, base: ground, follower: crank, at: {base: %s}, initial: "
            "{position: 0.5, priority: exact}}\n"
            "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.2, 0, 0]}, "
            "initial: {position: -0.66}%s}\n"
            "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], at: "
            "{base: %s}, initial: {position: 0.768}%s}\n"
            "  wrist: {type: revolute, %s: [0.6, 0, 0]}, initial: {position: %s0.16}%s}\n",
            tilt, strcmp(closes[k % 3], "pin") ? "" : ", closes: true", tilt,
            strcmp(closes[k % 3], "slide") ? "" : ", closes: true",
            k % 3 == 2 ? "base: rod, follower: block, at: {base"
                       : "base: block, follower: rod, at: {follower",
            k % 3 == 2 ? "" : "-", strcmp(closes[k % 3], "wrist") ? "" : ", closes: true");
        bench b = begin(text);
        drive(&b, "pivot", NAN, NAN);
        const detent_joint_range *slide = &b.joints[index_of(&b, "slide")];
        assert_true(b.range.turns);
        runs_near("pressure angle", pi / 2 - slide->transmission_low, asin(0.2 / 0.6), 1e-8);
        runs_near("in a line", slide->transmission_high, pi / 2, 1e-7);
        assert_true(isinf(slide->advantage_high));
        drive(&b, "pivot", 0.4, 0.6);
        const double rod = asin(0.2 / 0.6 * sin(0.4)),
                     speed = 0.2 * sin(0.4) + 0.2 * cos(0.4) * tan(rod);
        runs_near("at 0.4", slide->transmission_high, pi / 2 - rod, 1e-8);
        runs_near("force at 0.4", slide->advantage_high, 1 / speed, 1e-8);
        end(&b);
    }
}

/* ---- branches that meet, or nearly do ---- */

/* A parallelogram goes round as one, and its other crank at the same speed; with a coupler that is longer by a gap the crank does not pass. */
static void test_gaps(void **state)
{
    (void)state;
    static const double gaps[] = {0, 1e-8, 1e-5, 1e-2};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
        const double l[] = {1, 0.5, 1 + gaps[k], 0.5};
        bench b = four_bar(l, 0.5, -0.5, 0.5);
        drive(&b, "a", NAN, NAN);
        const detent_joint_range *d = &b.joints[index_of(&b, "d")];
        if (gaps[k] == 0) {
            assert_true(b.range.turns);
            runs_near("one turn", b.range.high - b.range.low, 2 * pi, 1e-14);
            runs_near("the other crank's", d->high - d->low, 2 * pi, 1e-9);
            runs_near("as fast", d->ratio_low, 1, 1e-8);
            runs_near("as fast", d->ratio_high, 1, 1e-8);
        } else { /* coupler and other crank in a line */
            const double dead = angle_in(l[0], l[1], l[2] - l[3]);
            assert_false(b.range.turns);
            assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
            assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
            runs_near("lowest", b.range.low, dead, 1e-15 / dead + 1e-9);
            runs_near("highest", b.range.high, 2 * pi - dead, 1e-15 / dead + 1e-9);
        }
        end(&b);
    }
}

/* ---- whole turns ---- */

/* A worm on the crank of a crank-rocker: all is back after as many turns as the ratio says, and no sooner. */
static void test_worm(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  worm: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
        "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
        "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
        "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
        "joints:\n"
        "  w: {type: revolute, base: ground, follower: worm, axis: [1, 0, 0]}\n"
        "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1, priority: "
        "exact}}\n"
        "  b: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}, initial: "
        "{position: -1}}\n"
        "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, initial: "
        "{position: 1.2}}\n"
        "  c: {type: revolute, base: rocker, follower: rod, at: {base: [0.6, 0, 0], follower: "
        "[0.8, 0, 0]}}\n"
        "couplings:\n  mesh: {type: gear, joints: [w, a], ratio: %s}\n";
    static const double l[] = {0.9, 0.3, 0.8, 0.6};
    static const char *const ratios[] = {"30", "2.5", "3.1415926"};
    static const double turns[] = {30, 5, 0}, each[] = {1, 2, 0};
    for (int k = 0; k < 3; k++) {
        char own[2048];
        snprintf(own, sizeof own, text, ratios[k]);
        bench b = begin(own);
        drive(&b, "w", NAN, NAN);
        const detent_joint_range *d = &b.joints[index_of(&b, "d")],
                                 *a = &b.joints[index_of(&b, "a")];
        assert_int_equal(b.range.turns, turns[k] > 0);
        runs_near("rocker", d->high, pi - angle_in(l[0], l[3], l[2] - l[1]), 1e-9);
        runs_near("rocker", d->low, pi - angle_in(l[0], l[3], l[2] + l[1]), 1e-9);
        if (turns[k] > 0) {
            runs_near("worm", b.range.high - b.range.low, 2 * pi * turns[k], 1e-12);
            runs_near("crank", a->high - a->low, 2 * pi * each[k], 1e-9);
        } else {
            assert_int_equal(b.range.low_end, DETENT_RANGE_UNENDED);
            assert_int_equal(b.range.high_end, DETENT_RANGE_UNENDED);
        }
        /* far beyond: what comes back is not gone through again */
        if (turns[k] > 0) {
            drive(&b, "w", -1e7, 1e9);
            assert_int_equal(b.range.high_end, DETENT_RANGE_INTERVAL);
            assert_true(b.range.high == 1e9 && b.range.low == -1e7 && b.range.points < 50000);
            runs_near("crank", (a->high - a->low) / (b.range.high - b.range.low),
                      each[k] / turns[k], 1e-12);
            runs_near("rocker", d->high, pi - angle_in(l[0], l[3], l[2] - l[1]), 1e-9);
        }
        end(&b);
    }
}

/* A spindle lengthens a cylinder between arm and ground: it ends where the cylinder is in a line with the arm. */
static void test_spindle(void **state)
{
    (void)state;
    bench b = begin(
        "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  arm: {mass: 1, inertia: [0.1, 1, 1]}\n"
        "  tube: {mass: 1, inertia: [0.1, 1, 1]}\n"
        "  rod: {mass: 1, inertia: [0.1, 1, 1]}\n"
        "  spindle: {mass: 1, inertia: [0.1, 1, 1]}\n"
        "joints:\n"
        "  hinge: {type: revolute, base: ground, follower: arm, initial: {position: 0.3, "
        "priority: exact}}\n"
        "  foot: {type: revolute, base: ground, follower: tube, at: {base: [0, -0.5, 0]}, initial: "
        "{position: 0.8}}\n"
        "  slide: {type: prismatic, base: tube, follower: rod, axis: [1, 0, 0], initial: "
        "{position: 0.9}}\n"
        "  turn: {type: revolute, base: tube, follower: spindle, axis: [1, 0, 0]}\n"
        "  eye: {type: revolute, base: rod, follower: arm, at: {follower: [0.6, 0, 0]}}\n"
        "couplings:\n  lead: {type: screw, joints: [turn, slide], pitch: 0.02}\n");
    drive(&b, "turn", NAN, NAN);
    const detent_joint_range *slide = &b.joints[index_of(&b, "slide")];
    assert_false(b.range.turns);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
    runs_near("shortest", slide->low, 0.6 - 0.5, 1e-9);
    runs_near("longest", slide->high, 0.6 + 0.5, 1e-9);
    const detent_joint_range *hinge = &b.joints[index_of(&b, "hinge")];
    assert_true(isinf(hinge->ratio_high) && hinge->advantage_low == 0 &&
                hinge->transmission_low == 0);
    runs_near("turns of the spindle", b.range.high - b.range.low, 2 * pi / 0.02, 1e-6);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crank_rocker),
        cmocka_unit_test(test_double_rocker),
        cmocka_unit_test(test_any_four_bar),
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_trees_and_gears),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_transmission_of_four_bar),
        cmocka_unit_test(test_transmission_of_slider),
        cmocka_unit_test(test_worm),
        cmocka_unit_test(test_spindle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
