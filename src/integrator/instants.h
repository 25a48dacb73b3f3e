/**
 * @file instants.h
 * Instants known in advance, a source (source.h).
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
    dt_series *series, *slots; /**< work space */
} dt_instants;

/** False when memory is out. */
bool dt_instants_create(dt_arena *arena, dt_simulation *simulation);
/** Whether a switch of a law changes at instants known in advance, so that it has no root. */
bool dt_instants_is_known(const dt_law *law, int index);

#endif
