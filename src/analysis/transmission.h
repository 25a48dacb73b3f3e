/**
 * @file transmission.h
 * Transmission angles: how well a joint is moved by what moves its follower.
 *
 * A force or torque of 1 along joint j that the driven one alone balances (no mass, no friction) makes the loops transmit forces, m:
 *
 *   G'm + e_j + u e_d = 0,   u = -t_j / t_d      t: the tangent (range.h)
 *
 * What else than j is at the follower of j, relative to its base, brings it the wrenches (F_k, M_k) at points that move with v_k, and turns with w, where
 * j moves by 1. Of their power there could be as much as
 *
 *   sum |F_k| |v_k| + |M_k| |w|
 *
 * if every force pulled the way that its point goes; sin mu = |sum F_k v_k + M_k w| / that. At a rocker that one pin moves mu is
 * the angle between coupler and rocker, at a slider that between rod and the normal of its way, 90 degrees less the pressure angle
 * (Alt 1932; for any mechanism as a power: Chen, Angeles: Mech. Mach. Theory 42 (2007) 1396). Rows that others imply share as
 * little as can be: m is the least, torques measured by the length of the mechanism.
 */
#ifndef DT_ANALYSIS_TRANSMISSION_H
#define DT_ANALYSIS_TRANSMISSION_H

#include "analysis/analysis.h"

typedef struct dt_transmissions {
    dt_analysis *analysis;
    int rows;             /**< 0: too many loops, and nothing is told */
    int count;            /**< of active rows */
    double *G;            /**< rows x count: all rows, of dependent freedoms, in lengths */
    double *normal;       /**< count x count: G'G, factored */
    int *pivots;          /**< count */
    double *load;         /**< count */
    double *multiplier;   /**< rows */
    double (*own)[6];     /**< node_count: of loops and rods, on each node */
    double (*carried)[6]; /**< node_count: the same, on it and all that it carries */
} dt_transmissions;

/** Work space; false when memory is out. */
bool dt_transmissions_create(dt_arena *arena, dt_analysis *analysis, dt_transmissions *work);

/**
 * sin mu of every joint with one freedom at a pose where the loops are factored for the dependent freedoms (curve.h), with the tangent t, for the
 * driven node; NAN of those that are held, of the driven one, and where nothing else acts on a follower.
 */
void dt_transmissions_find(dt_transmissions *work, const double *t, int driven, double *sine);

#endif
