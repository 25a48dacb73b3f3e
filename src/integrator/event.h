/**
 * @file event.h
 * Events: from fired roots to a verified, restarted state.
 */
#ifndef DT_INTEGRATOR_EVENT_H
#define DT_INTEGRATOR_EVENT_H

#include "dynamics/closure.h"
#include "integrator/simulation.h"

/** The instant just before the last event, for its readers. */
typedef struct dt_past {
    bool valid;
    double time;
    double *state; /**< what blocks had: dt_blocks_keep() */
    double *a, *inputs;
    double account[DT_ACCOUNTS]; /**< works up to then */
    double *present,
        *present_a; /**< of mechanisms with loops: state and a of now, while the past is shown */
    dt_closure_mark present_choice; /**< with them */
    signed char *mode, *direction;
    unsigned char *yielded;
    dt_branch *branches;
    double (*turned)[3]; /**< dt_system.turned_count */
    bool solved;         /**< a and f balance; f lacks that of joints that were not in the core */
} dt_past;

/** dt_system.turned; neither is there where the count is 0. */
static inline void dt_copy_sides(double (*to)[3], double (*from)[3], int count)
{
    for (int k = 0; k < 3 * count; k++) {
        to[k / 3][k % 3] = from[k / 3][k % 3];
    }
}

/** What an event has changed of a joint (detent_mode_change): kept as short as can be, for there may be as many as joints. */
typedef struct dt_mode_change {
    double margin;
    int stiction;
    signed char from, to; /**< detent_mode */
    signed char from_direction, to_direction;
    unsigned char cause; /**< detent_cause */
} dt_mode_change;

/** The event that is being handled, or the last one. */
typedef struct dt_event {
    signed char *decree;      /**< stiction_count: who is released, and in which direction */
    signed char *core_decree; /**< the same for the stictions of the core */
    unsigned char *cause;     /**< stiction_count: detent_cause */
    double decree_time;       /**< s: when a joint was last released by decree */
    signed char *decree_kept; /**< stiction_count: in which direction, then or just before */
    bool *released;           /**< stiction_count: released at `released_time`, and still at rest */
    bool any_released;
    bool shared_is_read;     /**< by the friction of what moves: see dt_search_request */
    double released_time;    /**< s */
    bool searches_core;      /**< searches after the first leave out what is far from its limit */
    bool core_is_searched;   /**< the core has what was found, margins are there */
    dt_mode_change *changes; /**< stiction_count; twice as many of time stepping */
    size_t change_count;
    size_t
        early; /**< so many of them were at the first of these times, the others, of time stepping, at the second */
    double change_time, late_time;      /**< s */
    detent_state_change *state_changes; /**< of states with stops (state_stops.h) */
    size_t state_change_count;
    signed char *state_side; /**< state_count: where each was when it was told last: -1, 0, 1 */
} dt_event;

/** Inputs that the client has set: those that the system has until the next event, where they differ (dt_inputs_differ()). */
typedef struct dt_inputs {
    double *pending; /**< dt_given_count(): from the next event on */
    bool
        refused; /**< the event of the last change failed: it is to be made, whatever is set meanwhile */
} dt_inputs;

/**
 * The readings of a level at the instant before the last event; the system has its modes and inputs.
 */
void dt_show_past(dt_simulation *simulation, dt_level level);
/** The system, and what follows from it, is the instant before an event from now on. */
void dt_keep_past(dt_simulation *simulation);
/** After a failure: the modes just before the event, which are those of the readings left. */
void dt_return_to_past(dt_simulation *simulation);
/** The first search, at the start: modes, consistent accelerations, integrator started. */
detent_status dt_event_initial(dt_simulation *simulation, detent_error *error);
/** Whether there is a pending event that is not after t: where modes end others take over a moment after `reached`. */
bool dt_event_is_before(const dt_simulation *simulation, double t);
/** Handles the pending event at `reached`, or a moment later. */
detent_status dt_event_handle(dt_simulation *simulation, detent_error *error);
/** Handles changed inputs at `now`. */
detent_status dt_event_input(dt_simulation *simulation, detent_error *error);

#endif
