/*
 * A dead time of what is continuous, as docs/controllers.md builds it of sampled values with straight lines between them: a mass that is drawn back by where
 * it was, x'' = -k x(t - T), x = 1 up to t = 0, whose solution is that of the method of steps,
 *
 *   x(t) = sum over n of (-k)^n (t - (n - 1) T)^(2n) / (2n)!,   as long as t > (n - 1) T
 */
#include "support_variants.h"

static const double stiffness = 20, late = 0.25;

static double place(double t)
{
    double sum = 0, factor = 1;
    for (int n = 0; n == 0 || t > (n - 1) * late; n++) {
        factor *= n == 0 ? 1 : -stiffness / (2.0 * n * (2 * n - 1));
        sum += n == 0 ? 1 : factor * pow(t - (n - 1) * late, 2 * n);
    }
    return sum;
}

/** How far the mass is off at most, with so many samples in the dead time. */
static double off(variant v, int samples)
{
    char count[32];
    snprintf(count, sizeof count, "n=%d", samples);
    const char *const set[] = {count, NULL};
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "parameters: {T: 0.25 s, n: 5, p: T/n}\n"
        "bodies: {a: {mass: 1}}\n"
        "sampled:\n"
        "  line: {every: p, value: position(slide), initial: 1 m}\n"
        "  then: {every: p, value: \"previous(line, n)\", initial: 1 m}\n"
        "  next: {every: p, value: \"previous(line, n - 1)\", initial: 1 m}\n"
        "  since: {every: p, value: t}\n"
        "signals: {late: then + (next - then)*(t - since)/p}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: a, initial: {position: 1 m}, "
        "force: \"-20 [N/m]*late\"}}\n"
        "outputs: [position(slide), late]\n"
        "simulation: {end: 2, rtol: 1e-10}\n",
        set);
    detent_simulation *sim = variant_start(m, v);
    double most = 0, is[2];
    for (int k = 1; k <= 40; k++) {
        const double t = 0.05 * k;
        variant_outputs(sim, v, t, is, 2);
        most = fmax(most, fabs(is[0] - place(t)));
        /* itself off by a straight line's error, and by that of the motion */
        variant_check(v, "what it was", is[1], place(t - late), most + 0.02);
    }
    runs_end(sim, m);
    return most;
}

static void it_is_of_second_order(void **state)
{
    UNUSED(state);
    enum { HALVINGS = 5 };
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double samples[HALVINGS + 1], error[HALVINGS + 1];
        for (int h = 0; h <= HALVINGS; h++) {
            samples[h] = 5 << h;
            error[h] = off(v, 5 << h);
        }
        if (runs_verbose()) {
            printf("%s: off by %.2g with %g samples, by %.2g with %g\n", variant_name(v), error[0],
                   samples[0], error[HALVINGS], samples[HALVINGS]);
        }
        variant_check(v, "order", runs_slope(samples, error, HALVINGS + 1), -2, 0.05);
    }
}

/** A turn of 0.131 rad with neither velocity nor acceleration jumping at its ends, from 0.0399 s on for 0.297 s; 0.33 s later. */
static double late_turn(double t)
{
    const double x = fmin(fmax((t - 0.33 - 0.0399) / 0.297, 0), 1);
    return 0.5 * sin(0.131 * x * x * (3 - 2 * x));
}

/**
 * What sets out from nothing is smaller at first than what the rounding of t makes of it, however short the pieces are: they are not to be halved for that. The run
 * ended as one of more steps than it had.
 */
static void what_sets_out_from_nothing_takes_few_pieces(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  lead: {type: revolute, base: ground, follower: a, motion: \"0.131*ramp(t, 0.0399, "
        "0.3369)^2*(3 - 2*ramp(t, 0.0399, 0.3369))\"}\n"
        "  late: {type: revolute, base: ground, follower: b, force: \"delay(0.5*y, 0.08)\"}\n"
        "signals: {y: \"delay(sin(1*position(lead)), 0.25)\"}\n"
        "outputs: [y, velocity(late)]\nsimulation: {end: 0.7, rtol: 1e-10, atol: 1e-11}\n";
    enum { PARTS = 1000 };
    double should = 0;
    UNUSED(state);
    for (int n = 0; n < PARTS;
         n++) { /* Simpson's rule, from one end of the turn to the other, and on */
        const double ends[] = {0.3699, 0.6669, 0.7};
        for (int part = 0; part < 2; part++) {
            const double h = (ends[part + 1] - ends[part]) / PARTS, t = ends[part] + n * h;
            should += h / 6 * (late_turn(t) + 4 * late_turn(t + h / 2) + late_turn(t + h));
        }
    }
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        double x[2];
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, variant_at(k));
        variant_outputs(sim, variant_at(k), 0.7, x, 2);
        variant_near(variant_at(k), x[0], sin(0.131), 1e-9);
        variant_near(variant_at(k), x[1], should, 1e-8);
        runs_end(sim, m);
    }
}

