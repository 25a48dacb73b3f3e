/*
 * Textbook mechanisms with dry friction whose solution is known in closed form: every variant has the events and the numbers of that.
 */
#include "support_story.h"

static const double g = 9.81;

/** Half cycles of length pi sqrt(m/k), each of which takes 2 F/k off the amplitude, until that is within F/k. */
static void an_oscillator_comes_to_rest_after_seven_half_cycles(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, -10]\nbodies: {m: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: m, axis: [1, 0, 0], "
        "spring: {stiffness: 4}, initial: {position: 1}}}\n"
        "stiction: {x: {kinetic: 0.03*normal_force(x), static: 0.03*normal_force(x)}}\n"
        "outputs: [position(x)]\nsimulation: {end: 20, rtol: 1e-9}\n";
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 20);
        must_happen(&s, 0, DETENT_LOCKED, 0, 7 * acos(-1) / 2);
        must_be(&s, "position(x)", 0.05, 1e-8);
        over(&s);
    }
}

/** J w' = -T - c w stops after J/c log(1 + c w0/T). */
static void a_rotor_runs_down(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, -9.81]\nbodies: {r: {mass: 10, inertia: [0.2, 0.2, 0.2]}}\n"
        "joints: {h: {type: revolute, base: ground, follower: r, damping: 0.05, "
        "initial: {velocity: 40}}}\nstiction: {h: {kinetic: 0.3, static: 0.5}}\n"
        "outputs: [position(h)]\nsimulation: {end: 12, rtol: 1e-9}\n";
    const double tau = 0.2 / 0.05, stop = tau * log(1 + 0.05 * 40 / 0.3);
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 12);
        must_happen(&s, 0, DETENT_LOCKED, 0, stop);
        must_be(&s, "position(h)", 46 * tau * (1 - exp(-stop / tau)) - 6 * stop, 1e-6);
        over(&s);
    }
}

/**
 * Den Hartog 1931: m x'' + k x + F sign x' = P cos(w t + p) in its steady state: x runs from X to -X in half a period without a
 * halt. With A = (P/k)/(1 - r^2), r = w/wn, D = -(F/k) sin(pi/r)/(1 + cos(pi/r)): X^2 = A^2 - (D/r)^2 and sin p = D/(r A), tan p = D/(r X).
 */
static void a_forced_oscillator_with_friction_is_in_its_steady_state(void **state)
{
    UNUSED(state);
    const double pi = acos(-1), k = 800, F = 10, P = 30, w = 14, wn = sqrt(k / 2), r = w / wn,
                 A = P / k / (1 - r * r), D = -F / k * sin(pi / r) / (1 + cos(pi / r)),
                 X = sqrt(A * A - D * D / (r * r)), phase = atan2(D / r, X);
    runs_text text = {0};
    runs_say(&text,
             "detent: 1\ngravity: [0, -10, 0]\nbodies: {m: {mass: 2}}\n"
             "joints: {x: {type: prismatic, base: ground, follower: m, axis: [1, 0, 0], spring: "
             "{stiffness: 800}, initial: {position: %.17g}}}\n"
             "stiction: {x: {kinetic: 0.5*normal_force(x), static: 0.5*normal_force(x), external: "
             "30*cos(14*t + %.17g)}}\n"
             "outputs: [position(x)]\nsimulation: {end: 10, rtol: 1e-9}\n",
             X, phase);
    EVERY_VARIANT(v)
    {
        story s = tell(text.text, v, 20.5 * pi / w);
        must_be(&s, "position(x)",
                cos(wn * pi / 2 / w) * -F / k + D * sin(wn * pi / 2 / w) + A * cos(pi / 2 + phase) +
                    F / k,
                1e-8);
        size_t turns = 0;
        for (size_t i = 0; i < s.log.count; i++) {
            turns += s.log.change[i].time > 0 && runs_is_turn(&s.log.change[i]);
        }
        assert_int_equal(turns, 20);
        over(&s);
    }
    free(text.text);
}

