/**
 * @file plot_result.h
 * What is plotted of one run: from its record, or from the table and the event log that it wrote.
 */
#ifndef CLI_PLOT_RESULT_H
#define CLI_PLOT_RESULT_H

#include "figure.h"

typedef struct plot_series {
    char *name, *unit;
    double *values; /**< rows; NAN where there is none */
} plot_series;

/** Modes of one joint. */
typedef struct plot_lane {
    char *name;
    figure_band *bands;
    size_t count;
} plot_lane;

typedef struct plot_result {
    char *name; /**< of the file, without folder and extension */
    size_t rows, count, lane_count, event_count;
    double *time, *events;
    plot_series *series;
    size_t shown; /**< of them, the first ones: in panels, of the first result */
    plot_lane *lanes;
} plot_result;

/**
 * plot_read.c: `path` is NAME.nc, NAME.csv (with NAME.events.csv for the modes, where that is there), or a directory with one table. `outputs`: what is wanted, expressions where it is a record, else
 * columns; none: all. An error is reported. To be released also after one.
 */
detent_status plot_result_read(plot_result *, const char *path, const char *const *outputs,
                               size_t count, detent_error *);
void plot_result_release(plot_result *);

/** plot_record.c, plot_table.c: of one kind. */
detent_status plot_record_read(plot_result *, const char *path, const char *const *outputs,
                               size_t count, detent_error *);
detent_status plot_table_read(plot_result *, const char *path, const char *const *outputs,
                              size_t count, detent_error *);

/** A copy; the caller's to free. NULL when memory is out, or of NULL. */
char *plot_copy(const char *text);
/** A mode of a joint from `time` on: ends the band before. False when memory is out. */
bool plot_lane_add(plot_lane *, double time, detent_mode mode);
/** False when memory is out. */
bool plot_result_add_event(plot_result *, double time);

#endif
