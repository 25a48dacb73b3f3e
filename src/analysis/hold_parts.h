/**
 * @file hold_parts.h
 * What hold.c (the questions), hold_value.c (one value of an input), hold_start.c (a value that holds) and hold_end.c (the ends of
 * those that hold) share.
 */
#ifndef DT_ANALYSIS_HOLD_PARTS_H
#define DT_ANALYSIS_HOLD_PARTS_H

#include "analysis/equilibrium_step.h"
#include "analysis/hold.h"
#include "stiction/mode_search.h"

/** A mechanism that is held, at one value of an input. */
typedef struct hold {
    dt_equilibrium_work work;
    dt_search *search;
    dt_system *system;
    int input, count; /**< the input, or -1; margins */
    double *margin;   /**< count: of stiction k FSr - Ftest at 2 k, Ftest - FSf at 2 k + 1 */
    double *slope;    /**< count: by the input */
    double *noise;    /**< stictions: rounding of the friction */
    double usual;     /**< how large the input is: the value that is asked about, or 1 */
    int culprit; /**< the primitive that moved at the last value that did not hold; -1: none in particular */
    int way; /**< and in which direction; 0: not known */
} hold;

/* ---- hold_value.c ---- */

/** Frictions and margins at p, which are finite. */
detent_status dt_hold_evaluate(hold *h, double p, detent_error *error);

/** What rounding leaves of margin i at its zero. */
static inline double dt_hold_ripple(const hold *h, int i)
{
    return 4 * h->noise[i / 2];
}

/** Exact slopes of the margins, at the value that was evaluated last. */
detent_status dt_hold_take_slopes(hold *h, detent_error *error);

/** The margin that is exceeded most, or -1. */
int dt_hold_exceeded(const hold *h);

/** It is a margin that makes something move: `culprit` and `way`; -1: none. */
void dt_hold_blame(hold *h, int margin);

/** Whether the search of modes, asked afresh, leaves every joint locked. */
bool dt_hold_search_agrees(hold *h);

/** All that is asked for, at p. Where it does not hold: `culprit` and `way`. */
bool dt_hold_holds(hold *h, double p);

/* ---- hold_start.c ---- */

/** From *p to a value that holds. An error that says who moves at *p where none is found. */
detent_status dt_hold_find_start(hold *h, double *p, detent_error *error);

/* ---- hold_end.c ---- */

/** The end on one side (-1 lower, +1 upper) of `start`, which holds; who moves there and which way, or -1 and 0. */
void dt_hold_find_end(hold *h, double start, int side, double *end, ptrdiff_t *who, int *way);

#endif
