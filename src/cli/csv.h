/**
 * @file csv.h
 * The table of a run: time, what the mechanism file asks for, and which side of an event a row is on.
 *
 * Without outputs in the file the columns are position and velocity of every primitive and friction and mode of every
 * stiction.
 */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "detent/detent.h"

#include <stdio.h>

enum { QUANTITIES = DETENT_MODES + 1 };

/** Where a column's value comes from. */
typedef struct csv_column {
    char *name;
    const char *unit;
    detent_quantity quantity;
    size_t index;
} csv_column;

typedef struct csv_table {
    FILE *stream;
    csv_column *columns; /**< without time and event */
    size_t column_count;
    double *values[QUANTITIES]; /**< NULL: not used */
    size_t lengths[QUANTITIES];
    size_t rows; /**< written so far */
    /** Values among them that are not finite, and where and when the first was. */
    size_t not_finite;
    size_t first_column;
    double first_time;
} csv_table;

/** False where memory is out. */
bool table_create(csv_table *, const detent_mechanism *, FILE *stream);
void table_destroy(csv_table *);

void table_write_head(csv_table *);

/** A row of the present state; `side`: -1 just before the last event, 1 just after it, 0 elsewhere. */
detent_status table_write_row(csv_table *, detent_simulation *, int side, detent_error *);

/** Writes a field, in quotes where it needs them (RFC 4180). */
void csv_write_field(FILE *stream, const char *text);

#endif
