/**
 * @file range.h
 * How far joints move while one is driven. Where loops leave one freedom, all positions are on a curve
 *
 *   g(q) = 0,    G t = 0,  |t| = 1     t its tangent, turns in rad, slides in lengths of the mechanism
 *
 * which is followed in its own length: a step along t, then the least change that closes the loops (closure_close.c). No
 * joint is special there, so that the curve passes smoothly through dead centres. With t_d and t_j the components of the driven
 * and another joint, dq_j/dq_d is t_j/t_d; the driven one is at a dead centre, the end of its range, where t_d = 0, another at
 * an end of its own where t_j = 0: roots in the length of a step. (Allgower, Georg: Introduction to Numerical Continuation Methods,
 * SIAM 2003.)
 */
#ifndef DT_ANALYSIS_RANGE_H
#define DT_ANALYSIS_RANGE_H

#include "analysis/analysis.h"
#include "detent/analysis.h"

/**
 * As detent_find_range(), the arguments checked; `joints`: node_count. Work space comes from `arena`. The analysis is afterwards
 * where it was.
 */
detent_status dt_range(dt_arena *arena, dt_analysis *analysis, int driven, double from, double to,
                       detent_range *range, detent_joint_range *joints, detent_error *error);

#endif
