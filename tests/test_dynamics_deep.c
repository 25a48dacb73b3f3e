/*
 * Deep trees with many spherical joints: what a recursion makes of rounding over hundreds of joints.
 *
 * Every check is an equation that the solution has to satisfy, row by row, within the rounding of
 * the terms that the row is summed from. Of the acceleration of a node these are the |S a| of all
 * joints up to the ground, for the rounding of any of them is carried outward; of a force, |I| times
 * that of every node of the subtree.
 */
#include "dynamics/aba.h"
#include "dynamics/newton.h"
#include "dynamics/rnea.h"
#include "dynamics/tangent.h"
#include "math/small.h"
#include "support_trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>

enum { NODES = 1000, TREES = 12 };

/** The rounding that is allowed, relative to the terms: a few roundings of each. */
static const double few = 4 * DBL_EPSILON;

/** A deep tree at a random state; every joint with stiction is locked or moving. */
typedef struct deep_tree {
    detent_mechanism *mechanism;
    dt_arena arena;
    dt_system system;
    support_random random;
} deep_tree;

static void random_modes(deep_tree *t)
{
    dt_system *s = &t->system;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int freedom = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        const bool locked = support_chance(&t->random, 0.5);
        s->mode[k] = (signed char)(locked ? DETENT_LOCKED : DETENT_UNLOCKED);
        s->direction[k] = locked ? 0 : s->v[freedom] > 0 ? 1 : -1;
    }
}

/** Velocities such that the tips, moved by many joints, are not much faster than 1 m/s. */
static void random_state(deep_tree *t)
{
    dt_system *s = &t->system;
    support_random_pose(s->tree, &t->random, s->q);
    for (int j = 0; j < s->tree->nv; j++) {
        s->v[j] = support_uniform(&t->random, -2, 2) / sqrt(NODES);
        s->a[j] = support_uniform(&t->random, -5, 5) / sqrt(NODES);
    }
    random_modes(t);
    dt_system_set_state(s, 0, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

static int depth(const dt_tree *tree)
{
    int deepest = 0;
    for (int i = 0; i < tree->node_count; i++) {
        int steps = 0;
        for (int k = i; k >= 0; k = tree->nodes[k].parent) {
            steps++;
        }
        deepest = steps > deepest ? steps : deepest;
    }
    return deepest;
}

static void grow(deep_tree *t, int seed)
{
    t->random = (support_random){.state = (uint64_t)seed};
    support_tree_def def = support_default_tree(NODES);
    def.branching = 0.02;
    def.spherical = 0.4;
    def.weld = 0.05;
    def.floating = 0.5;
    def.slender = 0.3;
    def.stiction = 0.7;
    def.spring = 10;
    def.damper = 1;
    t->mechanism = support_random_tree(&def, &t->random);
    dt_arena_init(&t->arena, NULL);
    assert_int_equal(dt_system_create(&t->arena, t->mechanism, &t->system, NULL), DETENT_OK);
    assert_true(depth(t->system.tree) > 150);
    random_state(t);
}

static void fell(deep_tree *t)
{
    dt_arena_free(&t->arena);
    support_free(t->mechanism);
}

static double *numbers(deep_tree *t, int count)
{
    double *array = dt_arena_alloc(&t->arena, (size_t)count + 1, sizeof *array);
    assert_non_null(array);
    return array;
}

static double (*sixes(deep_tree *t))[6]
{
    double(*array)[6] =
        dt_arena_alloc(&t->arena, (size_t)t->system.tree->node_count, sizeof *array);
    assert_non_null(array);
    return array;
}

/* ---- What a row is summed from ---- */

/** out += |I| |A| entry by entry. */
static void add_inertia_size(double out[6], const dt_inertia *I, const double A[6])
{
    dt_inertia size = {.m = I->m};
    double M[36] = {0}, a[6], terms[6];
    for (int k = 0; k < 3; k++) {
        size.h[k] = I->h[k];
    }
    for (int k = 0; k < 6; k++) {
        size.J[k] = I->J[k];
        a[k] = fabs(A[k]);
    }
    dt_inertia_add_to(M, &size);
    for (int k = 0; k < 36; k++) {
        M[k] = fabs(M[k]);
    }
    dt_mul66(terms, M, a);
    dt_add6(out, terms);
}

/** out += |V| x* |I| |V| entry by entry. */
static void add_gyroscopic_size(double out[6], const dt_motion *m)
{
    double h[6] = {0};
    add_inertia_size(h, &m->I, m->V);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double *V = m->V;
        out[k] += fabs(V[i]) * h[j] + fabs(V[j]) * h[i];
        out[k] += fabs(V[3 + i]) * h[3 + j] + fabs(V[3 + j]) * h[3 + i];
        out[3 + k] += fabs(V[i]) * h[3 + j] + fabs(V[j]) * h[3 + i];
    }
}

/** Sizes (nv) of the rows of M a + bias, `a_size` that of a; without the bias where `bias` is not. */
static void row_sizes(deep_tree *t, const double *a_size, bool bias, double *size)
{
    const dt_system *s = &t->system;
    double(*A)[6] = sixes(t), (*F)[6] = sixes(t);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const dt_motion *m = &s->motion[i];
        double c[6];
        dt_motion_bias(s->tree, s->motion, i, c);
        for (int k = 0; k < 6; k++) {
            const double ground = bias && k >= 3 ? fabs(s->gravity[k - 3]) : 0;
            A[i][k] = (node->parent < 0 ? ground : A[node->parent][k]) + (bias ? fabs(c[k]) : 0);
            for (int j = 0; j < node->type->nv; j++) {
                A[i][k] += fabs(m->S[j][k]) * a_size[node->v + j];
            }
        }
    }
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &s->tree->nodes[i];
        add_inertia_size(F[i], &s->motion[i].I, A[i]);
        if (bias) {
            add_gyroscopic_size(F[i], &s->motion[i]);
        }
        for (int j = 0; j < node->type->nv; j++) {
            size[node->v + j] = 0;
            for (int k = 0; k < 6; k++) {
                size[node->v + j] += fabs(s->motion[i].S[j][k]) * F[i][k];
            }
        }
        if (node->parent >= 0) {
            dt_add6(F[node->parent], F[i]);
        }
    }
}

