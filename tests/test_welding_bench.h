/** @file test_welding_bench.h
 * Random mechanisms with groups of locked joints, and what of the welded one must agree with the whole. */
#ifndef TEST_WELDING_BENCH_H
#define TEST_WELDING_BENCH_H

#include "dynamics/arm.h"
#include "dynamics/newton.h"
#include "reduce/welding.h"
#include "support_trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TREES = 400, LOADS = 5, STRUTS = 2 };

typedef struct bench {
    detent_mechanism *mechanism;
    dt_arena arena;
    dt_system whole;
    dt_newton *newton, *core_newton;
    dt_welding welding;
    support_random random;
    double *f;                /**< stiction_count: friction of the welded joints, in their order */
    double (*magnitude)[2];   /**< nodes of the whole: moment, force */
    double far;               /**< m: from the world's origin */
    double worst, worst_near; /**< residuals; differences of friction */
} bench;

/* ---- mechanisms ---- */

/** Loads in both frames, constant and not, some of them at bodies that do not move. */
static void add_loads(bench *b)
{
    detent_mechanism *m = b->mechanism;
    dt_load *loads = dt_arena_alloc(&m->arena, LOADS + 2 * STRUTS, sizeof *loads);
    assert_non_null(loads);
    for (int l = 0; l < LOADS; l++) {
        double turn[4];
        loads[l].name = "load";
        loads[l].node = support_below(&b->random, m->tree.node_count);
        loads[l].frame = l % 2 ? DETENT_FRAME_WORLD : DETENT_FRAME_BODY;
        support_unit(&b->random, 4, turn);
        dt_spherical.pose(NULL, turn, loads[l].R, loads[l].point);
        for (int k = 0; k < 3; k++) {
            const double c = support_uniform(&b->random, -5, 5);
            loads[l].point[k] = support_uniform(&b->random, -1, 1);
            loads[l].force[k] = support_constant(m, c);
            loads[l].torque[k] = support_motion(m, c, support_uniform(&b->random, -5, 5), 1);
        }
        if (support_chance(&b->random, 0.3)) {
            loads[l].torque[1] = NULL;
        }
    }
    m->loads = loads;
    m->load_count = m->place_count = LOADS;
    if (support_chance(&b->random, 0.5)) {
        support_add_struts(m, &b->random, STRUTS, loads + LOADS);
    }
}

static support_tree_def tree_def(int nodes)
{
    support_tree_def def = support_default_tree(nodes);
    def.spherical = 0.08;
    def.weld = 0.05;
    def.floating = 0.1;
    def.prescribed = 0.3;
    def.stiction = 0.8;
    def.massless = 0.2;
    def.asymmetric = 0.3;
    def.load_dependent = 0.3;
    def.spring = 20;
    def.damper = 1;
    def.force = 5;
    def.armature = 0.2;
    return def;
}

static void move_away(detent_mechanism *m, double far)
{
    const dt_node *nodes = m->tree.nodes;
    dt_load *places = (dt_load *)m->loads;
    for (int l = 0; l < m->place_count; l++) {
        if (places[l].node < 0) { /* ends of springs on the ground */
            places[l].point[0] += far;
            places[l].point[1] -= 0.7 * far;
            places[l].point[2] += 0.3 * far;
        }
    }
    for (int i = 0; i < m->tree.node_count; i++) {
        if (nodes[i].parent < 0) {
            double *p = ((dt_joint_frame *)(size_t)nodes[i].frame)->p;
            p[0] += far;
            p[1] -= 0.7 * far;
            p[2] += 0.3 * far;
        }
    }
}

/* ---- states ---- */

static void open_bench(bench *b)
{
    detent_mechanism *m = b->mechanism;
    dt_arena_init(&b->arena, NULL);
    assert_int_equal(dt_system_create(&b->arena, m, &b->whole, NULL), DETENT_OK);
    assert_true(dt_welding_is_possible(&b->whole) || m->stiction_count == 0);
    assert_true(dt_welding_create(&b->arena, &b->whole, false, &b->welding));
    b->newton = dt_newton_create(&b->arena, &b->whole, DETENT_LINEAR_SOLVER_TREE);
    b->core_newton = dt_newton_create(&b->arena, &b->welding.system, DETENT_LINEAR_SOLVER_TREE);
    b->f = dt_arena_alloc(&b->arena, (size_t)m->stiction_count, sizeof *b->f);
    b->magnitude = dt_arena_alloc(&b->arena, (size_t)m->tree.node_count, sizeof *b->magnitude);
    assert_true(b->newton && b->core_newton && b->f && b->magnitude);
    b->worst = b->worst_near = 0;
}

