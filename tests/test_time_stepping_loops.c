/*
 * Time stepping of loops whose joints stick and rub converges to the event-driven solution, with first order, also where joints turn round as others go on.
 */
#include "support_order.h"

/*
 * All joints of a crank and its slide rub with what they carry. The wrist pin turns round where its ratio to the crank is zero: as long as it counts as
 * held there, what joints carry is an impulse that would stop everybody, and is no friction of those who go on.
 */
static void a_crank_and_slide_that_rub_converge(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
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
            "at: {base: [0, 0.02, 0]}, initial: {position: 0.38}}\n"
            "signals: {drive: \"8 - 0.6*velocity(main)\"}\n"
            "stiction:\n"
            "  main: {kinetic: \"0.02*reaction_force(main)\", static: "
            "\"0.02*reaction_force(main)\", external: drive}\n"
            "  big: {kinetic: \"0.03*reaction_force(big)\", static: \"0.03*reaction_force(big)\"}\n"
            "  small: {kinetic: \"0.03*reaction_force(small)\", static: "
            "\"0.03*reaction_force(small)\"}\n"
            "  slide: {kinetic: \"0.6*normal_force(slide)\", static: \"0.6*normal_force(slide)\"}\n"
            "outputs: [position(main), velocity(main), position(slide)]\n",
            NULL),
        1, 2e-3);
}

/*
 * A Cardan shaft whose six turning joints rub. It starts where two joints of its crosses have no ratio to the others, and passes such places twice a turn:
 * they turn round there, are not locked, and nobody follows from them.
 */
static void a_cardan_shaft_that_rubs_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, 0, -9.81]\n"
                   "bodies:\n"
                   "  driver: {mass: 1, inertia: [0.01, 0.01, 0.02]}\n"
                   "  shaft: {mass: 1, center_of_mass: [0, 0, 0.2], inertia: [0.01, 0.01, 0.002]}\n"
                   "  driven: {mass: 1, inertia: [0.03, 0.03, 0.05]}\n"
                   "joints:\n"
                   "  a: {type: revolute, base: ground, follower: driver, "
                   "initial: {velocity: 20, priority: exact}}\n"
                   "  u1: {type: universal, base: driver, follower: shaft, "
                   "primitives: {r1: {initial: {position: 0.3}}}}\n"
                   "  u2: {type: universal, base: driven, follower: shaft, "
                   "axes: [[0, 1, 0], [1, 0, 0]], at: {follower: [0, 0, 0.4]}}\n"
                   "  b: {type: cylindrical, base: ground, follower: driven, "
                   "at: {base: {point: [0, -0.1182, 0.382]}}}\n"
                   "stiction:\n"
                   "  a: {kinetic: 0.2, static: 0.3, external: 5}\n"
                   "  u1.r1: {kinetic: 0.05, static: 0.08}\n"
                   "  u1.r2: {kinetic: 0.05, static: 0.08}\n"
                   "  u2.r1: {kinetic: 0.05, static: 0.08}\n"
                   "  u2.r2: {kinetic: 0.05, static: 0.08}\n"
                   "  b.r1: {kinetic: 0.3, static: 0.4}\n"
                   "outputs: [position(a), velocity(a), position(b.r1)]\n",
                   NULL),
        0.4, 2e-3);
}

