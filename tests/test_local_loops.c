/*
 * Many loops: random graphs of bodies, in a plane and in space, with every type of joint cut, and gears between them. The
 * elimination along the tree, where every loop closes, is LAPACK's on the full Jacobian; and the loops are closed. A scissor
 * lift of any number of stages is held by the force of virtual work.
 */
#include "api/handle.h"
#include "dynamics/closure.h"
#include "dynamics/newton.h"
#include "support_runs.h"
#include "support_trees.h"

#include <float.h>

enum { GRAPHS = 120 };

typedef struct writer {
    runs_text page;
    support_random random;
    bool planar;
    int joints, bodies;
    int scalar[256], scalar_count;   /**< joints of one primitive */
    int turning[256], turning_count; /**< revolute ones */
} writer;

static void say_body(char *name, size_t size, int body)
{
    if (body < 0) {
        snprintf(name, size, "ground");
    } else {
        snprintf(name, size, "b%d", body);
    }
}

static double uniform(writer *w)
{
    return support_uniform(&w->random, -1, 1);
}

/** A joint at a random place, where all bodies stand as they are drawn: there every loop is closed. */
static void say_joint(writer *w, int base, int follower, bool cut)
{
    static const char *const spatial[] = {"revolute", "prismatic", "cylindrical", "universal",
                                          "planar",   "gimbal",    "spherical",   "bushing"};
    char one[16], other[16];
    const int type = w->planar ? 0 : (int)support_uniform(&w->random, 0, 7.999);
    const double p[3] = {uniform(w), uniform(w), w->planar ? 0 : uniform(w)};
    say_body(one, sizeof one, base);
    say_body(other, sizeof other, follower);
    runs_say(&w->page, "  j%d: {type: %s, base: %s, follower: %s, ", w->joints, spatial[type], one,
             other);
    char rotation[128] = "";
    if (!w->planar) {
        snprintf(rotation, sizeof rotation, ", rotation: {rpy: [%.4f, %.4f, %.4f]}", uniform(w),
                 uniform(w), uniform(w));
    }
    runs_say(&w->page,
             "at: {base: {point: [%.4f, %.4f, %.4f]%s}, follower: {point: [%.4f, %.4f, %.4f]%s}}",
             p[0], p[1], p[2], rotation, p[0], p[1], p[2], rotation);
    if (type < 2) {
        w->scalar[w->scalar_count++] = w->joints;
        w->turning[w->turning_count] = w->joints;
        w->turning_count += type == 0;
        runs_say(&w->page, ", initial: {velocity: %.4f}, damping: 0.1",
                 support_chance(&w->random, 0.5) ? uniform(w) : 0);
    }
    runs_say(&w->page, cut ? ", closes: true}\n" : "}\n");
    w->joints++;
}

