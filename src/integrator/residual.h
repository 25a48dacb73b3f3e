/**
 * @file residual.h
 * The residual that the implicit stepper drives to zero, and laws that are not finite.
 */
#ifndef DT_INTEGRATOR_RESIDUAL_H
#define DT_INTEGRATOR_RESIDUAL_H

#include "dynamics/failed_call.h"
#include "integrator/simulation.h"

/** What was not right since the run has got on last. */
typedef struct dt_bad {
    const dt_law *law;     /**< the law that was not a finite number, or NULL */
    const char *owner;     /**< whose it is */
    double time;           /**< s: when */
    dt_failed_call failed; /**< the call that it is bad for, if it is */
    int friction;          /**< the stiction whose kinetic friction drives it, or -1 */
} dt_bad;

/** dt_problem.residual */
bool dt_residual(void *simulation, double t, const double *y, const double *yp, double *r);
/** False where a force is not a finite number; remembers the law (`bad_law`). */
bool dt_laws_are_finite(dt_simulation *simulation);
/** Remembers the first law that is not a finite number at t, s, where there is one. */
void dt_note_bad_law(dt_simulation *simulation, double t);

#endif