/* Wedges under blocks in guides, one pair on the other, all faces rubbing with what they carry: the upper wedge slides, then the lower one. */
static void stacked_wedges_converge(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, -9.81, 0]\nparameters: {a: 12 deg}\n"
                   "bodies: {w1: {mass: 1}, b1: {mass: 3}, w2: {mass: 1}, b2: {mass: 4}}\n"
                   "joints:\n"
                   "  x1: {type: prismatic, base: ground, follower: w1, axis: [1, 0, 0]}\n"
                   "  y1: {type: prismatic, base: ground, follower: b1, axis: [0, 1, 0]}\n"
                   "  s1: {type: prismatic, base: w1, follower: b1, axis: [-cos(a), sin(a), 0]}\n"
                   "  x2: {type: prismatic, base: b1, follower: w2, axis: [1, 0, 0]}\n"
                   "  y2: {type: prismatic, base: ground, follower: b2, axis: [0, 1, 0]}\n"
                   "  s2: {type: prismatic, base: w2, follower: b2, axis: [-cos(a), sin(a), 0]}\n"
                   "stiction:\n"
                   "  x1: {kinetic: 0.1*normal_force(x1), static: 0.13*normal_force(x1), external: "
                   "60*sin(2*t)}\n"
                   "  y1: {kinetic: 0.1*normal_force(y1), static: 0.13*normal_force(y1)}\n"
                   "  s1: {kinetic: 0.1*normal_force(s1), static: 0.13*normal_force(s1)}\n"
                   "  x2: {kinetic: 0.1*normal_force(x2), static: 0.13*normal_force(x2), external: "
                   "30*sin(3*t)}\n"
                   "  y2: {kinetic: 0.1*normal_force(y2), static: 0.13*normal_force(y2)}\n"
                   "  s2: {kinetic: 0.1*normal_force(s2), static: 0.13*normal_force(s2)}\n"
                   "outputs: [position(x1), position(x2), velocity(x2)]\n",
                   NULL),
        0.8, 4e-3);
}

/*
 * A crank that is turned drives a slide on a sled, which stick to each other and to the ground in turn. It starts in the dead centre, where its ratio to the
 * slide is zero.
 */
static void a_slide_on_a_sled_that_a_motion_drives_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "bodies:\n"
            "  crank: {mass: 0.5, center_of_mass: [0.03, 0, 0], inertia: [0.01, 0.01, 0.02]}\n"
            "  rod: {mass: 0.8, center_of_mass: [0.12, 0.01, 0], inertia: [0.01, 0.01, 0.007]}\n"
            "  piston: {mass: 0.6}\n"
            "  sled: {mass: 0.4}\n"
            "joints:\n"
            "  main: {type: revolute, base: ground, follower: crank, motion: \"6*t\"}\n"
            "  big: {type: revolute, base: crank, follower: rod, at: {base: [0.1, 0, 0]}}\n"
            "  small: {type: revolute, base: piston, follower: rod, at: {follower: [0.3, 0, 0]}}\n"
            "  slide: {type: prismatic, base: sled, follower: piston, axis: [1, 0, 0], "
            "initial: {position: 0.4, velocity: 0, priority: exact}}\n"
            "  base: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], "
            "spring: {stiffness: 200}}\n"
            "stiction:\n"
            "  big: {kinetic: \"0.02*reaction_force(big)\", static: "
            "\"0.03*reaction_force(big)\"}\n"
            "  slide: {kinetic: 6, static: 9}\n"
            "  base: {kinetic: 3, static: 4}\n"
            "outputs: [position(slide), velocity(slide), position(base), velocity(base)]\n",
            NULL),
        2, 2e-3);
}

/* A differential whose carrier is moved: its wheels stick in turn, and never both. */
static void wheels_of_a_differential_that_a_motion_drives_converge(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, "
                   "b: {mass: 1, inertia: [1, 1, 0.1]}, c: {mass: 1, inertia: [1, 1, 0.05]}}\n"
                   "joints:\n"
                   "  ja: {type: revolute, base: ground, follower: a, motion: \"sin(3*t)\"}\n"
                   "  jb: {type: revolute, base: ground, follower: b, at: {base: [0.3, 0, 0]}, "
                   "spring: {stiffness: 1}}\n"
                   "  jc: {type: revolute, base: ground, follower: c, at: {base: [0.6, 0, 0]}, "
                   "spring: {stiffness: 2}}\n"
                   "stiction:\n"
                   "  jb: {kinetic: 0.3, static: 0.4}\n"
                   "  jc: {kinetic: 0.25, static: 0.5}\n"
                   "couplings: {d: {type: differential, joints: [ja, jb, jc], "
                   "factors: [2, -1, -1]}}\n"
                   "outputs: [position(jb), velocity(jb), position(jc), velocity(jc)]\n",
                   NULL),
        3, 2e-3);
}

