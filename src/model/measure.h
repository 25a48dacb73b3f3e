/**
 * @file measure.h
 * What readings measure: dimension, and the unit that people are told of one alone.
 */
#ifndef DT_MODEL_MEASURE_H
#define DT_MODEL_MEASURE_H

#include "expression/dimension.h"
#include "expression/variable.h"

/** Of things that have another unit where a joint turns: [1]. `unit`: NULL where the dimension spells it. */
typedef struct dt_measure {
    const dt_dimension *dimension[2];
    const char *unit[2];
} dt_measure;

/** measure.c: by the kind of a variable. NULL: its unit is its own. */
extern const dt_measure *const dt_measures[DT_VARIABLE_KINDS];

#endif
