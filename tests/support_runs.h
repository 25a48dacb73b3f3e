/**
 * @file support_runs.h
 * Runs of mechanisms through the public API alone: loading, reading by name, the log of mode changes, energy balance,
 * tables of reference numbers. Whatever fails here fails the test, with the library's message.
 */
#ifndef SUPPORT_RUNS_H
#define SUPPORT_RUNS_H

#include "detent/analysis.h"
#include "detent/detent.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UNUSED(variable) (void)(variable)

/* ---- mechanisms and simulations ---- */

/** Loads mechanisms/`file`; `set` lists parameters as "name=value", ended by NULL (NULL: none). */
detent_mechanism *runs_load(const char *file, const char *const set[]);
/** The same from a text. */
detent_mechanism *runs_parse(const char *text, const char *const set[]);
/** Two uniform rods with constant friction for 20 s, `far` (0 m) away from the origin along x and z. */
extern const char runs_rods_text[];
/** The mechanism's own settings with tolerances that are given (0: the file's), from scratch. */
detent_settings runs_settings(const detent_mechanism *mechanism, double rtol, double atol);
/** `settings` NULL: the mechanism's. */
detent_simulation *runs_start(const detent_mechanism *mechanism, const detent_settings *settings);
void runs_end(detent_simulation *simulation, detent_mechanism *mechanism);
/** Its initial state, to be analysed. */
detent_analysis *runs_analyse(const detent_mechanism *mechanism);
/** Advances to t through all events. */
void runs_advance(detent_simulation *simulation, double t);
/** Fails with the library's message unless the status is DETENT_OK. */
void runs_must(detent_status status, const detent_error *error);

/* ---- reading by name ---- */

double runs_position(const detent_mechanism *mechanism, detent_simulation *simulation,
                     const char *primitive);
double runs_velocity(const detent_mechanism *mechanism, detent_simulation *simulation,
                     const char *primitive);
/** Any output by its name. */
double runs_output(const detent_mechanism *mechanism, detent_simulation *simulation,
                   const char *output);
detent_mode runs_mode(const detent_mechanism *mechanism, const detent_simulation *simulation,
                      const char *primitive);
/** All positions and velocities, positions first; free() it. */
double *runs_state(const detent_mechanism *mechanism, detent_simulation *simulation, size_t *count);

/* ---- the story of a run ---- */

typedef struct runs_log {
    size_t count, capacity;
    detent_mode_change *change;
} runs_log;

/**
 * Advances to `end` event by event and appends every change of mode; into an empty log the modes of the first search go
 * first. Free with runs_log_free().
 */
void runs_record(detent_simulation *simulation, double end, runs_log *log);
void runs_log_free(runs_log *log);
/** Whether the change is one of friction: not the passing of the velocity threshold. */
bool runs_is_turn(const detent_mode_change *change);
/** Number of different times among the changes of friction. */
size_t runs_count_turns(const runs_log *log);
/** Time of the n-th change (from 0) of that stiction to that mode after `from`; NAN if there is none. */
double runs_time_of(const runs_log *log, size_t stiction, detent_mode to, size_t n);

/* ---- balances and errors ---- */

/** Energy that no work accounts for, J. */
double runs_energy_gap(detent_simulation *simulation);
/** The same over the energy that was turned over: the largest of all parts. */
double runs_relative_energy_gap(detent_simulation *simulation);
/** Residual evaluations a step. */
double runs_residuals_per_step(detent_simulation *simulation);
/** Slope of the straight line of least squares through (log10 x, log10 y). */
double runs_slope(const double *x, const double *y, size_t count);
/** Fails, saying `what`, unless |value - expected| <= tolerance. */
void runs_near(const char *what, double value, double expected, double tolerance);
/** runs_near() prints every comparison where the environment has DETENT_TEST_VERBOSE. */
bool runs_verbose(void);

/* ---- texts ---- */

/** A text in the making; all zero at first, to be freed. */
typedef struct runs_text {
    char *text;
    size_t length, room;
} runs_text;

/** Adds to its end. */
void runs_say(runs_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- reference numbers ---- */

/** Path of a file of reference numbers; where it is absent the test says so and is skipped. */
const char *runs_reference(const char *name);

typedef struct runs_table {
    size_t rows, columns;
    char (*name)[64];
    double *value; /**< rows x columns */
} runs_table;

/** Comma-separated numbers under one line of names, which may be quoted or start with "# ". */
runs_table runs_read_table(const char *path);
void runs_table_free(runs_table *table);
size_t runs_column(const runs_table *table, const char *name);
double runs_at(const runs_table *table, size_t row, size_t column);

#endif
