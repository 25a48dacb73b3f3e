/*
 * Stiction in loops and couplings, in all variants: one joint that holds a loop, several that share what holds it, and
 * joints that turn round while the loop moves on.
 */
#include "detent/analysis.h"
#include "support_changes.h"
#include "support_four_bar.h"
#include "support_trees.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846;

/* ---- one joint ---- */

/**
 * A torque on the rocker grows until the friction of the crank gives way: at limit times the ratio of their speeds, by the
 * principle of virtual work. Until then everything rests exactly.
 */
static void friction_of_the_crank_holds_the_loop(void **state)
{
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        const double angle = 0.4 + 0.5 * (double)(k % 6), h = 1e-5;
        double low[3], high[3], speeds[4];
        char text[4096];
        detent_error error;
        size_t changes;
        support_four_bar(angle - h, low);
        support_four_bar(angle + h, high);
        const double ratio = fabs(remainder(high[2] - low[2], 2 * pi) / (2 * h)),
                     breaks = 2 / ratio;
        support_write_four_bar(
            text, sizeof text, (int)(k % 3), 0, angle, 0,
            "stiction: {a: {kinetic: 1.5, static: 2}}\n"
            "loads: {turn: {body: rocker, torque: [0, 0, \"1 [N*m]*t/1 [s]\"]}}\n"
            "simulation: {end: 1000, rtol: 1e-8}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_must(detent_advance(sim, 0.999 * breaks, true, &error), &error);
        runs_must(detent_read(sim, DETENT_VELOCITIES, speeds, 4, &error), &error);
        for (int j = 0; j < 4; j++) {
            assert_true(speeds[j] == 0);
        }
        assert_int_equal(detent_advance(sim, 1.001 * breaks, true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time, breaks, 1e-7 * breaks);
        runs_end(sim, m);
    }
}

/** Turning, it comes to rest by the friction of one of its joints, whichever that is and wherever the loop is cut. */
static void friction_stops_the_loop(void **state)
{
    (void)state;
    const size_t step = variants_are_few() ? 5 : 1;
    for (size_t k = 0; k < 3 * VARIANTS; k += step) {
        static const char joints[] = "abd";
        const variant v = variant_at(k / 3);
        const int cut = (int)(k % 3);
        const char joint = joints[(k / 3) % 3];
        double at_end = 0, speeds[4];
        char text[4096], more[256];
        detent_error error;
        snprintf(more, sizeof more,
                 "stiction: {%c: {kinetic: 1.5, static: 2}}\nsimulation: {end: 4, rtol: 1e-8}\n",
                 joint);
        support_write_four_bar(text, sizeof text, cut, 0, 1, 12, more);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_advance(sim, v, 4);
        runs_must(detent_read(sim, DETENT_VELOCITIES, speeds, 4, &error), &error);
        for (int j = 0; j < 4; j++) {
            at_end = fmax(at_end, fabs(speeds[j]));
        }
        if (at_end != 0) {
            fail_msg("%s, cut %d, friction of %c: still at %g rad/s", variant_name(v), cut, joint,
                     at_end);
        }
        runs_end(sim, m);
    }
}

/* ---- joints that share ---- */

/** How fast a, b, c, d turn where the crank does at 1 rad/s. */
static void rates_of(double angle, double rate[4])
{
    const double h = 1e-4;
    double w[4][3], slope[3];
    for (int k = 0; k < 4; k++) {
        static const double at[4] = {-2, -1, 1, 2};
        support_four_bar(angle + at[k] * h, w[k]);
    }
    for (int j = 0; j < 3; j++) { /* to h^4 */
        slope[j] =
            (8 * remainder(w[2][j] - w[1][j], 2 * pi) - remainder(w[3][j] - w[0][j], 2 * pi)) /
            (12 * h);
    }
    rate[0] = slope[0];
    rate[1] = slope[1] - slope[0];
    rate[2] = slope[1] - slope[2];
    rate[3] = slope[2];
}

static const double limit[4] = {1, 0.7, 0.5, 1.2};
static const char four_stictions[] =
    "stiction: {a: {kinetic: 0.8, static: 1}, b: {kinetic: 0.56, static: 0.7},"
    " c: {kinetic: 0.4, static: 0.5}, d: {kinetic: 0.96, static: 1.2}}\n"
    "outputs: [friction(a), friction(b), friction(c), friction(d), velocity(a), velocity(b),"
    " velocity(c), velocity(d)]\n";

/**
 * By the principle of virtual work a torque on the rocker moves the loop when its power exceeds the sum of limit times
 * speed; until then everything rests exactly, no joint carries more than its limit, and what they carry is in balance.
 */
static void four_joints_hold_the_loop(void **state)
{
    (void)state;
    for (int pose = 0; pose < 20; pose++) {
        const variant v = variant_at((size_t)pose % VARIANTS);
        const double angle = 0.35 + 0.31 * pose;
        double rate[4], sum = 0, x[8];
        char text[4096], more[1024];
        detent_error error;
        size_t changes;
        rates_of(angle, rate);
        for (int j = 0; j < 4; j++) {
            sum += limit[j] * fabs(rate[j]);
        }
        const double breaks = sum / fabs(rate[3]);
        if (fabs(rate[3]) < 0.02) {
            continue; /* a dead centre */
        }
        snprintf(more, sizeof more,
                 "%sloads: {turn: {body: rocker, torque: [0, 0, \"1 [N*m]*t/1 [s]\"]}}\n"
                 "simulation: {end: 1000, rtol: 1e-9}\n",
                 four_stictions);
        support_write_four_bar(text, sizeof text, pose % 3, 0, angle, 0, more);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int part = 1; part <= 4; part++) {
            const double t = (part < 4 ? 0.25 * part : 1 - 1e-8) * breaks;
            double power = t * rate[3];
            runs_must(detent_advance(sim, t, true, &error), &error);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 8, &error), &error);
            for (int j = 0; j < 4; j++) {
                variant_near(v, x[4 + j], 0, 0);
                assert_true(fabs(x[j]) <= limit[j] * (1 + 1e-12));
                power += (pose % 3 == 2 && j == 2 ? -1 : 1) * x[j] * rate[j]; /* c the other way */
            }
            variant_near(v, power, 0, 1e-10 * breaks);
            for (int j = 1; j < 4 && part == 1; j++) { /* far from all limits: the least norm */
                const double sign = pose % 3 == 2 && j == 2 ? -1 : 1;
                variant_near(v, sign * x[j] / (limit[j] * limit[j]), x[0] * rate[j] / rate[0],
                             1e-9 * fabs(x[0]));
            }
        }
        assert_int_equal(detent_advance(sim, 1.001 * breaks, true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time, breaks, 1e-9 * breaks);
        assert_int_equal(changes, 4);
        runs_end(sim, m);
    }
}

