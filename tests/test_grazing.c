/*
 * Roots that come and go within one step: a load that passes its limit by a millionth, a velocity
 * that dips below zero by less than
 * the step could show. Exact times.
 */
#include "detent/detent.h"
#include "support_changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const text =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {amplitude: 1, start: 0}\n"
    "bodies:\n"
    "  block: {mass: 1, center_of_mass: [0, 0, 0], inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: block,\n"
    "          axis: [1, 0, 0], initial: {velocity: start}}\n"
    "stiction:\n"
    "  slide: {velocity_threshold: 1e-9,\n"
    "          external: amplitude*sin(t),            \n"
    "          kinetic: 0.5, static: 1}\n"
    "simulation: {end: 10, interval: 0.5, rtol: 1e-8, atol: 1e-12}\n";

/** Time of the first change after the start to `mode`, or INFINITY. */
static double first_change(const char *amplitude, detent_mode mode)
{
    detent_parameter set[1] = {{"amplitude", amplitude}};
    const detent_load_options options = {
        .size = sizeof options, .parameters = set, .parameter_count = 1};
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    detent_error error;
    double found = INFINITY;
    assert_int_equal(
        detent_mechanism_parse(text, strlen(text), "text", &options, &mechanism, &error),
        DETENT_OK);
    assert_int_equal(detent_simulation_create(mechanism, NULL, &simulation, &error), DETENT_OK);
    while (isinf(found) && detent_advance(simulation, 10, true, &error) == DETENT_EVENT) {
        size_t count;
        const detent_mode_change *changes = last_event(simulation, &count);
        for (size_t k = 0; k < count; k++)
            if (changes[k].to == mode && changes[k].time > 0)
                found = changes[k].time;
    }
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
    return found;
}

/** Steps are half a second; the load is above its limit for 3 ms and by a millionth. */
static void a_load_that_passes_its_limit_and_returns(void **state)
{
    (void)state;
    const double found = first_change("1.000001", DETENT_WAIT);
    /* a joint breaks 2e-12 N beyond its limit; the load rises by 1.4e-3 N/s there */
    assert_true(fabs(found - asin(1 / 1.000001)) < 2e-12 / 1.4e-3 + 1e-9);
    assert_true(isinf(first_change("0.999999", DETENT_WAIT)));
}

/**
 * With the force 0.5 - cos t against friction 0.5 the velocity is start - sin t: with start = 1 -
 * 1e-7 it is below zero for less than a millisecond.
 */
static void a_velocity_that_dips_below_zero(void **state)
{
    (void)state;
    char source[1024], *place;
    snprintf(source, sizeof source, "%s", text);
    place = strstr(source, "amplitude*sin(t),      ");
    memcpy(place, "0.5 - amplitude*cos(t),", 23);
    for (int dips = 0; dips < 2; dips++) {
        const char *start = dips ? "1 - 1e-7" : "1 + 1e-7";
        detent_parameter set[1] = {{"start", start}};
        const detent_load_options options = {
            .size = sizeof options, .parameters = set, .parameter_count = 1};
        detent_mechanism *mechanism = NULL;
        detent_simulation *simulation = NULL;
        detent_error error;
        assert_int_equal(
            detent_mechanism_parse(source, strlen(source), "text", &options, &mechanism, &error),
            DETENT_OK);
        assert_int_equal(detent_simulation_create(mechanism, NULL, &simulation, &error), DETENT_OK);
        detent_status status = detent_advance(simulation, 2, true, &error);
        if (dips) {
            assert_int_equal(status, DETENT_EVENT);
            /* the slope of v there is 4e-4: a velocity good to 1e-9 gives a time good to 2e-6 */
            assert_true(fabs(detent_time(simulation) - asin(1 - 1e-7)) < 2e-6);
        } else {
            assert_int_equal(status, DETENT_OK);
        }
        detent_simulation_destroy(simulation);
        detent_mechanism_destroy(mechanism);
    }
}

/* ---- limits that turn sharply ---- */

static const char *const sharp_text =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {phase: 0, dip: 0}\n"
    "bodies: {swing: {mass: 1}, block: {mass: 1}}\n"
    "joints:\n"
    "  b: {type: prismatic, base: ground, follower: swing, axis: [1, 0, 0], spring: {stiffness: "
    "1},\n"
    "      initial: {position: cos(phase), velocity: -sin(phase)}}\n"
    "  a: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
    "stiction:\n"
    "  a: {static: \"1 + 1 [N/m]*hypot(position(b), 4e-4)\", kinetic: 0.5,\n"
    "      external: 1.001 + dip*position(b)/(1 m)}\n"
    "simulation: {end: 2, interval: 2, rtol: 1e-7}\n";

