/* The root finder on functions that are known: where, which, and how often it evaluates. */
#include "base/arena.h"
#include "solver/root_finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>

enum { MOST = 4 };

/** Functions of t, and how often they were asked for. */
typedef struct functions {
    int count, evaluations;
    double (*value[MOST])(double t);
    double breaks; /**< they cannot be evaluated beyond */
} functions;

static bool evaluate(void *context, double t, double *g)
{
    functions *f = context;
    f->evaluations++;
    for (int k = 0; k < f->count; k++) {
        g[k] = f->value[k](t);
    }
    return !(t > f->breaks);
}

static const double tolerance = 100 * DBL_EPSILON * 2;

/* falls at the square root of 1/2 */
static double parabola(double t)
{
    return 0.5 - t * t;
}
/* falls at ln 1.5 */
static double exponential(double t)
{
    return 1.5 - exp(t);
}
/* rises at the square root of 1/2 */
static double rising(double t)
{
    return t * t - 0.5;
}
/* zero at 0, positive, falls at 0.6 */
static double hump(double t)
{
    return t * (0.6 - t);
}
/* zero at 0, and negative: has left to where it never falls */
static double sinking(double t)
{
    return -t;
}
/* falls at 0.2 and 0.8 */
static double wave(double t)
{
    return cos(5 * acos(-1) * (t + 0.1) / 3);
}
/* flat, steep and flat again; falls at 0.123 */
static double steep(double t)
{
    return atan(1e6 * (0.123 - t));
}
/* a root of order nine at 0.7 */
static double flat(double t)
{
    return pow(0.7 - t, 9);
}
/* jumps at 0.3 */
static double jump(double t)
{
    return t < 0.3 ? 2 : -1e-9;
}
/* reaches zero at 0.5 and stays */
static double ramp(double t)
{
    return t < 0.5 ? 0.5 - t : 0;
}
static double one(double t)
{
    return t < 2 ? 1 : 0;
}

/** Starts at t = 0. */
static void start(dt_arena *arena, dt_root_finder *finder, functions *f)
{
    dt_arena_init(arena, NULL);
    *finder = (dt_root_finder){.count = 0};
    assert_true(dt_root_finder_create(arena, MOST, finder));
    finder->evaluate = evaluate;
    finder->guess = NULL;
    finder->context = f;
    f->breaks = INFINITY;
    assert_true(dt_root_finder_start(finder, f->count, 0));
}

/** The root is passed, by no more than the tolerance. */
static void assert_at(const dt_root_finder *finder, double root)
{
    assert_true(finder->time > root - 4 * DBL_EPSILON && finder->time - root <= tolerance);
}

static void simple_roots_take_few_evaluations(void **state)
{
    dt_arena arena;
    dt_root_finder finder;
    functions f = {.count = 3, .value = {one, parabola, rising}};
    (void)state;
    start(&arena, &finder, &f);
    f.evaluations = 0;
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_FOUND);
    assert_at(&finder, sqrt(0.5));
    assert_int_equal(finder.fired[0], 0);
    assert_int_equal(finder.fired[1], -1);
    assert_int_equal(finder.fired[2], 0); /* rises */
    assert_true(f.evaluations <= 8);
    /* the rest of the step */
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_NONE);
    assert_true(finder.time == 1);
    dt_arena_free(&arena);
}

static void two_roots_come_one_by_one(void **state)
{
    dt_arena arena;
    dt_root_finder finder;
    functions f = {.count = 2, .value = {parabola, exponential}};
    (void)state;
    start(&arena, &finder, &f);
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_FOUND);
    assert_at(&finder, log(1.5));
    assert_int_equal(finder.fired[0], 0);
    assert_int_equal(finder.fired[1], -1);
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_FOUND);
    assert_at(&finder, sqrt(0.5));
    assert_int_equal(finder.fired[0], -1);
    assert_int_equal(finder.fired[1], 0);
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_NONE);
    dt_arena_free(&arena);
}

static double doubled(double t)
{
    return 3 * (0.5 - t * t) * (1 + t);
}