/** Joints without friction stay locked without a force until the one that holds gives way: one event. */
static void joints_without_friction(void **state)
{
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        char text[4096];
        detent_error error;
        size_t changes;
        support_write_four_bar(
            text, sizeof text, (int)(k % 3), 0, 2.2, 0,
            "stiction: {a: {kinetic: 0, static: 0}, b: {kinetic: 0, static: 0},"
            " c: {kinetic: 0, static: 0}, d: {kinetic: 0.96, static: 1.2}}\n"
            "loads: {turn: {body: rocker, torque: [0, 0, \"1 [N*m]*t/1 [s]\"]}}\n"
            "simulation: {end: 2, rtol: 1e-9}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        assert_int_equal(detent_advance(sim, 2, true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time, 1.2, 1e-9);
        assert_int_equal(changes, 4);
        runs_end(sim, m);
    }
}

/** The same as an analysis: the interval of the torque in which nothing moves. */
static void intervals(void **state)
{
    (void)state;
    for (int pose = 0; pose < 20; pose++) {
        const double angle = 0.35 + 0.31 * pose;
        double rate[4], sum = 0;
        char text[4096], more[1024];
        detent_analysis *analysis;
        detent_hold_interval found = DETENT_INIT(detent_hold_interval);
        detent_error error;
        rates_of(angle, rate);
        for (int j = 0; j < 4; j++) {
            sum += limit[j] * fabs(rate[j]);
        }
        if (fabs(rate[3]) < 0.02) {
            continue;
        }
        snprintf(more, sizeof more,
                 "%sinputs: {T: 0 N*m}\nloads: {turn: {body: rocker, torque: [0, 0, T]}}\n"
                 "simulation: {end: 1}\n",
                 four_stictions);
        support_write_four_bar(text, sizeof text, pose % 3, 0, angle, 0, more);
        detent_mechanism *m = runs_parse(text, NULL);
        runs_must(detent_analysis_create(m, NULL, &analysis, &error), &error);
        runs_must(detent_find_hold_interval(analysis, 0, &found, &error), &error);
        const variant v = variant_at(0);
        variant_near(v, found.high, sum / fabs(rate[3]), 1e-9 * found.high);
        variant_near(v, found.low, -sum / fabs(rate[3]), 1e-9 * found.high);
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

/** It runs, turns round at its dead centres, and comes to rest; the same wherever it is cut. */
static void the_same_wherever_it_is_cut(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double x[3][8], turns[3];
        for (int cut = 0; cut < 3; cut++) {
            char text[4096], more[1024];
            detent_error error;
            runs_log log = {0};
            snprintf(more, sizeof more, "%ssimulation: {end: 3, rtol: 1e-9, atol: 1e-11}\n",
                     four_stictions);
            support_write_four_bar(text, sizeof text, cut, -9.81, 1, 25, more);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            runs_record(sim, 1, &log);
            turns[cut] = (double)runs_count_turns(&log);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x[cut], 8, &error), &error);
            runs_log_free(&log);
            variant_advance(sim, v, 3);
            double rest[8];
            runs_must(detent_read(sim, DETENT_OUTPUTS, rest, 8, &error), &error);
            for (int j = 0; j < 4; j++) {
                variant_near(v, rest[4 + j], 0, 0);
            }
            runs_end(sim, m);
        }
        for (int cut = 1; cut < 3; cut++) {
            variant_near(v, turns[cut], turns[0], 0);
            for (int j = 0; j < 8; j++) {
                const double sign = cut == 2 && j % 4 == 2 ? -1 : 1; /* c the other way */
                variant_near(v, sign * x[cut][j], x[0][j], 2e-6);
            }
        }
    }
}

