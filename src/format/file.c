/* Reading a file into memory, with the caller's allocator and a bound. */

#include "base/error.h"
#include "format/reader.h"
#include "format/table.h"
#include "format/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static detent_status fail_io(const char *path, detent_error *error)
{
    dt_location where = {path, 0, 0};
    return dt_fail(error, DETENT_ERROR_IO, &where, "cannot read '%s': %s", path, strerror(errno));
}

/* All bytes of a stream; one more than the bound is read at most, so that the reader can refuse it. */
static detent_status read_stream(FILE *stream, const char *path, dt_arena *arena, char **text,
                                 size_t *length, detent_error *error)
{
    size_t capacity = 64 * 1024;
    *length = 0;
    *text = dt_arena_alloc(arena, capacity, 1);
    while (*text) {
        *length += fread(*text + *length, 1, capacity - *length, stream);
        if (ferror(stream)) {
            return fail_io(path, error);
        }
        if (*length < capacity || *length > DT_YAML_SIZE_MAX) {
            return DETENT_OK;
        }
        *text = dt_arena_grow(arena, *text, capacity, 2 * capacity, 1);
        capacity *= 2;
    }
    return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

detent_status dt_read_bytes(const char *path, dt_arena *arena, char **text, size_t *length,
                            detent_error *error)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return fail_io(path, error);
    }
    const detent_status status = read_stream(stream, path, arena, text, length, error);
    fclose(stream);
    return status;
}

detent_status dt_read_mechanism_file(const char *path, const dt_item_source *source,
                                     const detent_load_options *options,
                                     detent_mechanism **mechanism, detent_error *error)
{
    dt_arena arena;
    char *text = NULL;
    size_t length = 0;
    *mechanism = NULL;
    dt_arena_init(&arena, options ? options->allocator : NULL);
    detent_status status = dt_read_bytes(path, &arena, &text, &length, error);
    if (!status) {
        status = dt_read_mechanism(text, length, path, source, options, mechanism, error);
    }
    dt_arena_free(&arena);
    return status;
}
