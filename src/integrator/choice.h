/**
 * @file choice.h
 * Which stepper is cheaper, and which one gets on.
 */
#ifndef DT_INTEGRATOR_CHOICE_H
#define DT_INTEGRATOR_CHOICE_H

#include "integrator/simulation.h"
#include "solver/solver.h"

/** What each stepper has cost (choice.c), in sweeps. */
typedef struct dt_choice {
    double cost[DT_STEPPERS], time[DT_STEPPERS]; /**< sums over intervals, older ones fading */
    double last_rate[DT_STEPPERS];               /**< of the last interval */
    double spent, tried; /**< in all, and by the one that is not thought to be the cheaper one */
    double next_alarm;   /**< what is to be spent until stiffness is believed once more */
    bool alarmed;        /**< it is being tried because of that */
    size_t noted;        /**< evaluations that are in `spent` */
    size_t count;  /**< evaluations when the present interval began, or what is measured of it */
    double begin;  /**< s: when that was */
    size_t steps;  /**< in the present interval */
    bool trial;    /**< the other stepper is being tried */
    bool expired;  /**< the interval ends because a trial begins or ends */
    bool anew;     /**< a restored run begins */
    bool rejected; /**< the interval ends because a step failed */
    bool helps;    /**< IDA is at work where it was not asked for */
    size_t help;   /**< for how many steps; twice as many when the other one got nowhere since */
    int creeps;    /**< steps in a row that were too short to get anywhere */
    int brief; /**< intervals in a row that a switch of a law has ended after a few explicit steps */
} dt_choice;

/**
 * Times as tight as the settings say are steps of the present stepper: where a run that leaves the choice begins with the explicit
 * one, implicit steps have to be as exact as those, or what a trial of them leaves behind is most of the run's error.
 */
double dt_choice_sharpness(const dt_simulation *simulation);
/** A step has failed: the other stepper is to try, where the settings leave the choice; or where it has failed time and again. */
void dt_choice_reject(dt_simulation *simulation);
/** A step of h seconds has been made. */
void dt_choice_note(dt_simulation *simulation, double h);
/** Forgets what was measured: a restored run is about to be restarted. */
void dt_choice_forget(dt_simulation *simulation);
/** Before a restart: the stepper for the next interval. */
void dt_choice_restart(dt_simulation *simulation);
/** Before a step: whether to restart here, with the other stepper. */
bool dt_choice_wants_restart(dt_simulation *simulation);

#endif
