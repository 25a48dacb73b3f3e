/*
 * mechanisms/four_bar.yaml in all variants, against formulas: geometry by the cosine law, ratios of speeds by sines of the angles
 * between links, breakaway by virtual work, and the motion by the equation of its one freedom, integrated here.
 */
#include "support_changes.h"
#include "support_four_bar.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846;

/* ---- what the file says ---- */

static const double mass[3] = {0.6, 1.2, 1}, inertia[3] = {5e-3, 0.06, 0.03}, gravity = 9.81;
static const double stuck[4] = {1.5, 0.8, 1, 1.2}, sliding[4] = {1.2, 0.6, 0.8, 0.9};
static const char *const pins[4] = {"main", "pin", "head", "foot"};
static const double start = 50 * pi / 180, rate = 2, release = 4, damping = 1, end = 6;

/* ---- formulas ---- */

/** Of the crank's angle: how fast everything moves with it. */
typedef struct linkage {
    double world[3]; /**< angles of crank, coupler and rocker */
    double pin[4];   /**< rates of main, pin, head and foot */
    double inertia;  /**< twice the kinetic energy at 1 rad/s */
    double height;   /**< slope of the potential energy */
} linkage;

static linkage linkage_at(double angle)
{
    linkage x;
    support_four_bar(angle, x.world);
    const double *w = x.world, apart = sin(w[1] - w[2]);
    const double turn[3] = {1, crank / rod * sin(w[2] - w[0]) / apart,
                            crank / rocker * sin(w[1] - w[0]) / apart};
    const double length[3] = {crank, rod, rocker};
    x.pin[0] = 1;
    x.pin[1] = turn[1] - 1;
    x.pin[2] = turn[1] - turn[2];
    x.pin[3] = turn[2];
    x.inertia = x.height = 0;
    for (int b = 0; b < 3; b++) {
        double v[2] = {-turn[b] * length[b] / 2 * sin(w[b]), turn[b] * length[b] / 2 * cos(w[b])};
        if (b == 1) { /* on the pin of the crank */
            v[0] -= crank * sin(w[0]);
            v[1] += crank * cos(w[0]);
        }
        x.inertia += mass[b] * (v[0] * v[0] + v[1] * v[1]) + inertia[b] * turn[b] * turn[b];
        x.height += mass[b] * gravity * v[1];
    }
    return x;
}

static double against(const linkage *x, const double limit[4])
{
    double sum = 0;
    for (int j = 0; j < 4; j++) {
        sum += limit[j] * fabs(x->pin[j]);
    }
    return sum;
}

/** When the torque lets it go; at once where its weight does. */
static double breaks_at(double from)
{
    const linkage x = linkage_at(from);
    return fmax(0, (against(&x, stuck) + x.height) / rate);
}

/** Of the crank, moving in direction `s`: I w' + I' w^2/2 = torque - damping w - V' - s frictions. */
static double acceleration(int s, double t, double angle, double speed)
{
    const double h = 1e-3;
    const linkage x = linkage_at(angle);
    const double slope = (8 * (linkage_at(angle + h).inertia - linkage_at(angle - h).inertia) -
                          (linkage_at(angle + 2 * h).inertia - linkage_at(angle - 2 * h).inertia)) /
                         (12 * h);
    const double torque = t < release ? rate * t : 0;
    return (torque - damping * speed - x.height - s * against(&x, sliding) -
            slope * speed * speed / 2) /
           x.inertia;
}

/** One step of Runge and Kutta in direction `s`; torques are those of times before `side`. */
static void step(int s, double side, double t, double h, double x[2])
{
    const double middle = fmin(t + h / 2, side);
    const double a = acceleration(s, fmin(t, side), x[0], x[1]), v1 = x[1] + h / 2 * a;
    const double b = acceleration(s, middle, x[0] + h / 2 * x[1], v1), v2 = x[1] + h / 2 * b;
    const double c = acceleration(s, middle, x[0] + h / 2 * v1, v2), v3 = x[1] + h * c;
    const double d = acceleration(s, fmin(t + h, side), x[0] + h * v2, v3);
    x[0] += h / 6 * (x[1] + 2 * v1 + 2 * v2 + v3);
    x[1] += h / 6 * (a + 2 * b + 2 * c + d);
}

/** Goes on in direction `s` until it stands; returns when. */
static double stop(int s, double t, double x[2])
{
    for (double size = 1e-5; size > 1e-13;) {
        double next[2] = {x[0], x[1]};
        step(s, INFINITY, t, size, next);
        if (s * next[1] > 0) {
            memcpy(x, next, sizeof next);
            t += size;
        } else {
            size /= 2;
        }
    }
    return t;
}

/** From rest at an angle, where the torque breaks it loose, to a time before it is taken away; angle and velocity. */
static void go(double from, double to, double x[2])
{
    enum { STEPS = 100000 };
    const double breaks = breaks_at(from), h = (to - breaks) / STEPS;
    x[0] = from;
    x[1] = 0;
    for (int k = 0; k < STEPS; k++) {
        step(1, nextafter(release, 0), breaks + k * h, h, x);
    }
}

typedef struct motion {
    double released[2]; /**< angle and velocity when the torque is taken away */
    double turns, turn; /**< when and where it turns round */
    double stops, rest; /**< when and where it comes to rest */
} motion;

static motion integrate(void)
{
    motion m;
    double x[2];
    go(start, release, x);
    memcpy(m.released, x, sizeof x);
    m.turns = stop(1, release, x);
    m.turn = x[0];
    x[1] = 0;
    step(-1, INFINITY, m.turns, 1e-5, x);
    m.stops = stop(-1, m.turns + 1e-5, x);
    m.rest = x[0];
    return m;
}

