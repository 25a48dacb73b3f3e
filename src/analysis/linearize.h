/**
 * @file linearize.h
 * The linear model of a system whose modes and branches stay as they are, column by column: a unit change of each state and
 * of each input, and what follows from it (variation.h).
 */
#ifndef DT_ANALYSIS_LINEARIZE_H
#define DT_ANALYSIS_LINEARIZE_H

#include "base/arena.h"
#include "detent/analysis.h"
#include "dynamics/system.h"

/** A linear model: as detent_linear_info, and its lists. Named as the caller knows it, who does not know what is in it. */
struct detent_linearization {
    double time;
    size_t states, inputs, outputs;
    const detent_linear_state *state;    /**< states */
    const size_t *output;                /**< outputs */
    const double *A, *B, *C, *D;         /**< as in detent_linear_info */
    const double *output_value;          /**< outputs */
    const detent_eigenvalue *eigenvalue; /**< states */
    const double *shape;                 /**< states x states x 2 */
};

/**
 * Fills `out` with arrays from `arena`, work space among them. The system has its accelerations and forces; they stay, but
 * for work space of laws. `output` (output_count): indices of outputs. Errors as of detent_linearize().
 */
detent_status dt_linearize(dt_arena *arena, dt_system *system, const size_t *output,
                           size_t output_count, detent_linearization *out, detent_error *error);

#endif
