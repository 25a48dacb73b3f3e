/*
 * Bearings of a four-bar that is loaded out of its plane rub by all that they carry, also by what redundant conditions of the loop
 * do. Newton's steps are those of the whole: near a solution what is left of an error is its square, level with accelerations and
 * in steps of time, by both solvers; and the whole of residuals goes with reactions that another solver has found.
 */
#include "support_runs.h"
#include "support_variants.h"

#include "dynamics/closure.h"
#include "dynamics/newton.h"
#include "dynamics/self_stress.h"

/** `share`: friction beside the force that a bearing carries; as a torque, by the torque that it carries, ten times that. */
static void write_four_bar(char *text, size_t size, double share, const char *more)
{
    static const char *const joint[4] = {"shaft", "pin", "wrist", "foot"};
    size_t at = (size_t)snprintf(
        text, size,
        "detent: 1\n"
        "gravity: [0, -9.81, 6]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.15, 0, 0.02], inertia: [0.001, 0.01, 0.01]}\n"
        "  rod: {mass: 2, center_of_mass: [0.4, 0, -0.05], inertia: [0.002, 0.1, 0.1]}\n"
        "  rocker: {mass: 1.5, center_of_mass: [0.3, 0, 0.05], inertia: [0.001, 0.05, 0.05]}\n"
        "joints:\n"
        "  shaft: {type: revolute, base: ground, follower: crank, initial: {position: 1, velocity: "
        "3}}\n"
        "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0.05]}}\n"
        "  wrist: {type: revolute, base: rod, follower: rocker, at: {base: [0.8, 0, -0.05], "
        "follower: [0.6, 0, 0]}}\n"
        "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.8, 0, 0]}, "
        "initial: {position: 1.7}}\n"
        "stiction:\n");
    for (int j = 0; j < 4; j++) {
        const char *n = joint[j];
        at += (size_t)snprintf(text + at, size - at,
                               "  %s: {kinetic: \"%.17g*reaction_force(%s) + "
                               "%.17g*reaction_torque(%s)\", static: \"%.17g*reaction_force(%s) + "
                               "%.17g*reaction_torque(%s)\"}\n",
                               n, share, n, 10 * share, n, 1.5 * share, n, 15 * share, n);
    }
    snprintf(text + at, size - at, "%s", more);
}

typedef struct bench {
    detent_mechanism *mechanism;
    dt_arena arena;
    dt_system system;
    dt_newton *newton;
} bench;

/** All joints of the four-bar move, each in the direction of its velocity; accelerations are solved for. */
static void set_up(bench *b, double share, detent_linear_solver solver)
{
    char text[4096];
    detent_error error;
    write_four_bar(text, sizeof text, share, "");
    b->mechanism = runs_parse(text, NULL);
    dt_arena_init(&b->arena, NULL);
    dt_system *s = &b->system;
    runs_must(dt_system_create(&b->arena, b->mechanism, s, &error), &error);
    b->newton = dt_newton_create(&b->arena, s, solver);
    assert_non_null(b->newton);
    runs_must(dt_closure_assemble(s, &error), &error);
    dt_system_set_state(s, 0, s->q, s->v);
    for (int k = 0; k < 4; k++) {
        const int v = s->tree->nodes[b->mechanism->stictions[k].primitive].v;
        s->mode[k] = DETENT_UNLOCKED;
        s->direction[k] = s->v[v] > 0 ? 1 : -1;
    }
    runs_must(dt_solve_accelerations(b->newton, s, NULL, &error), &error);
}

static void tear_down(bench *b)
{
    dt_arena_free(&b->arena);
    detent_mechanism_destroy(b->mechanism);
}

/** Takes a step of accelerations; returns how large it is. */
static double take_step(bench *b)
{
    dt_system *s = &b->system;
    const double *d_a, *d_f, *d_m;
    detent_error error;
    double size = 0;
    runs_must(dt_acceleration_step(b->newton, s, &d_a, &d_f, &d_m, &error), &error);
    for (int j = 0; j < s->tree->nv; j++) {
        s->a[j] += d_a[j];
        size = fmax(size, fabs(d_a[j]));
    }
    for (int k = 0; k < 4; k++) {
        s->f[k] += d_f[k];
    }
    for (int k = 0; k < s->closure->rows; k++) {
        s->multiplier[k] += d_m[k];
    }
    dt_system_set_acceleration(s, s->a, s->f);
    return size;
}

/** The step that follows the first one from accelerations that are off by that, relative. */
static double step_after(double share, detent_linear_solver solver, double off)
{
    bench b;
    set_up(&b, share, solver);
    dt_system *s = &b.system;
    assert_non_null(dt_self_stress_reader(s));
    for (int j = 0; j < s->tree->nv; j++) {
        s->a[j] *= 1 + off * (j + 1);
    }
    dt_system_set_acceleration(s, s->a, s->f);
    assert_true(take_step(&b) > off);
    const double second = take_step(&b);
    tear_down(&b);
    return second;
}

