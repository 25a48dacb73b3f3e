#include "support_refusal.h"

#include "base/arena.h"
#include "support_ledger.h"
#include "support_variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static size_t asked;            /* pieces so far */
static size_t fails = SIZE_MAX; /* the piece that is refused */

void refusal_begin(size_t piece)
{
    asked = 0;
    fails = piece;
}

size_t refusal_end(void)
{
    fails = SIZE_MAX;
    return asked;
}

bool refusal_next(void)
{
    return asked++ == fails;
}

void *__real_dt_arena_alloc(dt_arena *arena, size_t count, size_t size);
void *__wrap_dt_arena_alloc(dt_arena *arena, size_t count, size_t size);
void *__real_dt_arena_one(dt_arena *arena, size_t size);
void *__wrap_dt_arena_one(dt_arena *arena, size_t size);
void *__real_dt_arena_grow(dt_arena *arena, const void *old, size_t old_count, size_t new_count,
                           size_t size);
void *__wrap_dt_arena_grow(dt_arena *arena, const void *old, size_t old_count, size_t new_count,
                           size_t size);
char *__real_dt_arena_copy(dt_arena *arena, const char *text, size_t length);
char *__wrap_dt_arena_copy(dt_arena *arena, const char *text, size_t length);
char *__wrap_dt_arena_printf(dt_arena *arena, const char *format, ...) DT_PRINTF_LIKE(2, 3);

void *__wrap_dt_arena_alloc(dt_arena *arena, size_t count, size_t size)
{
    return refusal_next() ? NULL : __real_dt_arena_alloc(arena, count, size);
}

void *__wrap_dt_arena_one(dt_arena *arena, size_t size)
{
    return refusal_next() ? NULL : __real_dt_arena_one(arena, size);
}

void *__wrap_dt_arena_grow(dt_arena *arena, const void *old, size_t old_count, size_t new_count,
                           size_t size)
{
    return refusal_next() ? NULL : __real_dt_arena_grow(arena, old, old_count, new_count, size);
}

char *__wrap_dt_arena_copy(dt_arena *arena, const char *text, size_t length)
{
    return refusal_next() ? NULL : __real_dt_arena_copy(arena, text, length);
}

/* Its arguments cannot be handed on: the text is made here, and copied there. */
char *__wrap_dt_arena_printf(dt_arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text = NULL, *copy = NULL;
    size_t length = 0;
    if (refusal_next()) {
        return NULL;
    }
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    assert_int_equal(fclose(stream), 0);
    copy = __real_dt_arena_copy(arena, text, length);
    free(text);
    return copy;
}

/* Without piece `piece`; `*reached`: it was asked for. */
static detent_status make_without(const char *name, const void *source, refusal_maker make,
                                  size_t piece, bool *reached, detent_error *error)
{
    ledger book = {.allowed = SIZE_MAX};
    const detent_allocator allocator = ledger_allocator(&book);
    *error = (detent_error){0};
    refusal_begin(piece);
    const detent_status status = make(source, &allocator, error);
    *reached = refusal_end() > piece;
    if (book.alive > 0) {
        fail_msg("%s: without piece %zu: %zu are left", name, piece, book.alive);
    }
    return status;
}

size_t refusal_sweep_beyond(const char *name, const void *source, refusal_maker make, size_t known)
{
    static size_t sweeps;
    const size_t stride = variants_are_few() ? 5 : 1, first = sweeps++ % stride;
    detent_error error;
    bool reached;
    detent_status status = make_without(name, source, make, SIZE_MAX, &reached, &error);
    const size_t count = asked;
    if (status) {
        fail_msg("%s: %s", name, error.message);
    }
    for (size_t piece = known + first; piece < count; piece += stride) {
        status = make_without(name, source, make, piece, &reached, &error);
        if (!reached || status != DETENT_ERROR_MEMORY || error.status != DETENT_ERROR_MEMORY ||
            !error.message[0]) {
            fail_msg("%s: without piece %zu of %zu: status %d: %s", name, piece, count, status,
                     error.message);
        }
    }
    return count;
}

size_t refusal_sweep(const char *name, const void *source, refusal_maker make)
{
    return refusal_sweep_beyond(name, source, make, 0);
}
