/**
 * @file choice.h
 * Which stepper is cheaper, and which one gets on.
 */
#ifndef DT_INTEGRATOR_CHOICE_H
#define DT_INTEGRATOR_CHOICE_H

#include "integrator/simulation.h"
#include "solver/solver.h"

/** What each stepper has cost (choice.c). */
typedef struct dt_choice {
    double cost[DT_STEPPERS], time[DT_STEPPERS]; /**< sums over intervals, older ones fading */
    double last_rate[DT_STEPPERS];               /**< of the last interval */
    size_t count;                                /**< evaluations when the present interval began */
    double begin;                                /**< s */
    size_t steps;                                /**< in the present interval */
    size_t events;                               /**< restarts by events so far */
    size_t patience; /**< steps before the other stepper is tried within an interval */
    bool trial;      /**< it is being tried */
    bool expired;    /**< the interval ends because it was long */
    bool anew;       /**< a restored run begins */
    bool rejected;   /**< the interval ends because a step failed */
    bool helps;      /**< IDA is at work where it was not asked for */
} dt_choice;

/** A step has failed: the other stepper is to try, where the settings leave the choice; or where it has failed time and again. */
void dt_choice_reject(dt_simulation *simulation);
/** Forgets what was measured: a restored run is about to be restarted. */
void dt_choice_forget(dt_simulation *simulation);
/** Before a restart: the stepper for the next interval. */
void dt_choice_restart(dt_simulation *simulation);
/** Before a step: whether to restart here, with the other stepper. */
bool dt_choice_wants_restart(dt_simulation *simulation);

#endif
