/**
 * @file stepper.h
 * What a time integrator does for a simulation; one file each: stepper_ida.c, stepper_erk.c.
 *
 * A stepper integrates y = [q | v | f | w] (core.h) from where it was started, one step a call, and
 * stops where a root
 * function of roots.c falls through zero inside the step: sim->finder then tells which. `sim->y`, `sim->yp` hold the state to
 * start from, and the
 * solution after a step.
 */
#ifndef DT_INTEGRATOR_STEPPER_H
#define DT_INTEGRATOR_STEPPER_H

#include "integrator/simulation.h"
#include "solver/sundials.h"

typedef enum dt_step { DT_STEP_DONE, DT_STEP_ROOT, DT_STEP_FAILED } dt_step;

/** Why a step failed. */
typedef enum dt_failure {
    DT_FAILURE_FORCE,      /**< a force or the accelerations, at a trial point */
    DT_FAILURE_ROOT,       /**< a root function, within the step */
    DT_FAILURE_ERROR_TEST, /**< above the tolerance, however short it is made */
    DT_FAILURE_NEWTON,     /**< no convergence, however short it is made */
    DT_FAILURE_ACCURACY,   /**< the tolerance is below rounding */
    DT_FAILURE_STALL,      /**< it is made, but so short that the run does not get on */
    DT_FAILURE_MEMORY,
    DT_FAILURE_INTERNAL
} dt_failure;

typedef enum dt_stepper_kind { DT_STEPPER_IDA, DT_STEPPER_ERK, DT_STEPPERS } dt_stepper_kind;

typedef struct dt_stepper {
    dt_stepper_kind kind;
    /** True: the friction in y is the solution's; false: it follows from q and v. */
    bool carries_friction;
    /** It has no step length of its own to start with: restart() is given one. */
    bool wants_first_step;
    /** Takes the memory; DETENT_ERROR_MEMORY. */
    detent_status (*create)(dt_simulation *sim, detent_error *error);
    void (*destroy)(dt_simulation *sim);
    /** Starts at t from y, yp with a first step of about h; 0: with one of its own. */
    bool (*restart)(dt_simulation *sim, double t, double h);
    /**
     * One step, no further than sim->stop. `*reached`: its end, or the root. Where it failed: why, and
     * the length `*tried`.
     */
    dt_step (*step)(dt_simulation *sim, double *reached, dt_failure *why, double *tried);
    /** The solution (or its derivative) at a time within the last step. */
    bool (*interpolate)(dt_simulation *sim, double t, int derivative, N_Vector out);
    /** The end of the last step. */
    double (*end)(const dt_simulation *sim);
    /** Length of the last step, s; 0 before the first. */
    double (*last_step)(const dt_simulation *sim);
    /** Adds steps and failures since the last restart. */
    void (*collect)(const dt_simulation *sim, detent_statistics *statistics);
} dt_stepper;

extern const dt_stepper dt_stepper_ida, dt_stepper_erk;

#endif
