/* Time stepping with joints between stops, of which several stand at theirs when another one strikes. */
#include "support_runs.h"

static detent_simulation *start(const detent_mechanism *m, double step)
{
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = step;
    return runs_start(m, &settings);
}

/* An arm of four links, each between two stops at which it arrives again and again, and often while others stand at theirs. */
static const char between_stops[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  b0: {mass: 1.002, center_of_mass: [0.193, 0.053, 0], inertia: [0.01, 0.02, 0.03]}\n"
    "  b1: {mass: 0.948, center_of_mass: [0.222, 0.075, 0], inertia: [0.01, 0.02, 0.03]}\n"
    "  b2: {mass: 0.904, center_of_mass: [0.350, 0.022, 0], inertia: [0.01, 0.02, 0.03]}\n"
    "  b3: {mass: 0.882, center_of_mass: [0.174, 0.008, 0], inertia: [0.01, 0.02, 0.03]}\n"
    "joints:\n"
    "  j0: {type: revolute, base: ground, follower: b0, axis: [1, 0, 0], initial: {velocity: "
    "-0.262}}\n"
    "  j1: {type: revolute, base: b0, follower: b1, axis: [0, 0, 1], at: {base: [0.42, 0, 0]}, "
    "initial: {velocity: 0.158}}\n"
    "  j2: {type: revolute, base: b1, follower: b2, axis: [0, 1, 0], at: {base: [0.338, 0, 0]}, "
    "initial: {velocity: -0.966}}\n"
    "  j3: {type: revolute, base: b2, follower: b3, axis: [0, 1, 0], at: {base: [0.458, 0, 0]}, "
    "initial: {velocity: -0.126}}\n"
    "stops:\n"
    "  u0: {joint: j0, side: upper, at: 0.243, restitution: 0.5}\n"
    "  l0: {joint: j0, side: lower, at: -0.243, restitution: 0.5}\n"
    "  u1: {joint: j1, side: upper, at: 0.483, restitution: 1}\n"
    "  l1: {joint: j1, side: lower, at: -0.483, restitution: 1}\n"
    "  u2: {joint: j2, side: upper, at: 0.498, restitution: 0}\n"
    "  l2: {joint: j2, side: lower, at: -0.498, restitution: 0}\n"
    "  u3: {joint: j3, side: upper, at: 0.231, restitution: 0}\n"
    "  l3: {joint: j3, side: lower, at: -0.231, restitution: 0}\n"
    "simulation: {end: 3 s}\n";

/*
 * An impact of one joint may drive others at the stops where they stand: they stay there, at rest. No joint is ever beyond its stop, and what there is of
 * energy above the lowest so far is of second order in the step (M varies), with impacts or without.
 */
static void impacts_drive_nobody_through_a_stop(void **state)
{
    static const double at[] = {0.243, 0.483, 0.498, 0.231};
    (void)state;
    for (int n = 1; n <= 4; n *= 2) {
        detent_error error = {.message = ""};
        detent_mechanism *m = runs_parse(between_stops, NULL);
        detent_simulation *sim = start(m, 1e-3 / n);
        detent_statistics s = DETENT_INIT(detent_statistics);
        double lowest = INFINITY, grown = 0, most = 0;
        for (int k = 0; k < 3000 * n; k++) {
            double q[4], energy[DETENT_ENERGY_POTENTIAL + 1];
            const detent_status status = detent_step(sim, &error);
            runs_must(status == DETENT_EVENT ? DETENT_OK : status, &error);
            runs_must(detent_read(sim, DETENT_POSITIONS, q, 4, &error), &error);
            runs_must(
                detent_read(sim, DETENT_ENERGIES, energy, DETENT_ENERGY_POTENTIAL + 1, &error),
                &error);
            for (int j = 0; j < 4; j++) {
                assert_true(fabs(q[j]) <= at[j]);
            }
            const double sum = energy[DETENT_ENERGY_KINETIC] + energy[DETENT_ENERGY_POTENTIAL];
            most = fmax(most, energy[DETENT_ENERGY_KINETIC]);
            lowest = fmin(lowest, sum);
            grown = fmax(grown, sum - lowest);
        }
        detent_get_statistics(sim, &s);
        assert_true(s.impacts > 30);
        if (!(grown <= 3e-4 * most / n / n)) {
            fail_msg("with %d steps a ms energy grows by %g of %g J", n, grown, most);
        }
        runs_end(sim, m);
    }
}

/*
 * What a stop on a moving base takes is its own: 1/2 (1 - e^2) m v^2 of the relative velocity. The base puts in the rest, so that a stop without loss takes
 * nothing, whichever way the base goes.
 */
static void a_moving_base_works_at_an_impact(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way++) {
        for (int e = 0; e <= 2; e++) {
            char text[640];
            detent_statistics s = DETENT_INIT(detent_statistics);
            const double u = 0.75 * way, v = -2, ratio = 0.5 * e;
            snprintf(
                text, sizeof text,
                "detent: 1\ngravity: [0, 0, 0]\nbodies: {c: {mass: 2}, a: {mass: 1}}\n"
                "joints: {m: {type: prismatic, base: ground, follower: c, motion: \"%g "
                "[m/s]*t\"},\n  x: {type: prismatic, base: c, follower: a, initial: {position: 1, "
                "velocity: -2},\n      stops: {lower: {at: 0, restitution: %g}}}}\n",
                u, ratio);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = start(m, 1e-3);
            runs_advance(sim, 0.8);
            detent_get_statistics(sim, &s);
            const double after = -ratio * v, impulse = after - v;
            runs_near("velocity", runs_velocity(m, sim, "x"), after, 1e-12);
            runs_near("loss", s.impact_loss, 0.5 * (v * v - after * after), 1e-12);
            runs_near("work of the base", s.actuation_work, impulse * u, 1e-12);
            runs_end(sim, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_drive_nobody_through_a_stop),
        cmocka_unit_test(a_moving_base_works_at_an_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
