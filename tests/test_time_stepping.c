/*
 * Time stepping (`integrator: fixed`): who sticks stays where he is to the last bit, breaks away at the right load, whatever limits follow; runs are
 * the same to the bit whoever looks at them; energy never grows at stops; what is not covered is refused, with its name.
 */
#include "support_runs.h"

static detent_settings fixed(const detent_mechanism *m, double step)
{
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = step;
    return settings;
}

static detent_simulation *start(const detent_mechanism *m, double step)
{
    const detent_settings settings = fixed(m, step);
    return runs_start(m, &settings);
}

static void step_on(detent_simulation *sim, int steps)
{
    detent_error error = {.message = ""};
    for (int k = 0; k < steps; k++) {
        runs_must(detent_step(sim, &error), &error);
    }
}

static size_t mode_changes(detent_simulation *sim)
{
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_get_statistics(sim, &s);
    return s.mode_changes;
}

/* ---- sticking ---- */

/* Who is locked has no acceleration, just before events of others either. */
static void who_is_locked_is_not_accelerated_before_an_event(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  b0: {mass: 39, center_of_mass: [-0.0439, 0, 0], inertia: [0.378, 0.182, 0.543]}\n"
        "  b1: {mass: 0.068, center_of_mass: [0.197, 0, 0.0948], inertia: [9.8e-05, 0.00147, "
        "0.00152]}\n"
        "joints:\n"
        "  j0: {type: gimbal, base: ground, follower: b0, at: {base: {point: [0.404, 0, -0.0459], "
        "rotation: {rpy: [0.0462, -0.25, 0]}}, follower: [0, 0.29, -0.165]}, primitives: {r1: "
        "{damping: 0.0026}, r2: {spring: {stiffness: 11700, rest: 0}, damping: 117, nominal: "
        "{position: 0.142, velocity: 0.61}}, r3: {initial: {position: 0.0219, velocity: -1.77}, "
        "nominal: {position: 0.784, velocity: 0.123}}}}\n"
        "  j1: {type: custom, base: b0, follower: b1, row: [r, p], axes: [[1, 0, 0], [0, 1, 0]], "
        "at: {base: {point: [-0.43, 0.34, 0]}, follower: [0.103, -0.0242, 0]}, primitives: {r1: "
        "{damping: 0.07190000000000001}, p1: {initial: {position: 0.75, velocity: 1.65}, spring: "
        "{stiffness: 214, rest: 0.00541}}}}\n"
        "stiction:\n"
        "  j0.r1: {velocity_threshold: 2.67e-05, kinetic: \"0.0149*reaction_force(j0.r1)\", "
        "static: \"1.48*(0.0149*reaction_force(j0.r1))\", external: \"-64.1*cos(2*position(j0.r1)) "
        "+ -3.19*z0\"}\n"
        "  j0.r3: {velocity_threshold: 0.00101, kinetic: \"20.9\", static: \"20.9\", external: "
        "\"20.9*sin(4.57*t)\"}\n"
        "  j1.r1: {kinetic: \"0.111\", static: \"0.119\", external: \"-0.119*pulse(t, 0.343, "
        "0.143)\"}\n"
        "states:\n"
        "  z0: {initial: 0.774, nominal: 1, derivative: \"9.04*(sin(1*position(j0.r3)) - z0)\"}\n"
        "outputs: [mode(j1.r1), acceleration(j1.r1)]\n"
        "simulation: {end: 1, integrator: {type: fixed, step: 2.8 ms}}\n";
    (void)state;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    detent_error error = {.message = ""};
    detent_status status;
    int events = 0;
    while ((status = detent_advance(sim, 1, true, &error)) == DETENT_EVENT) {
        double out[2];
        runs_must(detent_read_before(sim, DETENT_OUTPUTS, out, 2, &error), &error);
        events += out[0] == 0;
        assert_true(out[0] != 0 || out[1] == 0);
    }
    runs_must(status, &error);
    assert_true(events > 3);
    runs_end(sim, m);
}

