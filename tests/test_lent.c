/*
 * Bodies that only their loop holds: sliders that are point masses, rockers without mass. A mechanism of three bars is
 * integrated here from its equations with multipliers, which share nothing with the engine, and beside mechanisms
 * whose bodies have the inertia that makes no difference.
 */
#include "detent/analysis.h"
#include "support_bars.h"
#include "support_variants.h"

enum { MOST = 16384 };

/* ---- the same as mechanisms ---- */

typedef struct written {
    bool rocks;
    int cut;           /* 0: the wrist of rod and third body; 1: its joint on the ground */
    const char *third; /* "{mass: 1}" */
    const char *crank; /* more of the crank's joint: ", motion: ..." */
    const char *slide; /* and of the third body's */
    const char *more;  /* sections */
} written;

static const char thrown[] = ", initial: {position: 1, velocity: 3, priority: exact}";

static void write_bars(char *text, const written *of)
{
    double y[6];
    const support_bars own = {.rocks = of->rocks};
    support_bars_start(&own, 1, 3, y);
    snprintf(
        text, MOST,
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0, 0.1, 0.1]}\n"
        "  rod: {mass: 0.5, center_of_mass: [0.35, 0, 0], inertia: [0, 0.1, 0.1]}\n"
        "  third: %s\n"
        "joints:\n"
        "  crank: {type: revolute, base: ground, follower: crank%s}\n"
        "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]},"
        " initial: {position: %.17g}}\n"
        "  wrist: {%stype: revolute, base: rod, follower: third, at: {base: [0.7, 0, 0]%s},"
        " initial: {position: %.17g}}\n"
        "  third: {%stype: %s, base: ground, follower: third,%s initial: {position: %.17g}%s}\n"
        "outputs: [position(crank), velocity(crank), position(third), velocity(third),"
        " acceleration(crank), reaction_force(wrist), reaction_force(pin), reaction_force(crank)]\n"
        "%s",
        of->third, of->crank ? of->crank : thrown, y[1] - y[0],
        of->cut == 0 ? "closes: true, " : "", of->rocks ? ", follower: [0.6, 0, 0]" : "",
        (of->rocks ? y[2] : 0) - y[1], of->cut == 1 ? "closes: true, " : "",
        of->rocks ? "revolute" : "prismatic",
        of->rocks ? " at: {base: [0.9, 0, 0]}," : " axis: [1, 0, 0],", y[2],
        of->slide ? of->slide : "", of->more);
}

enum { OUTPUTS = 8 };

static detent_mechanism *parse(const written *of)
{
    char text[MOST];
    write_bars(text, of);
    return runs_parse(text, NULL);
}

static void read_at(detent_simulation *sim, variant v, double t, double out[OUTPUTS])
{
    detent_error error;
    variant_advance(sim, v, t);
    runs_must(detent_read(sim, DETENT_OUTPUTS, out, OUTPUTS, &error), &error);
}

static const char tight[] = "simulation: {end: 2, rtol: 1e-10}\n";

/* In all variants, cut here and there, against the equations with multipliers. */
static void check_bars(support_bars of, written as)
{
    double y[6];
    support_bars_start(&of, 1, 3, y);
    support_bars_advance(&of, y, 1);
    as.rocks = of.rocks;
    as.more = "simulation: {end: 2, rtol: 1e-9}\n";
    for (size_t k = variant_first(); k < 2 * VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k / 2);
        double out[OUTPUTS];
        as.cut = (int)(k % 2);
        detent_mechanism *m = parse(&as);
        detent_simulation *sim = variant_start(m, v);
        read_at(sim, v, 1, out);
        variant_check(v, "angle of the crank", out[0], y[0], 3e-8);
        variant_check(v, "its velocity", out[1], y[3], 3e-7);
        variant_check(v, "place of the third body", out[2], y[2], 3e-8);
        variant_check(v, "its velocity", out[3], y[5], 3e-7);
        variant_check(v, "force on the wrist", out[5], hypot(of.force[0], of.force[1]), 1e-6);
        runs_end(sim, m);
    }
}

