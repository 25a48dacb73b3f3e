/**
 * @file record_outputs.h
 * Outputs that nobody asked for before a run, from its record: the mechanism and all states are in it.
 *
 * Each row is put back into a simulation (detent_recall()) and read. Where an output follows forces, the accelerations, forces and frictions that come of
 * it are held against those of the record, so that what is not in a record cannot make an output wrong.
 */
#ifndef CLI_RECORD_OUTPUTS_H
#define CLI_RECORD_OUTPUTS_H

#include "record_file.h"

enum { MOMENT_PARTS = 14 };

typedef struct record_outputs {
    record_file file;
    detent_mechanism
        *mechanism; /**< that of the record, with the outputs that are wanted behind its own */
    detent_simulation *simulation;
    size_t count;
    size_t *output; /**< which of the mechanism's each is */
    bool follows_forces;
    double tolerance;              /**< of what is held against the record, of the largest there */
    size_t next;                   /**< row */
    size_t first, held, block;     /**< rows that are in memory: from `first` on `held` */
    size_t width[MOMENT_PARTS];    /**< numbers a row */
    double *values[MOMENT_PARTS];  /**< of the rows in memory */
    double *largest[MOMENT_PARTS]; /**< by column, of the record; NULL: not held against */
    double *middle[MOMENT_PARTS];  /**< a moment between two rows */
    double *times, *sides;
    double *read; /**< as long as what is read at once */
} record_outputs;

/**
 * The record at `path`, and what is wanted: expressions, or names of outputs of its mechanism; none: all of these. An error is reported. To be closed also after one.
 */
detent_status record_outputs_open(record_outputs *, const char *path,
                                  const char *const *expressions, size_t count, detent_error *);
const char *record_outputs_name(const record_outputs *, size_t index);
const char *record_outputs_unit(const record_outputs *, size_t index);
/** The next of file.rows rows: `values` (count). `side` as in a record. An error is reported. */
detent_status record_outputs_next(record_outputs *, double *time, int *side, double *values,
                                  detent_error *);
void record_outputs_close(record_outputs *);

#endif