static void simultaneous_roots_fire_together(void **state)
{
    dt_arena arena;
    dt_root_finder finder;
    functions f = {.count = 3, .value = {parabola, one, doubled}};
    (void)state;
    start(&arena, &finder, &f);
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_FOUND);
    assert_at(&finder, sqrt(0.5));
    assert_int_equal(finder.fired[0], -1);
    assert_int_equal(finder.fired[1], 0);
    assert_int_equal(finder.fired[2], -1);
    dt_arena_free(&arena);
}

static void a_root_at_the_start_is_left_alone(void **state)
{
    dt_arena arena;
    dt_root_finder finder;
    functions f = {.count = 2, .value = {sinking, hump}};
    (void)state;
    start(&arena, &finder, &f);
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_FOUND);
    assert_at(&finder, 0.6);
    assert_int_equal(finder.fired[0], 0);
    assert_int_equal(finder.fired[1], -1);
    /* from the root, where it may be zero */
    assert_true(dt_root_finder_start(&finder, f.count, finder.time));
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_NONE);
    dt_arena_free(&arena);
}

static void ugly_functions_are_bisected_in_the_end(void **state)
{
    static double (*const ugly[])(double t) = {steep, flat, jump, ramp};
    static const double roots[] = {0.123, 0.7, 0.3, 0.5};
    (void)state;
    for (int k = 0; k < 4; k++) {
        dt_arena arena;
        dt_root_finder finder;
        functions f = {.count = 1, .value = {ugly[k]}};
        start(&arena, &finder, &f);
        assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_FOUND);
        if (ugly[k] == flat) { /* zero in numbers where its value underflows */
            assert_true(fabs(finder.time - 0.7) < 1e-12);
        } else {
            assert_at(&finder, roots[k]);
        }
        assert_true(f.evaluations < 250);
        dt_arena_free(&arena);
    }
}

static void the_first_of_several_falls_is_found_where_it_shows(void **state)
{
    dt_arena arena;
    dt_root_finder finder;
    functions f = {.count = 1, .value = {wave}};
    (void)state;
    start(&arena, &finder, &f);
    assert_int_equal(dt_root_finder_search(&finder, 0.4, tolerance), DT_ROOT_FOUND);
    assert_at(&finder, 0.2);
    assert_int_equal(dt_root_finder_search(&finder, 0.5, tolerance), DT_ROOT_NONE);
    dt_arena_free(&arena);
}

static double know(void *context, const dt_root_bracket *bracket)
{
    functions *f = context;
    assert_int_equal(bracket->index, 0);
    assert_true(bracket->g[0] == f->value[0](bracket->t[0]));
    assert_true(bracket->g[1] == f->value[0](bracket->t[1]));
    return log(1.5);
}

static void a_good_guess_is_confirmed_at_once(void **state)
{
    dt_arena arena;
    dt_root_finder finder;
    functions f = {.count = 1, .value = {exponential}};
    (void)state;
    start(&arena, &finder, &f);
    finder.guess = know;
    f.evaluations = 0;
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_FOUND);
    assert_at(&finder, log(1.5));
    assert_true(f.evaluations <= 3); /* the end, the guess, and across */
    dt_arena_free(&arena);
}

static void what_cannot_be_evaluated_is_told(void **state)
{
    dt_arena arena;
    dt_root_finder finder;
    functions f = {.count = 1, .value = {parabola}};
    (void)state;
    start(&arena, &finder, &f);
    f.breaks = 0.9;
    assert_int_equal(dt_root_finder_search(&finder, 1, tolerance), DT_ROOT_FAILED);
    assert_false(dt_root_finder_start(&finder, 1, 1));
    dt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_roots_take_few_evaluations),
        cmocka_unit_test(two_roots_come_one_by_one),
        cmocka_unit_test(simultaneous_roots_fire_together),
        cmocka_unit_test(a_root_at_the_start_is_left_alone),
        cmocka_unit_test(ugly_functions_are_bisected_in_the_end),
        cmocka_unit_test(the_first_of_several_falls_is_found_where_it_shows),
        cmocka_unit_test(a_good_guess_is_confirmed_at_once),
        cmocka_unit_test(what_cannot_be_evaluated_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
