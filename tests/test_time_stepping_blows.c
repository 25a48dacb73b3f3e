/*
 * Time stepping where somebody comes to a stop, with friction, limits and states elsewhere that follow forces: those of a blow grow as steps get shorter, and
 * are no part of what friction follows or a state adds up, as they are not at an impact. Closed forms, which steps of three lengths come to.
 */
#include "support_runs.h"

static const double end = 0.08, steps[] = {1e-3, 1e-4, 1e-5};

/* A wheel that comes with 1 rad/s through 0.05 rad of a backlash to two others that rest, in mesh with each other. */
#define WHEELS                                                                                 \
    "detent: 1\ngravity: [0, 0, 0]\n"                                                          \
    "bodies: {a: {mass: 1, inertia: [.2, .2, .2]}, b: {mass: 1, inertia: [.05, .05, .05]}, "   \
    "c: {mass: 1, inertia: [.02, .02, .02]}}\n"                                                \
    "joints:\n  a: {type: revolute, base: ground, follower: a, initial: {velocity: 1}}\n"      \
    "  b: {type: revolute, base: ground, follower: b}\n"                                       \
    "  c: {type: revolute, base: ground, follower: c}\n"                                       \
    "couplings:\n  teeth: {type: gear, joints: [a, c], ratio: 1, backlash: 0.1, restitution: " \
    "%g}\n"                                                                                    \
    "  mesh: {type: gear, joints: [%s], ratio: 1, friction: {efficiency: %g}}\n"

/*
 * Momentum is kept, but for what the dampers that hold joints take (10^-7, docs/theory.md), and where nothing is left to do the mesh carries nothing, and does not rub.
 */
static void check_wheels(double restitution, const char *order, double efficiency)
{
    static const double a = 0.2, others = 0.07;
    const double thrown = (1 + restitution) * a / (a + others);
    char text[2000];
    snprintf(text, sizeof text, WHEELS, restitution, order, efficiency);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        settings.step = steps[n];
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, end);
        runs_near(order, runs_velocity(m, sim, "c"), thrown, 1e-6);
        runs_near(order, runs_velocity(m, sim, "b"), thrown, 1e-6);
        runs_near(order, runs_velocity(m, sim, "a"), 1 - others / a * thrown, 1e-6);
        runs_near(order, runs_position(m, sim, "c"), 0.03 * thrown, 2 * steps[n]);
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &now);
        assert_true(now.mode_changes <= 6); /* a mesh without load gives way to no rounding */
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static void meshes_do_not_rub_by_a_blow(void **state)
{
    static const double efficiencies[] = {0.9, 0.6, 0.5};
    (void)state;
    for (size_t n = 0; n < sizeof efficiencies / sizeof *efficiencies; n++) {
        check_wheels(0, "b, c", efficiencies[n]);
        check_wheels(0, "c, b", efficiencies[n]);
        check_wheels(0.5, "b, c", efficiencies[n]);
    }
}

/* A carriage that slides across an arm at 0.5 m, with 1 m/s, to its stop there: from then on both turn, and the bearing rubs by what holds them in their circle. */
static const char *const arm =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {arm: {mass: 1, inertia: [.05, .05, .05]}, carriage: {mass: 1}}\n"
    "joints:\n  arm: {type: revolute, base: ground, follower: arm}\n"
    "  slide: {type: prismatic, base: arm, follower: carriage, axis: [0, 1, 0], "
    "at: {base: [0.5, 0, 0]}, initial: {position: -0.03, velocity: 1}, stops: {upper: {at: 0}}}\n"
    "stiction: {arm: {kinetic: 0.001 + 0.05*reaction_force(arm), "
    "static: 0.002 + 0.08*reaction_force(arm)}}\n"
    "states: {carried: {initial: 0, derivative: reaction_force(arm)}}\noutputs: [carried]\n";

/* What carries the carriage round, as it slows down as well. */
static double find_reaction(double w, double *slows)
{
    static const double inertia = 0.3, lever = 0.5;
    double reaction = 0;
    *slows = 0;
    for (int n = 0; n < 30; n++) {
        reaction = lever * hypot(w * w, *slows);
        *slows = (0.001 + 0.05 * reaction) / inertia;
    }
    return reaction;
}

static void bearings_do_not_rub_by_a_blow(void **state)
{
    enum { PARTS = 100 };
    static const double h = (0.08 - 0.03) / PARTS;
    double w = 0.5 / 0.3, carried = 0;
    detent_mechanism *m = runs_parse(arm, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    (void)state;
    for (int n = 0; n < PARTS; n++) {
        double first, second;
        find_reaction(w, &first);
        carried += h * find_reaction(w - 0.5 * h * first, &second);
        w -= h * second;
    }
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        settings.step = steps[n];
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, end);
        runs_near("arm", runs_velocity(m, sim, "arm"), w, steps[n]);
        runs_near("carried", runs_output(m, sim, "carried"), carried, 4 * steps[n]);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/*
 * A loop of five joints, driven to and fro, with a stop that throws back and a bearing. Who is brought to rest by the others, and whose friction has driven him on in the
 * step, has not jammed: impacts would give energy.
 */
static const char *const bars =
    "detent: 1\ngravity: [0.957, 0, 4.58]\n"
    "bodies: {b2: {mass: 0.483}, b3: {mass: 3.43}, "
    "b4: {mass: 1.41, inertia: [0.0118, 0.0197, 0.0197]}, b5: {mass: 0}}\n"
    "joints:\n"
    "  j2: {type: revolute, base: ground, follower: b2, at: {base: [0.577, 0.00452, 0]}}\n"
    "  j3: {type: revolute, base: b2, follower: b3, at: {base: [-0.5082, 0.27548, 0]}}\n"
    "  j4: {type: revolute, base: b3, follower: b4, at: {base: [-0.2558, -0.137, 0]}}\n"
    "  j5: {type: revolute, base: b4, follower: b5, at: {base: [0.18119, -0.367, 0]}}\n"
    "  j6: {type: revolute, base: ground, follower: b5, at: {follower: [0.42481, -0.178, 0]}, "
    "stops: {upper: {at: 0.0384, restitution: 1}}}\n"
    "stiction:\n  j3: {kinetic: 2.73, static: 3.1122}\n"
    "  j6: {external: \"3.06*w2(3.67*t, 1*velocity(j2))\", "
    "bearing: {coefficient: 0.148, radius: 0.0152}}\n"
    "tables: {w2: {of: [[-0.759, 0.225, 0.799], [-0.64, 0.00123, 0.873]], "
    "is: [[-0.285, 0.981, 0.459], [0.881, 0.147, 0.597], [0.401, 0.906, 0.0685]]}}\n";

static void who_is_driven_on_does_not_jam(void **state)
{
    static const double longest = 4e-3, shorter = 2e-4;
    detent_mechanism *m = runs_parse(bars, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    (void)state;
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    for (int n = 0; n <= 10; n++) {
        double lost = 0;
        settings.step = longest - shorter * n;
        detent_simulation *sim = runs_start(m, &settings);
        for (int k = 1; k <= 24; k++) {
            detent_statistics now = DETENT_INIT(detent_statistics);
            runs_advance(sim, 0.1 * k);
            detent_get_statistics(sim, &now);
            assert_true(now.impact_loss >= lost);
            lost = now.impact_loss;
        }
        assert_true(lost > 0);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_do_not_rub_by_a_blow),
        cmocka_unit_test(bearings_do_not_rub_by_a_blow),
        cmocka_unit_test(who_is_driven_on_does_not_jam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
