/**
 * @file analysis_handle.h
 * What a detent_analysis is. Private to src/api.
 */
#ifndef DT_API_ANALYSIS_HANDLE_H
#define DT_API_ANALYSIS_HANDLE_H

#include "analysis/analysis.h"
#include "api/check.h"
#include "detent/analysis.h"

/** Lives in its own arena, together with all that belongs to it. */
struct detent_analysis {
    dt_arena arena;
    const detent_mechanism *mechanism;
    dt_analysis core;
    double *a;                  /**< nv: work space */
    detent_joint_range *ranges; /**< primitives; NULL until they are asked for */
    bool has_ranges;
};

#endif
