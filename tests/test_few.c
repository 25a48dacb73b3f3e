/*
 * Forces of which few follow from the others (few.h) are what the general solvers (minimax.h, bounded.h) find of the same problem: the least use of
 * limits, and the least norm. Random, with entries of which many are equal, limits of zero on one side, and nothing to share.
 */
#include "base/arena.h"
#include "math/band.h"
#include "math/bounded.h"
#include "math/few.h"
#include "math/minimax.h"
#include "math/sparse_rows.h"
#include "support_trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { LINES = 3, COLUMNS = 7, FORCES = LINES + COLUMNS, CASES = 1500 };

typedef struct solvers {
    dt_arena arena;
    dt_few few;
    dt_minimax minimax;
    dt_bounded bounded;
} solvers;

static void create(solvers *s)
{
    dt_arena_init(&s->arena, NULL);
    assert_true(dt_few_create(&s->arena, LINES, FORCES, &s->few));
    assert_true(dt_minimax_create(&s->arena, FORCES, COLUMNS, &s->minimax));
    assert_true(dt_bounded_create(&s->arena, FORCES, COLUMNS, &s->bounded));
}

/** R by columns, what lines are without the others, limits and measures of all forces. */
typedef struct problem {
    int lines, columns;
    double R[LINES * COLUMNS], rest[LINES], limits[FORCES][2], w[FORCES];
} problem;

static dt_few_problem given(problem *p)
{
    return (dt_few_problem){.lines = p->lines,
                            .columns = p->columns,
                            .R = p->R,
                            .rest = p->rest,
                            .limits = p->limits,
                            .w = p->w};
}

/** Of whole numbers where `whole`: many are equal, and many are zero. */
static double number(support_random *random, bool whole, double size)
{
    return whole ? support_below(random, 5) - 2 : size * support_uniform(random, -1, 1);
}

static problem random_problem(support_random *random)
{
    problem p = {.lines = 1 + support_below(random, LINES),
                 .columns = 1 + support_below(random, COLUMNS)};
    const bool whole = support_chance(random, 0.4);
    const int zero = support_below(random, 4);
    for (int i = 0; i < p.lines; i++) {
        p.rest[i] = number(random, whole, 2);
        for (int j = 0; j < p.columns; j++) {
            p.R[j * p.lines + i] = number(random, whole, 3);
        }
    }
    for (int i = 0; i < p.lines + p.columns; i++) {
        const double size = whole ? 1 : pow(10, support_uniform(random, -2, 2));
        p.limits[i][0] = -size * (whole ? 1 : support_uniform(random, 0.1, 2));
        p.limits[i][1] = size * (whole ? 1 : support_uniform(random, 0.1, 2));
        p.w[i] = 0.5 * (p.limits[i][1] - p.limits[i][0]);
        if (zero == 0 && support_chance(random, 0.2)) {
            p.limits[i][support_below(random, 2)] = 0;
        }
    }
    return p;
}

static double force(const problem *p, const double *x, int i)
{
    double sum = i < p->lines ? p->rest[i] : p->w[i] * x[i - p->lines];
    for (int j = 0; j < p->columns && i < p->lines; j++) {
        sum += p->R[j * p->lines + i] * x[j];
    }
    return sum;
}

/** The same in the terms of the general solvers: b + U x. */
static void widen(const problem *p, double *U, double *b)
{
    const int n = p->lines + p->columns;
    memset(U, 0, sizeof(double) * FORCES * COLUMNS);
    memset(b, 0, sizeof(double) * FORCES);
    memcpy(b, p->rest, (size_t)p->lines * sizeof *b);
    for (int j = 0; j < p->columns; j++) {
        memcpy(&U[j * n], &p->R[j * p->lines], (size_t)p->lines * sizeof *U);
        U[j * n + p->lines + j] = p->w[p->lines + j];
    }
}

/** The largest share of its limit that any force takes at x. */
static double use(const problem *p, const double *x)
{
    double most = 0;
    for (int i = 0; i < p->lines + p->columns; i++) {
        const double f = force(p, x, i), limit = fabs(p->limits[i][f > 0]);
        most = fabs(f) > 1e-11 * p->w[i] ? fmax(most, fabs(f) / limit) : most;
    }
    return most;
}

static double norm(const problem *p, const double *x)
{
    double sum = 0;
    for (int i = 0; i < p->lines + p->columns; i++) {
        sum += pow(force(p, x, i) / p->w[i], 2);
    }
    return sum;
}

