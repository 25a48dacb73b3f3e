/*
 * Machines of every day whose runs are known in closed form, or by balances of energy and momentum.
 */
#include "support_story.h"

static const double g = 9.81;

/* ---- what comes to rest ---- */

/** Where a pendulum that friction T brakes turns round next, from rest at a: m g L (cos b - cos a) = T (a - b). */
static double turns_at(double a, double mgl, double T)
{
    double low = -a, high = a - 1e-12;
    for (int n = 0; n < 100; n++) {
        const double b = 0.5 * (low + high);
        *(mgl * (cos(b) - cos(a)) > T * (a - b) ? &high : &low) = b;
    }
    return low;
}

/* Its last angle, counted to the side where it starts. */
static double rests_at(double a, double mgl, double T)
{
    int turns = 0;
    for (; a > 0 && mgl * sin(a) > T; turns++) {
        a = -turns_at(a, mgl, T);
    }
    return turns % 2 ? -a : a;
}

/** Also where the threshold is far below what the error test tells: whoever waits turns round before it has passed it on the other side. */
static void a_pendulum_runs_down(void **state)
{
    UNUSED(state);
    static const char *const how[] = {"", "velocity_threshold: 1e-8, ",
                                      "locking: band, velocity_threshold: 1e-8, "};
    static const double rtol[] = {1e-4, 1e-9};
    for (size_t n = 0; n < 6; n++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {b: {mass: 1}}\n"
            "joints: {p: {type: revolute, base: ground, follower: b, at: {follower: [0, 1, 0]}, "
            "initial: {position: 1.5}}}\n"
            "stiction: {p: {%skinetic: 0.3 N*m, static: 0.3 N*m}}\n"
            "outputs: [position(p)]\nsimulation: {end: 40, rtol: %g}\n",
            how[n / 2], rtol[n % 2]);
        EVERY_VARIANT(v)
        {
            story s = tell(text, v, 40);
            must_be(&s, "position(p)", rests_at(1.5, g, 0.3), 10 * rtol[n % 2]);
            over(&s);
        }
    }
}

/* ---- what jams ---- */

/* A fast thread with a large mass: going down it has no motion, and stops at once from any speed. */
#define JAMMING_SCREW                                                                          \
    "detent: 1\ngravity: [0, 0, -9.81]\n"                                                      \
    "bodies: {screw: {mass: 1, inertia: [2.3e-6, 2.3e-6, 2.3e-6]}, ram: {mass: 60}, man: "     \
    "{mass: 40}}\n"                                                                            \
    "couplings: {lead: {type: rack, joints: [turn, ram], radius: 5e-3*tan(5 deg), friction: "  \
    "{coefficient: 0.15, lead_angle: 5 deg}}}\n"                                               \
    "outputs: [velocity(turn), velocity(ram), velocity(man), stop_force(man)]\n"               \
    "simulation: {end: 1, rtol: 1e-9}\njoints:\n"                                              \
    "  ram: {type: prismatic, base: ground, follower: ram, initial: {velocity: %g*5e-3*tan(5 " \
    "deg)}}\n"                                                                                 \
    "  turn: {type: revolute, base: ground, follower: screw, initial: {velocity: %g}}\n"       \
    "  man: {type: prismatic, base: ram, follower: man, stops: {%s: {at: 0}}}\n"

/** Who stands on what jams is not thrown through his floor, and his energy goes with the other. */
static void what_stands_on_a_jack_stops_with_it(void **state)
{
    UNUSED(state);
    char text[1024];
    const double w = 100, u = w * 5e-3 * tan(5 * acos(-1) / 180);
    snprintf(text, sizeof text, JAMMING_SCREW, -w, -w, "lower");
    EVERY_VARIANT(v)
    {
        detent_statistics now = DETENT_INIT(detent_statistics);
        story s = tell(text, v, 0.5);
        must_be(&s, "velocity(turn)", 0, 0);
        must_be(&s, "velocity(man)", 0, 0);
        must_be(&s, "stop_force(man)", 40 * g, 1e-9);
        detent_get_statistics(s.simulation, &now);
        variant_check(v, "loss", now.impact_loss, 0.5 * (2.3e-6 * w * w + 100 * u * u), 1e-12);
        over(&s);
    }
}

/** What only hangs at a stop flies on. */
static void what_hangs_on_a_jack_flies_on(void **state)
{
    UNUSED(state);
    char text[1024];
    const double w = 100, u = w * 5e-3 * tan(5 * acos(-1) / 180);
    snprintf(text, sizeof text, JAMMING_SCREW, -w, -w, "upper");
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 0.1);
        must_be(&s, "velocity(turn)", 0, 0);
        must_be(&s, "velocity(man)", -u - 0.1 * g, 1e-8);
        over(&s);
    }
}

/**
 * A motor drives a train by a freewheel, until its torque turns round: a worm of the train jams, and stops the motor, which does not go through the
 * freewheel. Then it runs back alone, and takes the train along again once it has been turned round.
 */
