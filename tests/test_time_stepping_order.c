/*
 * Time stepping converges to the event-driven solution with first order, through breakaways and stops: slopes of regressions over the halvings
 * of the step. Trees with static above kinetic friction, limits that follow reactions, springs, states, samples and stops.
 */
#include "support_runs.h"

enum { HALVINGS = 6, MOST_ROWS = 200, MOST_OUTPUTS = 8 };

typedef struct table {
    size_t rows, outputs;
    double value[MOST_ROWS][MOST_OUTPUTS];
} table;

static void fill(const detent_mechanism *m, const detent_settings *settings, size_t rows,
                 double end, table *t)
{
    detent_error error = {.message = ""};
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    detent_simulation *sim = runs_start(m, settings);
    *t = (table){.rows = rows, .outputs = info.outputs};
    assert_true(rows <= MOST_ROWS && info.outputs <= MOST_OUTPUTS);
    for (size_t k = 0; k < rows; k++) {
        runs_advance(sim, end * (double)(k + 1) / (double)rows);
        runs_must(detent_read(sim, DETENT_OUTPUTS, t->value[k], info.outputs, &error), &error);
    }
    detent_simulation_destroy(sim);
}

/* The mean distance of all outputs in all rows. */
static double distance(const table *a, const table *b)
{
    double sum = 0;
    for (size_t k = 0; k < a->rows; k++) {
        for (size_t j = 0; j < a->outputs; j++) {
            sum += fabs(a->value[k][j] - b->value[k][j]);
        }
    }
    return sum / (double)a->rows;
}

static void check_first_order(detent_mechanism *m, double end, double longest)
{
    static table exact, now;
    double h[HALVINGS], error[HALVINGS];
    detent_settings tight = runs_settings(m, 1e-10, 0), settings = runs_settings(m, 0, 0);
    fill(m, &tight, MOST_ROWS, end, &exact);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    for (int k = 0; k < HALVINGS; k++) {
        settings.step = h[k] = longest / (double)(1 << k);
        fill(m, &settings, MOST_ROWS, end, &now);
        error[k] = distance(&now, &exact);
        if (runs_verbose()) {
            print_message("step %-12g error %g\n", h[k], error[k]);
        }
    }
    runs_near("first order", runs_slope(h, error, HALVINGS), 1, 0.15);
    assert_true(error[HALVINGS - 1] > 1e-9); /* an error is left to tell an order from */
    detent_mechanism_destroy(m);
}

static void a_double_pendulum_converges(void **state)
{
    (void)state;
    check_first_order(
        runs_parse("detent: 1\ngravity: [0, -9.81, 0]\n"
                   "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
                   "b: {mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0.05, 0.05, 0.05]}}\n"
                   "joints:\n"
                   "  x: {type: revolute, base: ground, follower: a}\n"
                   "  y: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}}\n"
                   "stiction: {x: {static: 2.5, kinetic: 1.5}, y: {static: 0.4, kinetic: 0.3}}\n"
                   "outputs: [position(x), position(y), velocity(x), velocity(y)]\n",
                   NULL),
        3, 4e-3);
}

/* Friction of both pins follows what they carry. */
static void a_pendulum_whose_pins_rub_converges(void **state)
{
    (void)state;
    check_first_order(
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
    check_first_order(runs_load("hanging_chain.yaml", NULL), 1, 4e-3);
}

static void stick_and_slip_on_a_belt_converges(void **state)
{
    (void)state;
    check_first_order(
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
    check_first_order(
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
    check_first_order(
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
    check_first_order(
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
    check_first_order(
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
    check_first_order(runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {m: {mass: 1}}\n"
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
    check_first_order(
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
    check_first_order(
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
    check_first_order(
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
