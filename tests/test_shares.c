/*
 * Forces that can be shared in several ways: the least use of limits against all vertices of the problem, the least norm
 * against the conditions of its minimum. Random, with forces of very different sizes, and limits of zero on one side.
 */
#include "base/arena.h"
#include "math/bounded.h"
#include "math/minimax.h"
#include "support_trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { FORCES = 6, COLUMNS = 3, CASES = 3000 };

typedef struct problem {
    int forces, columns;
    double U[FORCES * COLUMNS], b[FORCES], limits[FORCES][2], y[COLUMNS];
} problem;

static problem random_problem(support_random *random)
{
    problem p = {.forces = 2 + support_below(random, FORCES - 1)};
    p.columns = 1 + support_below(random, p.forces - 1 < COLUMNS ? p.forces - 1 : COLUMNS);
    for (int i = 0; i < p.forces; i++) {
        const double size = pow(10, support_uniform(random, -3, 3));
        p.b[i] = support_chance(random, 0.2) ? 0 : size * support_uniform(random, -1, 1);
        p.limits[i][0] =
            support_chance(random, 0.2) ? -1e-3 * size : -size * support_uniform(random, 0, 2);
        p.limits[i][1] = size * support_uniform(random, 0, 2);
        for (int j = 0; j < p.columns; j++) {
            const bool none = i >= p.columns && support_chance(random, 0.2);
            p.U[j * p.forces + i] = size * (none ? support_uniform(random, -1e-17, 1e-17)
                                                 : support_uniform(random, -1, 1));
        }
    }
    return p;
}

/** Gauss with pivots; false where it is singular. */
static bool eliminate(int n, double A[COLUMNS + 1][COLUMNS + 2])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        if (fabs(A[best][k]) < 1e-12) {
            return false;
        }
        for (int j = 0; j <= n; j++) {
            const double swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k; j <= n && i != k; j++) {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        A[k][n] /= A[k][k];
    }
    return true;
}

/** How much of its limits force i uses at y: the largest m that it needs. */
static double use(const problem *p, int i, const double *y)
{
    double f = p->b[i];
    for (int j = 0; j < p->columns; j++) {
        f += p->U[j * p->forces + i] * y[j];
    }
    return fmax(f / p->limits[i][1], f / p->limits[i][0]);
}

/** The least m at all points where columns + 1 forces are at a limit. */
static double by_vertices(const problem *p)
{
    const int n = p->columns + 1, sides = 2 * p->forces;
    int pick[COLUMNS + 1];
    double least = INFINITY;
    for (int k = 0; k < n; k++) {
        pick[k] = k;
    }
    for (;;) {
        double A[COLUMNS + 1][COLUMNS + 2];
        for (int k = 0; k < n; k++) {
            const int i = pick[k] / 2;
            const double limit = p->limits[i][pick[k] % 2];
            for (int j = 0; j < p->columns; j++) {
                A[k][j] = p->U[j * p->forces + i] / fabs(limit);
            }
            A[k][p->columns] = -limit / fabs(limit);
            A[k][n] = -p->b[i] / fabs(limit);
        }
        if (eliminate(n, A)) {
            double y[COLUMNS], most = 0;
            for (int j = 0; j < p->columns; j++) {
                y[j] = A[j][n];
            }
            for (int i = 0; i < p->forces; i++) {
                most = fmax(most, use(p, i, y));
            }
            least = fmin(least, most);
        }
        int k = n - 1;
        while (k >= 0 && pick[k] == sides - n + k) {
            k--;
        }
        if (k < 0) {
            return least;
        }
        pick[k]++;
        for (int j = k + 1; j < n; j++) {
            pick[j] = pick[j - 1] + 1;
        }
    }
}

static void least_use(void **state)
{
    (void)state;
    support_random random = {.state = 3};
    dt_arena arena;
    dt_minimax minimax;
    dt_arena_init(&arena, NULL);
    assert_true(dt_minimax_create(&arena, FORCES, COLUMNS, &minimax));
    for (int n = 0; n < CASES; n++) {
        problem p = random_problem(&random);
        const double m = dt_minimax_solve(&minimax, p.forces, p.columns, p.U, p.b, p.limits, p.y),
                     should = by_vertices(&p);
        double most = 0;
        for (int i = 0; i < p.forces; i++) {
            most = fmax(most, use(&p, i, p.y));
        }
        if (isfinite(should) && !(fabs(m - should) <= 1e-8 * (1 + should) &&
                                  fabs(most - should) <= 1e-8 * (1 + should))) {
            fail_msg("case %d: %.17g, which uses %.17g, instead of %.17g", n, m, most, should);
        }
    }
    dt_arena_free(&arena);
}

