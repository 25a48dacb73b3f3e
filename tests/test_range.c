/*
 * How far joints move when one is driven: four-bars by the cosine law, a slider-crank by its stroke, gears, what cannot be driven.
 */
#include "support_range.h"

/* ---- four-bars ---- */

static void test_crank_rocker(void **state)
{
    (void)state;
    static const double l[] = {0.9, 0.3, 0.8, 0.6};
    range_bench b = range_four_bar(l, 1, 0, 1.2);
    range_drive(&b, "a", NAN, NAN);
    assert_true(b.range.turns);
    assert_int_equal(b.range.high_end, DETENT_RANGE_INTERVAL);
    runs_near("turn", b.range.high - b.range.low, 2 * range_pi, 1e-14);
    const detent_joint_range *d = &b.joints[range_index(&b, "d")];
    const double out = l[2] + l[1], in = l[2] - l[1];
    runs_near("rocker, crank and rod in a line", d->high, range_pi - range_angle_in(l[0], l[3], in),
              1e-9);
    runs_near("rocker, one behind the other", d->low, range_pi - range_angle_in(l[0], l[3], out),
              1e-9);
    /* the larger distance makes the larger angle at the rocker's foot */
    range_same_angle("crank there", d->low_at, range_angle_in(l[0], out, l[3]));
    range_same_angle("crank there", d->high_at, range_pi + range_angle_in(l[0], in, l[3]));
    /* ratios against the formula, at many angles */
    double most = -INFINITY, least = INFINITY;
    for (int k = 0; k < 200000; k++) {
        const double ratio = range_ratio_at(l, 2 * range_pi * k / 200000);
        most = fmax(most, ratio);
        least = fmin(least, ratio);
    }
    runs_near("largest ratio", d->ratio_high, most, 1e-9);
    runs_near("least ratio", d->ratio_low, least, 1e-9);
    runs_near("place", range_ratio_at(l, d->ratio_high_at), most, 1e-9);
    /* the rocker as a driver: dead centres where the crank is in line with the rod */
    range_drive(&b, "d", NAN, NAN);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
    runs_near("lower dead centre", b.range.low, range_pi - range_angle_in(l[0], l[3], out), 1e-9);
    runs_near("upper dead centre", b.range.high, range_pi - range_angle_in(l[0], l[3], in), 1e-9);
    const detent_joint_range *a = &b.joints[range_index(&b, "a")];
    runs_near("crank's end", a->low, range_angle_in(l[0], out, l[3]), 1e-9);
    runs_near("crank's end", a->high, range_pi + range_angle_in(l[0], in, l[3]), 1e-9);
    assert_true(isinf(a->ratio_high) && isfinite(a->ratio_low));
    range_end(&b);
}

