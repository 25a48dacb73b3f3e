/*
 * Kinetic friction that follows the forces of the step that it is in, also where it changes them by more than itself: a fixed point with a gain above one runs
 * away, and a mesh or a bearing may jam.
 */
#include "support_order.h"

static detent_mechanism *gear_of(double efficiency, double friction)
{
    char text[2000];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [1, 1, 0.1]}}\n"
             "joints:\n"
             "  in: {type: revolute, base: ground, follower: a, "
             "force: \"6*sin(5*t) + 3*sin(13*t)\"}\n"
             "  out: {type: revolute, base: ground, follower: b, at: {base: [0.3, 0, 0]}, "
             "spring: {stiffness: 2}}\n"
             "stiction: {out: {kinetic: %g, static: %g}}\n"
             "couplings: {g: {type: gear, joints: [in, out], ratio: 0.25, "
             "friction: {efficiency: %g}}}\n"
             "outputs: [position(in), velocity(in), position(out), velocity(out)]\n",
             friction, 1.5 * friction, efficiency);
    return runs_parse(text, NULL);
}

/* What drives: gain 0.43; a mesh that locks itself: gains 1.5 and 3, which also jam. */
static void meshes_converge_whatever_their_gain(void **state)
{
    (void)state;
    order_check_first(gear_of(0.7, 0.1), 3, 1e-3);
    order_check_first(gear_of(0.4, 0), 3, 1e-3);
    order_check_first(gear_of(0.25, 0), 3, 1e-3);
}

/* What is pushed beside its guide binds: gain 0.5, and with a short guide 1.5, where it jams. */
static void a_drawer_that_binds_converges(void **state)
{
    (void)state;
    for (int jams = 0; jams < 2; jams++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, -9.81]\n"
                 "bodies: {d: {mass: 2, center_of_mass: [0, 0.15, 0.1], "
                 "inertia: [0.02, 0.02, 0.02]}}\n"
                 "joints: {x: {type: prismatic, base: ground, follower: d, axis: [1, 0, 0], "
                 "spring: {stiffness: 100}}}\n"
                 "stiction: {x: {bearing: {coefficient: %g, static_coefficient: %g, length: 0.2}, "
                 "external: \"25*sin(6*t) + 12*sin(15*t)\"}}\n"
                 "outputs: [position(x), velocity(x)]\n",
                 jams ? 0.8 : 0.3, jams ? 0.9 : 0.4);
        order_check_first(runs_parse(text, NULL), 2, jams ? 2.5e-4 : 1e-3);
    }
}

/*
 * A mesh that rubs comes to a stop, and rests there under load: forces of the step before are those of the blow then, by which friction would be a hundred
 * times what it is. Modes are found all the same, in all steps; and where they are not, nothing else is lost.
 */
static void a_mesh_that_rubs_rests_at_a_stop(void **state)
{
    (void)state;
    detent_mechanism *mechanism = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 0.01]}, b: {mass: 1, inertia: [1, 1, 0.01]}}\n"
        "joints:\n"
        "  in: {type: revolute, base: ground, follower: a, force: -0.4, "
        "initial: {velocity: -1}}\n"
        "  out: {type: revolute, base: ground, follower: b, stops: {lower: {at: -0.03}}}\n"
        "couplings: {g: {type: gear, joints: [in, out], ratio: 1, "
        "friction: {efficiency: 0.85}}}\n"
        "outputs: [position(in), velocity(in)]\n",
        NULL);
    static const int most[] = {20, 1};
    for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
        detent_settings settings = runs_settings(mechanism, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = 1e-3;
        settings.max_solves = most[k];
        detent_simulation *simulation = runs_start(mechanism, &settings);
        runs_advance(simulation, 1);
        runs_near("where it rests", runs_position(mechanism, simulation, "in"), -0.03, 1e-12);
        assert_true(most[k] == 1 || runs_velocity(mechanism, simulation, "in") == 0);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        assert_int_equal(detent_get_statistics(simulation, &statistics), DETENT_OK);
        assert_true(most[k] == 1 || statistics.unsettled == 0);
        detent_simulation_destroy(simulation);
    }
    detent_mechanism_destroy(mechanism);
}

