/*
 * Steps of fixed length against plain programs that share nothing with the library: one block under each of the laws of the
 * servo paper, to the last bit; two blocks of which one drags the other, each with a law of its own; the classical Runge-Kutta method
 * written down. Runs are the same to the bit whoever looks at them.
 */
#include "support_variants.h"

static double sign(double v)
{
    return (v > 0) - (v < 0);
}

static double within(double x, double limit)
{
    return x < -limit ? -limit : x > limit ? limit : x;
}

/* The settings of a mechanism with steps of length h, in one of four treatments. */
static detent_settings fixed(const detent_mechanism *m, detent_integrator integrator, double h,
                             size_t treatment)
{
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = integrator;
    settings.step = h;
    settings.locked_joints =
        treatment / 2 % 2 ? DETENT_LOCKED_JOINTS_CONSTRAIN : DETENT_LOCKED_JOINTS_WELD;
    settings.linear_solver = treatment % 2 ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE;
    return settings;
}

/* ---- one block on a spring, pushed ---- */

typedef struct block {
    const char *law, *type;
    double tolerance;
} block;

enum { STEPS = 20000 };
static const double h = 1e-3, FS = 1.5, FD = 1, band = 1e-2, mass = 2, stiffness = 0.8;

/* The friction of the laws as the paper has them; h there: `active`. */
static double friction(const char *law, double v, double active)
{
    if (strcmp(law, "borello") == 0) {
        return v != 0 ? FD * sign(v) : within(active, FS);
    }
    if (strcmp(law, "karnopp") == 0) {
        return fabs(v) > band ? FD * sign(v) : within(active, FS);
    }
    if (strcmp(law, "sign") == 0) {
        return FD * sign(v);
    }
    if (strcmp(law, "hyperviscous") == 0) {
        return within(FD / band * v, FD);
    }
    return fabs(v) > band ? FD * sign(v)
                          : FD / band * v + (1 - fabs(v) / band) * within(active, FD);
}

/* What Table I of the paper does at the end of a step, and Karnopp's band. */
static double stop(const char *law, double old, double v)
{
    return (strcmp(law, "borello") == 0 && old * v < 0) ||
                   (strcmp(law, "karnopp") == 0 && fabs(v) <= band)
               ? 0
               : v;
}

static detent_mechanism *make_block(const block *b)
{
    char text[1200];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies: {a: {mass: %.17g, inertia: [1, 1, %.17g]}}\n"
             "joints: {x: {type: %s, base: ground, follower: a, spring: {stiffness: %.17g}, "
             "force: 1.7*sin(0.5*t), initial: {position: 3, velocity: 2}, friction: {law: %s, "
             "breakaway: %.17g, coulomb: %.17g, velocity_band: %.17g}}}\n"
             "simulation: {end: 20, integrator: {type: euler, step: %.17g}}\n",
             mass, mass, b->type, stiffness, b->law, FS, FD, band, h);
    return runs_parse(text, NULL);
}

static void check_block(const block *b, size_t treatment)
{
    detent_mechanism *m = make_block(b);
    const detent_settings settings = fixed(m, DETENT_INTEGRATOR_EULER, h, treatment);
    detent_simulation *sim = runs_start(m, &settings);
    double x = 3, v = 2, worst = 0;
    size_t rests = 0;
    for (int n = 0; n < STEPS; n++) {
        const double t = n * h, active = 1.7 * sin(0.5 * t) - stiffness * x,
                     a = (active - friction(b->law, v, active)) / mass, step = (n + 1) * h - t,
                     old = v;
        x += step * v;
        v = stop(b->law, old, v + step * a);
        rests += v == 0;
        runs_advance(sim, (n + 1) * h);
        worst = fmax(worst, fmax(fabs(runs_position(m, sim, "x") - x),
                                 fabs(runs_velocity(m, sim, "x") - v)));
    }
    runs_near(b->law, worst, 0, b->tolerance);
    const bool sticks = strcmp(b->law, "borello") == 0 || strcmp(b->law, "karnopp") == 0;
    assert_true(sticks ? rests > 200 && rests < STEPS - 1000 : rests == 0);
    runs_end(sim, m);
}

static void laws_are_those_of_the_paper(void **state)
{
    static const char *const types[] = {"prismatic", "revolute"};
    static const char *const laws[] = {"borello", "karnopp", "sign", "hyperviscous", "quinn"};
    (void)state;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        for (size_t treatment = 0; treatment < 4; treatment++) {
            /* What acts is told from what the joint transmits, which rounds; so do matrices. */
            const bool rounds = treatment % 2 || strcmp(laws[k], "quinn") == 0;
            const block b = {laws[k], types[(k + treatment) % 2], rounds ? 1e-10 : 0};
            check_block(&b, treatment);
        }
    }
}

