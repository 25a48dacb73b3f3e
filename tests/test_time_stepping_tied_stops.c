/*
 * Time stepping where joints are tied and have stops, freewheels and rigid backlash: it converges to the event-driven solution, nobody is ever beyond a stop,
 * and impacts make no energy.
 */
#include "support_order.h"

/* A piston between two stops, driven by its crank: impulses go through the loop. */
static const char crank_between_stops[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 0.5, center_of_mass: [0.03, 0, 0], inertia: [0.01, 0.01, 0.02]}\n"
    "  rod: {mass: 0.8, center_of_mass: [0.12, 0.01, 0], inertia: [0.01, 0.01, 0.007]}\n"
    "  piston: {mass: 0.6}\n"
    "joints:\n"
    "  main: {type: revolute, base: ground, follower: crank, "
    "initial: {position: 0.5, velocity: 9, priority: exact}}\n"
    "  big: {type: revolute, base: crank, follower: rod, at: {base: [0.1, 0, 0]}, "
    "initial: {position: -0.7}}\n"
    "  small: {type: revolute, base: piston, follower: rod, at: {follower: [0.3, 0, 0]}, "
    "initial: {position: -0.2}}\n"
    "  slide: {type: prismatic, base: ground, follower: piston, axis: [1, 0, 0], "
    "at: {base: [0, 0.02, 0]}, initial: {position: 0.38}, "
    "stops: {lower: {at: 0.25, restitution: 0.6}, upper: {at: 0.39, restitution: 0.3}}}\n"
    "stiction:\n"
    "  main: {kinetic: 0.1, static: 0.15, external: \"3*sin(6*t)\"}\n"
    "  slide: {kinetic: 2, static: 3}\n"
    "outputs: [position(main), velocity(main), position(slide)]\n";

static void a_piston_between_stops_converges(void **state)
{
    (void)state;
    order_check_first(runs_parse(crank_between_stops, NULL), 1.9, 1e-3);
}

/* The teeth of a rigid backlash strike, roll off each other, and part. */
static void teeth_with_backlash_converge(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, "
                   "b: {mass: 1, inertia: [1, 1, 0.1]}}\n"
                   "joints:\n"
                   "  in: {type: revolute, base: ground, follower: a}\n"
                   "  out: {type: revolute, base: ground, follower: b, at: {base: [0.3, 0, 0]}}\n"
                   "stiction:\n"
                   "  in: {kinetic: 0.02, static: 0.03, external: \"0.5*sin(7*t)\"}\n"
                   "  out: {kinetic: 0.3, static: 0.4}\n"
                   "couplings: {g: {type: gear, joints: [in, out], ratio: -2.5, backlash: 0.02, "
                   "restitution: 0.4}}\n"
                   "outputs: [position(in), velocity(in), position(out), velocity(out)]\n",
                   NULL),
        2, 1e-3);
}

/* A gear that drives forward alone: the driven wheel overruns, and is caught again. */
static void a_freewheel_between_shafts_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, "
                   "b: {mass: 1, inertia: [1, 1, 0.1]}}\n"
                   "joints:\n"
                   "  in: {type: revolute, base: ground, follower: a, damping: 0.05}\n"
                   "  out: {type: revolute, base: ground, follower: b, at: {base: [0.3, 0, 0]}}\n"
                   "stiction:\n"
                   "  in: {kinetic: 0.02, static: 0.03, external: \"1.5*sin(5*t)\"}\n"
                   "  out: {kinetic: 0.3, static: 0.4}\n"
                   "couplings: {g: {type: gear, joints: [in, out], ratio: 2, drives: forward}}\n"
                   "outputs: [position(in), velocity(in), position(out), velocity(out)]\n",
                   NULL),
        3, 2e-3);
}

/* The rocker of a four-bar linkage turns one way only: the whole linkage is held each time it would turn back. */
static void a_freewheel_in_a_loop_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies:\n"
            "  crank: {mass: 1, center_of_mass: [0.05, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
            "  coupler: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
            "  rocker: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.02]}\n"
            "joints:\n"
            "  a: {type: revolute, base: ground, follower: crank, "
            "initial: {position: 1, priority: exact}}\n"
            "  b: {type: revolute, base: crank, follower: coupler, at: {base: [0.1, 0, 0]}, "
            "initial: {position: -0.8}}\n"
            "  c: {type: revolute, base: rocker, follower: coupler, "
            "at: {base: [0.2, 0, 0], follower: [0.3, 0, 0]}, initial: {position: -1.2}}\n"
            "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.3, 0, 0]}, "
            "initial: {position: 1.4}, moves: forward}\n"
            "stiction:\n"
            "  a: {kinetic: 0.05, static: 0.08, external: \"0.4*cos(4*t)\"}\n"
            "  d: {kinetic: 0.01, static: 0.01}\n"
            "outputs: [position(a), velocity(a), position(d)]\n",
            NULL),
        1.5, 2e-3);
}

