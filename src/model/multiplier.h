/**
 * @file multiplier.h
 * What couplings, cams and slots do, as expressions read it: coupling_force(), contact_force(). Such a variable (DT_OF_COUPLINGS) is the
 * multiplier of a row of conditions (dt_tie_rows()), times a factor.
 */
#ifndef DT_MODEL_MULTIPLIER_H
#define DT_MODEL_MULTIPLIER_H

#include "model/mechanism.h"

/** One that is read. */
typedef struct dt_multiplier {
    int row;
    int node;      /**< one that it ties */
    bool along;    /**< it acts along that */
    double factor; /**< what is read is the multiplier times this */
    const char *name;
} dt_multiplier;

/** What `variable`, which is DT_OF_COUPLINGS, reads. */
dt_multiplier dt_multiplier_of(const detent_mechanism *mechanism, dt_variable variable);

#endif