static void point_mass_slides(void **state)
{
    (void)state;
    check_bars((support_bars){.mass = 1}, (written){.third = "{mass: 1}"});
}

static void point_mass_slides_with_damping(void **state)
{
    (void)state;
    check_bars((support_bars){.mass = 0.2, .damping = 3},
               (written){.third = "{mass: 0.2}", .slide = ", damping: 3"});
}

static void slider_has_no_mass(void **state)
{
    (void)state;
    check_bars((support_bars){.mass = 0}, (written){.third = "{mass: 0}"});
    check_bars((support_bars){.mass = 0, .damping = 2},
               (written){.third = "{mass: 0}", .slide = ", damping: 2"});
}

static void rocker_has_no_mass(void **state)
{
    (void)state;
    check_bars((support_bars){.rocks = true, .mass = 0}, (written){.third = "{mass: 0}"});
}

/** Its mass is at its foot, and turns without taking anything. */
static void rocker_is_a_point_at_its_foot(void **state)
{
    (void)state;
    check_bars((support_bars){.rocks = true, .mass = 0}, (written){.third = "{mass: 7}"});
}

/** What is welded to a body is a part of it: two masses that balance each other, on a rocker that has none; and a post on the ground. */
static void parts_are_welded(void **state)
{
    (void)state;
    check_bars((support_bars){.rocks = true, .mass = 0.5},
               (written){.third = "{mass: 0}\n  left: {mass: 1}\n  right: {mass: 1}\n"
                                  "  post: {mass: 2}",
                         .slide = "}\n"
                                  "  one: {type: weld, base: third, follower: left, at: {base: "
                                  "[0.5, 0, 0]}}\n"
                                  "  other: {type: weld, base: left, follower: right, at: {base: "
                                  "[-1, 0, 0]}}\n"
                                  "  foot: {type: weld, base: ground, follower: post"});
}

/* ---- beside a slider with inertia, which does not turn ---- */

static const char *const sliders[] = {"{mass: 1}", "{mass: 1, inertia: [1e-3, 1e-3, 1e-3]}",
                                      "{mass: 1, inertia: [0.2, 0.2, 0.2]}",
                                      "{mass: 1, inertia: [10, 10, 10]}"};
enum { SLIDERS = 4 };

/** Accelerations and reactions at given states are the same to rounding. */
static void inertia_makes_no_difference(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < 2 * VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k / 2);
        double first[OUTPUTS];
        for (int slider = 0; slider < SLIDERS; slider++) {
            double out[OUTPUTS];
            detent_mechanism *m =
                parse(&(written){.cut = (int)(k % 2), .third = sliders[slider], .more = tight});
            detent_simulation *sim = variant_start(m, v);
            read_at(sim, v, 0, out);
            for (int j = 0; j < OUTPUTS; j++) {
                first[j] = slider == 0 ? out[j] : first[j];
                variant_check(v, "output", out[j], first[j], 1e-11);
            }
            runs_end(sim, m);
        }
    }
}

/** Crank and slider stick and slip; the events are the same ones. */
static void friction_is_the_same(void **state)
{
    static const char more[] =
        "stiction:\n"
        "  crank: {kinetic: 0.3, static: 0.5, velocity_threshold: 1e-3}\n"
        "  third: {kinetic: 2, static: 4, velocity_threshold: 1e-3}\n"
        "loads: {push: {body: crank, at: [0.3, 0, 0], force: [\"8*sin(3*t)\", 0, 0]}}\n"
        "simulation: {end: 4, rtol: 1e-10}\n";
    (void)state;
    for (size_t k = variant_first(); k < 2 * VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k / 2);
        runs_log first = {0};
        for (int slider = 0; slider < SLIDERS; slider += 3) {
            runs_log log = {0};
            detent_mechanism *m =
                parse(&(written){.cut = (int)(k % 2), .third = sliders[slider], .more = more});
            detent_simulation *sim = variant_start(m, v);
            runs_record(sim, 4, &log);
            assert_true(log.count > 8);
            if (slider == 0) {
                first = log;
                runs_end(sim, m);
                continue;
            }
            assert_int_equal(log.count, first.count);
            for (size_t n = 0; n < log.count; n++) {
                variant_check(v, "time of an event", log.change[n].time, first.change[n].time,
                              1e-7);
                assert_int_equal(log.change[n].stiction, first.change[n].stiction);
                assert_int_equal(log.change[n].to, first.change[n].to);
            }
            runs_log_free(&log);
            runs_end(sim, m);
        }
        runs_log_free(&first);
    }
}

