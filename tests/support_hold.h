/**
 * @file support_hold.h
 * Where static friction holds: a mechanism, and the interval of one of its inputs. What fails fails the test.
 */
#ifndef SUPPORT_HOLD_H
#define SUPPORT_HOLD_H

#include "detent/analysis.h"
#include "support_runs.h"

/** A mechanism from a text; `tunable`: NULL, or a parameter that is one. */
detent_mechanism *hold_parse(const char *text, const char *tunable);
/** The interval in which everything is held, from the initial state. */
detent_hold_interval hold_interval(const detent_mechanism *mechanism, const char *input);

#endif
