/*
 * Time stepping converges to the solution with second order where nothing happens within steps, and to the event-driven one with first order through
 * breakaways and stops: slopes of regressions over the halvings of the step. Trees with static above kinetic friction, limits that follow reactions,
 * springs, states, samples and stops.
 */
#include "support_order.h"
#include "support_runs.h"

enum { HALVINGS = 6 };

/* Second order where nothing happens in steps; against the explicit method, which shares nothing with them. */
static void check_second_order(detent_mechanism *m, double end, double longest)
{
    static order_table exact;
    double last;
    detent_settings tight = runs_settings(m, 1e-12, 0);
    tight.integrator = DETENT_INTEGRATOR_ERK;
    order_fill(m, &tight, 100, end, &exact);
    runs_near("second order",
              order_of(m, DETENT_INTEGRATOR_FIXED, DETENT_LOCKED_JOINTS_WELD, longest, HALVINGS,
                       &exact, end, &last),
              2, 0.1);
    assert_true(last > 1e-11);
    detent_mechanism_destroy(m);
}

/* ---- second order ---- */

static void smooth_arms_have_second_order(void **state)
{
    (void)state;
    check_second_order(
        runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
            "b: {mass: 0.5, center_of_mass: [0.4, 0, 0.1], inertia: [0.05, 0.05, 0.05]}}\n"
            "joints:\n"
            "  x: {type: revolute, base: ground, follower: a, damping: 0.3, force: 2*cos(3*t)}\n"
            "  y: {type: universal, base: a, follower: b, at: {base: [1, 0, 0]}}\n"
            "outputs: [position(x), velocity(x)]\n",
            NULL),
        2, 0.02);
}

/* A body that turns freely about all axes. */
static void rotations_have_second_order(void **state)
{
    (void)state;
    check_second_order(
        runs_parse("detent: 1\ngravity: [0, 0, -9.81]\nbodies: {a: {mass: 1, center_of_mass: "
                   "[0.1, 0.2, 0.3], inertia: [0.1, 0.2, 0.25]}}\n"
                   "joints: {x: {type: spherical, base: ground, follower: a, "
                   "initial: {velocity: [1, 2, 3]}}}\n"
                   "outputs: [\"position(a, x)\", \"velocity(a, y)\", kinetic_energy()]\n",
                   NULL),
        2, 0.01);
}

/* Everybody slides one way, with friction that falls and grows with speed, one beside a joint that is locked. */
static void sliding_has_second_order(void **state)
{
    (void)state;
    check_second_order(
        runs_parse("detent: 1\ngravity: [0, -9.81, 0]\n"
                   "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
                   "b: {mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0.05, 0.05, 0.05]}, "
                   "c: {mass: 0.2, center_of_mass: [0.1, 0.05, 0], inertia: [0.01, 0.01, 0.01]}}\n"
                   "joints:\n"
                   "  x: {type: revolute, base: ground, follower: a, initial: {velocity: 3}}\n"
                   "  y: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}, "
                   "initial: {velocity: 6}}\n"
                   "  z: {type: revolute, base: b, follower: c, at: {base: [0.8, 0, 0]}}\n"
                   "stiction:\n"
                   "  x: {static: 2, kinetic: \"0.5 + 1*exp(-(velocity(x)/0.8)^2) + "
                   "0.2*abs(velocity(x))\"}\n"
                   "  y: {static: 1, kinetic: \"0.01 [m]*reaction_force(y)\"}\n"
                   "  z: {static: 40, kinetic: 30}\n"
                   "outputs: [position(x), position(y), velocity(x), velocity(y)]\n",
                   NULL),
        0.36, 0.01);
}

/* Springs and dampers along joints, of which one is as stiff as a step: 0.5 ms; and a lag. */
static void springs_and_dampers_have_second_order(void **state)
{
    (void)state;
    check_second_order(
        runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
            "b: {mass: 0.5, center_of_mass: [0.1, 0, 0], inertia: [0.05, 0.05, 0.05]}}\n"
            "states: {warmth: {derivative: \"5*(abs(velocity(x)) - warmth)\"}}\n"
            "joints:\n"
            "  x: {type: revolute, base: ground, follower: a, spring: {stiffness: 40}, "
            "initial: {velocity: 4}}\n"
            "  y: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}, damping: 100, "
            "spring: {stiffness: 300}}\n"
            "stiction: {x: {external: \"-0.2*velocity(x)^3 + 3*sin(5*t)\", static: 1, "
            "kinetic: 0.3}}\n"
            "outputs: [position(x), velocity(x), position(y), warmth]\n",
            NULL),
        0.1, 1e-3);
}

