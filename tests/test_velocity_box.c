/*
 * The search of modes posed in velocities, on random trees with springs and dampers, some joints moving, and at limits of how often it may solve:
 * velocities, forces and places belong together by inverse dynamics of its own; where the bound is met friction is inside its limits and drives nobody.
 */
#include "support_trees.h"

#include "dynamics/rnea.h"
#include "dynamics/velocity_step.h"
#include "stiction/velocity_box.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct fixture {
    dt_arena arena;
    detent_mechanism *mechanism;
    dt_system system;
    dt_newton *newton;
    dt_velocity_step step;
    dt_velocity_box box;
} fixture;

static void set_up(fixture *f, detent_mechanism *m, support_random *random)
{
    memset(f, 0, sizeof *f);
    dt_arena_init(&f->arena, NULL);
    f->mechanism = m;
    assert_int_equal(dt_system_create(&f->arena, m, &f->system, NULL), DETENT_OK);
    f->newton =
        dt_newton_create_up_to(&f->arena, &f->system, DETENT_LINEAR_SOLVER_TREE, DT_NEWTON_STEP);
    assert_non_null(f->newton);
    assert_true(dt_velocity_step_create(&f->arena, &f->system, f->newton, &f->step));
    assert_true(dt_velocity_box_create(&f->arena, &f->step, &f->box));
    dt_system *s = &f->system;
    support_random_pose(s->tree, random, s->q);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = m->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            s->v[j] = k >= 0 && support_chance(random, 0.7) ? 0 : support_uniform(random, -1, 1);
        }
    }
    dt_system_set_state(s, 0, s->q, s->v);
    f->step.start = s->v;
    for (int j = 0; j < s->tree->nv; j++) { /* forces of where the step begins */
        f->step.whole[j] = support_chance(random, 0.5);
        f->step.moved[j] = 0;
    }
    dt_velocity_step_measure(&f->step);
}

static void begin(fixture *f, double h)
{
    dt_velocity_step_find_slopes(&f->step, h);
    dt_velocity_step_begin(&f->step, h);
}

static void tear_down(fixture *f)
{
    dt_arena_free(&f->arena);
    support_free(f->mechanism);
}

/* Staircases of friction; of some joints with a stop that they may reach. */
/* Corners hold what is between the segments beside them. */
static void hold_between_segments(dt_staircase *stair)
{
    for (int c = 0; c < stair->corners; c++) {
        stair->hold[c][0] = stair->force[c + 1];
        stair->hold[c][1] = stair->force[c];
    }
}

static void make_staircases(fixture *f, support_random *random)
{
    for (int k = 0; k < f->box.count; k++) {
        dt_staircase *stair = &f->box.stair[k];
        const double v = f->system.v[f->box.freedom[k]];
        const double up = support_spread(random, 0.01, 10),
                     down = -support_spread(random, 0.01, 10);
        *stair = (dt_staircase){.corners = 1, .force = {up, down}};
        stair->place = v == 0 ? 1 : v > 0 ? 2 : 0;
        if (support_chance(random, 0.2)) {
            *stair = (dt_staircase){.corners = 2,
                                    .at = {-support_uniform(random, 0.01, 1), 0},
                                    .force = {INFINITY, up, down}};
            stair->place = v == 0 ? 3 : v > 0 ? 4 : 2;
        }
        hold_between_segments(stair);
    }
}

/* By how much the equation of motion of the solution is open, over what it is summed from; by inverse dynamics. */
static double open_equation(const fixture *f)
{
    const dt_system *s = &f->system;
    const dt_tree *tree = s->tree;
    const detent_mechanism *m = f->mechanism;
    const double h = f->step.h;
    double(*A)[6] = calloc((size_t)tree->node_count, sizeof *A),
    (*F)[6] = calloc((size_t)tree->node_count, sizeof *F);
    double *tau = calloc((size_t)tree->nv, sizeof *tau), worst = 0, largest = 0;
    dt_rnea(tree, s->motion, s->gravity, f->step.a, NULL, A, F, tau);
    for (int i = 0; i < tree->node_count; i++) {
        for (int r = 0; r < 6; r++) {
            largest = fmax(largest, fabs(F[i][r]));
        }
    }
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        const dt_primitive *p = &m->primitives[i];
        for (int j = node->v; j < node->v + node->type->nv && !p->motion; j++) {
            const double v1 = f->step.v[j], share = f->step.share[j],
                         mean = s->v[j] + share * (v1 - s->v[j]),
                         q1 = node->type->nv == 1 ? s->q[node->q] + share * h * mean : 0,
                         spring = node->type->nv == 1 ? p->stiffness * (q1 - p->rest) : 0,
                         damper = p->damping * mean,
                         friction = p->stiction >= 0 ? f->step.f[p->stiction] : 0,
                         constant =
                             s->Q[j] + p->damping * s->v[j] +
                             (node->type->nv == 1 ? p->stiffness * (s->q[node->q] - p->rest) : 0);
            const double size =
                largest + fabs(tau[j]) + fabs(spring) + fabs(damper) + fabs(friction);
            assert_true(fabs(v1 - s->v[j] - h * f->step.a[j]) <=
                        1e-12 * (fabs(v1) + fabs(s->v[j])));
            worst = fmax(worst, fabs(tau[j] - (constant - spring - damper + friction)) / size);
        }
    }
    free(A);
    free(F);
    free(tau);
    return worst;
}

