/*
 * The servo's valve and its other forms: stops of flapper and spool, leakage, a supply that drops; and the motor in place of the piston.
 */
#include "support_variants.h"

/* A step of 20 mm opens the valve all the way: the spool stands at its stop to the last bit, the flapper a little beyond its own, which is stiff. */
static void a_large_step_opens_the_valve(void **state)
{
    UNUSED(state);
    static const char *const set[] = {"step=20 mm", NULL};
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("servo.yaml", set);
        detent_simulation *sim = variant_start(m, v);
        variant_advance(sim, v, 0.03);
        const double pressure = (1200 + 2e3 * runs_velocity(m, sim, "piston")) / 1e-3;
        variant_check(v, "spool", runs_output(m, sim, "spool"), 1e-3, 0);
        assert_true(runs_output(m, sim, "flapper") > 60e-6 &&
                    runs_output(m, sim, "flapper") < 75e-6);
        /* as fast as it can: GPS (XSM - AJ v / GQS) against friction */
        variant_check(v, "speed", runs_velocity(m, sim, "piston"),
                      0.3 / 1e-3 * (1e-3 - pressure / 4.8e10), 1e-9);
        variant_advance(sim, v, 0.5);
        variant_check(v, "at rest", runs_velocity(m, sim, "piston"), 0, 0);
        runs_end(sim, m);
    }
}

/* Where it rests the flow is that of the seals alone: P12 (1/GPS + leakage/GQS) = XS. */
static void leakage_softens_the_valve(void **state)
{
    UNUSED(state);
    static const char *const set[] = {"leakage=2e-12 m^3/s/Pa", NULL};
    detent_mechanism *m = runs_load("servo.yaml", set);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v);
        variant_advance(sim, v, 0.4);
        variant_check(v, "at rest", runs_velocity(m, sim, "piston"), 0, 0);
        variant_check(v, "spool over pressure",
                      runs_output(m, sim, "spool") / runs_output(m, sim, "pressure"),
                      1 / 4.8e10 + 2e-12 / 0.3, 1e-20);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* With half of its supply it cannot hold 15 kN: 10 MPa are on the piston, and it goes back against friction. */
static void a_supply_that_drops_gives_way(void **state)
{
    UNUSED(state);
    static const char *const set[] = {"load=15 kN", "supply_drop=0.5", NULL};
    detent_mechanism *m = runs_load("servo.yaml", set);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v);
        detent_error error;
        variant_advance(sim, v, 0.499);
        const double held = runs_position(m, sim, "piston");
        variant_check(v, "holds", runs_velocity(m, sim, "piston"), 0, 0);
        runs_must(detent_advance(sim, 0.5 + 1e-3, false, &error), &error);
        const double v1 = runs_velocity(m, sim, "piston");
        /* 10 v' = 10e3 - 15e3 - 2e3 v + 1200 while the valve pushes all it can */
        variant_check(v, "gives way", v1, -3800 / 2e3 * (1 - exp(-2e3 / 10 * 1e-3)), 1e-6);
        variant_check(v, "supply", runs_output(m, sim, "pressure"), 10e6, 0);
        assert_true(runs_position(m, sim, "piston") < held);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* On a lever of 20 mm a motor of these numbers is the piston. */
static void a_motor_does_what_the_piston_does(void **state)
{
    UNUSED(state);
    static const char *const turn[] = {"step=0", "ramp=0.0125 rad/s", NULL}, *const slide[] = {
                                                                                 "step=0",
                                                                                 "ramp=0.25 mm/s",
                                                                                 NULL};
    for (int ramp = 0; ramp < 2; ramp++) {
        detent_mechanism *motor = runs_load("servo_rotary.yaml", ramp ? turn : NULL),
                         *piston = runs_load("servo.yaml", ramp ? slide : NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_settings settings = variant_settings(motor, v);
            settings.end = ramp ? 0.8 : 0.1;
            detent_simulation *a = runs_start(motor, &settings), *b;
            settings = variant_settings(piston, v);
            settings.end = ramp ? 0.8 : 0.1;
            b = runs_start(piston, &settings);
            for (int row = 1; row <= 20; row++) {
                variant_advance(a, v, settings.end * row / 20);
                variant_advance(b, v, settings.end * row / 20);
                variant_check(v, "angle on the lever", 0.02 * runs_position(motor, a, "motor"),
                              runs_position(piston, b, "piston"), 1e-10);
            }
            detent_simulation_destroy(a);
            detent_simulation_destroy(b);
        }
        detent_mechanism_destroy(motor);
        detent_mechanism_destroy(piston);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_step_opens_the_valve),
        cmocka_unit_test(leakage_softens_the_valve),
        cmocka_unit_test(a_supply_that_drops_gives_way),
        cmocka_unit_test(a_motor_does_what_the_piston_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
