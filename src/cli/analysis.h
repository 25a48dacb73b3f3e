/**
 * @file analysis.h
 * What the commands that print an analysis have in common.
 */
#ifndef CLI_ANALYSIS_H
#define CLI_ANALYSIS_H

#include "detent/analysis.h"
#include "json.h"
#include "message.h"
#include "options.h"

/** The mechanism of a command, a simulation of it where one is asked for, and what went wrong. */
typedef struct analysis_work {
    const cli_options *options;
    detent_mechanism *mechanism;
    detent_mechanism_info info;
    detent_settings settings; /**< of the mechanism */
    detent_simulation *simulation;
    detent_error error;
    detent_status status;
    bool is_told; /**< what went wrong has been printed where it did */
} analysis_work;

/** Loads the mechanism; warnings are printed. */
analysis_work analysis_load(const cli_options *);
/** Makes a simulation, and advances it to --at where that is given; unless something went wrong before. */
void analysis_simulate(analysis_work *);
/** Keeps an error of the command line that the library does not see, unless something went wrong before. */
void analysis_refuse(analysis_work *, const char *format, ...) PRINTF_LIKE(2, 3);
/** Likewise: the mechanism has no `what` (an item) of the name that option --`flag` gives; with the nearest one. */
void analysis_unknown(analysis_work *, const char *flag, const char *what, detent_item item,
                      const char *name);
/** Prints what the text of an analysis begins with: the name of the mechanism, or of one without its file; without what a terminal obeys. */
void analysis_print_title(const analysis_work *);
/** The larger one of a width so far and that of a name. */
int column_width(int width, const char *name);

/**
 * Begins the object that --json prints: file, exit code, time; what went wrong. False: that was all, and it is closed; else the
 * caller goes on and ends with analysis_end_json().
 */
bool analysis_begin_json(const analysis_work *, json_writer *, double time);
void analysis_end_json(json_writer *);
/** Reports what went wrong, gives everything back, and tells the exit code. */
int analysis_finish(analysis_work *);

/** Numbers in one line. */
void json_row(json_writer *, const char *key, const double *values, size_t count);
/** A matrix, row by row. */
void json_matrix(json_writer *, const char *key, const double *values, size_t rows, size_t columns);

/** "FUNCTION(PRIMITIVE)", of a spherical primitive "FUNCTION(PRIMITIVE, x)"; returns `name`. */
const char *freedom_name(const detent_mechanism *, const char *function, size_t primitive,
                         size_t component, char *name, size_t size);
/** "rad/s^2" and the like: the unit of a primitive's position by s^power. */
const char *freedom_unit(const detent_mechanism *, size_t primitive, int power);
/** "N" or "N m". */
const char *effort_unit(const detent_mechanism *, size_t primitive);

/** Splits a list "a, b,c" in place at its commas outside of brackets; returns the next item or NULL. */
char *next_item(char **list);

#endif
