/**
 * @file beginning.h
 * Motions that stand and begin at this instant, however smoothly: v = 0, a = 0, and so on. Where its law is one formula of t a motion
 * either stands for ever or moves at once, and which of the two the velocities of some later moments tell.
 *
 * Motions begin *together* whose velocities compare at the first moment at which they have some. Others are looked at by themselves: beside
 * t^2 the beginning of t^3 is nothing, and yet whom it alone moves has to follow.
 */
#ifndef DT_INTEGRATOR_BEGINNING_H
#define DT_INTEGRATOR_BEGINNING_H

#include "integrator/simulation.h"

/** Motions that begin together. Zero before the first ones. */
typedef struct dt_beginning {
    int moment; /**< the number of the first moment at which they have a velocity: the largest is the first */
    int next;        /**< the node behind the first of them */
    double later;    /**< s: that moment, from now */
    double velocity; /**< of the first of them, then */
} dt_beginning;

/** The next ones, in the order of moments; false where there are none any more. At an event, of a system with loops or couplings. */
bool dt_beginning_next(dt_simulation *simulation, dt_beginning *of);

/**
 * Brings the system to the velocities that they then cause at the present place, nothing else moving. Only their ratios count: the
 * fastest is an ordinary one. Returns how many times as slow it is; 0: nothing that is tied moves. Uses `before_trial`.
 */
double dt_beginning_look_ahead(dt_simulation *simulation, const dt_beginning *of);
/**
 * Motions that stand for this instant alone, between two that follow each other smoothly, have no acceleration but what rounding makes of
 * it: they have none until the event is over. Whether there are any that begin.
 */
bool dt_beginning_pause(dt_simulation *simulation);
/** Whether a node is tied, directly or not, with a motion that begins at this event. */
bool dt_beginning_takes(const dt_simulation *simulation, int node);
/** Back to the velocities of now. */
void dt_beginning_look_back(dt_simulation *simulation);

#endif
