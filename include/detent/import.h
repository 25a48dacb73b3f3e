/**
 * @file import.h
 * Robots that are described in other formats, as mechanism files: URDF (http://wiki.ros.org/urdf/XML) and MJCF
 * (https://mujoco.readthedocs.io/en/stable/XMLreference.html). docs/import.md tells what becomes of what.
 */
#ifndef DETENT_IMPORT_H
#define DETENT_IMPORT_H

#include "detent/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How the first bodies of a robot stand. */
typedef enum detent_import_base {
    DETENT_IMPORT_BASE_AS_IS, /**< as the source says: URDF on the ground, MJCF by its free joints */
    DETENT_IMPORT_BASE_FIXED,   /**< on the ground: joints that let them go are left out */
    DETENT_IMPORT_BASE_FLOATING /**< each that has no joint on a free one */
} detent_import_base;

/** What may be left out: bits of detent_import_options.without. */
typedef enum detent_import_part {
    DETENT_IMPORT_LIMITS = 1,   /**< of joints: they get no stops */
    DETENT_IMPORT_FRICTION = 2, /**< they get no stiction */
    DETENT_IMPORT_DAMPING = 4,
    DETENT_IMPORT_ARMATURE = 8,
    DETENT_IMPORT_ACTUATORS = 16 /**< and with them their inputs */
} detent_import_part;

/** How a robot is read; DETENT_INIT is `detent import` without options. */
typedef struct detent_import_options {
    size_t size; /**< DETENT_INIT */
    const detent_allocator
        *allocator; /**< NULL: malloc() and free(), which expat uses in any case while it reads */
    detent_import_base base;
    unsigned without; /**< detent_import_part, added up */
    bool balance; /**< inertias that no body has become those of balls with the same mean moment */
    const char *keyframe; /**< of MJCF, where joints start; NULL: in the reference configuration */
} detent_import_options;

/** A robot that has been read: the text of its mechanism file, and what is not in there. */
typedef struct detent_imported detent_imported;

/**
 * Reads `length` bytes of XML, whose root is `<robot>` or `<mujoco>`. `name` (NULL: "<text>") stands for them in messages and in the result. `options` may be NULL.
 * `*imported` is the caller's, NULL after an error. DETENT_ERROR_SYNTAX: it is no XML, has a document type declaration or is nested more than
 * 1000 deep; DETENT_ERROR_MODEL: what it says is no robot, or wants to be expanded first (xacro, `<include>`); each with the place. DETENT_ERROR_ARGUMENT: a place for the result is
 * missing, or options are none of these; DETENT_ERROR_MEMORY.
 */
DETENT_API detent_status detent_import_text(const char *text, size_t length, const char *name,
                                            const detent_import_options *options,
                                            detent_imported **imported, detent_error *error);

/** Likewise of a file. DETENT_ERROR_IO: it cannot be read. */
DETENT_API detent_status detent_import_file(const char *path, const detent_import_options *options,
                                            detent_imported **imported, detent_error *error);

/** NULL is let pass, here and below. */
DETENT_API void detent_imported_destroy(detent_imported *);

/** The mechanism file, NUL-terminated; `*length` (may be NULL) is without the NUL. It lives as long as `imported`. */
DETENT_API const char *detent_imported_text(const detent_imported *imported, size_t *length);

/** How many lines there are about what was left out or changed, or may surprise. They are comments of the text, too. */
DETENT_API size_t detent_imported_note_count(const detent_imported *);

/** One of them; NULL: no such line. `*line` (may be NULL): the line of the source that it is about, or 0. */
DETENT_API const char *detent_imported_note(const detent_imported *, size_t index, int *line);

#ifdef __cplusplus
}
#endif

#endif
