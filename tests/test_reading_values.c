/*
 * Readings with known values: outputs, friction, actuation and loads that read normal forces, reaction torques,
 * accelerations and forces of their own joint and of others, in every variant.
 */
#include "support_variants.h"

/*
 * a is pushed by 6 N along x, 2 kg with its centre of mass 0.3 m beside the rail: acceleration 3 m/s^2, support 20 N,
 * and T + (0, 0, -0.3) x (6, 20, 0) = 0, so T = (-6, 1.8, 0) N m.
 * e is moved with an acceleration of 1 m/s^2: 4 kg take 4 N.
 */
static const char text[] =
    "detent: 1\n"
    "gravity: [0, -10, 0]\n"
    "bodies:\n"
    "  a: {mass: 2, center_of_mass: [0, 0, 0.3], inertia: [0.1, 0.1, 0.1]}\n"
    "  b: {mass: 1}\n"
    "  c: {mass: 2}\n"
    "  d: {mass: 1, inertia: [0.1, 0.2, 0.1]}\n"
    "  e: {mass: 4}\n"
    "joints:\n"
    "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], force: 6}\n"
    "  b: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], initial: {velocity: 1}}\n"
    "  c: {type: prismatic, base: ground, follower: c, axis: [0, 0, 1]}\n"
    "  d: {type: revolute, base: ground, follower: d, axis: [0, 1, 0]}\n"
    "  e: {type: prismatic, base: ground, follower: e, axis: [1, 0, 0], motion: 0.5*t^2}\n"
    "stiction:\n"
    "  b: {velocity_threshold: 1e-4, kinetic: 0.2*normal_force(b), static: 0.3*normal_force(b)}\n"
    "  c: {velocity_threshold: 1e-4, kinetic: \"0.1*abs(1*reaction_force(a, y))\", static: "
    "0.5*force(e),\n"
    "      external: 1*force(a) + 2*velocity(a)}\n"
    "  d: {velocity_threshold: 1e-4, kinetic: 0.25*reaction_torque(a), static: "
    "0.5*reaction_torque(a),\n"
    "      external: 2*acceleration(e) + 0.5*1*position(a)}\n"
    "loads:\n"
    "  on_b: {body: b, force: [1*acceleration(a), -force(a), 2*reaction_torque(a)]}\n"
    "outputs: [acceleration(a), force(a), \"reaction_force(a, y)\", \"reaction_torque(a, x)\",\n"
    "          \"reaction_torque(a, y)\", reaction_torque(a), normal_force(a), reaction_force(a),\n"
    "          normal_force(b), friction(b), acceleration(b), friction(c), acceleration(c),\n"
    "          friction(d), force(d), force(e), acceleration(e), reaction_force(e)]\n"
    "simulation: {end: 3, interval: 0.1, rtol: 1e-9, atol: 1e-11}\n";

/** An output, in a variant. */
static void expect(const detent_mechanism *m, detent_simulation *s, variant v, const char *output,
                   double value)
{
    char what[96];
    snprintf(what, sizeof what, "%s (%s)", output, variant_name(v));
    runs_near(what, runs_output(m, s, output), value, 1e-9 * (1 + fabs(value)));
}

/** What does not change with time. */
static void expect_constant(const detent_mechanism *m, detent_simulation *s, variant v, double T)
{
    expect(m, s, v, "acceleration(a)", 3);
    expect(m, s, v, "force(a)", 6);
    expect(m, s, v, "reaction_force(a, y)", 20);
    expect(m, s, v, "reaction_torque(a, x)", -6);
    expect(m, s, v, "reaction_torque(a, y)", 1.8);
    expect(m, s, v, "reaction_torque(a)", T);
    expect(m, s, v, "normal_force(a)", 20);
    expect(m, s, v, "reaction_force(a)", sqrt(36 + 400));
    expect(m, s, v, "normal_force(b)", hypot(16, 2 * T));
    expect(m, s, v, "force(e)", 4);
    expect(m, s, v, "acceleration(e)", 1);
    expect(m, s, v, "reaction_force(e)", hypot(4, 40));
}

