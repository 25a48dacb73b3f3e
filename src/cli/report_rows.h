/**
 * @file report_rows.h
 * Which rows of a record a page shows: all where there is room, else those beside events and those where something changes.
 *
 * Rows beside events (side -1 and 1), the first and the last are kept. What is left is dealt out along the way that the run makes, whose
 * length from row to row is the largest change of any value by its range, and a share of it evenly over the rows.
 */
#ifndef CLI_REPORT_ROWS_H
#define CLI_REPORT_ROWS_H

#include "record_file.h"

typedef struct report_rows {
    size_t count; /**< of the record */
    double *way;  /**< from the row before to each; of one that is to be kept -1 */
    size_t must;  /**< how many these are */
} report_rows;

/** Reads the record for that. False when memory is out. */
bool report_rows_measure(report_rows *, const record_file *);

/** At most `most` (two or more) of them, into `row`, in their order; returns how many. */
size_t report_rows_choose(const report_rows *, size_t most, size_t *row);

void report_rows_release(report_rows *);

#endif
