/*
 * The stepper of fixed steps on problems with exact solutions, linked without any mechanics: its grid, its formulas, what is told of
 * roots, the solution inside a step, steps that fail.
 */
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* y' = (y1, -y0), until `breaks`; the projection, if any, puts y back to the circle. */
typedef struct circle {
    double breaks;
    bool projects;
    size_t rates, projections;
} circle;

static bool rate(void *user, double t, const double *y, double *yp)
{
    circle *c = user;
    c->rates++;
    yp[0] = y[1];
    yp[1] = -y[0];
    return !(t > c->breaks);
}

static bool project(void *user, double t, double *y)
{
    circle *c = user;
    const double r = hypot(y[0], y[1]);
    (void)t;
    c->projections++;
    if (c->projects) {
        y[0] /= r;
        y[1] /= r;
    }
    return true;
}

/* One falls where y0 does, one is zero at the start and stays there for a while. */
static bool roots(void *user, double t, const double *y, const double *yp, double *g)
{
    const circle *c = user;
    assert_true(fabs(yp[0] - y[1]) == 0 && fabs(yp[1] + y[0]) == 0 && c->rates > 0);
    g[0] = y[0];
    g[1] = t < 0.35 ? 0 : 1;
    g[2] = 2 - t;
    return true;
}

typedef struct run {
    dt_arena arena;
    circle c;
    dt_solver *solver;
    double t, tried;
    dt_failure why;
} run;

static void open_run(run *r, double start, double h, int stages, circle c)
{
    *r = (run){.c = c, .t = start};
    const dt_problem problem = {.user = &r->c, .rate = rate, .roots = roots, .project = project};
    const dt_solver_plan plan = {.most_unknowns = 2,
                                 .most_roots = 3,
                                 .steppers = {[DT_STEPPER_FIXED] = true},
                                 .start = start,
                                 .end = start + 10,
                                 .step = h,
                                 .stages = stages};
    dt_arena_init(&r->arena, NULL);
    r->solver = dt_solver_create(&r->arena, &problem, &plan);
    assert_non_null(r->solver);
    assert_int_equal(dt_solver_kind(r->solver), DT_STEPPER_FIXED);
    assert_true(!dt_solver_carries_algebraic(r->solver) && !dt_solver_wants_first_step(r->solver));
}

static void start(run *r, double t, double y0, double y1, int watched)
{
    dt_solver_set_length(r->solver, 2);
    dt_solver_y(r->solver)[0] = y0;
    dt_solver_y(r->solver)[1] = y1;
    r->t = t;
    assert_true(dt_solver_restart(r->solver, t, 0, watched));
}

static dt_step step(run *r, double stop)
{
    const dt_step_bounds bounds = {.from = r->t, .stop = stop, .longest = 1, .span = 10};
    return dt_solver_step(r->solver, &bounds, &r->t, &r->why, &r->tried);
}

static void close_run(run *r)
{
    dt_solver_destroy(r->solver);
    dt_arena_free(&r->arena);
}

/* Steps end at start + n h to the bit, and at bounds; the step after a bound ends on the grid again. */
static void steps_end_on_the_grid(void **state)
{
    const double from = 0.7, h = 0.1, bound = from + 0.25, near = from + 4 * h * (1 + 1e-9);
    run r;
    (void)state;
    open_run(&r, from, h, 1, (circle){.breaks = INFINITY});
    start(&r, from, 1, 0, 0);
    assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
    assert_true(r.t == from + 1 * h && dt_solver_last_step(r.solver) == r.t - from);
    assert_int_equal(step(&r, bound), DT_STEP_DONE);
    assert_true(r.t == from + 2 * h);
    assert_int_equal(step(&r, bound), DT_STEP_DONE);
    assert_true(r.t == bound && dt_solver_end(r.solver) == bound);
    assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
    assert_true(r.t == from + 3 * h);
    /* a bound next to the grid takes its place: no step is rounding */
    assert_int_equal(step(&r, near), DT_STEP_DONE);
    assert_true(r.t == near);
    assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
    assert_true(r.t == from + 5 * h);
    assert_int_equal(dt_solver_steps(r.solver).steps, 6);
    start(&r, from + 0.333, 1, 0, 0);
    assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
    assert_true(r.t == from + 4 * h);
    assert_int_equal(dt_solver_steps(r.solver).steps, 1);
    close_run(&r);
}

/* After n steps of Euler's method |y| has grown by (1 + h^2)^(n/2), at an angle of n atan h. */
static void euler_is_that_of_the_formula(void **state)
{
    const double h = 0x1p-5;
    run r;
    (void)state;
    open_run(&r, 0, h, 1, (circle){.breaks = INFINITY});
    start(&r, 0, 1, 0, 0);
    for (int n = 1; n <= 100; n++) {
        assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
        const double radius = pow(1 + h * h, n / 2.0), angle = n * atan(h),
                     *y = dt_solver_y(r.solver);
        assert_true(fabs(y[0] - radius * cos(angle)) < 1e-13);
        assert_true(fabs(y[1] + radius * sin(angle)) < 1e-13);
    }
    assert_int_equal(r.c.rates, 101); /* the end of a step is the start of the next */
    assert_int_equal(r.c.projections, 100);
    close_run(&r);
}

