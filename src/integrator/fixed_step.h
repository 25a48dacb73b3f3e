/**
 * @file fixed_step.h
 * What is different where steps have a length that is given: laws are taken as they are written, in every stage, and
 * what has happened is decided at the ends of steps.
 */
#ifndef DT_INTEGRATOR_FIXED_STEP_H
#define DT_INTEGRATOR_FIXED_STEP_H

#include "integrator/simulation.h"

/** What stepping so needs (fixed_step.c, fixed_stop.c). */
typedef struct dt_fixed_steps {
    bool exists;
    bool switches;      /**< laws have switches that are taken anew */
    bool forces_decide; /**< of laws that read forces, too */
    bool projects;      /**< something ties unknowns, or bounds them */
    bool stops_follow;  /**< stops of states ask for forces */
    bool *keep;         /**< branch_count of the system: switches that are not taken anew */
    dt_branch *before;  /**< branch_count: work space */
    /** branch_count: those that forces decide, as the last stage has left them */
    dt_branch *of_forces;
    double *r_v, *r_f, *r_m;        /**< nv, stiction_count, rows: of an impulse */
    double *d_v, *d_f, *d_m;        /**< likewise */
    double *v_before, *v;           /**< nv: the velocities before and after it */
    signed char *mode, *direction;  /**< stiction_count: kept meanwhile */
    bool *may_stop, *stops, *alone; /**< stiction_count: at the end of a step */
    unsigned char *yielded;
    double *ending;     /**< as long as y: the stage of the step that has no accelerations */
    double ending_time; /**< s: when that is; NAN: all stages have some */
} dt_fixed_steps;

/** Memory, where the settings have a step. False when it is out. After dt_sources_create(). */
bool dt_fixed_create(dt_arena *arena, dt_simulation *simulation);
/** DETENT_ERROR_ARGUMENT: a law is for fixed steps alone, and there are none. */
detent_status dt_fixed_check(const dt_simulation *simulation, detent_error *error);

/** Finds the accelerations of the core at its readings with the branches that are recorded. */
typedef detent_status (*dt_fixed_solver)(dt_simulation *simulation, detent_error *error);
/** The same, with branches as laws are written. */
detent_status dt_fixed_accelerations(dt_simulation *simulation, dt_fixed_solver solve,
                                     detent_error *error);
/** Branches as laws are written, at all the readings that there are. */
void dt_fixed_take_switches(dt_simulation *simulation);
/** The same of the laws of one stiction that follow forces. */
void dt_fixed_take_switches_of(dt_simulation *simulation, int stiction);
/** As they were before that; nothing else has taken any since. */
void dt_fixed_put_switches_back(dt_simulation *simulation, int stiction);
/** The run goes on from the branches that there are. */
void dt_fixed_keep_switches(dt_simulation *simulation);
/** Rotations in y of unit length: interpolation leaves others. */
void dt_fixed_normalize(const dt_simulation *simulation, double *y);

/* fixed_project.c */
/** dt_problem.project */
bool dt_fixed_project(void *simulation, double t, double *y);

/* fixed_ending.c */

/** The stage at t, with the unknowns y, has no accelerations. */
void dt_fixed_note_ending(dt_simulation *simulation, double t, const double *y);
/** Clear of an instant at which the step has to end: what happens there belongs to the time after it. The core is at `reached`. */
void dt_fixed_keep_ending_clear(dt_simulation *simulation);
/** The core at that stage, which is `step.beyond` after `reached`, and the works. */
void dt_fixed_enter_ending(dt_simulation *simulation);

/* fixed_stop.c */
/** The band of velocity in which a joint rests at the end of a step, rad/s or m/s; 0: it does where it turns round. */
static inline double dt_fixed_band(const dt_stiction *stiction)
{
    const dt_fixed_law *law = stiction->friction->fixed_law;
    return law ? law->band : 0;
}
/** Whether joints of the system with stiction have come to rest, or turned round, in the step that has ended. */
bool dt_fixed_stops_are_due(dt_simulation *simulation);
/** They stop, by an impulse on the whole mechanism; modes, directions and branches follow from the velocities. */
void dt_fixed_stop_all(dt_simulation *simulation);

#endif