/* An arm that its brakes hold while its shoulder is pushed to and fro, just below the limit. */
static void joints_are_held_exactly(void **state)
{
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
        "b: {mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0.05, 0.05, 0.05]}}\n"
        "joints:\n"
        "  x: {type: revolute, base: ground, follower: a, initial: {position: 0.3}}\n"
        "  y: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}, initial: {position: "
        "0.1}}\n"
        "stiction: {x: {external: \"3*sin(7*t)\", static: 15, kinetic: 10}, y: {static: 2, "
        "kinetic: 1}}\n",
        NULL);
    detent_simulation *sim = start(m, 1e-3);
    const size_t before = mode_changes(sim);
    (void)state;
    for (int k = 0; k < 100; k++) {
        step_on(sim, 1000);
        assert_true(runs_position(m, sim, "x") == 0.3 && runs_position(m, sim, "y") == 0.1);
        assert_true(runs_velocity(m, sim, "x") == 0 && runs_velocity(m, sim, "y") == 0);
    }
    runs_near("time", detent_time(sim), 100, 1e-9);
    assert_int_equal(mode_changes(sim), before);
    runs_end(sim, m);
}

/* A chain that lets go, swings, and comes to rest: it stays there. */
static void a_chain_comes_to_rest_for_good(void **state)
{
    detent_mechanism *m = runs_load("hanging_chain.yaml", NULL);
    detent_simulation *sim = start(m, 1e-3);
    size_t count = 0;
    (void)state;
    step_on(sim, 20000);
    double *rest = runs_state(m, sim, &count);
    for (size_t k = count / 2; k < count; k++) {
        assert_true(rest[k] == 0);
    }
    step_on(sim, 20000);
    double *later = runs_state(m, sim, &count);
    assert_memory_equal(rest, later, count * sizeof *rest);
    free(rest);
    free(later);
    runs_end(sim, m);
}

/* Four pins of a loop share what one of them could hold, until all of them together cannot: at 2.485 s (IDA). */
static void a_loop_is_held_exactly(void **state)
{
    detent_mechanism *m = runs_load("four_bar.yaml", NULL);
    detent_simulation *sim = start(m, 1e-3);
    detent_error error = {.message = ""};
    size_t count = 0;
    (void)state;
    double *first = runs_state(m, sim, &count);
    for (int k = 0; k < 24; k++) {
        step_on(sim, 100);
        double *now = runs_state(m, sim, &count);
        assert_memory_equal(first, now, count * sizeof *now);
        free(now);
    }
    free(first);
    assert_int_equal(detent_advance(sim, 6, true, &error), DETENT_EVENT);
    assert_int_equal(detent_mode_change_count(sim), 4);
    runs_near("when it gives way", detent_time(sim), 2.485014954646026, 2e-3);
    runs_advance(sim, 6); /* and comes to rest */
    for (int k = 0; k < 2; k++) {
        static const char *const joint[] = {"main", "foot"};
        assert_true(runs_velocity(m, sim, joint[k]) == 0);
    }
    runs_end(sim, m);
}

static void it_breaks_away_at_the_static_limit(void **state)
{
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}}\n"
                   "joints: {x: {type: prismatic, base: ground, follower: a}}\n"
                   "stiction: {x: {external: \"1 [N/s]*t\", static: 3, kinetic: 2}}\n",
                   NULL);
    const double h = 1e-3;
    detent_simulation *sim = start(m, h);
    detent_mode_change change = DETENT_INIT(detent_mode_change);
    detent_error error = {.message = ""};
    (void)state;
    assert_int_equal(detent_advance(sim, 5, true, &error), DETENT_EVENT);
    assert_int_equal(detent_mode_change_count(sim), 1);
    assert_int_equal(detent_get_mode_change(sim, 0, &change), DETENT_OK);
    assert_true(change.from == DETENT_LOCKED && change.to == DETENT_WAIT &&
                change.cause == DETENT_CAUSE_LIMIT);
    assert_true(change.time > 3 - 1e-9 && change.time < 3 + 1.001 * h);
    assert_true(runs_position(m, sim, "x") == 0);
    /* that of the step's middle */
    runs_near("acceleration", change.margin, (change.time + h / 2 - 2) / 2, 1e-9);
    runs_advance(sim, 5); /* v = integral of (t - 2)/2 */
    runs_near("velocity", runs_velocity(m, sim, "x"), (9.0 - 1.0) / 4, 5 * h);
    runs_end(sim, m);
}