static void as_the_general_solvers(void **state)
{
    (void)state;
    support_random random = {.state = 11};
    solvers s;
    int inside = 0, beyond = 0, longer = 0;
    create(&s);
    for (int n = 0; n < CASES; n++) {
        problem p = random_problem(&random);
        const dt_few_problem few = given(&p);
        double U[FORCES * COLUMNS], b[FORCES], x[COLUMNS], y[COLUMNS];
        widen(&p, U, b);
        const double m = dt_few_minimax(&s.few, &few, x),
                     should = dt_minimax_solve(&s.minimax, p.lines + p.columns, p.columns, U, b,
                                               p.limits, y);
        if (should > 1e6) { /* only the lengths of limits of zero decide how much */
            beyond++;
            assert_true(m > 1e6);
            continue;
        }
        if (!(fabs(m - should) <= 1e-8 * (1 + should) && use(&p, x) <= m + 1e-8 * (1 + m))) {
            fail_msg("case %d: %.17g, which uses %.17g, instead of %.17g", n, m, use(&p, x),
                     should);
        }
        if (m > 0) { /* so much less to balance that all is nearly at its limits */
            inside++;
            for (int i = 0; i < p.lines; i++) {
                p.rest[i] *= 0.95 / m;
            }
            widen(&p, U, b);
            assert_true(fabs(dt_few_minimax(&s.few, &few, x) - 0.95) < 1e-6);
            dt_minimax_solve(&s.minimax, p.lines + p.columns, p.columns, U, b, p.limits, y);
            dt_few_least(&s.few, &few, x);
            dt_bounded_solve(&s.bounded, p.lines + p.columns, p.columns, U, b, p.limits, p.w, y);
            const double gap = norm(&p, x) - norm(&p, y), enough = 1e-8 * norm(&p, y);
            longer +=
                gap < -enough; /* who are at their limits may depend on each other: it ends there */
            if (!(gap <= enough) || use(&p, x) > 1 + 1e-9) {
                fail_msg("case %d: norm %.17g instead of %.17g, which uses %.17g", n, norm(&p, x),
                         norm(&p, y), use(&p, x));
            }
        }
    }
    assert_true(inside > CASES / 2 && beyond > 0);
    assert_true(longer <= inside / 200);
    dt_arena_free(&s.arena);
}

/** Where nothing is to be balanced nothing is used, and no force is the shortest there is, wherever it began. */
static void nothing_to_balance(void **state)
{
    (void)state;
    support_random random = {.state = 12};
    solvers s;
    double x[COLUMNS];
    create(&s);
    problem p = random_problem(&random);
    memset(p.rest, 0, sizeof p.rest);
    dt_few_problem few = given(&p);
    assert_true(dt_few_minimax(&s.few, &few, x) == 0);
    for (int i = 0; i < p.lines + p.columns; i++) {
        assert_true(force(&p, x, i) == 0 && s.few.motion[i] == 0);
    }
    few.lines = 0;
    for (int j = 0; j < p.columns; j++) {
        x[j] = 0.1 * (j + 1);
    }
    dt_few_least(&s.few, &few, x);
    for (int j = 0; j < p.columns; j++) {
        assert_true(x[j] == 0);
    }
    dt_arena_free(&s.arena);
}

/**
 * Two forces balance 3, one of which may take 1 at most: it stays at its limit, and the other takes what is left. Where it begins at
 * the wrong one of its limits it is let go.
 */
static void limits_by_hand(void **state)
{
    (void)state;
    solvers s;
    create(&s);
    problem p = {.lines = 1,
                 .columns = 2,
                 .R = {-1, -1},
                 .rest = {3},
                 .limits = {{-1e-3, 1e-3}, {-1, 1}, {-10, 10}},
                 .w = {1e-3, 1, 1}};
    const dt_few_problem few = given(&p);
    double x[2] = {-1, 4};
    dt_few_least(&s.few, &few, x);
    assert_true(fabs(x[0] - 1) < 1e-9 && fabs(x[1] - 2) < 2e-3);
    assert_true(fabs(3 - x[0] - x[1]) <= 1e-3 * (1 + 1e-9));
    p.limits[2][0] = -2, p.limits[2][1] = 2;
    assert_true(fabs(dt_few_minimax(&s.few, &few, x) - 3 / 3.001) < 1e-12);
    assert_true(fabs(x[0] - 3 / 3.001) < 1e-12 && fabs(x[1] - 6 / 3.001) < 1e-12);
    assert_true(s.few.motion[0] != 0 && s.few.motion[1] != 0 && s.few.motion[2] != 0);
    dt_arena_free(&s.arena);
}

