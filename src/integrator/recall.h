/**
 * @file recall.h
 * A moment of a run, put back from what was recorded of it.
 */
#ifndef DT_INTEGRATOR_RECALL_H
#define DT_INTEGRATOR_RECALL_H

#include "integrator/simulation.h"

/** What is known of it; lengths are those of the mechanism. What may be NULL stays as it is. */
typedef struct dt_moment_given {
    double time;
    const double *positions, *velocities, *modes, *directions;
    const double *states, *inputs, *held;
    const double *accelerations, *frictions; /**< where a solution begins; may be NULL */
    const double *works;                     /**< DT_WORKS; may be NULL */
    double impact_loss;
    bool keeps_branches; /**< laws stay on the branches that they have */
} dt_moment_given;

/** DETENT_ERROR_ARGUMENT: no moment of it can be. */
detent_status dt_simulation_may_recall(const dt_simulation *simulation, detent_error *error);
/** As detent_recall(); the values have been looked at. */
detent_status dt_simulation_recall(dt_simulation *simulation, const dt_moment_given *given,
                                   detent_error *error);

#endif
