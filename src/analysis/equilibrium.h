/**
 * @file equilibrium.h
 * Positions of rest: where v = 0 and nothing accelerates.
 */
#ifndef DT_ANALYSIS_EQUILIBRIUM_H
#define DT_ANALYSIS_EQUILIBRIUM_H

#include "analysis/analysis.h"
#include "detent/analysis.h"

/**
 * Brings the analysis to a position of rest, from where it is. `arena`: work space. Errors as of detent_equilibrium(); the
 * state is where it came to.
 */
detent_status dt_equilibrium(dt_arena *arena, dt_analysis *analysis,
                             const detent_equilibrium_options *options, detent_rest *result,
                             detent_error *error);

#endif