/* Who turns round where his test friction alone would hold him, but has no friction, goes on; in steps of any length to where the exact run has him. */
static void a_test_friction_that_gives_way_leaves_what_there_is(void **state)
{
    (void)state;
    detent_mechanism *m = runs_load("../tests/found/turns_under_its_test.yaml", NULL);
    detent_simulation *exact = runs_start(m, NULL);
    runs_advance(exact, 0.35);
    const double velocity = runs_velocity(m, exact, "j1");
    for (int k = 0; k < 3; k++) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = 0.000851 / (1 << k);
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, 0.35);
        /* it turns round up to a step late, with 40 rad/s^2 */
        runs_near("velocity", runs_velocity(m, sim, "j1"), velocity, 40 * settings.step);
        detent_simulation_destroy(sim);
    }
    runs_end(exact, m);
}

/* The same of who is at rest at the start of a step, and gives way while what else there is in it is corrected. */
static void a_test_friction_gives_way_within_a_correction(void **state)
{
    (void)state;
    detent_mechanism *m = runs_load("../tests/found/gives_way_in_a_correction.yaml", NULL);
    detent_simulation *exact = runs_start(m, NULL);
    runs_advance(exact, 0.865);
    for (int k = 0; k < 2; k++) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = 8e-4 / (1 << 2 * k);
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, 0.865);
        const double off = fabs(runs_position(m, sim, "j1") - runs_position(m, exact, "j1"));
        runs_near("place", off, 0,
                  2.08e-4); /* c2 tells no less of a way, and what drives follows it */
        detent_simulation_destroy(sim);
    }
    runs_end(exact, m);
}

/*
 * A screw that loses a fifth, with friction at both of its joints, turns round by a torque that static friction with what the screw loses then holds, below 0.06684 N m: it comes to
 * rest, and stays, by whatever forces it has come to rest; and goes on above that.
 */
static void a_screw_that_rubs_comes_to_rest(void **state)
{
    static const double torques[] = {0.05, 0.06, 0.065, 0.0665, 0.067}, steps[] = {1e-3, 1e-4};
    (void)state;
    for (int n = 0; n < 5; n++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\nparameters: {u: %g, r: 0.02/2/pi}\n"
                 "bodies: {g: {mass: 0.2, inertia: [1e-3, 1e-3, 1e-3]}, n: {mass: 15}}\njoints:\n"
                 "  g: {type: revolute, base: ground, follower: g, initial: {velocity: -0.01/r}}\n"
                 "  n: {type: prismatic, axis: [1, 0, 0], base: ground, follower: n, initial: "
                 "{velocity: -0.01}}\n"
                 "couplings: {s: {type: screw, joints: [g, n], pitch: 0.02, friction: {efficiency: "
                 "0.8}}}\n"
                 "stiction:\n  g: {external: u, kinetic: 0.01, static: 0.02}\n"
                 "  n: {kinetic: 7.3575, static: 11.772}\n",
                 torques[n]);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *exact = runs_start(m, NULL);
        runs_advance(exact, 0.5);
        const double place = runs_position(m, exact, "n");
        assert_true((place > 0) == (torques[n] > 0.06684));
        for (int k = 0; k < 2; k++) {
            detent_settings settings = runs_settings(m, 0, 0);
            settings.integrator = DETENT_INTEGRATOR_FIXED;
            settings.step = steps[k];
            detent_simulation *sim = runs_start(m, &settings);
            runs_advance(sim, 0.5);
            assert_true(fabs(runs_position(m, sim, "n") - place) <
                        (place > 0 ? 0.05 : 2e-4) * steps[k]);
            assert_true(place > 0 || runs_velocity(m, sim, "n") == 0);
            detent_simulation_destroy(sim);
        }
        runs_end(exact, m);
    }
}

