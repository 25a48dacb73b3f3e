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

/* Whole vectors say what the calls for single items say. */
static void check_vectors(const detent_mechanism *m, detent_simulation *s)
{
    detent_error e;
    double pose[14], reaction[12], place[6], axis[6], limit[4], friction[2], margin[2], way[2],
        gravity[3], energy[6];
    read_all(s, DETENT_POSES, pose, 14);
    read_all(s, DETENT_REACTIONS, reaction, 12);
    read_all(s, DETENT_PLACES, place, 6);
    read_all(s, DETENT_AXES, axis, 6);
    read_all(s, DETENT_LIMITS, limit, 4);
    read_all(s, DETENT_FRICTIONS, friction, 2);
    read_all(s, DETENT_MARGINS, margin, 2);
    read_all(s, DETENT_DIRECTIONS, way, 2);
    read_all(s, DETENT_GRAVITY, gravity, 3);
    read_all(s, DETENT_ENERGIES, energy, 6);
    for (size_t i = 0; i < 2; i++) {
        double origin[3], rotation[4], wrench[6];
        int direction;
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        must(detent_get_pose(s, i, origin, rotation, &e), &e);
        must(detent_get_reaction(s, i, DETENT_REACTION_WORLD, false, wrench, &e), &e);
        detent_get_primitive(m, i, &p);
        assert_memory_equal(pose + 7 * i, origin, sizeof origin);
        assert_memory_equal(pose + 7 * i + 3, rotation, sizeof rotation);
        assert_memory_equal(reaction + 6 * i, wrench, sizeof wrench);
        const detent_mode mode = detent_get_mode(s, i, &direction);
        assert_true(way[i] == direction);
        assert_true(limit[2 * i] <= 0 && limit[2 * i + 1] >= 0);
        if (mode == DETENT_LOCKED) { /* the margin is what is left to the nearer limit */
            const double left = fmin(limit[2 * i + 1] - friction[i], friction[i] - limit[2 * i]);
            assert_true(fabs(margin[i] - left) <= 4 * DBL_EPSILON * limit[2 * i + 1]);
        }
        /* both turn about z, in the joint between the links */
        assert_true(axis[3 * i] == 0 && axis[3 * i + 1] == 0 && axis[3 * i + 2] == 1);
        assert_memory_equal(place + 3 * i, pose + 7 * i, 3 * sizeof(double));
    }
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    assert_true(energy[DETENT_ENERGY_KINETIC] == statistics.kinetic_energy);
    assert_true(energy[DETENT_ENERGY_POTENTIAL] == statistics.potential_energy);
    assert_true(energy[DETENT_ENERGY_FRICTION_WORK] == statistics.friction_work);
    assert_true(energy[DETENT_ENERGY_DAMPING_WORK] == statistics.damping_work);
    assert_true(energy[DETENT_ENERGY_ACTUATION_WORK] == statistics.actuation_work);
    assert_true(energy[DETENT_ENERGY_IMPACT_LOSS] == statistics.impact_loss);
    assert_true(hypot(gravity[0], gravity[1]) > 9);
}

static void test_whole_vectors(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m);
    assert_int_equal(detent_quantity_length(m, DETENT_POSES), 14);
    assert_int_equal(detent_quantity_length(m, DETENT_REACTIONS), 12);
    assert_int_equal(detent_quantity_length(m, DETENT_LIMITS), 4);
    assert_int_equal(detent_quantity_length(m, (detent_quantity)99), 0);
    assert_int_equal(detent_quantity_length(NULL, DETENT_POSES), 0);
    size_t jumps = 0;
    check_vectors(m, s);
    while (detent_advance(s, 5, true, &e) == DETENT_EVENT) {
        double before[12], after[12], energy[2], part;
        must(detent_read_before(s, DETENT_REACTIONS, before, 12, &e), &e);
        read_all(s, DETENT_REACTIONS, after, 12);
        jumps += memcmp(before, after, sizeof before) != 0;
        must(detent_read_before(s, DETENT_ENERGIES, energy, 2, &e), &e); /* the first of them */
        read_all(s, DETENT_ENERGIES, &part, 1);
        assert_true(fabs(part - energy[0]) <= 1e-7 * (1 + part)); /* nothing strikes */
        check_vectors(m, s);
    }
    assert_true(jumps > 3);
    double seven[7];
    expect_argument_error(detent_read(s, DETENT_ENERGIES, seven, 7, &e), &e, "values");
    expect_argument_error(detent_read(s, (detent_quantity)(DETENT_HELD + 1), seven, 1, &e), &e,
                          "quantity");
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* Masses and centres are those that were given, wherever the joint is, and where a loop is cut, too. */
static void test_bodies(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, -10, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.1, 0.2, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "  rod: {mass: 2, center_of_mass: [0.4, 0, 0.3], inertia: [0.1, 0.1, 0.1]}\n"
        "  slider: {mass: 1.5}\n"
        "joints:\n"
        "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 0.5}}\n"
        "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
        "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0],\n"
        "          initial: {position: 1.1}}\n"
        "  wrist: {type: revolute, base: slider, follower: rod, closes: true,\n"
        "          at: {follower: [0.8, 0, 0]}}\n";
    static const double mass[] = {1, 2, 1.5},
                        center[][3] = {{0.1, 0.2, 0}, {0.4, 0, 0.3}, {0, 0, 0}};
    detent_error e;
    detent_mechanism *m, *again;
    must(detent_mechanism_parse(text, strlen(text), "crank", NULL, &m, &e), &e);
    detent_body_info body = DETENT_INIT(detent_body_info);
    for (size_t b = 0; b < 3; b++) {
        must(detent_get_body(m, b, &body), NULL);
        assert_string_equal(body.name, detent_name(m, DETENT_BODY, b));
        assert_true(fabs(body.mass - mass[b]) <= DBL_EPSILON * mass[b]);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(body.center_of_mass[k] - center[b][k]) < 1e-15);
        }
    }
    assert_int_equal(detent_get_body(m, 3, &body), DETENT_ERROR_ARGUMENT);
    /* the same mechanism has the same fingerprint, another one another */
    detent_mechanism_info one = DETENT_INIT(detent_mechanism_info), two = one;
    char changed[sizeof text];
    memcpy(changed, text, sizeof text);
    for (int k = 0; k < 2; k++) {
        must(detent_mechanism_parse(changed, strlen(changed), "other", NULL, &again, &e), &e);
        detent_mechanism_get_info(m, &one);
        detent_mechanism_get_info(again, &two);
        assert_int_equal(one.fingerprint == two.fingerprint, k == 0);
        detent_mechanism_destroy(again);
        changed[strstr(text, "mass: 2") + 6 - text] = '3';
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs_are_readings),
        cmocka_unit_test(test_both_sides_of_an_event),
        cmocka_unit_test(test_reactions_and_poses),
        cmocka_unit_test(test_whole_vectors),
        cmocka_unit_test(test_bodies),
    };
    return cmocka_run_group_tests_name("api_readings", tests, NULL, NULL);
}
