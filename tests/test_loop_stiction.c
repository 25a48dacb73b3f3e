/*
 * Stiction in loops and couplings, in all variants: one joint that holds a loop, several that share what holds it, and
 * joints that turn round while the loop moves on.
 */
#include "support_four_bar.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846;

static void near(variant v, double is, double should, double tolerance)
{
    if (!(fabs(is - should) <= tolerance)) {
        fail_msg("%s: %.17g instead of %.17g", variant_name(v), is, should);
    }
}

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
        near(v, detent_last_event(sim, &changes)->time, breaks, 1e-7 * breaks);
        runs_end(sim, m);
    }
}

/** Turning, it comes to rest by the friction of one of its joints, whichever that is and wherever the loop is cut. */
static void friction_stops_the_loop(void **state)
{
    (void)state;
    for (size_t k = 0; k < 3 * VARIANTS; k++) {
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
                near(v, x[4 + j], 0, 0);
                assert_true(fabs(x[j]) <= limit[j] * (1 + 1e-12));
                power += (pose % 3 == 2 && j == 2 ? -1 : 1) * x[j] * rate[j]; /* c the other way */
            }
            near(v, power, 0, 1e-10 * breaks);
        }
        assert_int_equal(detent_advance(sim, 1.001 * breaks, true, &error), DETENT_EVENT);
        near(v, detent_last_event(sim, &changes)->time, breaks, 1e-9 * breaks);
        assert_int_equal(changes, 4);
        runs_end(sim, m);
    }
}

/** It runs, turns round at its dead centres, and comes to rest; the same wherever it is cut. */
static void the_same_wherever_it_is_cut(void **state)
{
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
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
                near(v, rest[4 + j], 0, 0);
            }
            runs_end(sim, m);
        }
        for (int cut = 1; cut < 3; cut++) {
            near(v, turns[cut], turns[0], 0);
            for (int j = 0; j < 8; j++) {
                const double sign = cut == 2 && j % 4 == 2 ? -1 : 1; /* c the other way */
                near(v, sign * x[cut][j], x[0][j], 2e-6);
            }
        }
    }
}

/** Friction of one of two geared joints holds both, that of two adds up by the ratio. */
static void geared_joints(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2 * VARIANTS; k++) {
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
        near(v, x[0], 0, 0);
        near(v, x[1], 0, 0);
        assert_int_equal(detent_advance(sim, breaks * 1.001, true, &error), DETENT_EVENT);
        near(v, detent_last_event(sim, &changes)->time, breaks, 1e-9 * breaks);
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
        cmocka_unit_test(the_same_wherever_it_is_cut),
        cmocka_unit_test(geared_joints),
        cmocka_unit_test(what_is_not_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
