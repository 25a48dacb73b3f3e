/*
 * Long simulated times: a block that a belt drags along sticks and slips with a period that is known; its mean is right,
 * the drift no more than linear, and memory constant. DETENT_TEST_BELT sets the simulated seconds: 1000000 for the long
 * run.
 */
#include "support_changes.h"
#include "support_variants.h"

#include <time.h>

static const char belt[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {belt: {mass: 1}, block: {mass: 1}}\n"
    "joints:\n"
    "  belt: {type: prismatic, base: ground, follower: belt, axis: [1, 0, 0], motion: 0.1*t}\n"
    "  block: {type: prismatic, base: belt, follower: block, axis: [1, 0, 0]}\n"
    "stiction:\n"
    "  block: {velocity_threshold: 1e-3, external: -2*(1*position(belt) + 1*position(block)),\n"
    "          kinetic: 1, static: 1.5}\n"
    "simulation: {end: 1000, interval: 10, rtol: 1e-7, atol: 1e-9}\n";

static double seconds(void)
{
    const char *asked = getenv("DETENT_TEST_BELT");
    return asked ? strtod(asked, NULL) : 2000;
}

/*
 * Sticking for 0.5 m at 0.1 m/s; slipping is half a turn of the oscillator about the kinetic friction, and twice the
 * angle that the belt's speed makes of it.
 */
static double exact_period(void)
{
    const double omega = sqrt(2);
    return 5 + (acos(-1) + 2 * atan(0.1 / (omega * 0.25))) / omega;
}

static void keep_period(variant v)
{
    detent_error error;
    detent_status status;
    detent_mechanism *m = runs_parse(belt, NULL);
    detent_simulation *s = variant_start(m, v);
    detent_statistics before = DETENT_INIT(detent_statistics),
                      after = DETENT_INIT(detent_statistics);
    const double T = exact_period(), end = seconds();
    const clock_t began = clock();
    double first = NAN, worst = 0, last = 0;
    long n = 0;
    detent_get_statistics(s, &before);
    while ((status = detent_advance(s, end, true, &error)) == DETENT_EVENT) {
        size_t count;
        const detent_mode_change *c = last_event(s, &count);
        if (count == 0 || c->from != DETENT_LOCKED) {
            continue;
        }
        if (isnan(first)) {
            first = c->time;
            runs_near("first breakaway", first, 7.5, 1e-7);
            continue;
        }
        n++;
        last = c->time - first - (double)n * T;
        worst = fmax(worst, fabs(last) / (double)n);
    }
    runs_must(status, &error);
    assert_true(n >= (long)((end - 8) / T) - 1);
    detent_get_statistics(s, &after);
    assert_int_equal(before.memory, after.memory);
    if (runs_verbose()) {
        print_message("%s: %ld periods, mean error %.3g, at most %.3g of a period; %.3g s CPU\n",
                      variant_name(v), n, last / (double)n / T, worst / T,
                      (double)(clock() - began) / CLOCKS_PER_SEC);
    }
    runs_near(variant_name(v), last / (double)n, 0, 1e-7 * T);
    runs_near("drift per period, at any time", worst, 0, 10 * 1e-7 * T);
    runs_end(s, m);
}

static void the_belt_keeps_its_period(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        if (variant_at(k).linear_solver == DETENT_LINEAR_SOLVER_TREE) {
            keep_period(variant_at(k));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_belt_keeps_its_period)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
