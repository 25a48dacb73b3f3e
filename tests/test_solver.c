/* Both steppers on problems with exact solutions. Linked with base, math and solver alone, so that a
 * stepper that knew of mechanics would not link. */
#include "test_solver_problems.h"

/* ---- a bouncing ball: height, velocity ---- */

static const double gravity = 9.81, restitution = 0.8;

static void fall(const equations *e, double t, const double *y, double *f)
{
    (void)t;
    f[0] = y[1];
    f[1] = -e->parameter;
}

static void fall_slopes(const equations *e, double t, const double *y, double A[MOST][MOST])
{
    (void)e, (void)t, (void)y;
    A[0][1] = 1;
}

static void ground(const equations *e, double t, const double *y, double *g)
{
    (void)e, (void)t;
    g[0] = y[0];
}

/**
 * The largest error of ten bounces over what is allowed, dropped from 1 m. Every step may miss height and
 * velocity by their tolerances, the finder the time; earlier misses are passed on with a factor below
 * 1 + 2 restitution / (1 - restitution).
 */
static double worst_bounce(dt_stepper_kind kind, double pull, size_t *steps)
{
    const equations ball = {.length = 2,
                            .roots = 1,
                            .f = fall,
                            .slopes = fall_slopes,
                            .g = ground,
                            .parameter = pull,
                            .atol = 1e-9,
                            .breaks = INFINITY};
    const double passed_on = 1 + 2 * restitution / (1 - restitution);
    double speed = sqrt(2 * gravity), exact = speed / gravity, worst = 0, finder = 0;
    run r;
    open_run(&r, &ball, kind == DT_STEPPER_IDA, kind == DT_STEPPER_ERK, 4);
    /* A step beyond the next bounce but one would not see it: no flight is shorter than 0.09 s. */
    r.longest = 0.1;
    start(&r, kind, 0, (const double[]){1, 0});
    for (int bounce = 0; bounce < 10; bounce++) {
        assert_int_equal(next_root(&r), 0);
        finder += finder_error(&r);
        /* a flight is exact in an explicit step of order 5, but for rounding */
        const double tolerance = kind == DT_STEPPER_IDA ? 6 * rtol : 16 * DBL_EPSILON;
        const double allowed = passed_on * (finder + (double)r.steps * sqrt(2) * tolerance / speed);
        worst = fmax(worst, fabs(r.t - exact) / allowed);
        assert_true(r.y[0] <= 0 && r.y[0] > -speed * 2 * finder_error(&r) - 6 * rtol);
        speed *= restitution;
        exact += 2 * speed / gravity;
        start(&r, kind, r.t, (const double[]){0, -restitution * r.y[1]});
    }
    *steps = r.steps;
    close_run(&r);
    return worst;
}

static void test_bouncing_ball(void **state)
{
    size_t steps = 0;
    (void)state;
    assert_true(worst_bounce(DT_STEPPER_ERK, gravity, &steps) < 1);
    assert_true(worst_bounce(DT_STEPPER_IDA, gravity, &steps) < 1);
    assert_true(steps < 2000); /* what is allowed grows with them */
    /* it can fail */
    assert_true(worst_bounce(DT_STEPPER_ERK, gravity * (1 + 1e-10), &steps) > 1);
    assert_true(worst_bounce(DT_STEPPER_IDA, gravity * (1 + 1e-4), &steps) > 1);
}

/* ---- y' = -k (y - cos t) - sin t: y = cos t, stiff ---- */

static void follow(const equations *e, double t, const double *y, double *f)
{
    f[0] = -e->parameter * (y[0] - cos(t)) - sin(t);
}

static void follow_slopes(const equations *e, double t, const double *y, double A[MOST][MOST])
{
    (void)t, (void)y;
    A[0][0] = -e->parameter;
}

static void both_ways(const equations *e, double t, const double *y, double *g)
{
    (void)e, (void)t;
    g[0] = y[0];
    g[1] = -y[0];
}