/** A crank that is driven: torque and reactions are those of a slider with inertia. */
static void driven_crank_needs_the_same(void **state)
{
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        double first[2][OUTPUTS];
        for (int slider = 0; slider < SLIDERS; slider++) {
            detent_mechanism *m = parse(&(written){.cut = (int)(k % 2),
                                                   .third = sliders[slider],
                                                   .crank = ", motion: \"1 + 3*t + 2*t^2\"",
                                                   .more = tight});
            detent_simulation *sim = variant_start(m, v);
            for (int at = 0; at < 2; at++) {
                double out[OUTPUTS];
                read_at(sim, v, 0.7 * at, out);
                for (int j = 0; j < OUTPUTS; j++) {
                    first[at][j] = slider == 0 ? out[j] : first[at][j];
                    variant_check(v, "output", out[j], first[at][j], 1e-9);
                }
            }
            runs_end(sim, m);
        }
    }
}

/** Inverse dynamics finds the torque that the crank is driven with. */
static void inverse_finds_the_torque(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * SLIDERS; k++) {
        double q[4], w[4], a[4], low[4], high[4];
        bool driven[4] = {false};
        detent_error error;
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_mechanism *m =
            parse(&(written){.cut = k % 2,
                             .third = sliders[k / 2],
                             .crank = ", force: 7.25, initial: {position: 1, velocity: 3}",
                             .more = tight});
        detent_simulation *sim = runs_start(m, NULL);
        detent_analysis *analysis = NULL;
        runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, "crank"), &p),
                  &error);
        driven[p.first_freedom] = true;
        runs_advance(sim, 0.4);
        runs_must(detent_read(sim, DETENT_POSITIONS, q, 4, &error), &error);
        runs_must(detent_read(sim, DETENT_VELOCITIES, w, 4, &error), &error);
        runs_must(detent_read(sim, DETENT_ACCELERATIONS, a, 4, &error), &error);
        runs_must(detent_analysis_create(m, NULL, &analysis, &error), &error);
        runs_must(detent_analysis_set_state(analysis, 0.4, q, w, NULL, &error), &error);
        runs_must(detent_inverse(analysis, a, driven, low, high, &error), &error);
        runs_near("torque", low[p.first_freedom], 7.25, 1e-10);
        runs_near("torque", high[p.first_freedom], 7.25, 1e-10);
        detent_analysis_destroy(analysis);
        runs_end(sim, m);
    }
}

/* A crank that is driven, and a rod, both without mass: all that they take goes from rocker to drive along the rod. */
static const char without_mass[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 0}\n"
    "  rod: {mass: 0}\n"
    "  rocker: {mass: 2, center_of_mass: [0.3, 0, 0], inertia: [0, 0.1, 0.1]}\n"
    "joints:\n"
    "  crank: {type: revolute, base: ground, follower: crank, motion: \"1 + 3*t\"}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]},"
    " initial: {position: -0.7}}\n"
    "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]},"
    " initial: {position: 1.8}}\n"
    "  wrist: {closes: true, type: revolute, base: rocker, follower: rod, at: {base: [0.6, 0, 0],"
    " follower: [0.7, 0, 0]}, initial: {position: -1}}\n"
    "outputs: [position(foot), reaction_force(wrist), reaction_force(pin), force(crank)]\n"
    "simulation: {end: 2, rtol: 1e-9}\n";