/**
 * Limits of exactly zero, and forces that nothing is shared with: what is needed is at least zero, is what the shares found use, and
 * is beyond all bounds only where no share leaves every force on the side that it has.
 */
static void limits_of_zero(void **state)
{
    (void)state;
    support_random random = {.state = 6};
    dt_arena arena;
    dt_minimax minimax;
    int beyond = 0;
    dt_arena_init(&arena, NULL);
    assert_true(dt_minimax_create(&arena, FORCES, COLUMNS, &minimax));
    for (int n = 0; n < CASES; n++) {
        problem p = random_problem(&random);
        p.columns = support_chance(&random, 0.2) ? 0 : p.columns;
        for (int i = 0; i < p.forces; i++) {
            const int side = support_below(&random, 4);
            const double size = p.limits[i][1] - p.limits[i][0];
            const bool none = support_chance(&random, 0.3);
            for (int j = 0; j < p.columns; j++) {
                double *u = &p.U[j * p.forces + i];
                *u = none || fabs(*u) < 1e-12 * size ? 0 : *u;
            }
            if (side < 2) {
                p.limits[i][side] = 0;
                p.limits[i][1 - side] = side ? -size : size;
            }
        }
        const double m = dt_minimax_solve(&minimax, p.forces, p.columns, p.U, p.b, p.limits, p.y);
        /* the same with limits that are next to nothing */
        problem near = p;
        for (int i = 0; i < p.forces; i++) {
            const double hair = 1e-9 * (p.limits[i][1] - p.limits[i][0]);
            near.limits[i][0] = fmin(near.limits[i][0], -hair);
            near.limits[i][1] = fmax(near.limits[i][1], hair);
        }
        double most = 0, work = 0, loss = 0, turned[COLUMNS] = {0}, terms[COLUMNS] = {0};
        for (int i = 0; i < p.forces; i++) {
            const double v = minimax.motion[i];
            most = fmax(most, use(&near, i, p.y));
            work += p.b[i] * v;
            loss += v * p.limits[i][v > 0];
            for (int j = 0; j < p.columns; j++) {
                turned[j] += p.U[j * p.forces + i] * v;
                /* v is no more than that, where the loss is 1 */
                terms[j] += fabs(p.U[j * p.forces + i]) *
                            fmax(fabs(v), 1 / (p.limits[i][1] - p.limits[i][0]));
            }
        }
        beyond += m > 1e6;
        /* what is shared needs no more than it says; and no share can do with less: the power of a motion that
         * nothing that is shared takes part in */
        bool holds = m >= 0 && (m > 1e6 || most <= m + 1e-4 * (1 + m)) &&
                     (m < 1e-9 || work >= fmin(m, 1e6) * loss * (1 - 1e-7));
        for (int j = 0; j < p.columns; j++) {
            holds = holds && (m < 1e-9 || fabs(turned[j]) <= 1e-9 * terms[j]);
        }
        if (!holds) {
            fail_msg("case %d: %.17g, which uses %.17g; power %.17g against %.17g, %g, %g, %g", n,
                     m, most, work, loss, turned[0], turned[1], turned[2]);
        }
    }
    assert_true(beyond > CASES / 100);
    dt_arena_free(&arena);
}

/** Loads that cannot be divided by, as a motion without any force leaves them, use nothing. */
static void loads_of_nothing(void **state)
{
    (void)state;
    support_random random = {.state = 4};
    dt_arena arena;
    dt_minimax minimax;
    dt_arena_init(&arena, NULL);
    assert_true(dt_minimax_create(&arena, FORCES, COLUMNS, &minimax));
    for (int n = 0; n < 100; n++) {
        problem p = random_problem(&random);
        for (int i = 0; i < p.forces; i++) {
            p.b[i] = i % 2 ? 0 : -5e-324;
        }
        assert_true(dt_minimax_solve(&minimax, p.forces, p.columns, p.U, p.b, p.limits, p.y) == 0);
        for (int j = 0; j < p.columns; j++) {
            assert_true(p.y[j] == 0);
        }
    }
    dt_arena_free(&arena);
}

