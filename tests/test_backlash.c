/*
 * Couplings with a rigid backlash, in all variants: teeth that go to and fro, bounces that end in contact, teeth that are driven back and forth,
 * trains, friction beside; by formulas, and by a plain program that goes from event to event of motions with constant accelerations.
 */
#include "support_trees.h"
#include "support_variants.h"

/* ---- two inertias ---- */

/** J1 = 1 and J2 = 2 at a ratio of 2: seen from the first one 1 and 1/2. */
static detent_mechanism *two(const char *words, const char *set)
{
    const char *const sets[] = {set, NULL};
    char text[1024];
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, 0]\nparameters: {e: 0.5, torque: 0}\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}, table: {mass: 1, inertia: [1, 1, 2]}}\n"
        "joints:\n"
        "  motor: {type: revolute, base: ground, follower: rotor%s}\n"
        "  table: {type: revolute, base: ground, follower: table}\n"
        "couplings: {mesh: {type: gear, joints: [motor, table], ratio: 2, backlash: 0.2, "
        "restitution: e}}\n"
        "outputs: [velocity(motor), velocity(table), position(mesh), velocity(mesh), "
        "stop_force(mesh), kinetic_energy(), impact_loss(), position(motor), position(table)]\n"
        "simulation: {end: 10, rtol: 1e-11}\n",
        words);
    return runs_parse(text, sets);
}

/** Without torques: e' is turned over and halved whenever 0.2 rad are passed, and the momentum w1 + w2 (2 w2 is half of it) stays. */
static void teeth_go_to_and_fro(void **state)
{
    static const double hit[] = {0.1, 0.5, 1.3, 2.9};
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = two(", initial: {velocity: 1}", "e=0.5");
        detent_simulation *sim = variant_start(m, v);
        double slip = 1;
        for (size_t n = 0; n < 4; n++) {
            detent_error error;
            size_t count = 0;
            double x[9];
            assert_int_equal(detent_advance(sim, 10, true, &error), DETENT_EVENT);
            const detent_mode_change *change = detent_last_event(sim, &count);
            assert_int_equal(count, 1);
            assert_int_equal(change->cause, DETENT_CAUSE_IMPACT);
            variant_check(v, "hit", change->time, hit[n], 1e-10);
            slip *= -0.5;
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 9, &error), &error);
            /* w1 + w2 = 1 in momenta of the first joint: w1 + 1/2 (2 w2) = 1, w1 - 2 w2 = slip */
            variant_check(v, "motor", x[0], (2 + slip) / 3, 1e-13);
            variant_check(v, "table", x[1], (1 - slip) / 3, 1e-13);
            assert_true(x[2] == (n % 2 ? -0.1 : 0.1));
            variant_check(v, "slip", x[3], slip, 1e-14);
            variant_check(v, "loss", x[6], (1 - slip * slip) / 6, 1e-13);
            variant_check(v, "energy", x[5] + x[6], 0.5, 1e-13);
        }
        runs_end(sim, m);
    }
}

/** A motor that pushes always closes the gap in the end: after all bounces, at the exact time, and then both go together. */
static void bounces_end_in_contact(void **state)
{
    static const char *const set[] = {"e=0", "e=0.2", "e=0.5", "e=0.6"};
    static const double e[] = {0, 0.2, 0.5, 0.6};
    UNUSED(state);
    for (size_t n = 0; n < sizeof e / sizeof *e; n++) {
        const double torque = 10, fall = sqrt(0.2 / torque), /* 0.1 rad at 10 rad/s^2 */
            rest = fall + 2 * fall * e[n] / (1 - e[n]);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = two(", force: \"10\"", set[n]);
            detent_simulation *sim = variant_start(m, v);
            runs_log log = {0};
            double x[9];
            runs_record(sim, 10, &log);
            variant_check(v, "rests", runs_time_of(&log, 0, DETENT_LOCKED, 0), rest, 1e-9);
            variant_outputs(sim, v, 10, x, 9);
            assert_true(x[2] == 0.1 && x[3] == 0);
            /* the momentum, and where the middle of both is */
            variant_check(v, "motor", x[0], torque * 10 / 1.5, 1e-10);
            variant_check(v, "table", x[1], torque * 10 / 3, 1e-10);
            variant_check(v, "teeth", x[4], -torque / 3, 1e-12);
            variant_check(v, "place", x[7] + x[8], 0.5 * torque * 100, 1e-8);
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

/* ---- driven back and forth ---- */

/** The first t > from at which -A cos(w t) = a + b t, by bisection, in steps shorter than what the motion does. */
static double meet(double A, double w, double a, double b, double from)
{
    const double step = 0.01 / w;
    double low = from + step;
    const bool is_above = -A * cos(w * low) > a + b * low;
    while ((-A * cos(w * (low + step)) > a + b * (low + step)) == is_above) {
        low += step;
    }
    double high = low + step;
    for (int k = 0; k < 80; k++) {
        const double middle = 0.5 * (low + high);
        const bool same = (-A * cos(w * middle) > a + b * middle) == is_above;
        low = same ? middle : low;
        high = same ? high : middle;
    }
    return 0.5 * (low + high);
}

/**
 * The motor goes A (1 - cos(w t)), without restitution: a tooth takes the table along until it is fastest, 2 w2 = A w; then the table goes on alone,
 * until the other tooth is there.
 */
static void driven_back_and_forth(void **state)
{
    enum { TURNS = 5 };
    const double A = 0.5, w = 4, pi = acos(-1), b = 0.2;
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = two(", motion: \"0.5*(1 - cos(4*t))\"", "e=0");
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        double hit = meet(A, w, 0.5 * b - A, 0, 0), leave = 0.5 * pi / w,
               slip = A * w * sin(w * hit), loss = 0.25 * slip * slip, x[9];
        runs_record(sim, 4.2, &log);
        for (size_t n = 0; n < TURNS; n++) {
            const double side = n % 2 ? -1 : 1;
            variant_check(v, "hits", runs_time_of(&log, 0, DETENT_LOCKED, n), hit, 1e-9);
            variant_check(v, "parts", /* at first it begins to move */
                          runs_time_of(&log, 0, DETENT_WAIT, n + 1), leave, 1e-8);
            /* from then on 2 q2 = A - side b/2 + side A w (t - leave) */
            hit = meet(A, w, -side * b - side * A * w * leave, side * A * w, leave);
            slip = A * w * sin(w * hit) - side * A * w;
            loss += hit < 4.2 ? 0.25 * slip * slip : 0;
            leave += pi / w;
        }
        variant_outputs(sim, v, 4.2, x, 9);
        variant_check(v, "loss", x[6], loss, 1e-8);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teeth_go_to_and_fro),
        cmocka_unit_test(bounces_end_in_contact),
        cmocka_unit_test(driven_back_and_forth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
