/**
 * @file report_run.h
 * What a page is told of one record, as JSON.
 */
#ifndef CLI_REPORT_RUN_H
#define CLI_REPORT_RUN_H

#include "json.h"
#include "record_file.h"

typedef struct report_run {
    record_file file;
    detent_mechanism *mechanism;  /**< NULL: the record has none that can be read */
    char *name;                   /**< that it has in the page */
    size_t *row;                  /**< of the record: those that are shown */
    size_t kept;                  /**< how many */
    double *time;                 /**< of these */
    double *values[RECORD_PARTS]; /**< of these; NULL: there are none */
    char *text;                   /**< in the end: its JSON */
    size_t length;
} report_run;

/**
 * Reads the record at `path`, as much of it as `most` bytes of JSON hold; `name`: "folder/NAME.nc". An error is reported. To be released also after one.
 */
detent_status report_run_read(report_run *, const char *path, const char *name, double most,
                              detent_error *);
void report_run_release(report_run *);

#endif
