/**
 * @file going.h
 * A run that is going on: what record.c and record_state.c have from each other.
 */
#ifndef SOAK_GOING_H
#define SOAK_GOING_H

#include "record.h"
#include "ties.h"

typedef struct going {
    const detent_mechanism *mechanism;
    detent_settings settings;
    const record_script *script;
    detent_simulation *simulation;
    invariants *check;
    ties ties;
    record *record;
    long asked;
    double began, half; /**< CPU time; how far it had come after half of it */
} going;

/** A test that has no memory ends. */
void going_must_have(const void *memory);
detent_status going_fail(going *, detent_status, const detent_error *);
/** Holds the present instant against the invariants, the first of a simulation as a start. */
void going_look(going *, bool start);
detent_status going_start(going *);

/** Saves the state, and goes on with a simulation that knows nothing but that. */
detent_status going_restore(going *);
/** Goes on with a clone. */
detent_status going_clone(going *);
/** Does what changes nothing: sets the first input, if there is one, and the state to what they are; clones, saves. */
detent_status going_stir(going *, double input);

#endif
