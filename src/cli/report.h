/**
 * @file report.h
 * A page that shows runs: the data of records in the page that is part of the program.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "options.h"
#include "output_file.h"

/** A record, and the name that it has in the page: that of NAME.nc. */
typedef struct report_source {
    const char *path, *name;
} report_source;

/** Writes the page of these records, in this order, into an open file. An error is reported. */
detent_status report_write(output_file *, const report_source *records, size_t count,
                           const cli_options *, detent_error *);

/** `detent report`. Returns the exit code. */
int report_command(const cli_options *options);

#endif
