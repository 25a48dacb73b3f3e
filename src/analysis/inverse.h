/**
 * @file inverse.h
 * Inverse dynamics: the forces of the drives that a motion needs, everything else the mechanism has included.
 *
 *   u = S'F(t, q, v, a) + J a - Q - f - G'm     per freedom; Q without actuation, f friction, m multipliers of loops
 *
 * In a tree m is not there, and every freedom has its u. In loops u = 0 along those that are not driven, which decides m; as
 * many are driven as the loops leave free. Friction of a joint that moves, or is about to, is -s FK; that of one that stays
 * at rest is anything between its static limits, so that u lies in an interval:
 *
 *   u_d = T_d'(S'F + J a - Q - f)     T_d: how all freedoms move with the driven one d alone
 */
#ifndef DT_ANALYSIS_INVERSE_H
#define DT_ANALYSIS_INVERSE_H

#include "analysis/analysis.h"

/**
 * Forces of the drives at the analysis' state for accelerations a (nv; those that follow from loops and prescribed motions are
 * replaced). `driven` (nv; NULL: in a tree all): freedoms that are driven, prescribed ones beside them. Out: low, high (nv),
 * the interval, of one value where the joint moves; 0 where nothing is driven. Errors as of detent_inverse().
 */
detent_status dt_inverse(dt_analysis *analysis, double *a, const bool *driven, double *low,
                         double *high, detent_error *error);

#endif