/* ---- two blocks: the second one slides on the first ---- */

/* M = [m1 + m2, m2; m2, m2] of the joints; forces along them. */
static const double m1 = 2, m2 = 0.5;

static void forces(double t, const double q[2], double h2[2])
{
    h2[0] = 4.5 * sin(0.9 * t) - 3 * q[0];
    h2[1] = 1.4 * sin(1.7 * t) - 2 * q[1];
}

static void solve2(const double force[2], double a[2])
{
    a[0] = (force[0] - force[1]) / m1;
    a[1] = force[1] / m2 - a[0];
}

/* Frictions of joints at rest that agree with each other: one of nine sets of sides does. */
static void hold_both(const double act[2], const double v[2], const double fd[2],
                      const double fs[2], double a[2])
{
    for (int set = 0; set < 9; set++) {
        const int side[2] = {set % 3 - 1, set / 3 - 1}; /* 0: held, else where it goes */
        double f[2], force[2];
        bool held[2], good = true;
        for (int k = 0; k < 2; k++) {
            held[k] = v[k] == 0 && side[k] == 0;
            f[k] = v[k] != 0 ? fd[k] * sign(v[k]) : fs[k] * side[k];
            good = good && (v[k] == 0 || side[k] == 0);
        }
        if (!good) {
            continue;
        }
        if (held[0] && held[1]) {
            f[0] = act[0];
            f[1] = act[1];
        } else if (held[0]) { /* a0 = 0 */
            f[0] = act[0] - (act[1] - f[1]);
        } else if (held[1]) { /* a1 = 0: both move as one */
            f[1] = act[1] - m2 / (m1 + m2) * (act[0] - f[0]);
        }
        for (int k = 0; k < 2; k++) {
            force[k] = act[k] - f[k];
        }
        solve2(force, a);
        for (int k = 0; k < 2; k++) {
            good = good && (!held[k] || fabs(f[k]) <= fs[k]) &&
                   (v[k] != 0 || held[k] || a[k] * side[k] > 0);
            a[k] = held[k] ? 0 : a[k];
        }
        if (good) {
            return;
        }
    }
    fail_msg("no set of sides is consistent");
}

/* Who turns round, or is in its band, stops; the impulse changes the velocity of the other one unless that rests. */
static void stop_both(const double old[2], double v[2], const double bands[2])
{
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 2; k++) {
            const int other = 1 - k;
            const bool stops =
                v[k] != 0 && (bands[k] > 0 ? fabs(v[k]) <= bands[k] : old[k] * v[k] < 0);
            if (stops && v[other] != 0) {
                /* the momentum of the other joint stays: M[other][k] v[k] + M[other][other] v[other] */
                v[other] += v[k] * (other == 0 ? m2 / (m1 + m2) : 1);
            }
            v[k] = stops ? 0 : v[k];
        }
    }
}

static void two_blocks_share_an_impulse_and_a_search(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}, b: {mass: 0.5}}\n"
        "joints:\n"
        "  x: {type: prismatic, axis: [1, 0, 0], base: ground, follower: a, force: 4.5*sin(0.9*t), "
        "spring: {stiffness: 3}, friction: {law: borello, breakaway: 3.2, coulomb: 2.2}}\n"
        "  y: {type: prismatic, axis: [1, 0, 0], base: a, follower: b, force: 1.4*sin(1.7*t), "
        "spring: {stiffness: 2}, friction: {law: karnopp, breakaway: 0.8, coulomb: 0.3, "
        "velocity_band: 1e-3}}\n"
        "simulation: {end: 20, integrator: {type: euler, step: 1e-3}}\n";
    static const double fd[2] = {2.2, 0.3}, fs[2] = {3.2, 0.8}, bands[2] = {0, 1e-3};
    (void)state;
    for (size_t treatment = 0; treatment < 4; treatment++) {
        detent_mechanism *m = runs_parse(text, NULL);
        const detent_settings settings = fixed(m, DETENT_INTEGRATOR_EULER, h, treatment);
        detent_simulation *sim = runs_start(m, &settings);
        double q[2] = {0, 0}, v[2] = {0, 0}, a[2], act[2], worst = 0;
        size_t rests[4] = {0};
        for (int n = 0; n < STEPS; n++) {
            const double old[2] = {v[0], v[1]}, step = (n + 1) * h - n * h;
            forces(n * h, q, act);
            hold_both(act, v, fd, fs, a);
            for (int k = 0; k < 2; k++) {
                q[k] += step * old[k];
                v[k] += step * a[k];
            }
            stop_both(old, v, bands);
            rests[(v[0] == 0) + 2 * (v[1] == 0)]++;
            runs_advance(sim, (n + 1) * h);
            worst = fmax(worst, fmax(fabs(runs_velocity(m, sim, "x") - v[0]),
                                     fabs(runs_velocity(m, sim, "y") - v[1])));
        }
        runs_near("both velocities", worst, 0, 1e-11);
        for (int k = 0; k < 4; k++) {
            assert_true(rests[k] > 400);
        }
        runs_end(sim, m);
    }
}