/* A joint that comes to rest meets static friction, not the lower one of motion, which would not hold it. */
static void it_is_held_by_static_friction_when_it_stops(void **state)
{
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, initial: {velocity: 1}}}\n"
        "stiction: {x: {external: -3, static: 3.1, kinetic: 1}}\n",
        NULL);
    detent_simulation *sim = start(m, 1e-3);
    (void)state;
    runs_advance(sim, 1);
    assert_int_equal(runs_mode(m, sim, "x"), DETENT_LOCKED);
    runs_near("where it stops", runs_position(m, sim, "x"), 1.0 / 8, 1e-3);
    runs_end(sim, m);
}

/* Coulomb's law on a slope: the angle decides, the push on the block does not. */
static void a_block_on_a_slope_sticks_below_the_angle_of_friction(void **state)
{
    static const char text[] =
        "detent: 1\nparameters: {mu: 0.4, slope: 0.999}\n"
        "gravity: [\"9.81*sin(atan(slope*mu))\", \"-9.81*cos(atan(slope*mu))\", 0]\n"
        "bodies: {a: {mass: 3}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}}\n"
        "stiction: {x: {static: mu*normal_force(x), kinetic: mu*normal_force(x)}}\n";
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {k ? "slope=1.001" : "slope=0.999", NULL};
        detent_mechanism *m = runs_parse(text, set);
        detent_simulation *sim = start(m, 1e-3);
        const double along = 9.81 * (k ? 0.001 : -0.001) * 0.4 / hypot(1, 0.4);
        step_on(sim, 1000);
        if (k) {
            runs_near("velocity", runs_velocity(m, sim, "x"), along, 1e-5);
        } else {
            assert_true(runs_velocity(m, sim, "x") == 0 && runs_position(m, sim, "x") == 0);
        }
        runs_end(sim, m);
    }
}

/* ---- stops ---- */

/* Height and speed of a ball: its energy falls in every step, and it comes to rest on the floor exactly. */
static void energy_never_grows_at_a_stop(void **state)
{
    static const char *const restitution[] = {"e=0", "e=0.3", "e=0.9", "e=1"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        const char *const set[] = {restitution[k], NULL};
        detent_mechanism *m = runs_parse(
            "detent: 1\nparameters: {e: 0}\ngravity: [0, 0, -9.81]\nbodies: {a: {mass: 1}}\n"
            "joints: {z: {type: prismatic, base: ground, follower: a, axis: [0, 0, 1], "
            "initial: {position: 0.5}, stops: {lower: {at: 0, restitution: e}}}}\n",
            set);
        detent_simulation *sim = start(m, 2e-3);
        double before = 9.81 * 0.5;
        for (int n = 0; n < 2000; n++) {
            step_on(sim, 1);
            const double z = runs_position(m, sim, "z"), v = runs_velocity(m, sim, "z"),
                         energy = 9.81 * z + v * v / 2;
            assert_true(z >= 0 && energy <= before * (1 + 1e-15));
            before = energy;
        }
        if (k < 2) {
            assert_true(runs_position(m, sim, "z") == 0 && runs_velocity(m, sim, "z") == 0);
            assert_int_equal(runs_mode(m, sim, "z"), DETENT_LOCKED);
        } else if (k == 3) { /* what is lost is the method's: half g^2 h^2 a step */
            runs_near("energy", before, 9.81 * 0.5, 9.81 * 9.81 * 2e-3 * 2e-3 / 2 * 2100);
        }
        runs_end(sim, m);
    }
}

/* ---- bits ---- */

static void run_is_the_same(detent_mechanism *m, bool restores)
{
    detent_error error = {.message = ""};
    detent_simulation *sim[2] = {start(m, 1e-3), start(m, 1e-3)};
    size_t count = 0;
    for (int n = 0; n < 20; n++) {
        step_on(sim[0], 100);
        for (int k = 0; k < 100; k++) {
            double *forces = malloc(64 * sizeof *forces);
            detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
            detent_mechanism_get_info(m, &info);
            step_on(sim[1], 1);
            if (k % 10 == 0) { /* who looks at accelerations and friction changes nothing */
                assert_true(info.freedoms <= 64);
                runs_must(detent_read(sim[1], DETENT_ACCELERATIONS, forces, info.freedoms, &error),
                          &error);
                runs_must(detent_read(sim[1], DETENT_FRICTIONS, forces, info.stictions, &error),
                          &error);
            }
            free(forces);
        }
        if (restores && n == 7) {
            const size_t size = detent_state_size(sim[1]);
            char *bytes = malloc(size);
            runs_must(detent_save_state(sim[1], bytes, size, &error), &error);
            detent_simulation_destroy(sim[1]);
            sim[1] = start(m, 1e-3);
            runs_must(detent_restore_state(sim[1], bytes, size, &error), &error);
            free(bytes);
        }
        double *a = runs_state(m, sim[0], &count), *b = runs_state(m, sim[1], &count);
        assert_memory_equal(a, b, count * sizeof *a);
        free(a);
        free(b);
    }
    detent_simulation_destroy(sim[1]);
    runs_end(sim[0], m);
}

