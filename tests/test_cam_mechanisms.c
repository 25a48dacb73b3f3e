/*
 * The valve on a cam and the quick return of mechanisms/, against balances of force by differences of their runs and formulas of their geometry.
 */
#include "support_variants.h"

#define PI 3.14159265358979323846

/** m a = contact + friction - m g - k (x + preload), a by differences of v; lift as the table says at its knots. */
static void a_valve_on_a_cam(void **state)
{
    UNUSED(state);
    const double m = 0.12, g = 9.81, k = 30e3, preload = 8e-3, w = 50 * PI, s = 1e-6;
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        const variant v = variant_at(n);
        detent_mechanism *valve = runs_load("cam_valve.yaml", NULL);
        detent_simulation *sim = variant_start(valve, v);
        for (int row = 0; row < 3; row++) {
            double before[6], x[6], after[6];
            const double angle = row * 12.7 * PI / 180, t = (PI + angle) / w,
                         lift = 0.009 * pow(cos(angle * 9 / 7), 4); /* the points are on that */
            variant_outputs(sim, v, t - s, before, 6);
            variant_outputs(sim, v, t, x, 6);
            variant_outputs(sim, v, t + s, after, 6);
            variant_check(v, "lift", x[1], lift, 1e-5);
            if (row > 0) { /* at the top friction turns round */
                const double a = (after[2] - before[2]) / (2 * s);
                variant_check(v, "friction", x[3], 12, 1e-9);
                variant_check(v, "contact", x[4] + x[3], m * (a + g) + k * (x[1] + preload), 1e-4);
                /* what the shaft gives, by its power */
                variant_check(v, "torque", x[5] * w,
                              m * (a + g) * x[2] + k * (x[1] + preload) * x[2] + 12 * fabs(x[2]),
                              1e-3);
            }
            assert_true(x[4] > 200);
        }
        runs_end(sim, valve);
    }
}

/** The rocker points to the pin, the ram is where its tip is; both turn round where the crank is across the rocker. */
static void a_quick_return(void **state)
{
    UNUSED(state);
    const double r = 0.1, d = 0.25, L = 0.5;
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        const variant v = variant_at(n);
        detent_mechanism *m = runs_load("quick_return.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        double most = 0;
        for (int row = 1; row <= 150; row++) {
            double x[8];
            variant_outputs(sim, v, 0.02 * row, x, 8);
            const double q = x[0], X = r * cos(q), Y = d + r * sin(q), square = X * X + Y * Y,
                         rate = x[1] * r * (-sin(q) * Y - cos(q) * X) / square; /* of atan(X/Y) */
            variant_check(v, "rocker", x[2], -atan2(X, Y), 1e-13);
            variant_check(v, "ram", x[3], L * X / sqrt(square), 1e-13);
            variant_check(v, "its speed", x[4], L * Y / sqrt(square) * rate, 1e-11);
            assert_true(x[7] < 1e-12);
            most = fmax(most, fabs(x[3]));
        }
        assert_true(most <= L * r / d + 1e-12 && most > 0.99 * L * r / d);
        runs_end(sim, m);
        m = runs_load("quick_return.yaml", NULL);
        sim = variant_start(m, v);
        int turns = 0;
        while (detent_time(sim) < 3) { /* the ram turns round at sin q = -r/d */
            detent_error error;
            const double before = detent_time(sim);
            assert_true(detent_advance(sim, 3, true, &error) >= 0);
            const double velocity = runs_velocity(m, sim, "ram");
            if (detent_time(sim) > before && detent_time(sim) < 3 && fabs(velocity) < 1e-9) {
                variant_check(v, "turning", sin(runs_position(m, sim, "crank")), -r / d, 1e-5);
                turns++;
            }
        }
        assert_true(turns >= 6);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valve_on_a_cam),
        cmocka_unit_test(a_quick_return),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