/**
 * What a loop closes is known to its rounding, which at tight tolerances is more than a piece may err by: halves would err as much, and so to the last
 * halving, with thousands of pieces a step. What has been kept is what the same run has told of at that time.
 */
static void what_loops_close_takes_few_pieces(void **state)
{
    UNUSED(state);
    enum { LOOKS = 50 };
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "bodies:\n"
            "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
            "  coupler: {mass: 0.5, center_of_mass: [0.15, 0, 0], inertia: [4e-3, 4e-3, 4e-3]}\n"
            "  rocker: {mass: 0.6, center_of_mass: [0.12, 0, 0], inertia: [3e-3, 3e-3, 3e-3]}\n"
            "joints:\n"
            "  a: {type: revolute, base: ground, follower: crank, axis: [0, 0, 1], damping: 0.01,\n"
            "      initial: {position: 0.6, velocity: 40}}\n"
            "  b: {type: revolute, base: crank, follower: coupler, axis: [0, 0, 1],\n"
            "      at: {base: {point: [0.1, 0, 0]}}}\n"
            "  c: {type: revolute, base: ground, follower: rocker, axis: [0, 0, 1], damping: "
            "0.02,\n"
            "      at: {base: {point: [0.3, 0, 0]}}}\n"
            "  d: {type: revolute, base: coupler, follower: rocker, axis: [0, 0, 1],\n"
            "      at: {base: {point: [0.3002, 0, 0]}, follower: [0.1001, 0, 0]}}\n"
            "loads: {drag: {body: rocker, torque: [0, 0, \"-0.02*late\"]}}\n"
            "signals: {now: velocity(c)^3/1000, late: \"delay(now, 0.02)\"}\n"
            "outputs: [now, late]\n"
            "simulation: {end: 1, rtol: 1e-11}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double before = 0, most = 0;
        for (int n = 0; n <= LOOKS; n++) {
            double is[2];
            variant_outputs(sim, v, 0.02 * n, is, 2);
            most = fmax(most, fabs(is[0]));
            if (n > 0) {
                variant_check(v, "what it was", is[1], before, 1e-9 * most);
            }
            before = is[0];
        }
        assert_true(most > 0.1);
        runs_end(sim, m);
    }
}

/** Before the start it was what it is there, on the branches that its laws have there, those of motions among them. */
static void it_begins_with_what_is_at_the_start(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  lead: {type: revolute, base: ground, follower: a, motion: \"1 + 2*ramp(t, 1, 2)\"}\n"
        "  free: {type: revolute, base: ground, follower: b, initial: {position: -0.3}}\n"
        "outputs: [\"delay(position(lead), 0.25)\", \"delay(ramp(t, 1, 2), 0.25)\", "
        "\"delay(abs(position(free)), 0.25)\", \"delay(saturate(5*position(free), -1, 1), 0.25)\", "
        "\"delay(delay(abs(position(free)), 0.25) - 2*abs(position(lead)), 0.5)\"]\n"
        "simulation: {end: 1}\n";
    static const double should[] = {1, 0, 0.3, -1, -1.7};
    enum { COUNT = sizeof should / sizeof *should };
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        double x[COUNT];
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, variant_at(k));
        variant_outputs(sim, variant_at(k), 0.2, x, COUNT);
        for (int n = 0; n < COUNT; n++) {
            variant_near(variant_at(k), x[n], should[n], 1e-12);
        }
        runs_end(sim, m);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_of_second_order),
        cmocka_unit_test(what_sets_out_from_nothing_takes_few_pieces),
        cmocka_unit_test(what_loops_close_takes_few_pieces),
        cmocka_unit_test(it_begins_with_what_is_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
