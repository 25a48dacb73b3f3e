/*
 * Friction laws with springs, LuGre, Dahl, Maxwell-slip, along a joint that is led by another one: against their formulas in the
 * displacement, steady values, hysteresis loops and what these take, in all variants.
 */
#include "support_variants.h"

/* A joint that is led along x(t), and rubs. */
static detent_mechanism *make(const char *x, const char *law)
{
    char text[1400];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\n"
             "joints:\n"
             "  lead: {type: prismatic, base: ground, follower: a, motion: \"%s\"}\n"
             "  x: {type: prismatic, base: ground, follower: b, friction: {%s}}\n"
             "couplings: {rod: {type: gear, joints: [x, lead], ratio: 1}}\n"
             "outputs: [position(x), velocity(x), friction(x), friction_work(), "
             "potential_energy(), actuation_work()]\n"
             "simulation: {end: 30, rtol: 1e-9}\n",
             x, law);
    return runs_parse(text, NULL);
}

enum { PLACE, SPEED, FORCE, WORK, POTENTIAL, ACTUATION, OUTPUTS };

/* ---- Dahl ---- */

#define DAHL "law: dahl, coulomb: 2, stiffness: 1000"
static const double C = 2, k = 1000;

/* from x = 0 */
static double loading(double x)
{
    return C * (1 - exp(-k * x / C));
}

static double loading_of_order_two(double x)
{
    return C * (k * x / C) / (1 + k * x / C);
}

static void dahl_follows_its_curve(void **state)
{
    static const struct {
        const char *law;
        double (*curve)(double x);
    } laws[] = {{DAHL, loading},
                {DAHL ", exponent: 1", loading},
                {DAHL ", exponent: 2", loading_of_order_two},
                {"law: lugre, coulomb: 2, stiffness: 1000", loading}};
    (void)state;
    for (size_t n = 0; n < sizeof laws / sizeof *laws; n++) {
        for (size_t l = variant_first(); l < VARIANTS; l = variant_next(l)) {
            const variant v = variant_at(l);
            detent_mechanism *m = make("0.01*sin(t)", laws[n].law);
            detent_simulation *sim = variant_start(m, v);
            for (double t = 1e-4; t < 1.5; t *= 1.6) {
                double x[OUTPUTS];
                variant_outputs(sim, v, t, x, OUTPUTS);
                variant_check(v, laws[n].law, -x[FORCE], laws[n].curve(x[PLACE]), 1e-8 * C);
                if (x[PLACE] < 1e-6) { /* static stiffness */
                    variant_check(v, "stiffness", -x[FORCE] / x[PLACE], k, 1e-3 * k);
                }
            }
            runs_end(sim, m);
        }
    }
}

/* A steady loop of amplitude A has F = +-C tanh(k A / C) at its ends and takes 4 C (A - |F| / k). */
static void a_loop_of_dahl_takes_its_area(void **state)
{
    static const double pi = 3.14159265358979323846, A = 0.003;
    const double end = C * tanh(k * A / C);
    (void)state;
    for (size_t l = variant_first(); l < VARIANTS; l = variant_next(l)) {
        const variant v = variant_at(l);
        detent_mechanism *m = make("0.003*sin(t)", DAHL);
        detent_simulation *sim = variant_start(m, v);
        double one[OUTPUTS], other[OUTPUTS];
        variant_outputs(sim, v, 6.5 * pi, one, OUTPUTS);
        variant_outputs(sim, v, 8.5 * pi, other, OUTPUTS);
        variant_check(v, "end", -one[FORCE], end, 1e-6);
        variant_check(v, "area", one[WORK] - other[WORK], 4 * C * (A - end / k), 1e-8);
        variant_check(v, "spring", one[POTENTIAL], end * end / (2 * k), 1e-8);
        variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-9);
        runs_end(sim, m);
    }
}

/* ---- LuGre ---- */

/* At constant velocity z' = v - k v z / g has an exact solution. */
static void lugre_comes_to_the_stribeck_curve(void **state)
{
    static const double speeds[] = {1e-4, 0.02, 0.3}; /* the first: breakaway, at all but rest */
    static const double B = 3, w = 0.05, d = 5, f = 0.7;
    (void)state;
    for (size_t n = 0; n < sizeof speeds / sizeof *speeds; n++) {
        const double s = speeds[n], S = w * sqrt(2), g = C + (B - C) * exp(-(s / S) * (s / S));
        char way[32];
        snprintf(way, sizeof way, "%g*t", s);
        for (size_t l = variant_first(); l < VARIANTS; l = variant_next(l)) {
            const variant v = variant_at(l);
            detent_mechanism *m = make(way, "law: lugre, breakaway: 3, coulomb: 2, "
                                            "breakaway_velocity: 0.05, stiffness: 1000, damping: "
                                            "5, viscous: 0.7");
            detent_simulation *sim = variant_start(m, v);
            for (double x = 1e-5; x < 0.03; x *= 2) {
                double out[OUTPUTS];
                const double left = exp(-k * x / g); /* z = g / k (1 - left), z' = s left */
                variant_outputs(sim, v, x / s, out, OUTPUTS);
                variant_check(v, "friction", -out[FORCE], g * (1 - left) + d * s * left + f * s,
                              1e-7 * B);
            }
            runs_end(sim, m);
        }
    }
}

