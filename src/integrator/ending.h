/**
 * @file ending.h
 * Where a solution ends (ending.c).
 */
#ifndef DT_INTEGRATOR_ENDING_H
#define DT_INTEGRATOR_ENDING_H

#include "integrator/simulation.h"

/** Why there is nothing to go on to. */
typedef enum dt_ending {
    DT_ENDING_NONE,     /**< there is something */
    DT_ENDING_OF_MODES, /**< nothing with the modes that the joints have, but with others */
    DT_ENDING_FOLD,     /**< no accelerations satisfy all laws */
    DT_ENDING_UNBOUND   /**< friction that follows the forces it causes grows without bound */
} dt_ending;

/** Moves the core on from y, yp by a step of length h; accelerations and friction stay a guess. */
void dt_ending_move_on(dt_simulation *simulation, double h);
/**
 * Whether the solution ends at `reached`, or a moment after it; the core is left somewhere about there. Where dt_ending_makes_event() has
 * just looked it is not looked for again.
 */
dt_ending dt_ending_after(dt_simulation *simulation);
/** Whether at `reached`, or at a stage of the step of fixed length that has failed, modes come to an end where others are consistent: then that is the pending event. */
bool dt_ending_makes_event(dt_simulation *simulation);
/**
 * Takes system and core beyond that ending, with the accelerations and forces that were there just before it: of some
 * shortest steps earlier where the last step has gone too far. DETENT_ERROR_SOLVER where there were none.
 */
detent_status dt_ending_pass(dt_simulation *simulation, detent_error *error);

#endif