static void assert_row(const char *what, int row, double residual, double size)
{
    if (!(fabs(residual) <= few * size)) {
        fail_msg("%s of freedom %d: %.3g eps of its terms", what, row,
                 fabs(residual) / (DBL_EPSILON * size));
    }
}

/* ---- Articulated bodies ---- */

/** Whether I + shift 1 is positive definite: it has a Cholesky factor. */
static bool is_positive(const double I[36], double shift)
{
    double L[36];
    for (int c = 0; c < 6; c++) {
        for (int r = c; r < 6; r++) {
            double sum = I[6 * r + c] + (r == c ? shift : 0);
            for (int k = 0; k < c; k++) {
                sum -= L[6 * r + k] * L[6 * c + k];
            }
            if (r == c && !(sum > 0)) {
                return false;
            }
            L[6 * r + c] = r == c ? sqrt(sum) : sum / L[7 * c];
        }
    }
    return true;
}

/** Positive but for the rounding of the inertias of the subtree. */
static void assert_inertias(deep_tree *t, const dt_aba *aba)
{
    const dt_tree *tree = t->system.tree;
    double *largest = numbers(t, tree->node_count);
    for (int i = tree->node_count - 1; i >= 0; i--) {
        const int parent = tree->nodes[i].parent;
        const double *stored = aba->node[i].Ia;
        double trace = 0, Ia[36];
        for (int r = 0; r < 6; r++) {
            trace += *stored;
            for (int c = r; c < 6; c++) {
                Ia[6 * r + c] = Ia[6 * c + r] = *stored++;
            }
        }
        largest[i] = fmax(largest[i], trace);
        if (!is_positive(Ia, few * largest[i])) {
            fail_msg("the articulated inertia of node %d is indefinite", i);
        }
        if (parent >= 0) {
            largest[parent] = fmax(largest[parent], largest[i]);
        }
    }
}

/** The accelerations, and the forces of held nodes, against inverse dynamics. */
static void check_articulated_bodies(deep_tree *t, dt_aba *aba, const unsigned char *held,
                                     const double *tau)
{
    const dt_system *s = &t->system;
    const int nv = s->tree->nv;
    double *a = numbers(t, nv), *transmitted = numbers(t, nv), *back = numbers(t, nv);
    double *size = numbers(t, nv), *a_size = numbers(t, nv);
    dt_aba_load load = {.tau = tau, .held_a = s->a, .bias = true};
    memcpy(load.gravity, s->gravity, sizeof load.gravity);
    assert_int_equal(dt_aba_factor(s->tree, s->motion, held, NULL, aba), -1);
    assert_inertias(t, aba);
    dt_aba_solve(s->tree, s->motion, &load, aba, a, transmitted);
    dt_rnea(s->tree, s->motion, s->gravity, a, NULL, sixes(t), sixes(t), back);
    for (int j = 0; j < nv; j++) {
        a_size[j] = fabs(a[j]);
    }
    row_sizes(t, a_size, true, size);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            assert_row("transmitted force", j, back[j] - transmitted[j], size[j]);
            if (held[i]) {
                assert_true(a[j] == s->a[j]);
            } else {
                assert_row("equation", j, back[j] - tau[j], size[j] + fabs(tau[j]));
            }
        }
    }
}