/* Two wheels in mesh, each between its own stops, of which now one and now both end the way, with mixed restitutions and nothing that drives. */
static const char wheels_between_stops[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [1, 1, 0.1]}, "
    "c: {mass: 1, inertia: [1, 1, 0.03]}}\n"
    "joints:\n"
    "  ja: {type: revolute, base: ground, follower: a, initial: {velocity: 5, priority: exact}, "
    "stops: {lower: {at: -0.3, restitution: 1}, upper: {at: 0.2, restitution: 0.9}}}\n"
    "  jb: {type: revolute, base: ground, follower: b, at: {base: [0.3, 0, 0]}, "
    "stops: {lower: {at: -0.1, restitution: 0.7}, upper: {at: 0.14, restitution: 1}}}\n"
    "  jc: {type: revolute, base: b, follower: c, at: {base: [0.1, 0, 0]}, "
    "stops: {lower: {at: -0.11, restitution: 0.8}, upper: {at: 0.05, restitution: 1}}}\n"
    "couplings: {g: {type: gear, joints: [ja, jb], ratio: -2}}\n"
    "simulation: {end: 4 s}\n";

static void impacts_of_tied_joints_make_no_energy(void **state)
{
    static const double below[] = {-0.3, -0.1, -0.11}, above[] = {0.2, 0.14, 0.05};
    (void)state;
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(wheels_between_stops, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = 1e-3;
    detent_simulation *sim = runs_start(m, &settings);
    detent_statistics s = DETENT_INIT(detent_statistics);
    double before = INFINITY, first = 0;
    for (int n = 0; n < 4000; n++) {
        double q[3], energy[DETENT_ENERGY_KINETIC + 1];
        const detent_status status = detent_step(sim, &error);
        runs_must(status == DETENT_EVENT ? DETENT_OK : status, &error);
        runs_must(detent_read(sim, DETENT_POSITIONS, q, 3, &error), &error);
        runs_must(detent_read(sim, DETENT_ENERGIES, energy, DETENT_ENERGY_KINETIC + 1, &error),
                  &error);
        for (int j = 0; j < 3; j++) {
            assert_true(q[j] >= below[j] - 1e-15 && q[j] <= above[j] + 1e-15);
        }
        first = first > 0 ? first : energy[DETENT_ENERGY_KINETIC];
        if (!(energy[DETENT_ENERGY_KINETIC] <= before + 1e-13 * first)) {
            fail_msg("step %d: energy %.17g after %.17g J", n, energy[DETENT_ENERGY_KINETIC],
                     before);
        }
        before = energy[DETENT_ENERGY_KINETIC];
    }
    detent_get_statistics(sim, &s);
    assert_true(s.impacts > 20);
    runs_end(sim, m);
}

/* What a closed loop turns about has its error of second order in the step, and impacts add nothing to that; the stops hold. */
static void nobody_in_a_loop_is_beyond_a_stop(void **state)
{
    (void)state;
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(crank_between_stops, NULL);
    for (int n = 1; n <= 4; n *= 2) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = 1e-3 / n;
        detent_simulation *sim = runs_start(m, &settings);
        detent_statistics s = DETENT_INIT(detent_statistics);
        for (int k = 0; k < 3000 * n; k++) {
            const detent_status status = detent_step(sim, &error);
            runs_must(status == DETENT_EVENT ? DETENT_OK : status, &error);
            const double slide = runs_position(m, sim, "slide");
            assert_true(slide >= 0.25 && slide <= 0.39);
        }
        detent_get_statistics(sim, &s);
        assert_true(s.impacts > 10 && s.unsettled == 0);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piston_between_stops_converges),
        cmocka_unit_test(teeth_with_backlash_converge),
        cmocka_unit_test(a_freewheel_between_shafts_converges),
        cmocka_unit_test(a_freewheel_in_a_loop_converges),
        cmocka_unit_test(impacts_of_tied_joints_make_no_energy),
        cmocka_unit_test(nobody_in_a_loop_is_beyond_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
