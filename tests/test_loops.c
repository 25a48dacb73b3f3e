/*
 * Mechanisms with loops, in all variants: published and exact numbers, the same mechanism cut elsewhere, loops that stay
 * closed to rounding, conditions that are redundant, and loops that cannot be closed.
 */
#include "api/handle.h"
#include "dynamics/closure.h"
#include "integrator/core.h"
#include "support_four_bar.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846;

static double output_at(detent_simulation *sim, variant v, double t)
{
    double value;
    detent_error error;
    variant_advance(sim, v, t);
    runs_must(detent_read(sim, DETENT_OUTPUTS, &value, 1, &error), &error);
    return value;
}

/* ---- the slider-crank of the SUNDIALS examples ---- */

/*
 * examples/ida/serial/idaSlCrank_dns.c: crank of length 1/2 and inertia 1, rod of length 1, mass 1 at the slider's pin and
 * inertia 2 about it, the slider without mass; spring and damper between the midpoints, a force of 1 one length beyond.
 */
static const char slider_crank[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [1, 1, 1]}\n"
    "  rod: {mass: 1, center_of_mass: [1, 0, 0], inertia: [2, 2, 2]}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 90 deg}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.5, 0, 0]}, initial: "
    "{position: -120 deg}}\n"
    "  slide:\n"
    "    type: custom\n"
    "    row: [p, r]\n"
    "    base: ground\n"
    "    follower: rod\n"
    "    axes: [[1, 0, 0], [0, 0, 1]]\n"
    "    at: {follower: [1, 0, 0]}\n"
    "    primitives: {p1: {initial: {position: sqrt(3)/2}}, r1: {initial: {position: -30 deg}}}\n"
    "springs: {s: {between: [{body: crank, at: [0.25, 0, 0]}, {body: rod, at: [0.5, 0, 0]}],"
    " stiffness: 1, rest: 1, damping: 1}}\n"
    "loads: {push: {body: rod, at: [2, 0, 0], force: [1, 0, 0]}}\n"
    "outputs: [position(pivot), position(slide.p1), position(slide.r1), velocity(pivot),"
    " velocity(slide.p1), velocity(slide.r1)]\n"
    "simulation: {end: 10, rtol: 1e-10, atol: 1e-12}\n";

/** A computed reference of thirteen digits, whose table agrees with the published one; G is the integral of kinetic energy. */
static void slider_crank_of_sundials(void **state)
{
    static const double end[6] = {1.275675848650,  1.023578558980, -0.498813049182,
                                  -0.239914997196, 0.133778283216, 0.039731495991};
    enum { ROWS = 500 };
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(slider_crank, NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_error error;
        double x[6], G = 0;
        for (int row = 0; row <= ROWS; row++) {
            const double weight = row == 0 || row == ROWS ? 1 : row % 2 ? 4 : 2; /* Simpson */
            if (row > 0) {
                variant_advance(sim, v, 10.0 * row / ROWS);
            }
            detent_get_statistics(sim, &now);
            G += weight * now.kinetic_energy * 10.0 / ROWS / 3;
        }
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 6, &error), &error);
        for (int j = 0; j < 6; j++) {
            variant_near(v, x[j], end[j], 1e-9);
        }
        variant_near(v, G, 3.336606799483, 1e-8);
        runs_end(sim, m);
    }
}

/* ---- four-bars ---- */

/** Where ends of rod and rocker are apart, m, and by how much angles and velocities of the loop do not add up. */
static void check_closed(detent_simulation *sim, variant v, int cut)
{
    double q[4], w[4], angle[3], speed[3], p[2], dp[2];
    detent_error error;
    runs_must(detent_read(sim, DETENT_OUTPUTS, q, 4, &error), &error); /* of a, b, c, d */
    runs_must(detent_read(sim, DETENT_VELOCITIES, w, 4, &error), &error);
    const double c = cut == 2 ? w[2] : w[cut == 0 ? 2 : 3]; /* cut joints come last */
    const double b = cut == 0 ? w[3] : w[1], d = cut == 2 ? w[3] : cut == 0 ? w[1] : w[2];
    angle[0] = q[0], angle[1] = q[0] + q[1], angle[2] = q[3];
    speed[0] = w[0], speed[1] = w[0] + b, speed[2] = d;
    variant_near(v,
                 remainder(cut == 2 ? angle[1] + q[2] - q[3] : angle[2] + q[2] - angle[1], 2 * pi),
                 0, 1e-12);
    variant_near(v, cut == 2 ? speed[1] + c - speed[2] : speed[2] + c - speed[1], 0, 1e-11);
    p[0] = crank * cos(angle[0]) + rod * cos(angle[1]) - rocker * cos(angle[2]) - ground;
    p[1] = crank * sin(angle[0]) + rod * sin(angle[1]) - rocker * sin(angle[2]);
    dp[0] = crank * sin(angle[0]) * speed[0] + rod * sin(angle[1]) * speed[1] -
            rocker * sin(angle[2]) * speed[2];
    dp[1] = crank * cos(angle[0]) * speed[0] + rod * cos(angle[1]) * speed[1] -
            rocker * cos(angle[2]) * speed[2];
    variant_near(v, hypot(p[0], p[1]), 0, 1e-12);
    variant_near(v, hypot(dp[0], dp[1]), 0, 1e-11);
}

