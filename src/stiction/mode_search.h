/**
 * @file mode_search.h
 * The search of a consistent set of modes of all stiction joints at once, at given t, q, v.
 *
 * The rule (docs/mode-search.md): 1. every candidate's friction lies in its box of static limits;
 * those that move are released. 2. released joints take their kinetic box; solve again; newly
 * moving ones are released too. 3. until nothing new is released. The result is verified before it
 * is used. Ties, up to the rounding of forces, are held.
 */
#ifndef DT_STICTION_MODE_SEARCH_H
#define DT_STICTION_MODE_SEARCH_H

#include "dynamics/aba.h"
#include "dynamics/newton.h"

/** What one search is asked for. */
typedef struct dt_search_request {
    /**
     * stiction_count, or NULL: 0, or the direction (-1, +1) in which the joint is released by
     * decree: its root fired, so it is at its limit and on the way out, even where its force is
     * still an ulp inside. That limit counts as a hair (1e-9) lower; if the joint then moves that
     * way it ends as wait(s) with exactly its kinetic friction, whatever acceleration of about zero
     * that leaves it. Not read for joints that move already.
     */
    const signed char *decree;
    /**
     * stiction_count, or NULL: whether the joint has been released at this very instant, by an earlier search. If anything
     * holds it, it is its kinetic friction: as after the first round. Not read for joints that move already.
     */
    const bool *released;
    /**
     * NULL, or asked after every round whether joints that are not among the system's stictions,
     * being welded (welding.h), hold at the system's accelerations and wrenches. If not, the search
     * ends with DETENT_EVENT: it must be made with them.
     */
    bool (*others_hold)(void *user);
    void *others_user;
    /**
     * NULL, or finds the accelerations at the system's modes in place of dt_solve_accelerations(),
     * with unknowns of the caller's own (weights of laws that slide). It then is the rule that does
     * not apply: any state that is consistent will do. Other than DETENT_OK: there are none.
     */
    detent_status (*accelerations)(void *user);
    void *accelerations_user;
    /**
     * NULL, or sets the recorded branches of laws, as far as the caller likes to, to those that the system's
     * readings call for; returns whether one has changed. Asked before laws are read, and after accelerations have
     * been found.
     */
    bool (*follow)(void *user);
    void *follow_user;
    /**
     * Friction of what moves may follow what locked joints share: where a loop sets out from rest that is so for this instant
     * alone, if one of them turns a moment later.
     */
    bool shared_is_read;
    bool (*stopped)(void *user); /**< whether to give up: DETENT_INTERRUPTED; NULL: never */
    void *stopped_user;
    detent_trace trace; /**< the story in words, or NULL */
    void *trace_user;
} dt_search_request;

/** How a search ended. */
typedef struct dt_search_result {
    size_t solves; /**< linear-time solves of all kinds */
    size_t rounds;
    size_t interior_points; /**< how many times the interior point was called */
    size_t released;        /**< joints released in the end */
} dt_search_result;

typedef struct dt_search dt_search;

/**
 * Work space for searches of `system`, or a smaller one; NULL when memory is out. `shared`: requests may have
 * accelerations of their own.
 */
dt_search *dt_search_create(dt_arena *arena, const dt_system *system, bool shared);

/** Whether requests may have accelerations of their own. */
bool dt_search_can_couple(const dt_search *search);

/**
 * Searches at the system's t, q, v (set by dt_system_set_state()). A stiction joint with v == 0
 * (exactly) is a candidate; the others keep moving in the direction of v: mode and direction of
 * these are the caller's and are kept (they must be wait or unlocked). On entry the candidates'
 * modes are today's (the warm start). On success the modes, directions, a, f, F, Q of the system
 * are those of the verified state: candidates are locked, or wait(s) with s the direction in which
 * they start to move. DETENT_NO_CONSISTENT_STATE with the names, time and margins in `error` where
 * no state can be verified or the loads do not contract (the system's modes are then undefined).
 */
detent_status dt_search_run(dt_search *search, dt_system *system, dt_newton *newton,
                            const dt_search_request *request, dt_search_result *result,
                            detent_error *error);

/**
 * Whether a joint that moves by its velocity, however little, has been found to accelerate the other way, by far more than rounding: after
 * a search of the whole system that the search was created for.
 */
bool dt_search_found_backward(dt_search *search, int stiction);

/** Whether friction that moves follows what locked joints share, which is not unique. */
bool dt_search_reads_shared(const dt_system *system);

/**
 * Distance of the test friction of a locked joint to its nearer limit (>= 0 inside); the
 * acceleration along the direction for others.
 */
double dt_stiction_margin(dt_system *system, int stiction);

#endif
