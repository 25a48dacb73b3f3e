/*
 * mechanisms/planetary_gear.yaml in all variants, against formulas: ratios by Willis, the sun's reaction and the instant at which its
 * brake slips by the equations of two freedoms, which are linear and integrated here, with the works that they do.
 */
#include "support_changes.h"
#include "support_variants.h"

/* ---- what the file says ---- */

static const double S = 30, P = 15, R = 60;                  /* teeth */
static const double sun = 1e-3, ring = 6e-3, carrier = 2e-3; /* kg m^2 */
static const double planets = 3, planet = 2e-5, planet_mass = 0.2, radius = 0.045;
static const double stuck = 3, sliding = 2.4, rate = 4, off = 1.8, fan = 1, end = 3;

/* ---- formulas ---- */

/** Angles of sun and carrier, their velocities, and the works of brake, fan and motor. */
typedef struct gear {
    double angle[2], speed[2], work[3];
} gear;

/** Where sun and carrier turn so fast, the ring and (seen from the carrier) a planet do. */
static double of_ring(const double x[2])
{
    return ((S + R) * x[1] - S * x[0]) / R;
}
static double of_planet(const double x[2])
{
    return S / P * (x[1] - x[0]);
}

/** Twice the kinetic energy is sum m_ij speed_i speed_j. */
static void masses(double m[2][2])
{
    static const double unit[2][2] = {{1, 0}, {0, 1}};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double *a = unit[i], *b = unit[j];
            m[i][j] = sun * a[0] * b[0] + ring * of_ring(a) * of_ring(b) +
                      (carrier + planets * planet_mass * radius * radius) * a[1] * b[1] +
                      planets * planet * (a[1] + of_planet(a)) * (b[1] + of_planet(b));
        }
    }
}

/** Of the motor; on its way to `side` it is the one of times before. */
static double torque_at(double t, double side)
{
    t = fmin(t, side);
    return t < off ? rate * t : 0;
}

/**
 * Accelerations; `brake` is the torque on the sun where it slides, NAN where it is held. The return value is that torque.
 */
static double accelerate(double t, double side, const double speed[2], double brake, double a[2])
{
    double m[2][2];
    const double unit[2][2] = {{1, 0}, {0, 1}}, torque = torque_at(t, side);
    masses(m);
    const double q[2] = {torque * of_ring(unit[0]), torque * of_ring(unit[1]) - fan * speed[1]};
    if (isnan(brake)) {
        a[0] = 0;
        a[1] = q[1] / m[1][1];
        return m[0][1] * a[1] - q[0];
    }
    const double d = m[0][0] * m[1][1] - m[0][1] * m[0][1], first = q[0] + brake;
    a[0] = (first * m[1][1] - q[1] * m[0][1]) / d;
    a[1] = (q[1] * m[0][0] - first * m[0][1]) / d;
    return brake;
}

/** Rates of all seven numbers. */
static void rates(double t, double side, double brake, const double x[7], double dx[7])
{
    const double f = accelerate(t, side, x + 2, brake, dx + 2);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[4] = f * x[2];
    dx[5] = -fan * x[3] * x[3];
    dx[6] = torque_at(t, side) * of_ring(x + 2);
}

/** A step of Runge and Kutta; torques are those of times up to `side`. */
static void step(double t, double h, double side, double brake, double x[7])
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double dx[7] = {0}, sum[7] = {0};
    for (int k = 0; k < 4; k++) {
        double y[7];
        for (int i = 0; i < 7; i++) {
            y[i] = x[i] + part[k] * h * dx[i];
        }
        rates(t + part[k] * h, side, brake, y, dx);
        for (int i = 0; i < 7; i++) {
            sum[i] += weight[k] / 6 * dx[i];
        }
    }
    for (int i = 0; i < 7; i++) {
        x[i] += h * sum[i];
    }
}

static void go(double *t, double to, double brake, double x[7])
{
    enum { STEPS = 60000 };
    const double from = *t, h = (to - from) / STEPS;
    for (int k = 0; k < STEPS; k++) {
        step(from + k * h, h, to <= off ? nextafter(off, 0) : INFINITY, brake, x);
    }
    *t = to;
}

/** When the brake slips: while the sun is held, m w' = (1 + S/R) torque - fan w has a solution in closed form. */
static double slips_at(void)
{
    double m[2][2], low = 0, high = off;
    masses(m);
    const double gain = rate * (S + R) / R, lag = m[1][1] / fan;
    for (int k = 0; k < 60; k++) {
        const double t = (low + high) / 2;
        const double a = gain / fan * (1 - exp(-t / lag));
        const double brake = m[0][1] * a + rate * t * S / R;
        *(brake < stuck ? &low : &high) = t;
    }
    return low;
}