/**
 * What rounding may do, relative: some tens of roundings in a body's wrench, and one more for every
 * body that is summed; a place far away is known to far * DBL_EPSILON, and the arms of forces are
 * some tenths of a metre.
 */
static double rounding(const bench *b)
{
    return (100 + b->mechanism->tree.node_count) * DBL_EPSILON * (1 + b->far);
}

static void close_bench(bench *b)
{
    dt_arena_free(&b->arena);
    support_free(b->mechanism);
}

/** A random state; joints are locked with this probability. */
static void random_state(bench *b, double locked)
{
    dt_system *s = &b->whole;
    support_random_pose(s->tree, &b->random, s->q);
    for (int j = 0; j < s->tree->nv; j++) {
        s->v[j] = support_uniform(&b->random, -2, 2);
        s->a[j] = 0;
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        double *v = &s->v[s->tree->nodes[s->mechanism->stictions[k].primitive].v];
        const bool holds = support_chance(&b->random, locked);
        *v = holds ? 0 : *v;
        s->mode[k] = holds ? DETENT_LOCKED : DETENT_UNLOCKED;
        s->direction[k] = (signed char)(holds ? 0 : *v > 0 ? 1 : -1);
        s->f[k] = 0;
    }
    dt_system_set_state(s, 0.7, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

/* ---- what must agree ---- */

/** Magnitudes of what the wrench of each joint is summed from, about the origin of the whole. */
static void measure(bench *b)
{
    const dt_system *s = &b->whole;
    const double g = dt_norm3(s->gravity);
    memset(b->magnitude, 0, (size_t)s->tree->node_count * sizeof *b->magnitude);
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        const dt_inertia *I = &s->motion[i].I;
        const double *V = s->motion[i].V, *A = s->A[i], w = dt_norm3(V), v = dt_norm3(V + 3);
        const double angular = dt_norm3(A) + w * w, linear = dt_norm3(A + 3) + g + w * v;
        const double h = dt_norm3(I->h), J = dt_norm3(I->J) + dt_norm3(I->J + 3);
        double *own = b->magnitude[i];
        own[0] += J * angular + h * linear + (s->external ? dt_norm3(s->external[i]) : 0);
        own[1] += I->m * linear + h * angular + (s->external ? dt_norm3(s->external[i] + 3) : 0);
        if (s->tree->nodes[i].parent >= 0) {
            b->magnitude[s->tree->nodes[i].parent][0] += own[0];
            b->magnitude[s->tree->nodes[i].parent][1] += own[1];
        }
    }
}

/** Size of the terms of the equation of freedom j of node i. */
static double size_of(const bench *b, int i, int j)
{
    const double *S = b->whole.motion[i].S[j];
    return fabs(b->whole.Q[b->whole.tree->nodes[i].v + j]) + b->magnitude[i][0] * dt_norm3(S) +
           b->magnitude[i][1] * dt_norm3(S + 3) + DBL_MIN;
}

/** The solution of the welded system, put into the whole, leaves no residual. */
static void compare_forces(bench *b)
{
    dt_system *s = &b->whole, *core = &b->welding.system;
    dt_welding_expand(&b->welding, core->q, core->v, core->a, core->f, s);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (b->welding.welded[k]) {
            s->f[k] = b->f[k];
        }
    }
    dt_system_set_state(s, core->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
    measure(b);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = 0; j < node->type->nv && !dt_is_prescribed(s, i); j++) {
            const double f = k < 0 ? 0 : s->f[k];
            const double residual = s->tau[node->v + j] - s->Q[node->v + j] - f;
            b->worst = fmax(b->worst, fabs(residual) / size_of(b, i, j));
        }
        if (k >= 0 && s->mode[k] != DETENT_LOCKED) {
            const double f = -s->direction[k] * dt_system_kinetic(s, k, s->direction[k]);
            b->worst = fmax(b->worst, fabs(s->f[k] - f) / (size_of(b, i, 0) + fabs(f)));
        }
    }
}

/**
 * Its friction is that of the whole, solved from scratch: here the rounding of the accelerations
 * comes in as well, times the condition of the tree.
 */
