/**
 * @file vary.h
 * The text of a mechanism with small changes, where there is no sketch to write it from.
 */
#ifndef SOAK_VARY_H
#define SOAK_VARY_H

#include <stddef.h>
#include <stdint.h>

/**
 * The same as sketch_write() does: each mass, law and initial velocity is changed by a relative amount of `size` at
 * random, the same for one `seed`. Mass and inertia of a body change alike, and so do the frictions and limits of one joint.
 * Values that are not on one line are left alone.
 */
void vary(const char *file, uint64_t seed, double size, char *text, size_t capacity);

#endif
