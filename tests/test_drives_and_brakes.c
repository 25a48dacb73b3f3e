/*
 * Clutches, brakes, trains and drives with dry friction whose runs are known in closed form.
 */
#include "support_story.h"

static const double g = 9.81;

/** Five equal disks, of which the first one spins: its friction takes the four others along as one, T J/(4 J) each, and all turn at a fifth. */
static void a_pack_of_disks_becomes_one(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\nchain:\n  count: 5\n"
        "  bodies: {d: {mass: 1, inertia: [0.02, 0.02, 0.02]}}\n"
        "  joints: {s: {type: revolute, base: 'd[i-1]', follower: 'd[i]'}}\n"
        "  stiction: {s: {kinetic: 3, static: 3}}\n"
        "  first: {joints: {s: {base: ground, initial: {velocity: 100}}}, stiction: {s: null}}\n"
        "initial: {'s[2]': {position: 0, velocity: -100}}\n"
        "outputs: ['velocity(s[1])', 'position(s[2])']\nsimulation: {end: 1, rtol: 1e-9}\n";
    const double stop = 100 * 0.02 * 4 / (3 * 5);
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 1);
        must_happen(&s, 0, DETENT_LOCKED, 0, stop);
        must_be(&s, "velocity(s[1])", 20, 1e-7);
        must_be(&s, "position(s[2])", -50 * stop, 1e-7);
        over(&s);
    }
}

/** A band of tension F on one side: it brakes with r F (E - 1), and gives way backward at r F (1 - 1/E) of its static E. */
static void a_band_brakes_more_one_way(void **state)
{
    UNUSED(state);
    const double r = 0.15, F = 50, E = exp(0.3 * 4), rest = exp(0.35 * 4), J = 0.8,
                 stop = J * 40 / (r * F * (E - 1)), gives = 3 + r * F * (1 - 1 / rest) / 10,
                 on = 5 - gives;
    char text[1024];
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {d: {mass: 20, inertia: [0.8, 0.8, 0.8]}}\n"
        "joints: {d: {type: revolute, base: ground, follower: d, initial: {velocity: 40}}}\n"
        "stiction: {d: {external: '-10*max(0, t - 3)', kinetic: '7.5*if(dir > 0, %.17g, %.17g)', "
        "forward: %.17g, reverse: %.17g}}\n"
        "outputs: [velocity(d)]\nsimulation: {end: 5, rtol: 1e-9}\n",
        E - 1, 1 - 1 / E, -r * F * (rest - 1), r * F * (1 - 1 / rest));
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 5);
        must_happen(&s, 0, DETENT_LOCKED, 0, stop);
        must_happen(&s, 0, DETENT_WAIT, 0, gives);
        must_be(&s, "velocity(d)",
                -((10 * (gives - 3) - r * F * (1 - 1 / E)) * on + 5 * on * on) / J, 1e-7);
        over(&s);
    }
}

/** A bit on a long spring that is turned at W: with x the stretch beyond Tk/k it slips for 2 (pi - atan(x w/W))/w and sticks for 2 x/W, for ever. */
static void a_drill_string_sticks_and_slips(void **state)
{
    UNUSED(state);
    const double J = 50, k = 300, W = 2, Ts = 1500, Tk = 1000, w = sqrt(k / J), x = (Ts - Tk) / k,
                 slips = 2 * (acos(-1) - atan(x * w / W)) / w, sticks = 2 * x / W,
                 first = Ts / k / W;
    const char *text =
        "detent: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {table: {mass: 1, inertia: [1, 1, 1]}, bit: {mass: 300, inertia: [50, 50, 50]}}\n"
        "joints:\n  table: {type: revolute, base: ground, follower: table, speed: 2}\n"
        "  bit: {type: revolute, base: ground, follower: bit}\n"
        "stiction: {bit: {external: 300*(position(table) - position(bit)), kinetic: 1000, static: "
        "1500}}\noutputs: [position(bit)]\nsimulation: {end: 60, rtol: 1e-9}\n";
    EVERY_VARIANT(v)
    {
        const double last = first + 15 * (slips + sticks);
        story s = tell(text, v, last + slips + 0.5 * sticks);
        variant_check(v, "it gives way", runs_time_of(&s.log, 0, DETENT_WAIT, 15), last, 1e-6);
        variant_check(v, "it sticks", runs_time_of(&s.log, 0, DETENT_LOCKED, 16), last + slips,
                      1e-6);
        must_be(&s, "position(bit)", 16 * W * (slips + sticks), 1e-5);
        over(&s);
    }
}

