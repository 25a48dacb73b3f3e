/* Runs that get on: stiff contacts that open and close within an integrator's first step, laws that jump all the time. */
#include "support_variants.h"

#include "api/handle.h"
#include "integrator/core.h"
#include "integrator/weights.h"

#include <float.h>

/* A motor and a sticky load, 2 degrees of play between them: k N m/rad, and a damper, beyond it. */
static const char backlash[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {k: 5000, c: 2, half: 1 deg}\n"
    "signals:\n"
    "  gap: position(motor) - position(load)\n"
    "  twist: gap - clamp(gap, -half, half)\n"
    "  tq: k*twist + if(abs(gap) > half, c*(velocity(motor) - velocity(load)), 0)\n"
    "bodies:\n"
    "  rotor: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  wheel: {mass: 5, inertia: [0.05, 0.05, 0.05]}\n"
    "joints:\n"
    "  motor: {type: revolute, base: ground, follower: rotor}\n"
    "  load: {type: revolute, base: ground, follower: wheel}\n"
    "stiction:\n"
    "  motor: {velocity_threshold: 1e-4, kinetic: 0.05, static: 0.08, external: \"sin(2*t) - "
    "tq\"}\n"
    "  load: {velocity_threshold: 1e-4, kinetic: 0.4, static: 0.6, external: tq}\n"
    "simulation: {end: 1}\n";

/* Where it is at the end, for every stiffness and in every variant: micro bounces are no storm. */
static void stiff_contact_is_no_storm(void **test)
{
    UNUSED(test);
    static const char *const stiffness[] = {"k=1e6", "k=5e6", "k=1e8"};
    for (size_t s = 0; s < sizeof stiffness / sizeof *stiffness; s++) {
        detent_mechanism *m = runs_parse(backlash, (const char *const[]){stiffness[s], NULL});
        double first = NAN;
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            detent_simulation *sim = variant_start(m, variant_at(k));
            variant_advance(sim, variant_at(k), 1);
            const double load = runs_position(m, sim, "load");
            first = isnan(first) ? load : first;
            runs_near(variant_name(variant_at(k)), load, first, 1e-4);
            detent_simulation_destroy(sim);
        }
        detent_mechanism_destroy(m);
    }
}

/* A coordinate that grows without end does not loosen its tolerance: what the error test allows at a million turns is what
 * it allows at one, but for the rounding of the coordinate itself. */
static void turning_for_ever_stays_exact(void **test)
{
    UNUSED(test);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}, slug: {mass: 1}}\n"
        "joints:\n"
        "  axle: {type: revolute, base: ground, follower: rotor, initial: {velocity: 4}}\n"
        "  rail: {type: prismatic, base: rotor, follower: slug, nominal: {position: 1 mm, "
        "velocity: 2 m/s}}\n"
        "simulation: {end: 10}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    const dt_simulation *core = sim->core;
    detent_scale scale = DETENT_INIT(detent_scale);
    detent_error error;
    for (size_t i = 0; i < 2; i++) {
        const int node = (int)i;
        runs_must(detent_get_scale(sim, i, &scale, &error), &error);
        const double once = dt_position_tolerance(core, node, scale.position);
        runs_near("far out", dt_position_tolerance(core, node, 1e3 * scale.position), once,
                  1e-12 * once);
        assert_true(dt_position_tolerance(core, node, 1e9) >= 1e9 * DBL_EPSILON);
        /* of nothing at all, a hundredth of that */
        runs_near("near zero", dt_position_tolerance(core, node, 0), once / 101, 1e-12 * once);
    }
    runs_near("position", scale.position, 1e-3, 1e-18); /* of the rail, as given */
    runs_near("velocity", scale.velocity, 2, 0);
    runs_near("force", scale.force, 1 * 2 * 2 / 1e-3, 1e-12);
    runs_must(detent_get_scale(sim, 0, &scale, &error), &error);
    runs_near("position", scale.position, 1, 0);
    runs_near("velocity", scale.velocity, 1 / scale.time, 0);
    assert_int_equal(detent_get_scale(sim, 2, &scale, &error), DETENT_ERROR_ARGUMENT);
    runs_end(sim, m);
}

/* Six light bodies between the ground and a heavy one, a stiff damper, friction that follows a reaction: rtol 1e-7 takes
 * 858 steps of IDA, and 1e-8 took 250,000, all of order one, each of them made again after it had been doubled. */
