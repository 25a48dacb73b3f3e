/**
 * @file table.h
 * One table of a mechanism file: of numbers that stand there, or of a file beside it.
 */
#ifndef DT_FORMAT_TABLE_H
#define DT_FORMAT_TABLE_H

#include "format/sections.h"

/** Numbers of a table, in the reader's memory, each with its place. */
typedef struct dt_column {
    int count;
    double *value;
    dt_location *place;
    dt_dimension dimension;
} dt_column;

detent_status dt_read_table(dt_reader *, const dt_section *, const dt_yaml_node *item,
                            const char *name);

/**
 * table_csv.c: the first two columns of a file, by its path from the mechanism file; a first line that is no numbers is a head. Blank lines and what
 * stands behind a '#' are passed over. DETENT_ERROR_IO, with the place where it is named; DETENT_ERROR_SYNTAX with that in the file.
 */
detent_status dt_read_csv(dt_reader *, const dt_yaml_node *named, dt_column column[2]);
/** file.c: all of a file, of no more than is allowed. */
detent_status dt_read_bytes(const char *path, dt_arena *arena, char **text, size_t *length,
                            detent_error *error);

#endif