/** Wedge of angle a under a block of weight W against a wall, friction angle p on all three faces, driven by `rate` t. */
static void wedge(const char *rate, double at)
{
    runs_text text = {0};
    runs_say(&text,
             "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {wedge: {mass: 1e-3}, block: {mass: 10}}\n"
             "joints:\n  floor: {type: prismatic, base: ground, follower: wedge, axis: [1, 0, 0]}\n"
             "  wall: {type: prismatic, base: ground, follower: block, axis: [0, 1, 0]}\n"
             "  face: {type: prismatic, base: wedge, follower: block, axis: [-cos(8 deg), sin(8 "
             "deg), 0], closes: true}\nstiction:\n"
             "  floor: {kinetic: 0.15*normal_force(floor), static: 0.15*normal_force(floor), "
             "external: '%s*t'}\n"
             "  wall: {kinetic: 0.15*normal_force(wall), static: 0.15*normal_force(wall)}\n"
             "  face: {kinetic: 0.15*normal_force(face), static: 0.15*normal_force(face)}\n"
             "simulation: {end: 7, rtol: 1e-9}\n",
             rate);
    EVERY_VARIANT(v)
    {
        story s = tell(text.text, v, at + 0.1);
        for (size_t k = 0; k < 3; k++) {
            must_happen(&s, k, DETENT_WAIT, 0, at);
        }
        over(&s);
    }
    free(text.text);
}

/** Driven in, it lifts at W tan(a + 2 p); pulled out, at W (tan p + tan(p - a))/(1 + tan p tan(p - a)), as it holds by itself. */
static void a_wedge_lifts_and_lets_go(void **state)
{
    UNUSED(state);
    const double a = 8 * acos(-1) / 180, p = atan(0.15), W = 10 * g, own = 0.15e-3 * g;
    wedge("10", (W * tan(a + 2 * p) + own) / 10);
    wedge("-10", (W * (tan(p) + tan(p - a)) / (1 + tan(p) * tan(p - a)) + own) / 10);
}

/**
 * A taper that was driven in holds a spring with nothing but friction, and comes out at V (tan p + tan(p - a)), V what the spring presses with less the
 * friction of its guide. The spring is that of a joint of the loop, which could take all of it alone, and leave the taper without any force.
 */
static void a_taper_holds_a_spring(void **state)
{
    UNUSED(state);
    const double a = 6 * acos(-1) / 180, p = atan(0.15), V = 2e5 * 0.004 - 8;
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\nparameters: {a: 6 deg}\n"
        "bodies: {taper: {mass: 0.4}, part: {mass: 2}}\njoints:\n"
        "  w: {type: prismatic, base: ground, follower: taper, axis: [1, 0, 0], initial: "
        "{position: 0.004/tan(a)}}\n"
        "  p: {type: prismatic, base: ground, follower: part, axis: [0, 1, 0], spring: {stiffness: "
        "2e5}, initial: {position: -0.004, priority: exact}}\n"
        "  f: {type: prismatic, base: taper, follower: part, axis: [cos(a), sin(a), 0], initial: "
        "{position: -0.004/sin(a)}}\n"
        "stiction:\n"
        "  w: {kinetic: 0.12*normal_force(w), static: 0.15*normal_force(w), external: 'if(t < 1, "
        "0, "
        "-100*(t - 1))'}\n"
        "  f: {kinetic: 0.12*normal_force(f), static: 0.15*normal_force(f)}\n"
        "  p: {kinetic: 5, static: 8}\n"
        "outputs: [position(p)]\nsimulation: {end: 3, rtol: 1e-9}\n";
    EVERY_VARIANT(v)
    {
        const double at = 1 + V * (tan(p) + tan(p - a)) / 100;
        story s = tell(text, v, at - 0.01);
        must_be(&s, "position(p)", -0.004, 0);
        over(&s);
        s = tell(text, v, at + 0.01);
        for (size_t k = 0; k < 3; k++) {
            must_happen(&s, k, DETENT_WAIT, 0, at);
        }
        over(&s);
    }
}

/** A shoe at distance c beside its pivot: forward it helps itself, r mu F a/(b - mu c), backward r mu F a/(b + mu c). */
static void a_shoe_brake_helps_itself_one_way(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "parameters: {F: 100, a: 0.3, b: 0.15, c: 0.1, r: 0.12, mu: 0.35, mus: 0.4}\n"
        "bodies: {d: {mass: 1, inertia: [0.5, 0.5, 0.5]}}\n"
        "joints: {d: {type: revolute, base: ground, follower: d, initial: {velocity: 10}}}\n"
        "stiction: {d: {kinetic: r*mu*F*a/(b - mu*c*dir), forward: -r*mus*F*a/(b - mus*c),\n"
        "               reverse: r*mus*F*a/(b + mus*c), external: 'if(t < 5, 9, -20*(t - 5))'}}\n"
        "simulation: {end: 7, rtol: 1e-9}\n";
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 6);
        must_happen(&s, 0, DETENT_LOCKED, 0, 0.5 * 10 / (0.12 * 0.35 * 30 / (0.15 - 0.035) - 9));
        must_happen(&s, 0, DETENT_WAIT, 0, 5 + 0.12 * 0.4 * 30 / (0.15 + 0.04) / 20);
        over(&s);
    }
}