static void test_double_rocker(void **state)
{
    (void)state;
    static const double l[] = {1, 0.8, 0.7, 0.6}; /* 0.6 + 1 > 0.8 + 0.7: nobody turns */
    range_bench b = range_four_bar(l, 1, -1.3, 1.9);
    range_drive(&b, "a", NAN, NAN);
    const double limit = range_angle_in(l[0], l[1], l[2] + l[3]);
    assert_false(b.range.turns);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
    runs_near("lower limit", b.range.low, -limit, 1e-9);
    runs_near("upper limit", b.range.high, limit, 1e-9);
    const detent_joint_range *d = &b.joints[range_index(&b, "d")],
                             *c = &b.joints[range_index(&b, "c")];
    assert_true(isinf(d->ratio_high) || isinf(d->ratio_low));
    assert_true(isinf(c->ratio_high) || isinf(c->ratio_low));
    /* the pin between rod and rocker: in a line at the limits, folded most where crank and ground are in a line */
    runs_near("fold", c->high - c->low, range_pi - range_angle_in(l[2], l[3], l[0] - l[1]), 1e-9);
    const bool low = fabs(c->low_at) < fabs(c->high_at);
    runs_near("folded there", low ? c->low_at : c->high_at, 0, 1e-9);
    range_same_angle("in a line", low ? c->high : c->low, range_pi);
    range_drive(&b, "d", NAN, NAN);
    const double other = range_pi - range_angle_in(l[0], l[3], l[1] + l[2]);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    range_same_angle("limit of the other", b.range.low, other);
    range_same_angle("limit of the other", b.range.high, -other);
    range_end(&b);
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
        const double angle = range_pi * (0.02 + 0.96 * number[4]), out = l[2] + l[3],
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
        range_bench b = range_four_bar(l, angle, rod - angle, rocker);
        range_drive(&b, "a", NAN, NAN);
        const bool turns = far < 0 && near < 0;
        assert_true(b.range.turns == turns);
        turning += turns;
        stopping += !turns;
        if (!turns) {
            const double upper = far > 0 ? range_angle_in(l[0], l[1], out)
                                         : 2 * range_pi - range_angle_in(l[0], l[1], in),
                         lower = near > 0 ? range_angle_in(l[0], l[1], in) : -upper;
            assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
            assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
            runs_near("upper", b.range.high, upper, 1e-9);
            runs_near("lower", b.range.low, lower, 1e-9);
        }
        range_end(&b);
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

static range_bench slider_crank(const char *start)
{
    char text[2048];
    snprintf(text, sizeof text, crank, start);
    return range_begin(text);
}

static void test_slider_crank(void **state)
{
    (void)state;
    range_bench b = slider_crank("1");
    const detent_joint_range *slide = &b.joints[range_index(&b, "slide")],
                             *pivot = &b.joints[range_index(&b, "pivot")],
                             *wrist = &b.joints[range_index(&b, "wrist")];
    range_drive(&b, "pivot", NAN, NAN);
    assert_true(b.range.turns);
    runs_near("inner end", slide->low, 0.5, 1e-12);
    runs_near("outer end", slide->high, 1.1, 1e-12);
    runs_near("stroke", slide->high - slide->low, 0.6, 1e-12);
    range_same_angle("inner dead centre", slide->low_at, range_pi);
    range_same_angle("outer dead centre", slide->high_at, 0);
    runs_near("swing of the rod", wrist->high, asin(0.3 / 0.8), 1e-12);
    assert_true(isnan(b.joints[range_index(&b, "ball")].low));
    /* driven by the slider it sticks there */
    range_drive(&b, "slide", NAN, NAN);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
    runs_near("inner", b.range.low, 0.5, 1e-12);
    runs_near("outer", b.range.high, 1.1, 1e-12);
    runs_near("crank at the inner one", pivot->high, range_pi, 1e-9);
    runs_near("crank at the outer one", pivot->low, 0, 1e-9);
    runs_near("there", pivot->low_at, 1.1, 1e-12);
    assert_true(isinf(pivot->ratio_low) && pivot->ratio_low < 0);
    range_end(&b);
}

static void test_interval(void **state)
{
    (void)state;
    range_bench b = slider_crank("1");
    range_drive(&b, "pivot", 0.5, 2);
    assert_true(b.range.low == 0.5 && b.range.high == 2 && b.range.start == 1);
    const detent_joint_range *slide = &b.joints[range_index(&b, "slide")];
    const double at = 2, s = 0.3 * sin(at);
    runs_near("slide", slide->low, 0.3 * cos(at) + sqrt(0.64 - s * s), 1e-12);
    runs_near("at its end", slide->low_at, 2, 1e-12);
    range_drive(&b, "pivot", 2, NAN); /* outside: it is driven there first */
    assert_true(b.range.start == 2 && b.range.low == 2);
    runs_near("a turn from there", b.range.high, 2 + 2 * range_pi, 1e-12);
    /* nothing but an interval limits what no loop ties */
    range_drive(&b, "pivot", -30, 50);
    runs_near("several turns", b.range.high - b.range.low, 80, 0);
    runs_near("same stroke", slide->high - slide->low, 0.6, 1e-12);
    range_end(&b);
}

static void test_trees_and_gears(void **state)
{
    (void)state;
    range_bench b = range_begin(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {one: {mass: 1, inertia: [1, 1, 1]}, two: {mass: 1, inertia: [1, 1, 1]}, "
        "three: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  p: {type: revolute, base: ground, follower: one}\n"
        "  s: {type: prismatic, base: ground, follower: two, initial: {position: 0.25}}\n"
        "  f: {type: revolute, base: one, follower: three, initial: {position: 2}}\n"
        "couplings: {mesh: {type: rack, joints: [p, s], radius: 0.5}}\n");
    range_drive(&b, "p", -1, 3);
    const detent_joint_range *s = &b.joints[range_index(&b, "s")],
                             *f = &b.joints[range_index(&b, "f")];
    runs_near("rack", s->high - s->low, 2, 1e-12);
    runs_near("ratio", fabs(s->ratio_low), 0.5, 1e-14);
    runs_near("ratio", s->ratio_high, s->ratio_low, 1e-14);
    assert_true(f->low == 2 && f->high == 2 && f->ratio_high == 0);
    range_drive(&b, "f", NAN, NAN);
    assert_true(b.range.turns && b.range.low == 2);
    runs_near("turn", f->high, 2 + 2 * range_pi, 1e-14);
    assert_true(b.joints[range_index(&b, "p")].high == 0 &&
                b.joints[range_index(&b, "p")].ratio_high == 0);
    range_end(&b);
}

/* ---- what cannot be ---- */

static void refuse(range_bench *b, size_t primitive, double from, double to, detent_status status,
                   const char *words)
{
    detent_error error = {.message = ""};
    assert_int_equal(range_find(b->analysis, primitive, from, to, &b->range, b->joints, &error),
                     status);
    if (!strstr(error.message, words)) {
        fail_msg("'%s' is not in: %s", words, error.message);
    }
}

static void test_refused(void **state)
{
    (void)state;
    range_bench b = slider_crank("1");
    const size_t pivot = range_index(&b, "pivot"), slide = range_index(&b, "slide");
    refuse(&b, 99, NAN, NAN, DETENT_ERROR_ARGUMENT, "primitive");
    refuse(&b, range_index(&b, "ball"), NAN, NAN, DETENT_ERROR_ARGUMENT, "neither revolute nor");
    refuse(&b, pivot, 2, 1, DETENT_ERROR_ARGUMENT, "the interval from 2 to 1 is empty");
    refuse(&b, pivot, -INFINITY, 1, DETENT_ERROR_ARGUMENT, "not finite");
    refuse(&b, slide, 5, 6, DETENT_ERROR_ARGUMENT, "of 'slide'");
    detent_error error;
    assert_int_equal(range_find(NULL, 0, NAN, NAN, &b.range, b.joints, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_int_equal(range_find(b.analysis, pivot, NAN, NAN, NULL, b.joints, &error),
                     DETENT_ERROR_ARGUMENT);
    range_end(&b);
    b = slider_crank("0");
    refuse(&b, slide, NAN, NAN, DETENT_ERROR_NUMERIC, "stands at a dead centre");
    range_drive(&b, "pivot", NAN, NAN); /* the crank goes on from there */
    runs_near("stroke", b.joints[slide].high - b.joints[slide].low, 0.6, 1e-12);
    range_end(&b);
    /* five bars: two freedoms */
    b = range_begin(
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
    range_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crank_rocker), cmocka_unit_test(test_double_rocker),
        cmocka_unit_test(test_any_four_bar), cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_interval),     cmocka_unit_test(test_trees_and_gears),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
