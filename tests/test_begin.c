/* Simulations that begin anew: reset, with a state that is given, as a copy. */
#include "test_api_fixture.h"

#include "support_changes.h"
#include "support_variants.h"

enum { MOST = 16 };

/** All that can be read of a run: time, positions, velocities, accelerations, frictions, modes. */
typedef struct snapshot {
    double time, q[MOST], v[MOST], a[MOST], f[MOST], mode[MOST];
} snapshot;

static snapshot look(const detent_mechanism *m, detent_simulation *s)
{
    detent_error e;
    snapshot n = {.time = detent_time(s)};
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    must(detent_read(s, DETENT_POSITIONS, n.q, info.coordinates, &e), &e);
    must(detent_read(s, DETENT_VELOCITIES, n.v, info.freedoms, &e), &e);
    must(detent_read(s, DETENT_ACCELERATIONS, n.a, info.freedoms, &e), &e);
    must(detent_read(s, DETENT_FRICTIONS, n.f, info.stictions, &e), &e);
    must(detent_read(s, DETENT_MODES, n.mode, info.stictions, &e), &e);
    return n;
}

static void equal(const snapshot *a, const snapshot *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static detent_mechanism *parse(const char *text)
{
    detent_error e;
    detent_mechanism *m = NULL;
    must(detent_mechanism_parse(text, strlen(text), "begin.yaml", NULL, &m, &e), &e);
    return m;
}

/* A four-bar, a controller with a state and samples, an input, a joint with a stop. */
static const char everything[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {motor: 0.3}\n"
    "sampled: {law: {every: 0.05 s, value: motor - 0.4*velocity(a) - sum}}\n"
    "states:\n"
    "  sum: {derivative: position(a) - 1.2, initial: 0.1}\n"
    "  late: {derivative: \"delay(position(fall), 0.03 s)*1 [1/m/s] - state(late)*1 [1/s]\"}\n"
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.05, 0, 0], inertia: [1e-3, 1e-3, 2e-3]}\n"
    "  rod: {mass: 1, center_of_mass: [0.2, 0, 0], inertia: [1e-3, 2e-2, 2e-2]}\n"
    "  rocker: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [1e-3, 1e-2, 1e-2]}\n"
    "  ball: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3]}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1}}\n"
    "  b: {type: revolute, base: crank, follower: rod, at: {base: [0.1, 0, 0]}, initial: "
    "{position: -0.6}}\n"
    "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.4, 0, 0]}, initial: "
    "{position: 1.8}}\n"
    "  c: {type: revolute, base: rod, follower: rocker, at: {base: [0.4, 0, 0], follower: [0.3, "
    "0, 0]}}\n"
    "  fall: {type: prismatic, base: ground, follower: ball, axis: [0, 1, 0], initial: "
    "{position: 0.3}}\n"
    "stops: {floor: {joint: fall, side: lower, at: 0, restitution: 0.6}}\n"
    "loads: {drive: {body: crank, torque: [0, 0, law]}}\n"
    "stiction: {a: {kinetic: 0.02, static: 0.03}, d: {kinetic: 0.02, static: 0.4}}\n";

/* What follows a reset is what a new simulation comes to, to the last bit. */
static void reset_is_new(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = parse(everything);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        const variant v = variant_at(number);
        const detent_settings settings = variant_settings(m, v);
        const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
        detent_simulation *s = NULL, *fresh = NULL;
        must(detent_simulation_create(m, &options, &fresh, &e), &e);
        must(detent_simulation_create(m, &options, &s, &e), &e);
        const size_t first = detent_mode_change_count(s);
        must(detent_set_input(s, 0, -0.2, &e), &e);
        must(detent_advance(s, 0.7, false, &e), &e);
        must(detent_reset(s, &e), &e);
        assert_true(detent_time(s) == 0);
        assert_int_equal(detent_mode_change_count(s), first);
        snapshot one = look(m, s), other = look(m, fresh);
        equal(&one, &other);
        for (int k = 1; k <= 8; k++) {
            must(detent_advance(s, 0.1 * k, false, &e), &e);
            must(detent_advance(fresh, 0.1 * k, false, &e), &e);
            one = look(m, s), other = look(m, fresh);
            equal(&one, &other);
        }
        detent_simulation_destroy(s);
        detent_simulation_destroy(fresh);
    }
    detent_mechanism_destroy(m);
}

