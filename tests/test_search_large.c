/* First searches of large mechanisms, all at rest: chains and random trees of up to 10,000
 * joints, hanging still or pushed about. Every result is verified by the search itself; here are
 * counted the linear-time solves, and the complementarity is checked once more against inverse
 * dynamics. */

#include "support_trees.h"

#include "dynamics/rnea.h"
#include "stiction/mode_search.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { most_solves = 60 };

/** What inverse dynamics sums up for each node: absolute values of all terms, about the origin. */
static void add_sizes(const dt_system *s, double (*A)[6], double (*size)[6])
{
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        const int parent = s->tree->nodes[i].parent;
        double I[36] = {0};
        dt_inertia_add_to(I, &s->motion[i].I);
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++) {
                size[i][r] += fabs(I[6 * r + c] * A[i][c]);
            }
            if (parent >= 0) {
                size[parent][r] += size[i][r];
            }
        }
    }
}

/** By how much joint k, which needs the force `needed`, violates its mode. */
static double violation_of(dt_system *s, int k, double needed)
{
    const int v = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
    double limits[2];
    if (s->mode[k] == DETENT_LOCKED) {
        assert_true(s->a[v] == 0);
        dt_system_limits(s, k, limits);
        return fmax(0, fmax(needed - limits[1], limits[0] - needed));
    }
    assert_int_equal(s->mode[k], DETENT_WAIT);
    assert_true(s->direction[k] * s->a[v] > 0);
    return fabs(needed + s->direction[k] * dt_system_kinetic(s, k, s->direction[k]));
}

/**
 * Largest violation of a consistent state, in units of the rounding of the forces that inverse
 * dynamics sums up.
 */
static double violation(dt_system *s)
{
    const dt_tree *tree = s->tree;
    const size_t n = (size_t)tree->node_count;
    double worst = 0;
    double(*A)[6] = calloc(n, sizeof *A), (*F)[6] = calloc(n, sizeof *F),
    (*size)[6] = calloc(n, sizeof *size);
    double *tau = calloc((size_t)tree->nv, sizeof *tau);
    dt_rnea(tree, s->motion, s->gravity, s->a, NULL, A, F, tau);
    dt_system_forces(s);
    add_sizes(s, A, size);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int node = s->mechanism->stictions[k].primitive, v = tree->nodes[node].v;
        const double needed = tau[v] - s->Q[v];
        double z = fabs(s->Q[v]);
        for (int j = 0; j < 6; j++) {
            z += fabs(s->motion[node].S[0][j]) * size[node][j];
        }
        worst = fmax(worst, fmax(violation_of(s, k, needed), fabs(needed - s->f[k])) / z);
    }
    free(A);
    free(F);
    free(size);
    free(tau);
    return worst / (DBL_EPSILON * sqrt((double)n));
}

/** One first search from rest, every joint locked. */
static dt_search_result search_once(detent_mechanism *mechanism, const double *q)
{
    dt_arena arena;
    dt_system system;
    dt_search_result result;
    detent_error error = {0};
    const dt_search_request request = {0};
    dt_arena_init(&arena, NULL);
    assert_int_equal(dt_system_create(&arena, mechanism, &system, NULL), DETENT_OK);
    dt_newton *newton = dt_newton_create(&arena, &system, DETENT_LINEAR_SOLVER_TREE);
    dt_search *search = dt_search_create(&arena, &system, false);
    assert_non_null(newton);
    assert_non_null(search);
    dt_system_set_state(&system, 0, q ? q : system.q, system.v);
    if (dt_search_run(search, &system, newton, &request, &result, &error) != DETENT_OK) {
        fail_msg("%s", error.message);
    }
    assert_true(violation(&system) < 100);
    dt_arena_free(&arena);
    return result;
}

/** 1 m and 1 kg in all, straight and horizontal. */
static void hanging_chains(void **state)
{
    (void)state;
    for (int count = 10; count <= 10000; count *= 10) {
        for (int ratio = 0; ratio < 2; ratio++) {
            size_t solves[2];
            for (int weak = 0; weak < 2; weak++) {
                support_chain_def def = support_default_chain(count);
                def.kinetic = weak ? 0.1 : 1;
                def.ratio = ratio ? 1.5 : 1;
                detent_mechanism *chain = support_chain(&def, NULL);
                solves[weak] = search_once(chain, NULL).solves;
                assert_true(solves[weak] <= most_solves);
                support_free(chain);
            }
            print_message("%5d rods, static %s kinetic: %zu solves at 1 N m, %zu at 0.1 N m\n",
                          count, ratio ? "= 1.5" : "=", solves[0], solves[1]);
        }
    }
}

