/**
 * @file reactions.h
 * Whether joints carry forces of a size that what acts can make. A condition that the engine takes for one, and that is rounding, holds with forces that
 * are as many times as large as what is there as rounding is small; the run beside it looks well.
 */
#ifndef SOAK_REACTIONS_H
#define SOAK_REACTIONS_H

#include "support_invariants.h"

#include "detent/detent.h"

#include <stddef.h>

/** False, with words, where a reaction is out of all proportion. `row`: of the same instant. */
bool reactions_are_of_a_size(const detent_mechanism *mechanism, detent_simulation *simulation,
                             const invariants_row *row, char *words, size_t capacity);

#endif
