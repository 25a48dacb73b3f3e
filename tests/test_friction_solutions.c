/*
 * Friction that follows the torque it causes itself may have two solutions. A run stays on its own: wherever a
 * stepper evaluates accelerations inside a step, for its stages, its interpolant or a root, it takes the near one.
 */
#include "support_changes.h"
#include "support_variants.h"

/* At t = 1.0305 j0.p2 stops; friction -2.7 N, or -8 N as the other solution has it */
static const char two_solutions[] =
    "detent: 1\n"
    "gravity: [-3.38, 0, -0.734]\n"
    "bodies:\n"
    "  b0: {mass: 1.11, center_of_mass: [0.267, -0.0529, -0.0805], inertia: [0.0122, 0.00901, "
    "0.00622]}\n"
    "  b1: {mass: 0.957, inertia: [0.00207, 0.012, 0.0119]}\n"
    "joints:\n"
    "  j0: {type: six-dof, base: ground, follower: b0, at: {base: {point: [0.173, 0.221, -0.425], "
    "rotation: {rpy: "
    "[0, 0.636, 0]}}, follower: [-0.243, 0, 0]}, primitives: {p1: {initial: {position: -0.0521, "
    "velocity: -1.4}}, "
    "p2: {initial: {position: 0, velocity: -0.669}, spring: {stiffness: 4.03, rest: -0.255}}, p3: "
    "{initial: {position: "
    "0, velocity: -2.99}, damping: 0.0119}, s1: {initial: {velocity: [1.77, 1.67, -1.24]}}}}\n"
    "  j1: {type: gimbal, base: ground, follower: b1, at: {base: {point: [0.225, 0, 0.341]}}, "
    "primitives: {r1: {spring: "
    "{stiffness: 95.4, rest: 0.243}}, r2: {initial: {position: 0.071, velocity: -1.97}, spring: "
    "{stiffness: 287, rest: "
    "0}, damping: 2.87}, r3: {initial: {position: -0.713, velocity: 0}}}}\n"
    "stiction:\n"
    "  j0.p1: {velocity_threshold: 0.000161, kinetic: 3.23, static: 1.41*3.23, external: "
    "\"-2.19*sin(2.18*t) + "
    "0.0424*min(1*reaction_force(j1.r3), 57)\"}\n"
    "  j0.p2: {velocity_threshold: 0.644, kinetic: 0.223*reaction_torque(j0.p2), static: "
    "3.43*0.223*reaction_torque(j0.p2), test: 1.14*friction(j0.p2), external: 6.53}\n"
    "  j0.p3: {velocity_threshold: 3.14e-05, kinetic: 0, static: 0, external: "
    "0.682*cos(2*position(j0.p3))}\n"
    "  j1.r1: {velocity_threshold: 0.00668, kinetic: 0.263*(1 + 0.5*sin(3*position(j1.r1))), "
    "static: 0.263*(1 + "
    "0.5*sin(3*position(j1.r1)))}\n"
    "  j1.r3: {velocity_threshold: 0.378, kinetic: 0, static: 0, external: "
    "-1.36*cos(2*position(j1.r3))}\n"
    "loads:\n"
    "  l0: {body: b0, at: [0, 0, 0.159], force: [0, 5.7*exp(-10.5*t), 1.87*sin(1.52*t + 0.594)]}\n"
    "simulation: {end: 1.63, rtol: 1e-7}\n";

/* When j0.p2 stops for good. */
static double last_stop(detent_integrator integrator, double rtol)
{
    detent_mechanism *m = runs_parse(two_solutions, NULL);
    detent_settings settings = runs_settings(m, rtol, 0);
    detent_error error;
    detent_status status;
    double stop = 0;
    settings.integrator = integrator;
    detent_simulation *s = runs_start(m, &settings);
    const size_t joint = (size_t)detent_find(m, DETENT_STICTION, "j0.p2");
    while ((status = detent_advance(s, settings.end, true, &error)) == DETENT_EVENT) {
        size_t count;
        const detent_mode_change *change = last_event(s, &count);
        for (size_t k = 0; k < count; k++) {
            if (change[k].stiction == joint && change[k].to == DETENT_LOCKED) {
                stop = change[k].time;
            }
        }
    }
    runs_must(status, &error);
    runs_end(s, m);
    return stop;
}

static void a_run_stays_on_its_solution(void **state)
{
    UNUSED(state);
    const double stop = last_stop(DETENT_INTEGRATOR_IDA, 1e-10);
    const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                             DETENT_INTEGRATOR_AUTO};
    for (size_t k = 0; k < sizeof integrators / sizeof *integrators; k++) {
        assert_true(fabs(last_stop(integrators[k], 1e-7) - stop) < 1e-7);
        assert_true(fabs(last_stop(integrators[k], 1e-8) - stop) < 1e-8);
    }
}

