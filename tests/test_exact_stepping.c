/* Event-driven runs against plain time-stepping written here: steps of one size, no events, no adaptation, and nothing shared with
 * the library. Such schemes are of first order. So their distance to the right solution goes with the step, and
 * to a wrong one it does not: that is what is tested. */

#include "support_runs.h"

enum { STEP_SIZES = 4 };
static const double steps_per_second[STEP_SIZES] = {500, 4000, 32000, 256000};

static void check_first_order(const char *what, const double error[STEP_SIZES])
{
    double size[STEP_SIZES];
    for (int k = 0; k < STEP_SIZES; k++) {
        size[k] = 1 / steps_per_second[k];
        if (runs_verbose()) {
            print_message("    %s: %g steps a second, distance %.4g\n", what, steps_per_second[k],
                          error[k]);
        }
    }
    /* Where within its step a joint stops is chance: good for a factor, not for the order over 1 : 512. */
    runs_near(what, runs_slope(size, error, STEP_SIZES), 1, 0.25);
}

/* ---- two uniform rods, 1 m and 1 kg, constant friction: semi-implicit, friction of the end of the step ----
 *
 *   M(q) (v+ - v) = dt (f - c(q, v) - g(q)),   f_i = -F_i sign(v+_i), or any of [-F_i, F_i] where v+_i = 0,
 *
 * solved by projection, one joint after the other, until nothing changes. */

static const double rod_friction[2] = {1, 0.5};

static void step_rods(double q[2], double v[2], double f[2], double dt)
{
    const double c2 = cos(q[1]), s2 = 0.5 * sin(q[1]), gravity = 9.81;
    const double M11 = 5.0 / 3 + c2, M12 = 1.0 / 3 + 0.5 * c2, M22 = 1.0 / 3,
                 determinant = M11 * M22 - M12 * M12;
    const double W[2][2] = {{M22 / determinant, -M12 / determinant},
                            {-M12 / determinant, M11 / determinant}};
    const double h[2] = {s2 * (2 * v[0] * v[1] + v[1] * v[1]) -
                             gravity * (1.5 * cos(q[0]) + 0.5 * cos(q[0] + q[1])),
                         -s2 * v[0] * v[0] - gravity * 0.5 * cos(q[0] + q[1])};
    double free_v[2], next[2];
    for (int i = 0; i < 2; i++) {
        free_v[i] = v[i] + dt * (W[i][0] * h[0] + W[i][1] * h[1]);
    }
    for (int sweep = 0; sweep < 100; sweep++) {
        double change = 0;
        for (int i = 0; i < 2; i++) {
            const double now = free_v[i] + dt * (W[i][0] * f[0] + W[i][1] * f[1]),
                         wanted = f[i] - now / (dt * W[i][i]),
                         taken = fmax(-rod_friction[i], fmin(rod_friction[i], wanted));
            change = fmax(change, fabs(taken - f[i]));
            f[i] = taken;
        }
        if (change < 1e-13) {
            break;
        }
    }
    for (int i = 0; i < 2; i++) {
        next[i] = free_v[i] + dt * (W[i][0] * f[0] + W[i][1] * f[1]);
        q[i] += dt * next[i];
        v[i] = next[i];
    }
}

static void test_two_rods(void **state)
{
    UNUSED(state);
    const double end = 3; /* some ten stops, and before the motion gets chaotic */
    detent_mechanism *m = runs_parse(runs_rods_text, NULL);
    const detent_settings settings = runs_settings(m, 1e-10, 1e-12);
    detent_simulation *s = runs_start(m, &settings);
    runs_log log = {0};
    runs_record(s, end, &log);
    assert_true(runs_count_turns(&log) > 5);
    double error[STEP_SIZES];
    for (int k = 0; k < STEP_SIZES; k++) {
        double q[2] = {0}, v[2] = {0}, f[2] = {0};
        const long steps = lround(end * steps_per_second[k]);
        for (long n = 0; n < steps; n++) {
            step_rods(q, v, f, end / (double)steps);
        }
        error[k] =
            hypot(q[0] - runs_position(m, s, "shoulder"), q[1] - runs_position(m, s, "elbow"));
    }
    check_first_order("two rods", error);
    runs_log_free(&log);
    runs_end(s, m);
}

