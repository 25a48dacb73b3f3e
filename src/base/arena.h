/**
 * @file arena.h
 * Memory that is taken piece by piece and given back all at once.
 *
 * A mechanism and a simulation own one arena each; whatever belongs to them lives there. No
 * function but dt_arena_free() gives memory back, so a pointer from the arena is good until then.
 * An arena belongs to one thread at a time. Where memory is out the functions return NULL and the
 * arena stays usable.
 */
#ifndef DT_BASE_ARENA_H
#define DT_BASE_ARENA_H

#include "base/attributes.h"
#include "detent/detent.h"

#include <stddef.h>
#include <string.h>

/** Alignment of every array, bytes: a cache line. */
#define DT_ARENA_ALIGNMENT 64

typedef struct dt_arena {
    detent_allocator allocator;
    struct dt_arena_chunk *chunks; /**< newest first; the first one serves small requests */
    size_t next_chunk;             /**< size of the next chunk, bytes */
    size_t bytes;                  /**< taken from the allocator so far */
} dt_arena;

/** Takes no memory yet. `allocator` is copied; NULL stands for malloc and free. */
void dt_arena_init(dt_arena *arena, const detent_allocator *allocator);

/** An array of `count` zeroed elements of `size` bytes, aligned to a cache line; NULL where memory
 *  is out or count * size overflows. An empty array is a valid pointer to nothing. */
void *dt_arena_alloc(dt_arena *arena, size_t count, size_t size);

/** One zeroed struct of `size` bytes, aligned for any type but not to a cache line: for what there
 *  is much of. NULL where memory is out. */
void *dt_arena_one(dt_arena *arena, size_t size);

/**
 * Memory that two share in turn, and that says whose it is, goes over to the other one: builds with sanitizers fill it with what is no
 * number, so that whoever expects something in it is found.
 */
static inline void dt_arena_hand_over(void *start, size_t bytes)
{
#ifdef DETENT_POISON
    if (start) {
        memset(start, 0xff, bytes);
    }
#else
    (void)start, (void)bytes;
#endif
}

/** A longer copy of an array from dt_arena_alloc(), in the same place where possible; the elements
 *  from `old_count` to `new_count` >= `old_count` are zero. `old` may be NULL if `old_count` is
 *  zero. On NULL `old` is untouched. */
void *dt_arena_grow(dt_arena *arena, const void *old, size_t old_count, size_t new_count,
                    size_t size);

/** A NUL-terminated copy of `length` bytes of `text`. Not aligned. */
char *dt_arena_copy(dt_arena *arena, const char *text, size_t length);

/** A NUL-terminated formatted text. Not aligned. */
char *dt_arena_printf(dt_arena *arena, const char *format, ...) DT_PRINTF_LIKE(2, 3);

/** Bytes held, the unused ones included. */
size_t dt_arena_bytes(const dt_arena *arena);

/** Gives all memory back; the arena is empty afterwards and may be used again. */
void dt_arena_free(dt_arena *arena);

#endif