/** The solution inside the last step, and then back to where it has got. */
static void check_inside(run *r)
{
    const double end = dt_solver_end(r->solver), h = dt_solver_last_step(r->solver);
    for (int k = 0; k <= 4; k++) {
        const double t = end - 0.25 * k * h;
        assert_true(dt_solver_interpolate(r->solver, t, 0));
        assert_true(fabs(r->y[0] - cos(t)) < 10 * rtol);
    }
    assert_true(dt_solver_interpolate(r->solver, r->t, 0));
    assert_true(dt_solver_interpolate(r->solver, r->t, 1));
}

/**
 * Roots at (n + 1/2) pi, falling and rising in turn. What a step misses dies out at once, so that the error is
 * that of some steps; half of the roots are gone on from without a restart.
 */
static double worst_crossing(dt_stepper_kind kind, double stiffness, size_t *steps)
{
    const equations stiff = {.length = 1,
                             .roots = 2,
                             .f = follow,
                             .slopes = follow_slopes,
                             .g = both_ways,
                             .parameter = stiffness,
                             .atol = 1e-9,
                             .breaks = INFINITY};
    const double pi = acos(-1);
    double worst = 0;
    run r;
    open_run(&r, &stiff, kind == DT_STEPPER_IDA, kind == DT_STEPPER_ERK, 32);
    start(&r, kind, 0, (const double[]){1});
    for (int k = 0; k < 10; k++) {
        assert_int_equal(next_root(&r), k % 2);
        worst = fmax(worst, fabs(r.t - (k + 0.5) * pi) / (10 * rtol + finder_error(&r)));
        check_inside(&r);
        if (k % 4 >= 2) {
            start(&r, kind, r.t, (const double[]){r.y[0]});
        }
    }
    *steps = r.steps;
    close_run(&r);
    return worst;
}

static void test_stiff_crossings(void **state)
{
    size_t ida = 0, erk = 0;
    (void)state;
    assert_true(worst_crossing(DT_STEPPER_IDA, 1000, &ida) < 1);
    assert_true(worst_crossing(DT_STEPPER_ERK, 1000, &erk) < 1);
    assert_true(erk > 3 * ida); /* its steps are bounded by stability: it is really stiff */
}

/* ---- van der Pol's oscillator ---- */

static void van_der_pol(const equations *e, double t, const double *y, double *f)
{
    (void)t;
    f[0] = y[1];
    f[1] = e->parameter * (1 - y[0] * y[0]) * y[1] - y[0];
}

static void van_der_pol_slopes(const equations *e, double t, const double *y, double A[MOST][MOST])
{
    (void)t;
    A[0][1] = 1;
    A[1][0] = -2 * e->parameter * y[0] * y[1] - 1;
    A[1][1] = e->parameter * (1 - y[0] * y[0]);
}

/**
 * Relaxation oscillations. Their period, A. A. Dorodnicyn, Asymptotic solution of van der Pol's equation,
 * Prikl. Mat. Mekh. 11 (1947) 313: T = (3 - 2 ln 2) mu + 3 alpha mu^-1/3 + O(ln mu / mu), with -alpha the
 * first zero of Airy's function.
 */
static void test_van_der_pol(void **state)
{
    const double mu = 1000, alpha = 2.338107410459767;
    const double period = (3 - 2 * log(2)) * mu + 3 * alpha / cbrt(mu);
    const equations oscillator = {.length = 2,
                                  .roots = 2,
                                  .f = van_der_pol,
                                  .slopes = van_der_pol_slopes,
                                  .g = both_ways,
                                  .parameter = mu,
                                  .atol = 1e-9,
                                  .breaks = INFINITY};
    double last[2] = {NAN, NAN};
    run r;
    (void)state;
    open_run(&r, &oscillator, true, false, 6000);
    start(&r, DT_STEPPER_IDA, 0, (const double[]){2, 0});
    for (int k = 0; k < 6; k++) {
        assert_int_equal(next_root(&r), k % 2);
        if (k >= 2) {
            assert_true(fabs(r.t - last[k % 2] - period) < 2 * log(mu) / mu);
        }
        last[k % 2] = r.t;
    }
    close_run(&r);
}