/** Blocks on a base of acceleration t let go together at t = mu g, whatever their masses. */
static void blocks_of_any_mass_let_go_at_once(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {base: {mass: 1}}\n"
        "joints: {base: {type: prismatic, base: ground, follower: base, axis: [1, 0, 0], motion: "
        "t^3/6}}\n"
        "chain:\n  count: 5\n  bodies: {block: {mass: 0.63 + 0.37*i}}\n"
        "  joints: {slide: {type: prismatic, base: base, follower: 'block[i]', axis: [1, 0, 0]}}\n"
        "  stiction: {slide: {kinetic: '0.2*normal_force(slide[i])', static: "
        "'0.2*normal_force(slide[i])'}}\n"
        "outputs: ['position(slide[1])', 'position(slide[5])']\nsimulation: {end: 4, rtol: 1e-9}\n";
    const double from = 0.2 * g, d = 4 - from;
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 4);
        for (size_t k = 0; k < 5; k++) {
            must_happen(&s, k, DETENT_WAIT, 0, from);
        }
        must_be(&s, "position(slide[1])", -d * d * d / 6, 1e-8);
        must_be(&s, "position(slide[5])", -d * d * d / 6, 1e-8);
        over(&s);
    }
}

/** Both wheels get half of 20 t, less what the carrier takes; the slippery one spins until the torque of the other one reaches its brake. */
static void a_differential_spins_one_wheel(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {c: {mass: 1, inertia: [0.2, 0.2, 0.2]}, l: {mass: 1, inertia: [0.5, 0.5, 0.5]}, "
        "r: {mass: 1, inertia: [0.5, 0.5, 0.5]}}\njoints:\n"
        "  c: {type: revolute, base: ground, follower: c, force: 20*t}\n"
        "  l: {type: revolute, base: ground, follower: l}\n"
        "  r: {type: revolute, base: ground, follower: r}\n"
        "couplings: {diff: {type: differential, joints: [l, r, c], factors: [1, 1, -2]}}\n"
        "stiction: {l: {kinetic: 12, static: 15}, r: {kinetic: 2, static: 4}}\n"
        "outputs: [velocity(r)]\nsimulation: {end: 5, rtol: 1e-9}\n";
    const double J = 0.5 + 0.2 / 4, first = 0.4, second = (15 - 0.1 / J) / (10 - 0.5 / J);
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, second);
        must_happen(&s, 1, DETENT_WAIT, 0, first);
        must_be(&s, "velocity(r)",
                (5 * (second * second - first * first) - 2 * (second - first)) / J, 1e-7);
        runs_record(s.simulation, 2, &s.log);
        must_happen(&s, 0, DETENT_WAIT, 0, second);
        over(&s);
    }
}

