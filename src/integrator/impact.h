/**
 * @file impact.h
 * Impacts of joints that come to their stops. With L the impulses of the closed stops whose joints do not move away from them,
 *
 *   M (v+ - v-) = S L + G'm,    L >= 0  complementary to  v+ + e v- >= 0       (signs as of a lower stop)
 *
 * for the whole mechanism at once: those that rest at a stop take part. So the kinetic energy changes by 1/2 sum L (1 - e) v- <= 0, whatever the
 * restitutions are (prescribed motions aside). Stops that are approached afterwards make another impact at the same instant; the last one has e = 0 for
 * all. Friction that is finite has no impulse: joints that it holds are free, and are candidates of the search right after. Nor has what laws make of
 * accelerations or reactions: they are finite forces. Stops that are redundant are for impact_ties.h.
 *
 * Ch. Glocker, Set-Valued Force Laws, Springer, 2001; Pfeiffer and Glocker 1996.
 */
#ifndef DT_INTEGRATOR_IMPACT_H
#define DT_INTEGRATOR_IMPACT_H

#include "dynamics/newton_impulse.h"
#include "integrator/trial.h"

#include <float.h>
#include <math.h>

typedef struct dt_impact {
    double time;            /**< s: of the last one */
    bool exists;            /**< some joint has a rigid stop */
    bool is_of_slack;       /**< dt_flights_are_of_slack() */
    dt_trial first, before; /**< at the event, and before an impact */
    /** stiction_count: it would leave its stop for less than can be told, and stays */
    bool *rests;
    bool *struck; /**< stiction_count: it has taken part in an impact of the event */
    int *low;     /**< stiction_count: flights in a row that were lower than the error test tells */
    /** stiction_count: that are left of the end of a series of bounces; -1: it has not come to that */
    int *flights;
    double *pace; /**< stiction_count: how fast these are */
    double *left,
        *since; /**< stiction_count: how fast it was after its last impact, and when that was, s */
    bool *beyond; /**< stiction_count: it has been found beyond its stop, and moves away from it */
    bool spared;  /**< somebody who rested has been thrown by less than is told, and left there */
    double known[2];    /**< m, rad: dt_closure_known() since the last restart */
    double loss, drive; /**< J: of the impacts of this event, and what motions have put in */
    /** stiction_count: the side of the stop of a joint that takes part, as of dt_system_stop_side() */
    signed char *stop;
    bool *active; /**< stiction_count: it pushes */
    bool *
        kept; /**< stiction_count: it rests on no stop, and friction keeps it at rest through this impact */
    double *e;               /**< stiction_count: the restitution, 0 where it comes to rest */
    double *r_v, *r_f, *r_m; /**< nv, stiction_count, rows */
    double *d_v, *d_f, *d_m; /**< likewise */
    dt_newton_impulse work;
    /* of impact_ties.c */
    double *mobility;      /**< stiction_count: how fast a unit impulse makes it alone */
    double *sum_v, *sum_f; /**< nv, stiction_count: changes of velocities and impulses so far */
    /** sqrt(2 T) before: what velocities are seen beside, over the roots of mobilities */
    double speed;
    bool *held; /**< stiction_count: others hold it */
} dt_impact;

/** Whether some joint has a rigid stop. */
bool dt_impact_exists(const detent_mechanism *mechanism);
/** False when memory is out. */
bool dt_impact_create(dt_arena *arena, dt_simulation *simulation);

/** What has been is not known: the state is another one. */
void dt_impact_forget(dt_simulation *simulation);

/** The joint of stiction k has come to a stop: it stands there from now on. */
void dt_impact_arrive(dt_simulation *simulation, int k, detent_side side);

/** Whether the event is about joints at stops; those that come there within the instant are put there. */
bool dt_impact_concerns(dt_simulation *simulation);

/**
 * The impulses that belong together, by stop, active, e, rests and `before`, with the system there: changes d_v and impulses d_f, `active` who pushes. Modes
 * of the system become those of the attempt. False where none are found.
 */
bool dt_impact_settle(dt_simulation *simulation);

/**
 * Adds to `loss` what stops have taken, by stop, active and the impulses d_f, and to `drive` what motions have put in, where the system is now. The
 * kinetic energy was `energy`, J; the velocities are in `before`.
 */
void dt_impact_account(dt_simulation *simulation, double energy);

/**
 * The search of an event, after the impacts that are due. The next step is bounded by the flights that begin.
 * DETENT_NO_CONSISTENT_STATE: there are no impulses that belong together.
 */
detent_status dt_impact_search(dt_simulation *simulation, bool core, detent_error *error);

#endif