/** Inverse dynamics give the forces back; with every joint free and with some held. */
static void aba_solves_the_equations(void **state)
{
    (void)state;
    static const double shares[] = {0, 0.1, 0.5, 0.9};
    for (int seed = 1; seed <= TREES; seed++) {
        deep_tree t;
        dt_aba aba;
        grow(&t, seed);
        const dt_tree *tree = t.system.tree;
        double *tau = numbers(&t, tree->nv);
        unsigned char *held = dt_arena_alloc(&t.arena, (size_t)tree->node_count, sizeof *held);
        assert_true(dt_aba_create(&t.arena, tree, &aba));
        for (int j = 0; j < tree->nv; j++) {
            tau[j] = support_uniform(&t.random, -5, 5);
        }
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
            for (int i = 0; i < tree->node_count; i++) {
                held[i] = support_chance(&t.random, shares[k]);
            }
            check_articulated_bodies(&t, &aba, held, tau);
        }
        fell(&t);
    }
}

/* ---- Newton steps ---- */

/** A change of the state and its rate as a direction of `tangent`; the sizes of its da. */
static void set_direction(const dt_system *s, dt_newton_level level, double c, const double *d,
                          dt_tangent *tangent, double *a_size)
{
    const double *d_v = d + s->tree->nq, *d_f = d_v + s->tree->nv;
    const bool step = level == DT_NEWTON_STEP;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double *dq = d + node->q, *q = s->q + node->q;
        double *dphi = tangent->dphi + node->v;
        if (node->type->nq == 1) {
            dphi[0] = step ? dq[0] : 0;
        } else if (node->type->nq == 4) {
            double cross[3];
            dt_cross3(cross, q + 1, dq + 1);
            for (int j = 0; j < 3; j++) {
                dphi[j] = step ? 2 * (q[0] * dq[1 + j] - dq[0] * q[1 + j] - cross[j]) : 0;
            }
        }
    }
    for (int j = 0; j < s->tree->nv; j++) {
        tangent->dv[j] = step ? d_v[j] : 0;
        tangent->da[j] = step ? c * d_v[j] : d_v[j];
        /* dv was found as c dphi + b */
        a_size[j] = fabs(tangent->da[j]) + (step ? c * c * fabs(tangent->dphi[j]) : 0);
    }
    memcpy(tangent->df, d_f, (size_t)s->mechanism->stiction_count * sizeof *d_f);
}

/** J d of the rows of the dynamics and of friction, in the direction set in `tangent`. */
static void jacobian_times(dt_system *s, dt_tangent *t, double *rows_v, double *rows_f)
{
    dt_tangent_inverse(t, s);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const dt_primitive *p = &s->mechanism->primitives[i];
        const int k = p->stiction, v = node->v;
        for (int j = v; j < v + node->type->nv; j++) {
            rows_v[j] = t->dtau[j] + p->damping * t->dv[j];
        }
        if (node->type->nv == 1) {
            rows_v[v] += p->stiffness * t->dphi[v];
        }
        if (k >= 0) {
            rows_v[v] -= t->df[k];
            /* Friction is constant. */
            rows_f[k] = s->mode[k] == DETENT_LOCKED ? t->da[v] : t->df[k];
        }
    }
}

static void check_newton_step(deep_tree *t, dt_newton *newton, dt_newton_level level, double c)
{
    dt_system *s = &t->system;
    const int nq = s->tree->nq, nv = s->tree->nv, ns = s->mechanism->stiction_count;
    double *r = numbers(t, nq + nv + ns), *d = numbers(t, nq + nv + ns);
    double *rows = numbers(t, nv + ns), *size = numbers(t, nv), *a_size = numbers(t, nv);
    dt_tangent tangent;
    assert_true(dt_tangent_create(&t->arena, s, &tangent));
    for (int k = 0; k < nq + nv + ns; k++) {
        r[k] = support_uniform(&t->random, -1, 1);
    }
    assert_int_equal(dt_newton_factor(newton, s, level, c, NULL), DETENT_OK);
    dt_newton_solve(newton, s, &(dt_unknowns){.q = r, .v = r + nq, .f = r + nq + nv},
                    &(dt_unknowns){.q = d, .v = d + nq, .f = d + nq + nv});
    set_direction(s, level, c, d, &tangent, a_size);
    jacobian_times(s, &tangent, rows, rows + nv);
    row_sizes(t, a_size, false, size);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        const double f = k < 0 ? 0 : fabs(tangent.df[k]);
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            assert_row("dynamics", j, rows[j] + r[nq + j], size[j] + fabs(r[nq + j]) + f);
        }
        if (k >= 0) {
            const double terms = s->mode[k] == DETENT_LOCKED ? a_size[node->v] : size[node->v] + f;
            assert_row("friction", node->v, rows[nv + k] + r[nq + nv + k],
                       terms + fabs(r[nq + nv + k]));
        }
    }
}

