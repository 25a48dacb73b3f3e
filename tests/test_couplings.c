/*
 * Gears, racks, screws and differentials, in all variants: a geared rotor is an armature, a screw holds its load by the
 * friction of the nut up to the torque of the textbook, ratios hold to rounding, and a driven train does no work of its own.
 */
#include "support_changes.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846;

/* An arm with a rotor of 0.002 kg m^2 behind a gear of 20, or with an armature of 400 times as much. */
static const char geared[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  rotor: {mass: 1, inertia: [0.001, 0.001, 0.002]}\n"
    "joints:\n"
    "  shoulder: {type: revolute, base: ground, follower: arm, initial: {position: 1, velocity: "
    "0.5}%s}\n"
    "  motor: {type: revolute, base: %s, follower: rotor, initial: {velocity: %g}}\n"
    "%s"
    "outputs: [position(shoulder), velocity(shoulder), position(motor), velocity(motor)]\n"
    "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n";

static void a_geared_rotor_is_an_armature(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double x[2][4];
        for (int how = 0; how < 2; how++) {
            char text[2048];
            detent_statistics now = DETENT_INIT(detent_statistics);
            snprintf(
                text, sizeof text, geared, how ? "" : ", armature: 0.8", "ground", 10.0,
                how ? "couplings: {stage: {type: gear, joints: [motor, shoulder], ratio: 20}}\n"
                    : "");
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 3, x[how], 4);
            detent_get_statistics(sim, &now);
            runs_end(sim, m);
            if (how) {
                variant_near(v, x[1][2], 20 * (x[1][0] - 1), 1e-11);
                variant_near(v, x[1][3], 20 * x[1][1], 1e-11);
                assert_true((double)now.residuals <= 1.3 * (double)now.steps ||
                            v.integrator != DETENT_INTEGRATOR_IDA);
            }
        }
        variant_near(v, x[1][0], x[0][0], 1e-9);
        variant_near(v, x[1][1], x[0][1], 1e-9);
    }
}

/** Initial velocities that do not fit are changed as little as possible. */
static void velocities_that_do_not_fit(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        char text[2048];
        double x[4];
        snprintf(text, sizeof text, geared, "", "ground", 3.0,
                 "couplings: {stage: {type: gear, joints: [motor, shoulder], ratio: 20}}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 0, x, 4);
        /* (0.5, 3) on to the line (1, 20) */
        variant_near(v, x[1], (0.5 + 20 * 3) / 401, 1e-14);
        variant_near(v, x[3], 20 * (0.5 + 20 * 3) / 401, 1e-13);
        runs_end(sim, m);
    }
}

/** A table of 5 kg on a screw: the nut gives way at the torque of friction and of the weight, m g p / (2 pi). */
static void a_screw_holds_its_load(void **state)
{
    static const char screw[] =
        "detent: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {nut: {mass: 1, inertia: [0.01, 0.01, 0.02]}, table: {mass: 5}}\n"
        "joints:\n"
        "  turn: {type: revolute, base: ground, follower: nut}\n"
        "  lift: {type: prismatic, base: ground, follower: table}\n"
        "couplings: {lead: {type: screw, joints: [turn, lift], pitch: 50 mm}}\n"
        "stiction: {turn: {kinetic: 0.7, static: 0.8, external: \"1 [N*m]*t/1 [s]\"}}\n"
        "outputs: [position(lift), velocity(lift), friction(turn)]\n"
        "simulation: {end: 3, rtol: 1e-9}\n";
    const double lead = 0.05 / (2 * pi), weight = 5 * 9.81 * lead, breaks = 0.8 + weight;
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(screw, NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_error error;
        double x[3];
        size_t changes;
        runs_must(detent_advance(sim, 0.999 * breaks, true, &error), &error);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
        if (fabs(x[0]) > 1e-16 || x[1] != 0) { /* what follows is closed to rounding */
            fail_msg("%s: %g m, %g m/s", variant_name(v), x[0], x[1]);
        }
        variant_near(v, x[2], weight - 0.999 * breaks, 1e-12);
        assert_int_equal(detent_advance(sim, 3, true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time, breaks, 1e-9);
        /* then (J + m lead^2) a = t - 0.7 - weight */
        variant_outputs(sim, v, 3, x, 3);
        const double inertia = 0.02 + 5 * lead * lead, s = 3 - breaks;
        variant_near(v, x[1], lead * (0.1 * s + 0.5 * s * s) / inertia, 1e-7);
        runs_end(sim, m);
    }
}

/** The file: its torque is taken away while the screw turns; friction and weight stop it, and hold it. */
static void a_screw_comes_to_rest(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("lead_screw.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[5], speeds[2];
        detent_error error;
        variant_outputs(sim, v, 4, x, 5);
        variant_near(v, x[0], 44.708904298644,
                     1e-7); /* of explicit and implicit integration alike */
        runs_must(detent_read(sim, DETENT_VELOCITIES, speeds, 2, &error), &error);
        assert_true(speeds[0] == 0 && speeds[1] == 0);
        variant_near(v, x[3], 5 * 9.81 * 0.05 / (2 * pi), 1e-12);
        runs_end(sim, m);
    }
}

/** A differential and a rack on a driven shaft, through a loop of two hinges: every ratio holds, and the energies balance. */
static void a_train_of_couplings(void **state)
{
    static const char train[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
        "  b: {mass: 1, inertia: [0.1, 0.1, 0.2]}\n"
        "  c: {mass: 1, inertia: [0.2, 0.2, 0.3]}\n"
        "  d: {mass: 2}\n"
        "joints:\n"
        "  x: {type: revolute, base: ground, follower: a, motion: 0.3 + sin(2*t)}\n"
        "  y: {type: revolute, base: ground, follower: b, damping: 0.1, initial: {position: 0.2}}\n"
        "  y2: {type: revolute, base: ground, follower: b, at: {base: [0, 0, 1], follower: [0, 0, "
        "1]}}\n"
        "  z: {type: revolute, base: a, follower: c}\n"
        "  r: {type: prismatic, base: ground, follower: d, spring: {stiffness: 10}}\n"
        "couplings:\n"
        "  mix: {type: differential, joints: [x, y, z], factors: [1, 1, -2]}\n"
        "  rack: {type: rack, joints: [y2, r], radius: 0.2}\n"
        "outputs: [position(x), position(y), position(z), position(r)]\n"
        "simulation: {end: 5, rtol: 1e-9}\n";
    double first[4] = {0};
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(train, NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_mobility mobility = DETENT_INIT(detent_mobility);
        detent_error error;
        double x[4], start[4];
        runs_must(detent_get_mobility(sim, &mobility, &error), &error);
        assert_int_equal(mobility.mobility, 1);
        variant_outputs(sim, v, 0, start, 4);
        for (int row = 1; row <= 50; row++) {
            variant_outputs(sim, v, 0.1 * row, x, 4);
            variant_near(v, (x[0] - start[0]) + (x[1] - start[1]) - 2 * (x[2] - start[2]), 0,
                         1e-12);
            variant_near(v, (x[3] - start[3]) - 0.2 * (x[1] - start[1]), 0, 1e-12);
        }
        for (int j = 0; j < 4; j++) {
            first[j] = k == 0 ? x[j] : first[j];
            variant_near(v, x[j], first[j], 1e-6);
        }
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_geared_rotor_is_an_armature),
        cmocka_unit_test(velocities_that_do_not_fit),
        cmocka_unit_test(a_screw_holds_its_load),
        cmocka_unit_test(a_screw_comes_to_rest),
        cmocka_unit_test(a_train_of_couplings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
