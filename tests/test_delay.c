/*
 * delay(x, T) of what is continuous, against solutions of the method of steps:
 *
 *   z' = -z(t - 1), z = 1 up to 0           z(t) = sum of (-1)^n (t - (n - 1))^n / n!         as long as t > n - 1
 *   x'' = -k x(t - T), x = 1 up to 0        x(t) = sum of (-k)^n (t - (n - 1) T)^(2n) / (2n)!
 *
 * with jumps, kinks, impacts, a joint that rests, a control loop in a plain program of its own with steps of 10 us, saved runs, and what is refused.
 */
#include "support_changes.h"
#include "support_plain.h"
#include "support_variants.h"

/** sum of (-k)^n (t - (n - 1) T)^(mn) / (mn)! */
static double steps(double t, double k, double T, int m)
{
    double sum = 1;
    for (int n = 1; t > (n - 1) * T; n++) {
        double term = 1;
        for (int j = 1; j <= m * n; j++) {
            term *= (t - (n - 1) * T) / j;
        }
        sum += term * pow(-k, n);
    }
    return sum;
}

static const char exact[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "parameters: {T: 0.25 s, k: 20 N/m}\n"
    "bodies: {a: {mass: 1}}\n"
    "states: {z: {derivative: \"-delay(z, 1)/(1 [s])\", initial: 1}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: a, initial: {position: 1 m}, "
    "force: \"-k*delay(position(slide), T)\"}}\n"
    "outputs: [z, \"delay(z, 1)\", position(slide), \"delay(position(slide), T)\"]\n"
    "simulation: {end: 5, rtol: 1e-10}\n";

static void check_exact(variant v, double t, const double is[4], double tolerance)
{
    variant_check(v, "z", is[0], steps(t, 1, 1, 1), tolerance);
    variant_check(v, "z of before", is[1], steps(t - 1, 1, 1, 1), tolerance);
    variant_check(v, "x", is[2], steps(t, 20, 0.25, 2), tolerance);
    variant_check(v, "x of before", is[3], steps(t - 0.25, 20, 0.25, 2), tolerance);
}

static void it_follows_the_method_of_steps(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(exact, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 0; n <= 40; n++) {
            double is[4];
            variant_outputs(sim, v, 0.05 * n, is, 4);
            check_exact(v, 0.05 * n, is, 1e-8);
        }
        runs_end(sim, m);
    }
}

/** How far the mass is off after 2 s with fixed steps. */
static double off(detent_integrator integrator, double step)
{
    detent_mechanism *m = runs_parse(exact, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = integrator;
    settings.step = step;
    detent_simulation *sim = runs_start(m, &settings);
    runs_advance(sim, 2);
    double is[4];
    detent_error error;
    runs_must(detent_read(sim, DETENT_OUTPUTS, is, 4, &error), &error);
    runs_end(sim, m);
    return fabs(is[2] - steps(2, 20, 0.25, 2));
}

static void fixed_steps_have_their_order(void **state)
{
    UNUSED(state);
    enum { HALVINGS = 4 };
    static const struct {
        detent_integrator integrator;
        double step, order;
    } cases[] = {{DETENT_INTEGRATOR_EULER, 2e-3, 1}, {DETENT_INTEGRATOR_RK4, 0.05, 4}};
    for (size_t c = 0; c < 2; c++) {
        double step[HALVINGS + 1], error[HALVINGS + 1];
        for (int h = 0; h <= HALVINGS; h++) {
            step[h] = ldexp(cases[c].step, -h);
            error[h] = off(cases[c].integrator, step[h]);
        }
        const double slope = runs_slope(step, error, HALVINGS + 1);
        if (runs_verbose()) {
            printf("order %g: %.3f, off by %.2g\n", cases[c].order, slope, error[HALVINGS]);
        }
        assert_true(fabs(slope - cases[c].order) < 0.15);
    }
}

/* ---- jumps, kinks ---- */

static const char jumps[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
    "signals:\n"
    "  q: \"delay(pulse(t, 1 s, 0.1 s), 0.35, 0.5)\"\n"
    "  w: \"abs(sin(7*t))\"\n"
    "joints:\n"
    "  held: {type: prismatic, base: ground, follower: a}\n"
    "  free: {type: prismatic, base: ground, follower: b, force: \"q*(1 [N])\"}\n"
    "stiction: {held: {kinetic: 0.5 N, static: 0.99 N, external: \"delay(sin(50*t), 1/3)*(1 "
    "[N])\"}}\n"
    "outputs: [position(free), q, \"delay(q, 0.1)\", \"delay(w, 1)\"]\n"
    "simulation: {end: 3, rtol: 1e-10}\n";

static double pulse(double t)
{
    return t < 0.35 ? 0.5 : t - 0.35 - floor(t - 0.35) < 0.1 ? 1 : 0;
}

/** What a force a from s to e has moved. */
static double pushed(double t, double s, double e, double a)
{
    const double after = fmax(t - s, 0), off = fmax(t - e, 0);
    return a * (after * after - off * off) / 2;
}

static void jumps_and_kinks_come_back(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(jumps, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 0; n < 60; n++) {
            const double t = 0.05 * n + 0.01;
            double is[4];
            variant_outputs(sim, v, t, is, 4);
            const double place = pushed(t, 0, 0.35, 0.5) + pushed(t, 0.35, 0.45, 1) +
                                 pushed(t, 1.35, 1.45, 1) + pushed(t, 2.35, 2.45, 1);
            variant_check(v, "place", is[0], place, 1e-9);
            variant_check(v, "pulse", is[1], pulse(t), 0);
            variant_check(v, "pulse, later", is[2], t < 0.1 ? 0.5 : pulse(t - 0.1), 0);
            variant_check(v, "kinks", is[3], t < 1 ? 0 : fabs(sin(7 * (t - 1))), 1e-12);
        }
        runs_end(sim, m);
    }
}

/** A joint at rest is pushed by what was before, whether anything moves or not: it leaves where that reaches its limit. */
static void a_joint_at_rest_is_not_passed_over(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(jumps, NULL);
        detent_simulation *sim = variant_start(m, v);
        size_t count = 0;
        double t = 0;
        while (t == 0) {
            detent_error error;
            assert_int_equal(detent_advance(sim, 1, true, &error), DETENT_EVENT);
            const detent_mode_change *change = last_event(sim, &count);
            t = count > 0 ? change->time : 0;
        }
        variant_near(v, t, 1 / 3.0 + asin(0.99) / 50, 1e-9);
        runs_end(sim, m);
    }
}