/** Engine and load by a clutch whose capacity grows as 100 t for a second: their speeds follow by integration, and meet. */
static void a_clutch_closes(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {e: {mass: 1, inertia: [0.3, 0.3, 0.3]}, l: {mass: 1, inertia: [0.8, 0.8, "
        "0.8]}}\njoints:\n"
        "  e: {type: revolute, base: ground, follower: e, force: 60, initial: {velocity: 200}}\n"
        "  c: {type: revolute, base: e, follower: l, initial: {velocity: -200}}\n"
        "loads: {road: {body: l, torque: [0, 0, -20]}}\n"
        "stiction: {c: {kinetic: '100*clamp(t, 0, 1)', static: '120*clamp(t, 0, 1)'}}\n"
        "outputs: [velocity(e)]\nsimulation: {end: 4, rtol: 1e-9}\n";
    /* engine: 0.3 w' = 60 - T, load: 0.8 w' = T - 20; T = 100 t for a second, then 100 */
    const double both = 1 / 0.3 + 1 / 0.8, free = 60 / 0.3 + 20 / 0.8,
                 lock = 1 + (200 + free - both * 50) / (both * 100 - free),
                 speed = (-20 * lock + 50 + 100 * (lock - 1)) / 0.8;
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 4);
        must_happen(&s, 0, DETENT_LOCKED, 0, lock);
        must_be(&s, "velocity(e)", speed + 40 / 1.1 * (4 - lock), 1e-6);
        over(&s);
    }
}

/**
 * A load on a screw stands on its stop, pressed down by the motor: the mesh rubs with what it carries, and the stop takes the
 * weight and that. As the motor turns round, the load lifts where it balances the weight and static friction.
 */
static void a_screw_presses_on_a_stop(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {m: {mass: 1, inertia: [0.004, 0.004, 0.004]}, load: {mass: 300}}\njoints:\n"
        "  m: {type: revolute, base: ground, follower: m}\n"
        "  load: {type: prismatic, base: ground, follower: load, axis: [0, 1, 0], stops: {lower: "
        "{at: 0}}}\n"
        "couplings: {screw: {type: rack, joints: [m, load], radius: 0.003, friction: {coefficient: "
        "0.08, static_coefficient: 0.1, lead_angle: 4 deg}}}\n"
        "stiction: {m: {kinetic: 0.3, static: 0.4, external: 25*t - 12}}\n"
        "outputs: [friction(m), coupling_force(screw), stop_force(load)]\nsimulation: {end: 3, "
        "rtol: 1e-9}\n";
    const double T = tan(4 * acos(-1) / 180), mu = 0.1, carried = 300 * g * 0.003,
                 lift = carried * (1 + mu * (1 + T * T) / (T * (1 - mu * T))) + 0.4;
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 0.02);
        const double L = runs_output(s.mechanism, s.simulation, "coupling_force(screw)"),
                     f = runs_output(s.mechanism, s.simulation, "friction(m)");
        variant_check(v, "balance of the motor", L + f - 11.5, 0, 1e-9);
        must_be(&s, "stop_force(load)", 300 * g + L / 0.003, 1e-8 * 300 * g);
        runs_record(s.simulation, 3, &s.log);
        must_happen(&s, 0, DETENT_WAIT, 0, (lift + 12) / 25);
        over(&s);
    }
}

/** A screw that locks itself carries a weight, and a motor pushes the same way: its friction holds both, whatever stops are far off. */
static void a_screw_holds_far_from_stops(void **state)
{
    UNUSED(state);
    static const struct {
        double inertia, mass, radius, friction, lead, motor; /* SI; deg */
    } of[] = {{0.004, 300, 0.003, 0.3, 4, 12}, {0.000184, 480, 0.00116, 0.353, 2.28, 24.5}};
    static const char *const stops[] = {"", ", stops: {lower: {at: -1000}}",
                                        ", stops: {lower: {at: -3000}, upper: {at: 2000}}"};
    for (size_t n = 0; n < sizeof of / sizeof *of; n++) {
        for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
            char text[1024];
            snprintf(
                text, sizeof text,
                "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {m: {mass: 1, inertia: [%g, %g, %g]}, "
                "load: {mass: %g}}\njoints:\n"
                "  m: {type: revolute, base: ground, follower: m}\n"
                "  load: {type: prismatic, base: ground, follower: load, axis: [0, 1, 0]%s}\n"
                "couplings: {screw: {type: rack, joints: [m, load], radius: %g, friction: "
                "{coefficient: %g, lead_angle: %g deg}}}\n"
                "stiction: {m: {kinetic: 0.3, static: 0.4, external: %g}}\n"
                "outputs: [friction(m), position(load)]\nsimulation: {end: 0.5}\n",
                of[n].inertia, of[n].inertia, of[n].inertia, of[n].mass, stops[k], of[n].radius,
                of[n].friction, of[n].lead, -of[n].motor);
            EVERY_VARIANT(v)
            {
                story s = tell(text, v, 0.5);
                must_be(&s, "position(load)", 0, 0);
                must_be(&s, "friction(m)", of[n].mass * 9.81 * of[n].radius + of[n].motor, 1e-9);
                over(&s);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator_comes_to_rest_after_seven_half_cycles),
        cmocka_unit_test(a_rotor_runs_down),
        cmocka_unit_test(a_forced_oscillator_with_friction_is_in_its_steady_state),
        cmocka_unit_test(a_wedge_lifts_and_lets_go),
        cmocka_unit_test(a_taper_holds_a_spring),
        cmocka_unit_test(a_shoe_brake_helps_itself_one_way),
        cmocka_unit_test(blocks_of_any_mass_let_go_at_once),
        cmocka_unit_test(a_differential_spins_one_wheel),
        cmocka_unit_test(a_clutch_closes),
        cmocka_unit_test(a_screw_presses_on_a_stop),
        cmocka_unit_test(a_screw_holds_far_from_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
