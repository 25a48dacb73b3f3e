/**
 * @file dead_times.h
 * What values were earlier in the run, delay(x, T) (model/dead_time.c): how it is kept, and where steps end for it.
 */
#ifndef DT_INTEGRATOR_DEAD_TIMES_H
#define DT_INTEGRATOR_DEAD_TIMES_H

#include "dynamics/history.h"
#include "integrator/simulation.h"

/** What reads a value, and what it reads. */
typedef struct dt_dead_time_reader {
    bool of_motion;  /**< it is made of positions, velocities or states */
    bool of_inputs;  /**< of inputs or sampled values */
    bool moves;      /**< a law reads it that moves something, or holds it */
    bool is_kept;    /**< another value is made of it */
    signed char due; /**< order of the break that is read at a restart */
} dt_dead_time_reader;

/** Breaks of a value, by the pieces that begin there: in a ring as long as that of pieces. */
typedef struct dt_break_ring {
    long long *piece;
    long long first, next; /**< first .. next - 1, modulo the length of the ring */
} dt_break_ring;

typedef struct dt_dead_times {
    dt_history history;
    double longest, shortest; /**< s: of all dead times */
    double until;             /**< s: the run is kept up to here */
    double passed;            /**< s: breaks that are read up to here have been handled */
    bool event; /**< the restart to come is that of an event: what jumps has to be measured */
    dt_dead_time_reader *by; /**< count: what is to do with a value */
    bool is_straight;        /**< all values go as the unknowns do: linear in them */
    signed char *order;      /**< count: of the break at which the next piece begins */
    dt_break_ring *breaks;   /**< count: of each value those that are still to be read */
    double *value;           /**< count * DT_HISTORY_POINTS: work space */
    dt_kept *merged;         /**< count: work space of dead_time_merge.c */
    signed char *order_kept; /**< count: likewise */
    double *slope;           /**< as many as an expression reads: work space */
} dt_dead_times;

/** DETENT_ERROR_ARGUMENT: steps of the length that is set are longer than a dead time, or too many for the memory. */
detent_status dt_dead_times_check(const dt_simulation *simulation, detent_error *error);
/** False when memory is out. */
bool dt_dead_times_create(dt_arena *arena, dt_simulation *simulation);
/** The system is at its start: what was before it. */
void dt_dead_times_begin(dt_simulation *simulation);

/** A step has been made: it is kept. DETENT_ERROR_NUMERIC: a value is not finite, or there is no memory for one more piece. */
detent_status dt_dead_times_keep(dt_simulation *simulation, detent_error *error);
/** How long the next step may be, s: what it reads is known, and is not passed over. */
double dt_dead_times_longest(const dt_simulation *simulation);

/* dead_time_merge.c */

/** Room for more: pieces that are as good as one become one. False where not enough do. */
bool dt_dead_times_merge(dt_simulation *simulation);

/* dead_time_breaks.c */

/** x of value k at the state of the core; with steps of fixed length on whichever branches it has there. */
double dt_dead_time_now(dt_simulation *simulation, int k);
/** What the error test allows what value k is made of makes of it there, by its slopes. */
double dt_dead_time_tolerance(dt_simulation *simulation, int k);
/** Value k has a break where the piece that comes next begins. */
void dt_dead_times_add_break(dt_dead_times *of, int k);
/** The integrator starts at t: what was kept beyond is void, and breaks that are read there have been handled. */
void dt_dead_times_restart(dt_simulation *simulation, double t);
/** The breaks still to be read are looked for again: a restored run begins. */
void dt_dead_times_find_breaks(dt_simulation *simulation);
/** Whether a derivative of what is read jumps at `reached`, so that the integrator has to start anew. */
bool dt_dead_times_want_restart(const dt_simulation *simulation);

/** The first instant after `passed` at which a value is read that jumps (`jumps`), or a derivative of one; INFINITY: none is known. */
double dt_dead_times_break(const dt_simulation *simulation, bool jumps);

#endif