/** When the block breaks away, or INFINITY. */
static double first_break(const char *source, double phase, double dip,
                          detent_integrator integrator)
{
    char value[2][32];
    snprintf(value[0], sizeof value[0], "%.17g", phase);
    snprintf(value[1], sizeof value[1], "%.17g", dip);
    detent_parameter set[2] = {{"phase", value[0]}, {"dip", value[1]}};
    const detent_load_options options = {
        .size = sizeof options, .parameters = set, .parameter_count = 2};
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    detent_error error;
    assert_int_equal(
        detent_mechanism_parse(source, strlen(source), "text", &options, &mechanism, &error),
        DETENT_OK);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.integrator = integrator;
    const detent_simulation_options run = {.size = sizeof run, .settings = &settings};
    assert_int_equal(detent_simulation_create(mechanism, &run, &simulation, &error), DETENT_OK);
    const detent_status status = detent_advance(simulation, 2, true, &error);
    const double found = status == DETENT_EVENT ? detent_time(simulation) : (double)INFINITY;
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
    return found;
}

/**
 * The limit, 1 + |x| but for its tip, with x = cos(t + phase), is below the load, 1.01 + lean x, for 1.8 ms or more, wherever
 * the steps are: about 0.06 s long with ERK. A load that leans makes one side of the dip steeper than the other.
 */
static void a_limit_that_dips_sharply(void **state)
{
    (void)state;
    static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                    DETENT_INTEGRATOR_AUTO};
    static const double leans[] = {0, 0.2, 0.4, -0.4, 0.6};
    for (int k = 0; k < 300; k++) {
        const double phase = 0.002 * k, lean = leans[k % 5], a = 1 - lean * lean;
        const double x = (1e-3 * lean + sqrt(1e-6 * lean * lean + a * (1e-6 - 16e-8))) / a;
        const double due = acos(x) - phase;
        for (int i = 0; i < 3; i++) {
            const double found = first_break(sharp_text, phase, lean, integrators[i]);
            if (!(fabs(found - due) < 1e-6)) {
                fail_msg("phase %g, lean %g, integrator %d: breaks away at %.9g s, not at %.9g s",
                         phase, lean, i, found, due);
            }
        }
    }
}

/** The block carries the swing, whose spring pushes it across the slide by cos(t + phase). */
static const char *const pressed_text =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {phase: 0, dip: 1}\n"
    "bodies: {swing: {mass: 1}, block: {mass: 1}}\n"
    "joints:\n"
    "  a: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
    "  b: {type: prismatic, base: block, follower: swing, axis: [0, 1, 0],\n"
    "      spring: {stiffness: 1}, initial: {position: cos(phase), velocity: -sin(phase)}}\n"
    "stiction:\n"
    "  a: {static: 1 + normal_force(a), kinetic: 0.5, external: 1 + dip}\n"
    "loads:\n"
    "  across: {body: block, force: [0, 0, 0.4*dip]}\n"
    "simulation: {end: 2, interval: 2, rtol: 1e-7}\n";

/** The limit, 1 + hypot(cos(t + phase), 0.4 dip), is below the load for 1.8 `dip` s, wherever the steps are. */
static void a_norm_of_reactions_that_passes_zero(void **state)
{
    (void)state;
    static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                    DETENT_INTEGRATOR_AUTO};
    static const double dips[] = {1e-2, 1e-3, 1e-5};
    for (int k = 0; k < 180; k++) {
        const double dip = dips[k % 3], phase = 0.01 / 3 * k;
        const double due = acos(sqrt(1 - 0.16) * dip) - phase;
        for (int i = 0; i < 3; i++) {
            const double found = first_break(pressed_text, phase, dip, integrators[i]);
            if (!(fabs(found - due) < 1e-6)) {
                fail_msg("phase %g, dip %g, integrator %d: breaks away at %.9g s, not at %.9g s\n",
                         phase, dip, i, found, due);
            }
        }
    }
}

/** An unbalanced rotor that nothing brakes, on a block that is stuck. */
static const char *const rotor_text =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {phase: 0, dip: 1}\n"
    "bodies:\n"
    "  block: {mass: 1}\n"
    "  rotor: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [1e-3, 1e-3, 1e-3]}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
    "  shaft: {type: revolute, base: block, follower: rotor, axis: [0, 0, 1],\n"
    "          initial: {position: pi/2 + phase, velocity: 10 rad/s}}\n"
    "stiction: {slide: {static: 10*(1 - dip), kinetic: 1}}\n"
    "simulation: {end: 2, interval: 2, rtol: 1e-7}\n";

