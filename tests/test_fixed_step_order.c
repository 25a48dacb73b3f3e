/*
 * How fast steps of fixed length converge: Euler's method to the event-driven solution of stiction with first order, through
 * breakaways and stops, in trees and in loops; the method of Runge and Kutta with fourth order where motion is smooth, loops and rotations
 * included. Slopes are those of a regression over the halvings. Loops are closed to rounding whatever the step.
 */
#include "support_order.h"
#include "support_variants.h"

enum { HALVINGS = 7 };

/* ---- first order ---- */

/* `law` in place of LAW: borello in steps, stiction as the reference. */
static char *with_law(const char *text, const char *law)
{
    static char made[2][4000];
    static int next;
    char *out = made[next++ % 2];
    size_t length = 0;
    for (const char *p = text; *p; p++) {
        if (strncmp(p, "LAW", 3) == 0) {
            length += (size_t)sprintf(out + length, "%s", law);
            p += 2;
        } else {
            out[length++] = *p;
        }
        assert_true(length < sizeof made[0] - 32);
    }
    out[length] = 0;
    return out;
}

static void check_first_order(const char *text, double end, double longest)
{
    static order_table exact;
    detent_mechanism *reference = runs_parse(with_law(text, "stiction"), NULL);
    const detent_settings tight = runs_settings(reference, 1e-11, 0);
    order_fill(reference, &tight, 200, end, &exact);
    detent_mechanism *m = runs_parse(with_law(text, "borello"), NULL);
    for (int locked = 0; locked < 2; locked++) {
        double last;
        const double slope =
            order_of(m, DETENT_INTEGRATOR_EULER,
                     locked ? DETENT_LOCKED_JOINTS_CONSTRAIN : DETENT_LOCKED_JOINTS_WELD, longest,
                     HALVINGS, &exact, end, &last);
        runs_near("first order", slope, 1, 0.1);
        assert_true(last > 1e-9); /* an error is left to tell an order from */
    }
    detent_mechanism_destroy(m);
    detent_mechanism_destroy(reference);
}

/* A block that is dragged by a spring whose end moves: stick and slip. */
static void a_dragged_block_converges_with_first_order(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, damping: 0.2, "
        "force: 4*(0.3*t - position(x)), friction: {law: LAW, breakaway: 1.5, coulomb: 1}}}\n"
        "outputs: [position(x), velocity(x)]\nsimulation: {end: 12}\n";
    (void)state;
    check_first_order(text, 12, 0.005);
}

/* A positioning loop: its motor has a lag and a limit, its slide sticks. */
static void a_servo_converges_with_first_order(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 0.7}}\n"
        "signals: {command: \"0.3*sin(0.9*t)\"}\n"
        "states: {current: {derivative: \"20*(clamp(60*(command - position(x)), -6, 6) - "
        "current)\"}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, "
        "force: current, friction: {law: LAW, breakaway: 1.3, coulomb: 0.9, viscous: 2}}}\n"
        "outputs: [position(x), velocity(x), current]\nsimulation: {end: 8}\n";
    (void)state;
    check_first_order(text, 8, 0.01);
}

/* Two arms in series; friction of the second one follows what its pin carries. */
static void a_tree_converges_with_first_order(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
        "b: {mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0.05, 0.05, 0.05]}}\n"
        "joints:\n"
        "  x: {type: revolute, base: ground, follower: a, friction: {law: LAW, breakaway: 2, "
        "coulomb: 1.5}}\n"
        "  y: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}, "
        "friction: {law: LAW, breakaway: 0.4, coulomb: 0.3, "
        "normal_force: reaction_force(y), radius: 0.2}}\n"
        "outputs: [position(x), position(y), velocity(x), velocity(y)]\nsimulation: {end: 3}\n";
    (void)state;
    check_first_order(text, 3, 2e-3);
}

/* A crank-rocker whose four pins stick, driven to and fro. */
static void a_loop_converges_with_first_order(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  crank: {mass: 0.6, center_of_mass: [0.15, 0, 0], inertia: [1e-4, 5e-3, 5e-3]}\n"
        "  coupler: {mass: 1.2, center_of_mass: [0.4, 0, 0], inertia: [2e-4, 0.06, 0.06]}\n"
        "  rocker: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [2e-4, 0.03, 0.03]}\n"
        "joints:\n"
        "  main: {type: revolute, base: ground, follower: crank, damping: 1, force: 7*sin(3*t), "
        "initial: {position: 50 deg, priority: exact}, "
        "friction: {law: LAW, breakaway: 1.5, coulomb: 1.2}}\n"
        "  pin: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, "
        "initial: {position: -25 deg}, friction: {law: LAW, breakaway: 0.8, coulomb: 0.6}}\n"
        "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, "
        "initial: {position: 75 deg}}\n"
        "  head: {type: revolute, base: rocker, follower: coupler, "
        "at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -50 deg}, "
        "friction: {law: LAW, breakaway: 0.3, coulomb: 0.2}}\n"
        "outputs: [position(main), velocity(main), position(foot)]\nsimulation: {end: 4}\n";
    (void)state;
    check_first_order(text, 4, 4e-3);
}

/* ---- fourth order ---- */

