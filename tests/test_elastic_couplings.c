/*
 * Elastic couplings and their backlash, in all variants, against exact solutions: two inertias on a shaft, teeth that go to and fro in
 * their gap, a joint that is driven through a spring; what is conserved; and the rigid coupling as the limit of a stiff one.
 */
#include "support_variants.h"

/* Two rotors of 0.02 and 3 kg m^2 behind a gear of 5; the first one turns. */
static const double light = 0.02, heavy = 3, ratio = 5, stiffness = 40;

static detent_mechanism *make_stage(const char *how, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [2, 2, 3]}}\n"
             "joints:\n"
             "  a: {type: revolute, base: ground, follower: a, initial: {velocity: 10, priority: "
             "exact}}\n"
             "  b: {type: revolute, base: ground, follower: b, initial: {position: 0.3}}\n"
             "couplings: {stage: {type: gear, joints: [a, b], ratio: 5%s}}\n"
             "%s"
             "outputs: [position(a), position(b), velocity(a), velocity(b), force(a), force(b)]\n"
             "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n",
             how, more);
    return runs_parse(text, NULL);
}

/** What is stretched, and how fast; momentum is that of the start. */
static void check_stretch(variant v, const double *x, double e, double rate, double tolerance)
{
    variant_check(v, "stretch", x[0] - ratio * (x[1] - 0.3), e, tolerance);
    variant_check(v, "rate", x[2] - ratio * x[3], rate, 100 * tolerance);
    variant_check(v, "momentum", ratio * light * x[2] + heavy * x[3], ratio * light * 10, 1e-9);
    variant_check(v, "action and reaction", x[5], -ratio * x[4], 1e-9);
}

static void a_shaft_swings(void **state)
{
    const double w = sqrt(stiffness * (1 / light + ratio * ratio / heavy));
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = make_stage(", stiffness: 40", "");
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 4; n++) {
            double x[6];
            variant_outputs(sim, v, 0.5 * n, x, 6);
            check_stretch(v, x, 10 / w * sin(0.5 * w * n), 10 * cos(0.5 * w * n), 1e-7);
            variant_check(v, "force", x[4], -stiffness * (x[0] - ratio * (x[1] - 0.3)), 1e-9);
        }
        runs_end(sim, m);
    }
}

static void a_damped_shaft_comes_to_turn_as_one(void **state)
{
    const double mass = 1 / (1 / light + ratio * ratio / heavy), d = 0.3,
                 w = sqrt(stiffness / mass), decay = d / (2 * mass),
                 own = sqrt(w * w - decay * decay);
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = make_stage(", stiffness: 40, damping: 0.3", "");
        detent_simulation *sim = variant_start(m, v);
        double x[6];
        variant_outputs(sim, v, 0.1, x, 6);
        check_stretch(v, x, 10 / own * exp(-0.1 * decay) * sin(0.1 * own),
                      10 * exp(-0.1 * decay) * (cos(0.1 * own) - decay / own * sin(0.1 * own)),
                      1e-8);
        variant_outputs(sim, v, 2, x, 6);
        check_stretch(v, x, 0, 0, 1e-5);
        variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-8);
        runs_end(sim, m);
    }
}

/** The stretch of teeth in a gap of 0.1: to and fro at 10 1/s, half a swing on either side. */
static void in_the_gap(double t, double *e, double *rate)
{
    const double w = sqrt(stiffness * (1 / light + ratio * ratio / heavy)), pi = acos(-1);
    const double cross = 0.1 / 10, half = cross + pi / w;
    t += 0.5 * cross; /* since the last contact would have ended */
    const double side = (long)(t / half) % 2 ? -1 : 1;
    t = fmod(t, half);
    *e = side * (t < cross ? -0.05 + 10 * t : 0.05 + 10 / w * sin(w * (t - cross)));
    *rate = side * (t < cross ? 10 : 10 * cos(w * (t - cross)));
}

