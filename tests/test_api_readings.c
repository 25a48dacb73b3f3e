/* The public API: what can be read of a simulation. */

#include "support_changes.h"
#include "test_api_fixture.h"

#include <float.h>

/* ---- reading ---- */

static void test_outputs_are_readings(void **state)
{
    UNUSED(state);
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m);
    double outputs[4];
    for (int i = 0; i < 30; i++) {
        advance(s, 0.1 * i);
        links_state now = read_links(s);
        read_all(s, DETENT_OUTPUTS, outputs, 4);
        assert_true(outputs[0] == now.q[1]);
        assert_true(outputs[1] == now.f[1]);
        assert_true(outputs[2] == now.modes[0]);
        assert_true(outputs[3] == 2 * now.v[0]);
    }
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void test_both_sides_of_an_event(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m);
    size_t events = 0;
    while (detent_advance(s, 5, true, &e) == DETENT_EVENT) {
        double before[2], after[2], modes[2];
        size_t count;
        const detent_mode_change *change = last_event(s, &count);
        must(detent_read_before(s, DETENT_POSITIONS, before, 2, &e), &e);
        read_all(s, DETENT_POSITIONS, after, 2);
        assert_true(fabs(before[0] - after[0]) < 1e-9 && fabs(before[1] - after[1]) < 1e-9);
        must(detent_read_before(s, DETENT_VELOCITIES, before, 2, &e), &e);
        read_all(s, DETENT_VELOCITIES, after, 2);
        assert_true(fabs(before[0] - after[0]) < 1e-7 && fabs(before[1] - after[1]) < 1e-7);
        must(detent_read_before(s, DETENT_MODES, modes, 2, &e), &e);
        for (size_t i = 0; i < count; i++) {
            int direction;
            assert_true(modes[change[i].stiction] == (double)change[i].from);
            assert_int_equal(detent_get_mode(s, change[i].stiction, &direction), change[i].to);
            assert_int_equal(direction, change[i].to_direction);
            assert_true(change[i].time == detent_time(s));
            /* A locked joint does not move, to the last bit. */
            assert_true(change[i].to != DETENT_LOCKED || after[change[i].stiction] == 0);
        }
        events++;
    }
    assert_true(events > 3);
    double values[2];
    expect_argument_error(detent_read_before(s, DETENT_POSITIONS, values, 2, &e), &e, "before");
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    assert_true(statistics.events >= events);
    assert_true(statistics.steps > 0 && statistics.memory > 0);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* A load that hangs still: the reaction is its weight, whatever the frame. */
static void test_reactions_and_poses(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, -10, 0]\n"
        "bodies: {rod: {mass: 3, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1],\n"
        "         at: {base: [1, 2, 3]}, initial: {position: 30 deg}}}\n"
        "stiction: {pin: {velocity_threshold: 1e-3, kinetic: 100, static: 100}}\n";
    detent_error e;
    detent_mechanism *m;
    must(detent_mechanism_parse(text, strlen(text), "rod", NULL, &m, &e), &e);
    detent_simulation *s = simulate(m);
    assert_int_equal(detent_get_mode(s, 0, NULL), DETENT_LOCKED);
    const double c = cos(acos(-1.0) / 6), h = 0.5, weight = 30, moment = weight * 0.5 * c;
    double w[6], origin[3], rotation[4];
    must(detent_get_reaction(s, 0, DETENT_REACTION_WORLD, false, w, &e), &e);
    const double world[6] = {0, weight, 0, 0, 0, moment};
    for (int k = 0; k < 6; k++) {
        assert_true(fabs(w[k] - world[k]) < 1e-12);
    }
    must(detent_get_reaction(s, 0, DETENT_REACTION_BASE, true, w, &e), &e);
    for (int k = 0; k < 6; k++) {
        assert_true(fabs(w[k] + world[k]) < 1e-12);
    }
    must(detent_get_reaction(s, 0, DETENT_REACTION_FOLLOWER, false, w, &e), &e);
    const double local[6] = {weight * h, weight * c, 0, 0, 0, moment};
    for (int k = 0; k < 6; k++) {
        assert_true(fabs(w[k] - local[k]) < 1e-12);
    }
    must(detent_get_pose(s, 0, origin, rotation, &e), &e);
    assert_true(origin[0] == 1 && origin[1] == 2 && origin[2] == 3);
    assert_true(fabs(rotation[0] - cos(acos(-1.0) / 12)) < 1e-15);
    assert_true(fabs(rotation[3] - sin(acos(-1.0) / 12)) < 1e-15);
    double force, friction;
    read_all(s, DETENT_FORCES, &force, 1);
    read_all(s, DETENT_FRICTIONS, &friction, 1);
    assert_true(fabs(friction - moment) < 1e-12 && fabs(force) < 1e-12);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs_are_readings),
        cmocka_unit_test(test_both_sides_of_an_event),
        cmocka_unit_test(test_reactions_and_poses),
    };
    return cmocka_run_group_tests_name("api_readings", tests, NULL, NULL);
}
