/* A mechanism that is written and read again is the same one. */
#ifndef SUPPORT_WRITTEN_H
#define SUPPORT_WRITTEN_H

#include "detent/detent.h"

/** The text of a mechanism, the caller's to free; NULL, with the error. */
char *written_text(const detent_mechanism *, detent_error *);

/**
 * Writes a mechanism, reads that and writes it once more: all that decides how it moves is the same to the last bit, and its outputs, units, inputs and
 * settings; and both texts. Returns what differs, or NULL. `again`, not NULL: the one that was read, the caller's to destroy.
 */
const char *written_differs(const detent_mechanism *, detent_mechanism **again);

#endif