/** An engine takes up the slack of one car after the other: between impacts F/M, at each momentum is kept. */
static void a_train_takes_up_its_slack(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, -9.81]\nbodies: {loco: {mass: 80000}}\n"
        "joints: {l: {type: prismatic, base: ground, follower: loco, axis: [1, 0, 0], force: "
        "2e4}}\n"
        "chain:\n  count: 5\n  bodies: {car: {mass: 20000}}\n"
        "  joints: {c: {type: prismatic, base: 'car[i-1]', follower: 'car[i]', axis: [-1, 0, 0], "
        "stops: {lower: {at: 0}, upper: {at: 50 mm}}}}\n"
        "  first: {joints: {c: {base: loco}}}\n"
        "outputs: [velocity(l), position(l)]\nsimulation: {end: 5, rtol: 1e-9}\n";
    double mass = 80000, v = 0, t = 0, x = 0;
    for (int n = 0; n < 5; n++) {
        const double a = 2e4 / mass, struck = sqrt(v * v + 2 * a * 0.05);
        t += (struck - v) / a;
        x += 0.05;
        v = struck * mass / (mass + 20000);
        mass += 20000;
    }
    EVERY_VARIANT(how)
    {
        const double on = 5 - t, a = 2e4 / mass;
        story s = tell(text, how, 5);
        must_be(&s, "velocity(l)", v + a * on, 1e-7);
        must_be(&s, "position(l)", x + v * on + 0.5 * a * on * on, 1e-7);
        over(&s);
    }
}

/** Pulled at e beside its guide of length L a drawer has the friction 2 mu F e/L, whatever F is: it moves where e < L/(2 mu), and no farther out. */
static void a_drawer_is_pulled_beside_its_guide(void **state)
{
    UNUSED(state);
    static const double beside[] = {0.4, 0.4999, 0.5, 0.51};
    for (size_t n = 0; n < 4; n++) {
        char text[512];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                 "joints: {d: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}}\n"
                 "stiction: {d: {bearing: {coefficient: 0.2, length: 0.2}}}\n"
                 "loads: {pull: {body: b, at: [0, %g, 0], force: ['30*ramp(t, 0, 1)', 0, 0]}}\n"
                 "outputs: [velocity(d)]\nsimulation: {end: 3, rtol: 1e-9}\n",
                 beside[n]);
        EVERY_VARIANT(v)
        {
            story s = tell(text, v, 3);
            must_be(&s, "velocity(d)", fmax(0, 30 * (1 - 2 * beside[n]) / 2 * 2.5), 1e-8);
            over(&s);
        }
    }
}

/**
 * A lever swings as A (1 - cos w t), and takes a wheel along forward. It leaves the wheel where it is braked by more than friction, T/J; from there that
 * stops it, so that each swing is the same step.
 */
static void a_freewheel_makes_steps(void **state)
{
    UNUSED(state);
    const double A = 0.5, w = 5, brake = 8, leaves = acos(-brake / (A * w * w)) / w,
                 v0 = A * w * sin(w * leaves), stop = leaves + v0 / brake,
                 step = A * (1 - cos(w * leaves)) + v0 * v0 / (2 * brake), turn = 2 * acos(-1) / w;
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {lever: {mass: 1, inertia: [1, 1, 1]}, wheel: {mass: 1, inertia: [1, 1, 0.5]}}\n"
        "joints:\n  lever: {type: revolute, base: ground, follower: lever, motion: 0.5*(1 - "
        "cos(5*t))}\n  wheel: {type: revolute, base: ground, follower: wheel}\n"
        "couplings: {hub: {type: gear, joints: [lever, wheel], ratio: 1, drives: forward}}\n"
        "stiction: {wheel: {kinetic: 4, static: 5}}\n"
        "outputs: [position(wheel)]\nsimulation: {end: 10, rtol: 1e-9}\n";
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 5 * turn - 0.01);
        variant_check(v, "first stop", runs_time_of(&s.log, 0, DETENT_LOCKED, 0), stop, 1e-7);
        must_be(&s, "position(wheel)", 5 * step, 1e-6);
        over(&s);
    }
}