/** What a step leaves is the square of what was off: of a tenth a hundredth, not a tenth. */
static void steps_of_accelerations_are_exact(void **state)
{
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        for (double share = 0.003; share < 0.05; share *= 2) {
            const detent_linear_solver solver =
                dense ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE;
            const double far = step_after(share, solver, 1e-5),
                         near = step_after(share, solver, 1e-6);
            if (!(near < far / 50 + 1e-11)) {
                fail_msg("%s, share %g: %g and %g are left", dense ? "dense" : "tree", share, far,
                         near);
            }
        }
    }
}

/** A residual a step, and few more: the iteration does not wait for what follows. */
static void steps_of_time_are_exact(void **state)
{
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        char text[4096];
        detent_error error;
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        write_four_bar(text, sizeof text, 0.02, "simulation: {end: 2, rtol: 1e-8}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(
            m, (variant){DETENT_INTEGRATOR_IDA, DETENT_LOCKED_JOINTS_WELD,
                         dense ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE});
        runs_must(detent_advance(sim, 2, false, &error), &error);
        detent_get_statistics(sim, &statistics);
        assert_true((double)statistics.residuals < 1.4 * (double)statistics.steps);
        assert_true(statistics.convergence_failures < statistics.steps / 100);
        runs_end(sim, m);
    }
}

static void look(detent_simulation *sim, size_t coordinates, bool looks, bool before)
{
    double f[5], q[64];
    detent_error error;
    if (looks && before) {
        runs_must(detent_read_before(sim, DETENT_FRICTIONS, f, 5, &error), &error);
    }
    if (looks) {
        runs_must(detent_read(sim, DETENT_POSITIONS, q, coordinates, &error), &error);
        runs_must(detent_read(sim, DETENT_FRICTIONS, f, 5, &error), &error);
    }
}

/* detent_advance() without support_watch.c, which looks. */
detent_status __real_detent_advance(detent_simulation *, double, bool, detent_error *);

/** A run (that support_watch.c does not see) at whose events somebody looks, at the instant before each, too, ends with the same bits as one that nobody looks at. */
static void who_looks_changes_nothing(void **state)
{
    (void)state;
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        double end[2][64];
        detent_error error;
        detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
        detent_mechanism *m = runs_load("../tests/found/looked_at_in_a_loop.yaml", NULL);
        detent_mechanism_get_info(m, &info);
        detent_settings settings = DETENT_INIT(detent_settings);
        detent_mechanism_get_settings(m, &settings);
        assert_int_equal(info.stictions, 5);
        for (int looks = 0; looks < 2; looks++) {
            detent_simulation *sim = variant_start(m, variant_at(n));
            for (double t = 0, next = 0; t < settings.end;) {
                detent_status status;
                next += settings.interval;
                t = fmin(next, settings.end);
                while ((status = __real_detent_advance(sim, t, true, &error)) == DETENT_EVENT) {
                    look(sim, info.coordinates, looks, true);
                }
                runs_must(status, &error);
                look(sim, info.coordinates, looks, false);
            }
            runs_must(detent_read(sim, DETENT_POSITIONS, end[looks], info.coordinates, &error),
                      &error);
            runs_must(detent_read(sim, DETENT_VELOCITIES, end[looks] + info.coordinates,
                                  info.freedoms, &error),
                      &error);
            detent_simulation_destroy(sim);
        }
        assert_memory_equal(end[0], end[1], (info.coordinates + info.freedoms) * sizeof end[0][0]);
        detent_mechanism_destroy(m);
    }
}