/* Reading, setting what was read, and going on changes no bit. */
static void the_present_state_changes_nothing(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = parse(everything);
    detent_simulation *s = simulate(m), *other = simulate(m);
    for (int k = 1; k <= 8; k++) {
        double z[2];
        must(detent_advance(s, 0.1 * k, false, &e), &e);
        must(detent_advance(other, 0.1 * k, false, &e), &e);
        const snapshot now = look(m, s);
        must(detent_read(s, DETENT_STATES, z, 2, &e), &e);
        must(detent_set_state(s, now.time, now.q, now.v, NULL, z, &e), &e);
        must(detent_set_state(s, now.time, NULL, NULL, NULL, NULL, &e), &e);
        const snapshot there = look(m, other);
        equal(&now, &there);
    }
    detent_simulation_destroy(s);
    detent_simulation_destroy(other);
    detent_mechanism_destroy(m);
}

/* A pendulum from any state is the pendulum that begins there, energies too. */
static void a_given_state(void **state)
{
    UNUSED(state);
    static const char pendulum[] =
        "detent: 1\ngravity: [0, -9.81, 0]\nparameters: {angle: 0.2, speed: 0}\n"
        "bodies: {rod: {mass: 1, center_of_mass: [1, 0, 0]}}\n"
        "joints: {pin: {type: revolute, base: ground, follower: rod, initial: {position: angle, "
        "velocity: speed}}}\n"
        "stiction: {pin: {kinetic: 0.5, static: 0.8}}\n";
    const detent_parameter there[] = {{"angle", "-1.1"}, {"speed", "0.7"}};
    const detent_load_options options = {
        .size = sizeof options, .parameters = there, .parameter_count = 2};
    detent_error e;
    detent_mechanism *m = parse(pendulum), *begun = NULL;
    must(detent_mechanism_parse(pendulum, strlen(pendulum), "begun", &options, &begun, &e), &e);
    detent_simulation *s = simulate(m), *exact = simulate(begun);
    must(detent_advance(s, 1, false, &e), &e);
    const double q = -1.1, v = 0.7;
    must(detent_set_state(s, 0, &q, &v, NULL, NULL, &e), &e);
    size_t count;
    const detent_mode_change *change = last_event(s, &count);
    assert_int_equal(count, 1);
    assert_true(change->cause == DETENT_CAUSE_INITIAL && change->to_direction == 1);
    for (int k = 1; k <= 20; k++) {
        must(detent_advance(s, 0.1 * k, false, &e), &e);
        must(detent_advance(exact, 0.1 * k, false, &e), &e);
        const snapshot one = look(m, s), other = look(begun, exact);
        assert_true(fabs(one.q[0] - other.q[0]) < 1e-9 && fabs(one.v[0] - other.v[0]) < 1e-9);
        assert_true(one.mode[0] == other.mode[0]);
    }
    detent_statistics w = DETENT_INIT(detent_statistics), x = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &w);
    detent_get_statistics(exact, &x);
    assert_true(fabs(w.friction_work - x.friction_work) < 1e-8);
    assert_true(fabs(w.initial_energy - x.initial_energy) < 1e-12);
    detent_simulation_destroy(s);
    detent_simulation_destroy(exact);
    detent_mechanism_destroy(m);
    detent_mechanism_destroy(begun);
}

/* An input that no advance has taken yet is not lost. */
static void inputs_that_wait(void **state)
{
    UNUSED(state);
    static const char pushed[] =
        "detent: 1\ngravity: [0, 0, 0]\ninputs: {push: 0}\nbodies: {block: {mass: 2}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], force: "
        "push}}\n";
    detent_error e;
    detent_mechanism *m = parse(pushed);
    detent_simulation *s = simulate(m);
    const double q = 3, v = 0;
    must(detent_advance(s, 1, false, &e), &e);
    must(detent_set_input(s, 0, 4, &e), &e);
    must(detent_set_state(s, 0, &q, &v, NULL, NULL, &e), &e);
    must(detent_advance(s, 1, false, &e), &e);
    const snapshot now = look(m, s);
    assert_true(fabs(now.q[0] - 4) < 1e-9 && fabs(now.v[0] - 2) < 1e-9);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* In a loop the crank is given, and the others follow; the time may go back. */
static void loops_are_closed(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = parse(everything);
    detent_simulation *s = simulate(m);
    must(detent_advance(s, 0.5, false, &e), &e);
    snapshot now = look(m, s);
    const ptrdiff_t a = detent_find(m, DETENT_PRIMITIVE, "a");
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(m, (size_t)a, &p);
    bool given[MOST] = {false};
    given[p.first_freedom] = true;
    now.q[p.first_coordinate] = 1.3;
    now.v[p.first_freedom] = 0.25;
    must(detent_set_state(s, 0.1, now.q, now.v, given, NULL, &e), &e);
    const snapshot set = look(m, s);
    assert_true(set.time == 0.1);
    assert_true(set.q[p.first_coordinate] == 1.3 && set.v[p.first_freedom] == 0.25);
    /* the pin of rod and rocker, from both sides */
    static const char *const names[] = {"a", "b", "d"};
    double angle[3];
    for (size_t k = 0; k < 3; k++) {
        detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, names[k]), &p);
        angle[k] = set.q[p.first_coordinate];
    }
    const double qa = angle[0], qb = angle[1], qd = angle[2];
    assert_true(fabs(0.1 * cos(qa) + 0.4 * cos(qa + qb) - 0.4 - 0.3 * cos(qd)) < 1e-12);
    assert_true(fabs(0.1 * sin(qa) + 0.4 * sin(qa + qb) - 0.3 * sin(qd)) < 1e-12);
    must(detent_advance(s, 1, false, &e), &e);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* What is refused leaves the simulation as it was. */
