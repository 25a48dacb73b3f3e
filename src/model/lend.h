/**
 * @file lend.h
 * Copies of a body lend each other inertia, so that every freedom of the tree moves some (lend.c).
 */
#ifndef DT_MODEL_LEND_H
#define DT_MODEL_LEND_H

#include "model/record.h"

typedef struct dt_loan {
    dt_inertia *received,
        *given; /**< by node, about its origin, in its axes; NULL: nothing is lent */
} dt_loan;

/**
 * For nodes that move nothing (`stuck`: in the tree, each copy of a body with its share). What is received is in the mechanism's
 * arena, for its tree.
 */
detent_status dt_lend_inertia(detent_mechanism *, const bool *stuck, dt_loan *loan,
                              detent_error *error);

#endif