static const char outputs[] = "outputs: [position(a), position(b), position(c), position(d)]\n";

/** At every tolerance, at steps and between them; over 10 s at the tightest one energy is kept to 1e-8 of what turns. */
static void loops_stay_closed(void **state)
{
    static const char *const tolerances[] = {"1e-4", "1e-6", "1e-9"};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int tolerance = 0; tolerance < 3; tolerance++) {
            char text[4096], more[256];
            detent_statistics first = DETENT_INIT(detent_statistics),
                              last = DETENT_INIT(detent_statistics);
            const variant v = variant_at(k);
            const int cut = (int)((k + (size_t)tolerance) % 3);
            double most = 0;
            snprintf(more, sizeof more, "%ssimulation: {end: 10, rtol: %s}\n", outputs,
                     tolerances[tolerance]);
            support_write_four_bar(text, sizeof text, cut, -9.81, 1, 12, more);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            detent_get_statistics(sim, &first);
            for (int row = 1; row <= 100; row++) {
                variant_advance(sim, v, (tolerance == 2 ? 0.1 : 0.025) * row);
                check_closed(sim, v, cut);
                detent_get_statistics(sim, &last);
                most = fmax(most, last.kinetic_energy);
            }
            if (tolerance == 2) {
                variant_near(v,
                             last.kinetic_energy + last.potential_energy - first.kinetic_energy -
                                 first.potential_energy,
                             0, 1e-8 * most);
            }
            runs_end(sim, m);
        }
    }
}

/** The motion is the same wherever the loop is cut. */
static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        double at_end[3][4];
        for (int cut = 0; cut < 3; cut++) {
            char text[4096];
            detent_error error;
            support_write_four_bar(text, sizeof text, cut, -9.81, 1, 12,
                                   "outputs: [position(a), position(d), velocity(a), velocity(d)]\n"
                                   "simulation: {end: 1, rtol: 1e-10, atol: 1e-12}\n");
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, variant_at(k));
            variant_advance(sim, variant_at(k), 1);
            runs_must(detent_read(sim, DETENT_OUTPUTS, at_end[cut], 4, &error), &error);
            runs_end(sim, m);
            for (int j = 0; j < 4; j++) {
                variant_near(variant_at(k), at_end[cut][j], at_end[0][j], 2e-7);
            }
        }
    }
}

/** Two hinges on one axis are one hinge, with five conditions too many. */
static void two_hinges_on_one_axis(void **state)
{
    static const char door[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {door: {mass: 2, center_of_mass: [0.4, 0, 0.5], inertia: [0.2, 0.1, 0.2]}}\n"
        "joints:\n"
        "  low: {type: revolute, base: ground, follower: door, initial: {position: 0.3}}\n"
        "%s"
        "outputs: [position(low)]\nsimulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        double x[2];
        for (int hinges = 1; hinges <= 2; hinges++) {
            char text[1024];
            snprintf(text, sizeof text, door,
                     hinges == 1 ? ""
                                 : "  high: {type: revolute, base: ground, follower: door, at: "
                                   "{base: [0, 0, 1], follower: [0, 0, 1]}, initial: {position: "
                                   "0.3}}\n");
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, variant_at(k));
            detent_mobility mobility = DETENT_INIT(detent_mobility);
            detent_error error;
            runs_must(detent_get_mobility(sim, &mobility, &error), &error);
            assert_int_equal(mobility.mobility, 1);
            assert_false(mobility.branches_meet);
            assert_int_equal(mobility.redundant, hinges == 2 ? 5 : 0);
            x[hinges - 1] = output_at(sim, variant_at(k), 2);
            runs_end(sim, m);
        }
        variant_near(variant_at(k), x[1], x[0], 1e-9);
    }
}

