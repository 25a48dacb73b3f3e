/*
 * What time does within a step: a limit that dips below its load for a part of a second, a pulse of a load, of gravity,
 * of a prescribed motion, while everything rests or while something moves. Exact times and exact velocities, for
 * widths down to a millionth of the run, in every variant; rows are as far apart as the run is long.
 */
#include "support_variants.h"

/* A block at rest that is to give way in the dip, and beside it nothing, or a body that moves freely. */
typedef struct dip {
    const char *what;
    const char *gravity, *motion, *stiction, *load;
    double (*level)(double x); /* of what dips, over its limit, at x widths from the middle */
} dip;

static double bump(double x)
{
    return exp(-x * x);
}

static double limit_level(double x)
{
    return 1 / (1.5 - 0.9 * bump(x));
}

static double shallow_level(double x)
{
    return 1 / (1.5 - 0.501 * bump(x));
}

static double force_level(double x)
{
    return (1 + 0.6 * bump(x)) / 1.5;
}

static double lifted_level(double x)
{
    return 1 / (0.2 * (9.81 - 9 * bump(x)));
}

static double motion_level(double x)
{
    return fabs(4 * x * x - 2) * bump(x) / 1.5;
}

static double switch_level(double x)
{
    return 2 * bump(x);
}

static const dip dips[] = {
    {"limit", "[0, 0, 0]", "0", "external: 1, kinetic: 0.5, static: 1.5 - 0.9*bump", "0, 0, 0",
     limit_level},
    {"shallow", "[0, 0, 0]", "0", "external: 1, kinetic: 0.5, static: 1.5 - 0.501*bump", "0, 0, 0",
     shallow_level},
    {"two limits", "[0, 0, 0]", "0",
     "external: 1, kinetic: 0.5, forward: 0.9*bump - 1.5, reverse: 3", "0, 0, 0", limit_level},
    {"actuation", "[0, 0, 0]", "0", "external: -1 - 0.6*bump, kinetic: 0.5, static: 1.5", "0, 0, 0",
     force_level},
    {"test", "[0, 0, 0]", "0", "external: -1, kinetic: 0.5, static: 1.5, test: 1 + 0.6*bump",
     "0, 0, 0", force_level},
    {"load", "[0, 0, 0]", "0", "kinetic: 0.5, static: 1.5", "1 + 0.6*bump, 0, 0", force_level},
    {"gravity", "[1 + 0.6*bump, 0, 0]", "0", "kinetic: 0.5, static: 1.5", "0, 0, 0", force_level},
    {"reaction", "[0, 0, -9.81]", "0",
     "external: 1, kinetic: 0.05*reaction_force(a), static: 0.2*reaction_force(a)", "0, 0, 9*bump",
     lifted_level},
    {"normal force", "[0, 0, -9.81]", "0",
     "external: 1, kinetic: 0.05*normal_force(a), static: 0.2*normal_force(a)", "0, 0, 9*bump",
     lifted_level},
    {"motion", "[0, 0, 0]", "w^2*bump", "kinetic: 0.5, static: 1.5", "0, 0, 0", motion_level},
    {"switch", "[0, 0, 0]", "0",
     "external: \"if(position(a) > 0.5 - bump, 10, 0)\", kinetic: 0.5, static: 2", "0, 0, 0",
     switch_level},
};

static detent_mechanism *load_dip(const dip *d, double w, bool moving)
{
    char text[2048], width[40];
    snprintf(text, sizeof text,
             "detent: 1\n"
             "gravity: %s\n"
             "parameters: {w: 1}\n"
             "signals: {bump: \"exp(-((t - 5)/w)^2)\"}\n"
             "bodies: {base: {mass: 1}, block: {mass: 1}%s}\n"
             "joints:\n"
             "  b: {type: prismatic, base: ground, follower: base, axis: [1, 0, 0], motion: %s}\n"
             "  a: {type: prismatic, base: base, follower: block, axis: [1, 0, 0]}\n"
             "%s"
             "stiction: {a: {velocity_threshold: 1e-9, %s}}\n"
             "loads: {push: {body: block, force: [%s], frame: world}}\n"
             "simulation: {end: 10, interval: 10}\n",
             d->gravity, moving ? ", swing: {mass: 1, center_of_mass: [0, -1, 0]}" : "", d->motion,
             moving ? "  c: {type: revolute, base: ground, follower: swing, axis: [0, 0, 1], "
                      "spring: {stiffness: 1}, "
                      "initial: {position: 1}}\n"
                    : "",
             d->stiction, d->load);
    snprintf(width, sizeof width, "w=%.17g", w);
    return runs_parse(text, (const char *const[]){width, NULL});
}

