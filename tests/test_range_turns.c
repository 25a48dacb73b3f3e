/*
 * Ranges of whole turns: parallelograms and gaps between branches, worms whose turns come back after many, a spindle.
 */
#include "support_range.h"

/* ---- branches that meet, or nearly do ---- */

/* A parallelogram goes round as one, and its other crank at the same speed; with a coupler that is longer by a gap the crank does not pass. */
static void test_gaps(void **state)
{
    (void)state;
    static const double gaps[] = {0, 1e-8, 1e-5, 1e-2};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
        const double l[] = {1, 0.5, 1 + gaps[k], 0.5};
        range_bench b = range_four_bar(l, 0.5, -0.5, 0.5);
        range_drive(&b, "a", NAN, NAN);
        const detent_joint_range *d = &b.joints[range_index(&b, "d")];
        if (gaps[k] == 0) {
            assert_true(b.range.turns);
            runs_near("one turn", b.range.high - b.range.low, 2 * range_pi, 1e-14);
            runs_near("the other crank's", d->high - d->low, 2 * range_pi, 1e-9);
            runs_near("as fast", d->ratio_low, 1, 1e-8);
            runs_near("as fast", d->ratio_high, 1, 1e-8);
        } else { /* coupler and other crank in a line */
            const double dead = range_angle_in(l[0], l[1], l[2] - l[3]);
            assert_false(b.range.turns);
            assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
            assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
            runs_near("lowest", b.range.low, dead, 1e-15 / dead + 1e-9);
            runs_near("highest", b.range.high, 2 * range_pi - dead, 1e-15 / dead + 1e-9);
        }
        range_end(&b);
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
        range_bench b = range_begin(own);
        range_drive(&b, "w", NAN, NAN);
        const detent_joint_range *d = &b.joints[range_index(&b, "d")],
                                 *a = &b.joints[range_index(&b, "a")];
        assert_int_equal(b.range.turns, turns[k] > 0);
        runs_near("rocker", d->high, range_pi - range_angle_in(l[0], l[3], l[2] - l[1]), 1e-9);
        runs_near("rocker", d->low, range_pi - range_angle_in(l[0], l[3], l[2] + l[1]), 1e-9);
        if (turns[k] > 0) {
            runs_near("worm", b.range.high - b.range.low, 2 * range_pi * turns[k], 1e-12);
            runs_near("crank", a->high - a->low, 2 * range_pi * each[k], 1e-9);
        } else {
            assert_int_equal(b.range.low_end, DETENT_RANGE_UNENDED);
            assert_int_equal(b.range.high_end, DETENT_RANGE_UNENDED);
        }
        /* far beyond: what comes back is not gone through again */
        if (turns[k] > 0) {
            range_drive(&b, "w", -1e7, 1e9);
            assert_int_equal(b.range.high_end, DETENT_RANGE_INTERVAL);
            assert_true(b.range.high == 1e9 && b.range.low == -1e7 && b.range.points < 50000);
            runs_near("crank", (a->high - a->low) / (b.range.high - b.range.low),
                      each[k] / turns[k], 1e-12);
            runs_near("rocker", d->high, range_pi - range_angle_in(l[0], l[3], l[2] - l[1]), 1e-9);
        }
        range_end(&b);
    }
}

/* A spindle lengthens a cylinder between arm and ground: it ends where the cylinder is in a line with the arm. */
static void test_spindle(void **state)
{
    (void)state;
    range_bench b = range_begin(
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
    range_drive(&b, "turn", NAN, NAN);
    const detent_joint_range *slide = &b.joints[range_index(&b, "slide")];
    assert_false(b.range.turns);
    assert_int_equal(b.range.low_end, DETENT_RANGE_DEAD_CENTRE);
    assert_int_equal(b.range.high_end, DETENT_RANGE_DEAD_CENTRE);
    runs_near("shortest", slide->low, 0.6 - 0.5, 1e-9);
    runs_near("longest", slide->high, 0.6 + 0.5, 1e-9);
    const detent_joint_range *hinge = &b.joints[range_index(&b, "hinge")];
    assert_true(isinf(hinge->ratio_high) && hinge->advantage_low == 0 &&
                hinge->transmission_low == 0);
    runs_near("turns of the spindle", b.range.high - b.range.low, 2 * range_pi / 0.02, 1e-6);
    range_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_worm),
        cmocka_unit_test(test_spindle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
