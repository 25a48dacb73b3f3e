/*
 * Blocks of controllers, as functions of expressions and as compositions of docs/controllers.md: exact values and motions, and what chance
 * may be expected to do.
 */
#include "support_variants.h"

/** The value of a formula at t. */
static double at(const char *formula, double t)
{
    char text[512];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
             "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
             "outputs: [{value: \"%s\"}]\nsimulation: {start: %.17g, end: %.17g}\n",
             formula, t, t + 1);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    const double value = runs_output(m, sim, "value");
    runs_end(sim, m);
    return value;
}

static void functions_are_what_they_say(void **state)
{
    UNUSED(state);
    static const struct {
        const char *formula;
        double t, value;
    } cases[] = {
        {"saturate(t, 1 s, 2 s)", 0.5, 1},
        {"saturate(1*t, 1, 2)", 1.5, 1.5},
        {"saturate(1*t, 1, 2)", 3, 2},
        {"deadband(1*t, 1, 2)", 0.5, -0.5},
        {"deadband(1*t, 1, 2)", 1.5, 0},
        {"deadband(1*t, 1, 2)", 5, 3},
        {"ramp(t, 1 s, 3 s)", 0.5, 0},
        {"ramp(t, 1 s, 3 s)", 1.5, 0.25},
        {"ramp(t, 1 s, 3 s)", 4, 1},
        {"ramp(t, 3 s, 1 s)", 1.5, 0.75},
        {"pulse(t, 2 s, 500 ms)", 0.25, 1},
        {"pulse(t, 2 s, 500 ms)", 0.75, 0},
        {"pulse(t, 2 s, 500 ms)", 4.25, 1},
        {"chirp(t, 3, 0)", 0.25, -1},
        {"chirp(t, 0, 1)", 1, 0},
        {"chirp(t, 1, 2)", 0.5, -1},
        {"noise(t, 1 s, 3) - noise(t, 1 s, 3)", 0.3, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        runs_near(cases[k].formula, at(cases[k].formula, cases[k].t), cases[k].value, 1e-12);
    }
}

/* A push of 3 N for a fifth of each second: the velocity to the last instant. */
static void pulses_are_stepped_to(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a, "
                       "force: \"3*pulse(t, 1 s, 0.2 s)\"}}\n"
                       "outputs: [velocity(slide)]\nsimulation: {end: 10, rtol: 1e-10}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        double is;
        variant_outputs(sim, v, 5.1, &is, 1);
        variant_check(v, "velocity", is, 5 * 0.6 + 0.3, 1e-9);
        runs_end(sim, m);
    }
}

/* ---- chance ---- */

enum { KNOTS = 4000 };

static void read_noise(const char *formula, double *values)
{
    char text[512];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
             "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
             "outputs: [{value: \"%s\"}]\nsimulation: {end: %d}\n",
             formula, KNOTS);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    for (int k = 0; k < 2 * KNOTS; k++) {
        runs_advance(sim, 0.5 * k);
        values[k] = runs_output(m, sim, "value");
    }
    runs_end(sim, m);
}

/** The mean of the product of every second value. */
static double correlation(const double *a, const double *b, int shift)
{
    double sum = 0;
    for (int k = 0; k + shift < 2 * KNOTS; k += 2) {
        sum += a[k] * b[k + shift];
    }
    return sum / KNOTS;
}

static void noise_is_random(void **state)
{
    UNUSED(state);
    static double one[2 * KNOTS], again[2 * KNOTS], other[2 * KNOTS];
    double mean = 0;
    read_noise("noise(t, 1 s, 1)", one);
    read_noise("noise(t, 1 s, 1)", again);
    read_noise("noise(t, 1 s, 2)", other);
    for (int k = 0; k < 2 * KNOTS; k++) {
        assert_true(one[k] == again[k] && fabs(one[k]) <= 1);
        mean += one[k] / (2 * KNOTS);
        if (k % 2 == 1 && k + 1 < 2 * KNOTS) { /* straight lines between the knots */
            assert_true(fabs(one[k] - 0.5 * (one[k - 1] + one[k + 1])) <= 1e-12);
        }
    }
    const double sigma = 1 / sqrt(KNOTS); /* of such means, but for a factor below one */
    assert_true(fabs(mean) < 4 * sigma);
    assert_true(fabs(correlation(one, one, 0) - 1.0 / 3) < 4 * sigma);
    assert_true(fabs(correlation(one, one, 2)) < 4 * sigma);
    assert_true(fabs(correlation(one, other, 0)) < 4 * sigma);
}

/* What noise does to a mechanism is the same in all variants, and its knots are events. */
static void noise_is_the_same_everywhere(void **state)
{
    UNUSED(state);
    double first = NAN;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error;
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a, "
                       "force: \"noise(t, 0.125 s, 7) - 1 [N/m]*position(slide)\"}}\n"
                       "outputs: [position(slide)]\nsimulation: {end: 10, rtol: 1e-10}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        double is;
        assert_int_equal(detent_advance(sim, 1, true, &error), DETENT_EVENT);
        assert_true(detent_time(sim) == 0.125);
        variant_outputs(sim, v, 10, &is, 1);
        first = isnan(first) ? is : first;
        variant_check(v, "place", is, first, 1e-8);
        runs_end(sim, m);
    }
}