/* ---- the sticky box stack: explicit, the modes of both contacts by trying all of them ----
 *
 * The friction law mu |reaction| with the friction itself in the reaction comes to constant limits mu N / sqrt(1 - mu^2). Contact 0 is
 * that of base and middle box, contact 1 that of middle and top box; f pushes the upper box forward. */

static const double box_mass[3] = {2, 1, 1};

static double constant_limit(double mu, double weight)
{
    return mu * weight / sqrt(1 - mu * mu);
}

/* Accelerations of the boxes under the push and given contact forces. */
static void accelerate(double push, const double f[2], double a[3])
{
    a[0] = (push - f[0]) / box_mass[0];
    a[1] = (f[0] - f[1]) / box_mass[1];
    a[2] = f[1] / box_mass[2];
}

/* The forces with which the contacts in `held` have no relative acceleration; the other forces are given. */
static void hold(double push, const bool held[2], double f[2])
{
    if (held[0] && held[1]) {
        const double a = push / 4;
        f[0] = 2 * a;
        f[1] = a;
    } else if (held[0]) { /* (push - f0)/2 = f0 - f1 */
        f[0] = (push + 2 * f[1]) / 3;
    } else if (held[1]) { /* f0 - f1 = f1 */
        f[1] = f[0] / 2;
    }
}

/* Contacts at rest hold where all that hold are within their limits; else the one furthest beyond gives way. */
static void contact_forces(double push, const double v[2], const double static_limit[2],
                           const double kinetic[2], bool held[2], double f[2])
{
    for (int k = 0; k < 2; k++) {
        held[k] = v[k] == 0;
        if (!held[k]) {
            f[k] = v[k] > 0 ? -kinetic[k] : kinetic[k];
        }
    }
    hold(push, held, f);
    for (;;) {
        int worst = -1;
        double most = 1;
        for (int k = 0; k < 2; k++) {
            if (held[k] && fabs(f[k]) / static_limit[k] > most) {
                most = fabs(f[k]) / static_limit[k];
                worst = k;
            }
        }
        if (worst < 0) {
            return;
        }
        held[worst] = false;
        f[worst] = f[worst] > 0 ? kinetic[worst] : -kinetic[worst];
        hold(push, held, f);
    }
}

static void step_boxes(double t, double x[2], double v[2], double dt)
{
    static const double g = 9.81, mu = 0.1;
    const double kinetic[2] = {constant_limit(mu, 2 * g), constant_limit(mu, g)},
                 static_limit[2] = {constant_limit(1.65 * mu, 2 * g), constant_limit(1.63 * mu, g)},
                 push = 7.9 * sin(3 * (t + 0.5 * dt));
    double f[2] = {0}, a[3];
    bool held[2];
    contact_forces(push, v, static_limit, kinetic, held, f);
    accelerate(push, f, a);
    for (int k = 0; k < 2; k++) {
        const double before = v[k];
        v[k] += held[k] ? 0 : dt * (a[k + 1] - a[k]); /* not even by rounding */
        if (before * v[k] < 0) {
            v[k] = 0; /* stops within the step */
        }
        x[k] += 0.5 * dt * (before + v[k]);
    }
}

static void test_box_stack(void **state)
{
    UNUSED(state);
    const double end = 5;
    detent_mechanism *m = runs_load("sticky_box_stack.yaml", NULL);
    const detent_settings settings = runs_settings(m, 1e-10, 1e-12);
    detent_simulation *s = runs_start(m, &settings);
    runs_log log = {0};
    runs_record(s, end, &log);
    assert_true(runs_count_turns(&log) > 10);
    double error[STEP_SIZES];
    for (int k = 0; k < STEP_SIZES; k++) {
        double x[2] = {0}, v[2] = {0};
        const long steps = lround(end * steps_per_second[k]);
        for (long n = 0; n < steps; n++) {
            step_boxes(end * (double)n / (double)steps, x, v, end / (double)steps);
        }
        error[k] = hypot(x[0] - runs_position(m, s, "lower"), x[1] - runs_position(m, s, "upper"));
    }
    check_first_order("box stack", error);
    runs_log_free(&log);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_rods),
        cmocka_unit_test(test_box_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