/* The error at t = 10, at the ends of steps or inside them. */
static double error_of(int stages, double h, bool inside)
{
    run r;
    double worst = 0;
    open_run(&r, 0, h, stages, (circle){.breaks = INFINITY});
    start(&r, 0, 1, 0, 0);
    while (r.t < 10 - h / 2) {
        assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
        for (int k = 0; k < 3; k++) {
            const double t = r.t - (inside ? (k + 1) * h / 4 : 0);
            assert_true(dt_solver_interpolate(r.solver, t, 0));
            worst = fmax(worst, fabs(dt_solver_y(r.solver)[0] - cos(t)));
        }
    }
    close_run(&r);
    return worst;
}

static void the_order_is_that_of_the_method(void **state)
{
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        const double one = log2(error_of(1, 0x1p-9, inside) / error_of(1, 0x1p-10, inside)),
                     four = log2(error_of(4, 0x1p-4, inside) / error_of(4, 0x1p-5, inside));
        assert_true(fabs(one - 1) < 0.05);
        assert_true(fabs(four - 4) < 0.1);
    }
}

/* A root is told at the end of the step in which it fell, over and over while it is below; not one that began at zero. */
static void roots_are_told_at_ends_of_steps(void **state)
{
    run r;
    (void)state;
    open_run(&r, 0, 0.1, 4, (circle){.breaks = INFINITY});
    start(&r, 0, 1, 0, 3);
    for (int n = 1; n <= 15; n++) {
        assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
    }
    for (int n = 16; n <= 19; n++) { /* y0 = cos t falls at 1.57 */
        assert_int_equal(step(&r, INFINITY), DT_STEP_ROOT);
        const int *fired = dt_solver_fired(r.solver);
        assert_true(fired[0] == -1 && fired[1] == 0 && fired[2] == 0);
    }
    start(&r, 1.9, 1, 0, 3);
    assert_int_equal(step(&r, 2), DT_STEP_ROOT); /* g2 comes to zero there, to the bit */
    assert_true(r.t == 2 && dt_solver_fired(r.solver)[2] == -1 &&
                dt_solver_fired(r.solver)[0] == 0);
    start(&r, 2, 1, 0, 3);
    assert_int_equal(step(&r, 2.05), DT_STEP_ROOT);
    close_run(&r);
}

static void the_end_of_a_step_is_projected(void **state)
{
    run r;
    (void)state;
    open_run(&r, 0, 0.1, 1, (circle){.breaks = INFINITY, .projects = true});
    start(&r, 0, 1, 0, 0);
    for (int n = 1; n <= 50; n++) {
        assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
        const double *y = dt_solver_y(r.solver), *yp = dt_solver_yp(r.solver);
        assert_true(fabs(hypot(y[0], y[1]) - 1) < 4 * DBL_EPSILON);
        assert_true(yp[0] == y[1] && yp[1] == -y[0]);
        assert_true(fabs(y[0] - cos(n * atan(0.1))) < 1e-14);
    }
    close_run(&r);
}

/* A step that fails leaves everything where it was. */
static void a_step_that_fails_is_not_made(void **state)
{
    (void)state;
    for (int stages = 1; stages <= 4; stages += 3) {
        run r;
        open_run(&r, 0, 0.1, stages, (circle){.breaks = 0.55});
        start(&r, 0, 1, 0, 3);
        for (int n = 1; n <= 5; n++) {
            assert_int_equal(step(&r, INFINITY), DT_STEP_DONE);
        }
        const double before[2] = {dt_solver_y(r.solver)[0], dt_solver_y(r.solver)[1]}, t = r.t;
        assert_int_equal(step(&r, INFINITY), DT_STEP_FAILED);
        assert_int_equal(r.why, DT_FAILURE_FORCE);
        assert_true(r.t == t && dt_solver_end(r.solver) == t && fabs(r.tried - 0.1) < 1e-12);
        assert_true(dt_solver_interpolate(r.solver, t, 0) && dt_solver_interpolate(r.solver, t, 1));
        assert_memory_equal(dt_solver_y(r.solver), before, sizeof before);
        assert_true(dt_solver_yp(r.solver)[1] == -before[0]);
        assert_false(dt_solver_interpolate(r.solver, t + 0.05, 0));
        close_run(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_end_on_the_grid),
        cmocka_unit_test(euler_is_that_of_the_formula),
        cmocka_unit_test(the_order_is_that_of_the_method),
        cmocka_unit_test(roots_are_told_at_ends_of_steps),
        cmocka_unit_test(the_end_of_a_step_is_projected),
        cmocka_unit_test(a_step_that_fails_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
