/* The units of a mechanism do not matter: with masses, lengths and times of another size a run is the same, event by event,
 * at times that are as many times as long. Scaled by powers of two nothing is rounded differently, and times are equal to
 * the last bit, whatever the engine's variant: no sum, no comparison and no pivot has numbers of different units. By powers of
 * ten they are equal within the tolerance. */
#include "scales_loops.h"
#include "scales_trees.h"
#include "support_variants.h"

enum { MECHANISMS = TREES + LOOPS };

static const scaled *mechanism(size_t i)
{
    return i < TREES ? &trees[i] : &loops[i - TREES];
}

typedef struct units {
    double mass, length, time;
} units;

/* A run in other units: its changes of mode, and the positions at the end. */
typedef struct story {
    runs_log log;
    size_t count;
    double *state;
} story;

static detent_mechanism *in_units(size_t i, units u)
{
    char text[8192], set[3][64];
    const char *const sets[] = {set[0], set[1], set[2], NULL};
    snprintf(text, sizeof text, HEAD "%ssimulation: {end: 100}\n", mechanism(i)->text);
    snprintf(set[0], sizeof set[0], "M=%.17g", u.mass);
    snprintf(set[1], sizeof set[1], "L=%.17g", u.length);
    snprintf(set[2], sizeof set[2], "T=%.17g", u.time);
    return runs_parse(text, sets);
}

static story tell(size_t i, units u, variant v, double rtol)
{
    story s = {0};
    detent_mechanism *m = in_units(i, u);
    detent_settings settings = variant_settings(m, v);
    settings.end = mechanism(i)->end * u.time;
    settings.interval = settings.end / 100;
    settings.rtol = rtol;
    detent_simulation *sim = runs_start(m, &settings);
    runs_record(sim, settings.end, &s.log);
    s.state = runs_state(m, sim, &s.count);
    runs_end(sim, m);
    return s;
}

static void forget(story *s)
{
    runs_log_free(&s->log);
    free(s->state);
}

/* Whether the changes are the same, at times that differ by at most `tolerance` of the whole time (0: by no bit); says
 * where they are not. */
static bool is_same(const char *what, size_t i, const story *a, const story *b, double T,
                    double tolerance)
{
    for (size_t k = 0; k < a->log.count && k < b->log.count; k++) {
        const detent_mode_change *x = &a->log.change[k], *y = &b->log.change[k];
        const bool same = x->stiction == y->stiction && x->from == y->from && x->to == y->to &&
                          x->to_direction == y->to_direction;
        if (!same || !(fabs(y->time / T - x->time) <= tolerance * mechanism(i)->end)) {
            print_error("%s, %s: change %zu is %sat %.17g, not %.17g: off by %g\n",
                        mechanism(i)->name, what, k, same ? "" : "another one, ", y->time / T,
                        x->time, y->time / T - x->time);
            return false;
        }
    }
    if (a->log.count != b->log.count) {
        print_error("%s, %s: %zu changes, not %zu\n", mechanism(i)->name, what, b->log.count,
                    a->log.count);
    }
    return a->log.count == b->log.count;
}

static const units ordinary = {1, 1, 1};

/* Everything, or, without DETENT_TEST_LONG, what a test has time for. */
static bool is_long(void)
{
    return getenv("DETENT_TEST_LONG") != NULL;
}

/* The run in other units against the ordinary one. */
static bool compare(size_t i, variant v, const story *ordinarily, units u, double tolerance)
{
    char what[96];
    snprintf(what, sizeof what, "%s, M %g, L %g, T %g", variant_name(v), u.mass, u.length, u.time);
    story other = tell(i, u, v, 1e-7);
    const bool same = is_same(what, i, ordinarily, &other, u.time, tolerance);
    forget(&other);
    return same;
}

static void powers_of_two(void **test)
{
    UNUSED(test);
    static const int exponent[][3] = {{-40, 40, -40}, {40, -40, 40}, {7, -13, 3},  {40, 0, 0},
                                      {-40, 0, 0},    {0, 40, 0},    {0, -40, 0},  {0, 0, 40},
                                      {0, 0, -40},    {1, 1, 1},     {40, 40, 40}, {-40, -40, -40}};
    enum { EXPONENTS = sizeof exponent / sizeof *exponent };
    const size_t count = is_long() ? EXPONENTS : 1;
    bool all = true;
    for (size_t i = 0; i < MECHANISMS; i++) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            story first = tell(i, ordinary, variant_at(k), 1e-7);
            for (size_t e = 0; e < count;
                 e++) { /* in short each variant has one of the first three */
                const int *x = exponent[is_long() ? e : (i + k + k / 3) % 3];
                const units u = {ldexp(1, x[0]), ldexp(1, x[1]), ldexp(1, x[2])};
                all = compare(i, variant_at(k), &first, u, 0) && all;
            }
            assert_true(first.log.count > 1);
            forget(&first);
        }
    }
    assert_true(all);
}

static void powers_of_ten(void **test)
{
    UNUSED(test);
    static const double factor[] = {1e-12, 1e12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9};
    const size_t count = is_long() ? sizeof factor / sizeof *factor : 2;
    bool all = true;
    for (size_t i = 0; i < MECHANISMS; i++) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k + (is_long() ? 0 : 2))) {
            story first = tell(i, ordinary, variant_at(k), 1e-7);
            for (size_t f = 0; f < 3 * count; f++) {
                const double by = factor[f / 3];
                const units u = {f % 3 == 0 ? by : 1, f % 3 == 1 ? by : 1, f % 3 == 2 ? by : 1};
                all = compare(i, variant_at(k), &first, u, 1e-6) && all;
            }
            forget(&first);
        }
    }
    assert_true(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two),
        cmocka_unit_test(powers_of_ten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
