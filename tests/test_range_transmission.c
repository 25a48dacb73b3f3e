/*
 * Mechanical advantages and transmission angles along ranges: formulas of a four-bar and of a slider-crank, cut at each of its joints.
 */
#include "support_range.h"

/* The acute angle between coupler and rocker of a four-bar at a crank angle. */
static double four_bar_transmission(const double l[4], double angle)
{
    const double d = hypot(l[0] - l[1] * cos(angle), l[1] * sin(angle)),
                 mu = range_angle_in(l[2], l[3], d);
    return fmin(mu, range_pi - mu);
}

static void test_transmission_of_four_bar(void **state)
{
    (void)state;
    static const double l[] = {0.9, 0.3, 0.8, 0.6};
    range_bench b = range_four_bar(l, 1, 0, 1.2);
    range_drive(&b, "a", NAN, NAN);
    const detent_joint_range *d = &b.joints[range_index(&b, "d")];
    double least = INFINITY, advantage = INFINITY;
    for (int k = 0; k < 200000; k++) {
        const double angle = 2 * range_pi * k / 200000;
        least = fmin(least, four_bar_transmission(l, angle));
        advantage = fmin(advantage, 1 / fabs(range_ratio_at(l, angle)));
    }
    runs_near("least", d->transmission_low, least, 1e-9);
    range_same_angle("crank there", 1e-3 * remainder(d->transmission_low_at, 2 * range_pi), 0);
    runs_near("it passes 90 degrees", d->transmission_high, range_pi / 2, 1e-7);
    runs_near("advantage", d->advantage_low, advantage, 1e-9);
    runs_near("inverse ratio", d->advantage_low, 1 / fmax(fabs(d->ratio_low), fabs(d->ratio_high)),
              1e-12);
    assert_true(isinf(d->advantage_high)); /* where the rocker turns back */
    const double turns_back =
        fmin(fabs(remainder(d->advantage_high_at - d->low_at, 2 * range_pi)),
             fabs(remainder(d->advantage_high_at - d->high_at, 2 * range_pi)));
    runs_near("there", turns_back, 0, 1e-9);
    /* along a part of the way: its ends */
    range_drive(&b, "a", 0.8, 1.2);
    runs_near("at one end", d->transmission_low, four_bar_transmission(l, 0.8), 1e-9);
    runs_near("at the other", d->transmission_high, four_bar_transmission(l, 1.2), 1e-9);
    runs_near("at one end", d->transmission_low_at, 0.8, 1e-15);
    runs_near("ratio", d->advantage_low, 1 / fabs(range_ratio_at(l, d->advantage_low_at)), 1e-9);
    /* the rocker drives: 0 where crank and coupler are in a line */
    range_drive(&b, "d", NAN, NAN);
    const detent_joint_range *a = &b.joints[range_index(&b, "a")];
    assert_true(a->transmission_low == 0 && a->advantage_low == 0);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    range_end(&b);
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
        range_bench b = range_begin(text);
        range_drive(&b, "pivot", NAN, NAN);
        const detent_joint_range *slide = &b.joints[range_index(&b, "slide")];
        assert_true(b.range.turns);
        runs_near("pressure angle", range_pi / 2 - slide->transmission_low, asin(0.2 / 0.6), 1e-8);
        runs_near("in a line", slide->transmission_high, range_pi / 2, 1e-7);
        assert_true(isinf(slide->advantage_high));
        range_drive(&b, "pivot", 0.4, 0.6);
        const double rod = asin(0.2 / 0.6 * sin(0.4)),
                     speed = 0.2 * sin(0.4) + 0.2 * cos(0.4) * tan(rod);
        runs_near("at 0.4", slide->transmission_high, range_pi / 2 - rod, 1e-8);
        runs_near("force at 0.4", slide->advantage_high, 1 / speed, 1e-8);
        range_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transmission_of_four_bar),
        cmocka_unit_test(test_transmission_of_slider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