/** Friction of one of two geared joints holds both, that of two adds up by the ratio. */
static void geared_joints(void **state)
{
    (void)state;
    const size_t step = variants_are_few() ? 5 : 1;
    for (size_t k = 0; k < 2 * VARIANTS; k += step) {
        const variant v = variant_at(k / 2);
        const bool both = k % 2;
        char text[2048];
        detent_error error;
        double x[2];
        size_t changes;
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\n"
                 "bodies: {p: {mass: 1, inertia: [1, 1, 1]}, w: {mass: 1, inertia: [2, 2, 2]}}\n"
                 "joints:\n"
                 "  pinion: {type: revolute, base: ground, follower: p}\n"
                 "  wheel: {type: revolute, base: ground, follower: w}\n"
                 "couplings: {g: {type: gear, joints: [pinion, wheel], ratio: -3}}\n"
                 "stiction: {pinion: {kinetic: 1.5, static: 2}%s}\n"
                 "loads: {turn: {body: w, torque: [0, 0, \"1 [N*m]*t/1 [s]\"]}}\n"
                 "outputs: [velocity(pinion), velocity(wheel)]\n"
                 "simulation: {end: 100, rtol: 1e-9}\n",
                 both ? ", wheel: {kinetic: 3, static: 4}" : "");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        const double breaks = (both ? 4 : 0) + 2 * 3.0;
        runs_must(detent_advance(sim, breaks * (1 - 1e-6), true, &error), &error);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 2, &error), &error);
        variant_near(v, x[0], 0, 0);
        variant_near(v, x[1], 0, 0);
        assert_int_equal(detent_advance(sim, breaks * 1.001, true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time, breaks, 1e-9 * breaks);
        runs_end(sim, m);
    }
}

