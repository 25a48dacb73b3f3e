/*
 * Identities between algorithms on random trees of every joint type: what one computes another one undoes.
 */
#include "dynamics/aba.h"
#include "dynamics/crba.h"
#include "dynamics/dense_newton.h"
#include "dynamics/newton.h"
#include "dynamics/rnea.h"
#include "support_bushings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

enum { TREES = 200, STRUTS = 3, BUSHINGS = 2 };

/** A random mechanism at a random state, with everything that the dynamics know. */
typedef struct bench {
    detent_mechanism *mechanism;
    dt_arena arena;
    dt_system system;
    dt_aba aba;
    support_random random;
} bench;

/** Constant loads in both frames, springs and bushings between bodies, and laws that read other joints' reactions. */
static void decorate(detent_mechanism *m, support_random *random)
{
    dt_load *loads = dt_arena_alloc(&m->arena, 2 + 2 * STRUTS + 2 * BUSHINGS, sizeof *loads);
    for (int l = 0; l < 2; l++) {
        loads[l].name = "load";
        loads[l].node = support_below(random, m->tree.node_count);
        loads[l].frame = l == 0 ? DETENT_FRAME_WORLD : DETENT_FRAME_BODY;
        loads[l].R[0] = loads[l].R[4] = loads[l].R[8] = 1;
        for (int k = 0; k < 3; k++) {
            loads[l].point[k] = support_uniform(random, -1, 1);
            loads[l].force[k] = support_constant(m, support_uniform(random, -5, 5));
            loads[l].torque[k] = support_constant(m, support_uniform(random, -5, 5));
        }
    }
    m->loads = loads;
    m->load_count = 2;
    support_add_struts(m, random, STRUTS, loads + 2);
    support_add_bushings(m, random, true, BUSHINGS, loads + 2 + 2 * STRUTS);
    for (int k = 0; k < m->stiction_count; k++) {
        int other = support_below(random, m->primitive_count);
        dt_friction *friction = (dt_friction *)(size_t)m->stictions[k].friction;
        if (support_chance(random, 0.3))
            friction->kinetic = support_load_dependent(m, support_uniform(random, 0, 0.02), other);
    }
}