/* ---- runs ---- */

/** All pins are at rest, exactly; what they carry is in balance with torque and gravity, and inside of their limits. */
static void check_rest(variant v, const detent_mechanism *m, detent_simulation *sim, double torque)
{
    const linkage x = linkage_at(runs_position(m, sim, "main"));
    double power = torque - x.height, carried[4];
    detent_error error;
    runs_must(detent_read(sim, DETENT_FRICTIONS, carried, 4, &error), &error);
    for (int j = 0; j < 4; j++) {
        const ptrdiff_t stiction = detent_find(m, DETENT_STICTION, pins[j]);
        assert_true(stiction >= 0);
        variant_check(v, pins[j], runs_velocity(m, sim, pins[j]), 0, 0);
        assert_int_equal(runs_mode(m, sim, pins[j]), DETENT_LOCKED);
        assert_true(fabs(carried[stiction]) <= stuck[j] * (1 + 1e-12));
        power += carried[stiction] * x.pin[j];
    }
    variant_check(v, "power", power, 0, 1e-11);
}

static void rests_until_all_pins_give_way(void **state)
{
    const double breaks = breaks_at(start);
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("four_bar.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_error error;
        double first[4], now[4];
        size_t changes;
        runs_must(detent_read(sim, DETENT_POSITIONS, first, 4, &error), &error);
        variant_check(v, "angle", runs_position(m, sim, "main"), start, 0);
        variant_check(v, "rocker", runs_position(m, sim, "foot"), linkage_at(start).world[2],
                      1e-14);
        for (int part = 0; part <= 20; part++) {
            const double t = part * (1 - 1e-8) / 20 * breaks;
            runs_must(detent_advance(sim, t, true, &error), &error);
            runs_must(detent_read(sim, DETENT_POSITIONS, now, 4, &error), &error);
            assert_memory_equal(now, first, sizeof now);
            check_rest(v, m, sim, rate * t);
        }
        assert_int_equal(detent_advance(sim, end, true, &error), DETENT_EVENT);
        variant_check(v, "breakaway", last_event(sim, &changes)->time, breaks, 1e-10);
        assert_int_equal(changes, 4);
        variant_check(v, "start", runs_velocity(m, sim, "main"), 0, 0);
        runs_end(sim, m);
    }
}

static void moves_and_is_held_again(void **state)
{
    const motion exact = integrate();
    const linkage turning = linkage_at(exact.turn), resting = linkage_at(exact.rest);
    (void)state;
    assert_true(turning.height > against(&turning, stuck)); /* nothing holds it there */
    assert_true(fabs(resting.height) < against(&resting, stuck));
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("four_bar.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        double angle[3];
        const size_t crank_pin = (size_t)detent_find(m, DETENT_STICTION, "main");
        variant_advance(sim, v, release);
        variant_check(v, "angle", runs_position(m, sim, "main"), exact.released[0], 1e-9);
        variant_check(v, "velocity", runs_velocity(m, sim, "main"), exact.released[1], 2e-8);
        runs_record(sim, end, &log);
        variant_check(v, "turn", runs_time_of(&log, crank_pin, DETENT_WAIT, 0), exact.turns, 1e-9);
        variant_check(v, "stop", runs_time_of(&log, crank_pin, DETENT_LOCKED, 0), exact.stops,
                      2e-8);
        variant_check(v, "rest", runs_position(m, sim, "main"), exact.rest, 1e-9);
        support_four_bar(runs_position(m, sim, "main"), angle);
        variant_check(v, "rocker", remainder(runs_position(m, sim, "foot") - angle[2], 2 * pi), 0,
                      1e-13);
        check_rest(v, m, sim, 0);
        variant_check(v, "energy", runs_relative_energy_gap(sim), 0, 1e-8);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/**
 * With the crank in line with the ground the head does not turn with the others, to first order: friction holds it when they are
 * let go, and nothing can a moment later. So it is let go with them.
 */
static void sets_out_where_a_pin_stands(void **state)
{
    static const char *const starts[2] = {"start=0 deg", "start=180 deg"};
    (void)state;
    const size_t step =
        variants_are_few() ? 5 : 1; /* both starts, and variants that have little in common */
    for (size_t k = 0; k < 2 * VARIANTS; k += step) {
        const variant v = variant_at(k / 2);
        const double from = k % 2 ? pi : 0, late = 3.9;
        detent_mechanism *m =
            runs_load("four_bar.yaml", (const char *const[]){starts[k % 2], NULL});
        detent_simulation *sim = variant_start(m, v);
        detent_error error;
        size_t changes;
        double x[2], angle[3];
        assert_true(fabs(linkage_at(from).pin[2]) < 1e-15);
        go(from, late, x);
        if (breaks_at(from) > 0) {
            assert_int_equal(detent_advance(sim, late, true, &error), DETENT_EVENT);
            variant_check(v, "breakaway", last_event(sim, &changes)->time, breaks_at(from), 1e-10);
            assert_int_equal(changes, 4);
        }
        assert_int_equal(runs_mode(m, sim, "head"), DETENT_WAIT);
        variant_advance(sim, v, late);
        variant_check(v, "angle", runs_position(m, sim, "main"), x[0], 1e-8);
        variant_check(v, "velocity", runs_velocity(m, sim, "main"), x[1], 1e-7);
        support_four_bar(x[0], angle);
        variant_check(v, "rocker", remainder(runs_position(m, sim, "foot") - angle[2], 2 * pi), 0,
                      1e-8);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_until_all_pins_give_way),
        cmocka_unit_test(moves_and_is_held_again),
        cmocka_unit_test(sets_out_where_a_pin_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
