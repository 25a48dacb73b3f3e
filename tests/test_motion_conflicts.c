/*
 * Motions of joints in loops and couplings: they may give a loop all that it has, as long as they fit. What does not fit is
 * refused at the start, with the place of the motion, be it the velocities or the accelerations that contradict each other; and
 * told where it happens on the way. Joints that friction holds are taken along when a motion begins. A motion that leads a loop to where it goes no farther is told, too. The loop is a slider-crank
 * with a crank of 0.3 m and a rod of 1 m; where both of its ends have motions, the slider's is
 *
 *   x(a) = 0.3 cos a + sqrt(1 - (0.3 sin a)^2)
 */
#include "support_variants.h"

#include <string.h>

static const char crank_and_slider[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies: {crank: {mass: 1, inertia: [0.1, 0.1, 0.1]}, rod: {mass: 1, inertia: [0.1, 0.1, "
    "0.1]}, "
    "slider: {mass: 1}}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: crank%s}\n"
    "  b: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}, initial: "
    "{position: "
    "-1.3}}\n"
    "  c: {type: revolute, base: rod, follower: slider, at: {base: [1, 0, 0]}}\n"
    "  d: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0]%s}\n"
    "outputs: [position(b), position(d), velocity(d)]\n"
    "simulation: {end: 3}\n";

static double slider(double a)
{
    return 0.3 * cos(a) + sqrt(1 - 0.09 * sin(a) * sin(a));
}

static double slider_velocity(double a)
{
    return -0.3 * sin(a) - 0.09 * sin(a) * cos(a) / sqrt(1 - 0.09 * sin(a) * sin(a));
}

static detent_mechanism *driven(const char *crank, const char *slide)
{
    char text[2048], of[2][256] = {"", ""};
    const char *const motion[] = {crank, slide};
    for (int k = 0; k < 2; k++) {
        if (motion[k]) {
            snprintf(of[k], sizeof of[k], ", motion: \"%s\"", motion[k]);
        }
    }
    snprintf(text, sizeof text, crank_and_slider, of[0], of[1]);
    return runs_parse(text, NULL);
}

static void must_say(const detent_error *error, const char *words, const char *what)
{
    if (!strstr(error->message, words)) {
        fail_msg("%s: '%s' does not say '%s'", what, error->message, words);
    }
}

/** The start is refused, at this line. */
static void refused(detent_mechanism *m, int line, const char *words)
{
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const detent_settings settings = variant_settings(m, variant_at(k));
        detent_simulation *sim = NULL;
        detent_error error;
        const detent_status status = detent_simulation_create(
            m,
            &(detent_simulation_options){.size = sizeof(detent_simulation_options),
                                         .settings = &settings},
            &sim, &error);
        assert_int_equal(status, DETENT_ERROR_MODEL);
        must_say(&error, words, variant_name(variant_at(k)));
        assert_int_equal(error.line, line);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/** It runs until about `time`, and fails with these words. */
static void ends_at(detent_mechanism *m, double time, double tolerance, const char *words)
{
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const char *what = variant_name(variant_at(k));
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_error error;
        const detent_status status = detent_advance(sim, 3, false, &error);
        if (status != DETENT_NO_CONSISTENT_STATE) {
            fail_msg("%s: status %d", what, status);
        }
        must_say(&error, words, what);
        if (!(fabs(detent_time(sim) - time) <= tolerance)) {
            fail_msg("%s: ends at %.17g", what, detent_time(sim));
        }
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static void motions_that_fit(void **state)
{
    (void)state;
    detent_mechanism *m = driven(
        "1 + 1 [1/s]*t", "0.3 [m]*cos(1 + 1 [1/s]*t) + 1 [m]*sqrt(1 - (0.3*sin(1 + 1 [1/s]*t))^2)");
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_error error;
        double x[3];
        variant_advance(sim, variant_at(k), 2);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
        assert_true(fabs(x[0] - (-3 - asin(0.3 * sin(3.0)))) <= 1e-12);
        assert_true(fabs(x[1] - slider(3)) <= 1e-12);
        assert_true(fabs(x[2] - slider_velocity(3)) <= 1e-12);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static void motions_that_contradict(void **state)
{
    (void)state;
    char slide[128];
    snprintf(slide, sizeof slide, "%.17g [m] + 0.1 [m/s]*t", slider(1));
    refused(driven("1 + 1 [1/s]*t", slide), 5,
            "at t = 0 s the motions of 'a' and 'd' contradict each other: the loop that joint 'd' "
            "closes cannot follow their velocities");
    snprintf(slide, sizeof slide, "%.17g [m] + %.17g [m/s]*t", slider(1), slider_velocity(1));
    refused(driven("1 + 1 [1/s]*t", slide), 5, "cannot follow their accelerations");
    snprintf(slide, sizeof slide, "%.17g [m] + 0.01 [m/s^2]*t^2", slider(1));
    refused(driven("1 + 0 [1/s]*t", slide), 5, "cannot follow their accelerations");
    refused(driven("1 + 0 [1/s]*t", "1.2 [m] + 0 [m/s]*t"), 8,
            "the loop that joint 'd' closes cannot be assembled");
}

/** They agree until then, and by less than a millionth for a while. */
static void motions_that_come_to_contradict(void **state)
{
    (void)state;
    char slide[128];
    snprintf(slide, sizeof slide, "%.17g [m] + 0 [m/s]*t", slider(1));
    ends_at(driven("1 + if(t < 0.5, 0, 1 [1/s^3]*(t - 0.5)^3)", slide), 0.5, 0.01,
            "the motions of 'a' and 'd' contradict each other: the loop that joint 'd' closes "
            "cannot follow");
}

/** What friction holds, all the loop, is taken along by a motion that begins at 0.5 s, softly, and rests again when that has ended. */
static void a_motion_that_begins(void **state)
{
    static const char motion[] = "1 + if(t < 0.5, 0, if(t < 2.5, 0.1*(1 - cos(3.141592653589793 "
                                 "[1/s]*(t - 0.5))), 0))";
    (void)state;
    for (int who = 1; who < 8; who++) {
        char text[2048], of[256];
        size_t length;
        snprintf(of, sizeof of, ", motion: \"%s\"", motion);
        snprintf(text, sizeof text, crank_and_slider, of, "");
        length = strlen(text);
        snprintf(text + length, sizeof text - length, "stiction:\n%s%s%s",
                 who & 1 ? "  b: {kinetic: 0.5, static: 0.7}\n" : "",
                 who & 2 ? "  c: {kinetic: 5, static: 5}\n" : "",
                 who & 4 ? "  d: {kinetic: 2, static: 3}\n" : "");
        detent_mechanism *m = runs_parse(text, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            detent_simulation *sim = variant_start(m, variant_at(k));
            detent_error error;
            double x[3];
            variant_advance(sim, variant_at(k), 0.4);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
            assert_true(x[2] == 0);
            variant_advance(sim, variant_at(k), 1);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
            assert_true(fabs(x[1] - slider(1.1)) <= 1e-12);
            variant_advance(sim, variant_at(k), 3);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
            if (!(x[2] == 0 && fabs(x[1] - slider(1)) <= 1e-11)) {
                fail_msg("%d, %s: at %.17g, velocity %g", who, variant_name(variant_at(k)), x[1],
                         x[2]);
            }
            detent_simulation_destroy(sim);
        }
        detent_mechanism_destroy(m);
    }
}

/** The same where it begins as smoothly as t^3 and t^4, at the start or later, and where it stands for a moment under way. */
static void a_motion_that_begins_smoothly(void **state)
{
    static const struct {
        const char *motion;
        double begins, end; /* s, rad */
    } of[] = {
        {"1 + 0.05 [1/s^3]*t^3", 0, 1 + 0.05 * 8},
        {"1 + 0.02 [1/s^4]*t^4", 0, 1 + 0.02 * 16},
        {"1 + if(t < 0.5, 0, 0.1 [1/s^3]*(t - 0.5)^3)", 0.5, 1 + 0.1 * 3.375},
        {"1 + if(t < 0.5, 0, 0.1 [1/s]*(t - 0.5) - 0.05*sin(2 [1/s]*(t - 0.5)))", 0.5,
         1 + 0.15 - 0.05 * 0.14112000805986722},
        {"1.1 + 0.1 [1/s^3]*(t - 1)^3", 0, 1.2},
    };
    (void)state;
    for (size_t n = 0; n < sizeof of / sizeof *of; n++) {
        char text[2048], motion[256];
        snprintf(motion, sizeof motion, ", motion: \"%s\"", of[n].motion);
        snprintf(text, sizeof text, crank_and_slider, motion, "");
        strcat(text, "stiction: {b: {kinetic: 0.5, static: 0.7}, c: {kinetic: 5, static: 5}, "
                     "d: {kinetic: 2, static: 3}}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            detent_simulation *sim = variant_start(m, variant_at(k));
            detent_error error;
            double x[3];
            variant_advance(sim, variant_at(k), 0.9 * of[n].begins);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
            assert_true(of[n].begins == 0 || x[2] == 0);
            variant_advance(sim, variant_at(k), 2);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
            if (!(fabs(x[1] - slider(of[n].end)) <= 1e-12)) {
                fail_msg("%s, %s: at %.17g instead of %.17g", of[n].motion,
                         variant_name(variant_at(k)), x[1], slider(of[n].end));
            }
            detent_simulation_destroy(sim);
        }
        detent_mechanism_destroy(m);
    }
}

static void two_gears(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {p: {mass: 1, inertia: [1, 1, 1]}, q: {mass: 1, inertia: [1, 1, 1]}, "
        "r: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: p, motion: \"1 [1/s]*t\"}\n"
        "  b: {type: revolute, base: ground, follower: q, motion: \"%g [1/s]*t\"}\n"
        "  c: {type: revolute, base: ground, follower: r}\n"
        "couplings: {one: {type: gear, joints: [c, a], ratio: 2}, two: {type: gear, joints: [c, "
        "b], "
        "ratio: 4}}\n"
        "outputs: [position(c)]\n"
        "simulation: {end: 3}\n";
    char page[2048];
    (void)state;
    snprintf(page, sizeof page, text, 1.0);
    refused(runs_parse(page, NULL), 5, "the motions of 'a' and 'b' contradict each other");
    snprintf(page, sizeof page, text, 0.5);
    detent_mechanism *m = runs_parse(page, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_error error;
        double x;
        variant_advance(sim, variant_at(k), 3);
        runs_must(detent_read(sim, DETENT_OUTPUTS, &x, 1, &error), &error);
        assert_true(fabs(x - 6) <= 1e-12);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/** The slider is at 1.3 m, where crank and rod are in line, at 1.5 s. */
static void a_motion_that_leads_nowhere(void **state)
{
    (void)state;
    ends_at(driven(NULL, "1 [m] + 0.2 [m/s]*t"), 1.5, 1e-4,
            "the motion of 'd' leads to where what is tied goes no farther: 'b' would move");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_that_fit),
        cmocka_unit_test(motions_that_contradict),
        cmocka_unit_test(motions_that_come_to_contradict),
        cmocka_unit_test(a_motion_that_begins),
        cmocka_unit_test(a_motion_that_begins_smoothly),
        cmocka_unit_test(two_gears),
        cmocka_unit_test(a_motion_that_leads_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
