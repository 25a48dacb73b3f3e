/*
 * Invariant of the search: between a, with values `low`, and b, with values `high`, some function falls
 * through zero, and none has before a. Each round evaluates at one time in between, which becomes a
 * or b. That time is where the function that seems to fall first is zero by inverse quadratic
 * interpolation through the values at a, b and the end given up last, where Chandrupatla's criterion
 * allows it, else by the secant; it keeps a little less than half the tolerance from a and b, so that
 * a good estimate is followed by one across the root, and the search ends. Where three rounds have
 * not halved the interval, and the estimates do not settle, the fourth does.
 *
 * T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear
 * function without using derivatives, Advances in Engineering Software 28 (1997) 145.
 */
#include "solver/root_finding.h"

#include <math.h>
#include <string.h>

/* The interval that holds the root. */
typedef struct interval {
    double a, b;
    double old;       /**< the end given up last, NAN at first */
    double last;      /**< where the last evaluation was */
    double move;      /**< how far that was from the one before */
    double length[3]; /**< after the last rounds, oldest first */
} interval;

bool dt_root_finder_create(dt_arena *arena, size_t most, dt_root_finder *f)
{
    double **const values[] = {&f->low, &f->high, &f->middle, &f->old};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        if (!(*values[k] = dt_arena_alloc(arena, most, sizeof(double)))) {
            return false;
        }
    }
    f->idle = dt_arena_alloc(arena, most, sizeof *f->idle);
    f->fired = dt_arena_alloc(arena, most, sizeof *f->fired);
    return f->idle && f->fired;
}

static bool evaluate(dt_root_finder *f, double t, double *g)
{
    return f->evaluate(f->context, t, g);
}

bool dt_root_finder_start(dt_root_finder *f, int count, double t)
{
    f->count = count;
    f->time = t;
    f->fresh = true;
    memset(f->fired, 0, (size_t)count * sizeof *f->fired);
    if (!evaluate(f, t, f->low)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        f->idle[k] = f->low[k] == 0;
    }
    return true;
}

/* Functions that have left zero soon after the start take part in the first search. */
static bool leave_soon(dt_root_finder *f, double end, double tolerance)
{
    const double t = f->time + fmax(tolerance, 0.1 * (end - f->time));
    bool any = false;
    for (int k = 0; k < f->count; k++) {
        any = any || f->idle[k];
    }
    if (!f->fresh || !any || !(t < end)) {
        return true;
    }
    if (!evaluate(f, t, f->middle)) {
        return false;
    }
    for (int k = 0; k < f->count; k++) {
        if (f->idle[k] && f->middle[k] != 0) {
            f->idle[k] = false;
            f->low[k] = f->middle[k];
        }
    }
    return true;
}

static bool falls(const dt_root_finder *f, const double *later, int k)
{
    return !f->idle[k] && f->low[k] > 0 && later[k] <= 0;
}

/* The function that falls first, going by the secants from `low` to `later`; -1 if none falls. */
static int first_to_fall(const dt_root_finder *f, const double *later)
{
    double most = -1;
    int first = -1;
    for (int k = 0; k < f->count; k++) {
        if (falls(f, later, k) && later[k] / (later[k] - f->low[k]) > most) {
            most = later[k] / (later[k] - f->low[k]);
            first = k;
        }
    }
    return first;
}

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* Where the parabola t(g) through three points is at g = 0; NAN where it should not be trusted. */
static double inverse_parabola(const interval *i, double ga, double gb, double gc)
{
    const double a = i->a, b = i->b, c = i->old;
    /* the criterion asks for the newest point first: that is the end next to the one given up */
    const bool a_is_new = c < a;
    const double t0 = a_is_new ? a : b, g0 = a_is_new ? ga : gb;
    const double t1 = a_is_new ? b : a, g1 = a_is_new ? gb : ga;
    const double xi = (t0 - t1) / (c - t1), phi = (g0 - g1) / (gc - g1);
    if (!(xi >= 0 && xi <= 1 && phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) {
        return NAN;
    }
    return t0 + g0 / (g1 - g0) * (gc / (g1 - gc)) * (t1 - t0) +
           g0 / (gc - g0) * (g1 / (gc - g1)) * (c - t0);
}

/* Where the function that falls first is expected to be zero. */
static double estimate(const dt_root_finder *f, const interval *i)
{
    const int k = first_to_fall(f, f->high);
    const double ga = f->low[k], gb = f->high[k];
    double t = NAN;
    if (isnan(i->old) && f->guess) {
        const dt_root_bracket bracket = {.index = k, .t = {i->a, i->b}, .g = {ga, gb}};
        t = f->guess(f->context, &bracket);
    } else if (!isnan(i->old)) {
        t = inverse_parabola(i, ga, gb, f->old[k]);
    }
    return t > i->a && t < i->b ? t : i->a + (i->b - i->a) * (ga / (ga - gb));
}

/* Where to look next. */
static double next_time(const dt_root_finder *f, const interval *i, double tolerance)
{
    const double least = 0.45 * tolerance;
    const double t = fmin(fmax(estimate(f, i), i->a + least), i->b - least);
    const bool slow = i->b - i->a > 0.5 * i->length[0], settles = fabs(t - i->last) < 0.1 * i->move;
    return slow && !settles ? 0.5 * (i->a + i->b) : t;
}

/* Halves, or better, the interval in a few rounds; false where a function cannot be evaluated. */
static bool narrow(dt_root_finder *f, interval *i, double tolerance)
{
    const double t = next_time(f, i, tolerance);
    if (!evaluate(f, t, f->middle)) {
        return false;
    }
    i->move = fabs(t - i->last);
    i->last = t;
    i->length[0] = i->length[1];
    i->length[1] = i->length[2];
    i->length[2] = i->b - i->a;
    if (first_to_fall(f, f->middle) >= 0) {
        i->old = i->b;
        i->b = t;
        swap(&f->old, &f->high);
        swap(&f->high, &f->middle);
    } else {
        i->old = i->a;
        i->a = t;
        swap(&f->old, &f->low);
        swap(&f->low, &f->middle);
    }
    return true;
}

/* The values at `high` are those at `time` now. */
static void move_on(dt_root_finder *f, double t)
{
    f->time = t;
    f->fresh = false;
    swap(&f->low, &f->high);
    for (int k = 0; k < f->count; k++) {
        f->idle[k] = f->idle[k] && f->low[k] == 0;
    }
}

dt_root_outcome dt_root_finder_search(dt_root_finder *f, double end, double tolerance)
{
    interval i = {
        .a = f->time, .b = end, .old = NAN, .last = end, .length = {INFINITY, INFINITY, INFINITY}};
    memset(f->fired, 0, (size_t)f->count * sizeof *f->fired);
    if (!evaluate(f, end, f->high) || !leave_soon(f, end, tolerance)) {
        return DT_ROOT_FAILED;
    }
    if (first_to_fall(f, f->high) < 0) {
        move_on(f, end);
        return DT_ROOT_NONE;
    }
    while (i.b - i.a > tolerance) {
        if (!narrow(f, &i, tolerance)) {
            return DT_ROOT_FAILED;
        }
    }
    for (int k = 0; k < f->count; k++) {
        f->fired[k] = falls(f, f->high, k) ? -1 : 0;
    }
    move_on(f, i.b);
    return DT_ROOT_FOUND;
}