/* A crank that a motion drives, from rest and without an acceleration to begin with: its slide, which sticks, sets out with it. */
static void a_motion_that_sets_out_smoothly_takes_its_loop_along(void **state)
{
    (void)state;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {crank: {mass: 1, inertia: [1e-3, 2e-3, 2e-3]}, "
        "rod: {mass: 0.5, inertia: [1e-4, 4e-3, 4e-3]}, slider: {mass: 0.8}}\n"
        "joints:\n"
        "  crank: {type: revolute, base: ground, follower: crank, motion: 0.8 + 0.5*sin(t)^3}\n"
        "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.1, 0, 0]}, "
        "initial: {position: -1}}\n"
        "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], "
        "initial: {position: 0.36}}\n"
        "  wrist: {type: revolute, base: rod, follower: slider, at: {base: [0.3, 0, 0]}, "
        "closes: true}\n"
        "stiction: {slide: {static: 3, kinetic: 2}}\n",
        NULL);
    for (double step = 1e-2; step > 1e-3; step /= 2) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = step;
        detent_simulation *simulation = runs_start(m, &settings);
        for (int n = 1; n <= 2; n++) {
            const double t = n == 1 ? step : 5, angle = 0.8 + 0.5 * pow(sin(t), 3),
                         rate = 1.5 * pow(sin(t), 2) * cos(t), across = 0.1 * sin(angle),
                         along = sqrt(0.09 - across * across);
            runs_advance(simulation, t);
            runs_near("slide", runs_position(m, simulation, "slide"), 0.1 * cos(angle) + along,
                      1e-12);
            runs_near("its velocity", runs_velocity(m, simulation, "slide"),
                      -rate * across * (1 + 0.1 * cos(angle) / along), 1e-9);
        }
        detent_simulation_destroy(simulation);
    }
    detent_mechanism_destroy(m);
}

/* A crank that sets out from rest at its dead centre: the slide, which rubs, has no ratio to it there, and is not locked. Neither is one that sticks with more than there is. */
static void a_slide_at_a_dead_centre_goes_along(void **state)
{
    static const char *const limits[] = {"20.4", "200"};
    (void)state;
    for (int n = 0; n < 2; n++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "bodies:\n"
            "  crank: {mass: 0.49, center_of_mass: [0.2375, 0, 0], inertia: [0.0055, 0.0092, "
            "0.0092]}\n"
            "  rod: {mass: 0.838, center_of_mass: [-0.646, 0, 0], inertia: [0.07, 0.1166, "
            "0.1166]}\n"
            "  slider: {mass: 1.12}\n"
            "joints:\n"
            "  main: {type: revolute, base: ground, follower: crank}\n"
            "  big: {type: revolute, base: crank, follower: rod, at: {base: [0.475, 0, 0]}}\n"
            "  small: {type: revolute, base: rod, follower: slider, at: {base: [-1.292, 0, 0]}}\n"
            "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], at: "
            "{base: [-0.817, 0, 0]}}\n"
            "stiction:\n"
            "  main: {kinetic: 20.2, static: 20.2, external: -73.1}\n"
            "  big: {kinetic: 20.4, static: 24.5}\n"
            "  slide: {kinetic: 20.4, static: %s}\n"
            "outputs: [position(main), velocity(main), position(slide)]\n",
            limits[n]);
        order_check_first(runs_parse(text, NULL), 0.18, 2e-3);
    }
}

static detent_simulation *start_fixed(const detent_mechanism *m, double step)
{
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = step;
    return runs_start(m, &settings);
}

/* Who is locked where the step begins, and is taken along at second order, stops nobody in the middle. */
static void a_crank_sets_out_from_its_dead_centre(void **state)
{
    (void)state;
    detent_mechanism *m = runs_load("../tests/found/middle_at_a_dead_centre.yaml", NULL);
    detent_simulation *exact = runs_start(m, NULL);
    runs_advance(exact, 1.54);
    double off[2];
    for (int k = 0; k < 2; k++) {
        detent_simulation *sim = start_fixed(m, 2e-3 / (1 << k));
        runs_advance(sim, 1.54);
        off[k] = fabs(runs_position(m, sim, "j8") - runs_position(m, exact, "j8"));
        detent_simulation_destroy(sim);
    }
    /* of first order: 0.015 rad/s times the step at 4 ms; and three times that at most */
    assert_true(off[0] < 0.05 * 2e-3 && off[1] < 0.7 * off[0]);
    runs_end(exact, m);
}

