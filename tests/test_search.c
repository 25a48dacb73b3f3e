/* The mode search finds what the rule of docs/mode-search.md says, by the oracle's word: the same
 * modes, accelerations and frictions. */

#include "support_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct tally {
    size_t mechanisms, touching, diverging, several, none, solves, rounds, interior_points;
} tally;

/** Largest difference of two accelerations or forces, relative to their size. */
static double difference(const double *x, const double *y, int count)
{
    double size = 1, largest = 0;
    for (int k = 0; k < count; k++) {
        size = fmax(size, fabs(y[k]));
        largest = fmax(largest, fabs(x[k] - y[k]));
    }
    return largest / size;
}

static void compare(support_bench *b, support_random *random, bool loads_matter, tally *t)
{
    support_oracle o;
    dt_search_result result;
    detent_error error = {0};
    int chosen[SUPPORT_MAX_JOINTS];
    bool among;
    support_oracle_open(&o, b, loads_matter);
    const double margin = support_oracle_rule(&o);
    t->mechanisms++;
    if (isnan(margin)) {
        t->diverging++;
        return;
    }
    support_bench_set(b, random);
    if (margin < 1e-8) { /* two sets of modes touch: both are right */
        t->touching++;
        return;
    }
    const detent_status status = support_bench_search(b, &result, &error);
    if (status != DETENT_OK) {
        print_message("%s\n", error.message);
    }
    assert_int_equal(status, DETENT_OK);
    t->solves += result.solves;
    t->rounds += result.rounds;
    t->interior_points += result.interior_points;
    for (int k = 0; k < o.count; k++) {
        chosen[k] = o.candidate[k] ? b->system.direction[k] : 0;
        if (o.candidate[k]) {
            assert_int_equal(b->system.mode[k], o.side[k] ? DETENT_WAIT : DETENT_LOCKED);
            assert_int_equal(b->system.direction[k], o.side[k]);
        }
    }
    assert_true(difference(b->system.a, o.a, o.nv) < 1e-9);
    assert_true(difference(b->system.f, o.f, o.count) < 1e-9);
    const size_t count = support_oracle_count(&o, chosen, &among);
    assert_true(among);
    assert_true(support_oracle_agrees(&o, &b->system));
    t->several += count > 1;
}

static void report(const char *what, const tally *t)
{
    print_message(
        "%s: %zu mechanisms, %zu with several consistent states, %zu where two sets of modes "
        "touch, "
        "%zu whose loads diverge; %.2f solves and %.2f rounds a search, %zu interior points\n",
        what, t->mechanisms, t->several, t->touching, t->diverging,
        (double)t->solves / (double)t->mechanisms, (double)t->rounds / (double)t->mechanisms,
        t->interior_points);
    assert_true(t->touching < t->mechanisms / 50);
}

static void compare_many(const char *what, support_tree_def def, int mechanisms, double moving,
                         uint64_t seed)
{
    support_random random = {seed};
    tally t = {0};
    const bool loads_matter = def.load_dependent > 0;
    const int most = def.nodes;
    for (int k = 0; k < mechanisms; k++) {
        support_bench b;
        def.nodes = 1 + support_below(&random, most);
        support_bench_open(&b, support_random_tree(&def, &random), &random, moving);
        compare(&b, &random, loads_matter, &t);
        support_bench_close(&b);
    }
    report(what, &t);
    assert_true(t.diverging < t.mechanisms / 20);
}

static void static_equals_kinetic(void **state)
{
    (void)state;
    support_tree_def def = support_default_tree(6);
    def.weld = 0.1;
    compare_many("static = kinetic", def, 1500, 0, 11);
    def.spherical = 0.15;
    def.stiction = 0.8;
    def.spring = 5;
    def.damper = 2;
    compare_many("static = kinetic, some moving", def, 1500, 0.3, 12);
}

static void static_exceeds_kinetic(void **state)
{
    (void)state;
    support_tree_def def = support_default_tree(6);
    def.ratio[1] = 2;
    compare_many("static > kinetic", def, 1500, 0, 21);
    def.asymmetric = 0.6;
    def.stiction = 0.8;
    def.prescribed = 0.5;
    compare_many("static > kinetic, asymmetric, some moving or prescribed", def, 1500, 0.3, 22);
    def.ratio[0] = 2;
    def.ratio[1] = 6;
    def.friction[0] = 2;
    def.friction[1] = 4;
    compare_many("static >> kinetic", def, 1000, 0.1, 23);
}

static void load_dependent_friction(void **state)
{
    (void)state;
    support_tree_def def = support_default_tree(4);
    def.load_dependent = 0.6;
    def.mu[0] = 0.01;
    def.mu[1] = 0.1;
    compare_many("mu times reaction", def, 800, 0, 31);
    def.ratio[0] = 1;
    def.ratio[1] = 2;
    compare_many("mu times reaction, static > kinetic, some moving", def, 800, 0.3, 32);
}

/* The oracle takes the mass matrix of composite bodies, the search articulated ones. */
static void reflected_inertia(void **state)
{
    (void)state;
    support_tree_def def = support_default_tree(6);
    def.armature = 0.5;
    def.ratio[1] = 2;
    def.stiction = 0.9;
    compare_many("armatures, static > kinetic, some moving", def, 1000, 0.3, 41);
    def.nodes = 4;
    def.load_dependent = 0.6;
    def.mu[0] = 0.01;
    def.mu[1] = 0.1;
    compare_many("armatures, mu times reaction", def, 500, 0.3, 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_equals_kinetic),
        cmocka_unit_test(static_exceeds_kinetic),
        cmocka_unit_test(load_dependent_friction),
        cmocka_unit_test(reflected_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