/* ---- stiction of one joint ---- */

/* ---- what depends on what ---- */

/* A four-bar of any lengths, in a pose where it is not near its end. */
static void write_random(char *text, size_t size, uint64_t seed)
{
    double l[4], angle, t, d, x, y, w[3];
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    do {
        double number[5];
        for (int k = 0; k < 5; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            number[k] = (double)(state >> 11) * 0x1p-53;
        }
        for (int k = 0; k < 4; k++) {
            l[k] = 0.2 + number[k];
        }
        angle = 2 * pi * number[4];
        x = l[0] - l[1] * cos(angle), y = -l[1] * sin(angle), d = hypot(x, y);
        t = (l[2] * l[2] + d * d - l[3] * l[3]) / (2 * l[2] * d);
    } while (!(fabs(t) < 0.95));
    w[0] = angle;
    w[1] = atan2(y, x) + acos(t);
    w[2] = atan2(l[1] * sin(angle) + l[2] * sin(w[1]), l[1] * cos(angle) + l[2] * cos(w[1]) - l[0]);
    snprintf(text, size,
             "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
             "  crank: {mass: 1, center_of_mass: [%.17g, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
             "  rod: {mass: 1, center_of_mass: [%.17g, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
             "  rocker: {mass: 1, center_of_mass: [%.17g, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
             "joints:\n"
             "  a: {type: revolute, base: ground, follower: crank, initial: {position: %.17g, "
             "velocity: 8}}\n"
             "  b: {type: revolute, base: crank, follower: rod, at: {base: [%.17g, 0, 0]}, "
             "initial: {position: %.17g}}\n"
             "  d: {type: revolute, base: ground, follower: rocker, at: {base: [%.17g, 0, 0]}, "
             "initial: {position: %.17g}}\n"
             "  c: {type: revolute, base: rocker, follower: rod, at: {base: [%.17g, 0, 0], "
             "follower: [%.17g, 0, 0]},"
             " initial: {position: %.17g}}\n"
             "outputs: [position(a)]\nsimulation: {end: 3, rtol: 1e-8}\n",
             l[1] / 2, l[2] / 2, l[3] / 2, w[0], l[1], w[1] - w[0], l[0], w[2], l[3], l[2],
             w[1] - w[2]);
}

/**
 * Where a pose is reached in which other coordinates decide, these become the independent ones: energy is kept, and a run that
 * is read a thousand times on its way ends in the same bits.
 */
static void dependence_is_exchanged(void **state)
{
    const uint64_t seeds = variants_are_few() ? 12 : 24;
    uint64_t exchanged = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const variant v = variant_at(seed % VARIANTS);
        char text[2048];
        write_random(text, sizeof text, seed);
        detent_mechanism *m = runs_parse(text, NULL);
        double end[2][4];
        for (int looks = 0; looks < 2; looks++) {
            detent_simulation *sim = variant_start(m, v);
            detent_statistics first = DETENT_INIT(detent_statistics),
                              last = DETENT_INIT(detent_statistics);
            detent_error error;
            bool before[4], now[4];
            detent_get_statistics(sim, &first);
            memcpy(before, sim->core->system.closure->dependent, sizeof before);
            for (int row = 1; row <= 1000 && looks; row++) {
                double values[4];
                variant_advance(sim, v, 0.003 * row);
                runs_must(detent_read(sim, DETENT_ACCELERATIONS, values, 4, &error), &error);
            }
            variant_advance(sim, v, 3);
            runs_must(detent_read(sim, DETENT_POSITIONS, end[looks], 4, &error), &error);
            detent_get_statistics(sim, &last);
            variant_near(v,
                         last.kinetic_energy + last.potential_energy - first.kinetic_energy -
                             first.potential_energy,
                         0, 1e-5 * first.kinetic_energy);
            memcpy(now, sim->core->system.closure->dependent, sizeof now);
            exchanged += memcmp(before, now, sizeof now) != 0;
            detent_simulation_destroy(sim);
        }
        assert_memory_equal(end[0], end[1], sizeof end[0]);
        detent_mechanism_destroy(m);
    }
    assert_true(exchanged >= seeds / 6);
}

/* ---- in space ---- */