/* By steps, or event by event to times between their ends. */
static void where_one_stops_makes_no_difference(void **state)
{
    static const char *const files[] = {"z1_arm.yaml", "hanging_chain.yaml", "ratchet.yaml",
                                        "robot_drive.yaml", "four_bar.yaml"};
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        detent_error error = {.message = ""};
        detent_mechanism *m = runs_load(files[k], NULL);
        detent_simulation *sim[2] = {start(m, 1e-3), start(m, 1e-3)};
        size_t count = 0;
        while (detent_time(sim[0]) < 0.9999) {
            step_on(sim[0], 1);
        }
        for (double t = 0; t < 1; t += 0.00617) {
            detent_status status;
            while ((status = detent_advance(sim[1], t, true, &error)) == DETENT_EVENT) {
            }
            runs_must(status, &error);
            free(runs_state(m, sim[1], &count));
        }
        runs_advance(sim[1], detent_time(sim[0]));
        double *a = runs_state(m, sim[0], &count), *b = runs_state(m, sim[1], &count);
        assert_memory_equal(a, b, count * sizeof *a);
        assert_int_equal(mode_changes(sim[0]), mode_changes(sim[1]));
        free(a);
        free(b);
        detent_simulation_destroy(sim[1]);
        runs_end(sim[0], m);
    }
}

static void runs_are_the_same_to_the_bit(void **state)
{
    (void)state;
    run_is_the_same(runs_load("z1_arm.yaml", NULL), true);
    run_is_the_same(runs_load("hanging_chain.yaml", NULL), true);
    run_is_the_same(runs_load("sticky_double_pendulum.yaml", NULL), false);
    run_is_the_same(runs_load("ratchet.yaml", NULL), false);
}

/* A state that is set again, a copy, and the beginning. */
static void it_begins_anew(void **state)
{
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_load("z1_arm.yaml", NULL);
    detent_simulation *sim = start(m, 1e-3), *clone = NULL, *fresh = start(m, 1e-3);
    size_t count = 0;
    (void)state;
    step_on(sim, 300);
    runs_must(detent_set_state(sim, detent_time(sim), NULL, NULL, NULL, NULL, &error), &error);
    runs_must(detent_clone(sim, &clone, &error), &error);
    step_on(fresh, 700);
    step_on(sim, 400);
    step_on(clone, 400);
    double *a = runs_state(m, sim, &count), *b = runs_state(m, clone, &count),
           *c = runs_state(m, fresh, &count);
    assert_memory_equal(a, b, count * sizeof *a);
    assert_memory_equal(a, c, count * sizeof *a);
    free(a);
    free(b);
    runs_must(detent_reset(sim, &error), &error);
    step_on(sim, 700);
    a = runs_state(m, sim, &count);
    assert_memory_equal(a, c, count * sizeof *a);
    free(a);
    free(c);
    detent_simulation_destroy(clone);
    detent_simulation_destroy(fresh);
    runs_end(sim, m);
}

/* Inputs hold from where they are set, between the ends of steps, too. */
static void inputs_hold_from_where_they_are_set(void **state)
{
    detent_error error = {.message = ""};
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\ninputs: {u: 0}\n"
                   "joints: {x: {type: prismatic, base: ground, follower: a, force: u}}\n",
                   NULL);
    detent_simulation *sim = start(m, 0.1);
    (void)state;
    runs_advance(sim, 0.25);
    runs_must(detent_set_input(sim, 0, 2, &error), &error);
    runs_advance(sim, 0.55);
    runs_must(detent_set_input(sim, 0, 0, &error), &error);
    runs_advance(sim, 1);
    runs_near("velocity", runs_velocity(m, sim, "x"), 2 * 0.3, 1e-12);
    runs_end(sim, m);
}

/* ---- the bound of solves ---- */