typedef struct motion {
    double slips, sticks;
    double at_slip[7], at_off[7], at_end[7];
} motion;

static motion integrate(void)
{
    motion m;
    double x[7] = {0}, t = 0;
    m.slips = slips_at();
    go(&t, m.slips, NAN, x);
    memcpy(m.at_slip, x, sizeof x);
    go(&t, off, sliding, x);
    memcpy(m.at_off, x, sizeof x);
    for (double size = 1e-5; size > 1e-14;) {
        double next[7];
        memcpy(next, x, sizeof x);
        step(t, size, INFINITY, sliding, next);
        if (next[2] < 0) {
            memcpy(x, next, sizeof x);
            t += size;
        } else {
            size /= 2;
        }
    }
    m.sticks = t;
    x[2] = 0;
    go(&t, end, NAN, x);
    memcpy(m.at_end, x, sizeof x);
    return m;
}

/* ---- runs ---- */

/** Ratios as Willis has them, of angles and of velocities; the sizes are those of the fastest wheel. */
static void check_ratios(variant v, const detent_mechanism *m, detent_simulation *sim)
{
    for (int velocity = 0; velocity < 2; velocity++) {
        double (*const of)(const detent_mechanism *, detent_simulation *, const char *) =
            velocity ? runs_velocity : runs_position;
        const double x[2] = {of(m, sim, "sun"), of(m, sim, "carrier")};
        const double size = 1 + fabs(x[0]) + fabs(x[1]), outer = of(m, sim, "ring");
        variant_check(v, "ring", outer, of_ring(x), 1e-14 * size);
        if (fabs(outer - x[1]) > 1) {
            variant_check(v, "Willis", (x[0] - x[1]) / (outer - x[1]), -R / S, 1e-13 * size);
        }
        for (int k = 1; k <= (int)planets; k++) {
            char name[32];
            snprintf(name, sizeof name, "planet[%d]", k);
            variant_check(v, name, of(m, sim, name), of_planet(x), 1e-14 * size);
        }
    }
}

static void check_state(variant v, const detent_mechanism *m, detent_simulation *sim,
                        const double x[7], double tolerance)
{
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_get_statistics(sim, &s);
    variant_check(v, "sun", runs_position(m, sim, "sun"), x[0], tolerance);
    variant_check(v, "carrier", runs_position(m, sim, "carrier"), x[1], tolerance);
    variant_check(v, "sun's velocity", runs_velocity(m, sim, "sun"), x[2], 10 * tolerance);
    variant_check(v, "carrier's velocity", runs_velocity(m, sim, "carrier"), x[3], 10 * tolerance);
    variant_check(v, "work of the brake", s.friction_work, x[4], 10 * tolerance);
    variant_check(v, "work of the fan", s.damping_work, x[5], 10 * tolerance);
    variant_check(v, "work of the motor", s.actuation_work, x[6], 10 * tolerance);
    variant_check(v, "energy", runs_relative_energy_gap(sim), 0, 1e-8);
}

static void turns_slips_and_sticks(void **state)
{
    const motion exact = integrate();
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("planetary_gear.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_error error;
        size_t changes;
        for (int part = 1; part <= 20; part++) { /* held, exactly */
            const double t = part * (1 - 1e-8) / 20 * exact.slips;
            double a[2];
            runs_must(detent_advance(sim, t, true, &error), &error);
            const double speed[2] = {0, runs_velocity(m, sim, "carrier")};
            check_ratios(v, m, sim);
            variant_check(v, "held", runs_position(m, sim, "sun"), 0, 0);
            variant_check(v, "held", runs_velocity(m, sim, "sun"), 0, 0);
            variant_check(v, "brake", runs_output(m, sim, "friction(sun)"),
                          accelerate(t, off, speed, NAN, a), 1e-12);
        }
        assert_int_equal(detent_advance(sim, end, true, &error), DETENT_EVENT);
        assert_non_null(last_event(sim, &changes));
        assert_int_equal(changes, 1);
        variant_check(v, "slip", last_event(sim, NULL)->time, exact.slips, 1e-10);
        check_state(v, m, sim, exact.at_slip, 1e-8);
        variant_advance(sim, v, off);
        check_ratios(v, m, sim);
        check_state(v, m, sim, exact.at_off, 1e-8);
        runs_log log = {0};
        runs_record(sim, end, &log);
        variant_check(v, "stick", runs_time_of(&log, 0, DETENT_LOCKED, 0), exact.sticks, 1e-10);
        check_ratios(v, m, sim);
        check_state(v, m, sim, exact.at_end, 1e-8);
        variant_check(v, "held", runs_velocity(m, sim, "sun"), 0, 0);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_slips_and_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