/** A platform on six legs, universal joints below and spherical ones above, swings as in the other variants. */
static void platform(void **state)
{
    char text[16384];
    int n = snprintf(text, sizeof text,
                     "detent: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                     "  plate: {mass: 10, inertia: [1, 1, 2]}\n");
    double first[3] = {NAN};
    (void)state;
    for (int k = 0; k < 6; k++) {
        n += snprintf(
            text + n, sizeof text - (size_t)n,
            "  low%d: {mass: 1, center_of_mass: [0, 0, 0.2], inertia: [0.02, 0.02, 0.002]}\n"
            "  up%d: {mass: 0.8, center_of_mass: [0, 0, -0.2], inertia: [0.02, 0.02, 0.002]}\n",
            k, k);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    for (int k = 0; k < 6; k++) {
        const double a = 2 * pi * (k / 2) / 3 + (k % 2 ? 0.15 : -0.15),
                     b = 2 * pi * (k / 2) / 3 + (k % 2 ? 0.75 : -0.75);
        n += snprintf(
            text + n, sizeof text - (size_t)n,
            "  foot%d: {type: universal, base: ground, follower: low%d, axes: [[1, 0, 0], "
            "[0, 1, 0]], at: {base: [%.17g, %.17g, 0]}}\n"
            "  leg%d: {type: prismatic, base: low%d, follower: up%d, initial: {position: "
            "1.15}, spring: {stiffness: 3000, rest: %.17g}, damping: 20}\n"
            "  head%d: {type: spherical, base: up%d, follower: plate, at: {follower: "
            "[%.17g, %.17g, 0]}}\n",
            k, k, cos(a), sin(a), k, k, k, 1.15 + 0.02 * k, k, k, 0.5 * cos(b), 0.5 * sin(b));
    }
    snprintf(text + n, sizeof text - (size_t)n,
             "outputs: [\"position(plate, x)\", \"position(plate, y)\", \"position(plate, z)\"]\n"
             "simulation: {end: 0.1, rtol: 1e-8, atol: 1e-10}\n");
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_mobility mobility = DETENT_INIT(detent_mobility);
        detent_error error;
        double x[3];
        runs_must(detent_get_mobility(sim, &mobility, &error), &error);
        assert_int_equal(mobility.mobility, 6);
        assert_int_equal(mobility.redundant, 0);
        variant_advance(sim, variant_at(k), 0.1);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
        if (isnan(first[0])) {
            memcpy(first, x, sizeof first);
        }
        for (int j = 0; j < 3; j++) {
            variant_near(variant_at(k), x[j], first[j], 1e-7);
        }
        runs_end(sim, m);
    }
}

/* ---- cost ---- */

/** Newton's step is exact, and forces are asked for as the user gave the tolerance: one residual a step is the rule. */
static void one_residual_a_step(void **state)
{
    static const char *const files[] = {"four_bar",         "slider_crank",   "toggle_clamp",
                                        "scissor_lift",     "walking_leg",    "excavator",
                                        "stewart_platform", "planetary_gear", "flyball_governor"};
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char name[64];
        snprintf(name, sizeof name, "%s.yaml", files[f]);
        detent_mechanism *m = runs_load(name, NULL);
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_IDA;
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, settings.end);
        if (runs_residuals_per_step(sim) > 1.3) {
            fail_msg("%s: %.3g residuals a step", files[f], runs_residuals_per_step(sim));
        }
        detent_simulation_destroy(sim);
        detent_mechanism_destroy(m);
    }
}

/* ---- what cannot be ---- */

static void loop_that_cannot_close(void **state)
{
    char text[4096];
    detent_simulation *sim = NULL;
    detent_error error = {.message = ""};
    (void)state;
    support_write_four_bar(text, sizeof text, 1, 0, 1, 0, "simulation: {end: 1}\n");
    char *length = strstr(text, "base: [0.9, 0, 0]");
    assert_non_null(length);
    memcpy(length, "base: [9.9, 0, 0]", 17);
    detent_mechanism *m = runs_parse(text, NULL);
    assert_int_equal(detent_simulation_create(m, NULL, &sim, &error), DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "'c'"));
    assert_non_null(strstr(error.message, "cannot be assembled"));
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_crank_of_sundials),
        cmocka_unit_test(loops_stay_closed),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(two_hinges_on_one_axis),
        cmocka_unit_test(dependence_is_exchanged),
        cmocka_unit_test(platform),
        cmocka_unit_test(one_residual_a_step),
        cmocka_unit_test(loop_that_cannot_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