/** A ball that bounces between two stops at constant speed: its velocity of before jumps, and moves another mass. */
static void impacts_come_back(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {ball: {mass: 1}, b: {mass: 1}}\n"
            "joints:\n"
            "  ball: {type: prismatic, base: ground, follower: ball, initial: {velocity: 2 m/s}, "
            "stops: {upper: {at: 1 m, restitution: 1}, lower: {at: -1 m, restitution: 1}}}\n"
            "  b: {type: prismatic, base: ground, follower: b, "
            "force: \"delay(velocity(ball), 0.3)*(1 [N*s/m])\"}\n"
            "outputs: [velocity(b), \"delay(velocity(ball), 0.3)\"]\n"
            "simulation: {end: 4, rtol: 1e-10}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 0; n <= 40; n++) {
            const double t = 0.1 * n + 0.05;
            /* the way of the ball 0.3 s before, from -1 to 1 and back, less what it was at 0 */
            const double way = t < 0.3 ? 2 * t : 0.6, past = fmax(t - 0.3, 0);
            const double phase = fmod(2 * past + 1, 4), place = phase < 2 ? phase - 1 : 3 - phase;
            double is[2];
            variant_outputs(sim, v, t, is, 2);
            variant_check(v, "what it has done", is[0], way + place, 1e-8);
            variant_check(v, "velocity", is[1], t < 0.3 || phase < 2 ? 2 : -2, 1e-8);
        }
        runs_end(sim, m);
    }
}

/** Dead times of dead times, one of them a hundredth of the others, so that they are of hundreds of steps. */
static void echoes_add_up(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                       "bodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a, initial: "
                       "{position: 1 m}, "
                       "spring: {stiffness: 1e6 N/m}}}\n"
                       "outputs: [\"delay(delay(delay(position(slide), 1 ms), 2 ms), 10 us)\", "
                       "\"delay(position(slide)^2, 1 ms)\"]\n"
                       "simulation: {end: 0.02, rtol: 1e-10}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 20; n++) {
            const double t = 1e-3 * n;
            double is[2];
            variant_outputs(sim, v, t, is, 2);
            variant_check(v, "echo", is[0], cos(1000 * fmax(t - 3.01e-3, 0)), 1e-8);
            variant_check(v, "square", is[1], pow(cos(1000 * fmax(t - 1e-3, 0)), 2), 1e-8);
        }
        runs_end(sim, m);
    }
}

/* ---- a control loop ---- */

enum { LAG = 5000 };
static const double tiny = 1e-5; /* s: LAG of them are the dead time, 50 ms */

typedef struct loop {
    double late[3]; /**< error 50 ms before the step's start, middle and end */
    double start;
} loop;

/** y: position, velocity, integral, filtered error */
static void loop_rate(double t, const double *y, double *rate, const void *user)
{
    const loop *of = user;
    const int stage = (int)floor((t - of->start) / tiny * 2 + 0.5);
    const double e = of->late[stage < 0 ? 0 : stage > 2 ? 2 : stage];
    const double force = 40 * e + y[2] + 6 * (e - y[3]) / 0.02;
    rate[0] = y[1];
    rate[1] = force - 2 * y[1];
    rate[2] = 30 * e;
    rate[3] = (e - y[3]) / 0.02;
}