/** The sheave is braked hard, and the ropes slip over it: T1 = T2 exp(mu pi), and car and counterweight go on as that says. */
static void ropes_slip_over_a_sheave(void **state)
{
    UNUSED(state);
    const double E = exp(0.1 * acos(-1)), r = 0.3,
                 a = ((1200 - 800) * g - 800 * g * (E - 1)) / (1200 + 800 + 60 + 800 * (E - 1)),
                 grip = r * 800 * (g + a) * (E - 1), slows = (4000 - grip) / 12,
                 stop = 1.5 / r / slows;
    char text[2048];
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, -9.81]\nsignals: {T2: 'max(0, -force(cw))'}\n"
        "bodies: {sheave: {mass: 1, inertia: [12, 12, 12]}, rope: {mass: 1, inertia: [5.4, "
        "5.4, 5.4]}, car: {mass: 1200}, cw: {mass: 800}}\njoints:\n"
        "  sheave: {type: revolute, base: ground, follower: sheave, axis: [0, 1, 0], initial: "
        "{velocity: 5}}\n"
        "  slip: {type: revolute, base: sheave, follower: rope, axis: [0, 1, 0]}\n"
        "  car: {type: prismatic, base: ground, follower: car, axis: [0, 0, -1], initial: "
        "{velocity: 1.5}}\n"
        "  cw: {type: prismatic, base: ground, follower: cw, axis: [0, 0, -1], initial: "
        "{velocity: -1.5}}\ncouplings:\n"
        "  c: {type: differential, joints: [sheave, slip, car], factors: [0.3, 0.3, -1]}\n"
        "  w: {type: differential, joints: [sheave, slip, cw], factors: [0.3, 0.3, 1]}\n"
        "stiction:\n  sheave: {kinetic: 4000, static: 4000}\n"
        "  slip: {kinetic: '0.3*T2*if(dir > 0, %.17g, %.17g)', forward: -0.3*T2*%.17g, reverse: "
        "0.3*T2*%.17g}\n"
        "outputs: [velocity(car), position(car)]\nsimulation: {end: 1, rtol: 1e-9}\n",
        E - 1, 1 - 1 / E, E - 1, 1 - 1 / E);
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 1);
        variant_check(v, "stop", runs_time_of(&s.log, 0, DETENT_LOCKED, 0), stop, 1e-8);
        must_be(&s, "velocity(car)", 1.5 + a, 1e-7);
        must_be(&s, "position(car)", 1.5 + a / 2, 1e-7);
        over(&s);
    }
}

/** Boxes ride on a belt to a gate, and queue there, each stopped at once: the gate holds the friction of all. */
static void boxes_queue_on_a_belt(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {belt: {mass: 1}, a: {mass: 2}, b: {mass: 3}, c: {mass: 4}}\njoints:\n"
        "  belt: {type: prismatic, base: ground, follower: belt, speed: 0.5}\n"
        "  gate: {type: prismatic, base: ground, follower: a, initial: {velocity: 0.5}, stops: "
        "{upper: {at: 0.3}}}\n"
        "  ab: {type: prismatic, base: a, follower: b, stops: {upper: {at: 0.2}}}\n"
        "  bc: {type: prismatic, base: b, follower: c, stops: {upper: {at: 0.2}}}\n"
        "  ra: {type: prismatic, base: belt, follower: a, closes: true}\n"
        "  rb: {type: prismatic, base: belt, follower: b, closes: true}\n"
        "  rc: {type: prismatic, base: belt, follower: c, closes: true}\n"
        "stiction: {ra: {kinetic: 8, static: 8}, rb: {kinetic: 12, static: 12}, rc: {kinetic: 16, "
        "static: 16}}\n"
        "outputs: [position(rc), position(bc), stop_force(gate)]\nsimulation: {end: 3, rtol: "
        "1e-9}\n";
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 3);
        for (size_t k = 0; k < 3; k++) {
            variant_check(v, "it slips", runs_time_of(&s.log, k, DETENT_UNLOCKED, 0),
                          0.6 + 0.4 * (double)k, 1e-8);
        }
        must_be(&s, "position(rc)", -0.5 * (3 - 1.4), 1e-8);
        must_be(&s, "position(bc)", 0.2, 1e-12);
        must_be(&s, "stop_force(gate)", -36, 1e-8);
        over(&s);
    }
}