/* A cart that is moved, and a pendulum on it; a carriage of given speed with another. */
static void prescribed_motions_have_second_order(void **state)
{
    (void)state;
    check_second_order(
        runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "bodies: {cart: {mass: 1}, a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, "
            "0.1, 0.1]}, lift: {mass: 1}, b: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.1, "
            "0.1, 0.1]}}\n"
            "joints:\n"
            "  c: {type: prismatic, base: ground, follower: cart, motion: \"0.3*sin(4*t)\"}\n"
            "  x: {type: revolute, base: cart, follower: a}\n"
            "  l: {type: prismatic, base: ground, follower: lift, speed: \"0.5*cos(3*t)\"}\n"
            "  y: {type: revolute, base: lift, follower: b}\n"
            "outputs: [position(x), velocity(x), position(l), position(y)]\n",
            NULL),
        2, 0.01);
}

/* Springs between bodies, a law that reads another joint, a lag that friction reads. */
static void what_is_coupled_has_second_order(void **state)
{
    (void)state;
    check_second_order(
        runs_parse("detent: 1\ngravity: [0, -9.81, 0]\n"
                   "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
                   "b: {mass: 0.5, center_of_mass: [0.1, 0, 0], inertia: [0.05, 0.05, 0.05]}}\n"
                   "states: {warmth: {derivative: \"5*(abs(velocity(x)) - warmth)\"}}\n"
                   "joints:\n"
                   "  x: {type: revolute, base: ground, follower: a, spring: {stiffness: 40}, "
                   "initial: {velocity: 4}}\n"
                   "  y: {type: revolute, base: ground, follower: b, force: "
                   "\"-300*(position(y) - position(x)) - 2*(velocity(y) - velocity(x))\"}\n"
                   "stiction: {x: {external: \"-300*(position(x) - position(y)) - 2*(velocity(x) - "
                   "velocity(y))\", static: 1, kinetic: \"0.3 + 0.1*warmth\"}}\n"
                   "outputs: [position(x), velocity(x), position(y), warmth]\n",
                   NULL),
        0.12, 2e-3);
}

/* A crank-rocker that is driven one way, with friction in its pins. */
static void a_loop_has_second_order(void **state)
{
    (void)state;
    check_second_order(
        runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
            "  crank: {mass: 0.6, center_of_mass: [0.15, 0, 0], inertia: [1e-4, 5e-3, 5e-3]}\n"
            "  coupler: {mass: 1.2, center_of_mass: [0.4, 0, 0], inertia: [2e-4, 0.06, 0.06]}\n"
            "  rocker: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [2e-4, 0.03, 0.03]}\n"
            "joints:\n"
            "  main: {type: revolute, base: ground, follower: crank, damping: 1, "
            "initial: {position: 50 deg, velocity: 4, priority: exact}}\n"
            "  pin: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, "
            "initial: {position: -25 deg}}\n"
            "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, "
            "initial: {position: 75 deg}}\n"
            "  head: {type: revolute, base: rocker, follower: coupler, "
            "at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -50 deg}}\n"
            "stiction: {main: {external: \"9 + sin(3*t)\", static: 1.5, kinetic: 1.2}}\n"
            "outputs: [position(main), velocity(main), position(foot)]\n",
            NULL),
        0.5, 4e-3);
}

/* ---- first order ---- */

static void a_double_pendulum_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, -9.81, 0]\n"
                   "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
                   "b: {mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0.05, 0.05, 0.05]}}\n"
                   "joints:\n"
                   "  x: {type: revolute, base: ground, follower: a}\n"
                   "  y: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}}\n"
                   "stiction: {x: {static: 2.5, kinetic: 1.5}, y: {static: 0.4, kinetic: 0.3}}\n"
                   "outputs: [position(x), position(y), velocity(x), velocity(y)]\n",
                   NULL),
        3, 2e-3);
}

/* Friction of both pins follows what they carry. */
static void a_pendulum_whose_pins_rub_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
            "b: {mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0.05, 0.05, 0.05]}}\n"
            "joints:\n"
            "  x: {type: revolute, base: ground, follower: a}\n"
            "  y: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}}\n"
            "stiction:\n"
            "  x: {static: \"0.12*reaction_force(x)\", kinetic: \"0.08*reaction_force(x)\"}\n"
            "  y: {static: \"0.06*reaction_force(y)\", kinetic: \"0.05*reaction_force(y)\"}\n"
            "outputs: [position(x), position(y), velocity(x), velocity(y)]\n",
            NULL),
        3, 4e-3);
}

static void a_chain_converges(void **state)
{
    (void)state;
    order_check_first(runs_load("hanging_chain.yaml", NULL), 1, 4e-3);
}

