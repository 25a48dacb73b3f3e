/**
 * @file support_refusal.h
 * Every piece of the library's memory is refused in its turn, and no other: whoever asked for it must have looked. Allocators of the user see chunks,
 * of which a small mechanism takes one; here each array and each text counts. The linker puts the functions of the C file between the library
 * and its arenas (--wrap) in the tests that ask for it in CMakeLists.txt.
 */
#ifndef SUPPORT_REFUSAL_H
#define SUPPORT_REFUSAL_H

#include "detent/detent.h"

#include <stddef.h>

/** What is to be made, and released again: from `source`, with memory from `allocator`. */
typedef detent_status (*refusal_maker)(const void *source, const detent_allocator *allocator,
                                       detent_error *error);

/**
 * Makes it with all memory, and then without each piece in its turn, which has to be DETENT_ERROR_MEMORY with a message, and to leave nothing behind.
 * Of few variants (support_variants.h) only every fifth, from another one on each time. Returns how many pieces there are. Whatever else happens fails the test, which is told `name`.
 */
size_t refusal_sweep(const char *name, const void *source, refusal_maker make);

/** From now on pieces are counted, and this one is refused; SIZE_MAX: none. */
void refusal_begin(size_t piece);
/** How many were asked for since; from now on none is refused. */
size_t refusal_end(void);
/** Counts a piece that a library takes, whose functions a test wraps itself; whether it is refused. */
bool refusal_next(void);

/** `known` pieces are the first ones of each attempt, and have been refused before: they are left out. */
size_t refusal_sweep_beyond(const char *name, const void *source, refusal_maker make, size_t known);

#endif