/* ---- Runge and Kutta ---- */

static void pendulum(const double y[2], double f[2])
{
    f[0] = y[1];
    f[1] = -9.81 * sin(y[0]) - 0.1 * y[1] * fabs(y[1]);
}

/* A rod of length 1 on which all mass is at the end, with drag that has a kink. */
static void runge_kutta_is_the_classical_one(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {a: {mass: 1, center_of_mass: [0, -1, 0]}}\n"
        "joints: {x: {type: revolute, base: ground, follower: a, initial: {position: 2}, "
        "force: -0.1*velocity(x)*abs(velocity(x))}}\n"
        "simulation: {end: 10, integrator: {type: rk4, step: 0.02}}\n";
    (void)state;
    for (size_t treatment = 0; treatment < 4; treatment++) {
        detent_mechanism *m = runs_parse(text, NULL);
        const detent_settings settings = fixed(m, DETENT_INTEGRATOR_RK4, 0.02, treatment);
        detent_simulation *sim = runs_start(m, &settings);
        double y[2] = {2, 0};
        for (int n = 0; n < 500; n++) {
            const double step = 0.02 * (n + 1) - 0.02 * n;
            double k[4][2], z[2];
            pendulum(y, k[0]);
            for (int i = 1; i < 4; i++) {
                for (int j = 0; j < 2; j++) {
                    z[j] = y[j] + (i < 3 ? step / 2 : step) * k[i - 1][j];
                }
                pendulum(z, k[i]);
            }
            for (int j = 0; j < 2; j++) {
                y[j] += step / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
            }
        }
        runs_advance(sim, 10);
        runs_near("angle", runs_position(m, sim, "x"), y[0], 1e-12);
        runs_near("speed", runs_velocity(m, sim, "x"), y[1], 1e-12);
        runs_end(sim, m);
    }
}

/* ---- to the bit ---- */

static void run_looked_at(const char *file, detent_integrator integrator, double look, double *end,
                          size_t *events)
{
    static const char *const set[] = {NULL};
    detent_mechanism *m = runs_load(file, set);
    const detent_settings settings = fixed(m, integrator, 3e-4, 0);
    detent_simulation *sim = runs_start(m, &settings);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    for (double t = look; t < 5; t += look) {
        runs_advance(sim, t);
        free(runs_state(m, sim, &(size_t){0}));
    }
    runs_advance(sim, 5);
    size_t count;
    double *y = runs_state(m, sim, &count);
    memcpy(end, y, count * sizeof *y);
    free(y);
    detent_get_statistics(sim, &statistics);
    *events = statistics.events;
    runs_end(sim, m);
}

/* Laws that follow reactions, a loop with friction, what forces decide: nobody who looks changes anything. */
static void runs_are_the_same_to_the_bit(void **state)
{
    static const char *const files[] = {"sticky_double_pendulum.yaml", "four_bar.yaml",
                                        "sticky_box_stack.yaml", "modelica_friction.yaml"};
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        for (int i = 0; i < 2; i++) {
            const detent_integrator integrator =
                i ? DETENT_INTEGRATOR_RK4 : DETENT_INTEGRATOR_EULER;
            double plain[64] = {0}, again[64] = {0}, looked[64] = {0}, coarse[64] = {0};
            size_t events[4];
            run_looked_at(files[k], integrator, INFINITY, plain, &events[0]);
            run_looked_at(files[k], integrator, INFINITY, again, &events[1]);
            run_looked_at(files[k], integrator, 1.7e-4, looked, &events[2]);
            run_looked_at(files[k], integrator, 0.13, coarse, &events[3]);
            assert_memory_equal(plain, again, sizeof plain);
            assert_memory_equal(plain, looked, sizeof plain);
            assert_memory_equal(plain, coarse, sizeof plain);
            assert_true(events[0] == events[1] && events[0] == events[2] && events[0] == events[3]);
            assert_true(events[0] > 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_are_those_of_the_paper),
        cmocka_unit_test(two_blocks_share_an_impulse_and_a_search),
        cmocka_unit_test(runge_kutta_is_the_classical_one),
        cmocka_unit_test(runs_are_the_same_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
