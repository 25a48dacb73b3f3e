/* Double pendulums with stiction in both joints, against an independent event-driven program that locks at v = 0.
 *
 * The sticky double pendulum of the classical toolbox (mech_dpen_sticky) has friction in proportion to each joint's own
 * reaction; it is chaotic after some four seconds, so that only its beginning can be compared. The other one has constant friction and
 * comes to rest. Tolerances of the first are half a unit of the last digit that the reference gives. */

#include "support_runs.h"

static const double degree = 0.017453292519943295;

typedef struct pose {
    double q[2], v[2];
} pose;

static pose read_pose(const detent_mechanism *m, detent_simulation *s)
{
    return (pose){{runs_position(m, s, "shoulder"), runs_position(m, s, "elbow")},
                  {runs_velocity(m, s, "shoulder"), runs_velocity(m, s, "elbow")}};
}

/* ---- sticky double pendulum ---- */

static void check_sticky(detent_linear_solver solver)
{
    detent_mechanism *m = runs_load("sticky_double_pendulum.yaml", NULL);
    detent_settings settings = runs_settings(m, 1e-8, 1e-10);
    settings.linear_solver = solver;
    detent_simulation *s = runs_start(m, &settings);
    runs_log log = {0};

    assert_int_equal(runs_mode(m, s, "shoulder"), DETENT_WAIT);
    assert_int_equal(runs_mode(m, s, "elbow"), DETENT_WAIT);

    runs_record(s, 0.6, &log);
    pose p = read_pose(m, s);
    runs_near("q1(0.6)", p.q[0] / degree, 83.4064, 0.5e-4);
    runs_near("q2(0.6)", p.q[1] / degree, -106.6606, 0.5e-4);
    runs_near("v1(0.6)", p.v[0], 3.6463, 0.5e-4);
    runs_near("v2(0.6)", p.v[1], -0.5111, 0.5e-4);

    runs_record(s, 0.7, &log);
    const double lock =
        runs_time_of(&log, (size_t)detent_find(m, DETENT_STICTION, "elbow"), DETENT_LOCKED, 0);
    runs_near("time of the lock", lock, 0.6275, 0.5e-4);

    runs_record(s, 0.75, &log);
    p = read_pose(m, s);
    runs_near("q1(0.75)", p.q[0] / degree, 116.207, 0.5e-3);
    runs_near("q2(0.75)", p.q[1] / degree, -107.066, 0.5e-3);
    runs_near("v1(0.75)", p.v[0], 4.0237, 0.5e-4);
    assert_true(p.v[1] == 0.0);
    assert_true(runs_relative_energy_gap(s) < 1e-7);
    runs_log_free(&log);
    runs_end(s, m);
}

static void test_sticky_double_pendulum(void **state)
{
    UNUSED(state);
    check_sticky(DETENT_LINEAR_SOLVER_TREE);
}

static void test_sticky_double_pendulum_dense(void **state)
{
    UNUSED(state);
    check_sticky(DETENT_LINEAR_SOLVER_DENSE);
}

/* Where the second joint locks: q1 = 89.185 deg; and from there to 0.75 s it stays where it is, to the last bit. */
static void test_sticky_double_pendulum_at_its_lock(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_load("sticky_double_pendulum.yaml", NULL);
    const detent_settings settings = runs_settings(m, 1e-8, 1e-10);
    detent_simulation *s = runs_start(m, &settings);
    detent_error error;
    while (runs_mode(m, s, "elbow") != DETENT_LOCKED) {
        assert_int_equal(detent_advance(s, 1, true, &error), DETENT_EVENT);
    }
    const pose at_lock = read_pose(m, s);
    runs_near("q1 at the lock", at_lock.q[0] / degree, 89.185, 0.5e-3);
    runs_near("q2 at the lock", at_lock.q[1] / degree, -107.066, 0.5e-3);
    runs_advance(s, 0.75);
    const pose later = read_pose(m, s);
    assert_true(later.q[1] == at_lock.q[1] && later.v[1] == 0.0);
    runs_end(s, m);
}

/* ---- two uniform rods with constant friction, which come to rest ---- */

static void test_two_rods_come_to_rest(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(runs_rods_text, NULL);
    const detent_settings settings = runs_settings(m, 1e-9, 1e-11);
    detent_simulation *s = runs_start(m, &settings);
    runs_log log = {0};
    runs_record(s, 20, &log);
    /* Both angles are measured downwards there: from the x axis, clockwise. */
    const pose p = read_pose(m, s);
    runs_near("shoulder", -p.q[0], 1.596311039574, 1e-8);
    runs_near("elbow", -p.q[1], -0.0147767926015, 1e-8);
    assert_true(p.v[0] == 0.0 && p.v[1] == 0.0);
    runs_near("time of rest", log.change[log.count - 1].time, 14.676052088, 1e-8);
    assert_int_equal(runs_count_turns(&log),
                     1 + 45); /* the first search, then 45 breakaways and stops */
    runs_log_free(&log);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sticky_double_pendulum),
        cmocka_unit_test(test_sticky_double_pendulum_dense),
        cmocka_unit_test(test_sticky_double_pendulum_at_its_lock),
        cmocka_unit_test(test_two_rods_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
