/*
 * Friction that follows the wrap of a rope or belt, T2 <= T1 exp(mu phi), by limits that differ in the two directions: the capstan
 * (mechanisms/capstan.yaml) and a band brake, against Eytelwein's formula.
 */
#include "support_variants.h"

static const double g = 9.81, turn = 6.283185307179586477;

/** Down with A where m_A > E m_B: T_A = E T_B, so a (m_A + E m_B) = g (m_A - E m_B). */
static void a_rope_slides_towards_the_heavy_load(void **state)
{
    const char *const set[] = {"m_A=50", NULL};
    const double E = exp(1.5 * turn * 0.2), a = g * (50 - E * 4) / (50 + E * 4);
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("capstan.yaml", set);
        detent_simulation *sim = variant_start(m, v);
        double x[6];
        variant_outputs(sim, v, 2, x, 6);
        variant_near(v, x[0], 2 * a, 1e-7);
        variant_near(v, x[3], 4 * (g + a), 1e-9);
        variant_near(v, x[4], 50 * (g - a), 1e-8);
        variant_near(v, x[4] / x[3], E, 1e-10);
        runs_end(sim, m);
    }
}

/** It holds with any tension between T_B / E and T_B E at A, and lets go at each of these on time. */
static void a_rope_holds_between_both(void **state)
{
    static const char *const up[] = {"rate=-40", NULL}, *const down[] = {"rate=100", NULL};
    const double E = exp(1.5 * turn * 0.25);
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int n = 0; n < 2; n++) {
            detent_mechanism *m = runs_load("capstan.yaml", n == 0 ? up : down);
            detent_simulation *sim = variant_start(m, v);
            runs_log log = {0};
            double x[6];
            variant_outputs(sim, v, 2, x, 6);
            assert_true(x[0] == 0 && x[1] == 0 && x[5] == 0);
            runs_record(sim, 5, &log);
            variant_near(v, runs_time_of(&log, 0, DETENT_WAIT, 0),
                         n == 0 ? (20 * g - 4 * g / E) / 40 : (4 * g * E - 20 * g) / 100, 1e-9);
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

/**
 * A drum of 0.5 kg m^2 and 0.1 m in a band, one end fixed, the other pulled with 30 N: that end is the slack one where the drum turns
 * forward, which the fixed one follows with 30 E; backward the fixed one has 30 / E.
 */
static void a_band_brake_helps_itself(void **state)
{
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\nparameters: {r: 0.1, F: 30, E: "
                               "exp(0.3*1.25*pi), start: 1}\n"
                               "bodies: {drum: {mass: 1, inertia: [0.5, 0.5, 0.5]}}\n"
                               "joints: {axle: {type: revolute, base: ground, follower: drum, "
                               "initial: {velocity: start}}}\n"
                               "stiction:\n"
                               "  axle:\n"
                               "    external: if(t > 5, 2*(t - 5)*start, 0)\n"
                               "    kinetic: r*F*if(dir > 0, E - 1, 1 - 1/E)\n"
                               "    forward: -r*F*(E - 1)\n"
                               "    reverse: r*F*(1 - 1/E)\n"
                               "outputs: [position(axle)]\nsimulation: {end: 20, rtol: 1e-10}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int sign = -1; sign <= 1; sign += 2) {
            const char *const set[] = {sign > 0 ? "start=1" : "start=-1", NULL};
            const double E = exp(0.3 * 1.25 * turn / 2),
                         torque = 3 * (sign > 0 ? E - 1 : 1 - 1 / E);
            detent_mechanism *m = runs_parse(text, set);
            detent_simulation *sim = variant_start(m, v);
            runs_log log = {0};
            runs_record(sim, 10, &log);
            variant_near(v, runs_time_of(&log, 0, DETENT_LOCKED, 0), 0.5 / torque, 1e-9);
            variant_near(v, runs_time_of(&log, 0, DETENT_WAIT, 0), 5 + torque / 2, 1e-9);
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_slides_towards_the_heavy_load),
        cmocka_unit_test(a_rope_holds_between_both),
        cmocka_unit_test(a_band_brake_helps_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
