/*
 * Cams, in all variants: a law as a formula against its equation of motion, integrated by a program of a few lines; a driven one against the
 * force that follows from its law; a straight one against a rack; stiction of the follower holds the cam, and that of the cam the follower;
 * linear models against the derivatives of that equation; what cannot be assembled, and what is refused.
 */
#include "support_linear.h"
#include "support_variants.h"

#define PI 3.14159265358979323846

/** A wheel whose cam lifts a mass on a spring; %s: of the shaft, the law, what else. */
static const char valve_text[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "tables: {lift: {of: [0, 1, 2, 3, 4, 5, 2*pi], is: [0, 0.01, 0.03, 0.035, 0.02, 0.004, 0], "
    "interpolation: spline, outside: repeat}}\n"
    "bodies: {wheel: {mass: 2, inertia: [0.01, 0.01, 0.02]}, valve: {mass: 0.5}}\n"
    "joints:\n"
    "  shaft: {type: revolute, base: ground, follower: wheel%s}\n"
    "  lift: {type: prismatic, base: ground, follower: valve, axis: [0, 1, 0], damping: 3,\n"
    "    spring: {stiffness: 400, rest: -0.05}}\n"
    "couplings: {c: {type: cam, cam: shaft, follower: lift, law: \"%s\"}}\n"
    "%s"
    "outputs: [position(shaft), velocity(shaft), position(lift), velocity(lift), contact_force(c), "
    "constraint_error(c), acceleration(shaft)]\n"
    "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n";

static const double J = 0.02, M = 0.5, G = 9.81, K = 400, REST = -0.05, DAMPING = 3;

static detent_mechanism *valve(const char *shaft, const char *law, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text, valve_text, shaft, law, more);
    return runs_parse(text, NULL);
}

/** h, h', h'' of the law of this test. */
static void lift(double q, double h[3])
{
    const double e = 0.02;
    h[0] = e * (1 - cos(2 * q)) + 0.005 * sin(q);
    h[1] = 2 * e * sin(2 * q) + 0.005 * cos(q);
    h[2] = 4 * e * cos(2 * q) - 0.005 * sin(q);
}
static const char lift_law[] = "0.02*(1 - cos(2*position(shaft))) + 0.005*sin(position(shaft))";

/** (J + m h'^2) q'' + m h' h'' q'^2 + h' (m g + k (h - rest) + d h' q') = 0 */
static double turning(double q, double w)
{
    double h[3];
    lift(q, h);
    return -(M * h[1] * h[2] * w * w + h[1] * (M * G + K * (h[0] - REST) + DAMPING * h[1] * w)) /
           (J + M * h[1] * h[1]);
}

/** Classical Runge and Kutta. */
static void integrate(double *q, double *w, double duration)
{
    const int steps = 20000;
    const double s = duration / steps;
    for (int k = 0; k < steps; k++) {
        const double a1 = turning(*q, *w), w2 = *w + s / 2 * a1, a2 = turning(*q + s / 2 * *w, w2),
                     w3 = *w + s / 2 * a2, a3 = turning(*q + s / 2 * w2, w3), w4 = *w + s * a3,
                     a4 = turning(*q + s * w3, w4);
        *q += s / 6 * (*w + 2 * w2 + 2 * w3 + w4);
        *w += s / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

static void a_formula(void **state)
{
    UNUSED(state);
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            valve(", initial: {position: 0.3, velocity: 15, priority: exact}", lift_law, "");
        detent_simulation *sim = variant_start(m, v);
        double q = 0.3, w = 15;
        for (int row = 1; row <= 10; row++) {
            double x[7], h[3];
            integrate(&q, &w, 0.3);
            variant_outputs(sim, v, 0.3 * row, x, 7);
            lift(x[0], h);
            variant_check(v, "turn", x[0], q, 1e-7);
            variant_check(v, "speed", x[1], w, 1e-6);
            variant_check(v, "lift", x[2], h[0], 1e-14);
            variant_check(v, "its speed", x[3], h[1] * x[1], 1e-14 * (1 + fabs(x[1])));
            variant_check(v, "acceleration", x[6], turning(x[0], x[1]), 1e-9 * (1 + fabs(x[6])));
            variant_check(v, "force", x[4],
                          M * (h[1] * x[6] + h[2] * x[1] * x[1] + G) + K * (h[0] - REST) +
                              DAMPING * x[3],
                          1e-9 * fabs(x[4]));
            assert_true(x[5] < 1e-12);
        }
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &now);
        assert_true(v.integrator != DETENT_INTEGRATOR_IDA ||
                    (double)now.residuals <= 1.3 * (double)now.steps);
        runs_end(sim, m);
    }
}

