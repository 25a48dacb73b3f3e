/**
 * @file push.h
 * Forces of laws along joints (DT_LAW_IS_PUSH): actuation, and items of elements that have such a law. What is common to
 * all is done by element_push.c; a kind has the functions below for its row, and its laws.
 */
#ifndef DT_DYNAMICS_PUSH_H
#define DT_DYNAMICS_PUSH_H

#include "dynamics/element.h"

/** A place in the list of such laws along a node. */
typedef struct dt_push_at {
    int element, entry,
        number; /**< the kind, which of its entries at the node, which law; before the first: -1 */
    const dt_law *law;
} dt_push_at;

#define DT_PUSH_BEFORE_ALL ((dt_push_at){.element = -1, .entry = -1, .number = -1})

/** The next law along a node, constant ones too; false where there is none. */
bool dt_push_next(const dt_system *system, int node, dt_push_at *at);

/** The direction that `dir` is in such a law. */
static inline int dt_push_direction(const dt_system *system, const dt_law *law)
{
    const int k = dt_law_stiction(system, law);
    return k < 0 ? 0 : system->direction[k];
}

/** The sum of laws along a node that inverse dynamics asks for (DT_LAW_IS_ACTUATOR). */
double dt_push_actuators(dt_system *system, int node);

/* for rows of kinds: dt_element_kind.prepare, inject, measure */

bool dt_push_prepare(dt_system *system, dt_remote *remote);
void dt_push_inject(const dt_remote *remote, double u, const dt_law_changes *changes);
void dt_push_measure(const dt_law_sizes *sizes, dt_system *system, const dt_law *law);

#endif