static void nothing_between_has_mass(void **state)
{
    (void)state;
    detent_mechanism *m = runs_parse(without_mass, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v);
        for (int at = 0; at <= 4; at++) {
            double y[6], out[4];
            detent_error error;
            const double t = 0.4 * at;
            support_bars_start(&(support_bars){.rocks = true}, 1 + 3 * t, 3, y);
            /* along the rod: accelerations of its ends, and what it turns */
            const double along = y[2] - y[1];
            const double turn = (-bars_crank * 9 * cos(y[0] - y[1]) - bars_rod * y[4] * y[4] +
                                 bars_rocker * y[5] * y[5] * cos(along)) /
                                (-bars_rocker * sin(along));
            const double tension = ((0.1 + 2 * 0.09) * turn + 2 * bars_gravity * 0.3 * cos(y[2])) /
                                   (-bars_rocker * sin(along));
            variant_advance(sim, v, t);
            runs_must(detent_read(sim, DETENT_OUTPUTS, out, 4, &error), &error);
            variant_check(v, "angle of the rocker", out[0], y[2], 1e-10);
            variant_check(v, "force on the wrist", out[1], fabs(tension), 1e-7);
            variant_check(v, "force on the pin", out[2], fabs(tension), 1e-7);
            variant_check(v, "torque of the drive", fabs(out[3]),
                          fabs(tension * bars_crank * sin(y[0] - y[1])), 1e-7);
        }
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* ---- many ---- */

/* Slider-cranks side by side, each with a speed of its own. */
static void write_many(char *text, size_t size, int count, const char *third)
{
    double y[6];
    size_t n = (size_t)snprintf(text, size, "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
    for (int k = 0; k < count; k++) {
        n += (size_t)snprintf(
            text + n, size - n,
            "  c%d: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0, 0.1, 0.1]}\n"
            "  r%d: {mass: 0.5, center_of_mass: [0.35, 0, 0], inertia: [0, 0.1, 0.1]}\n"
            "  s%d: %s\n",
            k, k, k, third);
    }
    n += (size_t)snprintf(text + n, size - n, "joints:\n");
    for (int k = 0; k < count; k++) {
        support_bars_start(&(support_bars){.rocks = k % 2}, 1, 3 + 0.1 * k, y);
        n += (size_t)snprintf(
            text + n, size - n,
            "  a%d: {type: revolute, base: ground, follower: c%d, at: {base: [0, 0, %d]}, initial:"
            " {position: 1, velocity: %.17g, priority: exact}}\n"
            "  b%d: {type: revolute, base: c%d, follower: r%d, at: {base: [0.3, 0, 0]},"
            " initial: {position: %.17g}}\n",
            k, k, k, 3 + 0.1 * k, k, k, k, y[1] - y[0]);
        if (k % 2) {
            n += (size_t)snprintf(
                text + n, size - n,
                "  d%d: {type: revolute, base: ground, follower: s%d, at: {base: [0.9, 0, %d]},"
                " initial: {position: %.17g}}\n"
                "  w%d: {closes: true, type: revolute, base: r%d, follower: s%d, at: {base:"
                " [0.7, 0, 0], follower: [0.6, 0, 0]}, initial: {position: %.17g}}\n",
                k, k, k, y[2], k, k, k, y[2] - y[1]);
        } else {
            n += (size_t)snprintf(
                text + n, size - n,
                "  d%d: {type: prismatic, base: ground, follower: s%d, axis: [1, 0, 0], at: {base:"
                " [0, 0, %d]}, initial: {position: %.17g}}\n"
                "  w%d: {closes: true, type: revolute, base: r%d, follower: s%d, at: {base:"
                " [0.7, 0, 0]}, initial: {position: %.17g}}\n",
                k, k, k, y[2], k, k, k, -y[1]);
        }
        assert_true(n < size);
    }
    snprintf(text + n, size - n, "simulation: {end: 1, rtol: 1e-9}\n");
}

/** Ten loops and more: the local solution of what closes them. Sliders and rockers without mass, in turn. */
static void many_loops(void **state)
{
    enum { COUNT = 10 };
    char *text = malloc(1 << 16);
    (void)state;
    write_many(text, 1 << 16, COUNT, "{mass: 0}");
    detent_mechanism *m = runs_parse(text, NULL);
    double y[COUNT][6];
    for (int n = 0; n < COUNT; n++) {
        support_bars own = {.rocks = n % 2};
        support_bars_start(&own, 1, 3 + 0.1 * n, y[n]);
        support_bars_advance(&own, y[n], 0.8);
    }
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v);
        variant_advance(sim, v, 0.8);
        for (int n = 0; n < COUNT; n++) {
            char name[16];
            snprintf(name, sizeof name, "a%d", n);
            variant_check(v, name, runs_position(m, sim, name), y[n][0], 1e-7);
            snprintf(name, sizeof name, "d%d", n);
            variant_check(v, name, runs_position(m, sim, name), y[n][2], 1e-7);
        }
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
    free(text);
}

/* ---- what no loop holds ---- */

static void refused(const char *text, const char *what)
{
    detent_mechanism *m = NULL;
    detent_error error;
    assert_int_equal(detent_mechanism_parse(text, strlen(text), "inline.yaml", NULL, &m, &error),
                     DETENT_ERROR_MODEL);
    if (!strstr(error.message, what)) {
        fail_msg("'%s' instead of '%s'", error.message, what);
    }
}

static const char five_bars[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0, 0.1, 0.1]}\n"
    "  b: {mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0, 0.1, 0.1]}\n"
    "  c: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0, 0.1, 0.1]}\n"
    "  d: {mass: 0.5, center_of_mass: [0.4, 0, 0], inertia: [0, 0.1, 0.1]}\n"
    "  tip: {mass: 1}\n"
    "joints:\n"
    "  j1: {type: revolute, base: ground, follower: a, initial: {position: 1.5}}\n"
    "  j2: {type: revolute, base: a, follower: b, at: {base: [0.3, 0, 0]}}\n"
    "  j3: {type: revolute, base: ground, follower: c, at: {base: [0.5, 0, 0]}}\n"
    "  j4: {type: revolute, base: c, follower: d, at: {base: [0.3, 0, 0]}}\n"
    "  j5: {type: revolute, base: b, follower: tip, at: {base: [0.7, 0, 0]}}\n"
    "  j6: {type: revolute, base: d, follower: tip, at: {base: [0.7, 0, 0]}}\n"
    "simulation: {end: 1}\n";

