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

/** Words, as dt_interpolation and dt_outside. */
extern const char *const dt_interpolations[], *const dt_outsides[];

detent_status dt_read_table(dt_reader *, const dt_section *, const dt_yaml_node *item,
                            const char *name);

/**
 * table_csv.c: the first two columns of a file, by its path from the mechanism file; a first line that is no numbers is a head. Blank lines and what
 * stands behind a '#' are passed over. DETENT_ERROR_IO, with the place where it is named; DETENT_ERROR_SYNTAX with that in the file.
 */
detent_status dt_read_csv(dt_reader *, const dt_yaml_node *named, dt_column column[2]);
/**
 * table_csv_grid.c: a table of two variables, its knots and values by rows, from a file whose first line has the knots of the second variable and whose
 * first column those of the first. The same errors; DETENT_ERROR_MODEL, with the place in the file, where a row has not as many values as there are knots.
 */
detent_status dt_read_csv_grid(dt_reader *, const dt_yaml_node *named, dt_column column[3]);
/** column.c: an empty one with room for `count` numbers. */
detent_status dt_column_make(dt_reader *, int count, dt_column *column);
/** Values that a table of two variables has at most. */
enum { DT_TABLE_MOST = 10000000 };
/** file.c: all of a file, of no more than is allowed. */
detent_status dt_read_bytes(const char *path, dt_arena *arena, char **text, size_t *length,
                            detent_error *error);

#endif
