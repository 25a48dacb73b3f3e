/**
 * @file bearing.h
 * What the bearing of a joint carries: readings of a joint whose stiction has one (detent_bearing).
 *
 * The joint transmits the force F and, about the origin of the follower's joint frame, the moment T. A bearing of length L, with its
 * middle s along the axis a from there, carries what of both is across the axis by forces at its two ends:
 *
 *   A + B = F',   L/2 a x (A - B) = T' - s a x F      F' = F - a (a . F),  T' likewise
 *   A = (1/2 - s/L) F' + T x a / L,     B = (1/2 + s/L) F' - T x a / L
 *
 * A at s + L/2. Without a length it is short and carries no moment: A = B = F'/2. Fixed to the base of a joint that slides, its middle stays
 * behind: s = center - q.
 *
 *   bearing_force = |A| + |B|,   thrust_force = |a . F|
 */
#ifndef DT_DYNAMICS_BEARING_H
#define DT_DYNAMICS_BEARING_H

#include "dynamics/slope.h"
#include "dynamics/tangent.h"

/** Parts of the family: what both ends carry, and what is along the axis. */
enum { DT_BEARING_ENDS, DT_BEARING_THRUST };

/** `force`, `moment`: what is transmitted (dt_system_reaction()). */
double dt_bearing_value(const dt_system *system, int node, int part, const double force[3],
                        const double moment[3]);
void dt_bearing_slope(const dt_system *system, int node, int part, const double force[3],
                      const double moment[3], double scale, dt_slope *slope);
/** With their changes. */
double dt_bearing_change(const dt_tangent *tangent, const dt_system *system, int node, int part,
                         const double force[3], const double moment[3], const double dforce[3],
                         const double dmoment[3]);

/** The most that a reading of the family changes by where the force and the moment that node transmits change by as much. */
double dt_bearing_reach(const dt_system *system, int node, int part, double force, double moment);

#endif