/* What a loop takes is the integral of force by way, by Simpson's rule. */
static void a_loop_of_lugre_takes_its_integral(void **state)
{
    static const double pi = 3.14159265358979323846;
    static const char law[] = "law: lugre, breakaway: 3, coulomb: 2, breakaway_velocity: 0.005, "
                              "stiffness: 1000, damping: 2, viscous: 0.7";
    enum { PARTS = 2000 };
    (void)state;
    for (size_t l = variant_first(); l < VARIANTS; l = variant_next(l)) {
        const variant v = variant_at(l);
        detent_mechanism *m = make("0.004*sin(t)", law);
        detent_simulation *sim = variant_start(m, v);
        double first[OUTPUTS], x[OUTPUTS], sum = 0;
        variant_outputs(sim, v, 4.5 * pi, first, OUTPUTS);
        for (int n = 0; n <= PARTS; n++) {
            const int weight = n == 0 || n == PARTS ? 1 : n % 2 ? 4 : 2;
            variant_outputs(sim, v, (4.5 + 2.0 * n / PARTS) * pi, x, OUTPUTS);
            sum += weight * x[FORCE] * x[SPEED];
        }
        const double work = sum * 2 * pi / PARTS / 3;
        variant_check(v, "work", x[WORK] - first[WORK], work + x[POTENTIAL] - first[POTENTIAL],
                      1e-6 * fabs(work));
        assert_true(x[WORK] < first[WORK]);
        runs_end(sim, m);
    }
}

/* Coefficients and a load make the same friction, times the load; what springs take counts as its work. */
static void a_load_presses_on_bristles(void **state)
{
    (void)state;
    for (size_t l = variant_first(); l < VARIANTS; l = variant_next(l)) {
        const variant v = variant_at(l);
        detent_mechanism *m =
            make("0.003*t", "law: dahl, coulomb: 0.2, stiffness: 100, normal_force: 10 + 8*sin(t)");
        detent_simulation *sim = variant_start(m, v);
        for (double t = 0.05; t < 2; t += 0.2) {
            double x[OUTPUTS];
            variant_outputs(sim, v, t, x, OUTPUTS);
            variant_check(v, "friction", -x[FORCE], (10 + 8 * sin(t)) / 10 * loading(x[PLACE]),
                          1e-7);
            variant_check(v, "energy", x[POTENTIAL], 0, 0);
        }
        variant_check(v, "balance", runs_energy_gap(sim), 0, 1e-10);
        runs_end(sim, m);
    }
}

/* ---- Maxwell-slip ---- */

static const double stiffness[] = {400, 200, 100}, limit[] = {1, 0.8, 0.9};

/* What springs do that have been stretched by x from rest. */
static double backbone(double x)
{
    double sum = 0;
    for (int n = 0; n < 3; n++) {
        sum += fmin(limit[n], stiffness[n] * x);
    }
    return sum;
}

/* Loading, then unloading and loading again at twice the scale (Masing): exact where every spring has slipped the other way. */
static void springs_that_slip_unload_by_masing(void **state)
{
    static const double pi = 3.14159265358979323846, A = 0.012;
    (void)state;
    for (size_t l = variant_first(); l < VARIANTS; l = variant_next(l)) {
        const variant v = variant_at(l);
        detent_mechanism *m = make("0.012*sin(t)", "law: maxwell-slip, stiffnesses: [400, 200, "
                                                   "100], limits: [1, 0.8, 0.9]");
        detent_simulation *sim = variant_start(m, v);
        double x[OUTPUTS], work = 0;
        for (int n = 1; n <= 50; n++) {
            const double t = 2.5 * pi * n / 50;
            variant_outputs(sim, v, t, x, OUTPUTS);
            const double should = t <= 0.5 * pi   ? backbone(x[PLACE])
                                  : t <= 1.5 * pi ? backbone(A) - 2 * backbone((A - x[PLACE]) / 2)
                                                  : -backbone(A) + 2 * backbone((x[PLACE] + A) / 2);
            variant_check(v, "friction", -x[FORCE], should, 1e-7);
            assert_true(x[WORK] <= work + 1e-9);
            work = x[WORK];
        }
        variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-9);
        runs_end(sim, m);
    }
}