/* ---- unknowns that come and go, steppers that take turns ---- */

/* y_0 = e^-t and, where there are more of them, y_k = e^-(k+1)t; the last is y_0^2, algebraic */
static void decay(const equations *e, double t, const double *y, double *f)
{
    const int n = e->length - e->last_is_algebraic;
    (void)t;
    for (int k = 0; k < n; k++) {
        f[k] = -(k + 1) * y[k];
    }
    if (e->last_is_algebraic) {
        f[n] = y[n] - y[0] * y[0];
    }
}

static void decay_slopes(const equations *e, double t, const double *y, double A[MOST][MOST])
{
    const int n = e->length - e->last_is_algebraic;
    (void)t;
    for (int k = 0; k < n; k++) {
        A[k][k] = -(k + 1);
    }
    if (e->last_is_algebraic) {
        A[n][n] = 1;
        A[n][0] = -2 * y[0];
    }
}

/** y_0 below `parameter`; any others never fall. */
static void half(const equations *e, double t, const double *y, double *g)
{
    (void)t;
    g[0] = y[0] - e->parameter;
    for (int k = 1; k < e->roots; k++) {
        g[k] = 1;
    }
}

static void test_lengths(void **state)
{
    static const int length[] = {3, 1, 4, 2, 4, 1, 2, 3};
    const equations decays = {
        .f = decay, .slopes = decay_slopes, .g = half, .atol = 1e-12, .breaks = INFINITY};
    double t = 0, y0 = 1;
    run r;
    (void)state;
    open_run(&r, &decays, true, true, 8);
    for (int k = 0; k < 8; k++) {
        const dt_stepper_kind kind = (k / 2) % 2 ? DT_STEPPER_IDA : DT_STEPPER_ERK;
        r.e.length = length[k];
        r.e.roots = 1 + k % 3;
        r.e.last_is_algebraic = length[k] == 4 || length[k] == 2;
        r.e.parameter = 0.5 * y0;
        const int n = r.e.length - r.e.last_is_algebraic;
        double y[MOST];
        for (int j = 0; j < n; j++) {
            y[j] = pow(y0, j + 1);
        }
        y[n] = y0 * y0;
        start(&r, kind, t, y);
        assert_int_equal(next_root(&r), 0);
        /* an error of the first y is one of the time; the steps of all intervals may miss it */
        const double allowed = (double)r.steps * 2 * rtol;
        assert_true(fabs(r.t - (k + 1) * log(2)) < allowed && r.steps < 1000);
        for (int j = 0; j < n; j++) {
            assert_true(fabs(r.y[j] - exp(-(j + 1) * r.t)) < allowed);
        }
        if (r.e.last_is_algebraic) {
            assert_int_equal(dt_solver_carries_algebraic(r.solver), kind == DT_STEPPER_IDA);
            const double kept = kind == DT_STEPPER_IDA ? r.y[0] * r.y[0] : y0 * y0;
            assert_true(fabs(r.y[n] - kept) < 10 * rtol);
        }
        t = r.t;
        y0 = r.y[0];
    }
    close_run(&r);
}

/* ---- a right side with two solutions ---- */

/** y_0' = 1 or -1: the one that it was last, up to where that ends; y_1 rests. */
typedef struct branches {
    double now, kept;
    size_t lost; /**< how often the other one was found */
} branches;

static bool branch_rate(void *user, double t, const double *y, double *yp)
{
    branches *b = user;
    (void)t;
    b->lost += b->now > 0 && y[0] > 1;
    b->now = y[0] > 1 ? -1 : b->now;
    yp[0] = b->now;
    yp[1] = 0;
    return true;
}