/** A shaft that is led: the follower is where the law says, and its force is Newton's. */
static void a_driven_cam(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int table = 0; table < 2; table++) {
            detent_mechanism *m = valve(table ? ", speed: 2" : ", motion: 7*t",
                                        table ? "lift(position(shaft))" : lift_law, "");
            detent_simulation *sim = variant_start(m, v);
            for (int row = 1; row <= 10; row++) {
                const double t = 0.2 * row, w = 7, s = 1e-4;
                double x[7], h[3];
                variant_outputs(sim, v, t, x, 7);
                if (table) { /* by differences of the run itself */
                    double less[7], more[7];
                    variant_outputs(sim, v, t + s, less, 7);
                    variant_outputs(sim, v, t + 2 * s, more, 7);
                    const double f = M * ((more[3] - x[3]) / (2 * s) + G) + K * (less[2] - REST) +
                                     DAMPING * less[3];
                    variant_check(v, "force", less[4], f, 1e-5 * fabs(f));
                    variant_check(v, "speed", less[3], (more[2] - x[2]) / (2 * s), 1e-6);
                } else {
                    lift(7 * t, h);
                    variant_check(v, "lift", x[2], h[0], 1e-14);
                    variant_check(v, "force", x[4],
                                  M * (h[2] * w * w + G) + K * (h[0] - REST) + DAMPING * h[1] * w,
                                  1e-10);
                }
            }
            if (table) { /* a whole turn: where it was */
                double x[7];
                variant_outputs(sim, v, PI, x, 7);
                variant_check(v, "lift", x[2], 0, 1e-9);
            }
            runs_end(sim, m);
        }
    }
}

/** A straight law is a rack, with stiction on both joints. */
static void a_straight_law_is_a_rack(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {wheel: {mass: 2, inertia: [0.01, 0.01, 0.02]}, load: {mass: 5}}\n"
        "joints:\n"
        "  shaft: {type: revolute, base: ground, follower: wheel}\n"
        "  lift: {type: prismatic, base: ground, follower: load, axis: [0, 1, 0]}\n"
        "couplings: {c: {%s}}\n"
        "stiction:\n"
        "  shaft: {kinetic: 0.5, static: 0.8, external: 3*sin(2*t)}\n"
        "  lift: {kinetic: 10, static: 14, external: 49.05}\n"
        "outputs: [position(shaft), velocity(shaft), position(lift), friction(lift), "
        "friction(shaft)]\n"
        "simulation: {end: 6, rtol: 1e-10, atol: 1e-13}\n";
    static const char *const by[] = {"type: rack, joints: [shaft, lift], radius: 0.05",
                                     "type: cam, cam: shaft, follower: lift, law: "
                                     "0.05*position(shaft)"};
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double x[2][5];
        size_t events[2];
        for (int n = 0; n < 2; n++) {
            char file[1024];
            detent_statistics now = DETENT_INIT(detent_statistics);
            snprintf(file, sizeof file, text, by[n]);
            detent_mechanism *m = runs_parse(file, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 6, x[n], 5);
            detent_get_statistics(sim, &now);
            events[n] = (size_t)now.events;
            runs_end(sim, m);
        }
        assert_true(events[0] == events[1] && events[0] > 8);
        for (int c = 0; c < 5; c++) {
            variant_check(v, "rack", x[1][c], x[0][c], 1e-8);
        }
    }
}

/**
 * At rest with the slope h' the follower's friction F holds the shaft up to h' F beside its load: breakaway at that torque. The shaft
 * that turns on meets the dwell of the law, where friction of the follower holds nothing.
 */