/* Whether v and f of joint k are where its staircase says. */
static void check_place(const fixture *f, int k)
{
    const dt_staircase *stair = &f->box.stair[k];
    const double v = f->step.v[f->box.freedom[k]], force = f->step.f[k];
    const int corner = dt_corner_of(stair), segment = stair->place / 2;
    if (corner >= 0) {
        const double rounding = 1e-9 * (fabs(force) + fabs(f->step.force[f->box.freedom[k]]));
        assert_true(v == stair->at[corner]);
        assert_true(force <= stair->force[corner] + rounding &&
                    force >= stair->force[corner + 1] - rounding);
    } else {
        assert_true(force == stair->force[segment]);
        assert_true(segment == 0 || v >= stair->at[segment - 1]);
        assert_true(segment == stair->corners || v <= stair->at[segment]);
    }
}

static support_tree_def tree_of(int nodes)
{
    support_tree_def def = support_default_tree(nodes);
    def.load_dependent = 0;
    def.prescribed = 0.1;
    def.spring = 100;
    def.damper = 10;
    return def;
}

static void solutions_are_consistent(void **state)
{
    support_random random = {20};
    double worst = 0;
    size_t solves = 0;
    (void)state;
    for (int n = 0; n < 400; n++) {
        const support_tree_def def = tree_of(1 + support_below(&random, 40));
        fixture f;
        bool settled;
        set_up(&f, support_random_tree(&def, &random), &random);
        make_staircases(&f, &random);
        begin(&f, support_spread(&random, 1e-4, 1e-1));
        assert_int_equal(dt_velocity_box_run(&f.box, 200, &settled, NULL), DETENT_OK);
        assert_true(settled);
        solves = f.step.solves > solves ? f.step.solves : solves;
        for (int k = 0; k < f.box.count; k++) {
            check_place(&f, k);
        }
        worst = fmax(worst, open_equation(&f));
        tear_down(&f);
    }
    print_message("at most %zu solves; equations open by %.2g\n", solves, worst);
    assert_true(worst < 1e-9);
}

static void friction_drives_nobody_at_the_bound(void **state)
{
    support_random random = {21};
    int met = 0, shared = 0;
    (void)state;
    for (int n = 0; n < 600; n++) {
        const support_tree_def def = tree_of(2 + support_below(&random, 30));
        const size_t most = 1 + (size_t)support_below(&random, 3);
        fixture f;
        bool settled;
        set_up(&f, support_random_tree(&def, &random), &random);
        make_staircases(&f, &random);
        begin(&f, support_spread(&random, 1e-3, 1e-1));
        assert_int_equal(dt_velocity_box_run(&f.box, most, &settled, NULL), DETENT_OK);
        if (!settled) {
            double limits[64][2];
            assert_true(f.box.count <= 64);
            for (int k = 0; k < f.box.count; k++) {
                limits[k][0] = f.box.stair[k].force[f.box.stair[k].corners];
                limits[k][1] = f.box.stair[k].force[0];
            }
            assert_int_equal(dt_velocity_box_yield(&f.box, most, NULL), DETENT_OK);
            met++;
            shared += f.step.solves > 2 * most;
            assert_true(f.step.solves <= 2 * most + 2);
            assert_true(open_equation(&f) < 1e-9);
            for (int k = 0; k < f.box.count; k++) {
                const double rounding =
                    1e-9 * (fabs(f.step.f[k]) + fabs(f.step.force[f.box.freedom[k]]));
                assert_true(f.step.f[k] <= limits[k][1] + rounding &&
                            f.step.f[k] >= limits[k][0] - rounding);
                assert_true(f.step.f[k] * f.step.v[f.box.freedom[k]] <= 0);
            }
        }
        tear_down(&f);
    }
    print_message("the bound is met %d times, %d of them to the end\n", met, shared);
    assert_true(met > 100 && shared > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_consistent),
        cmocka_unit_test(friction_drives_nobody_at_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