/* The states of springs are read by their names, in chains and of primitives, too. */
static void bristles_have_names(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nparameters: {n: 2}\n"
        "chain:\n  count: n\n"
        "  bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
        "  joints:\n"
        "    j:\n"
        "      type: cylindrical\n      base: ground\n      follower: \"a[i]\"\n"
        "      primitives:\n"
        "        p1: {initial: {velocity: 0.1*i}, friction: {law: dahl, coulomb: 2*i, stiffness: "
        "50}}\n"
        "        r1: {initial: {velocity: 1}, friction: {law: maxwell-slip, stiffnesses: [10, 20], "
        "limits: [1, 0.5]}}\n"
        "outputs: [\"state(j[2].p1.bristle)\", \"state(j[1].r1.bristle[2])\", "
        "\"friction(j[2].p1)\", \"friction(j[1].r1)\", \"state(j[1].r1.bristle[1])\"]\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    double x[5];
    detent_error error = {.message = ""};
    runs_advance(sim, 0.02);
    runs_must(detent_read(sim, DETENT_OUTPUTS, x, 5, &error), &error);
    runs_near("friction", x[2], -50 * x[0], 1e-15);
    runs_near("friction", x[3], -10 * x[4] - 20 * x[1], 1e-15);
    assert_true(x[0] > 0 && x[1] > 0);
    assert_int_equal(detent_count(m, DETENT_STATE), 6);
    assert_string_equal(detent_name(m, DETENT_STATE, 0), "j[1].p1.bristle");
    assert_string_equal(detent_unit(m, DETENT_STATE, 0), "m");
    runs_end(sim, m);
}

/* ---- at rest ---- */

/**
 * 1 kg on bristles that give way by some um, and are damped: 0.5 N that rise in 100 ms wind them up, and then nothing moves. Steps are as long as one likes. An
 * explicit method has to follow the rate of the damping.
 */
static void rest_on(variant v, const char *law, double place)
{
    char text[1400];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {block: {mass: 1}}\n"
             "joints:\n  rail: {type: prismatic, base: ground, follower: block, force: "
             "\"0.5*ramp(t, 0.1, 0.2)\",\n    friction: {coulomb: 1, stiffness: 1e5, "
             "stiffnesses: [4e4, 2e4, 1e4, 5e3], limits: [0.25, 0.25, 0.25, 0.25], %s}}\n"
             "simulation: {end: 1001, rtol: 1e-6}\n",
             law);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = variant_start(m, v);
    detent_statistics before = DETENT_INIT(detent_statistics),
                      after = DETENT_INIT(detent_statistics);
    variant_advance(sim, v, 1);
    detent_get_statistics(sim, &before);
    variant_advance(sim, v, 1001);
    detent_get_statistics(sim, &after);
    /* errors of a rise at v = 5e-5 m/s, of which 1e-6 are allowed in a place of um */
    variant_check(v, law, runs_position(m, sim, "rail"), place, 1e-4 * place);
    variant_check(v, "at rest", runs_velocity(m, sim, "rail"), 0, 1e-12);
    if (after.steps - before.steps > 600) {
        fail_msg("%s: %s takes %zu steps at rest", variant_name(v), law,
                 after.steps - before.steps);
    }
    runs_end(sim, m);
}

static void damped_bristles_rest(void **state)
{
    UNUSED(state);
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        const variant v = variant_at(n);
        if (v.integrator == DETENT_INTEGRATOR_ERK) {
            continue;
        }
        /* loading(x) = 0.5 N with C = 1 N; of LuGre it is that of the static friction, 1.5 N */
        rest_on(v, "law: dahl, viscous: 600", log(2) / 1e5);
        rest_on(v, "law: lugre, damping: 1200, breakaway: 1.5, breakaway_velocity: 0.01",
                -1.5 / 1e5 * log(1 - 0.5 / 1.5));
        /* its stiffest spring slips at 6.25 um */
        rest_on(v, "law: maxwell-slip, viscous: 600", 0.25 / 3.5e4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dahl_follows_its_curve),
        cmocka_unit_test(a_loop_of_dahl_takes_its_area),
        cmocka_unit_test(lugre_comes_to_the_stribeck_curve),
        cmocka_unit_test(a_loop_of_lugre_takes_its_integral),
        cmocka_unit_test(a_load_presses_on_bristles),
        cmocka_unit_test(springs_that_slip_unload_by_masing),
        cmocka_unit_test(bristles_have_names),
        cmocka_unit_test(damped_bristles_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