/** One that is beyond its limit, whatever is done, holds back none of the others; nor does one that has begun there, and goes back. */
static void beyond_limits(void **state)
{
    (void)state;
    solvers s;
    create(&s);
    problem p = {.lines = 2,
                 .columns = 2,
                 .R = {-1, 0, -1, 0},
                 .rest = {3, -0.5},
                 .limits = {{-1e-3, 1e-3}, {0, 1}, {-1, 1}, {-10, 10}},
                 .w = {1e-3, 0.5, 1, 1}};
    const dt_few_problem few = given(&p);
    double x[2] = {-1, 4};
    dt_few_least(&s.few, &few, x);
    assert_true(fabs(x[0] - 1) < 1e-9 && fabs(x[1] - 2) < 2e-3);
    x[0] = -8, x[1] = 11;
    dt_few_least(&s.few, &few, x);
    assert_true(fabs(x[0] - 1) < 1e-9 && fabs(x[1] - 2) < 2e-3);
    x[0] = -1e14 + 1.0 / 64,
    x[1] = 1e14 + 3; /* the digits of so long a step do not reach to where it ends */
    dt_few_least(&s.few, &few, x);
    assert_true(fabs(x[0] - 1) < 1e-9 && fabs(x[1] - 2) < 2e-3);
    dt_arena_free(&s.arena);
}

/** Rows whose elimination fills more than there is room for are refused; with room enough their sum is known. */
static void rows_without_room(void **state)
{
    (void)state;
    enum { N = 6 };
    for (size_t made = 0; made <= 40; made++) {
        dt_arena arena;
        dt_sparse_rows rows;
        dt_arena_init(&arena, NULL);
        assert_true(dt_sparse_rows_create(&arena, N, N, 3 * N, made, &rows));
        dt_sparse_rows_begin(&rows, N);
        for (int r = 0; r < N; r++) { /* an arrow: every row has the first column */
            dt_sparse_rows_add(&rows, 0, r + 1);
            if (r > 0) {
                dt_sparse_rows_add(&rows, r, 0.5);
            }
            dt_sparse_rows_end_row(&rows, 0);
        }
        const bool fits = dt_sparse_rows_eliminate(&rows, 1e-12);
        /* a pivot of each row, at least; at most all of them full */
        assert_true(made >= N || !fits);
        assert_true(made < N * N || fits);
        if (fits) {
            double sum[N] = {0}, m[N];
            for (int r = 0; r < N; r++) { /* the sum of all rows is one of each */
                sum[0] += r + 1;
                sum[r] += r > 0 ? 0.5 : 0;
            }
            dt_sparse_rows_combine(&rows, sum, m);
            for (int r = 0; r < N; r++) {
                assert_true(fabs(m[r] - 1) < 1e-12);
            }
        }
        dt_arena_free(&arena);
    }
}

/** A band wider than the matrix is all of it; of no rows there is nothing to solve; one that is not finite is not solved. */
static void bands(void **state)
{
    (void)state;
    dt_arena arena;
    dt_band band, none;
    double x[] = {5, 10};
    dt_arena_init(&arena, NULL);
    assert_true(dt_band_create(&arena, 0, 3, &none));
    assert_int_equal(none.width, 0);
    assert_true(dt_band_factor(&none) && dt_band_sign(&none) == 1);
    assert_true(dt_band_create(&arena, 2, 9, &band));
    assert_int_equal(band.width, 1);
    dt_band_identity(&band);
    *dt_band_entry(&band, 0, 0) = 1, *dt_band_entry(&band, 0, 1) = 2;
    *dt_band_entry(&band, 1, 0) = 3, *dt_band_entry(&band, 1, 1) = 4;
    assert_true(dt_band_factor(&band));
    assert_int_equal(dt_band_sign(&band), -1);
    dt_band_solve(&band, x);
    assert_true(fabs(x[0]) < 1e-14 && fabs(x[1] - 2.5) < 1e-14);
    dt_band_identity(&band);
    *dt_band_entry(&band, 1, 1) = NAN;
    assert_false(dt_band_factor(&band));
    dt_band_identity(&band);
    *dt_band_entry(&band, 0, 1) = INFINITY;
    assert_false(dt_band_factor(&band));
    dt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_general_solvers), cmocka_unit_test(nothing_to_balance),
        cmocka_unit_test(limits_by_hand),         cmocka_unit_test(beyond_limits),
        cmocka_unit_test(rows_without_room),      cmocka_unit_test(bands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
