/*
 * Spreads: loads, gravity and accelerations of random trees are changed, and what the joints transmit, welded ones
 * included, never changes by more than the spread says. Nor is the spread far from what such changes can do: some
 * of them come near it.
 */
#include "reduce/group_spread.h"
#include "support_trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { TREES = 300, LOADS = 3 };

typedef struct bench {
    detent_mechanism *mechanism;
    dt_arena arena;
    dt_system whole;
    dt_welding welding;
    dt_spread spread;
    double (*bundle)[6]; /* spreads of the wrenches of bundles */
    support_random random;
    double (*F)[6], *friction, *a; /* before */
    double nearest;                /* largest part of a spread that a change has taken */
} bench;

/* Components that go with t, each at a rate of its own. */
static void add_laws(bench *b)
{
    detent_mechanism *m = b->mechanism;
    dt_load *loads = dt_arena_alloc(&m->arena, LOADS, sizeof *loads);
    assert_non_null(loads);
    for (int l = 0; l < LOADS; l++) {
        double turn[4];
        loads[l].name = "load";
        loads[l].node = support_below(&b->random, m->tree.node_count);
        loads[l].frame = l % 2 ? DETENT_FRAME_WORLD : DETENT_FRAME_BODY;
        support_unit(&b->random, 4, turn);
        dt_spherical.pose(NULL, turn, loads[l].R, loads[l].point);
        for (int k = 0; k < 3; k++) {
            loads[l].point[k] = support_uniform(&b->random, -1, 1);
            loads[l].force[k] = support_motion(m, 1, support_uniform(&b->random, -5, 5), 0);
            loads[l].torque[k] = support_motion(m, 1, support_uniform(&b->random, -5, 5), 0);
        }
    }
    m->loads = loads;
    m->load_count = m->place_count = LOADS;
    if (support_chance(&b->random, 0.5)) {
        for (int k = 0; k < 3; k++) {
            m->gravity[k] = support_motion(m, 1, support_uniform(&b->random, -5, 5), 0);
        }
    }
}

static void open_bench(bench *b)
{
    support_tree_def def = support_default_tree(2 + support_below(&b->random, 12));
    def.spherical = 0.05;
    def.floating = 0.1;
    def.massless = 0.2;
    def.stiction = 0.8;
    b->mechanism = support_random_tree(&def, &b->random);
    add_laws(b);
    dt_arena_init(&b->arena, NULL);
    assert_int_equal(dt_system_create(&b->arena, b->mechanism, &b->whole, NULL), DETENT_OK);
    const size_t n = (size_t)b->mechanism->tree.node_count,
                 ns = (size_t)b->mechanism->stiction_count, nv = (size_t)b->mechanism->tree.nv;
    assert_true(dt_welding_create(&b->arena, &b->whole, false, &b->welding));
    assert_true(dt_spread_create(&b->arena, &b->whole, &b->spread));
    b->bundle = dt_arena_alloc(&b->arena, (size_t)b->welding.bundle_count, sizeof *b->bundle);
    b->F = dt_arena_alloc(&b->arena, n, sizeof *b->F);
    b->friction = dt_arena_alloc(&b->arena, ns, sizeof *b->friction);
    b->a = dt_arena_alloc(&b->arena, nv, sizeof *b->a);
    assert_true(b->bundle && b->F && b->friction && b->a);
}

/* Some joints locked, the others at random; the welded system is formed, with accelerations at random. */
static void form(bench *b)
{
    dt_system *s = &b->whole, *core = &b->welding.system;
    support_random_pose(s->tree, &b->random, s->q);
    for (int j = 0; j < s->tree->nv; j++) {
        s->v[j] = support_uniform(&b->random, -2, 2);
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const bool holds = support_chance(&b->random, 0.6);
        double *v = &s->v[s->tree->nodes[s->mechanism->stictions[k].primitive].v];
        *v = holds ? 0 : *v;
        s->mode[k] = holds ? DETENT_LOCKED : DETENT_UNLOCKED;
        s->direction[k] = holds ? 0 : *v > 0 ? 1 : -1;
    }
    dt_system_set_state(s, 0.7, s->q, s->v);
    dt_welding_form(&b->welding);
    for (int j = 0; j < core->tree->nv; j++) {
        b->a[j] = support_uniform(&b->random, -2, 2);
    }
}

static void evaluate(bench *b, double t)
{
    dt_system *core = &b->welding.system;
    dt_system_set_state(core, t, core->q, core->v);
    dt_system_set_acceleration(core, b->a, core->f);
    dt_welding_update(&b->welding);
}

