/**
 * @file reader.h
 * Reads mechanism files. The format is described in docs/mechanism-file.md.
 */
#ifndef DT_FORMAT_READER_H
#define DT_FORMAT_READER_H

#include "detent/detent.h"
#include "model/item.h"

/**
 * Reads a mechanism from `length` bytes of `text`; `name` stands for the file name in messages. `source`: kinds of items
 * beside those of the model, or NULL. `options` and `error`
 * may be NULL. On success `*mechanism` is finished and the caller's. The first error is reported, with file, line and column,
 * and with the line and a caret in its detail.
 */
detent_status dt_read_mechanism(const char *text, size_t length, const char *name,
                                const dt_item_source *source, const detent_load_options *options,
                                detent_mechanism **mechanism, detent_error *error);

/** The same from a file; DETENT_ERROR_IO if it cannot be read. */
detent_status dt_read_mechanism_file(const char *path, const dt_item_source *source,
                                     const detent_load_options *options,
                                     detent_mechanism **mechanism, detent_error *error);

/**
 * Adds an item to a mechanism that is being built in C: `text` is what stands behind its name in that section of a file,
 * in flow style or in lines. In a section that is a list, `name` is of no account.
 */
detent_status dt_read_item(detent_mechanism *mechanism, const char *section, const char *name,
                           const char *text, detent_error *error);

#endif