/** At 99.9 % of what the friction of the pinion holds nothing moves in 1,000 s, shaken or not, at 100.1 % both start at once. */
static void geared_joints_hold_for_long(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int n = 0; n < 3; n++) {
            const variant v = variant_at(k);
            char text[1024];
            double x[4];
            snprintf(
                text, sizeof text,
                "detent: 1\ngravity: [0, 0, 0]\n"
                "bodies: {p: {mass: 1, inertia: [1, 1, 1]}, w: {mass: 1, inertia: [2, 2, 2]}}\n"
                "joints:\n"
                "  pinion: {type: revolute, base: ground, follower: p}\n"
                "  wheel: {type: revolute, base: ground, follower: w}\n"
                "couplings: {g: {type: gear, joints: [pinion, wheel], ratio: -3}}\n"
                "stiction: {pinion: {kinetic: 2, static: 2}}\n"
                "loads: {turn: {body: w, torque: [0, 0, \"%s\"]}}\n"
                "outputs: [velocity(pinion), velocity(wheel), position(pinion), "
                "position(wheel)]\nsimulation: {end: 1000, rtol: 1e-6}\n",
                n == 0   ? "0.999*6 [N*m]"
                : n == 1 ? "0.999*6 [N*m]*cos(0.3*t/1 [s])"
                         : "1.001*6 [N*m]");
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, n < 2 ? 1000 : 1, x, 4);
            if (n == 2) { /* 1 kg m^2, nine times that at the wheel, and 2 */
                const double a = 0.001 * 6 / (2 + 9);
                variant_near(v, x[1], a, 1e-9);
                variant_near(v, x[0], -3 * a, 1e-9);
            }
            for (int j = 0; j < 4 && n < 2; j++) {
                variant_near(v, x[j], 0, 0);
            }
            runs_end(sim, m);
        }
    }
}

/** Kinetic energy at rates of crank, rod and rocker where the crank stands at `angle`, planar; twice of it. */
static double twice_energy(double angle, const double slope[3])
{
    static const double mass[3] = {1, 2, 1.5}, inertia[3] = {0.01, 0.1, 0.05};
    static const double com[3][2] = {{0.15, 0}, {0.4, 0.05}, {0.3, 0}};
    double w[3], sum = 0;
    support_four_bar(angle, w);
    for (int b = 0; b < 3; b++) {
        const double c = cos(w[b]), s = sin(w[b]);
        double v[2] = {slope[b] * (-s * com[b][0] - c * com[b][1]),
                       slope[b] * (c * com[b][0] - s * com[b][1])};
        if (b == 1) { /* on the pin of the crank */
            v[0] -= slope[0] * crank * sin(w[0]);
            v[1] += slope[0] * crank * cos(w[0]);
        }
        sum += inertia[b] * slope[b] * slope[b] + mass[b] * (v[0] * v[0] + v[1] * v[1]);
    }
    return sum;
}

/**
 * Random torques on all links, random limits of both sides: one freedom, so that whether it rests, which way it starts and how
 * fast follows from powers and energy alone.
 */