/** A point mass on two hinges in one line turns as it likes; and behind a loop there is a joint that none goes through. */
static void still_refused(void **state)
{
    char text[MOST];
    (void)state;
    refused(five_bars, "'j6' moves nothing");
    write_bars(text, &(written){.third = "{mass: 1}", .more = "simulation: {end: 1}\n"});
    char *bodies = strstr(text, "joints:\n");
    char other[MOST];
    snprintf(
        other, sizeof other,
        "%.*s  flag: {mass: 1}\njoints:\n  flag: {type: revolute, base: third, follower: flag}\n%s",
        (int)(bodies - text), text, bodies + strlen("joints:\n"));
    refused(other, "'flag' moves nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_mass_slides),
        cmocka_unit_test(point_mass_slides_with_damping),
        cmocka_unit_test(slider_has_no_mass),
        cmocka_unit_test(rocker_has_no_mass),
        cmocka_unit_test(rocker_is_a_point_at_its_foot),
        cmocka_unit_test(parts_are_welded),
        cmocka_unit_test(inertia_makes_no_difference),
        cmocka_unit_test(friction_is_the_same),
        cmocka_unit_test(driven_crank_needs_the_same),
        cmocka_unit_test(inverse_finds_the_torque),
        cmocka_unit_test(nothing_between_has_mass),
        cmocka_unit_test(many_loops),
        cmocka_unit_test(still_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