/* Friction that follows reactions, in a loop: beside a law with bristles that has nothing to do with it the loop moves as it does alone, to rounding. */
static void bristles_elsewhere_change_nothing(void **state)
{
    static const double step = 1e-3;
    double place[2];
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
                 "  c: {mass: 1, inertia: [0.01, 0.01, 0.01], center_of_mass: [0.1, 0, 0]}\n"
                 "  r: {mass: 1.5, inertia: [0.07, 0.07, 0.07], center_of_mass: [0.25, 0, 0]}\n"
                 "  s: {mass: 1}\n%sjoints:\n"
                 "  c: {type: revolute, base: ground, follower: c, force: 12, initial: {position: "
                 "0.5, velocity: 3}}\n"
                 "  p: {type: revolute, base: c, follower: r, at: {base: [0.2, 0, 0]}}\n"
                 "  s: {type: prismatic, base: ground, follower: s, axis: [1, 0, 0], initial: "
                 "{position: 0.6}}\n"
                 "  w: {type: revolute, base: s, follower: r, at: {follower: [0.5, 0, 0]}}\n%s"
                 "stiction: {s: {kinetic: \"0.1*normal_force(s)\", static: "
                 "\"0.2*normal_force(s)\"}}\n",
                 beside ? "  z: {mass: 1}\n" : "",
                 beside
                     ? "  z: {type: prismatic, base: ground, follower: z, axis: [1, 0, 0], force: "
                       "sin(3*t) + 2, friction: {law: lugre, coulomb: 1, stiffness: 300, "
                       "damping: 3}}\n"
                     : "");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = step;
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, 0.3);
        place[beside] = runs_position(m, sim, "c");
        runs_end(sim, m);
    }
    assert_true(fabs(place[0]) > 0.6 && fabs(place[1] - place[0]) < 1e-10);
}

/*
 * A drawer whose mass is beside its guide, pushed while it slides freely: 2 a = 5 - 6 |a| has two solutions, and friction comes to the one that grows with the
 * push from nothing.
 */
static void a_drawer_goes_on_as_it_is_pushed(void **state)
{
    static const double steps[] = {1e-2, 1e-3};
    (void)state;
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {b: {mass: 2, center_of_mass: [0, 0.1, 0], inertia: [.01, .01, .01]}}\n"
                   "joints: {x: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], "
                   "initial: {velocity: 1}}}\n"
                   "stiction: {x: {external: \"if(t < 0.5, 0, 5)\", "
                   "bearing: {coefficient: 0.3, length: 0.02}}}\n",
                   NULL);
    for (size_t n = 0; n < 2; n++) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = steps[n];
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, 1);
        runs_near("velocity", runs_velocity(m, sim, "x"), 1 + 0.5 * 0.625, 1e-6);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* A worm that has jammed, and is pushed back: it gives way at once with what its friction comes to by itself, in every step with a solution. */
static void a_worm_goes_back_after_its_jam(void **state)
{
    static const double steps[] = {1e-3, 1e-4};
    (void)state;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {l: {mass: 1, inertia: [1, 1, 1]}, x: {mass: 0.1, inertia: [0.25, 0.25, 0.25]}}\n"
        "joints:\n  cl: {type: revolute, base: ground, follower: x, force: 20*sin(3*t)}\n"
        "  jl: {type: revolute, base: ground, follower: l}\n"
        "couplings: {b: {type: gear, joints: [cl, jl], ratio: 1, "
        "friction: {coefficient: 0.1, lead_angle: 3 deg}}}\n",
        NULL);
    detent_settings settings = runs_settings(m, 1e-9, 0);
    detent_simulation *exact = runs_start(m, &settings);
    runs_advance(exact, 2);
    for (size_t n = 0; n < 2; n++) {
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = steps[n];
        detent_simulation *sim = runs_start(m, &settings);
        detent_statistics now = DETENT_INIT(detent_statistics);
        runs_advance(sim, 2);
        detent_get_statistics(sim, &now);
        assert_int_equal(now.unsettled, 0);
        runs_near("velocity", runs_velocity(m, sim, "cl"), runs_velocity(m, exact, "cl"),
                  5 * steps[n]);
        detent_simulation_destroy(sim);
    }
    runs_end(exact, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worm_goes_back_after_its_jam),
        cmocka_unit_test(a_drawer_goes_on_as_it_is_pushed),
        cmocka_unit_test(bristles_elsewhere_change_nothing),
        cmocka_unit_test(a_screw_that_rubs_comes_to_rest),
        cmocka_unit_test(meshes_converge_whatever_their_gain),
        cmocka_unit_test(a_drawer_that_binds_converges),
        cmocka_unit_test(a_mesh_that_rubs_rests_at_a_stop),
        cmocka_unit_test(a_test_friction_that_gives_way_leaves_what_there_is),
        cmocka_unit_test(a_test_friction_gives_way_within_a_correction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
