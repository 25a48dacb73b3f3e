/**
 * @file support_bushings.h
 * Bushings in random trees.
 */
#ifndef SUPPORT_BUSHINGS_H
#define SUPPORT_BUSHINGS_H

#include "support_trees.h"

/**
 * Gives a mechanism `count` bushings between frames on any two bodies, or on one and the ground; `damped`: with dampers. `ends`:
 * 2 count places behind the `place_count` that it has; of chance of their own, so that all else stays what it is.
 */
void support_add_bushings(detent_mechanism *mechanism, const support_random *random, bool damped,
                          int count, dt_load *ends);

#endif
