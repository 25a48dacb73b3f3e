/**
 * @file analysis.h
 * A mechanism at a state of the caller's choice, beside any simulation: a system of its own, loops closed.
 */
#ifndef DT_ANALYSIS_ANALYSIS_H
#define DT_ANALYSIS_ANALYSIS_H

#include "analysis/loop_solver.h"
#include "dynamics/scale.h"

typedef struct dt_analysis {
    dt_system system; /**< t, q, v and poses are set between calls; all else is work space */
    dt_scale scale;
    dt_loop_solver loops;
    /** nv: freedoms whose state the caller gave, so that they do not follow from others */
    bool *given;
    double time;                /**< work space: where a way begins, as q, v */
    double *q, *v;              /**< nq, nv */
    double *q_given, *v_given;  /**< work space: where it goes */
    double *q_closed;           /**< work space: where loops were closed last */
    double *q_guess;            /**< nq: work space of follow.c, as */
    double *way[2];             /**< nv: the ways of a step */
    double *row;                /**< rows: work space */
    int *undriven;              /**< rows: work space of inverse.c */
    double *load;               /**< nv: likewise */
    double *share;              /**< nv: likewise */
    bool *driven;               /**< nv: work space of kinematics.c */
    double *beside;             /**< node_count: work space of inverse.c */
    bool *told;                 /**< node_count: likewise */
    double *given_f, *other_f;  /**< stictions: likewise */
    double (*static_limits)[2]; /**< stictions: likewise */
} dt_analysis;

/** At the initial state, assembled. Errors as of detent_analysis_create(). */
detent_status dt_analysis_create(dt_arena *arena, const detent_mechanism *mechanism,
                                 dt_analysis *analysis, detent_error *error);

/**
 * Sets t, q (nq), v (nv; NULL: at rest). `given` (nv; NULL: none in particular): freedoms whose values are exact; those that
 * follow from loops are first guesses. Loops are closed from where the analysis is, in smaller steps where that is far.
 * Errors as of detent_analysis_set_state(); the state is what it was then.
 */
detent_status dt_analysis_set_state(dt_analysis *analysis, double t, const double *q,
                                    const double *v, const bool *given, detent_error *error);

/** Modes of stictions that v and a (nv) call for: who is at rest is locked. */
void dt_analysis_set_modes(dt_analysis *analysis, const double *a);

/** The dependent parts of a (nv), from the others: rows of loops hold; sets the acceleration, friction zero. */
void dt_analysis_close_accelerations(dt_analysis *analysis, double *a);

/** Whether a freedom is prescribed. */
bool dt_analysis_is_prescribed(const dt_system *system, int node);

#endif
