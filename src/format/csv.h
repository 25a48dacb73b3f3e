/**
 * @file csv.h
 * A file of numbers beside a mechanism file, line by line and field by field. Blank lines and what stands behind a '#' are passed over; blanks
 * around a field are none of it.
 */
#ifndef DT_FORMAT_CSV_H
#define DT_FORMAT_CSV_H

#include "format/table.h"

/** Lines of a file: the one that is being read. */
typedef struct dt_csv {
    dt_reader *reader;
    const char *path;        /**< for places, in the memory of the mechanism */
    const char *text, *end;  /**< all of it, in that of the reader */
    const char *next;        /**< where the next line begins */
    int number;              /**< of the line, from 1 on */
    const char *line, *stop; /**< the line, without a comment */
} dt_csv;

/** A field: where it starts, how long it is without the blanks around it, and where the next one is. */
typedef struct dt_csv_field {
    const char *start;
    size_t length;
    const char *next; /**< NULL: none */
} dt_csv_field;

/** The file that a node names, by its path from the mechanism file. DETENT_ERROR_IO, with the place where it is named. */
detent_status dt_csv_open(dt_reader *, const dt_yaml_node *named, dt_csv *csv);
/** The next line that is not blank; false: there is none. */
bool dt_csv_next(dt_csv *csv);
/** From the first line again. */
void dt_csv_rewind(dt_csv *csv);
/** The field that starts at `text` in the present line. */
dt_csv_field dt_csv_field_at(const dt_csv *csv, const char *text);
/** The finite number that a field is; false: it is none. */
bool dt_csv_number(const dt_csv_field *field, double *value);
dt_location dt_csv_place(const dt_csv *csv, const dt_csv_field *field);
/** DETENT_ERROR_SYNTAX at a field that is no number. */
detent_status dt_csv_fail_number(const dt_csv *csv, const dt_csv_field *field);
/** DETENT_ERROR_MODEL in the file: `why` is a format. */
detent_status dt_csv_fail(const dt_csv *csv, const dt_csv_field *field, const char *format, ...)
    DT_PRINTF_LIKE(3, 4);

#endif
