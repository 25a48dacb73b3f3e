/**
 * @file samples.h
 * Sampled values (model/sampled.c): the instants offset + k * every, a source without root functions (source.h).
 */
#ifndef DT_INTEGRATOR_SAMPLES_H
#define DT_INTEGRATOR_SAMPLES_H

#include "integrator/simulation.h"

/** What an event starts from (source.h). */
struct dt_occasion;

typedef struct dt_samples {
    int count;        /**< of sampled values */
    double *number;   /**< count: k of the next instant of each, an integer */
    bool *fires;      /**< count: at the event that is being handled */
    bool *waits;      /**< count: of these, at the start of a run until forces are known */
    bool *acts;       /**< count: a law reads it */
    double *kept;     /**< dt_given_count(): inputs and values before the instant */
    double *taken;    /**< the same, after it */
    double next;      /**< s: the first of all instants; INFINITY: none */
    double next_acts; /**< s: the first of those that a law reads */
    bool alone;       /**< nothing else happens at the event that is being handled */
    bool is_silent;   /**< the last event was samples alone, and changed no mode */
} dt_samples;

/** False when memory is out. */
bool dt_samples_create(dt_arena *arena, dt_simulation *simulation);

/** Marks whose instant an event at t is; whether there is any. */
bool dt_samples_are_due(dt_simulation *simulation, double t);
/**
 * Evaluates those that are marked, each at its own instant, at the system's readings, and hands them to the laws. `*acts`: some that laws read
 * have changed. DETENT_ERROR_NUMERIC: one is not finite, and nothing has changed.
 */
detent_status dt_samples_take(dt_simulation *simulation, double t, bool *acts, detent_error *error);
/**
 * Who is due at t, and what sampled values say then, at the readings just before: laws that switch at the same instant are not asked for
 * them. `*what`: whether there is anything to search; `*core`: whether that may be done in the core alone.
 */
detent_status dt_samples_come_due(dt_simulation *simulation, double t, struct dt_occasion *what,
                                  bool *core, detent_error *error);
/** The same at the start of a run, but of those that read forces or modes, themselves or by others, which are not known yet: they have their initial values. */
detent_status dt_samples_take_first(dt_simulation *simulation, double t, bool *acts,
                                    detent_error *error);
/** The same of all again: those that are marked start from their initial values. At the start of a run, once forces are known. */
detent_status dt_samples_take_again(dt_simulation *simulation, double t, bool *acts,
                                    detent_error *error);
/** Whether one that is marked reads what is known only after a search. */
bool dt_samples_read_forces(const dt_simulation *simulation);
/** The next instants are those after t; dt_samples_renew() is to follow. */
void dt_samples_seek(dt_simulation *simulation, double t);
/** The numbers of the next instants have been set from outside. */
void dt_samples_renew(dt_simulation *simulation);

#endif
