/**
 * @file report_parts.h
 * The files that write one run of a page.
 */
#ifndef CLI_REPORT_PARTS_H
#define CLI_REPORT_PARTS_H

#include "report_run.h"

/** All of a run, with events and stories of no more than a part of `most` bytes. False when memory is out. */
bool report_write_run(json_writer *, const report_run *, double most);

/** "events" and what became of them: report_events.c. */
typedef struct report_thinned {
    size_t events, stories;           /**< in the record */
    size_t events_kept, stories_kept; /**< in the page */
} report_thinned;
bool report_write_events(json_writer *, const report_run *, double most, report_thinned *);

/** Of the mechanism in the record; false when memory is out. */
bool report_read_mechanism(report_run *);
/** "shapes" of a body, by its index there; -1: the ground. Nothing where it has none. */
void report_write_shapes(json_writer *, const report_run *, ptrdiff_t body);

/** The values of a part, by its name in the record; NULL: it has none. */
const double *report_part(const report_run *, const char *name);

/** The first of the rows that are shown which is this one of the record, or behind it. */
size_t report_row(const report_run *, size_t row);

#endif