/**
 * J d = -r of the linear-time solve. Steps (1 / c) short against the motion, so that inertia
 * outweighs the terms of velocity, which are not counted in the sizes.
 */
static void newton_steps_satisfy_their_equations(void **state)
{
    (void)state;
    for (int seed = 1; seed <= TREES; seed++) {
        deep_tree t;
        grow(&t, seed);
        dt_newton *newton = dt_newton_create(&t.arena, &t.system, DETENT_LINEAR_SOLVER_TREE);
        assert_non_null(newton);
        check_newton_step(&t, newton, DT_NEWTON_ACCELERATION, 0);
        check_newton_step(&t, newton, DT_NEWTON_STEP, 1e3);
        check_newton_step(&t, newton, DT_NEWTON_STEP, 1e5);
        fell(&t);
    }
}

/* ---- The freedoms of one node ---- */

/** A symmetric, positive matrix, ill-conditioned as `least` is small, and a skew part. */
static void random_matrix(support_random *random, double least, double skew, double a[9])
{
    double B[9], scale[3];
    for (int k = 0; k < 9; k++) {
        B[k] = support_uniform(random, -1, 1);
    }
    for (int k = 0; k < 3; k++) {
        scale[k] = support_spread(random, least, 1);
    }
    for (int k = 0; k < 9; k++) {
        const double *row = B + 3 * (k / 3), *column = B + 3 * (k % 3);
        a[k] = skew * (row[k % 3] - column[k / 3]);
        for (int l = 0; l < 3; l++) {
            a[k] += scale[l] * (row[l] * column[l]);
        }
    }
}

static void assert_decoupled(const double a[9], const double left[9], const double right[9],
                             const double pivot[3])
{
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
            double sum = j == k ? -pivot[j] : 0, size = 0;
            for (int l = 0; l < 9; l++) {
                const double term = left[3 * j + l / 3] * a[l] * right[3 * k + l % 3];
                sum += term;
                size += fabs(term);
            }
            assert_true(fabs(sum) <= few * size);
        }
    }
}

/** left a right' is diagonal; of a symmetric matrix by equal and moderate combinations. */
static void decoupled_freedoms_are_diagonal(void **state)
{
    (void)state;
    support_random random = {.state = 1};
    double a[9], left[9], right[9], pivot[3];
    for (int round = 0; round < 1000; round++) {
        const bool symmetric = round % 2 == 0;
        random_matrix(&random, symmetric ? 1e-12 : 0.1, symmetric ? 0 : 0.1, a);
        assert_true(dt_small_decouple(a, 0, left, right, pivot));
        assert_decoupled(a, left, right, pivot);
        for (int k = 0; k < 9 && symmetric; k++) {
            assert_true(left[k] == right[k] && fabs(left[k]) <= 2);
        }
    }
    const double zero[9] = {0}, unknown[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    assert_false(dt_small_decouple(zero, 0, left, right, pivot));
    assert_false(dt_small_decouple(unknown, 0, left, right, pivot));
}

/** A rod without thickness does not resist a turn about itself: the joint is named as singular. */
static void a_needle_is_refused(void **state)
{
    (void)state;
    support_random random = {.state = 1};
    support_tree_def def = support_default_tree(1);
    def.spherical = def.slender = 1;
    for (int round = 0; round < 100; round++) {
        detent_mechanism *m = support_random_tree(&def, &random);
        dt_mass *rod = (dt_mass *)(size_t)m->tree.nodes[0].body;
        for (int k = 0; k < 6; k++) { /* com is half the rod: m (c.c 1 - c c') / 3 */
            static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
            const double *c = rod->com;
            rod->inertia[k] =
                rod->mass / 3 * ((k < 3 ? dt_dot3(c, c) : 0) - c[row[k]] * c[column[k]]);
        }
        deep_tree t = {.mechanism = m, .random = random};
        dt_aba aba;
        const unsigned char held[1] = {0};
        dt_arena_init(&t.arena, NULL);
        assert_int_equal(dt_system_create(&t.arena, m, &t.system, NULL), DETENT_OK);
        random_state(&t);
        dt_newton *newton = dt_newton_create(&t.arena, &t.system, DETENT_LINEAR_SOLVER_TREE);
        assert_true(dt_aba_create(&t.arena, t.system.tree, &aba));
        assert_int_equal(dt_aba_factor(t.system.tree, t.system.motion, held, NULL, &aba), 0);
        assert_int_equal(dt_newton_factor(newton, &t.system, DT_NEWTON_ACCELERATION, 0, NULL),
                         DETENT_ERROR_NUMERIC);
        fell(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aba_solves_the_equations),
        cmocka_unit_test(newton_steps_satisfy_their_equations),
        cmocka_unit_test(decoupled_freedoms_are_diagonal),
        cmocka_unit_test(a_needle_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
