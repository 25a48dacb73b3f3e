/**
 * @file search.h
 * What the parts of a mode search share while it runs: search_create.c, mode_search.c (the rule), round.c and round_boxes.c (one
 * round), load_sweeps.c, verify.c, story.c.
 */
#ifndef DT_STICTION_SEARCH_H
#define DT_STICTION_SEARCH_H

#include "stiction/dense_box.h"
#include "stiction/interior_point.h"
#include "stiction/load_newton.h"
#include "stiction/mode_search.h"

/** How laws that read loads enter a solution at given sides (coupled.h). */
typedef enum dt_boxes { DT_BOXES_APART, DT_BOXES_GIVEN, DT_BOXES_FOLLOW } dt_boxes;

/** Whether a joint has its kinetic box. */
enum { DT_NOT_RELEASED, DT_RELEASED, DT_RELEASED_NOW /**< by the last round */ };

struct dt_search {
    dt_friction_box box;
    dt_active_set active_set;
    dt_interior_point interior_point;
    dt_dense_box dense; /**< where joints close loops */

    /* what the mechanism is like */
    bool loads_matter; /**< a law reads what a search changes: reactions, accelerations, friction */
    /** It is an actuation or a load, or joints close loops: multipliers follow as well. */
    bool drive_couples;
    bool limits_couple; /**< it is the friction or a limit */
    bool has_tests;     /**< a stiction has a test friction of its own */

    /* the state of the rule, per stiction */
    unsigned char *candidate; /**< v = 0: may rest */
    unsigned char *released;  /**< its box is the kinetic one (above) */
    unsigned char *yielded;   /**< when the search began */
    double *hair;  /**< N or N m by which the box of a joint released by decree is smaller */
    double *start; /**< acceleration with which it starts there */

    signed char *side_before; /**< per stiction */
    double *pin;              /**< per stiction: friction that is given (coupled.c) */
    bool *shares; /**< per stiction: it may share its friction with others (coupled.c) */
    double *a_before, *f_before; /**< nv, per stiction: readings of a sweep */
    double *m_before,
        *m_after; /**< rows of loops where laws follow their reactions: the same, and those of its solution */
    double *a_start, *f_start,
        *m_start; /**< nv, per stiction, rows of loops: what every set of sides starts from (every_set.c) */
    int *joined;             /**< part_count of the tree: parts that forces tie (every_set.c) */
    signed char *side_found; /**< per stiction: of parts that are settled (every_set.c) */
    bool *aside;             /**< per stiction: no friction, others are tried (every_set.c) */
    double *mismatch;        /**< node_count: of the last comparison (loads_map.c) */
    dt_load_newton load_newton;

    /* this run */
    dt_system *system;
    dt_newton *newton;
    const dt_search_request *request;
    dt_search_result *result;
    detent_error *error;
    size_t candidates;
    bool pinned;    /**< joints that move as decreed have exactly their kinetic friction */
    bool overruled; /**< decrees count for nothing: they left no consistent state */
    dt_boxes boxes;
    double share;  /**< of all friction, for now (load_newton.c) */
    bool thorough; /**< sweep loads to the end, not only until the sides are decided */
};

/**
 * By how much the limit of a joint released by decree is lower, relative to itself, where rounding
 * is below that.
 */
static const double dt_relative_hair = 1e-9;

/** Whether forces follow from the solution: laws read loads, or the caller has unknowns of its own. */
static inline bool dt_search_is_coupled(const dt_search *search)
{
    return search->loads_matter || search->request->accelerations;
}

/** Accelerations at the system's modes, forces included; counts the solves. */
detent_status dt_search_accelerations(dt_search *search, detent_error *error);

/** Branches that the system's readings call for, where the request has it so (mode_search.h); whether one has changed. */
bool dt_search_follow(dt_search *search);

/** Direction of the decree on joint k, or 0. */
static inline int dt_search_decree(const dt_search *search, int k)
{
    return search->request->decree && search->candidate[k] && !search->overruled
               ? search->request->decree[k]
               : 0;
}

/** Makes `system` the one that is worked on. */
void dt_search_bind(dt_search *search, dt_system *system, dt_newton *newton,
                    dt_search_result *result, detent_error *error);

/** Name of stiction k. */
static inline const char *dt_search_name(const dt_search *search, int k)
{
    const detent_mechanism *m = search->system->mechanism;
    return m->primitives[m->stictions[k].primitive].name;
}

/* ---- round_boxes.c: the boxes of a round ---- */

/**
 * Reads the laws at the system's present readings: the forces Q, the friction of moving joints, the
 * boxes of those at rest. DETENT_ERROR_NUMERIC where a limit is not a number or has the wrong sign.
 */
detent_status dt_round_read_laws(dt_search *search);

/** Settles the boxes as they are. */
detent_status dt_round_settle_boxes(dt_search *search);

/* ---- load_sweeps.c: boxes and loads that agree ---- */

/** As dt_round_settle(), where laws read loads: until the sides are decided. */
detent_status dt_sweep_loads(dt_search *search);

/* ---- load_newton.c: the same where sweeps do not contract ---- */

/** Begins a search: what it may cost. */
void dt_load_newton_begin(dt_search *search);

/** Keeps the readings that a round starts from. */
void dt_load_newton_keep(dt_search *search);

/** From those readings, as dt_sweep_loads(); whether it has come to an end, in `settled`. */
detent_status dt_load_newton_run(dt_search *search, bool *settled);

/* ---- round.c: one round ---- */

/**
 * Settles the round: boxes and, where laws read the loads, loads that agree with each other. From
 * the system's present readings, which are those of the settled state afterwards (where anything
 * reads them).
 */
detent_status dt_round_settle(dt_search *search);

/* ---- verify.c: verification before use ---- */

/** Verifies the system's modes, a and f. DETENT_NO_CONSISTENT_STATE with names and margins. */
detent_status dt_verify(dt_search *search);

/**
 * Reports that the round has no consistent state: `reason`, and the joints that contradict their
 * side.
 */
detent_status dt_report_inconsistent(dt_search *search, const char *reason);

/**
 * Reports that friction and the reactions it depends on have no common solution; `reason` is
 * Newton's.
 */
detent_status dt_report_divergence(dt_search *search, const char *reason);

/* ---- story.c: the search in words ---- */

void dt_story_begin(const dt_search *search);
void dt_story_round(const dt_search *search, size_t newly_released);
void dt_story_end(const dt_search *search);

#endif
