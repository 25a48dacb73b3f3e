/**
 * @file record.h
 * Everything of a run in one file that other programs read, too (NetCDF 4): docs/command-line.md has what is in it.
 *
 * Rows are written in blocks: a block is one chunk of each variable, is written once and whole, and is never touched again. So what a
 * reader finds after the program was killed is what was there when record_sync() was called last: the library below would
 * otherwise move parts of the file about. Memory is that of one block, however long the run is.
 */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include "detent/detent.h"

typedef struct record record;

/** What a record is about. */
typedef struct record_source {
    const detent_mechanism *mechanism;
    const detent_settings *settings;
    const char *file; /**< its name */
} record_source;

/** How a run ended. */
typedef struct record_end {
    const char *outcome; /**< "finished", or what went wrong */
    double time, cpu_time, wall_time;
    const detent_statistics *statistics;
} record_end;

/** A new record at `path`. An error is reported. */
detent_status record_create(const char *path, const record_source *, record **place,
                            detent_error *);

/** A line of the story of a search. */
void record_line(record *, const char *line);

/** The changes of the last event, of which two rows follow; or at the start, of which one does. */
void record_event(record *, const detent_simulation *);

/** A row of the present state; `side`: -1 just before the last event, 1 just after it, 0 elsewhere. */
detent_status record_row(record *, detent_simulation *, int side, detent_error *);

/** Makes what is written so far safe, now and then. */
void record_flush(record *);

/** Whether a write failed so far. */
bool record_failed(const record *);

/** The last rows, and the end (NULL: unknown). Returns 0, or a number of errno. NULL is allowed. */
int record_close(record *, const record_end *);

#endif
