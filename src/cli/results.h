/**
 * @file results.h
 * The files of a run: the table, the event log, the summary and the story of the searches. They get their names
 * together, once all of them are finished.
 */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "options.h"
#include "output_file.h"

typedef struct result_files {
    bool on_stdout; /**< -o -: the table is standard output, and the only result */
    output_file table, events, summary, search; /**< those with a path exist */
    FILE *table_stream;
    FILE *event_stream;  /**< NULL: none */
    FILE *search_stream; /**< NULL: none */
} result_files;

/** Opens all of them. Returns an exit code, after saying what is wrong. */
int results_open(result_files *, const cli_options *);

/** Whether a write failed so far. */
bool results_failed(result_files *);

/** Hands everything that is written to the system. */
void results_flush(result_files *);

/** Closes all but the summary. False after saying what could not be written. */
bool results_close(result_files *);

/** Closes the summary, which can so say how the rest was closed. False after saying that it could not be written. */
bool results_close_summary(result_files *);

/** After closing: every file gets its name. False after saying what went wrong; the rest is kept then. */
bool results_publish(result_files *);

/** After closing: every file gets the name that says that it is partial. */
void results_keep(result_files *);

/** Removes all of them: there is nothing in them. */
void results_discard(result_files *);

void results_release(result_files *);

#endif