static void branch_keep(void *user)
{
    branches *b = user;
    b->kept = b->now;
}

static void branch_recall(void *user)
{
    branches *b = user;
    b->now = b->kept;
}

static void branch_suggest(void *user, const double *yp)
{
    branches *b = user;
    b->now = yp[0] > 0 ? 1 : -1;
}

static void branch_hold(void *user, double *y)
{
    (void)user;
    y[1] = 0.1;
}

static void branch_weights(void *user, const double *y, double *w)
{
    (void)user, (void)y;
    w[0] = w[1] = 1 / rtol;
}

static bool branch_roots(void *user, double t, const double *y, const double *yp, double *g)
{
    (void)user, (void)t, (void)yp;
    g[0] = 0.9 - y[0];
    return true;
}

/** What stages beyond the end of a solution find is no guess where the step is tried again. */
static void test_branches(void **state)
{
    branches b = {.now = 1, .kept = 1};
    const dt_problem problem = {.user = &b,
                                .rate = branch_rate,
                                .keep = branch_keep,
                                .recall = branch_recall,
                                .suggest = branch_suggest,
                                .hold = branch_hold,
                                .weights = branch_weights,
                                .roots = branch_roots};
    const dt_solver_plan plan = {
        .most_unknowns = 2, .most_roots = 1, .steppers = {[DT_STEPPER_ERK] = true}, .end = 10};
    dt_failure why;
    dt_step result = DT_STEP_DONE;
    double t = 0, tried;
    dt_arena arena;
    (void)state;
    dt_arena_init(&arena, NULL);
    dt_solver *solver = dt_solver_create(&arena, &problem, &plan);
    assert_non_null(solver);
    dt_solver_set_length(solver, 2);
    dt_solver_y(solver)[0] = 0;
    dt_solver_y(solver)[1] = 0.1;
    assert_true(dt_solver_restart(solver, 0, 0, 1));
    for (int k = 0; k < 1000 && result == DT_STEP_DONE; k++) {
        const dt_step_bounds bounds = {.from = t, .stop = INFINITY, .longest = 10, .span = 10};
        result = dt_solver_step(solver, &bounds, &t, &why, &tried);
        assert_true(dt_solver_y(solver)[1] == 0.1);
    }
    assert_int_equal(result, DT_STEP_ROOT);
    assert_true(fabs(t - 0.9) < 10 * root_precision);
    assert_true(b.lost > 0); /* else this shows nothing */
    dt_solver_destroy(solver);
    dt_arena_free(&arena);
}

/* ---- failures ---- */

/**
 * A right side that ends: no stepper passes that, and each says so or does not get on. It goes on from there
 * when the right side does.
 */
static void check_failure(dt_stepper_kind kind)
{
    const equations ends = {.length = 1,
                            .roots = 1,
                            .f = decay,
                            .slopes = decay_slopes,
                            .g = half,
                            .parameter = 0.1,
                            .atol = 1e-9,
                            .breaks = 1};
    dt_failure why = DT_FAILURE_INTERNAL;
    double before = -1;
    run r;
    open_run(&r, &ends, true, true, 10);
    start(&r, kind, 0, (const double[]){1});
    while (r.t > before && r.steps < 1000) {
        before = r.t;
        if (step(&r, &why) == DT_STEP_FAILED) {
            assert_true(why == DT_FAILURE_FORCE || why == DT_FAILURE_NEWTON);
            assert_true(r.t == before);
        }
    }
    assert_true(r.t == before && r.t <= 1 && r.t > 0.5);
    assert_true(dt_solver_interpolate(r.solver, r.t, 0));
    assert_true(fabs(r.y[0] - exp(-r.t)) < (double)r.steps * 2 * rtol);
    r.e.breaks = INFINITY;
    start(&r, kind, r.t, (const double[]){r.y[0]});
    assert_int_equal(next_root(&r), 0);
    assert_true(fabs(r.t - log(10)) < (double)r.steps * 2 * rtol);
    close_run(&r);
}