static void stick_and_slip_on_a_belt_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {belt: {mass: 5}, block: {mass: 1}}\n"
                   "joints:\n"
                   "  b: {type: prismatic, base: ground, follower: belt, motion: \"0.1*t\"}\n"
                   "  s: {type: prismatic, base: belt, follower: block}\n"
                   "stiction: {s: {external: \"-20*(position(b) + position(s))\", static: 2, "
                   "kinetic: \"0.8 + 0.2*exp(-abs(velocity(s))/0.05)\"}}\n"
                   "outputs: [position(s), velocity(s)]\n",
                   NULL),
        8, 1e-2);
}

static void an_oscillator_with_friction_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {m: {mass: 1}}\n"
            "joints: {x: {type: prismatic, base: ground, follower: m, spring: {stiffness: 40}, "
            "damping: 0.1, initial: {position: 1}}}\n"
            "stiction: {x: {static: 3, kinetic: 2}}\noutputs: [position(x), velocity(x)]\n",
            NULL),
        4, 5e-3);
}

/* Motor and load on a shaft, a regulator with a lag, and a command in steps of 20 ms. */
static void a_servo_of_two_masses_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {motor: {inertia: [0.01, 0.01, 0.01], mass: 1}, load: {inertia: [0.05, 0.05, "
            "0.05], mass: 1}}\n"
            "sampled: {command: {value: \"0.6*sin(2*t)\", every: 20 ms}}\n"
            "states: {current: {derivative: \"50*(clamp(40*(command - position(r)) - "
            "2*velocity(r), -6, 6) - current)\"}}\n"
            "joints:\n"
            "  r: {type: revolute, base: ground, follower: motor}\n"
            "  s: {type: revolute, base: motor, follower: load, spring: {stiffness: 30}, damping: "
            "0.05}\n"
            "stiction: {r: {external: current, static: 0.8, kinetic: 0.5}}\n"
            "outputs: [position(r), velocity(r), position(s), current]\n",
            NULL),
        4, 1e-3);
}

/* Friction that grows with the time at rest, from that of motion on: a block that is dragged by a spring. */
static void friction_that_ages_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {m: {mass: 1}}\n"
                   "joints: {x: {type: prismatic, base: ground, follower: m}}\n"
                   "stiction: {x: {external: \"10*(0.2*t - position(x)) - 1*velocity(x)\", "
                   "static: \"1 + 1*(1 - exp(-rest_time(x)/0.5))\", kinetic: 1}}\n"
                   "outputs: [position(x), velocity(x)]\n",
                   NULL),
        8, 1e-2);
}

static void a_ball_that_bounces_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, 0, -9.81]\nbodies: {ball: {mass: 0.3}}\n"
                   "joints: {z: {type: prismatic, base: ground, follower: ball, axis: [0, 0, 1], "
                   "initial: {position: 1}, stops: {lower: {at: 0, restitution: 0.6}}}}\n"
                   "outputs: [position(z)]\n",
                   NULL),
        3, 4e-3);
}

/* A block between two stops, with friction, that is shaken. */
static void a_block_between_stops_converges(void **state)
{
    (void)state;
    order_check_first(runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {m: {mass: 1}}\n"
                                 "joints: {x: {type: prismatic, base: ground, follower: m, "
                                 "stops: {lower: {at: -0.1, restitution: 0.3}, upper: {at: 0.15, "
                                 "restitution: 0}}}}\n"
                                 "stiction: {x: {external: \"5*sin(3*t)\", static: 1.5, kinetic: "
                                 "1}}\noutputs: [position(x)]\n",
                                 NULL),
                      6, 2e-2);
}

/* A joint that moves forward alone, and one with it that does not. */
static void a_freewheel_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 0.5]}}\n"
            "joints:\n"
            "  x: {type: revolute, base: ground, follower: a, moves: forward, damping: 0.4}\n"
            "  y: {type: revolute, base: a, follower: b}\n"
            "stiction: {x: {external: \"3*sin(2*t)\", static: 0.7, kinetic: 0.5}, y: {external: "
            "\"sin(5*t)\", static: 0.5, kinetic: 0.3}}\n"
            "outputs: [position(x), position(y), velocity(x)]\n",
            NULL),
        6, 1e-2);
}

/* A crank-rocker whose pins stick, all of them sharing what one would hold, driven to and fro. */
static void a_loop_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
            "  crank: {mass: 0.6, center_of_mass: [0.15, 0, 0], inertia: [1e-4, 5e-3, 5e-3]}\n"
            "  coupler: {mass: 1.2, center_of_mass: [0.4, 0, 0], inertia: [2e-4, 0.06, 0.06]}\n"
            "  rocker: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [2e-4, 0.03, 0.03]}\n"
            "joints:\n"
            "  main: {type: revolute, base: ground, follower: crank, damping: 1, "
            "initial: {position: 50 deg, priority: exact}}\n"
            "  pin: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, "
            "initial: {position: -25 deg}}\n"
            "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, "
            "initial: {position: 75 deg}}\n"
            "  head: {type: revolute, base: rocker, follower: coupler, "
            "at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -50 deg}}\n"
            "stiction: {main: {external: \"7*sin(3*t)\", static: 1.5, kinetic: 1.2}, "
            "pin: {static: 0.8, kinetic: 0.6}, head: {static: 0.3, kinetic: 0.2}}\n"
            "outputs: [position(main), velocity(main), position(foot)]\n",
            NULL),
        3, 8e-3);
}

