/* Friction so strong that it changes the reactions it depends on: what the search finds satisfies
 * everything, by the oracle's word, and what it refuses it names. */

#include "support_oracle.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct verdicts {
    size_t found, refused, most_solves;
} verdicts;

/** What the search finds satisfies everything; what it refuses it names. */
static verdicts search_loaded(double least_mu, double largest_mu, int mechanisms, uint64_t seed)
{
    support_random random = {seed};
    support_tree_def def = support_default_tree(3);
    verdicts v = {0};
    def.load_dependent = 1;
    def.mu[0] = least_mu;
    def.mu[1] = largest_mu;
    def.massless = 0;
    for (int k = 0; k < mechanisms; k++) {
        support_bench b;
        support_oracle o;
        dt_search_result result;
        detent_error error = {0};
        def.nodes = 1 + support_below(&random, 3);
        support_bench_open(&b, support_random_tree(&def, &random), &random, 0);
        support_oracle_open(&o, &b, true);
        support_bench_set(&b, NULL);
        if (support_bench_search(&b, &result, &error) == DETENT_OK) {
            assert_true(support_oracle_agrees(&o, &b.system));
            v.found++;
        } else {
            assert_int_equal(error.status, DETENT_NO_CONSISTENT_STATE);
            assert_non_null(strstr(error.message, "no consistent state at t = 0 s"));
            assert_non_null(strstr(error.message, "'joint"));
            assert_non_null(strstr(error.message, "margin"));
            v.refused++;
        }
        v.most_solves = result.solves > v.most_solves ? result.solves : v.most_solves;
        support_bench_close(&b);
    }
    print_message("mu up to %g: %zu found, %zu refused, at most %zu solves\n", largest_mu, v.found,
                  v.refused, v.most_solves);
    return v;
}

/**
 * Friction that changes the reaction it depends on a great deal: mu in m for revolute joints
 * between bodies of half a metre.
 */
static void strong_friction(void **state)
{
    (void)state;
    assert_int_equal(search_loaded(0.1, 0.4, 1500, 41).refused, 0);
    assert_true(search_loaded(0.4, 1, 1500, 42).refused < 15);
    search_loaded(1, 10, 1500, 43);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strong_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
