/**
 * @file support_invariants.h
 * What holds in every run, whatever the mechanism: a checker that is told rows, one an instant, and the pairs of rows
 * around events, and finds what cannot be.
 *
 *   time       does not run backward; both rows of an event are of one instant
 *   numbers    are finite
 *   chain      `from` of a mode change is the `to` before it, mode and direction; modes that are read are the last `to`
 *   pair       an event moves no coordinate, and changes velocities only where a joint stops (or in a band's impulse)
 *   locked     the coordinate does not change by a bit, velocity and acceleration are exactly zero
 *   limits     the test friction of a locked joint is inside its limits, but for the rounding of the forces
 *   power      friction never drives: f v <= 0, f against the direction of its mode, the work of friction never grows
 *   energy     kinetic and potential energy are what the works leave, within a multiple of the tolerance
 *
 * Steps of fixed length tell at their ends what has happened: inside a step a joint may be beyond its limit or past zero already, an event
 * puts joints back to their stops, and there is no tolerance that energy could keep. The others hold to the bit as ever.
 *
 * It knows rows alone, so a test can hand it doctored ones; invariants_read() fills a row through the public interface.
 * Everything is allocated when the checker is made.
 */
#ifndef SUPPORT_INVARIANTS_H
#define SUPPORT_INVARIANTS_H

#include "detent/detent.h"

#include <stdbool.h>
#include <stddef.h>

/** Everything that the checker wants to know about one instant. */
typedef struct invariants_row {
    double time;
    double *q;             /**< coordinates */
    double *v, *a, *force; /**< freedoms; `force` is the nonfrictional one */
    double *f, *margin;    /**< stictions */
    double *load;          /**< stictions: size of the forces that its friction is the rest of */
    int *mode, *direction; /**< stictions */
    detent_statistics statistics;
} invariants_row;

typedef struct invariants invariants;

/** What is checked, and how near the tolerance it came: greatest value over what is allowed. */
typedef enum invariants_kind {
    INVARIANTS_TIME,
    INVARIANTS_FINITE,
    INVARIANTS_CHAIN,
    INVARIANTS_PAIR,
    INVARIANTS_LOCKED,
    INVARIANTS_LIMITS,
    INVARIANTS_POWER,
    INVARIANTS_WORK,
    INVARIANTS_ENERGY,
    INVARIANTS_KINDS
} invariants_kind;

/** NULL where memory fails. `settings` gives the tolerances. The mechanism must outlive it. */
invariants *invariants_create(const detent_mechanism *mechanism, const detent_settings *settings);
void invariants_destroy(invariants *);

/** A stiction whose `test` law is the user's: its friction is not what its limits hold. */
void invariants_own_test(invariants *, size_t stiction);

/** What all bodies weigh together, kg: forces of inertia that cancel have rounding, too. */
void invariants_mass(invariants *, double mass);

/** Two rows to fill, `which` 0 and 1; they belong to the checker. */
invariants_row *invariants_rows(invariants *, int which);
/** Fills a row: the instant now, or just before the last event. */
detent_status invariants_read(const invariants *, detent_simulation *, bool before,
                              invariants_row *, detent_error *);

/**
 * The run starts, or starts anew from another state: modes and coordinates are as in the row, nothing is known of
 * what was before. False, as of all below, if something was breached, now or earlier.
 */
bool invariants_start(invariants *, const invariants_row *);
/** An instant at which nothing happens. */
bool invariants_sample(invariants *, const invariants_row *);
/** An event, which changed these modes. */
bool invariants_event(invariants *, const invariants_row *before, const invariants_row *after,
                      const detent_mode_change *changes, size_t count);

/** The same of an event that nobody looked at: its changes alone. */
bool invariants_follow(invariants *, double time, const detent_mode_change *changes, size_t count);

/**
 * Takes over the scales of the mechanism, by which is known what is nothing: before the first row. A simulation of the
 * same mechanism and settings has the same scales.
 */
void invariants_measure(invariants *, const detent_simulation *);

/** The first breach in words, or NULL. */
const char *invariants_breach(const invariants *);
invariants_kind invariants_breach_kind(const invariants *);
const char *invariants_kind_name(invariants_kind);
/** The greatest value seen over what is allowed: how sharp a check is. */
double invariants_closest(const invariants *, invariants_kind);

#endif
