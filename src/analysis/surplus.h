/**
 * @file surplus.h
 * More positions than the loops leave free: a table of a motion may have columns of every joint. As many as they leave free tell where
 * the mechanism goes, the others where it is expected.
 */
#ifndef DT_ANALYSIS_SURPLUS_H
#define DT_ANALYSIS_SURPLUS_H

#include "analysis/analysis.h"

/** The way of a node from coordinates a to b (nv): a turn as a vector in the follower's frame, for small ones. */
void dt_surplus_way(const dt_node *node, const double *a, const double *b, double *way);

/**
 * Of n->given leaves those that the rows as they were chosen last do not need: the others are first guesses. Joints of three freedoms are
 * given as a whole or not at all.
 */
void dt_surplus_drop(dt_analysis *analysis);

/**
 * Whether what `given` (nv) names and n->given does not came out where it was expected, at n->q_given and n->v_given, within 1e-6 of the
 * mechanism's length, or of the largest velocity: DETENT_ERROR_ARGUMENT, with the joint.
 */
detent_status dt_surplus_check(const dt_analysis *analysis, const bool *given, detent_error *error);

#endif
