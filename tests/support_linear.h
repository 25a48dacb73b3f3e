/** @file A linear model with its lists, which the library hands out one by one. */
#ifndef SUPPORT_LINEAR_H
#define SUPPORT_LINEAR_H

#include "detent/analysis.h"

/** As detent_linear_info, with lists of `states`. */
typedef struct linear_model {
    detent_linearization *own;
    double time;
    size_t states, inputs, outputs;
    const size_t *output;
    const double *A, *B, *C, *D, *output_value;
    const double (*shape)[2];
    detent_linear_state *state;
    detent_eigenvalue *eigenvalue;
} linear_model;

/** detent_linearize(); `*model` is the caller's, NULL after an error. */
detent_status linear_model_make(detent_simulation *, const detent_linearize_options *,
                                linear_model **model, detent_error *);
/** NULL is allowed. */
void linear_model_free(linear_model *);

#endif
