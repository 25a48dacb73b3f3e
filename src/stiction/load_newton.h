/**
 * @file load_newton.h
 * Loads that agree with the boxes of a round, by Newton's method, where sweeps do not contract (load_newton.c).
 */
#ifndef DT_STICTION_LOAD_NEWTON_H
#define DT_STICTION_LOAD_NEWTON_H

#include "dynamics/newton.h"

/** Work space. */
typedef struct dt_load_newton {
    double *a_first, *f_first; /**< nv, per stiction: readings that the round starts from */
    double *a, *f;             /**< readings that a step is made from */
    double *da, *df;           /**< the step */
    double *m_first, *m, *dm;  /**< of multipliers, where laws follow reactions of loops; or NULL */
    dt_friction_bound *bound;  /**< per stiction: what it is at where it moves */
    double budget;             /**< linear solves that are left to this search */
} dt_load_newton;

/** False when memory is out. */
bool dt_load_newton_create(dt_arena *arena, const dt_system *system, dt_load_newton *work);

#endif
