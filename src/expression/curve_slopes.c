/*
 * Slopes of monotone curves (of splines: math/spline.h), and where the borders of a curve are.
 *
 * Between knots with the secants d_k the slope at a knot begins as the mean of both, 0 where they differ in sign or one is 0; then,
 * segment by segment, with alpha and beta its slopes over the secant, both are shortened to the circle alpha^2 + beta^2 <= 9, inside of
 * which a cubic is monotone (Fritsch, Carlson 1980). At the ends it begins as the secant.
 */
#include "expression/curve.h"

#include "math/spline.h"

#include <math.h>

/* One line of the grid: knots `step` apart in value and slope. */
typedef struct grid_line {
    const dt_axis *axis;
    const double *value;
    double *slope;
    int step;
} grid_line;

static double secant(const grid_line *of, int k)
{
    return (of->value[(k + 1) * of->step] - of->value[k * of->step]) /
           (of->axis->at[k + 1] - of->axis->at[k]);
}

static void set_slopes(const grid_line *of)
{
    const int last = of->axis->count - 1;
    for (int k = 0; k <= last; k++) {
        const double before = secant(of, k > 0 ? k - 1 : 0),
                     after = secant(of, k < last ? k : last - 1);
        of->slope[k * of->step] = before * after > 0 ? 0.5 * (before + after) : 0;
    }
    for (int k = 0; k < last; k++) {
        const double d = secant(of, k);
        double *a = &of->slope[k * of->step], *b = &of->slope[(k + 1) * of->step];
        const double size = d != 0 ? hypot(*a / d, *b / d) : 0;
        if (size > 3) {
            *a *= 3 / size;
            *b *= 3 / size;
        }
    }
}

/* The lines of the grid along axis k. */
static int lines_of(const dt_curve *curve, int k)
{
    return curve->axes < 2 ? 1 : curve->axis[1 - k].count;
}

static grid_line line_of(const dt_curve *curve, int k, int n, double *slope)
{
    const int columns = curve->axes > 1 ? curve->axis[1].count : 1;
    const int first = k == 0 ? n : n * columns;
    return (grid_line){.axis = &curve->axis[k],
                       .value = curve->value + first,
                       .slope = slope ? slope + first : NULL,
                       .step = k == 0 ? columns : 1};
}

/* Whether a monotone curve begins or ceases to be constant at a knot: who rests because of it has to be told. */
static bool ends_a_dwell(const dt_curve *curve, const grid_line *of, int knot)
{
    return curve->tells_dwells && curve->interpolation == DT_INTERPOLATION_MONOTONE &&
           (secant(of, knot - 1) == 0) != (secant(of, knot) == 0);
}

/* Whether the slope along axis k jumps at a knot, or a dwell that is told begins or ends. */
static bool is_border(const dt_curve *curve, int k, int knot)
{
    const int last = curve->axis[k].count - 1;
    const bool end = knot == 0 || knot == last;
    bool jumps = end && curve->outside == DT_OUTSIDE_ERROR;
    for (int n = 0; n < lines_of(curve, k) && !jumps; n++) {
        const grid_line of = line_of(curve, k, n, NULL);
        const double after = secant(&of, knot < last ? knot : last - 1);
        if (end && curve->outside == DT_OUTSIDE_HOLD) {
            jumps = curve->slope[k]
                        ? curve->slope[k][(of.value - curve->value) + knot * of.step] != 0
                        : after != 0;
        } else if (!end && !curve->slope[k]) {
            jumps = secant(&of, knot - 1) != after;
        } else if (!end) {
            jumps = ends_a_dwell(curve, &of, knot);
        }
    }
    return jumps;
}

static bool set_borders(dt_arena *arena, dt_curve *curve, int k)
{
    dt_axis *axis = &curve->axis[k];
    int *border = dt_arena_alloc(arena, (size_t)axis->count, sizeof *border);
    for (int knot = 0; knot < axis->count && border; knot++) {
        if (is_border(curve, k, knot)) {
            border[axis->border_count++] = knot;
        }
    }
    axis->border = border;
    return border != NULL;
}

/* One slope a knot and axis. False when memory is out. */
static bool set_cubics(dt_arena *arena, dt_curve *curve, bool is_spline)
{
    const size_t knots = (size_t)curve->axis[0].count,
                 size = knots * (size_t)(curve->axes > 1 ? curve->axis[1].count : 1);
    double *work = dt_arena_alloc(arena, is_spline ? DT_SPLINE_WORK(knots) : 0, sizeof *work);
    for (int k = 0; k < curve->axes && work; k++) {
        double *slope = dt_arena_alloc(arena, size, sizeof *slope);
        if (!slope) {
            return false;
        }
        for (int n = 0; n < lines_of(curve, k); n++) {
            const grid_line of = line_of(curve, k, n, slope);
            if (is_spline) {
                dt_spline_slopes(of.axis->count, of.axis->at, of.value, of.step,
                                 curve->outside == DT_OUTSIDE_REPEAT, of.slope, work);
            } else {
                set_slopes(&of);
            }
        }
        curve->slope[k] = slope;
    }
    return work != NULL;
}

bool dt_curve_complete(dt_arena *arena, dt_curve *curve, dt_interpolation interpolation)
{
    return (interpolation == DT_INTERPOLATION_LINEAR ||
            set_cubics(arena, curve, interpolation == DT_INTERPOLATION_SPLINE)) &&
           set_borders(arena, curve, 0) && (curve->axes < 2 || set_borders(arena, curve, 1));
}
