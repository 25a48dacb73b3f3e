/**
 * @file report_column.h
 * Numbers in bulk in the data of a page: little-endian, deflated where that is shorter, in base 64: {"f32z": "..."}.
 */
#ifndef CLI_REPORT_COLUMN_H
#define CLI_REPORT_COLUMN_H

#include "json.h"

typedef enum report_number { REPORT_FLOAT, REPORT_DOUBLE, REPORT_BYTE } report_number;

/** `count` rows of `width` numbers, of which rows lie `stride` apart. */
typedef struct report_table {
    const double *values;
    size_t count, width, stride;
} report_table;

/** False when memory is out. */
bool report_column(json_writer *, const char *key, report_number, const report_table *);

/** The same; where all rows are one and the same, as single precision has it, that is told once. */
bool report_column_or_one(json_writer *, const char *key, const report_table *);

#endif