/** Loops of three or four new bodies each, which begin and end at any of those that there are. */
static void write_graph(writer *w, int loops)
{
    static int end[64][3];
    runs_say(&w->page, "detent: 1\ngravity: [1, -9.81, 0.5]\nbodies:\n");
    for (int l = 0; l < loops; l++) {
        const int count = w->planar ? 3 : 2 + (int)support_uniform(&w->random, 0, 1.999);
        end[l][0] = l == 0 ? -1 : (int)support_uniform(&w->random, -1, w->bodies - 0.001);
        end[l][1] = l == 0 ? -1 : (int)support_uniform(&w->random, -1, w->bodies - 0.001);
        end[l][2] = count;
        for (int k = 0; k < count; k++) {
            runs_say(&w->page,
                     "  b%d: {mass: %.3f, center_of_mass: [%.3f, %.3f, 0.1], inertia: [0.3, 0.4, "
                     "0.5]}\n",
                     w->bodies++, support_uniform(&w->random, 0.5, 2), uniform(w), uniform(w));
        }
    }
    runs_say(&w->page, "joints:\n");
    for (int l = 0, body = 0; l < loops; l++) {
        int base = end[l][0];
        for (int k = 0; k < end[l][2]; k++, body++) {
            say_joint(w, base, body, false);
            base = body;
        }
        say_joint(w, end[l][1], base, true);
    }
    if (w->turning_count >= 4) {
        runs_say(&w->page, "couplings:\n");
        for (int k = 0; k + 3 < w->turning_count && k < 8; k += 4) {
            runs_say(&w->page, "  g%d: {type: gear, joints: [j%d, j%d], ratio: %.3f}\n", k,
                     w->turning[k], w->turning[k + 3], support_uniform(&w->random, 0.5, 2));
        }
    }
    if (w->scalar_count > 0) {
        runs_say(&w->page, "stiction:\n");
        for (int k = 0; k < w->scalar_count; k += 3) {
            runs_say(&w->page, "  j%d: {kinetic: 0.2, static: 0.3}\n", w->scalar[k]);
        }
    }
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

static void compare(int graph, const char *what, const double *is, const double *should, int n,
                    double tolerance)
{
    for (int k = 0; k < n; k++) {
        if (!(fabs(is[k] - should[k]) <= tolerance)) {
            fail_msg("graph %d, %s %d: %.17g instead of %.17g (tolerance %g)", graph, what, k,
                     is[k], should[k], tolerance);
        }
    }
}

/**
 * Relative: what two stable eliminations of a matrix agree to that makes forces so large of residuals of one. Where a joint is
 * locked that its loop holds already, a row of the loop is left out; how much the joint moves then is what the forces divide by.
 */
static double agreement(double forces)
{
    return fmax(1e-9, 16 * DBL_EPSILON * forces);
}

static void compare_solvers(int graph, dt_arena *arena, dt_system *s, support_random *random,
                            dt_newton_level level, double c)
{
    const int nq = s->tree->nq, nv = s->tree->nv, ns = s->mechanism->stiction_count;
    const int nm = dt_tie_rows(s->mechanism), n = nq + nv + ns + nm;
    double *r = dt_arena_alloc(arena, (size_t)n, sizeof *r), *d[2];
    for (int k = 0; k < n; k++) {
        r[k] = support_uniform(random, -1, 1);
    }
    for (int k = 0; k < nm; k++) { /* multipliers of rows that are not active are zero */
        r[n - nm + k] = s->closure->active[k] ? r[n - nm + k] : 0;
    }
    for (int which = 0; which < 2; which++) {
        dt_newton *newton = dt_newton_create(
            arena, s, which ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE);
        d[which] = dt_arena_alloc(arena, (size_t)n, sizeof *r);
        assert_non_null(newton);
        assert_int_equal(dt_newton_factor(newton, s, level, c, NULL), DETENT_OK);
        double *x = d[which];
        dt_newton_solve(newton, s,
                        &(dt_unknowns){.q = r, .v = r + nq, .f = r + nq + nv, .m = r + n - nm},
                        &(dt_unknowns){.q = x, .v = x + nq, .f = x + nq + nv, .m = x + n - nm});
    }
    const double forces = largest(d[1] + nq + nv, ns + nm) + largest(r, n),
                 part = agreement(forces);
    if (level == DT_NEWTON_STEP) {
        compare(graph, "coordinate", d[0], d[1], nq, part * largest(d[1], nq));
    }
    compare(graph, "velocity", d[0] + nq, d[1] + nq, nv, part * largest(d[1] + nq, nv));
    compare(graph, "friction", d[0] + nq + nv, d[1] + nq + nv, ns, part * forces);
    compare(graph, "multiplier", d[0] + n - nm, d[1] + n - nm, nm, part * forces);
}

static void elimination_is_lapacks(void **state)
{
    UNUSED(state);
    int local = 0, locked = 0;
    for (int graph = 0; graph < GRAPHS; graph++) {
        writer w = {.random = {.state = (uint64_t)graph + 1}, .planar = graph % 3 == 0};
        write_graph(&w, 1 + graph % 12);
        detent_mechanism *m = runs_parse(w.page.text, NULL);
        detent_simulation *sim = runs_start(m, NULL);
        dt_system *s;
        detent_error error;
        dt_arena arena;
        runs_must(dt_handle_system(sim, false, DT_LEVEL_FORCES, &s, &error), &error);
        local += s->closure->local != NULL;
        for (int k = 0; k < s->mechanism->stiction_count; k++) {
            locked += s->mode[k] == DETENT_LOCKED;
        }
        const double open = dt_closure_error(s);
        if (!(open <= 1e-12)) {
            fail_msg("graph %d is open by %g", graph, open);
        }
        dt_arena_init(&arena, NULL);
        compare_solvers(graph, &arena, s, &w.random, DT_NEWTON_ACCELERATION, 0);
        compare_solvers(graph, &arena, s, &w.random, DT_NEWTON_STEP,
                        support_spread(&w.random, 100, 1e5));
        dt_arena_free(&arena);
        runs_end(sim, m);
        free(w.page.text);
    }
    assert_in_range(local, GRAPHS / 3, GRAPHS - GRAPHS / 3);
    assert_true(locked > 0);
}

/**
 * The force of virtual work, F = (N W + N^2 m g)/tan(angle), holds the lift: its foot does not move, measured by how it moves
 * when pushed 5 % harder.
 */
static void virtual_work_holds_the_lift(void **state)
{
    UNUSED(state);
    static const char *const stages[] = {"N=1", "N=2", "N=3", "N=5", "N=6", "N=12", "N=40"};
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        double a[2];
        for (int harder = 0; harder < 2; harder++) {
            const char *const set[] = {stages[k], harder ? "push=1.05" : "push=1", NULL};
            detent_mechanism *m = runs_load("scissor_lift.yaml", set);
            detent_simulation *sim = runs_start(m, NULL);
            double output[3];
            detent_error error;
            runs_must(detent_read(sim, DETENT_OUTPUTS, output, 3, &error), &error);
            a[harder] = output[2];
            runs_end(sim, m);
        }
        if (!(fabs(a[0]) <= 1e-9 * fabs(a[1])) || !(a[1] < 0)) {
            fail_msg("%s: %g m/s^2 instead of none; %g when pushed harder", stages[k], a[0], a[1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elimination_is_lapacks),
        cmocka_unit_test(virtual_work_holds_the_lift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
