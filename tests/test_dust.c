/*
 * Dust on a big body: a body of next to no mass, with friction of its size, on one that a law of time drives whose force is 0 at the
 * start. What the dust's friction is must not decide how large is large: the run is the same, and costs the same, for any dust.
 */
#include "support_variants.h"

static const double end = 20, kinetic = 0.5, held = 0.7; /* N / kg */

static detent_mechanism *make(double dust, double rtol, const char *law)
{
    char text[1200];
    snprintf(text, sizeof text,
             "detent: 1\n"
             "gravity: [0, 0, 0]\n"
             "bodies: {a: {mass: 1}, b: {mass: %.17g}}\n"
             "joints:\n"
             "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], force: \"%s\"}\n"
             "  y: {type: prismatic, base: a, follower: b, axis: [1, 0, 0]}\n"
             "stiction: {y: {velocity_threshold: 0.001, kinetic: %.17g, static: %.17g}}\n"
             "simulation: {end: %.17g, rtol: %.17g}\n",
             dust, law, kinetic * dust, held * dust, end, rtol);
    return runs_parse(text, NULL);
}

/** The velocity of the dust on the body at t after it has given way at t0, in reverse, as the body speeds up. */
static double slip(double t, double t0)
{
    return (cos(3 * t) - cos(3 * t0)) / 3 + kinetic * (t - t0);
}

/** When that is 0 again, s. */
static double stops(double t0)
{
    double low = t0 + 0.1, high = 2;
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (low + high);
        *(slip(middle, t0) < 0 ? &low : &high) = middle;
    }
    return low;
}

/** x = t/3 - sin(3 t)/9 of 1 kg, up to the share that the dust has in it. */
static void check(const detent_mechanism *m, variant v, double dust, size_t *steps)
{
    const double leaves = asin(held) / 3;
    runs_log log = {0};
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_simulation *s = variant_start(m, v);
    variant_advance(s, v, 0.5);
    runs_near(variant_name(v), runs_velocity(m, s, "y"), slip(0.5, leaves), 1e-7 + 10 * dust);
    runs_record(s, end, &log);
    runs_near(variant_name(v), log.change[1].time, stops(leaves), 1e-7 + 10 * dust);
    runs_near(variant_name(v), runs_position(m, s, "x"), end / 3 - sin(3 * end) / 9,
              1e-7 + 10 * dust);
    runs_near(variant_name(v), runs_velocity(m, s, "x"), (1 - cos(3 * end)) / 3, 1e-7 + 10 * dust);
    detent_get_statistics(s, &statistics);
    assert_int_equal(statistics.events, 57);
    *steps = statistics.steps;
    runs_log_free(&log);
    detent_simulation_destroy(s);
}

static void dust_moves_as_it_must(void **state)
{
    UNUSED(state);
    static const double dust[] = {1e-6, 1e-9, 1e-10, 1e-12};
    size_t ordinary[VARIANTS];
    for (size_t k = 0; k < sizeof dust / sizeof *dust; k++) {
        detent_mechanism *m = make(dust[k], 1e-10, "sin(3*t)");
        for (size_t v = 0; v < VARIANTS; v++) {
            size_t steps;
            check(m, variant_at(v), dust[k], &steps);
            ordinary[v] = k == 0 ? steps : ordinary[v];
            assert_true(5 * steps < 6 * ordinary[v]);
        }
        detent_mechanism_destroy(m);
    }
}

/** The length that a mechanism with that dust is measured by, m. */
static double length(double dust, const char *law)
{
    detent_mechanism *m = make(dust, 1e-10, law);
    detent_simulation *s = runs_start(m, NULL);
    detent_scale scale = DETENT_INIT(detent_scale);
    detent_error error;
    runs_must(detent_get_scale(s, 0, &scale, &error), &error);
    runs_end(s, m);
    return scale.position;
}

static void dust_is_no_measure(void **state)
{
    UNUSED(state);
    static const char *const laws[] = {"sin(3*t)", "0.1*t", "if(t < 5, 0, sin(3*t))", "1 - cos(t)",
                                       "max(0, sin(t - 7))"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        const double l = length(1e-6, laws[k]);
        assert_true(l > 0.01);
        runs_near(laws[k], length(1e-9, laws[k]), l, 1e-5 * l);
        runs_near(laws[k], length(1e-12, laws[k]), l, 1e-5 * l);
    }
    /* as far as such a force moves it to and fro: F / (m w^2) */
    runs_near("sin(3*t)", length(1e-9, "sin(3*t)"), 1 / 9.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dust_moves_as_it_must),
        cmocka_unit_test(dust_is_no_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