/* Just before every event friction is a number; and who leaves a stop goes away from it. */
static void who_leaves_a_stop_slowly_does_not_turn_into_it(void **state)
{
    (void)state;
    enum { FREEDOMS = 16 };
    detent_mechanism *m = runs_load("../tests/found/leaves_its_stop_slowly.yaml", NULL);
    detent_simulation *sim = start_fixed(m, 7.69e-4);
    detent_error error;
    double force[FREEDOMS];
    bool leaves = false;
    while (detent_advance(sim, 0.5, true, &error) == DETENT_EVENT) {
        runs_must(detent_read_before(sim, DETENT_FORCES, force, FREEDOMS, &error), &error);
        for (int v = 0; v < FREEDOMS; v++) {
            assert_true(isfinite(force[v]));
        }
        for (size_t n = 0; n < detent_mode_change_count(sim); n++) {
            detent_mode_change change = DETENT_INIT(detent_mode_change);
            runs_must(detent_get_mode_change(sim, n, &change), NULL);
            if (change.cause == DETENT_CAUSE_LIMIT && change.from == DETENT_LOCKED &&
                runs_position(m, sim, "j5") == 0.013) {
                leaves = true;
                assert_int_equal(change.to_direction, -1);
            }
        }
    }
    assert_true(leaves);
    runs_end(sim, m);
}

/** A motion whose velocity is 0 at the very end of a step stops who hangs on it by a loop there, and takes him back. */
static void who_turns_round_with_a_motion_arrives(void **state)
{
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {m: {mass: 1}}\njoints:\n"
                   "  m: {type: prismatic, base: ground, follower: m, axis: [1, 0, 0], "
                   "motion: \"1 [m]*(1 - (t/1 [s] - 1)^2)\"}\n"
                   "  n: {type: prismatic, base: ground, follower: m, axis: [1, 0, 0]}\n"
                   "stiction: {n: {kinetic: 3, static: 4}}\nsimulation: {end: 3}\n",
                   NULL);
    (void)state;
    for (int k = 0; k < 3; k++) {
        static const double steps[] = {1e-2, 1e-3, 1.7e-3};
        detent_settings settings = runs_settings(m, 0, 0);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = steps[k];
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, 1);
        assert_true(fabs(runs_position(m, sim, "n") - 1) < 1e-12);
        runs_advance(sim, 3);
        detent_get_statistics(sim, &statistics);
        assert_true(fabs(runs_position(m, sim, "n") + 3) < 1e-12);
        assert_true(fabs(statistics.friction_work + 15) < 4 * steps[k]);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* What a crank at its dead centre, whose slide rubs, comes to at each step; with another one beside it that stands by friction, or alone. */