/* When the level first passes 1: the first crossing over a fine grid, bisected. */
static double expected_time(const dip *d, double w)
{
    double a = -3;
    while (d->level(a + 1e-3) < 1) {
        a += 1e-3;
        assert_true(a < 1);
    }
    double b = a + 1e-3;
    for (int round = 0; round < 60; round++) {
        const double middle = 0.5 * (a + b);
        *(d->level(middle) < 1 ? &a : &b) = middle;
    }
    return 5 + w * a;
}

static void check_dip(const dip *d, double w, bool moving, size_t number)
{
    detent_mechanism *m = load_dip(d, w, moving);
    const detent_settings settings = variant_settings(m, variant_at(number));
    detent_simulation *s = runs_start(m, &settings);
    runs_log log = {0};
    char what[80];
    const double expected = expected_time(d, w);
    /* what watches over all runs tells from two rows how fast a force changes */
    runs_record(s, expected - 2e-3 * w, &log);
    runs_record(s, expected - 1e-3 * w, &log);
    assert_int_equal(runs_mode(m, s, "a"), DETENT_LOCKED);
    runs_record(s, settings.end, &log);
    snprintf(what, sizeof what, "%s, width %g%s, variant %zu", d->what, w, moving ? ", moving" : "",
             number);
    /* a joint gives way a little beyond its limit; a level rises by about one in a width */
    runs_near(what, runs_time_of(&log, 0, DETENT_WAIT, 0), expected, 1e-6 * w + 2e-12);
    runs_log_free(&log);
    runs_end(s, m);
}

static void every_dip_is_found(void **state)
{
    static const double widths[] = {0.1, 1e-3, 1e-5};
    UNUSED(state);
    for (size_t k = 0; k < sizeof dips / sizeof dips[0]; k++) {
        for (size_t j = 0; j < sizeof widths / sizeof widths[0]; j++) {
            for (int moving = 0; moving < 2; moving++) {
                for (size_t number = variant_first(); number < VARIANTS;
                     number = variant_next(number)) {
                    check_dip(&dips[k], widths[j], moving, number);
                }
            }
        }
    }
}

/* ---- what moves ---- */

/* A block that slides, or floats: a pulse takes 100 w sqrt(pi) of its velocity. */
static void every_pulse_is_felt(void **state)
{
    static const char *const stiction[] = {
        "stiction: {a: {velocity_threshold: 1e-6, kinetic: 0.5 + 100*bump, static: 1000}}\n",
        "stiction: {a: {velocity_threshold: 1e-6, kinetic: 0.5, static: 1000, external: "
        "-100*bump}}\n",
        "stiction: {a: {velocity_threshold: 1e-6, kinetic: 0.5, static: 1000}}\n"
        "loads: {push: {body: block, force: [-100*bump, 0, 0], frame: world}}\n",
        "loads: {push: {body: block, force: [-0.5 - 100*bump, 0, 0], frame: world}}\n",
        "stiction: {a: {velocity_threshold: 1e-6, kinetic: (0.05 + 10*bump)*normal_force(a), "
        "static: 1000}}\n",
        "stiction: {a: {velocity_threshold: 1e-6, kinetic: 0.5, static: 1000,\n"
        "               external: -10*bump*normal_force(a)*position(a)/position(a)}}\n"};
    static const double widths[] = {0.1, 1e-3, 1e-5};
    UNUSED(state);
    for (size_t k = 0; k < sizeof stiction / sizeof stiction[0]; k++) {
        for (int j = 0; j < 3; j++) {
            for (size_t number = variant_first(); number < VARIANTS;
                 number = variant_next(number)) {
                char text[1024];
                snprintf(text, sizeof text,
                         "detent: 1\n"
                         "gravity: [0, 0, -10]\n"
                         "signals: {bump: \"exp(-((t - 5)/%g)^2)\"}\n"
                         "bodies: {block: {mass: 1}}\n"
                         "joints: {a: {type: prismatic, base: ground, follower: block, axis: [1, "
                         "0, 0],\n"
                         "             initial: {position: 1, velocity: 30}}}\n"
                         "%s"
                         "simulation: {end: 10, interval: 10}\n",
                         widths[j], stiction[k]);
                detent_mechanism *m = runs_parse(text, NULL);
                const detent_settings settings = variant_settings(m, variant_at(number));
                detent_simulation *s = runs_start(m, &settings);
                runs_advance(s, 10);
                /* the relative tolerance of the run, of the velocity that it started with */
                runs_near("velocity", runs_velocity(m, s, "a"),
                          25 - 100 * widths[j] * sqrt(acos(-1)), 30 * 1e-7);
                runs_end(s, m);
            }
        }
    }
}