/** At a minimum no small move inside the limits is shorter. */
static void least_norm(void **state)
{
    (void)state;
    support_random random = {.state = 5};
    dt_arena arena;
    dt_minimax minimax;
    dt_bounded bounded;
    int tried = 0;
    dt_arena_init(&arena, NULL);
    assert_true(dt_minimax_create(&arena, FORCES, COLUMNS, &minimax));
    assert_true(dt_bounded_create(&arena, FORCES, COLUMNS, &bounded));
    for (int n = 0; n < CASES; n++) {
        problem p = random_problem(&random);
        double w[FORCES];
        if (!(dt_minimax_solve(&minimax, p.forces, p.columns, p.U, p.b, p.limits, p.y) < 1)) {
            continue;
        }
        tried++;
        for (int i = 0; i < p.forces; i++) {
            w[i] = 0.5 * (p.limits[i][1] - p.limits[i][0]);
        }
        dt_bounded_solve(&bounded, p.forces, p.columns, p.U, p.b, p.limits, w, p.y);
        double norm = 0;
        for (int i = 0; i < p.forces; i++) {
            double f = p.b[i];
            for (int j = 0; j < p.columns; j++) {
                f += p.U[j * p.forces + i] * p.y[j];
            }
            norm += f * f / (w[i] * w[i]);
            assert_true(use(&p, i, p.y) <= 1 + 1e-9);
        }
        for (int move = 0; move < 50; move++) {
            double y[COLUMNS], other = 0, most = 0;
            for (int j = 0; j < p.columns; j++) {
                y[j] = p.y[j] +
                       pow(10, support_uniform(&random, -5, 0)) * support_uniform(&random, -1, 1);
            }
            for (int i = 0; i < p.forces; i++) {
                double f = p.b[i];
                for (int j = 0; j < p.columns; j++) {
                    f += p.U[j * p.forces + i] * y[j];
                }
                other += f * f / (w[i] * w[i]);
                most = fmax(most, use(&p, i, y));
            }
            if (most <= 1 && other < norm - 1e-9 * (1 + norm)) {
                fail_msg("case %d: %.17g could be %.17g", n, norm, other);
            }
        }
    }
    assert_true(tried > CASES / 10);
    dt_arena_free(&arena);
}

/** One that is beyond its limit, whatever is done, holds back none of the others: as a tooth that lets go, beside a freewheel that an idle mesh hangs on. */
static void beyond_limits(void **state)
{
    (void)state;
    dt_arena arena;
    dt_bounded bounded;
    dt_arena_init(&arena, NULL);
    assert_true(dt_bounded_create(&arena, FORCES, COLUMNS, &bounded));
    const double U[] = {0.01, -0.01, -0.0}, b[] = {0, 0.4, -3e-14}, w[] = {0.01, 1e6, 1e6};
    double limits[][2] = {{-1e12, 1e12}, {0, 2e20}, {0, 2e20}}, y = 1e3;
    dt_bounded_solve(&bounded, 3, 1, U, b, limits, w, &y);
    assert_true(fabs(y) < 1e-9);
    y = 1e14 - 1.0 / 64; /* the digits of so long a step do not reach to where it ends */
    dt_bounded_solve(&bounded, 3, 1, U, b, limits, w, &y);
    assert_true(fabs(y) < 1e-9);
    dt_arena_free(&arena);
}

/** What is held on one side by a stop, and on the other by a little friction, is not beyond that: its measure is no measure of it. */
static void friction_beside_a_stop(void **state)
{
    (void)state;
    dt_arena arena;
    dt_minimax minimax;
    dt_bounded bounded;
    dt_arena_init(&arena, NULL);
    assert_true(dt_minimax_create(&arena, FORCES, COLUMNS, &minimax));
    assert_true(dt_bounded_create(&arena, FORCES, COLUMNS, &bounded));
    const double U[] = {0.3, 0.3}, b[] = {0, -1.4e-7}, w[] = {0.3, 1.4e6};
    double limits[][2] = {{-0.3, 0.3}, {-1e-7, 2.8e6}}, y = 0;
    const double m = dt_minimax_solve(&minimax, 2, 1, U, b, limits, &y);
    assert_true(m > 0 && fabs(m - 1.4e-7 / (0.3 + 1e-7)) < 1e-9 * m);
    dt_bounded_solve(&bounded, 2, 1, U, b, limits, w, &y);
    assert_true(fabs(0.3 * y - 4e-8) < 1e-12);
    dt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_use),        cmocka_unit_test(limits_of_zero),
        cmocka_unit_test(loads_of_nothing), cmocka_unit_test(least_norm),
        cmocka_unit_test(beyond_limits),    cmocka_unit_test(friction_beside_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
