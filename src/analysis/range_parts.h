/**
 * @file range_parts.h
 * What range.c (the whole), range_way.c (the way along the curve), range_root.c (steps, and roots in them) and range_extremes.c (what
 * is kept of it) share.
 */
#ifndef DT_ANALYSIS_RANGE_PARTS_H
#define DT_ANALYSIS_RANGE_PARTS_H

#include "analysis/curve.h"
#include "analysis/range.h"
#include "analysis/transmission.h"

/** A whole one, rad. */
static const double dt_range_turn = 6.283185307179586;

/** One joint driven along the curve. */
typedef struct sweep {
    dt_pose_curve curve;
    int driven, q, v; /**< node, coordinate, freedom of the driven joint */
    double sign;      /**< which way it goes */
    dt_pose_curve_point start, before, at, next, trial;
    dt_transmissions transmissions;
    bool has_before;
    double step[2]; /**< from `before` to `at`, from `at` to `next` */
    double *shift;  /**< node_count: what whole turns that were passed over have added */
    double h;       /**< the next one */
    size_t steps;   /**< on the way one way */
    size_t points;
    int stop,
        stop_side; /**< the joint at whose stop the way ended, and which one: -1 lower, 1 upper */
    detent_joint_range *joints;
} sweep;

/** Where the driven joint is. */
static inline double dt_range_place(const sweep *w, const dt_pose_curve_point *point)
{
    return point->q[w->q] + w->shift[w->driven];
}

/* ---- range_root.c ---- */

/** What is told of a point beside where it is; the system is posed there. */
void dt_range_look(sweep *w, dt_pose_curve_point *point);

/** A step of length h; false where there is none. */
bool dt_range_step(sweep *w, const dt_pose_curve_point *from, double h, dt_pose_curve_point *to);

/** What is to be zero at a point: a component of the tangent, or (`q` >= 0) the distance of a coordinate from `target`. */
typedef struct goal {
    int v, q;
    double target;
} goal;

static inline double dt_range_miss(const goal *g, const dt_pose_curve_point *point)
{
    return g->q >= 0 ? point->q[g->q] - g->target : point->t[g->v];
}

/** The step from `from`, up to h, at which a goal changes its sign from `low` on; by the Illinois method. w->trial is the point. */
double dt_range_find_root(sweep *w, const dt_pose_curve_point *from, double h, double low,
                          double high, const goal *g);

/* ---- range_extremes.c ---- */

/** Extends what is known of all joints by a point. `is_dead`: the driven one is at a dead centre there. */
void dt_range_note_point(const sweep *w, const dt_pose_curve_point *point, bool is_dead);

/** What lies between the points: ends of other joints, extrema of ratios and transmission angles. */
void dt_range_note_between(sweep *w, bool is_dead);

/* ---- range_way.c ---- */

/**
 * From the start to the limit, or as far as it goes, and where the positions of all joints come back after whole turns of the driven one no
 * farther than is needed. `*turns`: they do.
 */
detent_range_end dt_range_go_round(sweep *w, double sign, double limit, bool looks_back,
                                   bool *turns);

#endif
