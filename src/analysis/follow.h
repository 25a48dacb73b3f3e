/**
 * @file follow.h
 * Loops that follow where others go: g(q) = 0 along a way x(u), 0 <= u <= 1, of what is given and of prescribed motions.
 *
 * From a closed position a step of x by dx takes the others along by dy = -G_y^-1 G_x dx, the tangent, and Newton's method closes them from
 * there. A step is good if it came out as the tangent said, and if the tangent at its end says the same; else it is made shorter. So the way
 * is independent of how far its end is, and goes straight on where branches cross.
 *
 * There det G_y changes its sign. It does so as well where a step leads over a gap, from one of two branches that only come near each other
 * to the other one; so such a step is made shorter, too, until it is as short as `crossing`: at a gap that is wider the way turns, or
 * ends. A smallest pivot that falls towards zero says how far that is, where two signs change at once.
 */
#ifndef DT_ANALYSIS_FOLLOW_H
#define DT_ANALYSIS_FOLLOW_H

#include "analysis/analysis.h"

/**
 * From the analysis' state n->time, n->q to t, n->q_given, n->v_given; `exact`: what is n->given alone goes, all else follows or stays;
 * otherwise positions are first guesses. The system is at the state that was reached. DETENT_ERROR_ARGUMENT: it is not that one, with the
 * time, and who was given.
 */
detent_status dt_follow(dt_analysis *analysis, double t, bool exact, detent_error *error);

/** The way of a node from coordinates a to b (nv): a turn as a vector in the follower's frame, for small ones. */
void dt_follow_way(const dt_node *node, const double *a, const double *b, double *way);

/** Poses the system at time t and q, and chooses there what follows from what. */
void dt_follow_begin(dt_analysis *analysis, double t, const double *q);

#endif
