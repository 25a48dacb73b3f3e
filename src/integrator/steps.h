/**
 * @file steps.h
 * One step of the integrator.
 */
#ifndef DT_INTEGRATOR_STEPS_H
#define DT_INTEGRATOR_STEPS_H

#include "integrator/simulation.h"

/** The next step, and what became of the last ones. */
typedef struct dt_stepping {
    double stop;     /**< s: the next step ends there at the latest, or INFINITY */
    bool by_horizon; /**< as far as it is shown that nothing is passed over */
    double last;     /**< s: what IDA took before the present instant; 0 where nothing is known */
    double next;     /**< s: bound of the first one after a restart */
    double turning;  /**< s: bound of the next one, by what turns (turning.c) */
    int stalled;     /**< steps in a row that did not get on */
    /** s: the modes that joints have end at `reached`, others are there so long after it; else 0 */
    double beyond;
    bool looked;          /**< how the solution ends after `reached` has just been found: */
    int ending;           /**< a dt_ending, for who reports it */
    int rejections;       /**< how often the step after `reached` has failed */
    unsigned choice;      /**< the number of the closure's choice at the last restart */
    detent_error trial;   /**< what could not be evaluated in this step, if anything */
    detent_status failed; /**< how the last step failed, or DETENT_OK: it is not tried again */
    detent_error failure;
} dt_stepping;

/** One step of the integrator, with another stepper where that seems cheaper, or what went wrong. */
detent_status dt_step_once(dt_simulation *simulation, detent_error *error);

/** The failure of a step, `status`, told as that of the function which is to blame, if one is; a law that is bad of itself is no function's fault. */
detent_status dt_tell_failed_step(dt_simulation *simulation, detent_status status,
                                  detent_error *error);
/** The run has moved on: laws and functions that had no value meanwhile are of no account, unless one ends the run. */
void dt_forget_failed_tries(dt_simulation *simulation);

#endif
