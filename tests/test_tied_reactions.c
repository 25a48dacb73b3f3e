/*
 * Friction that follows reactions where couplings tie the joints: bearings of geared shafts whose load changes, a
 * geared pendulum against equations written by hand, all sets of sides by enumeration. In all variants. A loop:
 * test_loop_frame.c
 */
#include "support_changes.h"
#include "support_four_bar.h"
#include "support_trees.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846, g = 9.81;

/* ---- two shafts ---- */

/*
 * Shafts a (3 kg) and b (2 kg) with a gear of -2.5 between them; a pull takes weight off the bearings of a, so that its
 * friction fades while that of b stays; masses in `m`, lengths in `l`, times in `s` times as large as in SI.
 */
static const char shafts[] =
    "detent: 1\ngravity: [0, %.17g, 0]\n"
    "bodies:\n"
    "  a: {mass: %.17g, inertia: [%.17g, %.17g, %.17g]}\n"
    "  b: {mass: %.17g, inertia: [%.17g, %.17g, %.17g]}\n"
    "joints:\n"
    "  %s: {type: revolute, base: ground, follower: %s}\n"
    "  %s: {type: revolute, base: ground, follower: %s}\n"
    "couplings: {mesh: {type: gear, joints: [a, b], ratio: -2.5}}\n"
    "stiction:\n"
    "  a: {kinetic: \"%.17g [m]*reaction_force(a)\", static: \"%.17g [m]*reaction_force(a)\"}\n"
    "  b: {kinetic: \"%.17g [m]*normal_force(b)\", static: \"%.17g [m]*normal_force(b)\"}\n"
    "loads:\n"
    "  pull: {body: a, force: [0, \"%.17g [N]*t/1 [s]\", 0]}\n"
    "  turn: {body: b, torque: [0, 0, %.17g]}\n"
    "outputs: [friction(a), friction(b), velocity(a), velocity(b)]\n"
    "simulation: {end: %.17g, rtol: 1e-10, interval: %.17g}\n";

/** Whether both rest by the sum of their limits, each times its speed; then how fast they turn, by integration. */
static void bearings_lose_their_load(void **state)
{
    static const double units[][3] = {{1, 1, 1}, {0x1p-20, 0x1p-10, 0x1p-4}, {0x1p9, 0x1p6, 0x1p5}};
    (void)state;
    for (size_t k = 0; k < 6 * VARIANTS; k++) {
        const variant v = variant_at(k / 6);
        const double *u = units[k % 3];
        const bool turned = k % 6 >= 3; /* the order of the file */
        const double J = u[0] * u[1] * u[1], N = u[0] * u[1] / (u[2] * u[2]), M = N * u[1];
        const double torque = 0.03 * 2 * g + 2.5 * 0.02 * (3 * g - 8), breaks = 2;
        char text[4096];
        double x[4];
        size_t changes;
        detent_error error;
        snprintf(text, sizeof text, shafts, -g * u[1] / (u[2] * u[2]), 3 * u[0], 0.02 * J, 0.02 * J,
                 0.02 * J, 2 * u[0], 0.02 * J, 0.02 * J, 0.03 * J, turned ? "b" : "a",
                 turned ? "b" : "a", turned ? "a" : "b", turned ? "a" : "b", 0.015 * u[1],
                 0.02 * u[1], 0.025 * u[1], 0.03 * u[1], 4 * N / u[2], torque * M, 5 * u[2],
                 (k % 2 ? 0.001 : 1.7) * u[2]);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int part = 0; part <= 3; part++) {
            const double t = part < 3 ? 0.5 * part : 2 * (1 - 1e-8);
            runs_must(detent_advance(sim, t * u[2], true, &error), &error);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 4, &error), &error);
            assert_true(x[2] == 0 && x[3] == 0);
            variant_near(v, x[1] - 2.5 * x[0], -torque * M, 1e-12 * M);
            assert_true(fabs(x[0]) <= 0.02 * (3 * g - 4 * t) * M * (1 + 1e-12));
            assert_true(fabs(x[1]) <= 0.06 * g * M * (1 + 1e-12));
        }
        assert_int_equal(detent_advance(sim, 5 * u[2], true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time / u[2], breaks, 1e-9);
        assert_int_equal(changes, 2);
        variant_outputs(sim, v, 5 * u[2], x, 4);
        /* (0.03 + 2.5^2 0.02) w' = torque - 0.025 2 g - 2.5 0.015 (3 g - 4 t) */
        const double constant = torque - 0.05 * g - 2.5 * 0.015 * 3 * g, slope = 2.5 * 0.015 * 4;
        const double w = (constant * 3 + 0.5 * slope * (25 - 4)) / (0.03 + 6.25 * 0.02);
        variant_near(v, x[3] * u[2], w, 1e-7 * w);
        variant_near(v, x[2] * u[2], -2.5 * w, 2.5e-7 * w);
        variant_near(v, x[0] / M, 0.015 * (3 * g - 20), 1e-10);
        runs_end(sim, m);
    }
}