/* At t = 0.128 the friction of j1, which follows its own reaction, has no solution any more beside a body so light */
static const char solution_that_ends[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  b0: {mass: 0.433, center_of_mass: [0.0736, 0, 0.176], inertia: [0.00578, 0.00305, "
    "0.00606]}\n"
    "  b1: {mass: 490, center_of_mass: [0, 0.148, 0], inertia: [1.45, 0.638, 1.22]}\n"
    "joints:\n"
    "  j0: {type: revolute, base: ground, follower: b0, axis: [0, 0, 1], at: {base: {point: [0, 0, "
    "0]}, follower: [0, "
    "0.0869, 0]}, initial: {position: 0, velocity: 2.56}, damping: 0.127, armature: 0.00112}\n"
    "  j1: {type: revolute, base: b0, follower: b1, axis: [0, 0, 1], at: {base: {point: [-0.0689, "
    "0, 0]}, follower: "
    "[0.0608, -0.164, 0]}, initial: {position: 0, velocity: -0.248}}\n"
    "stiction:\n"
    "  j0: {velocity_threshold: 0.0423, kinetic: 0.502, static: 0.502}\n"
    "  j1: {kinetic: 0.0302*reaction_force(j1), static: 0.0302*reaction_force(j1), external: "
    "\"if(1*velocity(j1) < 0.194*cos(1.65*t), 754, 1320)\"}\n"
    "simulation: {end: 1.38, rtol: 1e-7}\n";

static void every_variant_says_that_a_solution_ends(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(solution_that_ends, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        detent_error error;
        detent_status status;
        do {
            status = detent_advance(s, 1.38, true, &error);
        } while (status == DETENT_EVENT);
        if (status != DETENT_NO_CONSISTENT_STATE || fabs(detent_time(s) - 0.12823) > 1e-5) {
            fail_msg("%s: status %d at %.9g s: %s", variant_name(v), (int)status, detent_time(s),
                     error.message);
        }
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/*
 * Sixty kilogrammes behind a short lever: near its limit the friction of j0 falls faster than its joint is unloaded, so that
 * no motion begins gently. The joint starts with the other solution, far from the one it was held by.
 */
static const char short_lever[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {q0: 0, q1: 0, v1: 0, torque: 0}\n"
    "bodies:\n"
    "  b0: {mass: 1}\n"
    "  b1: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  b2: {mass: 60, inertia: [0.1, 0.1, 0.1]}\n"
    "joints:\n"
    "  j0: {type: revolute, base: ground, follower: b0, axis: [0, 0, 1], initial: {position: "
    "q0}%s}\n"
    "  j1: {type: revolute, base: b0, follower: b1, axis: [0, 0, 1], at: {base: {point: [-0.0755, "
    "0, 0]}}, "
    "spring: {stiffness: 70, rest: 0.134}, initial: {position: q1, velocity: v1}}\n"
    "  j2: {type: prismatic, base: b1, follower: b2, at: {base: {point: [-0.2, -0.01, 0]}}}\n"
    "%s"
    "outputs: [normal_force(j0), acceleration(j0)%s]\n"
    "simulation: {end: 0.2, rtol: 1e-7}\n";

/** Friction 0.0952 times the normal force, less `torque` along j0, which moves from rest: no friction law, no search. */
static double lacking(double q0, double q1, double v1, double torque)
{
    char text[2048], value[4][64];
    const char *names[] = {"q0", "q1", "v1", "torque"}, *set[5] = {NULL};
    const double values[] = {q0, q1, v1, torque};
    snprintf(text, sizeof text, short_lever, ", force: torque", "", "");
    for (size_t k = 0; k < 4; k++) {
        snprintf(value[k], sizeof value[k], "%s=%.17g", names[k], values[k]);
        set[k] = value[k];
    }
    detent_mechanism *m = runs_parse(text, set);
    detent_simulation *s = runs_start(m, NULL);
    const double normal = runs_output(m, s, "normal_force(j0)");
    runs_end(s, m);
    return torque + 0.0952 * normal;
}

static void a_joint_may_start_with_the_other_solution(void **state)
{
    UNUSED(state);
    char text[2048];
    snprintf(text, sizeof text, short_lever, "",
             "stiction:\n"
             "  j0: {velocity_threshold: 0.001, kinetic: 0.0952*normal_force(j0), static: "
             "0.0952*normal_force(j0)}\n",
             ", friction(j0)");
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        detent_error error;
        detent_status status;
        while ((status = detent_advance(s, 0.2, true, &error)) == DETENT_EVENT &&
               (detent_time(s) < 0.1 || runs_mode(m, s, "j0") != DETENT_WAIT)) {
        }
        assert_int_equal(status, DETENT_EVENT);
        const double q0 = runs_position(m, s, "j0"), q1 = runs_position(m, s, "j1"),
                     v1 = runs_velocity(m, s, "j1");
        double low = -45, high = 0; /* between the least normal force and no friction */
        assert_true(lacking(q0, q1, v1, low) < 0 && lacking(q0, q1, v1, high) > 0);
        for (int round = 0; round < 50; round++) {
            const double middle = 0.5 * (low + high);
            *(lacking(q0, q1, v1, middle) < 0 ? &low : &high) = middle;
        }
        runs_near(variant_name(v), runs_output(m, s, "friction(j0)"), high, 1e-9 * fabs(high));
        assert_true(runs_output(m, s, "acceleration(j0)") > 100);
        variant_advance(s, v, 0.2);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_may_start_with_the_other_solution),
        cmocka_unit_test(a_run_stays_on_its_solution),
        cmocka_unit_test(every_variant_says_that_a_solution_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