static void refused(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = parse(everything);
    detent_simulation *s = simulate(m), *other = simulate(m);
    must(detent_advance(s, 0.4, false, &e), &e);
    must(detent_advance(other, 0.4, false, &e), &e);
    snapshot now = look(m, s);
    const snapshot before = now;
    const double nan = (double)NAN, odd[2] = {nan, nan};
    expect_argument_error(detent_set_state(NULL, 0, NULL, NULL, NULL, NULL, &e), &e, "simulation");
    expect_argument_error(detent_set_state(s, nan, NULL, NULL, NULL, NULL, &e), &e, "time");
    expect_argument_error(detent_set_state(s, 0, NULL, NULL, NULL, odd, &e), &e, "state 'sum'");
    now.q[0] = nan;
    expect_argument_error(detent_set_state(s, 0, now.q, NULL, NULL, NULL, &e), &e, "position");
    now = before;
    now.v[1] = (double)INFINITY;
    expect_argument_error(detent_set_state(s, 0, NULL, now.v, NULL, NULL, &e), &e, "velocity");
    expect_argument_error(detent_reset(NULL, &e), &e, "simulation");
    expect_argument_error(detent_clone(s, NULL, &e), &e, "place");
    now = look(m, s);
    equal(&now, &before);
    must(detent_advance(s, 0.9, false, &e), &e);
    must(detent_advance(other, 0.9, false, &e), &e);
    const snapshot one = look(m, s), two = look(m, other);
    equal(&one, &two);
    detent_simulation_destroy(s);
    detent_simulation_destroy(other);
    detent_mechanism_destroy(m);
}

/* A copy goes on as the original restored, and the original as if there were no copy. */
static void copies(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = parse(everything);
    detent_simulation *s = simulate(m), *alone = simulate(m), *copy = NULL;
    int own = 0;
    detent_set_user(s, &own);
    must(detent_advance(s, 0.33, false, &e), &e);
    must(detent_advance(alone, 0.33, false, &e), &e);
    must(detent_clone(s, &copy, &e), &e);
    assert_ptr_equal(detent_user(copy), &own);
    assert_null(detent_user(alone));
    snapshot one = look(m, s), other = look(m, copy);
    equal(&one, &other);
    const size_t size = detent_state_size(s);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    must(detent_save_state(s, bytes, size, &e), &e);
    must(detent_advance(s, 1, false, &e), &e);
    must(detent_advance(alone, 1, false, &e), &e);
    one = look(m, s), other = look(m, alone);
    equal(&one, &other);
    must(detent_restore_state(s, bytes, size, &e), &e);
    must(detent_advance(s, 1, false, &e), &e);
    must(detent_advance(copy, 1, false, &e), &e);
    one = look(m, s), other = look(m, copy);
    equal(&one, &other);
    free(bytes);
    detent_simulation_destroy(copy);
    detent_simulation_destroy(s);
    detent_simulation_destroy(alone);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reset_is_new),     cmocka_unit_test(the_present_state_changes_nothing),
        cmocka_unit_test(a_given_state),    cmocka_unit_test(inputs_that_wait),
        cmocka_unit_test(loops_are_closed), cmocka_unit_test(refused),
        cmocka_unit_test(copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