typedef struct spread {
    size_t sum, most, most_rounds, count;
} spread;

static void add_to_spread(spread *s, dt_search_result result)
{
    s->sum += result.solves;
    s->most = result.solves > s->most ? result.solves : s->most;
    s->most_rounds = result.rounds > s->most_rounds ? result.rounds : s->most_rounds;
    s->count++;
}

/**
 * Actuation of the size of the friction, any direction of gravity, poses from slightly bent to
 * crumpled.
 */
static detent_mechanism *random_chain(int count, support_random *random, double *q)
{
    static const double bends[] = {0.01, 0.3, 3, 30};
    support_chain_def def = support_default_chain(count);
    const double bend = bends[support_below(random, 4)] / (support_chance(random, 0.5) ? 1 : count);
    support_unit(random, 3, def.gravity);
    for (int k = 0; k < 3; k++) {
        def.gravity[k] *= 9.81;
    }
    def.three_dimensional = support_chance(random, 0.7);
    def.kinetic = support_spread(random, 0.05, 2);
    def.ratio = support_chance(random, 0.5) ? 1 : 1.5;
    def.force = support_chance(random, 0.7) ? def.kinetic * support_uniform(random, 0, 1.5) : 0;
    for (int j = 0; j < count; j++) {
        q[j] = support_uniform(random, -bend, bend);
    }
    return support_chain(&def, random);
}

static detent_mechanism *random_tree(int count, support_random *random, double *q)
{
    static const double branching[] = {0.01, 0.1, 0.4, 1};
    support_tree_def def = support_default_tree(count);
    def.branching = branching[support_below(random, 4)];
    def.prismatic = support_chance(random, 0.5) ? 0 : 0.35;
    def.ratio[1] = support_chance(random, 0.5) ? 1 : 2;
    def.friction[0] = 0.1;
    detent_mechanism *tree = support_random_tree(&def, random);
    support_random_pose(&tree->tree, random, q);
    return tree;
}

/**
 * Twenty of each, and how many of the chains take more than most_solves: a pushed chain whose
 * static friction exceeds its kinetic friction may give way in an avalanche of many rounds, each of
 * which costs solves.
 */
static size_t load_cases(int count, uint64_t seed)
{
    support_random random = {seed};
    spread chains = {0}, trees = {0};
    size_t beyond = 0;
    double *q = calloc((size_t)count, sizeof *q);
    for (int k = 0; k < 20; k++) {
        detent_mechanism *chain = random_chain(count, &random, q);
        dt_search_result result = search_once(chain, q);
        add_to_spread(&chains, result);
        beyond += result.solves > most_solves;
        support_free(chain);
        detent_mechanism *tree = random_tree(count, &random, q);
        result = search_once(tree, q);
        add_to_spread(&trees, result);
        assert_true(result.solves <= most_solves);
        support_free(tree);
    }
    print_message("%5d joints, 20 load cases: chains %.1f solves, at most %zu in %zu rounds, %zu "
                  "above %d; random trees %.1f, at most %zu in %zu\n",
                  count, (double)chains.sum / (double)chains.count, chains.most, chains.most_rounds,
                  beyond, most_solves, (double)trees.sum / (double)trees.count, trees.most,
                  trees.most_rounds);
    free(q);
    return beyond;
}

static void load_cases_to_1000(void **state)
{
    (void)state;
    assert_int_equal(load_cases(10, 1), 0);
    assert_int_equal(load_cases(100, 2), 0);
    assert_int_equal(load_cases(1000, 3), 0);
}

static void load_cases_of_10000(void **state)
{
    (void)state;
    assert_true(load_cases(10000, 4) <= 1); /* an avalanche of 18 rounds (docs/mode-search.md) */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hanging_chains),
        cmocka_unit_test(load_cases_to_1000),
        cmocka_unit_test(load_cases_of_10000),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
