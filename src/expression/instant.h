/**
 * @file instant.h
 * The next instant at which a switch that depends on t and inputs alone changes its branch: known in
 * advance, to the last bit of t, without integrating anything.
 */
#ifndef DT_EXPRESSION_INSTANT_H
#define DT_EXPRESSION_INSTANT_H

#include "expression/program.h"

/** What is asked, and the work space of the answer. */
typedef struct dt_instant_question {
    const dt_program *program;
    double *slots;          /**< variable_count: inputs are read; that of t is written */
    const dt_branch *state; /**< recorded branches: right just after `from` */
    double from;            /**< s */
    double stride;          /**< s, > 0: how far to look at once, to begin with */
    double span;            /**< s, > 0: of the run, in whose rounding a time near zero is lost */
    double *values;         /**< operation_count: work space */
    dt_series *series;      /**< operation_count: work space */
    dt_series *inputs;      /**< variable_count: work space */
} dt_instant_question;

typedef struct dt_instant {
    double time;  /**< the first double at which a branch is another one, or INFINITY */
    double after; /**< a moment later, within the rounding of the arguments: it is so for certain */
    double clear; /**< nothing changes before; `time`, or less where the search was given up */
    double stride; /**< s: for the next question */
} dt_instant;

dt_instant dt_program_next_instant(const dt_instant_question *question);

/**
 * Sets the recorded branches of the switches that depend on t and inputs alone to those at `t`.
 * `values`: operation_count, work space. Returns whether one changed.
 */
bool dt_program_settle_timed(const dt_program *program, double *slots, double t, dt_branch *state,
                             double *values);

#endif
