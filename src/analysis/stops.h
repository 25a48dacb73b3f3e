/**
 * @file stops.h
 * Rigid stops of an analysis, whose state anybody may set: who is beyond his.
 */
#ifndef DT_ANALYSIS_STOPS_H
#define DT_ANALYSIS_STOPS_H

#include "dynamics/system.h"

/**
 * The first stiction whose joint is beyond a rigid stop, by more than loops that a caller closes with a guess leave open, or -1; `*side`: -1 the lower
 * stop, 1 the upper one.
 */
int dt_find_beyond_stop(const dt_system *system, int *side);
/**
 * DETENT_ERROR_ARGUMENT: joint and stop, with `where` ("at t = 2 s", or what is driven where) in front; DETENT_OK where
 * nobody is beyond his stop.
 */
detent_status dt_check_stops(const dt_system *system, const char *where, detent_error *error);

/** Whether stiction k is the slack of a coupling, and its teeth touch, or it is a freewheel. */
bool dt_touches_by_slack(const dt_system *system, int k);

/** "lower", "upper" */
static inline const char *dt_stop_word(int side)
{
    return side < 0 ? "lower" : "upper";
}

#endif
