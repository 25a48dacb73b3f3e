/* Robots from other formats. */

#include "detent/import.h"

#include "api/check.h"
#include "api/sized.h"
#include "format/table.h"
#include "import/import.h"

struct detent_imported {
    dt_arena arena;
    dt_robot robot;
    const char *text;
    size_t length;
};

/* Room for the result, which lives in an arena of its own. */
static detent_status begin(const detent_import_options *options, detent_import_options *whole,
                           detent_imported **imported, detent_error *error)
{
    dt_arena arena;
    *imported = NULL;
    *whole = (detent_import_options)DETENT_INIT(detent_import_options);
    detent_status status =
        options ? DT_TAKE(whole, options, "the options of an import", error) : DETENT_OK;
    status = status ? status : dt_require_allocator(whole->allocator, error);
    if (status) {
        return status;
    }
    const unsigned parts = DETENT_IMPORT_LIMITS | DETENT_IMPORT_FRICTION | DETENT_IMPORT_DAMPING |
                           DETENT_IMPORT_ARMATURE | DETENT_IMPORT_ACTUATORS;
    if ((whole->without & ~parts) || (unsigned)whole->base > DETENT_IMPORT_BASE_FLOATING) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "'base' and 'without' are none of those that there are");
    }
    dt_arena_init(&arena, whole->allocator);
    *imported = dt_arena_one(&arena, sizeof **imported);
    if (!*imported) {
        dt_arena_free(&arena);
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    (*imported)->arena = arena;
    return DETENT_OK;
}

static detent_status work(detent_imported **imported, const detent_import_options *options,
                          const char *text, size_t length, const char *name, detent_error *error)
{
    detent_imported *i = *imported;
    const dt_import_wishes wishes = {.base = (dt_robot_base)options->base,
                                     .without = options->without,
                                     .balances = options->balance,
                                     .keyframe = options->keyframe};
    const detent_status status =
        dt_import(&i->arena, name, text, length, &wishes, &i->robot, &i->text, &i->length, error);
    if (status) {
        detent_imported_destroy(i);
        *imported = NULL;
    }
    return status;
}

detent_status detent_import_text(const char *text, size_t length, const char *name,
                                 const detent_import_options *options, detent_imported **imported,
                                 detent_error *error)
{
    detent_import_options whole;
    if (!imported || (!text && length > 0)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "a text and a place for it were expected");
    }
    const detent_status status = begin(options, &whole, imported, error);
    return status ? status
                  : work(imported, &whole, text ? text : "", length, name ? name : "<text>", error);
}

detent_status detent_import_file(const char *path, const detent_import_options *options,
                                 detent_imported **imported, detent_error *error)
{
    detent_import_options whole;
    dt_arena arena;
    char *text = NULL;
    size_t length = 0;
    if (!imported || !path) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "a path and a place for it were expected");
    }
    detent_status status = begin(options, &whole, imported, error);
    if (status) {
        return status;
    }
    dt_arena_init(&arena, whole.allocator);
    status = dt_read_bytes(path, &arena, &text, &length, error);
    if (status) {
        detent_imported_destroy(*imported);
        *imported = NULL;
    } else {
        status = work(imported, &whole, text, length, path, error);
    }
    dt_arena_free(&arena);
    return status;
}

void detent_imported_destroy(detent_imported *imported)
{
    if (imported) {
        dt_arena arena = imported->arena; /* which holds it */
        dt_arena_free(&arena);
    }
}

const char *detent_imported_text(const detent_imported *imported, size_t *length)
{
    if (length) {
        *length = imported ? imported->length : 0;
    }
    return imported ? imported->text : NULL;
}

size_t detent_imported_note_count(const detent_imported *imported)
{
    return imported ? (size_t)imported->robot.note_count : 0;
}

const char *detent_imported_note(const detent_imported *imported, size_t index, int *line)
{
    const bool exists = imported && index < (size_t)imported->robot.note_count;
    if (line) {
        *line = exists ? imported->robot.notes[index].where.line : 0;
    }
    return exists ? imported->robot.notes[index].text : NULL;
}
