/**
 * @file nearest.h
 * "did you mean ...?"
 */
#ifndef DT_BASE_NEAREST_H
#define DT_BASE_NEAREST_H

#include <stddef.h>

/** Longer names get no suggestion and are none. */
#define DT_NEAREST_LENGTH_MAX 127

/**
 * The candidate that the fewest slips of the pen turn into `name`, the first of several; NULL if
 * none is near. A slip adds, drops or replaces a character or swaps two neighbours; a third of the
 * length of `name` may be slips, one at least, but not all of a name. NULL candidates are passed
 * over. Allocates nothing.
 */
const char *dt_nearest(const char *name, const char *const *candidates, size_t count);

#endif