/** A PID controller sees the error 50 ms late. */
static void a_controller_sees_late(void **state)
{
    UNUSED(state);
    enum { STEPS = 200000 };
    double *error = calloc(STEPS + 1, sizeof *error), *place = calloc(STEPS + 1, sizeof *place);
    double y[4] = {0, 0, 0, 1};
    assert_true(error && place);
    for (int n = 0; n <= STEPS; n++) {
        error[n] = 1 - y[0];
        place[n] = y[0];
        const double a = n < LAG ? 1 : error[n - LAG], b = n + 1 < LAG ? 1 : error[n + 1 - LAG];
        /* in the middle: a cubic through four */
        const double before = n - 1 < LAG ? 1 : error[n - 1 - LAG],
                     after = n + 2 < LAG ? 1 : error[n + 2 - LAG];
        const loop of = {.late = {a, (9 * (a + b) - before - after) / 16, b}, .start = tiny * n};
        plain_step(y, 4, tiny * n, tiny, loop_rate, &of);
    }
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {a: {mass: 1}}\n"
            "signals:\n"
            "  e: delay((1 [m] - position(slide))/(1 [m]), 50 ms)\n"
            "  command: 40*e + integral + 6*(e - filtered)/0.02\n"
            "states:\n"
            "  integral: {derivative: \"30*e/(1 [s])\"}\n"
            "  filtered: {derivative: \"(e - filtered)/(0.02 [s])\", initial: 1}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a, damping: 2 N*s/m, "
            "force: \"command*(1 [N])\"}}\n"
            "outputs: [position(slide)]\n"
            "simulation: {end: 2, rtol: 1e-10}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 20; n++) {
            double is;
            variant_outputs(sim, v, 0.1 * n, &is, 1);
            variant_check(v, "place", is, place[n * STEPS / 20], 1e-9);
        }
        runs_end(sim, m);
    }
    free(error);
    free(place);
}

/* ---- runs that are cut ---- */

/** What was saved goes on as if nothing had been, past and all. */
static void it_is_saved(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(exact, NULL);
        detent_simulation *sim = variant_start(m, v), *other = variant_start(m, v);
        detent_error error;
        const size_t size = detent_state_size(sim);
        void *bytes = malloc(size);
        double is[4], again[4];
        variant_advance(sim, v, 0.733);
        variant_advance(other, v, 0.1);
        assert_int_equal(detent_save_state(sim, bytes, size, &error), DETENT_OK);
        assert_int_equal(detent_restore_state(other, bytes, size, &error), DETENT_OK);
        variant_outputs(sim, v, 2, is, 4);
        variant_outputs(other, v, 2, again, 4);
        check_exact(v, 2, is, 1e-8);
        check_exact(v, 2, again, 1e-8);
        assert_int_equal(detent_restore_state(sim, bytes, size, &error), DETENT_OK);
        variant_outputs(sim, v, 2, is, 4);
        assert_memory_equal(is, again, sizeof is); /* to the bit */
        free(bytes);
        detent_simulation_destroy(other);
        runs_end(sim, m);
    }
}

/** An input jumps in the middle of a step that has been made already: what was beyond is void. */
static void inputs_come_back(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                       "inputs: {u: 1}\n"
                       "bodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a, force: "
                       "\"(u + delay(2*u, 0.5))*(1 [N])\"}}\n"
                       "outputs: [velocity(slide), \"delay(velocity(slide), 0.2)\"]\n"
                       "simulation: {end: 5, rtol: 1e-10}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[2];
        variant_outputs(sim, v, 0.3, is, 2);
        detent_error error;
        runs_must(detent_set_input(sim, 0, 3, &error), &error);
        variant_outputs(sim, v, 0.7, is, 2);
        variant_check(v, "before it comes back", is[0], 0.9 + 0.4 * 5, 1e-9);
        variant_outputs(sim, v, 1, is, 2);
        variant_check(v, "after", is[0], 0.9 + 0.5 * 5 + 0.2 * 9, 1e-9);
        variant_check(v, "late", is[1], 0.9 + 0.5 * 5, 1e-9);
        runs_end(sim, m);
    }
}

/* ---- what is refused ---- */

static void check_refused(const char *expression, int column, const char *words)
{
    char text[512];
    detent_error error = {0};
    detent_mechanism *m = NULL;
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\ninputs: {u: 1}\nbodies: {a: {mass: 1}}\n"
             "joints: {j: {type: prismatic, base: ground, follower: a}}\n"
             "outputs:\n  - %s\nsimulation: {end: 1}\n",
             expression);
    assert_true(detent_mechanism_parse(text, strlen(text), "f", NULL, &m, &error) != DETENT_OK);
    if (error.line != 7 || error.column != column || !strstr(error.message, words)) {
        fail_msg("%s: %d:%d %s", expression, error.line, error.column, error.message);
    }
}

