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
    bool on_stdout; /**< the table is standard output, and the only result */
    output_file table, events, summary, search, record, page; /**< those with a path exist */
    bool record_is_means; /**< nobody asked for the record: only the page is made of it */
    FILE *table_stream;
    FILE *event_stream;  /**< NULL: none */
    FILE *search_stream; /**< NULL: none */
} result_files;

/** DIRECTORY/NAME, with NAME that of the mechanism file; `directory` may be empty. The caller's to free; NULL: memory is out. */
char *results_base_in(const char *directory, const char *file);
/** Makes a directory; an existing one is as good. An error is reported. */
detent_status results_make_directory(const char *path, detent_error *error);

/** Whether the table is to be standard output: -o -, -o /dev/stdout. */
bool results_on_stdout(const cli_options *);

/**
 * Opens all of them; from then on signals are only noted, see interrupt.h. An error is reported:
 * DETENT_ERROR_ARGUMENT where results can have no such names.
 */
detent_status results_open(result_files *, const cli_options *, detent_error *);

/** Whether a write failed so far. */
bool results_failed(result_files *);

/** Hands everything that is written to the system. */
void results_flush(result_files *);

/** Closes all but the summary. What could not be written is reported. */
detent_status results_close(result_files *, detent_error *);

/** Closes the summary, which can so say how the rest was closed. */
detent_status results_close_summary(result_files *, detent_error *);

/** After closing: every file gets its name. An error is reported; the rest is kept then. */
detent_status results_publish(result_files *, detent_error *);

/** After closing: every file gets the name that says that it is partial. */
void results_keep(result_files *);

/** Removes all of them: there is nothing in them. */
void results_discard(result_files *);

void results_release(result_files *);

#endif