static void steps_end_at_the_bound_of_solves(void **state)
{
    const char *const set[] = {"n=100", NULL};
    (void)state;
    for (int most = 1; most <= 4; most++) {
        detent_mechanism *m = runs_load("hanging_chain.yaml", set);
        detent_settings settings = fixed(m, 5e-3);
        settings.max_solves = most;
        detent_simulation *sim = runs_start(m, &settings);
        detent_statistics s = DETENT_INIT(detent_statistics);
        step_on(sim, 200);
        detent_get_statistics(sim, &s);
        assert_true(s.max_search_solves <= (size_t)(2 * most + 2));
        assert_true(s.unsettled > 0 && s.unsettled < 200);
        assert_true(s.friction_work < 0);
        runs_end(sim, m);
    }
}

/* ---- refused ---- */

static void friction_that_drives_is_an_error(void **state)
{
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, initial: {velocity: 1}}}\n"
        "stiction: {x: {static: 2, kinetic: \"0.1 [N] - 1 [N/m]*position(x)\"}}\n",
        NULL);
    detent_simulation *sim = start(m, 1e-3);
    (void)state;
    assert_int_equal(detent_advance(sim, 5, false, &error), DETENT_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "the kinetic friction of 'x' is negative"));
    assert_true(detent_time(sim) > 0.09 && detent_time(sim) < 0.2);
    runs_end(sim, m);
}

/** `line`: where the error is told to be; 0: it has no place. */
static void refuses(const char *text, int line, const char *words)
{
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(text, NULL);
    const detent_settings settings = fixed(m, 1e-3);
    detent_simulation_options options = DETENT_INIT(detent_simulation_options);
    detent_simulation *sim = NULL;
    options.settings = &settings;
    assert_int_equal(detent_simulation_create(m, &options, &sim, &error), DETENT_ERROR_ARGUMENT);
    if (!strstr(error.message, words)) {
        fail_msg("'%s' is not in '%s'", words, error.message);
    }
    assert_int_equal(error.line, line);
    detent_mechanism_destroy(m);
}

static void what_it_has_not_is_refused(void **state)
{
#define JOINT                                                 \
    "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n" \
    "joints: {x: {type: prismatic, base: ground, follower: a"
    (void)state;
    refuses(JOINT "}}\nstiction: {x: {static: 2, kinetic: 1, locking: band, "
                  "velocity_threshold: 1e-3}}\n",
            0, "'locking: band' yet, as 'x' has");
    refuses(JOINT ", friction: {law: borello, breakaway: 2, coulomb: 1}}}\n", 4,
            "the friction law 'borello' of 'x' is for euler and rk4");
    refuses(JOINT ", friction: {law: quinn, coulomb: 1, velocity_band: 0.01}}}\n", 4,
            "follows the very forces that it changes ('quinn' does");
    refuses(JOINT ", force: \"-0.5*acceleration(x)\"}}\n", 0,
            "force that follows forces or accelerations yet, as 'x' has");
#undef JOINT
}

static void single_steps_are_its_own(void **state)
{
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_load("hanging_chain.yaml", NULL);
    detent_simulation *sim = runs_start(m, NULL);
    (void)state;
    assert_int_equal(detent_step(sim, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "integrator: fixed"));
    assert_int_equal(detent_step(NULL, &error), DETENT_ERROR_ARGUMENT);
    runs_end(sim, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_held_exactly),
        cmocka_unit_test(who_is_locked_is_not_accelerated_before_an_event),
        cmocka_unit_test(a_chain_comes_to_rest_for_good),
        cmocka_unit_test(a_loop_is_held_exactly),
        cmocka_unit_test(it_breaks_away_at_the_static_limit),
        cmocka_unit_test(it_is_held_by_static_friction_when_it_stops),
        cmocka_unit_test(a_block_on_a_slope_sticks_below_the_angle_of_friction),
        cmocka_unit_test(energy_never_grows_at_a_stop),
        cmocka_unit_test(runs_are_the_same_to_the_bit),
        cmocka_unit_test(where_one_stops_makes_no_difference),
        cmocka_unit_test(it_begins_anew),
        cmocka_unit_test(inputs_hold_from_where_they_are_set),
        cmocka_unit_test(steps_end_at_the_bound_of_solves),
        cmocka_unit_test(friction_that_drives_is_an_error),
        cmocka_unit_test(what_it_has_not_is_refused),
        cmocka_unit_test(single_steps_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