/**
 * It pushes by 10 cos(10 t + phase), and is followed without an error in steps as long as one likes: from above the
 * limit to below it again, or some turns.
 */
static void the_force_of_a_rotor(void **state)
{
    (void)state;
    static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                    DETENT_INTEGRATOR_AUTO};
    static const double dips[] = {0.5, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6};
    for (int k = 0; k < 120; k++) {
        const double dip = dips[k % 6], phase = 0.8 / 120 * k;
        const double due = (acos(-1) / 2 - acos(1 - dip) - phase) / 10;
        for (int i = 0; i < 3 && due > 0; i++) {
            const double found = first_break(rotor_text, phase, dip, integrators[i]);
            if (!(fabs(found - due) < 1e-6)) {
                fail_msg("phase %g, dip %g, integrator %d: breaks away at %.9g s, not at %.9g s\n",
                         phase, dip, i, found, due);
            }
        }
    }
}

/** A cam of `phase` bumps a turn, which grow, turns freely and pushes a block that is stuck. */
static const char *const cam_text =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {phase: 0, dip: 1}\n"
    "bodies: {shaft: {mass: 1, inertia: [1, 1, 1]}, block: {mass: 1}}\n"
    "joints:\n"
    "  turn: {type: revolute, base: ground, follower: shaft, axis: [0, 0, 1],\n"
    "         initial: {velocity: 3 rad/s}}\n"
    "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
    "stiction:\n"
    "  slide: {static: 0.99, kinetic: 0.5,\n"
    "          external: \"sin(phase*position(turn))*(0.5 + "
    "0.02*position(turn)*position(turn))\"}\n"
    "simulation: {end: 3, interval: 3, rtol: 1e-7}\n";

static double push_of_cam(double bumps, double t)
{
    return fabs(sin(bumps * 3 * t) * (0.5 + 0.02 * 9 * t * t));
}

static void the_push_of_a_cam(void **state)
{
    (void)state;
    static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                    DETENT_INTEGRATOR_AUTO};
    for (double bumps = 3; bumps < 120; bumps *= 1.3) {
        double due = 0;
        while (push_of_cam(bumps, due) < 0.99) {
            due += 1e-7;
        }
        for (int i = 0; i < 3; i++) {
            const double found = first_break(cam_text, bumps, 1, integrators[i]);
            if (!(fabs(found - due) < 2e-7)) {
                fail_msg("%g bumps, integrator %d: breaks away at %.9g s, not at %.9g s\n", bumps,
                         i, found, due);
            }
        }
    }
}

/**
 * Found by random mechanisms: the limit of j6 follows a torque that turns sharply; the joint has stopped 7 ms before it
 * gives way, a few explicit steps of very different lengths ago.
 */
static const char *const found_text =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  b0: {mass: 0.957, center_of_mass: [0, 0, 0.305], inertia: [0.00305, 0.0248, 0.0267]}\n"
    "  b1: {mass: 0.944, inertia: [0.00299, 0.00839, 0.00756]}\n"
    "  b2: {mass: 1.86, center_of_mass: [0, 0.0624, 0], inertia: [0.06759999999999999, 0.0314, "
    "0.0457]}\n"
    "  b3: {mass: 2.92, center_of_mass: [0.288, 0.232, -0.332], inertia: [0.0574, 0.0229, "
    "0.0572]}\n"
    "  b4: {mass: 0.971, center_of_mass: [-0.0596, 0, -0.153], inertia: [0.00685, 0.00997, "
    "0.00537]}\n"
    "  b6: {mass: 0.412, center_of_mass: [0, 0.303, 0], inertia: [0.000962, 0.000771, 0.00133]}\n"
    "joints:\n"
    "  j0: {type: revolute, base: ground, follower: b0, axis: [0, 0, 1], "
    "at: {base: {point: [-0.477, 0, 0]}}, initial: {position: 0.318, velocity: 0}}\n"
    "  j1: {type: prismatic, base: ground, follower: b1, axis: [1, 0, 0], "
    "at: {base: {point: [0, -0.362, 0]}, follower: [0.203, 0, 0]}, initial: {position: -0.049, "
    "velocity: 0}}\n"
    "  j2: {type: revolute, base: b1, follower: b2, axis: [0, 0, 1], "
    "at: {base: {point: [0.00714, -0.365, 0]}, follower: [0, 0.00609, 0]}}\n"
    "  j3: {type: prismatic, base: b2, follower: b3, axis: [1, 0, 0], at: {base: {point: [0, "
    "0.36, 0]}}, spring: {stiffness: 1.03, rest: 0.00431}}\n"
    "  j4: {type: cylindrical, base: b3, follower: b4, at: {base: {point: [0.465, -0.101, "
    "0]}}, primitives: {p1: {damping: 0.0413, "
    "force: \"-11*(1*position(j4.p1) - 1*position(j1))\"}, r1: {}}}\n"
    "  j6: {type: revolute, base: b4, follower: b6, axis: [0.143, 0.364, -0.0025], "
    "at: {base: {point: [0, 0.422, 0]}}, initial: {position: -0.474, velocity: 0}, "
    "spring: {stiffness: 249, rest: 0.0717}}\n"
    "stiction:\n"
    "  j1: {velocity_threshold: 0.142, kinetic: \"6.41\", static: \"1.59*(6.41)\"}\n"
    "  j6: {velocity_threshold: 0.0823, kinetic: \"0.105*reaction_torque(j6)\", "
    "static: \"2.52*(0.105*reaction_torque(j6))\", locking: band}\n"
    "simulation: {end: 1.77, interval: 0.0885, rtol: 1e-07, atol: 1e-09}\n";

