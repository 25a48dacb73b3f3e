/**
 * @file ties.h
 * Whether loops are closed and couplings hold in a run: by the poses that its coordinates make, not by what the engine
 * says of them.
 */
#ifndef SOAK_TIES_H
#define SOAK_TIES_H

#include "base/arena.h"
#include "detent/detent.h"
#include "dynamics/motion.h"

typedef struct ties {
    const detent_mechanism *mechanism;
    dt_arena arena;
    dt_motion *motion;
    dt_reference *part;
    double *position, *velocity; /**< freedoms: nominal sizes of the mechanism */
    double worst[2];             /**< position and velocity: over what is allowed */
} ties;

void ties_create(ties *, const detent_mechanism *);
/** Takes over the sizes of the mechanism, before the first look. */
void ties_measure(ties *, const detent_simulation *);
/** False, with words, where an error is larger than it may be. */
bool ties_hold(ties *, const double *q, const double *v, char *words, size_t capacity);
void ties_destroy(ties *);

#endif