/* A gear train, and a stiff spring between two bodies, beside what a step can follow. */
static void what_is_coupled_converges(void **state)
{
    (void)state;
    order_check_first(
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {inertia: [0.1, 0.1, 0.1], mass: 1}, b: {inertia: [0.5, 0.5, 0.5], "
                   "mass: 1}, c: {inertia: [0.2, 0.2, 0.2], mass: 1}}\n"
                   "joints:\n"
                   "  a: {type: revolute, base: ground, follower: a}\n"
                   "  b: {type: revolute, base: ground, follower: b}\n"
                   "  c: {type: revolute, base: ground, follower: c, force: \"-1e6*(position(c) - "
                   "position(b)) - 100*(velocity(c) - velocity(b))\"}\n"
                   "couplings: {g: {type: gear, joints: [a, b], ratio: 3}}\n"
                   "stiction: {a: {external: \"2*sin(2*t)\", static: 0.7, kinetic: 0.5}, b: "
                   "{external: \"-1e6*(position(b) - position(c)) - 100*(velocity(b) - "
                   "velocity(c))\", static: 0.6, kinetic: 0.4}}\n"
                   "outputs: [position(a), velocity(b), position(c)]\n",
                   NULL),
        3, 8e-3);
}

/** The way of a joint with a speed follows from that alone: the trapezoidal rule, also where a loop or a gear hangs on it. */
static void the_way_of_a_speed_is_of_second_order(void **state)
{
    static const char *const tied[] = {
        "  n: {type: prismatic, base: ground, follower: m, axis: [1, 0, 0]}\n"
        "  o: {type: weld, base: ground, follower: n}\n",
        "  n: {type: prismatic, base: ground, follower: n, axis: [1, 0, 0]}\n"
        "couplings: {g: {type: gear, joints: [n, m], ratio: 2}}\n"};
    (void)state;
    for (size_t n = 0; n < 2; n++) {
        double off[2];
        char file[1024];
        snprintf(file, sizeof file,
                 "detent: 1\ngravity: [0, 0, 0]\nbodies: {m: {mass: 1}, n: {mass: 1}}\njoints:\n"
                 "  m: {type: prismatic, base: ground, follower: m, axis: [1, 0, 0], "
                 "speed: \"1 [m/s]*exp(t/1 [s])\"}\n%s"
                 "simulation: {end: 1}\n",
                 tied[n]);
        detent_mechanism *m = runs_parse(file, NULL);
        for (int k = 0; k < 2; k++) {
            detent_settings settings = runs_settings(m, 0, 0);
            settings.integrator = DETENT_INTEGRATOR_FIXED;
            settings.step = k == 0 ? 1e-2 : 5e-3;
            detent_simulation *sim = runs_start(m, &settings);
            runs_advance(sim, 1);
            off[k] = runs_position(m, sim, "m") - (exp(1) - 1);
            assert_true(fabs(off[k]) < settings.step * settings.step * exp(1) / 10);
            detent_simulation_destroy(sim);
        }
        assert_true(off[0] / off[1] > 3.9 && off[0] / off[1] < 4.1);
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_of_a_speed_is_of_second_order),

        cmocka_unit_test(smooth_arms_have_second_order),
        cmocka_unit_test(rotations_have_second_order),
        cmocka_unit_test(sliding_has_second_order),
        cmocka_unit_test(springs_and_dampers_have_second_order),
        cmocka_unit_test(prescribed_motions_have_second_order),
        cmocka_unit_test(what_is_coupled_has_second_order),
        cmocka_unit_test(a_loop_has_second_order),
        cmocka_unit_test(a_double_pendulum_converges),
        cmocka_unit_test(a_pendulum_whose_pins_rub_converges),
        cmocka_unit_test(a_chain_converges),
        cmocka_unit_test(stick_and_slip_on_a_belt_converges),
        cmocka_unit_test(an_oscillator_with_friction_converges),
        cmocka_unit_test(a_servo_of_two_masses_converges),
        cmocka_unit_test(friction_that_ages_converges),
        cmocka_unit_test(a_ball_that_bounces_converges),
        cmocka_unit_test(a_block_between_stops_converges),
        cmocka_unit_test(a_freewheel_converges),
        cmocka_unit_test(a_loop_converges),
        cmocka_unit_test(what_is_coupled_converges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