static void readings_have_their_values(void **state)
{
    UNUSED(state);
    const double T = hypot(6, 1.8), N = hypot(16, 2 * T), slows = 0.2 * N - 3, stops = 1 / slows;
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        variant_advance(s, v, 0.5);
        expect_constant(m, s, v, T);
        expect(m, s, v, "friction(b)", -0.2 * N);
        expect(m, s, v, "acceleration(b)", -slows);
        runs_near("velocity of b", runs_velocity(m, s, "b"), 1 - 0.5 * slows, 1e-8);
        /* static friction of 2 N is below 6 N from the start */
        expect(m, s, v, "friction(c)", -2);
        runs_near("acceleration of c", runs_output(m, s, "acceleration(c)"), 2 + 3 * 0.5, 1e-7);
        runs_near("velocity of c", runs_velocity(m, s, "c"), 1 + 1.5 * 0.25, 1e-8);
        /* 2 + 0.5*1.5*t^2 reaches half of T at the instant below */
        runs_near("friction of d", runs_output(m, s, "friction(d)"), -(2 + 0.75 * 0.25), 1e-7);
        runs_near("force of d", runs_output(m, s, "force(d)"), 2 + 0.75 * 0.25, 1e-7);
        assert_int_equal(runs_mode(m, s, "d"), DETENT_LOCKED);
        runs_log log = {0};
        runs_record(s, 3, &log);
        expect_constant(m, s, v, T);
        runs_near("b stops", runs_time_of(&log, 0, DETENT_LOCKED, 0), stops, 1e-8);
        runs_near("d gives way", runs_time_of(&log, 2, DETENT_WAIT, 0), sqrt((0.5 * T - 2) / 0.75),
                  1e-7);
        expect(m, s, v, "friction(b)", -3);
        expect(m, s, v, "friction(d)", -0.25 * T);
        runs_log_free(&log);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/*
 * Circles through the own reaction. The push on the block is 0.3 of its normal force, which is the weight: a = 3 less
 * friction 0.1*10. With -J*acceleration the mass is 1 + J.
 */
static void circles_close(void **state)
{
    UNUSED(state);
    static const char *const form =
        "detent: 1\n"
        "gravity: [0, -10, 0]\n"
        "parameters: {J: 1}\n"
        "bodies: {b: {mass: 1}}\n"
        "joints: {b: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}}\n"
        "stiction: {b: {velocity_threshold: 1e-4, kinetic: 0.1*normal_force(b),\n"
        "               static: 0.2*normal_force(b), external: -J*acceleration(b)}}\n"
        "loads: {push: {body: b, force: [0.3*normal_force(b), 0, 0]}}\n"
        "outputs: [acceleration(b), friction(b), normal_force(b)]\n"
        "simulation: {end: 1, rtol: 1e-9, atol: 1e-11}\n";
    static const char *const sets[][2] = {
        {"J=0", NULL}, {"J=0.5", NULL}, {"J=3", NULL}, {"J=100", NULL}};
    static const double J[] = {0, 0.5, 3, 100};
    for (int j = 0; j < 4; j++) {
        detent_mechanism *m = runs_parse(form, sets[j]);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *s = variant_start(m, v);
            variant_advance(s, v, 1);
            expect(m, s, v, "acceleration(b)", 2 / (1 + J[j]));
            expect(m, s, v, "friction(b)", -1);
            expect(m, s, v, "normal_force(b)", 10);
            runs_near("velocity", runs_velocity(m, s, "b"), 2 / (1 + J[j]), 1e-8);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/** A load in the frame of a turning body that reads another joint's coordinate and speed. */
static void loads_read_other_joints(void **state)
{
    UNUSED(state);
    static const char *const form =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1}, w: {mass: 1, inertia: [1, 1, 2]}}\n"
        "joints:\n"
        "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0],\n"
        "      initial: {position: 0.5, velocity: 2}}\n"
        "  w: {type: revolute, base: ground, follower: w}\n"
        "loads:\n"
        "  push: {body: w, at: [0.5, 0, 0], force: [1, 4*1*position(a), 0], frame: body,\n"
        "         torque: [0, 0, 3*1*velocity(a)]}\n"
        "outputs: [acceleration(w), force(w)]\n"
        "simulation: {end: 1, rtol: 1e-9, atol: 1e-11}\n";
    detent_mechanism *m = runs_parse(form, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        variant_advance(s, v, 1);
        /* torque 2 (0.5 + 2 t) + 6 on 2 kg m^2: 3.5 + 2 t */
        runs_near(variant_name(v), runs_output(m, s, "acceleration(w)"), 5.5, 1e-7);
        runs_near("speed", runs_velocity(m, s, "w"), 4.5, 1e-8);
        runs_near("angle", runs_position(m, s, "w"), 3.5 / 2 + 1.0 / 3, 1e-8);
        runs_near("force of the joint itself", runs_output(m, s, "force(w)"), 0, 1e-7);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_have_their_values),
        cmocka_unit_test(circles_close),
        cmocka_unit_test(loads_read_other_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