static void compare_solutions(bench *b)
{
    dt_system *s = &b->whole;
    memset(s->a, 0, (size_t)s->tree->nv * sizeof *s->a);
    memset(s->f, 0, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    assert_int_equal(dt_solve_accelerations(b->newton, s, NULL, NULL), DETENT_OK);
    measure(b);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const double size = size_of(b, s->mechanism->stictions[k].primitive, 0);
        if (b->welding.welded[k]) {
            b->worst_near = fmax(b->worst_near, fabs(s->f[k] - b->f[k]) / size);
        }
    }
}

static void assert_near(const char *what, int k, double value, double expected, double allowed)
{
    if (!(fabs(value - expected) <= allowed)) {
        fail_msg("%s %d: %.17g, not %.17g", what, k, value, expected);
    }
}

/** Every node is where its group says; its mass is in the group. */
static void compare_groups(const bench *b)
{
    const dt_welding *w = &b->welding;
    const dt_system *s = &b->whole, *core = &w->system;
    double most = 1;
    for (int i = 0; i < s->tree->node_count; i++) {
        most = fmax(most, dt_norm3(s->motion[i].p));
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const int c = dt_welding_carrier(w, i);
        double p[3], R[9];
        memcpy(p, dt_welding_origin(w, i), sizeof p);
        memcpy(R, dt_welding_rotation(w, i), sizeof R);
        if (c >= 0) {
            dt_motion_point(&core->motion[c], dt_welding_origin(w, i), p);
            dt_mul33(R, core->motion[c].R, dt_welding_rotation(w, i));
        }
        for (int k = 0; k < 9; k++) {
            assert_near("rotation of node", i, R[k], s->motion[i].R[k], 1e-12);
        }
        for (int k = 0; k < 3; k++) {
            assert_near("place of node", i, p[k], s->motion[i].p[k], 1e-13 * most);
        }
    }
}

/** Kinetic energy and momentum, about the world's origin: the groups' inertias at work. */
static void compare_momentum(const bench *b)
{
    const dt_system *systems[2] = {&b->whole, &b->welding.system};
    double energy[2], sum[2][6] = {{0}}, size[2] = {DBL_MIN, DBL_MIN};
    for (int n = 0; n < 2; n++) {
        const dt_system *s = systems[n];
        energy[n] = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
        for (int i = 0; i < s->tree->node_count; i++) {
            double momentum[6], moment[3];
            dt_inertia_apply(momentum, &s->motion[i].I, s->motion[i].V);
            dt_cross3(moment, dt_origin_of(s, i), momentum + 3);
            for (int k = 0; k < 3; k++) {
                momentum[k] += moment[k];
            }
            dt_add6(sum[n], momentum);
            size[0] += dt_norm3(momentum) + dt_norm3(moment);
            size[1] += dt_norm3(momentum + 3);
        }
    }
    assert_near("kinetic energy", 0, energy[1], energy[0], 10 * rounding(b) * energy[0]);
    for (int k = 0; k < 3; k++) {
        assert_near("angular momentum", k, sum[1][k], sum[0][k], 10 * rounding(b) * size[0]);
        assert_near("momentum", k, sum[1][3 + k], sum[0][3 + k], 10 * rounding(b) * size[1]);
    }
}

/** False where the whole cannot be solved: there is no answer to compare. */
static bool compare(bench *b)
{
    dt_system *core = &b->welding.system;
    dt_welding_forget(&b->welding); /* coordinates are new, also those of locked joints */
    dt_welding_form(&b->welding);
    if (dt_solve_accelerations(b->core_newton, core, NULL, NULL) != DETENT_OK) {
        assert_int_not_equal(dt_solve_accelerations(b->newton, &b->whole, NULL, NULL), DETENT_OK);
        return false;
    }
    dt_welding_update(&b->welding);
    for (int k = 0; k < b->whole.mechanism->stiction_count; k++) {
        b->f[k] = b->welding.welded[k] ? dt_welding_friction(&b->welding, k) : 0;
    }
    compare_groups(b);
    compare_momentum(b);
    compare_forces(b);
    compare_solutions(b);
    return true;
}

static void assert_rounding(const bench *b, const char *what)
{
    if (getenv("DETENT_TEST_VERBOSE")) {
        print_message("    %s: residual %.2g of %.2g, friction %.2g\n", what, b->worst, rounding(b),
                      b->worst_near);
    }
    if (!(b->worst <= rounding(b) && b->worst_near <= 100 * rounding(b))) {
        fail_msg("%s: residual %.3g, friction %.3g", what, b->worst, b->worst_near);
    }
}

#endif
