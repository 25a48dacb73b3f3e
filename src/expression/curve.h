/**
 * @file curve.h
 * Tables of one or two variables as functions.
 *
 * Along an axis there are knots, and between two of them a polynomial of the *segment*: linear, or cubic (Hermite) with slopes at the knots
 * that keep the curve monotone where its values are (F. N. Fritsch, R. E. Carlson, SIAM J. Numer. Anal. 17 (1980) 238), or its second derivative
 * continuous (math/spline.h). Knots at which the slope jumps are *borders*, and in motions those at which a monotone curve begins or ceases to be
 * constant, for who is held there is let go; segments between two borders are a group, on which the function is smooth. In a program the group
 * is an integer switch (DT_OP_SEGMENT), and the table a smooth function of its arguments and that (DT_OP_TABLE, DT_OP_TABLE2):
 * as long as a group is recorded its polynomials go on beyond its borders.
 */
#ifndef DT_EXPRESSION_CURVE_H
#define DT_EXPRESSION_CURVE_H

#include "base/arena.h"
#include "expression/dimension.h"
#include "expression/series.h"

#include <stddef.h>

typedef enum dt_outside {
    DT_OUTSIDE_HOLD,   /**< the value at the last knot */
    DT_OUTSIDE_EXTEND, /**< the straight line that goes on from there */
    DT_OUTSIDE_ERROR,  /**< no number */
    DT_OUTSIDE_REPEAT  /**< the whole once more: of a spline, whose last value is the first one */
} dt_outside;

typedef enum dt_interpolation {
    DT_INTERPOLATION_LINEAR,
    DT_INTERPOLATION_MONOTONE,
    DT_INTERPOLATION_SPLINE /**< of one variable; natural, or periodic where it repeats */
} dt_interpolation;

/** Knots that a spline has at least which repeats. */
enum { DT_LEAST_PERIODIC = 4 };

typedef struct dt_axis {
    int count; /**< of knots, at least 2 */
    const double *at;
    int border_count;
    const int *border; /**< knots, ascending */
} dt_axis;

typedef struct dt_curve {
    const char *name;
    int axes;
    dt_axis axis[2];
    const double *value; /**< axis[0].count rows of axis[1].count (1 where there is no such axis) */
    const double *slope[2]; /**< along each axis, of cubics; NULL: linear */
    dt_interpolation interpolation;
    dt_outside outside;
    bool tells_dwells;                 /**< their ends are borders */
    const struct dt_curve *moving;     /**< the same for motions; NULL: this one will do */
    dt_dimension dimension[2], result; /**< of the arguments, of the value */
} dt_curve;

/**
 * Sets slopes and borders of a curve of which the rest is set, in `arena`. False when memory is out.
 */
bool dt_curve_complete(dt_arena *arena, dt_curve *curve, dt_interpolation interpolation);

/** Groups of an axis are 0 .. border_count: the one that x is in. */
int dt_curve_group(const dt_axis *axis, double x);
/** The ends of a group; infinite where it has none. */
void dt_curve_ends(const dt_axis *axis, int group, double ends[2]);

/** The number of both groups, for dt_curve_value() and the like. */
static inline double dt_curve_groups(const dt_curve *curve, int first, int second)
{
    return first + (curve->axis[0].border_count + 1.0) * second;
}

/**
 * Value at (x, y) in `groups`, first derivatives (NULL: not asked for) and second ones, d2/dx2, d2/dxdy, d2/dy2 (NULL: the same). A curve of one
 * variable does not read y.
 */
double dt_curve_value(const dt_curve *curve, double x, double y, double groups, double first[2],
                      double second[3]);
/** The series of the value; of arguments that go through more than a few segments nothing is known. */
void dt_curve_enclose(const dt_curve *curve, const dt_series *x, const dt_series *y,
                      const dt_series *groups, int order, dt_series *value);

#endif