/** A force that reads what a locked shaft transmits: unique, though the two shafts share what holds them. */
static void a_load_reads_what_a_shaft_transmits(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  a: {mass: 3, inertia: [0.02, 0.02, 0.02]}\n"
        "  b: {mass: 2, inertia: [0.02, 0.02, 0.03]}\n"
        "  block: {mass: 2}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "  slide: {type: prismatic, axis: [1, 0, 0], base: ground, follower: block}\n"
        "couplings: {mesh: {type: gear, joints: [a, b], ratio: -2.5}}\n"
        "stiction: {a: {kinetic: 0.5, static: 0.6}, b: {kinetic: 0.4, static: 0.5}}\n"
        "loads:\n"
        "  pull: {body: a, force: [0, \"4 [N]*t/1 [s]\", 0]}\n"
        "  turn: {body: b, torque: [0, 0, 1]}\n"
        "  push: {body: block, force: [\"0.1*reaction_force(a)\", 0, 0]}\n"
        "outputs: [velocity(slide), velocity(a), velocity(b)]\n"
        "simulation: {end: 3, rtol: 1e-10}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[3];
        variant_outputs(sim, v, 3, x, 3);
        variant_near(v, x[0], 0.1 * (3 * g * 3 - 2 * 9) / 2, 1e-9);
        assert_true(x[1] == 0 && x[2] == 0);
        runs_end(sim, m);
    }
}

/* ---- a pendulum ---- */

/*
 * An arm of 2 kg, its centre of mass 0.5 m below the shoulder; a rotor on the ground turns -3 times as far. The bearing of
 * the shoulder carries weight and centrifugal force.
 */
static const char pendulum[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  rotor: {mass: 1, inertia: [0.001, 0.001, 0.002]}\n"
    "joints:\n"
    "  %s\n  %s\n"
    "couplings: {stage: {type: gear, joints: [motor, shoulder], ratio: -3}}\n"
    "stiction:\n"
    "  motor: {kinetic: \"0.01 [m]*reaction_force(motor)\", static: \"0.015 "
    "[m]*reaction_force(motor)\"}\n"
    "  shoulder: {kinetic: \"0.02 [m]*reaction_force(shoulder)\", static: \"0.03 "
    "[m]*reaction_force(shoulder)\"}\n"
    "outputs: [position(shoulder), velocity(shoulder), velocity(motor)]\n"
    "simulation: {end: 20, rtol: 1e-11, atol: 1e-13}\n";

/** The angular acceleration where it turns to side s. */
static double hand_acceleration(double angle, double w, int s)
{
    const double inertia = 0.1 + 2 * 0.25 + 9 * 0.002;
    double a = 0;
    for (int k = 0; k < 60; k++) { /* contracts by 0.02 2 0.5 / inertia */
        const double x = 0.5 * (a * cos(angle) - w * w * sin(angle)),
                     y = 0.5 * (a * sin(angle) + w * w * cos(angle));
        const double reaction = 2 * hypot(x, y + g);
        a = (-2 * g * 0.5 * sin(angle) - s * (0.02 * reaction + 3 * 0.01 * g)) / inertia;
    }
    return a;
}

static void hand_step(double x[2], double h, int s)
{
    double k[4][2];
    for (int i = 0; i < 4; i++) {
        const double at = i == 0 ? 0 : i < 3 ? 0.5 * h : h;
        const double angle = x[0] + (i ? at * k[i - 1][0] : 0),
                     w = x[1] + (i ? at * k[i - 1][1] : 0);
        k[i][0] = w;
        k[i][1] = hand_acceleration(angle, w, s);
    }
    for (int c = 0; c < 2; c++) {
        x[c] += h * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]) / 6;
    }
}

