/**
 * @file leap.h
 * Over positions where branches of the motion meet.
 */
#ifndef DT_INTEGRATOR_LEAP_H
#define DT_INTEGRATOR_LEAP_H

#include "integrator/simulation.h"
#include "solver/solver.h"

/** How near such a position is (leap.c). */
typedef struct dt_leap {
    double time;       /**< s: when the pivot was this one; NAN: not known */
    double pivot;      /**< the smallest one of what is tied */
    unsigned choice;   /**< of rows and freedoms, then */
    int side;          /**< the sign of the determinant, at that choice; 0: not known */
    double rate, bend; /**< of the pivot, 1/s; of the rate, 1/s^2 */
    double span;       /**< s: of the leap that is made; 0: none is */
    double hop;  /**< s: one that begins with the next restart, over a short flight; 0: none does */
    bool hops;   /**< the leap that is made is such a one */
    bool landed; /**< it has been made: the stepper of before goes on */
    bool comes;  /**< once the run was far from such positions: it does not live near one */
    double until; /**< s: the end of the first leap that did not lead on */
    size_t steps; /**< since `since`, until then */
    double since; /**< s */
    /** steps: after a leap that the horizon has cut short, which takes some to widen */
    size_t patience;
    size_t rest; /**< those that are still to be made before the next leap */
    int refusals; /**< leaps that did not lead on: the next one is shorter by the root of a half each time */
    dt_stepper_kind back; /**< the stepper of before */
} dt_leap;

/** The run is about to be restarted: nothing is known. */
void dt_leap_restart(dt_simulation *simulation);
/**
 * A joint leaves its stop for a flight that the tolerance does not tell from rest, and that is still to be told: one step of the stepper for
 * leaps, whose Newton's method leaves nothing in positions, from the restart that follows, of that length at most.
 */
void dt_leap_hop(dt_simulation *simulation, double span);
/** A restored run is about to be restarted. */
void dt_leap_forget(dt_simulation *simulation);
/** A step has been made, and is good. */
void dt_leap_note(dt_simulation *simulation);
/** Whether a leap is under way that halts here, where nothing happens that its forces follow. */
bool dt_leap_goes_on(const dt_simulation *simulation);
/** The longest next step that does not come nearer than a leap begins, s; or INFINITY. */
double dt_leap_bound(const dt_simulation *simulation);
/** Where a leap that is made has no rate, s; or NAN. */
double dt_leap_hole(const dt_simulation *simulation);
/** The pivot at (t, y), with the sign of its side: it passes through zero in the hole. `user`: the simulation (dt_problem.through_hole). */
double dt_leap_through_hole(void *user, double t, const double *y);
/** The moment nearest to t at which accelerations are told in the leap that t is within: t, but very near the hole. */
double dt_leap_clear(const dt_simulation *simulation, double t);
/** Tolerances that it may err by. */
double dt_leap_slack(const dt_simulation *simulation);
/** A step has failed. */
void dt_leap_failed(dt_simulation *simulation);
/** Before a step: whether to restart here, for a leap or after it. */
bool dt_leap_wants_restart(dt_simulation *simulation);
/** Before a restart: chooses the stepper where a leap begins or has ended; false: that is for others. */
bool dt_leap_chooses(dt_simulation *simulation);
/** Whether the leap that has just been made leads along what is tied; none is made again from there if not. */
bool dt_leap_is_true(dt_simulation *simulation);
/** Whether the step from there that has just been made, and is no leap, has passed such a position unseen. */
bool dt_leap_has_passed(dt_simulation *simulation, double from);
/** Whether no leap has led on, and steps do not either. */
bool dt_leap_is_lost(const dt_simulation *simulation);
/**
 * Whether accelerations are rounding (eps / pivot^3 of velocities squared), so near is a position, and a joint rests among what is tied whose
 * modes these decide; who, as below.
 */
bool dt_leap_is_blurred(const dt_simulation *simulation, int *primitive);
/** Whether branches meet near the end of the last good step, and who no longer follows from the others: a primitive. */
bool dt_leap_tells_meeting(const dt_simulation *simulation, int *primitive);

#endif