/**
 * A wheel whose friction follows a force that there is none of stands exactly at its limit, while the bounds of what time may
 * do take in a force along the axis that it does not feel. The run gets on, and the pulse is felt.
 */
static void what_stands_at_its_limit_feels_a_pulse(void **state)
{
    static const double widths[] = {0.1, 1e-3, 1e-5, 0.1, 1e-3, 1e-5};
    UNUSED(state);
    for (int j = 0; j < 6; j++) {
        for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
            char text[1024];
            snprintf(
                text, sizeof text,
                "detent: 1\n"
                "gravity: [0, 0, 0]\n"
                "signals: {bump: \"exp(-((t - 5)/%g)^2)\"}\n"
                "bodies: {wheel: {mass: 1, inertia: [1, 1, 1]}}\n"
                "joints: {a: {type: revolute, base: ground, follower: wheel, axis: [0, 0, 1]}}\n"
                "stiction: {a: {velocity_threshold: 1e-6, kinetic: 0.1*normal_force(a), "
                "static: 0.2*normal_force(a)}}\n"
                "loads: {push: {body: wheel, force: [0, 0, %g*sin(t)], torque: [0, 0, bump]}}\n"
                "simulation: {end: 10, interval: 10}\n",
                widths[j], j < 3 ? 10 : 0.01);
            detent_mechanism *m = runs_parse(text, NULL);
            const detent_settings settings = variant_settings(m, variant_at(number));
            detent_simulation *s = runs_start(m, &settings);
            detent_statistics statistics = DETENT_INIT(detent_statistics);
            runs_advance(s, 10);
            const double expected = widths[j] * sqrt(acos(-1));
            runs_near("velocity", runs_velocity(m, s, "a"), expected,
                      1e-6 * expected + 1e-9); /* nominal: 1 rad/s or more */
            detent_get_statistics(s, &statistics);
            assert_true(statistics.steps < 2000);
            runs_end(s, m);
        }
    }
}

/* ---- lever arms ---- */

/* A weight on an arm that is held, moved outward without any force on the joint that holds the arm: 10 (5 + 4 sin). */
static void a_motion_changes_lever_arms(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -10, 0]\n"
        "bodies: {arm: {mass: 1}, weight: {mass: 1}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: arm, axis: [0, 0, 1]}\n"
        "  s: {type: prismatic, base: arm, follower: weight, axis: [1, 0, 0],\n"
        "      motion: 5 + 4*sin(0.1*t)}\n"
        "stiction: {a: {velocity_threshold: 1e-6, kinetic: 80, static: 85}}\n"
        "simulation: {end: 40, interval: 40}\n";
    UNUSED(state);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        detent_mechanism *m = runs_parse(text, NULL);
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        runs_log log = {0};
        runs_record(s, settings.end, &log);
        runs_near("time", runs_time_of(&log, 0, DETENT_WAIT, 0), 10 * asin(3.5 / 4), 1e-8);
        runs_log_free(&log);
        runs_end(s, m);
    }
}

/* A prescribed rotation turns what is held on it until its weight is too much: 10 cos(q), q = t/100 - pi/2. */
static void a_rotation_turns_the_weight(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -10, 0]\n"
        "bodies: {arm: {mass: 1}, weight: {mass: 1, center_of_mass: [1, 0, 0]}}\n"
        "joints:\n"
        "  r: {type: revolute, base: ground, follower: arm, axis: [0, 0, 1], motion: 0.01*t}\n"
        "  a: {type: revolute, base: arm, follower: weight, axis: [0, 0, 1],\n"
        "      initial: {position: -90 deg}}\n"
        "stiction: {a: {velocity_threshold: 1e-6, kinetic: 8, static: 9}}\n"
        "simulation: {end: 200, interval: 200}\n";
    UNUSED(state);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        detent_mechanism *m = runs_parse(text, NULL);
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        runs_log log = {0};
        runs_record(s, settings.end, &log);
        runs_near("time", runs_time_of(&log, 0, DETENT_WAIT, 0), 100 * asin(0.9), 1e-7);
        runs_log_free(&log);
        runs_end(s, m);
    }
}

