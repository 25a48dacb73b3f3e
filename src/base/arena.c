/* Chunks in a list, each filled from its front to its end. A chunk is twice as long as the one
 * before, up to a bound: a small mechanism costs one chunk, and a large one few calls of the
 * allocator. Invariant: the bytes of a chunk before its `top` are in use, those from
 * `top` to `end` are free and have never been used. */

#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without the padding at the front of a chunk. */
enum { FIRST_CHUNK = 4 * 1024 - DT_ARENA_ALIGNMENT, LARGEST_CHUNK = 1024 * 1024 };

struct dt_arena_chunk {
    struct dt_arena_chunk *next;
    char *top, *end;
};

/* Zeroed: of a large piece the system gives pages that nobody has touched, and those that are not
 * used cost nothing. So memory from here is not zeroed again. */
static void *default_allocate(size_t size, void *context)
{
    (void)context;
    return calloc(1, size);
}

static void default_release(void *memory, void *context)
{
    (void)context;
    free(memory);
}

void dt_arena_init(dt_arena *arena, const detent_allocator *allocator)
{
    *arena = (dt_arena){.next_chunk = FIRST_CHUNK};
    arena->allocator =
        allocator ? *allocator : (detent_allocator){default_allocate, default_release, NULL};
}

/* Bytes from `place` up to the next multiple of `alignment`, a power of two. */
static size_t padding(const char *place, size_t alignment)
{
    return (size_t)(-(uintptr_t)place) & (alignment - 1);
}

/* The start of `bytes` aligned bytes in the chunk, which then count as used; NULL if they do not
 * fit. */
static char *take_from(struct dt_arena_chunk *chunk, size_t bytes, size_t alignment)
{
    size_t room = (size_t)(chunk->end - chunk->top);
    size_t skip = padding(chunk->top, alignment);
    if (skip > room || bytes > room - skip) {
        return NULL;
    }
    char *start = chunk->top + skip;
    chunk->top = start + bytes;
    return start;
}

/* A new chunk with room for `bytes` aligned bytes. A request of more than a quarter of the usual size gets a chunk of
 * its own, filed behind the first one so that the room left there stays in use, and little is lost at the end of any. */
static struct dt_arena_chunk *add_chunk(dt_arena *arena, size_t bytes, size_t alignment)
{
    size_t needed = sizeof(struct dt_arena_chunk) + alignment;
    if (bytes > PTRDIFF_MAX - needed - DT_ARENA_ALIGNMENT) {
        return NULL;
    }
    needed += bytes;
    bool fits = needed <= arena->next_chunk / 4;
    size_t size = (fits ? arena->next_chunk : needed) + DT_ARENA_ALIGNMENT;
    struct dt_arena_chunk *chunk = arena->allocator.allocate(size, arena->allocator.context);
    if (!chunk) {
        return NULL;
    }
    /* wherever the allocator has put it, the same room: what is taken does not depend on luck */
    chunk->top = (char *)(chunk + 1);
    chunk->top += padding(chunk->top, DT_ARENA_ALIGNMENT);
    chunk->end = chunk->top + (size - sizeof *chunk - DT_ARENA_ALIGNMENT);
    struct dt_arena_chunk **place = fits || !arena->chunks ? &arena->chunks : &arena->chunks->next;
    chunk->next = *place;
    *place = chunk;
    arena->bytes += size;
    if (fits && arena->next_chunk < LARGEST_CHUNK) {
        arena->next_chunk = 2 * (arena->next_chunk + DT_ARENA_ALIGNMENT);
        arena->next_chunk = arena->next_chunk < LARGEST_CHUNK ? arena->next_chunk : LARGEST_CHUNK;
    }
    return chunk;
}

static char *take(dt_arena *arena, size_t bytes, size_t alignment)
{
    char *start = arena->chunks ? take_from(arena->chunks, bytes, alignment) : NULL;
    if (!start) {
        struct dt_arena_chunk *chunk = add_chunk(arena, bytes, alignment);
        start = chunk ? take_from(chunk, bytes, alignment) : NULL;
    }
    return start;
}

/* Zeroes bytes that were free. */
static void clear(const dt_arena *arena, void *start, size_t bytes)
{
    if (arena->allocator.allocate != default_allocate) {
        memset(start, 0, bytes);
    }
}

static bool product_overflows(size_t count, size_t size)
{
    return size && count > SIZE_MAX / size;
}

void *dt_arena_alloc(dt_arena *arena, size_t count, size_t size)
{
    if (product_overflows(count, size)) {
        return NULL;
    }
    void *memory = take(arena, count * size, DT_ARENA_ALIGNMENT);
    if (memory) {
        clear(arena, memory, count * size);
    }
    return memory;
}

void *dt_arena_one(dt_arena *arena, size_t size)
{
    void *memory = take(arena, size, alignof(max_align_t));
    if (memory) {
        clear(arena, memory, size);
    }
    return memory;
}

void *dt_arena_grow(dt_arena *arena, const void *old, size_t old_count, size_t new_count,
                    size_t size)
{
    if (new_count < old_count || product_overflows(new_count, size)) {
        return NULL;
    }
    size_t used = old_count * size;
    size_t wanted = new_count * size;
    struct dt_arena_chunk *chunk = arena->chunks;

    /* The last array of the first chunk grows where it stands. */
    if (used && chunk && (const char *)old + used == chunk->top &&
        wanted - used <= (size_t)(chunk->end - chunk->top)) {
        char *start = chunk->top - used;
        clear(arena, chunk->top, wanted - used);
        chunk->top += wanted - used;
        return start;
    }
    char *copy = dt_arena_alloc(arena, new_count, size);
    if (copy && used) {
        memcpy(copy, old, used);
    }
    return copy;
}

char *dt_arena_copy(dt_arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? take(arena, length + 1, 1) : NULL;
    if (copy) {
        if (length) {
            memcpy(copy, text, length);
        }
        copy[length] = '\0';
    }
    return copy;
}

char *dt_arena_printf(dt_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? take(arena, (size_t)length + 1, 1) : NULL;
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(arguments);
    return text;
}

size_t dt_arena_bytes(const dt_arena *arena)
{
    return arena->bytes;
}

void dt_arena_free(dt_arena *arena)
{
    struct dt_arena_chunk *chunk = arena->chunks;
    while (chunk) {
        struct dt_arena_chunk *next = chunk->next;
        arena->allocator.release(chunk, arena->allocator.context);
        chunk = next;
    }
    arena->chunks = NULL;
    arena->next_chunk = FIRST_CHUNK;
    arena->bytes = 0;
}
