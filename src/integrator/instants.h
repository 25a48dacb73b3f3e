/**
 * @file instants.h
 * Instants known in advance.
 */
#ifndef DT_INTEGRATOR_INSTANTS_H
#define DT_INTEGRATOR_INSTANTS_H

#include "expression/instant.h"
#include "integrator/simulation.h"

/** The next instant at which switches of a law change that depend on t and inputs alone. */
typedef struct dt_law_instant {
    const dt_law *law;
    bool known;    /**< time and after are; else the search goes on at `from` */
    double time;   /**< s; INFINITY: none before `from` */
    double after;  /**< s: the branches are others for certain */
    double from;   /**< s: where to look on */
    double stride; /**< s: how far at once */
    bool fires;    /**< at the event that is being handled */
    double resume; /**< s: where to look on after it */
} dt_law_instant;

/** Instants known in advance (instants.c). */
typedef struct dt_instants {
    dt_law_instant *of; /**< count: laws of the whole system that have such switches */
    int count;
    double next;               /**< s: the first of them, or INFINITY */
    dt_series *series, *slots; /**< work space */
} dt_instants;

/** False when memory is out. */
bool dt_instants_create(dt_arena *arena, dt_simulation *simulation);
/** Whether a switch of a law changes at instants known in advance, so that it has no root. */
bool dt_instants_is_known(const dt_law *law, int index);
/**
 * Where the next step has to end at the latest: just before an instant, with the old branches, or
 * where none is known yet.
 */
double dt_instants_next(dt_simulation *simulation);
/** Up to when the old branches hold if there is an event at t: to just before, if it is an instant. */
double dt_instants_before(const dt_simulation *simulation, double t);
/** Whether the last step has ended just before an instant. */
bool dt_instants_reached(const dt_simulation *simulation);
/**
 * At an event at t: sets the branches of the laws whose instant this is, and marks them in
 * roots.fired. Returns whether there are any. Can be repeated until dt_instants_pass().
 */
bool dt_instants_fire(dt_simulation *simulation, double t);
/** The event has been handled. */
void dt_instants_pass(dt_simulation *simulation);
/** Looks ahead anew from t, where the recorded branches are right: a restored run begins. */
void dt_instants_forget(dt_simulation *simulation, double t);
/** Sets the branches anew at t: of laws that read inputs, or of `all`. */
void dt_instants_renew(dt_simulation *simulation, double t, bool all);

#endif