/** To rest for good: where the torque of the weight is less than all static limits together. Returns when. */
static double hand_run(double x[2], int *turns)
{
    double t = 0;
    for (*turns = 0; *turns < 100; ++*turns) {
        const double held = 0.03 * 2 * g + 3 * 0.015 * g;
        if (fabs(2 * g * 0.5 * sin(x[0])) <= held) {
            break;
        }
        const int s = x[0] > 0 ? -1 : 1;
        double h = 1e-3, y[2] = {x[0], x[1]};
        while (memcpy(y, x, sizeof y), hand_step(y, h, s), s * y[1] > 0) {
            memcpy(x, y, sizeof y);
            t += h;
        }
        double low = 0, high = h; /* within the last step */
        for (int k = 0; k < 60; k++) {
            h = 0.5 * (low + high);
            memcpy(y, x, sizeof y);
            hand_step(y, h, s);
            *(s * y[1] > 0 ? &low : &high) = h;
        }
        t += h;
        x[0] = y[0];
        x[1] = 0;
    }
    return t;
}

static void a_geared_pendulum_swings_out(void **state)
{
    static const char *const joint[] = {
        "shoulder: {type: revolute, base: ground, follower: arm, initial: {position: 1}}",
        "motor: {type: revolute, base: ground, follower: rotor}"};
    double end[2] = {1, 0};
    int turns;
    const double rests = hand_run(end, &turns);
    (void)state;
    assert_true(turns > 3 && rests < 20);
    for (size_t k = 0; k < 2 * VARIANTS; k++) {
        const variant v = variant_at(k / 2);
        char text[2048];
        double x[3];
        runs_log log = {.count = 0};
        detent_error error;
        snprintf(text, sizeof text, pendulum, joint[k % 2], joint[1 - k % 2]);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_record(sim, 20, &log);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
        variant_near(v, x[0], end[0], 1e-8);
        assert_true(x[1] == 0 && x[2] == 0);
        variant_near(v, log.change[log.count - 1].time, rests, 1e-7);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/* ---- all sets of sides ---- */

enum { LINKS = 3 };

/** A planar chain on the ground, the second joint geared to the first one. */
typedef struct chain {
    double length[LINKS], centre[LINKS], mass[LINKS], inertia[LINKS], q[LINKS], external[LINKS],
        radius[LINKS], ratio;
} chain;

static chain random_chain(support_random *random)
{
    chain c;
    for (int i = 0; i < LINKS; i++) {
        c.length[i] = support_uniform(random, 0.3, 1);
        c.centre[i] = support_uniform(random, 0.1, 1) * c.length[i];
        c.mass[i] = support_uniform(random, 0.3, 3);
        c.inertia[i] = support_uniform(random, 0.01, 0.1) * c.mass[i];
        c.q[i] = support_uniform(random, -pi, pi);
        c.external[i] = support_uniform(random, -8, 8);
        c.radius[i] = support_uniform(random, 0.005, 0.06);
    }
    c.ratio = support_uniform(random, 0.3, 3) * (support_chance(random, 0.5) ? 1 : -1);
    return c;
}

/** Newton and Euler at rest: what joints transmit, forces R by size, and torques about their axes. */
static void transmitted(const chain *c, const double a[LINKS], double torque[LINKS],
                        double R[LINKS])
{
    double angle = 0, alpha = 0, at[2] = {0, g}, along[LINKS][2], own[LINKS][2], turn[LINKS];
    for (int i = 0; i < LINKS; i++) {
        angle += c->q[i];
        alpha += a[i];
        const double e[2] = {cos(angle), sin(angle)}, n[2] = {-e[1], e[0]};
        turn[i] = alpha;
        for (int k = 0; k < 2; k++) {
            along[i][k] = e[k];
            own[i][k] = c->mass[i] * (at[k] + c->centre[i] * alpha * n[k]);
            at[k] += c->length[i] * alpha * n[k];
        }
    }
    double F[2] = {0, 0}, moment = 0;
    for (int i = LINKS - 1; i >= 0; i--) {
        const double *e = along[i];
        moment += c->inertia[i] * turn[i] + c->centre[i] * (e[0] * own[i][1] - e[1] * own[i][0]) +
                  c->length[i] * (e[0] * F[1] - e[1] * F[0]);
        F[0] += own[i][0];
        F[1] += own[i][1];
        torque[i] = moment;
        R[i] = hypot(F[0], F[1]);
    }
}

/** What is left along the group of two and along the third joint, at accelerations u of these, limits included for sides s. */
static void residual(const chain *c, const double u[2], const int s[2], const double R[LINKS],
                     double r[2])
{
    const double a[LINKS] = {u[0], c->ratio * u[0], u[1]};
    double torque[LINKS], now[LINKS];
    transmitted(c, a, torque, now);
    r[0] = torque[0] - c->external[0] + c->ratio * (torque[1] - c->external[1]) +
           s[0] * (c->radius[0] * R[0] + fabs(c->ratio) * c->radius[1] * R[1]);
    r[1] = torque[2] - c->external[2] + s[1] * c->radius[2] * R[2];
}

/** Accelerations with these sides; 0 where they contradict them, else how far they are from doing so (N m). */
static double try_sides(const chain *c, const int s[2], double u[2])
{
    static const double zero[2] = {0, 0}, unit[2][2] = {{1, 0}, {0, 1}};
    static const int none[2] = {0, 0};
    double R[LINKS], torque[LINKS], base[2], column[2][2], r[2], change = 1;
    memset(u, 0, 2 * sizeof *u);
    residual(c, zero, none, R, base);
    for (int j = 0; j < 2; j++) {
        residual(c, unit[j], none, R, column[j]);
        column[j][0] -= base[0], column[j][1] -= base[1];
    }
    for (int k = 0; k < 500 && change > 1e-14; k++) {
        const double a[LINKS] = {u[0], c->ratio * u[0], u[1]}, before[2] = {u[0], u[1]};
        transmitted(c, a, torque, R);
        residual(c, zero, s, R, r);
        const double A = s[0] ? column[0][0] : 1, B = s[0] && s[1] ? column[1][0] : 0,
                     C = s[0] && s[1] ? column[0][1] : 0, D = s[1] ? column[1][1] : 1;
        const double x = s[0] ? -r[0] : 0, y = s[1] ? -r[1] : 0, det = A * D - B * C;
        u[0] = (D * x - B * y) / det;
        u[1] = (A * y - C * x) / det;
        change = fabs(u[0] - before[0]) + fabs(u[1] - before[1]);
        change /= 1 + fabs(u[0]) + fabs(u[1]);
    }
    const double a[LINKS] = {u[0], c->ratio * u[0], u[1]};
    transmitted(c, a, torque, R);
    residual(c, u, none, R, r);
    const double limit[2] = {c->radius[0] * R[0] + fabs(c->ratio) * c->radius[1] * R[1],
                             c->radius[2] * R[2]};
    double margin = change <= 1e-13 ? INFINITY : 0;
    for (int j = 0; j < 2; j++) {
        margin = fmin(margin, s[j] ? s[j] * u[j] * column[j][j] : limit[j] - fabs(r[j]));
    }
    return fmax(margin, 0);
}

static void write_chain(char *text, size_t size, const chain *c, bool turned)
{
    int n = snprintf(text, size, "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
    for (int i = 0; i < LINKS; i++) {
        n += snprintf(text + n, size - (size_t)n,
                      "  l%d: {mass: %.17g, center_of_mass: [%.17g, 0, 0], inertia: [%.17g, %.17g, "
                      "%.17g]}\n",
                      i, c->mass[i], c->centre[i], c->inertia[i], c->inertia[i], c->inertia[i]);
    }
    n += snprintf(text + n, size - (size_t)n, "joints:\n");
    for (int k = 0; k < LINKS; k++) {
        const int i = turned ? LINKS - 1 - k : k;
        char base[16] = "ground";
        if (i > 0) {
            snprintf(base, sizeof base, "l%d", i - 1);
        }
        n += snprintf(text + n, size - (size_t)n,
                      "  j%d: {type: revolute, base: %s, follower: l%d, at: {base: [%.17g, 0, 0]}, "
                      "initial: {position: %.17g}}\n",
                      i, base, i, i ? c->length[i - 1] : 0, c->q[i]);
    }
    n += snprintf(text + n, size - (size_t)n,
                  "couplings: {mesh: {type: gear, joints: [j1, j0], ratio: %.17g}}\nstiction:\n",
                  c->ratio);
    for (int i = 0; i < LINKS; i++) {
        n += snprintf(text + n, size - (size_t)n,
                      "  j%d: {kinetic: \"%.17g [m]*reaction_force(j%d)\", static: \"%.17g "
                      "[m]*reaction_force(j%d)\", external: %.17g}\n",
                      i, c->radius[i], i, c->radius[i], i, c->external[i]);
    }
    snprintf(text + n, size - (size_t)n,
             "outputs: [acceleration(j0), acceleration(j1), acceleration(j2)]\n"
             "simulation: {end: 0.01}\n");
}

static void sides_by_enumeration(void **state)
{
    support_random random = {7};
    int seen[3][3] = {{0}}, compared = 0;
    (void)state;
    for (int k = 0; k < 360; k++) {
        const chain c = random_chain(&random);
        const variant v = variant_at((size_t)k % VARIANTS);
        int consistent = 0, side[2] = {0, 0};
        double u[2] = {0, 0}, least = 0, x[3];
        for (int set = 0; set < 9; set++) {
            const int s[2] = {set % 3 - 1, set / 3 - 1};
            double now[2];
            const double margin = try_sides(&c, s, now);
            if (margin > 0) {
                consistent++;
                least = margin;
                memcpy(u, now, sizeof u);
                memcpy(side, s, sizeof side);
            }
        }
        if (consistent != 1 || least < 1e-6) {
            continue; /* two solutions of friction, or none to tell */
        }
        char text[4096];
        write_chain(text, sizeof text, &c, k / VARIANTS % 2 == 1);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 0, x, 3);
        const double tolerance = 1e-9 * (1 + fabs(u[0]) + fabs(u[1]));
        variant_near(v, x[0], u[0], tolerance);
        variant_near(v, x[1], c.ratio * u[0], fabs(c.ratio) * tolerance);
        variant_near(v, x[2], u[1], tolerance);
        seen[side[0] + 1][side[1] + 1]++;
        compared++;
        runs_end(sim, m);
    }
    assert_true(compared > 300);
    for (int i = 0; i < 9; i++) { /* every set of sides has been met */
        assert_true(seen[i / 3][i % 3] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bearings_lose_their_load),
        cmocka_unit_test(a_load_reads_what_a_shaft_transmits),
        cmocka_unit_test(a_geared_pendulum_swings_out),
        cmocka_unit_test(sides_by_enumeration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
