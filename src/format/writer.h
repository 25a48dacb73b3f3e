/**
 * @file writer.h
 * Writes a mechanism as a file that reads as the same mechanism. The format is described in docs/mechanism-file.md.
 */
#ifndef DT_FORMAT_WRITER_H
#define DT_FORMAT_WRITER_H

#include "detent/detent.h"

#include <stdbool.h>
#include <stddef.h>

/** Where the text goes, piece by piece; false: it did not arrive, and no more is wanted. */
typedef struct dt_text_sink {
    bool (*take)(void *user, const char *bytes, size_t count);
    void *user;
} dt_text_sink;

/**
 * Writes a finished mechanism. DETENT_ERROR_MODEL: no file can hold it, and why; DETENT_ERROR_MEMORY. DETENT_ERROR_IO: the text did not arrive;
 * then `error` is the sink's to fill.
 */
detent_status dt_write_mechanism(const detent_mechanism *, const dt_text_sink *sink,
                                 detent_error *error);

/** The same into a file, which takes the place of what stands there when it is complete. DETENT_ERROR_IO: it cannot be written; what stood there stays. */
detent_status dt_write_mechanism_file(const detent_mechanism *, const char *path,
                                      detent_error *error);

#endif
