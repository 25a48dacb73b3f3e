/**
 * @file bad_law.h
 * Which law is no finite number, whose it is, and what to say of it.
 */
#ifndef DT_DYNAMICS_BAD_LAW_H
#define DT_DYNAMICS_BAD_LAW_H

#include "dynamics/system.h"

/** How much of a law's text is quoted in a message. */
#define DT_LONGEST_LAW 120
/** What to do about a law without a value. */
#define DT_KEEP_LAWS_INSIDE "keep laws inside their domain with max, clamp or if"

/** The first law that is not a finite number at the present readings, or NULL. */
const dt_law *dt_bad_law(dt_system *system);

/** Name of the primitive that a law acts on; of the mechanism, where it acts on all. */
const char *dt_law_owner(const dt_system *system, const dt_law *law);

/** DETENT_ERROR_NUMERIC: forces are not finite now, and by which law, if by one. */
detent_status dt_fail_forces(dt_system *system, detent_error *error);

/** Whether there are items that can come to where they end. */
bool dt_may_end(const detent_mechanism *mechanism);
/**
 * Whether an item comes to where it ends, at most `moment` (s) after this state as it moves now: which and how, in words, and its place. Laws are none of
 * these.
 */
bool dt_tell_end(const dt_system *system, double moment, const dt_location **where, char *words,
                 size_t size);

#endif
