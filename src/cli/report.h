/**
 * @file report.h
 * A page that shows runs: the data of records in the page that is part of the program.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "options.h"
#include "output_file.h"

/** Writes the page of these records, in this order, into an open file. `most`: bytes of data. An error is reported. */
detent_status report_write(output_file *, const char *const *records, size_t count, double most,
                           detent_error *);

/** `detent report`. Returns the exit code. */
int report_command(const cli_options *options);

#endif
