/**
 * @file compare_files.h
 * What detent compare keeps of the run with a law: NAME.LAW.csv, its table, and NAME.LAW.nc, its record.
 */
#ifndef CLI_COMPARE_FILES_H
#define CLI_COMPARE_FILES_H

#include "compare_parts.h"

#include "csv.h"
#include "output_file.h"
#include "record.h"

typedef struct law_files {
    law_run *run;
    csv_table table;
    output_file table_file, record_file;
    record *record; /**< NULL: nobody wants one */
    double begun;   /**< s, by the clock */
} law_files;

/** What is wanted is opened, which may be nothing. What goes wrong is in the run; to be closed also after it. */
detent_status law_files_open(law_files *, const compare_work *, law_run *,
                             const detent_mechanism *);
/** For detent_simulation_options.trace, where there is a record: `user` is it. */
void law_files_trace(void *user, const char *line);
/** The changes of the last event, before its two rows; at the start before the first one. */
void law_files_event(law_files *, const detent_simulation *);
/** As of table_write_row() and record_row(). */
detent_status law_files_row(law_files *, detent_simulation *, int side);
/**
 * They get their names; after a run that ended with another `status`, or could not be written, such that say so. Returns that `status`, or what went wrong
 * here.
 */
detent_status law_files_close(law_files *, detent_status status, const detent_simulation *);

#endif