static double change(const dt_system *s, const dt_law *law, double t0, double t1)
{
    double registers[64], value[2], t[2] = {t0, t1};
    if (!law->program) {
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        value[k] = dt_program_value(law->program, &t[k], dt_law_branches(s, law), registers);
    }
    return fabs(value[1] - value[0]);
}

/* What changes, by how much. */
static void fill_spread(bench *b, double t0, double t1)
{
    dt_system *core = &b->welding.system;
    dt_spread *spread = &b->spread;
    dt_spread_clear(core, spread);
    for (int k = 0; k < 3; k++) {
        spread->gravity[k] = change(core, dt_gravity_law(core, k), t0, t1);
    }
    for (int l = 0; l < LOADS; l++) {
        for (int k = 0; k < 3; k++) {
            spread->load[l][k] = change(core, dt_load_law(core, l, k), t0, t1);
            spread->load[l][3 + k] = change(core, dt_load_law(core, l, 3 + k), t0, t1);
        }
    }
    for (int i = 0; i < core->tree->node_count; i++) {
        const dt_node *node = &core->tree->nodes[i];
        if (node->type->nv == 1 && support_chance(&b->random, 0.2)) {
            const double more = support_uniform(&b->random, -1, 1);
            b->a[node->v] += more;
            spread->motion[i] = fabs(more);
        }
    }
    dt_spread_sweep(core, spread);
    dt_spread_bundles(&b->welding, spread, b->bundle);
}

/* `size`: of what both were summed from, whose rounding is forgiven. */
static void must_hold(bench *b, double before, double after, double spread, double size)
{
    const double moved = fabs(after - before),
                 rounding = 1e-12 * (size + fabs(before) + fabs(after) + 1);
    if (moved > spread + rounding) {
        fail_msg("changes by %g, the spread is %g", moved, spread);
    }
    if (spread > 1e-6) {
        b->nearest = fmax(b->nearest, moved / spread);
    }
}

static double welded_spread(const bench *b, int k)
{
    const dt_welded_joint *joint = dt_welding_joint(&b->welding, k);
    double motion[6], sum = 0;
    dt_spread_group(&b->welding, &b->spread,
                    joint->carrier < 0 ? -1 : b->welding.number[joint->carrier], motion);
    for (int j = 0; j < 6; j++) {
        sum += fabs(joint->k[j]) * motion[j];
        sum += joint->bundle < 0 ? 0 : fabs(joint->S[j]) * b->bundle[joint->bundle][j];
    }
    return sum;
}

static void compare(bench *b)
{
    const dt_system *core = &b->welding.system;
    const double t0 = 0.7, t1 = 0.7 + support_uniform(&b->random, 0, 1);
    evaluate(b, t0);
    memcpy(b->F, core->F, (size_t)core->tree->node_count * sizeof *b->F);
    for (int k = 0; k < b->mechanism->stiction_count; k++) {
        b->friction[k] = b->welding.welded[k] ? dt_welding_friction(&b->welding, k) : 0;
    }
    fill_spread(b, t0, t1);
    evaluate(b, t1);
    for (int i = 0; i < core->tree->node_count; i++) {
        const double size = dt_norm3(core->F[i]) + dt_norm3(core->F[i] + 3);
        double tau[2] = {0, 0};
        for (int k = 0; k < 6; k++) {
            must_hold(b, b->F[i][k], core->F[i][k], b->spread.F[i][k], size);
            if (core->tree->nodes[i].type->nv == 1) {
                tau[0] += core->motion[i].S[0][k] * b->F[i][k];
                tau[1] += core->motion[i].S[0][k] * core->F[i][k];
            }
        }
        if (core->tree->nodes[i].type->nv == 1) {
            must_hold(b, tau[0], tau[1], dt_spread_force(core, &b->spread, i), size);
        }
    }
    for (int k = 0; k < b->mechanism->stiction_count; k++) {
        if (b->welding.welded[k]) {
            must_hold(b, b->friction[k], dt_welding_friction(&b->welding, k), welded_spread(b, k),
                      100);
        }
    }
}

static void changes_stay_within_the_spread(void **state)
{
    bench b = {.random = {17}};
    (void)state;
    for (int n = 0; n < TREES; n++) {
        open_bench(&b);
        for (int k = 0; k < 5; k++) {
            form(&b);
            compare(&b);
        }
        dt_arena_free(&b.arena);
        support_free(b.mechanism);
    }
    assert_true(b.nearest > 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_stay_within_the_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
