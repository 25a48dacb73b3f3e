/* The interpolant of a step of Dormand and Prince: its order against an exact solution, its ends,
 * and what does not move. */
#include "base/arena.h"
#include "solver/dense_output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

enum { UNKNOWNS = 3 };

/** Two motions that are coupled to t alone, and a number that rests. */
static void right_side(double t, const double *y, double *yp)
{
    yp[0] = y[0] * y[0] * cos(t);
    yp[1] = y[1] * cos(t);
    yp[2] = 0;
}

static void exact(double t, double *y)
{
    y[0] = 1 / (2 - sin(t));
    y[1] = exp(sin(t));
    y[2] = 0.1;
}

/** One step from the exact solution at t0, noted as an integrator does; `repeat` times. */
static void step(dt_dense_output *dense, double t0, double h, int repeat)
{
    static const double c[6] = {1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
    static const double a[6][6] = {
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    double y0[UNKNOWNS], y[UNKNOWNS], k[7][UNKNOWNS];
    exact(t0, y0);
    dt_dense_start(dense, UNKNOWNS, t0, y0);
    right_side(t0, y0, k[0]);
    dt_dense_note_first(dense, k[0]);
    dt_dense_begin(dense);
    for (int attempt = 0; attempt < repeat; attempt++) {
        for (int i = 0; i < 6; i++) {
            for (int n = 0; n < UNKNOWNS; n++) {
                y[n] = y0[n];
                for (int j = 0; j <= i; j++) {
                    y[n] += h * a[i][j] * k[j][n];
                }
            }
            right_side(t0 + c[i] * h, y, k[i + 1]);
            dt_dense_note(dense, k[i + 1]);
        }
    }
    dt_dense_end(dense, t0 + h, y);
}

static void raise_order(dt_dense_output *dense)
{
    double t[2], y[UNKNOWNS], slope[2][UNKNOWNS];
    dt_dense_raise_times(dense, t);
    for (int k = 0; k < 2; k++) {
        dt_dense_evaluate(dense, t[k], 0, y);
        right_side(t[k], y, slope[k]);
    }
    dt_dense_raise(dense, slope[0], slope[1]);
}

/** The largest error inside a step of length h, of the solution or its derivative. */
static double error_inside(dt_dense_output *dense, double h, int order, int derivative)
{
    static const double t0 = 0.3;
    double worst = 0;
    step(dense, t0, h, 1);
    if (order == 5) {
        raise_order(dense);
    }
    for (int i = 1; i < 40; i++) {
        double y[UNKNOWNS], out[UNKNOWNS], wanted[UNKNOWNS];
        const double t = t0 + h * i / 40;
        exact(t, y);
        right_side(t, y, wanted);
        dt_dense_evaluate(dense, t, derivative, out);
        for (int n = 0; n < UNKNOWNS; n++) {
            worst = fmax(worst, fabs(out[n] - (derivative == 0 ? y[n] : wanted[n])));
            assert_true(fabs(out[n] - dt_dense_component(dense, t, derivative, n)) < 1e-14);
        }
    }
    return worst;
}

static void with_dense(void (*check)(dt_dense_output *dense))
{
    dt_arena arena;
    dt_dense_output dense;
    dt_arena_init(&arena, NULL);
    assert_true(dt_dense_create(&arena, UNKNOWNS, &dense));
    check(&dense);
    dt_arena_free(&arena);
}

/** The error of one step is of order h^(p + 1), that of its derivative h^p. */
static void check_order(dt_dense_output *dense)
{
    for (int order = 4; order <= 5; order++) {
        for (int derivative = 0; derivative <= 1; derivative++) {
            const double coarse = error_inside(dense, 0.16, order, derivative),
                         fine = error_inside(dense, 0.04, order, derivative);
            const double measured = log2(coarse / fine) / 2;
            assert_true(measured > order + 1 - derivative - 0.25);
        }
    }
    assert_true(error_inside(dense, 0.1, 5, 0) < 0.2 * error_inside(dense, 0.1, 4, 0));
}

static void the_order_is_four_or_five(void **state)
{
    (void)state;
    with_dense(check_order);
}

static void check_ends(dt_dense_output *dense)
{
    double y[UNKNOWNS], slope[UNKNOWNS], out[UNKNOWNS];
    for (int order = 4; order <= 5; order++) {
        step(dense, 1, 0.125, 1);
        if (order == 5) {
            raise_order(dense);
        }
        exact(1, y);
        right_side(1, y, slope);
        for (int n = 0; n < UNKNOWNS; n++) {
            assert_true(fabs(dt_dense_component(dense, 1, 0, n) - y[n]) < 1e-15);
            assert_true(fabs(dt_dense_component(dense, 1, 1, n) - slope[n]) < 1e-14);
            assert_true(fabs(dt_dense_component(dense, 1.125, 0, n) - dense->y1[n]) < 1e-15);
            assert_true(fabs(dt_dense_component(dense, 1.125, 1, n) - dt_dense_last(dense)[n]) <
                        1e-14);
        }
        dt_dense_evaluate(dense, 1.125, 0, out);
        assert_memory_equal(out, dense->y1, sizeof out);
        dt_dense_evaluate(dense, 1, 0, out);
        assert_memory_equal(out, y, sizeof out);
        /* what rests, rests to the last bit */
        for (int i = 0; i <= 20; i++) {
            dt_dense_evaluate(dense, 1 + 0.125 * i / 20, 0, out);
            assert_true(out[2] == 0.1);
        }
    }
}

static void the_ends_are_met(void **state)
{
    (void)state;
    with_dense(check_ends);
}

/** Attempts that fail leave stages behind; only the last six count. */
static void check_failures(dt_dense_output *dense)
{
    double y[UNKNOWNS], z[UNKNOWNS];
    step(dense, 0.5, 0.1, 1);
    dt_dense_evaluate(dense, 0.53, 0, y);
    for (int extra = 0; extra < 2; extra++) {
        step(dense, 0.5, 0.1, 2 + extra);
        dt_dense_evaluate(dense, 0.53, 0, z);
        assert_memory_equal(y, z, sizeof y);
    }
    /* the next step starts with the last stage of this one */
    const double last = dt_dense_last(dense)[0];
    dt_dense_begin(dense);
    assert_true(dense->k1[0] == last && dense->t0 == 0.6);
}

static void failed_attempts_do_not_count(void **state)
{
    (void)state;
    with_dense(check_failures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_four_or_five),
        cmocka_unit_test(the_ends_are_met),
        cmocka_unit_test(failed_attempts_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
