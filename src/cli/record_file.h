/**
 * @file record_file.h
 * Reads a record (record.h), also one of a run that was killed: as far as it goes.
 */
#ifndef CLI_RECORD_FILE_H
#define CLI_RECORD_FILE_H

#include "record_layout.h"

typedef struct record_file {
    const char *path;
    store *store;
    size_t rows, events, instants, story; /**< in it */
    size_t count[RECORD_DIMENSIONS + 1];  /**< of items; 1 of RECORD_NONE */
} record_file;

/** An error is reported: DETENT_ERROR_IO, also where it is something else, or of a later program. */
detent_status record_file_open(record_file *, const char *path, detent_error *);
void record_file_close(record_file *);

/** Numbers of a part in one row. */
size_t record_file_width(const record_file *, const record_part *);
/** Rows [first, first + count) of a part, or of the time (NULL), into `values`: a row after the other. What cannot be read is NaN. */
void record_file_rows(const record_file *, const record_part *, size_t first, size_t count,
                      double *values);
/** Which side of an event these rows are on. */
void record_file_sides(const record_file *, size_t first, size_t count, double *values);
/** One number of a list along a dimension; `missing` where there is none. */
double record_file_number(const record_file *, const char *list, size_t index, double missing);
/** All of a list along a dimension, `count` of them. */
void record_file_list(const record_file *, const char *list, size_t count, double *values);
/** One text of a list, or of a variable that is one text; the caller's to free. NULL: none. */
char *record_file_text(const record_file *, const char *list, size_t index);

/** How many rows are read at once, so that a block takes no more than some MB. */
size_t record_file_block(const record_file *, size_t width);

#endif