static void teeth_go_to_and_fro(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = make_stage(", stiffness: 40, backlash: 0.1", "");
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 8; n++) {
            double x[6], e, rate;
            variant_outputs(sim, v, 0.21 * n, x, 6);
            in_the_gap(0.21 * n, &e, &rate);
            check_stretch(v, x, e, rate, 1e-7);
        }
        runs_end(sim, m);
    }
}

/** With damping in contact alone teeth never pull: the heavy side is only ever pushed, and all comes to turn together. */
static void teeth_do_not_pull(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = make_stage(", stiffness: 40, damping: 0.5, backlash: 0.1", "");
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 100; n++) {
            double x[6];
            variant_outputs(sim, v, 0.02 * n, x, 6);
            const double e = x[0] - ratio * (x[1] - 0.3);
            assert_true(x[4] * e <= 0 && (fabs(e) > 0.05 || x[4] == 0));
            variant_check(v, "momentum", ratio * light * x[2] + heavy * x[3], ratio * light * 10,
                          1e-9);
        }
        variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-8);
        runs_end(sim, m);
    }
}

/** The stiffer it is, the nearer what the rigid one does: at rest, pushed to and fro. */
static void a_stiff_one_is_nearly_rigid(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [2, 2, 3]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "couplings: {stage: {type: gear, joints: [a, b], ratio: 5%s}}\n"
        "loads: {l: {body: b, torque: [0, 0, 5*sin(3*t)]}}\n"
        "stiction: {b: {kinetic: 1, static: 1}}\n"
        "outputs: [position(b), velocity(b)]\n"
        "simulation: {end: 2, rtol: 1e-9}\n";
    static const char *const how[] = {"", ", stiffness: 1e4, damping: 30",
                                      ", stiffness: 1e6, damping: 300"};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double x[3][2];
        for (int n = 0; n < 3 && v.integrator == DETENT_INTEGRATOR_IDA;
             n++) { /* others: many steps */
            char file[1024];
            snprintf(file, sizeof file, text, how[n]);
            detent_mechanism *m = runs_parse(file, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 2, x[n], 2);
            variant_check(v, "far", x[n][0], x[0][0], n == 1 ? 1e-4 : 1e-6);
            runs_end(sim, m);
        }
    }
}

/** A motion moves the first joint; the second one follows through the spring, at rest behind its stiction until that gives way. */
static void a_spring_pulls_what_sticks(void **state)
{
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\n"
                               "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, table: {mass: 2}}\n"
                               "joints:\n"
                               "  turn: {type: revolute, base: ground, follower: a, motion: 4*t}\n"
                               "  slide: {type: prismatic, base: ground, follower: table}\n"
                               "stiction: {slide: {kinetic: 3, static: 3}}\n"
                               "couplings: {belt: {type: rack, joints: [turn, slide], radius: "
                               "0.05, stiffness: 50 N/m, backlash: 0.01 m}}\n"
                               "outputs: [position(slide), velocity(slide), friction(slide)]\n"
                               "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";
    /* pulled from 0.005 m on, it gives way at 3 N = 50 N/m (0.2 t - 0.005) */
    const double gives = (3.0 / 50 + 0.005) / 0.2, w = sqrt(50.0 / 2);
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[3];
        runs_log log = {0};
        variant_outputs(sim, v, 0.2, x, 3);
        assert_true(x[0] == 0 && x[1] == 0);
        variant_check(v, "friction", x[2], -50 * (0.04 - 0.005), 1e-9);
        runs_record(sim, gives + 0.5, &log);
        variant_check(v, "gives way", log.count > 0 ? log.change[0].time : NAN, gives, 1e-9);
        runs_log_free(&log);
        variant_outputs(sim, v, gives + 0.5, x, 3);
        variant_check(v, "slide", x[0], 0.2 * 0.5 - 0.2 / w * sin(0.5 * w), 1e-8);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shaft_swings),
        cmocka_unit_test(a_damped_shaft_comes_to_turn_as_one),
        cmocka_unit_test(teeth_go_to_and_fro),
        cmocka_unit_test(teeth_do_not_pull),
        cmocka_unit_test(a_stiff_one_is_nearly_rigid),
        cmocka_unit_test(a_spring_pulls_what_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