/** The wheel on ice spins where half of the torque exceeds its brake and the clutch between the wheels, 10 + 40. */
static void a_limited_slip_differential_slips(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {car: {mass: 1, inertia: [0.3, 0.3, 0.3]}, l: "
        "{mass: 1, inertia: [1.2, 1.2, 1.2]}, r: {mass: 1, inertia: [1.2, 1.2, 1.2]}}\njoints:\n"
        "  car: {type: revolute, base: ground, follower: car, force: 100*t}\n"
        "  l: {type: revolute, base: ground, follower: l}\n"
        "  r: {type: revolute, base: ground, follower: r}\n"
        "  lock: {type: revolute, base: l, follower: r, closes: true}\n"
        "couplings: {d: {type: differential, joints: [l, r, car], factors: [1, 1, -2]}}\n"
        "stiction: {l: {kinetic: 300, static: 300}, r: {kinetic: 10, static: 10}, lock: {kinetic: "
        "40, static: 40}}\n"
        "outputs: [velocity(r), velocity(l)]\nsimulation: {end: 3, rtol: 1e-9}\n";
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 3);
        must_happen(&s, 1, DETENT_WAIT, 0, 1);
        must_happen(&s, 2, DETENT_WAIT, 0, 1);
        must_be(&s, "velocity(r)", 25 * 4 / (1.2 + 0.3 / 4), 1e-6);
        must_be(&s, "velocity(l)", 0, 0);
        over(&s);
    }
}

/** Three clutches side by side between the same shafts: their torques add up, and all stick at once. */
static void clutches_side_by_side_add_up(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: [0.3, 0.3, 0.3]}, b: {mass: "
        "1, inertia: [0.9, 0.9, 0.9]}}\njoints:\n"
        "  a: {type: revolute, base: ground, follower: a, initial: {velocity: 100}}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "  p: {type: revolute, base: a, follower: b, closes: true, initial: {velocity: -100}}\n"
        "  q: {type: revolute, base: a, follower: b, closes: true, initial: {velocity: -100}}\n"
        "  r: {type: revolute, base: a, follower: b, closes: true, initial: {velocity: -100}}\n"
        "stiction: {p: {kinetic: 12, static: 12}, q: {kinetic: 6, static: 9}, r: {kinetic: 18, "
        "static: 18}}\noutputs: [velocity(a), velocity(b)]\nsimulation: {end: 1, rtol: 1e-9}\n";
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 1);
        for (size_t k = 0; k < 3; k++) {
            must_happen(&s, k, DETENT_LOCKED, 0, 75 * 0.3 / 36);
        }
        must_be(&s, "velocity(a)", 25, 1e-7);
        must_be(&s, "velocity(b)", 25, 1e-7);
        over(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pack_of_disks_becomes_one),
        cmocka_unit_test(a_band_brakes_more_one_way),
        cmocka_unit_test(a_drill_string_sticks_and_slips),
        cmocka_unit_test(a_train_takes_up_its_slack),
        cmocka_unit_test(a_drawer_is_pulled_beside_its_guide),
        cmocka_unit_test(a_freewheel_makes_steps),
        cmocka_unit_test(ropes_slip_over_a_sheave),
        cmocka_unit_test(boxes_queue_on_a_belt),
        cmocka_unit_test(a_limited_slip_differential_slips),
        cmocka_unit_test(clutches_side_by_side_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