static const char bouncing[] =
    "detent: 1\n"
    "gravity: [-0.829, 0, -3.33]\n"
    "bodies:\n"
    "  b0: {mass: 0.743, center_of_mass: [-0.344, 0.142, -0.385], inertia: [0.0092, 0.01, "
    "0.00244]}\n"
    "  b1: {mass: 0.41, center_of_mass: [0.306, 0, 0.227], inertia: [0.0119, 0.00129, 0.0123]}\n"
    "  b2: {mass: 0.423, center_of_mass: [0, 0.227, 0.116], inertia: [0.00113, 0.00162, 0.00208]}\n"
    "  b3: {mass: 0.367, center_of_mass: [0, -0.113, 0.00329], inertia: [0.00193, 0.00164, "
    "0.000449]}\n"
    "  b4: {mass: 0.329, center_of_mass: [-0.395, 0.0799, -0.349], inertia: [0.000236, 0.00303, "
    "0.0031]}\n"
    "  b5: {mass: 862, center_of_mass: [-0.0288, -0.0282, 0], inertia: [16.9, 12.3, 24.1]}\n"
    "joints:\n"
    "  j0: {type: custom, base: ground, follower: b0, row: [p, s], axes: [[1, 0, 0]], at: {base: "
    "{point: [0.0487, -0.0713, 0.349]}, follower: [0, 0, 0.105]}, primitives: {p1: {initial: "
    "{position: -0.528, velocity: 0}}, s1: {}}}\n"
    "  j1: {type: planar, base: b0, follower: b1, at: {base: {point: [0, -0.0567, -0.0582]}, "
    "follower: [0.266, 0, 0.151]}, primitives: {p1: {initial: {position: -0.203, velocity: 0}, "
    "spring: {stiffness: 57.8, rest: 0.134}}, p2: {}, r1: {initial: {position: -0.542, velocity: "
    "0}, spring: {stiffness: 1.56, rest: 0.164}, damping: 0.264}}}\n"
    "  j2: {type: prismatic, base: b1, follower: b2, axis: [-0.356, -0.136, -0.601], at: {base: "
    "{point: [0.332, 0, -0.0099], rotation: {rpy: [0, 0, 0.0846]}}}, spring: {stiffness: 81.6, "
    "rest: 0.261}}\n"
    "  j3: {type: revolute, base: b2, follower: b3, axis: [0.132, 0.337, -0.402], at: {base: "
    "{point: [0, 0, 0.423], rotation: {rpy: [-0.233, 0, 0.814]}}, follower: [0, 0.188, 0]}, "
    "initial: {position: 0.152, velocity: 0}}\n"
    "  j4: {type: prismatic, base: b3, follower: b4, axis: [0.684, -0.48, 0.685], at: {base: "
    "{point: [0, 0, -0.056]}, follower: [0, 0.194, -0.00468]}, armature: 2.28}\n"
    "  j5: {type: bushing, base: b4, follower: b5, at: {base: {point: [-0.448, -0.283, 0]}}, "
    "primitives: {p1: {initial: {position: -0.772, velocity: 0}}, p2: {initial: {position: 0.713, "
    "velocity: 0}, spring: {stiffness: 31.2, rest: -0.223}}, p3: {initial: {position: -0.598, "
    "velocity: 0}, damping: 0.752, force: \"-5020*t\"}, r1: {initial: {position: 0.642, velocity: "
    "0}}, r2: {initial: {position: -0.022475, velocity: 0}, spring: {stiffness: 259000, rest: 0}, "
    "damping: 2590}, r3: {initial: {position: -0.182, velocity: 0}}}}\n"
    "stiction:\n"
    "  j1.r1: {velocity_threshold: 0.00199, kinetic: \"max(0, 0.268 - 0.441*t)\", static: \"max(0, "
    "0.268 - 0.441*t)\", locking: band}\n"
    "  j3: {velocity_threshold: 0.02, kinetic: \"0.598 + 0.115*normal_force(j3)\", static: "
    "\"2.63*(0.598 + 0.115*normal_force(j3))\"}\n"
    "  j4: {velocity_threshold: 0.438, kinetic: \"0\", static: \"1.68*(0)\", external: "
    "\"clamp(-0.429*sin(6.29*t), -0.2145, 0.143)\", locking: band}\n"
    "simulation: {end: 0.06, rtol: 1e-07}\n";