/** A loop on a turning body exchanges rows on the way; what those that are left out had is nobody's, and is not to linger. */
static void rows_are_exchanged(void **state)
{
    (void)state;
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_error error;
    detent_mechanism *m = runs_load("../tests/found/rows_exchanged_while_turning.yaml", NULL);
    for (int dense = 0; dense <= 1; dense++) {
        detent_simulation *sim = variant_start(
            m, (variant){DETENT_INTEGRATOR_IDA, DETENT_LOCKED_JOINTS_WELD,
                         dense ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE});
        runs_must(detent_advance(sim, 2.85, false, &error), &error);
        detent_get_statistics(sim, &statistics);
        assert_true(statistics.steps < 2000);
        assert_true((double)statistics.residuals < 1.6 * (double)statistics.steps);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static void read_at(const char *file, variant v, double t, double *x, size_t count)
{
    detent_mechanism *m = runs_parse(file, NULL);
    detent_simulation *sim = variant_start(m, v);
    variant_outputs(sim, v, t, x, count);
    runs_end(sim, m);
}

/**
 * Where no law reads what redundant conditions carry, readers see it all the same: half of a load across the plane in the middle of an
 * upright parallelogram on either side, whichever joint closes the loop.
 */
static void readers_see_it_whichever_joint_is_cut(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {a: {mass: 1, inertia: [0.01, 0.02, 0.02]}, b: {mass: 2, center_of_mass: [0.5, 0, "
        "0], inertia: [0.01, 0.1, 0.1]}, c: {mass: 1, inertia: [0.01, 0.02, 0.02]}}\n"
        "joints:\n"
        "  j1: {type: revolute, base: ground, follower: a, initial: {position: %d deg}}\n"
        "  j2: {type: revolute, %s base: a, follower: b, at: {base: [0.3, 0, 0]}, initial: "
        "{position: %d deg}}\n"
        "  j3: {type: revolute, base: ground, follower: c, at: {base: [1, 0, 0]}, initial: "
        "{position: %d deg}}\n"
        "  j4: {type: revolute, %s base: c, follower: b, at: {base: [0.3, 0, 0], follower: "
        "[1, 0, 0]}, initial: {position: %d deg}}\n"
        "loads: {side: {body: b, at: [0.5, 0, 0], force: [0, 0, 10]}}\n"
        "outputs: [\"reaction_force(j1, z)\", \"reaction_force(j2, z)\", \"reaction_force(j3, "
        "z)\", "
        "\"reaction_force(j4, z)\", reaction_torque(j2), reaction_torque(j4)]\n"
        "simulation: {end: 1, rtol: 1e-9}\n";
    double first[6] = {0};
    UNUSED(state);
    for (int cut = 0; cut < 2; cut++) {
        for (size_t k = 0; k < VARIANTS; k++) {
            char file[2048];
            double upright[6], x[6];
            const variant v = variant_at(k);
            const char *one = cut ? "" : "closes: true,", *other = cut ? "closes: true," : "";
            snprintf(file, sizeof file, text, 90, one, -90, 90, other, -90);
            read_at(file, v, 0, upright, 6);
            for (int j = 0; j < 4; j++) {
                variant_near(v, fabs(upright[j]), 5, 1e-12);
            }
            snprintf(file, sizeof file, text, 60, one, -60, 60, other, -60);
            read_at(file, v, 0.4, x, 6);
            for (int j = 0; j < 6; j++) {
                first[j] = cut == 0 && k == 0 ? x[j] : first[j];
                variant_near(v, fabs(x[j]), fabs(first[j]), 1e-6);
            }
            assert_true(fabs(fabs(x[0]) - 5) > 0.1);
        }
    }
}

/*
 * What couplings and rods do is shared whatever else is read: a shaft that drives two others, each by two gears of the same ratio; a weight on
 * two rods side by side.
 */
static void couplings_and_rods_share(void **state)
{
    static const char gears[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1]}, b: {mass: 1, inertia: [0.4, 0.4, 0.4]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, force: 6}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "couplings:\n"
        "  one: {type: gear, joints: [a, b], ratio: 2}\n"
        "  two: {type: gear, joints: [a, b], ratio: 2}\n"
        "  back: {type: gear, joints: [b, a], ratio: 0.5}\n"
        "outputs: [coupling_force(one), coupling_force(two), coupling_force(back)%s]\n"
        "simulation: {end: 1, rtol: 1e-9}\n";
    static const char rods[] =
        "detent: 1\ngravity: [0, 0, -10]\n"
        "bodies: {weight: {mass: 3}}\n"
        "joints: {up: {type: prismatic, base: ground, follower: weight}}\n"
        "couplings:\n"
        "  one: {type: distance, between: [{body: ground, at: [0, 0, 1]}, {body: weight}], length: "
        "1}\n"
        "  two: {type: distance, between: [{body: ground, at: [0, 0, 1]}, {body: weight}], length: "
        "1}\n"
        "outputs: [tension(one), tension(two)%s]\n"
        "simulation: {end: 1, rtol: 1e-9}\n";
    static const char *const also[] = {"", ", reaction_force(%s)"};
    UNUSED(state);
    for (size_t k = 0; k < 2 * VARIANTS; k++) {
        char more[64], file[2048];
        double x[4] = {0};
        const variant v = variant_at(k / 2);
        snprintf(more, sizeof more, also[k % 2], "a");
        snprintf(file, sizeof file, gears, more);
        read_at(file, v, 0.4, x, 3 + k % 2);
        /* 6 N m turn 0.1 + 0.4/4 kg m^2: half of it is for the other shaft, in three shares */
        variant_near(v, x[0], -1, 1e-12);
        variant_near(v, x[1], -1, 1e-12);
        variant_near(v, x[2], 2, 1e-12);
        snprintf(more, sizeof more, also[k % 2], "up");
        snprintf(file, sizeof file, rods, more);
        read_at(file, v, 0.4, x, 2 + k % 2);
        variant_near(v, x[0], 15, 1e-11);
        variant_near(v, x[1], 15, 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_accelerations_are_exact),
        cmocka_unit_test(steps_of_time_are_exact),
        cmocka_unit_test(who_looks_changes_nothing),
        cmocka_unit_test(rows_are_exchanged),
        cmocka_unit_test(couplings_and_rods_share),
        cmocka_unit_test(readers_see_it_whichever_joint_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
