/**
 * @file import.h
 * From the text of a source to the text of a mechanism file.
 */
#ifndef DT_IMPORT_IMPORT_H
#define DT_IMPORT_IMPORT_H

#include "import/formats.h"

/** How a robot is wanted. */
typedef struct dt_import_wishes {
    dt_robot_base base;
    unsigned without;
    bool balances;
    const char *keyframe; /**< of MJCF, or NULL */
} dt_import_wishes;

/** Reads a source into `robot`, all in `arena`, and writes its mechanism file to `*out`. Errors: those of the formats. */
detent_status dt_import(dt_arena *arena, const char *file, const char *text, size_t length,
                        const dt_import_wishes *wishes, dt_robot *robot, const char **out,
                        size_t *out_length, detent_error *error);

#endif