static void bad_ones_are_refused(void **state)
{
    UNUSED(state);
    check_refused("delay(position(j), 0)", 24, "must be positive");
    check_refused("delay(position(j), -1 s)", 24, "must be positive");
    check_refused("delay(position(j), 1 m)", 24, "must be a time");
    check_refused("delay(position(j), u)", 24, "not tunable");
    check_refused("delay(position(j), 1, 2 s)", 27, "must have its unit");
    check_refused("delay(position(j), 1, u)", 27, "not tunable");
    check_refused("delay(position(j))", 5, "2 or 3 arguments, not 1");
    check_refused("delay(position(l), 1)", 20, "there is no 'l'");
    check_refused("delay(acceleration(j), 1)", 5, "acceleration()");
    check_refused("delay(position(j), 1", 10, "never closed");
}

static void runs_and_analyses_refuse(void **state)
{
    UNUSED(state);
    detent_error error = {0};
    detent_mechanism *m = runs_parse(exact, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_simulation *sim = NULL;
    settings.integrator = DETENT_INTEGRATOR_EULER;
    settings.step = 0.3;
    assert_int_equal(detent_simulation_create(m, &options, &sim, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "shorter than a step"));
    settings.step = 1e-9;
    assert_int_equal(detent_simulation_create(m, &options, &sim, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "remembered"));
    sim = runs_start(m, NULL);
    detent_linearization *linear = NULL;
    assert_int_equal(detent_linearize(sim, NULL, &linear, &error), DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "a chain of filters"));
    runs_end(sim, m);
}

/* More steps than there is room for, which say no more than fewer do: what was remembered is what was. */
static void short_pieces_become_long_ones(void **state)
{
    enum { LOOKS = 400 };
    UNUSED(state);
    for (size_t k = 0; k < VARIANTS; k += VARIANTS / 3) { /* every integrator */
        const variant v = variant_at(k);
        static double was[LOOKS];
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a, initial: {position: 1}, "
            "spring: {stiffness: 1e6}}}\n"
            "outputs: [\"delay(position(slide), 4)\"]\n"
            "simulation: {end: 8, rtol: 1e-6}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 0; n < 2 * LOOKS; n++) {
            runs_advance(sim, 8.0 * n / (2 * LOOKS));
            if (n < LOOKS) {
                was[n] = runs_position(m, sim, "slide");
            } else {
                variant_check(v, "what was before",
                              runs_output(m, sim, "delay(position(slide), 4)"), was[n - LOOKS],
                              3e-6);
            }
        }
        runs_end(sim, m);
    }
}

/* Many more steps than are remembered within the dead time: the run ends, says why, stays as it is, and can be read. */
static void memory_ends(void **state)
{
    UNUSED(state);
    for (size_t k = 0; k < VARIANTS; k += VARIANTS / 3) { /* every integrator */
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a, initial: {position: 1}, "
            "spring: {stiffness: 1e8}}}\n"
            "outputs: [position(slide), \"delay(position(slide), 100)\"]\n"
            "simulation: {end: 1, rtol: 1e-6}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_error error = {0};
        double t = -1, later = -1;
        assert_int_equal(detent_advance(sim, 100, false, &error), DETENT_ERROR_NUMERIC);
        if (!strstr(error.message, "more than 32770 pieces for the longest dead time, 100 s")) {
            fail_msg("%s: %s", variant_name(v), error.message);
        }
        t = detent_time(sim);
        variant_check(v, "position", runs_position(m, sim, "slide"), cos(1e4 * t), 0.1);
        variant_check(v, "what was before", runs_output(m, sim, "delay(position(slide), 100)"), 1,
                      0);
        assert_int_equal(detent_advance(sim, 100, false, &error), DETENT_ERROR_NUMERIC);
        later = detent_time(sim);
        variant_check(v, "time", later, t, 0);
        runs_end(sim, m);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_follows_the_method_of_steps),
        cmocka_unit_test(fixed_steps_have_their_order),
        cmocka_unit_test(jumps_and_kinks_come_back),
        cmocka_unit_test(a_joint_at_rest_is_not_passed_over),
        cmocka_unit_test(impacts_come_back),
        cmocka_unit_test(echoes_add_up),
        cmocka_unit_test(a_controller_sees_late),
        cmocka_unit_test(it_is_saved),
        cmocka_unit_test(inputs_come_back),
        cmocka_unit_test(bad_ones_are_refused),
        cmocka_unit_test(runs_and_analyses_refuse),
        cmocka_unit_test(short_pieces_become_long_ones),
        cmocka_unit_test(memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