static void test_failure(void **state)
{
    (void)state;
    check_failure(DT_STEPPER_IDA);
    check_failure(DT_STEPPER_ERK);
}

/* ---- y'' = -y, of which no rate is known near t = 1 ---- */

/** `parameter`: a force that jumps there, so that no polynomial is the solution. */
static void gap(const equations *e, double t, const double *y, double *f)
{
    f[0] = y[1];
    f[1] = -y[0] + (t > 1 ? e->parameter : 0) + (fabs(t - 1) < 1e-3 ? (double)NAN : 0);
}

static void past(const equations *e, double t, const double *y, double *g)
{
    (void)e, (void)t;
    g[0] = y[0] - cos(1.05);
}

static dt_step leap(run *r, double jump, double stop)
{
    const equations oscillator = {.length = 2,
                                  .roots = 1,
                                  .f = gap,
                                  .g = past,
                                  .parameter = jump,
                                  .atol = 1e-9,
                                  .breaks = INFINITY};
    const double y[2] = {cos(0.9), -sin(0.9)};
    double tried = 0;
    dt_failure why;
    open_run(r, &oscillator, false, true, 4);
    dt_solver_choose(r->solver, DT_STEPPER_LEAP);
    dt_solver_set_length(r->solver, 2);
    memcpy(r->y, y, sizeof y);
    rate(&r->e, 0.9, r->y, r->yp);
    assert_true(dt_solver_restart(r->solver, 0.9, 0.2, 1));
    const dt_step_bounds bounds = {
        .from = 0.9, .stop = stop, .longest = 1, .span = 3, .hole = 1, .slack = 1};
    r->t = 0.9;
    return dt_solver_step(r->solver, &bounds, &r->t, &why, &tried);
}

static void test_leap(void **state)
{
    run r;
    dt_failure why;
    (void)state;
    assert_int_equal(leap(&r, 0, INFINITY), DT_STEP_ROOT);
    assert_true(fabs(r.t - 1.05) < 2e-13);
    assert_int_equal(step(&r, &why), DT_STEP_DONE); /* the rest of it */
    assert_true(r.t == 0.9 + 0.2);
    for (double t = 0.9; t <= 1.1; t += 0.01) {
        assert_true(dt_solver_interpolate(r.solver, t, 0) && dt_solver_interpolate(r.solver, t, 1));
        assert_true(fabs(r.y[0] - cos(t)) < 1e-13 && fabs(r.y[1] + sin(t)) < 1e-13);
        assert_true(fabs(r.yp[1] + cos(t)) < 1e-11);
    }
    assert_false(dt_solver_interpolate(r.solver, 1.2, 0));
    assert_int_equal(dt_solver_steps(r.solver).steps, 1);
    close_run(&r);
    /* it ends where something is known to happen, be it before the hole */
    assert_int_equal(leap(&r, 0, 1.07), DT_STEP_ROOT);
    assert_int_equal(step(&r, &why), DT_STEP_DONE);
    assert_true(r.t == 1.07 && fabs(r.y[0] - cos(1.07)) < 1e-11);
    close_run(&r);
    assert_int_equal(leap(&r, 0, 0.995), DT_STEP_DONE);
    assert_true(r.t == 0.995 && fabs(r.y[0] - cos(0.995)) < 1e-11);
    close_run(&r);
    /* where the motion is not smooth none is made */
    assert_int_equal(leap(&r, 1e-3, INFINITY), DT_STEP_FAILED);
    assert_true(dt_solver_interpolate(r.solver, 0.9, 0) && r.y[0] == cos(0.9));
    close_run(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bouncing_ball), cmocka_unit_test(test_stiff_crossings),
        cmocka_unit_test(test_van_der_pol),   cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_branches),      cmocka_unit_test(test_failure),
        cmocka_unit_test(test_leap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