static void stiction_holds_through_the_slope(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {wheel: {mass: 2, inertia: [0.01, 0.01, 0.02]}, rod: {mass: 0.5}}\n"
        "joints:\n"
        "  shaft: {type: revolute, base: ground, follower: wheel, force: 1*t, initial: {position: "
        "%g, priority: exact}}\n"
        "  slide: {type: prismatic, base: ground, follower: rod}\n"
        "couplings: {c: {type: cam, cam: shaft, follower: slide, law: "
        "0.1*sin(position(shaft))}}\n"
        "stiction: {slide: {kinetic: 8, static: 10}}\n"
        "outputs: [position(shaft), velocity(shaft), position(slide), friction(slide)]\n"
        "simulation: {end: 2, rtol: 1e-9}\n";
    static const double at[] = {0, 0.5, 1.2, 1.5707963267948966};
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int n = 0; n < 4; n++) {
            char file[1024];
            double x[4];
            runs_log log = {0};
            snprintf(file, sizeof file, text, at[n]);
            detent_mechanism *m = runs_parse(file, NULL);
            detent_simulation *sim = variant_start(m, v);
            const double breakaway = 0.1 * fabs(cos(at[n])) * 10;
            if (n < 3) {
                variant_outputs(sim, v, 0.999 * breakaway, x, 4);
                variant_check(v, "rest", x[0], at[n], 0);
                variant_check(v, "friction", x[3], -10 * 0.999, 1e-9);
                runs_record(sim, 1.02 * breakaway, &log);
                variant_check(v, "breakaway", runs_time_of(&log, 0, DETENT_WAIT, 0), breakaway,
                              1e-9);
            } else { /* dwell: at once */
                variant_outputs(sim, v, 0.1, x, 4);
                assert_true(x[0] > at[n]);
            }
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

/** The derivatives of q'' by q and q', of the equation by differences, at a state in motion and at rest. */
static void linear_models(void **state)
{
    UNUSED(state);
    static const double at[][2] = {{0.3, 15}, {1.9, -4}, {0.1, 0}};
    for (int n = 0; n < 3; n++) {
        char start[96];
        detent_error error;
        linear_model *l = NULL;
        snprintf(start, sizeof start, ", initial: {position: %g, velocity: %g, priority: exact}",
                 at[n][0], at[n][1]);
        detent_mechanism *m = valve(start, lift_law, "");
        detent_simulation *sim = runs_start(m, NULL);
        runs_must(linear_model_make(sim, NULL, &l, &error), &error);
        assert_int_equal(l->states, 2);
        /* of whichever joint is independent: eigenvalues are the same */
        const double s = 1e-5, q = at[n][0], w = at[n][1],
                     by_q = (turning(q + s, w) - turning(q - s, w)) / (2 * s),
                     by_w = (turning(q, w + s) - turning(q, w - s)) / (2 * s);
        if (l->state[0].primitive == (size_t)detent_find(m, DETENT_PRIMITIVE, "shaft")) {
            runs_near("by q", l->A[2], by_q, 1e-6 * (1 + fabs(by_q)));
            runs_near("by w", l->A[3], by_w, 1e-6 * (1 + fabs(by_w)));
        } else {
            assert_true(n < 2);
        }
        linear_model_free(l);
        runs_end(sim, m);
    }
}

static void it_is_assembled(void **state)
{
    UNUSED(state);
    static const struct {
        const char *shaft, *law;
        double turn;
    } good[] = {
        {", initial: {position: 0.3, priority: exact}", lift_law, 0.3},
        {", motion: 0.7", lift_law, 0.7},
        {", initial: {position: 40, priority: exact}", "lift(position(shaft))", 40},
    };
    for (int n = 0; n < 3; n++) {
        double q[2], v[2];
        detent_error error;
        detent_mechanism *m = valve(good[n].shaft, good[n].law, "");
        runs_must(detent_assemble(m, NULL, q, v, NULL, &error), &error);
        runs_near("shaft", q[0], good[n].turn, 0);
        detent_mechanism_destroy(m);
    }
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1}}\n"
        "joints:\n"
        "  s: {type: revolute, base: ground, follower: a, %s}\n"
        "  l: {type: prismatic, base: ground, follower: b, %s}\n"
        "couplings:\n"
        "  c: {type: cam, cam: s, follower: l, law: \"0.1*sin(position(s))\"}\n";
    static const struct {
        const char *shaft, *follower;
        int line;
        const char *words;
    } bad[] = {
        {"initial: {position: 1, priority: exact}", "initial: {position: 1, priority: exact}", 5,
         "cannot all be had"},
        {"initial: {position: 1}", "initial: {position: 1, priority: exact}", 6,
         "exact initial positions"},
        {"motion: 1 + 1*t", "motion: 0.08 + 1*t", 8, "cam 'c' cannot be assembled"},
        {"motion: 1*t", "motion: 0.2*t", 0, "contradict each other: the cam 'c' cannot follow"},
        {"initial: {velocity: 1, priority: exact}", "initial: {velocity: 1, priority: exact}", 5,
         "the cam 'c' does not hold"},
        {"initial: {position: 1, priority: exact}", "initial: {position: 1, priority: exact}", 5,
         "the cam 'c' stays open"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        char file[1024];
        double q[2], v[2];
        detent_error error;
        snprintf(file, sizeof file, text, bad[n].shaft, bad[n].follower);
        detent_mechanism *m = runs_parse(file, NULL);
        assert_true(detent_assemble(m, NULL, q, v, NULL, &error) < 0);
        if ((bad[n].line && error.line != bad[n].line) || !strstr(error.message, bad[n].words)) {
            fail_msg("%zu: %d:%d: %s", n, error.line, error.column, error.message);
        }
        detent_mechanism_destroy(m);
    }
}