static void random_loads_at_rest(void **state)
{
    enum { CASES = 2000 };
    (void)state;
    support_random random = {.state = 11};
    int resting = 0;
    for (int n = 0; n < CASES; n++) {
        const variant v = variant_at((size_t)n % VARIANTS);
        const double angle = support_uniform(&random, -3, 3);
        double rate[4], torque[3], low[4], high[4], power = 0, against[2] = {0}, a[4];
        char text[4096], more[2048];
        int at = snprintf(more, sizeof more, "stiction:\n");
        detent_error error;
        rates_of(angle, rate);
        for (int j = 0; j < 4; j++) {
            const double r = n % 3 == 2 && j == 2 ? -rate[j] : rate[j]; /* c the other way */
            low[j] = support_chance(&random, 0.2) ? 1e-3 : support_uniform(&random, 0, 2);
            high[j] = support_uniform(&random, 0, 2);
            at += snprintf(more + at, sizeof more - (size_t)at,
                           "  %c: {kinetic: \"if(dir > 0, %.17g, %.17g)\", forward: %.17g, "
                           "reverse: %.17g}\n",
                           "abcd"[j], low[j], high[j], -low[j], high[j]);
            against[0] += r > 0 ? low[j] * r : -high[j] * r; /* of the crank forward */
            against[1] += r > 0 ? high[j] * r : -low[j] * r;
        }
        const double slope[3] = {rate[0], rate[1] + rate[0], rate[3]};
        for (int b = 0; b < 3; b++) {
            torque[b] = support_uniform(&random, -4, 4);
            power += torque[b] * slope[b];
        }
        snprintf(more + at, sizeof more - (size_t)at,
                 "loads: {x: {body: crank, torque: [0, 0, %.17g]}, y: {body: rod, torque: [0, 0, "
                 "%.17g]}, z: {body: rocker, torque: [0, 0, %.17g]}}\nsimulation: {end: 1}\n"
                 "outputs: [acceleration(a), acceleration(b), acceleration(c), acceleration(d)]\n",
                 torque[0], torque[1], torque[2]);
        const double left = power > against[0]    ? power - against[0]
                            : power < -against[1] ? power + against[1]
                                                  : 0;
        if (fabs(power - against[0]) < 1e-9 || fabs(power + against[1]) < 1e-9) {
            continue;
        }
        support_write_four_bar(text, sizeof text, n % 3, 0, angle, 0, more);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_must(detent_read(sim, DETENT_OUTPUTS, a, 4, &error), &error);
        const double should = left / twice_energy(angle, slope);
        for (int j = 0; j < 4; j++) {
            const double r = n % 3 == 2 && j == 2 ? -rate[j] : rate[j];
            variant_near(v, a[j], should * r, 1e-8 * (1 + fabs(should)));
            if ((left == 0) != (a[j] == 0)) {
                fputs(text, stderr);
                fail_msg("%s, case %d, joint %d: %g of %g left, a = %.17g", variant_name(v), n, j,
                         left, power, a[j]);
            }
        }
        resting += left == 0;
        runs_end(sim, m);
    }
    assert_in_range(resting, CASES / 10, CASES - CASES / 10);
}

/** A clamp near its dead centre is held by all its frictions, to the last bit, until the power of hand and spring exceeds theirs. */
static void toggle_clamp(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("toggle_clamp.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_error error;
        double closed[7], x[7];
        size_t changes;
        variant_advance(sim, v, 1.6);
        runs_must(detent_read(sim, DETENT_OUTPUTS, closed, 7, &error), &error);
        const double angle = closed[0], s = 0.1 * sin(angle), c = 0.1 * cos(angle);
        const double reach = sqrt(0.15 * 0.15 - s * s), turn = -c / reach,
                     slide = -s - s * c / reach;
        variant_near(v, closed[2], c + reach, 1e-14);
        variant_near(v, closed[1], 0, 0);
        const double frictions = 1 + 0.5 * fabs(turn - 1) + 20 * fabs(slide) + 0.5 * fabs(turn),
                     spring = 3000 * (closed[2] - 0.19) * fabs(slide),
                     opens = 2 + (frictions - spring) / 0.1;
        variant_advance(sim, v, opens * (1 - 1e-7));
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 7, &error), &error);
        variant_near(v, x[0], closed[0], 0);
        assert_int_equal(detent_advance(sim, 12, true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time, opens, 1e-8 * opens);
        assert_int_equal(changes, 4);
        runs_end(sim, m);
    }
}

/** A law of forces that are shared is refused. */
static void what_is_not_unique(void **state)
{
    (void)state;
    char text[4096], more[1024];
    detent_error error = {.message = ""};
    detent_mechanism *m;
    snprintf(more, sizeof more,
             "%sloads: {turn: {body: rocker, torque: [0, 0, \"0.1*friction(a)\"]}}\n"
             "simulation: {end: 1}\n",
             four_stictions);
    support_write_four_bar(text, sizeof text, 0, 0, 1, 0, more);
    assert_int_equal(detent_mechanism_parse(text, strlen(text), "inline", NULL, &m, &error),
                     DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "load 'turn'"));
    assert_non_null(strstr(error.message, "share"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_of_the_crank_holds_the_loop),
        cmocka_unit_test(friction_stops_the_loop),
        cmocka_unit_test(four_joints_hold_the_loop),
        cmocka_unit_test(joints_without_friction),
        cmocka_unit_test(intervals),
        cmocka_unit_test(the_same_wherever_it_is_cut),
        cmocka_unit_test(geared_joints),
        cmocka_unit_test(geared_joints_hold_for_long),
        cmocka_unit_test(random_loads_at_rest),
        cmocka_unit_test(toggle_clamp),
        cmocka_unit_test(what_is_not_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