static void check_fourth_order(const char *text, double end, double longest)
{
    static order_table exact;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_settings tight = runs_settings(m, 1e-13, 0);
    tight.integrator = DETENT_INTEGRATOR_ERK;
    tight.step = 0;
    order_fill(m, &tight, 100, end, &exact);
    double last;
    runs_near("fourth order",
              order_of(m, DETENT_INTEGRATOR_RK4, DETENT_LOCKED_JOINTS_WELD, longest, HALVINGS,
                       &exact, end, &last),
              4, 0.25);
    runs_near("first order",
              order_of(m, DETENT_INTEGRATOR_EULER, DETENT_LOCKED_JOINTS_WELD, longest / 16,
                       HALVINGS, &exact, end, &last),
              1, 0.1);
    detent_mechanism_destroy(m);
}

/* Arms in series with damping, a spring and a force of time; rows inside steps are as good. */
static void runge_kutta_has_fourth_order_in_a_tree(void **state)
{
    (void)state;
    check_fourth_order(
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}, "
        "b: {mass: 0.5, center_of_mass: [0.4, 0, 0.1], inertia: [0.05, 0.05, 0.05]}}\n"
        "joints:\n"
        "  x: {type: revolute, base: ground, follower: a, damping: 0.3, force: 2*cos(3*t)}\n"
        "  y: {type: universal, base: a, follower: b, at: {base: [1, 0, 0]}}\n"
        "outputs: [position(x), velocity(x)]\nsimulation: {end: 2}\n",
        2, 0.02);
}

static void runge_kutta_has_fourth_order_in_a_loop(void **state)
{
    (void)state;
    check_fourth_order(
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  crank: {mass: 0.6, center_of_mass: [0.15, 0, 0], inertia: [1e-4, 5e-3, 5e-3]}\n"
        "  coupler: {mass: 1.2, center_of_mass: [0.4, 0, 0], inertia: [2e-4, 0.06, 0.06]}\n"
        "  rocker: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [2e-4, 0.03, 0.03]}\n"
        "joints:\n"
        "  main: {type: revolute, base: ground, follower: crank, damping: 1, force: 2, "
        "initial: {position: 50 deg, priority: exact}}\n"
        "  pin: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, "
        "initial: {position: -25 deg}}\n"
        "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, "
        "initial: {position: 75 deg}}\n"
        "  head: {type: revolute, base: rocker, follower: coupler, "
        "at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -50 deg}}\n"
        "outputs: [position(main), velocity(main), position(foot)]\nsimulation: {end: 1.5}\n",
        1.5, 0.02);
}

/* A body that turns freely about all axes: a quaternion, of unit length after every step. */
static void runge_kutta_has_fourth_order_in_rotations(void **state)
{
    (void)state;
    check_fourth_order(
        "detent: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {a: {mass: 1, center_of_mass: [0.1, 0.2, 0.3], inertia: [0.1, 0.2, 0.25]}}\n"
        "joints: {x: {type: spherical, base: ground, follower: a, "
        "initial: {velocity: [1, 2, 3]}}}\n"
        "outputs: [\"position(a, x)\", \"velocity(a, y)\", kinetic_energy()]\n"
        "points: {p: {body: a, at: [0.5, 0, 0]}}\n"
        "simulation: {end: 2}\n",
        2, 0.02);
}

/* ---- loops stay closed ---- */

/* What is open between both ends of the head, and between its angle and the sum of the others. */
static double open_loop(const detent_mechanism *m, detent_simulation *sim)
{
    const double a = runs_position(m, sim, "main"), b = a + runs_position(m, sim, "pin"),
                 c = runs_position(m, sim, "foot"), d = c + runs_position(m, sim, "head"),
                 va = runs_velocity(m, sim, "main"), vb = va + runs_velocity(m, sim, "pin"),
                 vc = runs_velocity(m, sim, "foot"), vd = vc + runs_velocity(m, sim, "head");
    const double open[] = {0.3 * cos(a) + 0.8 * cos(b) - 0.9 - 0.6 * cos(c),
                           0.3 * sin(a) + 0.8 * sin(b) - 0.6 * sin(c),
                           sin(d - b),
                           0.1 * (-0.3 * va * sin(a) - 0.8 * vb * sin(b) + 0.6 * vc * sin(c)),
                           0.1 * (0.3 * va * cos(a) + 0.8 * vb * cos(b) - 0.6 * vc * cos(c)),
                           0.1 * (vd - vb)};
    double worst = 0;
    for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
        worst = fmax(worst, fabs(open[k]));
    }
    return worst;
}

static void loops_are_closed_whatever_the_step(void **state)
{
    static const double steps[] = {1e-2, 1e-3, 1e-4};
    (void)state;
    for (size_t k = 0; k < 6; k++) {
        detent_mechanism *m = runs_load("four_bar.yaml", NULL);
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = k % 2 ? DETENT_INTEGRATOR_RK4 : DETENT_INTEGRATOR_EULER;
        settings.step = steps[k / 2];
        detent_simulation *sim = runs_start(m, &settings);
        double worst = 0, most = 0;
        for (double t = 0; t < 6; t += 0.0173) {
            runs_advance(sim, t);
            worst = fmax(worst, open_loop(m, sim));
            most = fmax(most, fabs(runs_velocity(m, sim, "main")));
        }
        runs_near("open", worst, 0, 1e-12);
        assert_true(most > 0.5);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dragged_block_converges_with_first_order),
        cmocka_unit_test(a_servo_converges_with_first_order),
        cmocka_unit_test(a_tree_converges_with_first_order),
        cmocka_unit_test(a_loop_converges_with_first_order),
        cmocka_unit_test(runge_kutta_has_fourth_order_in_a_tree),
        cmocka_unit_test(runge_kutta_has_fourth_order_in_a_loop),
        cmocka_unit_test(runge_kutta_has_fourth_order_in_rotations),
        cmocka_unit_test(loops_are_closed_whatever_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