static void leaves_slowly(const char *start, double exact, bool beside)
{
    char text[2000];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  c: {mass: 1, inertia: [0.01, 0.01, 0.02]}\n"
             "  r: {mass: 0.5, center_of_mass: [0.15, 0, 0], inertia: [0.0001, 0.004, 0.004]}\n"
             "  s: {mass: 1}\n%sjoints:\n"
             "  c: {type: revolute, base: ground, follower: c, %s}\n"
             "  p: {type: revolute, base: c, follower: r, at: {base: [0.1, 0, 0]}}\n"
             "  s: {type: prismatic, base: ground, follower: s, axis: [1, 0, 0], initial: "
             "{position: 0.4}}\n"
             "  w: {type: revolute, base: s, follower: r, at: {follower: [0.3, 0, 0]}}\n%s"
             "stiction: {s: {kinetic: 1, static: 2}%s}\nsimulation: {end: 0.4}\n",
             beside ? "  c2: {mass: 1, inertia: [0.01, 0.01, 0.02]}\n"
                      "  r2: {mass: 0.5, inertia: [0.0001, 0.004, 0.004]}\n  s2: {mass: 1}\n"
                    : "",
             start,
             beside
                 ? "  h: {type: revolute, base: ground, follower: c2, force: 0.05, initial: "
                   "{position: 1}}\n"
                   "  p2: {type: revolute, base: c2, follower: r2, at: {base: [0.1, 0, 0]}}\n"
                   "  s2: {type: prismatic, base: ground, follower: s2, axis: [1, 0, 0], "
                   "initial: {position: 0.3}}\n"
                   "  w2: {type: revolute, base: s2, follower: r2, at: {follower: [0.3, 0, 0]}}\n"
                 : "",
             beside ? ", s2: {kinetic: 1, static: 2}" : "");
    detent_mechanism *m = runs_parse(text, NULL);
    for (int k = 0; k < 3; k++) {
        static const double steps[] = {3e-3, 1e-3, 1e-4};
        detent_simulation *sim = start_fixed(m, steps[k]);
        const double held = beside ? runs_position(m, sim, "h") : 0;
        runs_advance(sim, 0.4);
        assert_true(fabs(runs_position(m, sim, "c") - exact) < 0.05 * steps[k] + 1e-5);
        if (beside) {
            assert_true(runs_position(m, sim, "h") == held);
        }
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/*
 * A torque that grows from nothing, and one that is there as the crank stands 3.5e-7 rad beside its dead centre: what the slide moves by is less than what a
 * damper that holds gives way by. What stands by friction beside it does not take the second order from it.
 */
static void a_crank_leaves_its_dead_centre_slowly(void **state)
{
    (void)state;
    const double at = 0.8376531766, near = 0.8637526116; /* as in test_dead_centres.c */
    leaves_slowly("force: 2*t", at, false);
    leaves_slowly("force: 2*t", at, true);
    leaves_slowly("force: 1e-2 + 2*t, initial: {position: 1e-6}", near, false);
}

/*
 * Four bars that all but fold, by 3 mm of 0.5 m, and coast past that again and again, in less than a step: steps led to no finite state, or took the bars past
 * there with energy from nowhere. Impulses take some, which is told; a bar that does not fold has none.
 */
static void what_passes_a_fold_within_a_step_gains_nothing(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  crank: {mass: 0.8, center_of_mass: [-0.27, 0, 0], inertia: [0.012, 0.02, 0.02]}\n"
        "  rod: {mass: 0.28, center_of_mass: [0.157, 0, 0], inertia: [0.0014, 0.0023, 0.0023]}\n"
        "  rocker: {mass: 2.2, center_of_mass: [0.106, 0, 0], inertia: [0.0049, 0.0082, 0.0082]}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: crank, axis: [0, 0, 1], initial: {velocity: "
        "-5.6}}\n"
        "  b: {type: revolute, base: crank, follower: rod, axis: [0, 0, 1], at: {base: {point: "
        "[-0.549, %g, 0]}}}\n"
        "  c: {type: revolute, base: rod, follower: rocker, axis: [0, 0, 1], at: {base: {point: "
        "[0.313, %g, 0]}}}\n"
        "  d: {type: revolute, base: ground, follower: rocker, axis: [0, 0, 1], at: {base: {point: "
        "[-0.024, 0, 0]}, follower: [0.212, 0, 0]}}\n";
    static const double steps[] = {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};
    (void)state;
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        char folding[1200];
        snprintf(folding, sizeof folding, text, 3.4e-3, -3.4e-3);
        detent_mechanism *m = runs_parse(folding, NULL);
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = steps[n];
        detent_simulation *sim = runs_start(m, &settings);
        for (int k = 1; k <= 200; k++) {
            detent_statistics s = DETENT_INIT(detent_statistics);
            runs_advance(sim, 0.01 * k);
            detent_get_statistics(sim, &s);
            assert_true(s.kinetic_energy <= 1.05 * s.initial_energy);
            assert_true(k < 200 || s.unresolved > 0);
        }
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crank_and_slide_that_rub_converge),
        cmocka_unit_test(a_cardan_shaft_that_rubs_converges),
        cmocka_unit_test(stacked_wedges_converge),
        cmocka_unit_test(a_slide_on_a_sled_that_a_motion_drives_converges),
        cmocka_unit_test(wheels_of_a_differential_that_a_motion_drives_converge),
        cmocka_unit_test(a_motion_that_sets_out_smoothly_takes_its_loop_along),
        cmocka_unit_test(a_slide_at_a_dead_centre_goes_along),
        cmocka_unit_test(a_crank_sets_out_from_its_dead_centre),
        cmocka_unit_test(who_leaves_a_stop_slowly_does_not_turn_into_it),
        cmocka_unit_test(who_turns_round_with_a_motion_arrives),
        cmocka_unit_test(what_passes_a_fold_within_a_step_gains_nothing),
        cmocka_unit_test(a_crank_leaves_its_dead_centre_slowly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
