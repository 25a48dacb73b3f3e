/**
 * @file fold.h
 * Where solutions of friction end (fold.c).
 */
#ifndef DT_INTEGRATOR_FOLD_H
#define DT_INTEGRATOR_FOLD_H

#include "integrator/simulation.h"

/** The core is at a consistent state, with its readings, and about to be integrated. */
void dt_fold_restart(dt_simulation *simulation);
/** Whether the core, whose readings are those of `reached`, has come to another branch of solutions since. */
bool dt_fold_is_passed(dt_simulation *simulation);

#endif