static void a_limit_that_dips_soon_after_a_stop(void **state)
{
    (void)state;
    static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                    DETENT_INTEGRATOR_AUTO};
    for (int i = 0; i < 3; i++) {
        detent_mechanism *mechanism = NULL;
        detent_simulation *simulation = NULL;
        detent_error error;
        assert_int_equal(detent_mechanism_parse(found_text, strlen(found_text), "text", NULL,
                                                &mechanism, &error),
                         DETENT_OK);
        detent_settings settings = DETENT_INIT(detent_settings);
        detent_mechanism_get_settings(mechanism, &settings);
        settings.integrator = integrators[i];
        const detent_simulation_options run = {.size = sizeof run, .settings = &settings};
        assert_int_equal(detent_simulation_create(mechanism, &run, &simulation, &error), DETENT_OK);
        bool found = false;
        while (detent_advance(simulation, 0.6, true, &error) == DETENT_EVENT) {
            found = found || fabs(detent_time(simulation) - 0.5279143897) < 1e-6;
        }
        assert_true(found);
        detent_simulation_destroy(simulation);
        detent_mechanism_destroy(mechanism);
    }
}

/*
 * v = 0.27 - 0.65 t + 0.25 t^2, an explicit step of any length has no error: it turns at t = 0.52 and would come back at 2.08.
 * The other block stops at 2.5, where that step ends.
 */
static const char before_text[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
    "joints:\n"
    "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: {velocity: "
    "0.27}}\n"
    "  b: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], initial: {velocity: 0.5}}\n"
    "stiction:\n"
    "  a: {kinetic: 0.2, static: 0.5, external: \"-0.45 + 0.5*t\"}\n"
    "  b: {kinetic: 0.2, static: 0.2}\n"
    "simulation: {end: 4}\n";

static void a_velocity_that_dips_before_another_stops(void **state)
{
    const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                             DETENT_INTEGRATOR_AUTO};
    const double stop = (0.65 - sqrt(0.65 * 0.65 - 0.27)) / 0.5;
    (void)state;
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        detent_mechanism *mechanism = NULL;
        detent_simulation *simulation = NULL;
        detent_error error;
        assert_int_equal(detent_mechanism_parse(before_text, strlen(before_text), "text", NULL,
                                                &mechanism, &error),
                         DETENT_OK);
        detent_settings settings = DETENT_INIT(detent_settings);
        detent_mechanism_get_settings(mechanism, &settings);
        settings.integrator = integrators[i];
        const detent_simulation_options run = {.size = sizeof run, .settings = &settings};
        assert_int_equal(detent_simulation_create(mechanism, &run, &simulation, &error), DETENT_OK);
        assert_int_equal(detent_advance(simulation, 4, true, &error), DETENT_EVENT);
        assert_true(fabs(detent_time(simulation) - stop) < 1e-7);
        detent_simulation_destroy(simulation);
        detent_mechanism_destroy(mechanism);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_passes_its_limit_and_returns),
        cmocka_unit_test(a_velocity_that_dips_below_zero),
        cmocka_unit_test(a_velocity_that_dips_before_another_stops),
        cmocka_unit_test(a_limit_that_dips_sharply),
        cmocka_unit_test(a_norm_of_reactions_that_passes_zero),
        cmocka_unit_test(the_force_of_a_rotor),
        cmocka_unit_test(the_push_of_a_cam),
        cmocka_unit_test(a_limit_that_dips_soon_after_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
