/**
 * @file ending.h
 * Where a solution ends (ending.c).
 */
#ifndef DT_INTEGRATOR_ENDING_H
#define DT_INTEGRATOR_ENDING_H

#include "integrator/simulation.h"

/** Why there is nothing to go on to. */
typedef enum dt_ending {
    DT_ENDING_NONE,   /**< there is something */
    DT_ENDING_FOLD,   /**< no accelerations satisfy all laws */
    DT_ENDING_UNBOUND /**< friction that follows the forces it causes grows without bound */
} dt_ending;

/** Moves the core on from y, yp by a step of length h; accelerations and friction stay a guess. */
void dt_ending_move_on(dt_simulation *simulation, double h);
/** Whether the solution ends at `reached`, or a moment after it; the core is left somewhere about there. */
dt_ending dt_ending_after(dt_simulation *simulation);
/** Whether a law reads what depends on accelerations. */
bool dt_ending_follows_forces(const dt_law *law);

#endif
