/**
 * @file progress.h
 * One line on the terminal that says how far a run is, refreshed some ten times a second.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "detent/detent.h"

typedef struct progress_line {
    bool shown;         /**< standard error is a terminal, and nobody asked for quiet */
    bool on_screen;     /**< there is a line now */
    double start, end;  /**< of the run, s */
    double begun, last; /**< wall clock, s */
    size_t last_events;
    double event_rate; /**< a second of wall clock */
} progress_line;

/** Seconds of a clock that never jumps. */
double wall_clock(void);

void progress_begin(progress_line *, double start, double end, bool quiet);

/** When it is due again, by wall_clock(). */
double progress_due(const progress_line *);

/** Refreshes the line where that is due. True some ten times a second, shown or not. */
bool progress_tick(progress_line *, const detent_mechanism *, detent_simulation *);

/** Wipes the line. */
void progress_end(progress_line *);

#endif
