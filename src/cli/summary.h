/**
 * @file summary.h
 * What a run came to, as text for people and as JSON for programs.
 */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "csv.h"
#include "options.h"
#include "results.h"

typedef enum run_end { RUN_FINISHED, RUN_INTERRUPTED, RUN_FAILED } run_end;

typedef struct run_summary {
    const cli_options *options;
    const detent_mechanism *mechanism;
    detent_simulation *simulation;
    const csv_table *table;
    const result_files *results;
    detent_settings settings;
    run_end end;
    int exit_code;
    const detent_error *error;  /**< RUN_FAILED */
    double cpu_time, wall_time; /**< s */
} run_summary;

void summary_write_text(FILE *stream, const run_summary *);
/** `pretty`: one value a line; otherwise the whole is one line. */
void summary_write_json(FILE *stream, bool pretty, const run_summary *);
/** The same of a run that did not begin: there are an error and an exit code only. */
void summary_write_json_error(FILE *stream, bool pretty, const cli_options *, const detent_error *,
                              int exit_code);

#endif
