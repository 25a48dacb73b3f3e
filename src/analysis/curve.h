/**
 * @file curve.h
 * The curve of positions that loops with one freedom can have. See range.h.
 */
#ifndef DT_ANALYSIS_CURVE_H
#define DT_ANALYSIS_CURVE_H

#include "analysis/analysis.h"

/** The longest step that may lead from one side of a crossing to the other: gaps of the loops of its square are not seen. */
static const double dt_pose_curve_crossing = 1e-6;

/** A position on the curve. */
typedef struct dt_pose_curve_point {
    double *q;          /**< nq */
    double *t;          /**< nv: the tangent */
    double *sine;       /**< node_count: the caller's */
    int *row, *freedom; /**< rank: what the tangent was found by, beside one freedom: */
    int independent;
    int side;     /**< the sign of the determinant of those */
    double pivot; /**< their smallest one, relative: 0 where branches meet */
} dt_pose_curve_point;

typedef struct dt_pose_curve {
    dt_analysis *analysis;
    double length; /**< that slides are measured by: of the mechanism, at the start */
    int rank;      /**< of the rows, on the whole curve */
} dt_pose_curve;

/** False when memory is out. */
bool dt_pose_curve_point_create(dt_arena *arena, const dt_analysis *analysis,
                                dt_pose_curve_point *point);

/**
 * The curve through the analysis' position: what no loop or coupling ties is held, but for the node `driven`.
 * DETENT_ERROR_ARGUMENT: the loops leave none, or more than one freedom; a joint that is free is named.
 */
detent_status dt_pose_curve_begin(dt_pose_curve *curve, dt_analysis *analysis, int driven,
                                  dt_pose_curve_point *start, detent_error *error);

/**
 * The point that a step of length h along the tangent of `from` leads to; its tangent points the same way. False where loops do not
 * close there, or leave more freedoms, or the tangent turns by more than 18 degrees, as it does at random where loops have two ways to go; or where the determinant of G and t changes its sign and the step is longer than
 * dt_pose_curve_crossing: there branches cross, or the step leads over a gap, to another curve.
 */
bool dt_pose_curve_step(const dt_pose_curve *curve, const dt_pose_curve_point *from, double h,
                        dt_pose_curve_point *to);

/** Makes one point the other one. */
void dt_pose_curve_copy(const dt_pose_curve *curve, dt_pose_curve_point *to,
                        const dt_pose_curve_point *from);

/** The cosine between two tangents. */
double dt_pose_curve_cosine(const dt_pose_curve *curve, const double *a, const double *b);

/** Nobody is held any more. */
void dt_pose_curve_end(dt_pose_curve *curve);

#endif