/* ---- cost ---- */

/* A load that stays below its limit for ever is understood once, however long the run. */
static void what_never_happens_costs_nothing(void **state)
{
    static const char *const external[] = {"0.99*sin(t)", "0.4*sin(t + 1) + 0.5*cos(1.3*t)",
                                           "0.9*exp(-t)",
                                           "if(mod(t, 2e5) < 1e5, 0.9, 0.1)*sin(3*t)"};
    UNUSED(state);
    for (int k = 0; k < 4; k++) {
        for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
            char text[512];
            snprintf(text, sizeof text,
                     "detent: 1\n"
                     "gravity: [0, 0, 0]\n"
                     "bodies: {A: {mass: 1}}\n"
                     "joints: {a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0]}}\n"
                     "stiction: {a: {velocity_threshold: 1e-4, external: \"%s\", kinetic: 1, "
                     "static: 1}}\n"
                     "simulation: {end: 1e6, interval: 1e6}\n",
                     external[k]);
            detent_mechanism *m = runs_parse(text, NULL);
            const detent_settings settings = variant_settings(m, variant_at(number));
            detent_simulation *s = runs_start(m, &settings);
            detent_statistics statistics = DETENT_INIT(detent_statistics);
            runs_advance(s, 1e6);
            detent_get_statistics(s, &statistics);
            assert_true(statistics.steps < 300);
            assert_int_equal(runs_mode(m, s, "a"), DETENT_LOCKED);
            runs_end(s, m);
        }
    }
}

/* A fast load that never reaches its limit, beside something that moves and has nothing to do with it. */
static void what_moves_elsewhere_does_not_matter(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {A: {mass: 1}, B: {mass: 1}}\n"
        "joints:\n"
        "  a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0]}\n"
        "  b: {type: prismatic, base: ground, follower: B, axis: [1, 0, 0],\n"
        "      spring: {stiffness: 1}, initial: {position: 1}}\n"
        "stiction: {a: {velocity_threshold: 1e-4, external: 1.1*sin(1000*t), kinetic: 1, static: "
        "1.2}}\n"
        "simulation: {end: 50, interval: 50}\n";
    UNUSED(state);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        detent_mechanism *m = runs_parse(text, NULL);
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        runs_advance(s, 50);
        detent_get_statistics(s, &statistics);
        assert_true(statistics.steps < 5000); /* of the oscillation: the load has 16,000 extremes */
        assert_int_equal(runs_mode(m, s, "a"), DETENT_LOCKED);
        runs_end(s, m);
    }
}

/*
 * What slides on a block with constant friction holds it at its limit, exactly, and a load that the block does not feel shortens no step: it took
 * millions of them.
 */
static void what_slides_above_costs_nothing(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {below: {mass: 1}, above: {mass: 1}}\n"
        "joints:\n"
        "  a: {type: prismatic, base: ground, follower: below, axis: [1, 0, 0]}\n"
        "  b: {type: prismatic, base: below, follower: above, axis: [1, 0, 0], initial: {velocity: "
        "5}}\n"
        "stiction: {a: {kinetic: 0.88, static: 0.88}, b: {kinetic: 0.88, static: 0.88}}\n"
        "loads: {l: {body: above, force: [0.2*sin(4.78*t), 0, 0]}}\n"
        "simulation: {end: 2, interval: 2}\n";
    UNUSED(state);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        detent_mechanism *m = runs_parse(text, NULL);
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        runs_advance(s, 2);
        detent_get_statistics(s, &statistics);
        assert_true(statistics.steps < 50000);
        assert_int_equal(runs_mode(m, s, "a"), DETENT_LOCKED);
        runs_end(s, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dip_is_found),
        cmocka_unit_test(every_pulse_is_felt),
        cmocka_unit_test(what_stands_at_its_limit_feels_a_pulse),
        cmocka_unit_test(a_motion_changes_lever_arms),
        cmocka_unit_test(a_rotation_turns_the_weight),
        cmocka_unit_test(what_never_happens_costs_nothing),
        cmocka_unit_test(what_moves_elsewhere_does_not_matter),
        cmocka_unit_test(what_slides_above_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