static void random_state(bench *b)
{
    dt_system *s = &b->system;
    support_random_pose(s->tree, &b->random, s->q);
    for (int j = 0; j < s->tree->nv; j++) {
        s->v[j] = support_uniform(&b->random, -2, 2);
        s->a[j] = support_uniform(&b->random, -5, 5);
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int node = s->mechanism->stictions[k].primitive;
        s->f[k] = support_uniform(&b->random, -2, 2);
        s->mode[k] =
            (signed char)(support_chance(&b->random, 0.5) ? DETENT_LOCKED : DETENT_UNLOCKED);
        s->direction[k] = s->mode[k] == DETENT_LOCKED        ? 0
                          : s->v[s->tree->nodes[node].v] > 0 ? 1
                                                             : -1;
    }
    dt_system_set_state(s, 0, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

static void begin(bench *b, int seed, int nodes, bool decorated)
{
    b->random = (support_random){.state = (uint64_t)seed};
    support_tree_def def = support_default_tree(nodes);
    def.spherical = 0.15;
    def.weld = 0.1;
    def.load_dependent = 0.3;
    def.spring = 10;
    def.damper = 1;
    def.force = 5;
    def.armature = seed % 2 == 0 ? 0.4 : 0;
    b->mechanism = support_random_tree(&def, &b->random);
    if (decorated)
        decorate(b->mechanism, &b->random);
    dt_arena_init(&b->arena, NULL);
    assert_int_equal(dt_system_create(&b->arena, b->mechanism, &b->system, NULL), DETENT_OK);
    assert_true(dt_aba_create(&b->arena, b->system.tree, &b->aba));
    random_state(b);
}

static void finish(bench *b)
{
    dt_arena_free(&b->arena);
    support_free(b->mechanism);
}

static double *vector(bench *b, int count)
{
    return dt_arena_alloc(&b->arena, (size_t)count + 1, sizeof(double));
}

static double largest(const double *x, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

static void assert_close(const double *a, const double *b, int count, double tolerance,
                         double scale)
{
    for (int k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance * scale))
            fail_msg("entry %d: %.17g against %.17g, scale %g", k, a[k], b[k], scale);
}

/* All that acts on it. */
static dt_aba_load load_of(const dt_system *s)
{
    dt_aba_load load = {
        .tau = s->tau, .held_a = s->a, .bias = true, .external = (const double(*)[6])s->external};
    memcpy(load.gravity, s->gravity, sizeof load.gravity);
    return load;
}

/** ABA after RNEA is the identity; with some nodes held, the forces come back too. */
static void aba_inverts_rnea(void **state)
{
    (void)state;
    for (int seed = 1; seed <= TREES; seed++) {
        bench b;
        begin(&b, seed, 1 + seed % 12, true);
        dt_system *s = &b.system;
        const int nv = s->tree->nv;
        unsigned char *held = dt_arena_alloc(&b.arena, (size_t)s->tree->node_count, 1);
        double *a = vector(&b, nv), *transmitted = vector(&b, nv);
        for (int i = 0; i < s->tree->node_count; i++)
            held[i] = support_chance(&b.random, 0.3);
        const dt_aba_load load = load_of(s);
        assert_int_equal(dt_aba_factor(s->tree, s->motion, held, NULL, &b.aba), -1);
        dt_aba_solve(s->tree, s->motion, &load, &b.aba, a, transmitted);
        assert_close(a, s->a, nv, 1e-8, 1 + largest(s->a, nv));
        assert_close(transmitted, s->tau, nv, 1e-10, 1 + largest(s->tau, nv));
        for (int i = 0; i < s->tree->node_count; i++)
            assert_close(b.aba.node[i].F, s->F[i], 6, 1e-10,
                         1 + largest(s->F[i], 6) + largest(s->tau, nv));
        finish(&b);
    }
}

/** A solve for the wrenches of held nodes alone has the same accelerations and forces; wrenches of others are there when they are asked for. */
static void wrenches_of_held_nodes_alone(void **state)
{
    (void)state;
    for (int seed = 1; seed <= TREES; seed++) {
        bench b;
        begin(&b, seed, 1 + seed % 12, true);
        dt_system *s = &b.system;
        const int nv = s->tree->nv, n = s->tree->node_count;
        unsigned char *held = dt_arena_alloc(&b.arena, (size_t)n, 1);
        double *a[2] = {vector(&b, nv), vector(&b, nv)},
               *transmitted[2] = {vector(&b, nv), vector(&b, nv)};
        double(*F)[6] = dt_arena_alloc(&b.arena, (size_t)n, sizeof *F);
        for (int i = 0; i < n; i++)
            held[i] = support_chance(&b.random, 0.3);
        assert_int_equal(dt_aba_factor(s->tree, s->motion, held, NULL, &b.aba), -1);
        for (int alone = 0; alone <= 1; alone++) {
            dt_aba_load load = load_of(s);
            load.of_held = alone;
            dt_aba_solve(s->tree, s->motion, &load, &b.aba, a[alone], transmitted[alone]);
            for (int i = 0; i < n && !alone; i++)
                dt_aba_wrench(&b.aba, i, F[i]);
        }
        assert_memory_equal(a[0], a[1], (size_t)nv * sizeof(double));
        for (int i = 0; i < n; i++) {
            const dt_node *node = &s->tree->nodes[i];
            double wrench[6];
            dt_aba_wrench(&b.aba, i, wrench);
            assert_memory_equal(wrench, F[i], sizeof wrench);
            if (held[i]) {
                assert_memory_equal(b.aba.node[i].F, F[i], sizeof F[i]);
                assert_memory_equal(transmitted[0] + node->v, transmitted[1] + node->v,
                                    (size_t)node->type->nv * sizeof(double));
            }
        }
        finish(&b);
    }
}

/** M's columns are RNEA's answers to unit accelerations; M a + bias = tau. */
static void crba_columns_are_rneas(void **state)
{
    (void)state;
    for (int seed = 1; seed <= TREES; seed++) {
        bench b;
        begin(&b, seed, 1 + seed % 12, true);
        dt_system *s = &b.system;
        const int nv = s->tree->nv, n = s->tree->node_count;
        double *M = vector(&b, nv * nv), *bias = vector(&b, nv), *tau = vector(&b, nv),
               *unit = vector(&b, nv);
        dt_inertia *composite = dt_arena_alloc(&b.arena, (size_t)n, sizeof *composite);
        double(*A)[6] = dt_arena_alloc(&b.arena, (size_t)n, sizeof *A),
        (*F)[6] = dt_arena_alloc(&b.arena, (size_t)n, sizeof *F);
        dt_crba(s->tree, s->motion, composite, M);
        dt_rnea(s->tree, s->motion, s->gravity, unit, (const double(*)[6])s->external, A, F, bias);
        double scale = 1 + largest(M, nv * nv) + largest(bias, nv);
        for (int j = 0; j < nv; j++) {
            unit[j] = 1;
            dt_rnea(s->tree, s->motion, s->gravity, unit, (const double(*)[6])s->external, A, F,
                    tau);
            for (int k = 0; k < nv; k++)
                tau[k] -= bias[k];
            assert_close(tau, M + (size_t)j * (size_t)nv, nv, 1e-11, scale);
            unit[j] = 0;
        }
        /* positive definite: v'Mv is twice the kinetic energy */
        double energy = 0;
        for (int j = 0; j < nv; j++)
            for (int k = 0; k < nv; k++)
                energy += 0.5 * s->v[j] * M[j * nv + k] * s->v[k];
        double kinetic = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
        assert_close(&energy, &kinetic, 1, 1e-11, 1 + kinetic);
        finish(&b);
    }
}

/** Extra joint inertia: (M + diag d) a = tau, against M from CRBA. */
static void added_inertia(void **state)
{
    (void)state;
    for (int seed = 1; seed <= TREES; seed++) {
        bench b;
        begin(&b, seed, 1 + seed % 10, false);
        dt_system *s = &b.system;
        const int nv = s->tree->nv;
        unsigned char *held = dt_arena_alloc(&b.arena, (size_t)s->tree->node_count, 1);
        double *M = vector(&b, nv * nv), *d = vector(&b, nv), *tau = vector(&b, nv),
               *a = vector(&b, nv);
        double *back = vector(&b, nv);
        dt_inertia *composite =
            dt_arena_alloc(&b.arena, (size_t)s->tree->node_count, sizeof *composite);
        for (int j = 0; j < nv; j++) {
            d[j] = support_chance(&b.random, 0.5) ? support_spread(&b.random, 1e-3, 1e3) : 0;
            tau[j] = support_uniform(&b.random, -5, 5);
        }
        dt_crba(s->tree, s->motion, composite, M);
        assert_int_equal(dt_aba_factor(s->tree, s->motion, held, d, &b.aba), -1);
        const dt_aba_load load = {.tau = tau};
        dt_aba_solve(s->tree, s->motion, &load, &b.aba, a, NULL);
        for (int j = 0; j < nv; j++) {
            back[j] = d[j] * a[j];
            for (int k = 0; k < nv; k++)
                back[j] += M[j * nv + k] * a[k];
        }
        assert_close(back, tau, nv, 1e-9, 1 + largest(tau, nv));
        finish(&b);
    }
}

/** S'F and the laws at q + h dq, ...: the residual whose derivative the Newton matrix is. */
static void residual_at(dt_system *s, const double *q, const double *v, const double *a,
                        const double *f, double *r_v, double *r_f)
{
    dt_system_set_state(s, 0, q, v);
    dt_system_set_acceleration(s, a, f);
    dt_system_forces(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++)
            r_v[j] = s->tau[j] - s->Q[j] - (k < 0 ? 0 : f[k]);
        if (k >= 0)
            r_f[k] = s->mode[k] == DETENT_LOCKED
                         ? a[node->v]
                         : f[k] + s->direction[k] * dt_system_kinetic(s, k, s->direction[k]);
    }
}

/** The dense Jacobian against central differences, column by column. */
static void dense_jacobian_is_the_derivative(void **state)
{
    (void)state;
    const double h = 1e-5, c = 37;
    for (int seed = 1; seed <= 60; seed++) {
        bench b;
        begin(&b, seed, 1 + seed % 7, true);
        dt_system *s = &b.system;
        const int nq = s->tree->nq, nv = s->tree->nv, ns = s->mechanism->stiction_count,
                  order = nq + nv + ns;
        dt_dense_newton dn;
        assert_true(dt_dense_newton_create(&b.arena, s, &dn));
        dt_dense_newton_assemble(&dn, s, DT_NEWTON_STEP, c);
        double *y = vector(&b, order), *yp = vector(&b, nv), *plus = vector(&b, nv + ns),
               *minus = vector(&b, nv + ns);
        memcpy(y, s->q, (size_t)nq * sizeof *y);
        memcpy(y + nq, s->v, (size_t)nv * sizeof *y);
        memcpy(y + nq + nv, s->f, (size_t)ns * sizeof *y);
        memcpy(yp, s->a, (size_t)nv * sizeof *y);
        for (int column = 0; column < order; column++) {
            double *values[2] = {plus, minus};
            for (int side = 0; side < 2; side++) {
                const double step = side == 0 ? h : -h;
                y[column] += step;
                if (column >= nq && column < nq + nv)
                    yp[column - nq] += c * step;
                residual_at(s, y, y + nq, yp, y + nq + nv, values[side], values[side] + nv);
                y[column] -= step;
                if (column >= nq && column < nq + nv)
                    yp[column - nq] -= c * step;
            }
            const double *exact = dn.matrix + (size_t)column * (size_t)order + nq;
            for (int r = 0; r < nv + ns; r++)
                plus[r] = (plus[r] - minus[r]) / (2 * h);
            assert_close(plus, exact, nv + ns, 2e-5, 1 + largest(exact, nv + ns));
        }
        finish(&b);
    }
}

static void compare_solvers(bench *b, dt_newton_level level, double c)
{
    dt_system *s = &b->system;
    const int nq = s->tree->nq, nv = s->tree->nv, ns = s->mechanism->stiction_count;
    dt_newton *solver[2] = {dt_newton_create(&b->arena, s, DETENT_LINEAR_SOLVER_TREE),
                            dt_newton_create(&b->arena, s, DETENT_LINEAR_SOLVER_DENSE)};
    double *r = vector(b, nq + nv + ns), *d[2];
    for (int k = 0; k < nq + nv + ns; k++)
        r[k] = support_uniform(&b->random, -1, 1);
    for (int which = 0; which < 2; which++) {
        assert_non_null(solver[which]);
        d[which] = vector(b, nq + nv + ns);
        assert_int_equal(dt_newton_factor(solver[which], s, level, c, NULL), DETENT_OK);
        dt_newton_solve(solver[which], s, &(dt_unknowns){.q = r, .v = r + nq, .f = r + nq + nv},
                        &(dt_unknowns){.q = d[which], .v = d[which] + nq, .f = d[which] + nq + nv});
    }
    assert_close(d[0], d[1], nq, 1e-9, largest(d[1], nq));
    assert_close(d[0] + nq, d[1] + nq, nv, 1e-9, largest(d[1] + nq, nv));
    assert_close(d[0] + nq + nv, d[1] + nq + nv, ns, 1e-9,
                 largest(d[1] + nq + nv, ns) + largest(r, nq + nv + ns));
}

/**
 * The linear-time solve is LAPACK's on the full Jacobian. c is that of steps that resolve the motion (velocities here are about
 * 2 rad/s): the elimination takes its pivots from c^2 M, so below that a pivot can vanish by chance.
 */
static void tree_solve_is_lapacks(void **state)
{
    (void)state;
    for (int seed = 1; seed <= TREES; seed++) {
        bench b;
        begin(&b, seed, 1 + seed % 15, seed % 2 == 0);
        compare_solvers(&b, DT_NEWTON_STEP, support_spread(&b.random, 30, 1e5));
        compare_solvers(&b, DT_NEWTON_ACCELERATION, 0);
        finish(&b);
    }
}

/** Accelerations of given modes satisfy every equation, with laws that read them and without. */
static void accelerations_satisfy_the_equations(void **state)
{
    (void)state;
    int explicit_count = 0;
    for (int seed = 1; seed <= TREES; seed++) {
        bench b;
        begin(&b, seed, 1 + seed % 12, seed % 2 == 0);
        dt_system *s = &b.system;
        const int nv = s->tree->nv, ns = s->mechanism->stiction_count;
        dt_newton *newton =
            dt_newton_create_up_to(&b.arena, s, DETENT_LINEAR_SOLVER_TREE,
                                   seed % 3 == 0 ? DT_NEWTON_STEP : DT_NEWTON_ACCELERATION);
        double *r = vector(&b, nv + ns);
        assert_non_null(newton);
        explicit_count += dt_newton_is_explicit(newton);
        assert_int_equal(dt_solve_accelerations(newton, s, NULL, NULL), DETENT_OK);
        residual_at(s, s->q, s->v, s->a, s->f, r, r + nv);
        double scale = 1;
        for (int i = 0; i < s->tree->node_count; i++)
            scale = fmax(scale, largest(s->F[i], 6));
        assert_true(largest(r, nv + ns) <= 1e-10 * scale);
        finish(&b);
    }
    assert_in_range(explicit_count, TREES / 10, TREES - TREES / 10);
}

/** The wrench of a moving body is V x* I V; one that does not turn takes none, to the last bit. */
static void gyroscopic_wrenches(void **state)
{
    (void)state;
    for (int seed = 1; seed <= TREES; seed++) {
        bench b;
        begin(&b, seed, 1 + seed % 12, false);
        for (int i = 0; i < b.system.tree->node_count; i++) {
            dt_motion m = b.system.motion[i];
            double momentum[6], expected[6], wrench[6];
            dt_inertia_apply(momentum, &m.I, m.V);
            dt_cross_force(expected, m.V, momentum);
            dt_motion_gyroscopic(&m, wrench);
            assert_close(wrench, expected, 6, 1e-13,
                         largest(momentum, 6) * largest(m.V, 6) + largest(expected, 6));
            memset(m.V, 0, 3 * sizeof *m.V);
            dt_motion_gyroscopic(&m, wrench);
            assert_true(largest(wrench, 6) == 0);
        }
        finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gyroscopic_wrenches),
        cmocka_unit_test(aba_inverts_rnea),
        cmocka_unit_test(wrenches_of_held_nodes_alone),
        cmocka_unit_test(crba_columns_are_rneas),
        cmocka_unit_test(added_inertia),
        cmocka_unit_test(dense_jacobian_is_the_derivative),
        cmocka_unit_test(tree_solve_is_lapacks),
        cmocka_unit_test(accelerations_satisfy_the_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