static void steps_do_not_bounce(void **test)
{
    UNUSED(test);
    detent_mechanism *m = runs_parse(bouncing, NULL);
    for (double rtol = 1e-8; rtol > 5e-11; rtol /= 10) {
        detent_settings settings = runs_settings(m, rtol, 0);
        detent_simulation *sim = runs_start(m, &settings);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        runs_advance(sim, settings.end);
        detent_get_statistics(sim, &statistics);
        assert_true(statistics.steps < 20000);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/*
 * A body of 0.3 kg, tens of metres out on rails of one of 7 g: a rotation of 1e-10 rad/s, which is what the error test allows,
 * moves it enough to turn the reaction that the friction on the rail follows. The bound of rounding is more than that. Newton's
 * second correction is neither taken for rounding nor left out, or a run sits in steps of 1e-7 s.
 */
static void curved_friction_of_a_far_body(void **test)
{
    UNUSED(test);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  hub: {mass: 0.535, center_of_mass: [0, 0, -0.384], inertia: [0.00559, 0.0102, 0.0154]}\n"
        "  light: {mass: 0.00705, center_of_mass: [-0.117, 0.0699, 0], inertia: [0.000148, "
        "4.9e-05, "
        "0.000115]}\n"
        "  far: {mass: 0.289, center_of_mass: [0, -0.19, 0.0743], inertia: [0.00376, 0.000125, "
        "0.00377]}\n"
        "joints:\n"
        "  a: {type: bushing, base: ground, follower: hub}\n"
        "  b: {type: custom, base: hub, follower: light, row: [p, s], axes: [[1, 0, 0]]}\n"
        "  c: {type: six-dof, base: light, follower: far, primitives: {p1: {damping: 0.0153, "
        "force: "
        "\"-2.52*cos(2*position(c.p1))\"}, p2: {damping: 0.941}}}\n"
        "stiction:\n"
        "  a.p1: {kinetic: 0.843, static: 0.843, external: \"-4.17*max(0, sin(6.07*t))\"}\n"
        "  c.p3: {kinetic: \"0.275*reaction_force(c.p3)\", static: \"0.275*reaction_force(c.p3)\", "
        "external: -4.1}\n"
        "simulation: {end: 1.05, interval: 0.0525}\n";
    static const struct {
        double rtol, atol;
    } tolerance[] = {{1e-6, 1e-8}, {1e-7, 1e-8}, {1e-7, 1e-9}};
    detent_mechanism *m = runs_parse(text, NULL);
    double first = NAN;
    for (int dense = 0; dense < 2; dense++) {
        for (size_t k = 0; k < 3; k++) {
            detent_settings settings = runs_settings(m, tolerance[k].rtol, tolerance[k].atol);
            settings.linear_solver = dense ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE;
            detent_simulation *sim = runs_start(m, &settings);
            detent_statistics statistics = DETENT_INIT(detent_statistics);
            runs_advance(sim, settings.end);
            detent_get_statistics(sim, &statistics);
            assert_true(statistics.steps < 20000);
            const double far = runs_position(m, sim, "c.p1");
            first = isnan(first) ? far : first;
            runs_near("far", far, first, 1e-5 * fabs(first));
            detent_simulation_destroy(sim);
        }
    }
    detent_mechanism_destroy(m);
}

/* A force that changes at every twentieth of pi of a shaft: when that has been made fast, it meets events on its way. */
static void events_of_a_turn_are_no_storm(void **test)
{
    UNUSED(test);
    const char *text =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}, block: {mass: 1}}\n"
        "joints:\n"
        "  shaft: {type: revolute, base: ground, follower: rotor, axis: [0, 0, 1], force: "
        "\"if(t > 0.01, if(t < 0.0101, 1e8, 0), 0)\"}\n"
        "  slide: {type: prismatic, base: ground, follower: block, initial: {velocity: 1}}\n"
        "stiction:\n"
        "  slide: {kinetic: 1.5, static: 2.5, external: \"if(sin(20*position(shaft)) > 0, 1, "
        "2)\"}\n"
        "simulation: {end: 10}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    runs_advance(sim, 0.03);
    detent_get_statistics(sim, &statistics);
    /* at the edges of the pulse as well, at the start, and where the block passes its threshold */
    runs_near("events", (double)statistics.events, 20 * (0.5 + 1e4 * 0.0199) / acos(-1), 5);
    runs_end(sim, m);
}

/* Two events a second, with which the block does not even move: the run is long, so its nominal time is. */
static void a_slow_clock_is_no_storm(void **test)
{
    UNUSED(test);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}}\n"
        "stiction: {x: {kinetic: 5, static: 8, external: \"if(mod(t, 1) < 1/2, 4, -4)\"}}\n"
        "simulation: {end: 1e6, interval: 1e6}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    runs_advance(sim, 1000.25);
    detent_get_statistics(sim, &statistics);
    runs_near("events", (double)statistics.events, 2001, 1);
    runs_end(sim, m);
}

/* Too large for the dense solver is told as such, not as memory. */
static void dense_solver_has_its_bounds(void **test)
{
    UNUSED(test);
    detent_mechanism *m = runs_load("hanging_chain.yaml", (const char *const[]){"n=7000", NULL});
    detent_settings settings = runs_settings(m, 0, 0);
    settings.linear_solver = DETENT_LINEAR_SOLVER_DENSE;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_simulation *sim = NULL;
    detent_error error;
    assert_int_equal(detent_simulation_create(m, &options, &sim, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "21000"));
    assert_non_null(strstr(error.message, "tree"));
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_contact_is_no_storm),
        cmocka_unit_test(turning_for_ever_stays_exact),
        cmocka_unit_test(steps_do_not_bounce),
        cmocka_unit_test(curved_friction_of_a_far_body),
        cmocka_unit_test(events_of_a_turn_are_no_storm),
        cmocka_unit_test(a_slow_clock_is_no_storm),
        cmocka_unit_test(dense_solver_has_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
