/**
 * @file reduce.h
 * Reductions of a mechanism (integrator/reduction.h) beside the trivial one.
 */
#ifndef DT_REDUCE_REDUCE_H
#define DT_REDUCE_REDUCE_H

#include "integrator/reduction.h"

/** Groups of locked joints are welded into single bodies (welding.h). */
extern const dt_reduction_way dt_reduction_welding;

#endif