static void a_freewheel_before_a_jam_stops(void **state)
{
    UNUSED(state);
    const char *text =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {motor: {mass: 1, inertia: [0.01, 0.01, 0.01]}, worm: {mass: 1, inertia: [0.02, "
        "0.02, 0.02]}, wheel: {mass: 1, inertia: [0.05, 0.05, 0.05]}, out: {mass: 1, inertia: "
        "[0.1, 0.1, 0.1]}}\njoints:\n"
        "  motor: {type: revolute, base: ground, follower: motor, force: '9.18*if(mod(t, 1) < 0.5, "
        "1, -0.3)'}\n"
        "  worm: {type: revolute, base: ground, follower: worm, damping: 0.01}\n"
        "  wheel: {type: revolute, base: ground, follower: wheel}\n"
        "  out: {type: revolute, base: ground, follower: out, damping: 0.01}\n"
        "couplings:\n"
        "  hub: {type: gear, joints: [motor, worm], ratio: 0.5, drives: forward}\n"
        "  lead: {type: gear, joints: [worm, wheel], ratio: 0.5, friction: {efficiency: 0.45}}\n"
        "  stage: {type: gear, joints: [wheel, out], ratio: 10, friction: {efficiency: 0.9}}\n"
        "stiction: {out: {kinetic: 0.847, static: 2.63}}\n"
        "outputs: [velocity(motor), velocity(worm)]\nsimulation: {end: 2, rtol: 1e-9}\n";
    EVERY_VARIANT(v)
    {
        story s = tell(text, v, 1);
        bool jams = false;
        for (size_t i = 0; i < s.log.count; i++) {
            jams = jams || s.log.change[i].cause == DETENT_CAUSE_JAM;
        }
        assert_true(jams);
        must_be(&s, "velocity(motor)", -275.4 * 0.5, 1e-7);
        must_be(&s, "velocity(worm)", 0, 0);
        runs_record(s.simulation, 1.14, &s.log);
        must_be(&s, "velocity(motor)", -275.4 * 0.5 + 918 * 0.14, 1e-7);
        must_be(&s, "velocity(worm)", 0, 0);
        runs_record(s.simulation, 1.2, &s.log);
        assert_true(runs_output(s.mechanism, s.simulation, "velocity(worm)") > 0);
        variant_check(v, "energy", runs_energy_gap(s.simulation), 0, 1e-6);
        over(&s);
    }
}

/* ---- balances of energy ---- */

/*
 * Three stages of a telescope, drawn out and pushed in, with guides that rub and stops of each kind: what these take is the same in time stepping, in the
 * limit.
 */
static const char telescope[] =
    "detent: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {a: {mass: 1.04, inertia: [0.1, 0.1, 0.1]}, b: {mass: 2.75, inertia: [0.1, 0.1, "
    "0.1]}, c: {mass: 1.8, inertia: [0.1, 0.1, 0.1]}}\njoints:\n"
    "  a: {type: prismatic, base: ground, follower: a, stops: {lower: {at: 0, restitution: 0.3}, "
    "upper: {at: 0.201, restitution: 0}}}\n"
    "  b: {type: prismatic, base: a, follower: b, stops: {lower: {at: 0}, upper: {at: 0.304, "
    "stiffness: 2e4, damping: 100}}}\n"
    "  c: {type: prismatic, base: b, follower: c, stops: {lower: {at: 0}, upper: {at: 0.404, "
    "restitution: 0.4}}}\n"
    "stiction:\n"
    "  a: {bearing: {coefficient: 0.05, static_coefficient: 0.0625, length: 0.328}}\n"
    "  b: {bearing: {coefficient: 0.05, length: 0.328}}\n"
    "  c: {bearing: {coefficient: 0.05, length: 0.328}}\n"
    "loads: {pull: {body: c, at: [0, 0.507, 0.05], force: [0, 0, '91.6*if(t < 1, 1, -1)']}}\n"
    "simulation: {end: 3, rtol: %g%s}\n";

/** First order: of 122 J that stops take. */
static void time_stepping_knows_what_stops_take(void **state)
{
    UNUSED(state);
    for (double step = 1e-3; step > 5e-5; step *= 0.1) {
        char text[2048], how[64];
        snprintf(how, sizeof how, ", integrator: {type: fixed, step: %g}", step);
        snprintf(text, sizeof text, telescope, 1e-6, how);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = runs_start(m, NULL);
        runs_advance(sim, 3);
        assert_true(fabs(runs_energy_gap(sim)) < 1e3 * step);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_runs_down),
        cmocka_unit_test(what_stands_on_a_jack_stops_with_it),
        cmocka_unit_test(what_hangs_on_a_jack_flies_on),
        cmocka_unit_test(a_freewheel_before_a_jam_stops),
        cmocka_unit_test(time_stepping_knows_what_stops_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