/* ---- compositions ---- */

/* A step through a limit of 2 /s, then the lag of 10 /s: a ramp, and an exponential from where it is slow enough. */
static void a_rate_is_limited(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a, force: y}}\n"
                       "states: {y: {derivative: \"saturate(10*(1 - y), -2, 2)\"}}\n"
                       "outputs: [y]\nsimulation: {end: 2, rtol: 1e-10}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        double is;
        variant_outputs(sim, v, 0.3, &is, 1);
        variant_check(v, "ramp", is, 0.6, 1e-9);
        variant_outputs(sim, v, 0.7, &is, 1);
        variant_check(v, "lag", is, 1 - 0.2 * exp(-10 * 0.3), 1e-9);
        runs_end(sim, m);
    }
}

/* A relay with hysteresis is an integrator between stops that is fast: T runs up and down between its borders. */
static void a_relay_remembers(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a, force: relay}}\n"
            "states:\n"
            "  T: {derivative: \"1 - 2*relay\", initial: 0}\n"
            "  relay: {derivative: \"1e5*((T > 0.4) - (T < -0.1))\", min: 0, max: 1}\n"
            "outputs: [T, relay]\nsimulation: {end: 4}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[2], low = 1, high = -1;
        for (double t = 0.5; t < 4; t += 0.003) {
            variant_outputs(sim, v, t, is, 2);
            low = fmin(low, is[0]);
            high = fmax(high, is[0]);
        }
        variant_check(v, "high", high, 0.4, 4e-3);
        variant_check(v, "low", low, -0.1, 4e-3);
        runs_end(sim, m);
    }
}

/*
 * A thermostat: what the relay does turns x back at once, long before the relay would be at its stop, and goes on alone. So it is read as relay > 0.5,
 * and drawn to the stop that is nearer. Between its borders x follows exponentials, so that all instants are known.
 */
static void a_relay_keeps_its_side(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
            "states:\n"
            "  T: {derivative: \"(30*(relay > 0.5) - T)/10\", initial: 0}\n"
            "  relay: {derivative: \"1e6*((T < 18) - (T > 22) + 0.5*sign(relay - 0.5))\", min: 0, "
            "max: 1, initial: 1}\n"
            "outputs: [T, relay]\nsimulation: {end: 60}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double t = 10 * log(30.0 / (30 - 22)), is[2];
        bool on = false;
        for (int n = 0; n < 12; n++, on = !on) {
            const double half = 1; /* later: before the next border */
            variant_outputs(sim, v, t + half, is, 2);
            variant_check(v, "T", is[0],
                          on ? 30 - (30 - 18) * exp(-half / 10) : 22 * exp(-half / 10), 1e-4);
            variant_check(v, "relay", is[1], on, 0);
            t += on ? 10 * log((30.0 - 18) / (30 - 22)) : 10 * log(22.0 / 18);
        }
        runs_end(sim, m);
    }
}

/* The same in steps. */
static void a_sampled_relay_remembers(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: a, force: relay}}\n"
        "states: {T: {derivative: \"1 - 2*relay\"}}\n"
        "sampled: {relay: {every: 1 ms, value: \"if(T > 0.4, 1, if(T < -0.1, 0, relay))\"}}\n"
        "outputs: [T, relay]\nsimulation: {end: 4}\n",
        NULL);
    detent_simulation *sim = runs_start(m, NULL);
    double low = 1, high = -1;
    for (double t = 0.5; t < 4; t += 0.003) {
        runs_advance(sim, t);
        low = fmin(low, runs_output(m, sim, "T"));
        high = fmax(high, runs_output(m, sim, "T"));
    }
    runs_near("high", high, 0.4, 4e-3);
    runs_near("low", low, -0.1, 4e-3);
    runs_end(sim, m);
}

static void bad_calls_are_refused(void **state)
{
    UNUSED(state);
    static const struct {
        const char *formula, *words;
    } cases[] = {{"pulse(t, 1 s)", "3 arguments"},
                 {"pulse(t, 1 m, 1 s)", "same dimension"},
                 {"noise(t, 1 s, 1 m)", "number without unit"},
                 {"noise(t, 1 m, 1)", "same dimension"},
                 {"deadband(t, 1 s, 1 m)", "same dimension"},
                 {"ramp(t, 1 s, 1 s)", "another one than"},
                 {"pulze(1)", "did you mean 'pulse'"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
                 "joints: {j: {type: prismatic, base: ground, follower: b}}\noutputs: [\"%s\"]\n",
                 cases[k].formula);
        detent_error error;
        detent_mechanism *m = NULL;
        assert_true(detent_mechanism_parse(text, strlen(text), "x.yaml", NULL, &m, &error) < 0);
        if (error.line != 5 || !strstr(error.message, cases[k].words)) {
            fail_msg("%s: %d:%d: %s", cases[k].formula, error.line, error.column, error.message);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_what_they_say),
        cmocka_unit_test(pulses_are_stepped_to),
        cmocka_unit_test(noise_is_random),
        cmocka_unit_test(noise_is_the_same_everywhere),
        cmocka_unit_test(a_rate_is_limited),
        cmocka_unit_test(a_relay_remembers),
        cmocka_unit_test(a_relay_keeps_its_side),
        cmocka_unit_test(a_sampled_relay_remembers),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