static void bad_cams_are_refused(void **state)
{
    UNUSED(state);
    static const struct {
        const char *cam;
        int column;
        const char *words;
    } cases[] = {
        {"cam: s, follower: l", 3, "'law'"},
        {"cam: s, follower: l, law: \"0.1 [m/s]*t\"", 44, "reads the position of the joint 'cam'"},
        {"cam: s, follower: l, law: 0.1*velocity(s)", 44, "nothing else"},
        {"cam: s, follower: l, law: 0.1*position(o)", 44, "nothing else"},
        {"cam: s, follower: l, law: \"0.1*abs(position(s))\"", 44, "must be smooth"},
        {"cam: s, follower: l, law: \"f(position(s))\"", 44, "must be smooth"},
        {"cam: s, follower: l, law: 1 rad", 44, "value in m"},
        {"cam: s, follower: l, law: 1 N", 44, "value in m is expected"},
        {"cam: s, follower: s, law: position(s)", 44, "follow itself"},
        {"cam: s, follower: m, law: position(s)", 26, "unknown joint 'm'"},
        {"cam: s, follower: ball, law: position(s)", 26, "only a revolute or a prismatic"},
        {"cams: s, follower: l, law: position(s)", 17, "did you mean 'cam'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1024];
        detent_error error;
        detent_mechanism *m = NULL;
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\n"
                 "tables: {f: {of: [0, 1, 2], is: [0, 1, 0]}}\n"
                 "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1}, d: {mass: 1}, e: {mass: "
                 "1, inertia: [1, 1, 1]}}\n"
                 "joints:\n"
                 "  s: {type: revolute, base: ground, follower: a}\n"
                 "  l: {type: prismatic, base: ground, follower: b}\n"
                 "  o: {type: prismatic, base: ground, follower: d}\n"
                 "  ball: {type: spherical, base: ground, follower: e}\n"
                 "couplings:\n"
                 "  c: {type: cam, %s}\n",
                 cases[k].cam);
        if (detent_mechanism_parse(text, strlen(text), "x.yaml", NULL, &m, &error) == DETENT_OK) {
            fail_msg("accepted: %s", cases[k].cam);
        }
        if (error.line != 11 || error.column < cases[k].column ||
            !strstr(error.message, cases[k].words)) {
            fail_msg("%s: %d:%d: %s", cases[k].cam, error.line, error.column, error.message);
        }
    }
}

/** The same by the C functions, and what is read of it. */
static void by_functions(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, -10, 0]\n"
                   "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 3}}\n"
                   "joints:\n"
                   "  s: {type: revolute, base: ground, follower: a, motion: 0}\n"
                   "  l: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0]}\n"
                   "couplings: {c: {type: cam, cam: s, follower: l, law: 0.2 + 0.1*position(s)}}\n"
                   "outputs: [contact_force(c), position(l), force(s)]\n",
                   NULL);
    detent_simulation *sim = runs_start(m, NULL);
    runs_near("force", runs_output(m, sim, "contact_force(c)"), 30, 1e-12);
    runs_near("lift", runs_output(m, sim, "position(l)"), 0.2, 1e-15);
    runs_end(sim, m);
    m = NULL;
    runs_must(detent_mechanism_create("m", NULL, &m, &error), &error);
    runs_must(detent_add_item(m, "bodies", "a", "{mass: 1, inertia: [1, 1, 1]}", &error), &error);
    runs_must(detent_add_item(m, "bodies", "b", "{mass: 3}", &error), &error);
    runs_must(
        detent_add_item(m, "joints", "s", "{type: revolute, base: ground, follower: a}", &error),
        &error);
    runs_must(
        detent_add_item(m, "joints", "l", "{type: prismatic, base: ground, follower: b}", &error),
        &error);
    runs_must(detent_add_item(m, "couplings", "c",
                              "{type: cam, cam: s, follower: l, law: 0.1*position(s)}", &error),
              &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    assert_int_equal(detent_count(m, DETENT_COUPLING), 0); /* an item of its own kind */
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_formula),
        cmocka_unit_test(a_driven_cam),
        cmocka_unit_test(a_straight_law_is_a_rack),
        cmocka_unit_test(stiction_holds_through_the_slope),
        cmocka_unit_test(linear_models),
        cmocka_unit_test(it_is_assembled),
        cmocka_unit_test(bad_cams_are_refused),
        cmocka_unit_test(by_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
