/**
 * @file initial.h
 * The section `initial` of a file: initial values by the names of primitives, which take the place of those in the joints. It is
 * what `detent assemble --write` writes.
 */
#ifndef DT_FORMAT_INITIAL_H
#define DT_FORMAT_INITIAL_H

#include "format/form.h"

/** Reads the section, after the joints; `node` may be NULL. */
detent_status dt_read_initial(dt_reader *, const dt_yaml_node *node);

/**
 * Bytes [begin, end) of a file that are its section `initial`, whole lines; where it has none, both are the length.
 * DETENT_ERROR_MODEL: the file's outermost mapping is written between braces, or not of one key a line.
 */
detent_status dt_locate_initial(const char *text, size_t length, const char *name,
                                const detent_allocator *, size_t *begin, size_t *end,
                                detent_error *error);

#endif
