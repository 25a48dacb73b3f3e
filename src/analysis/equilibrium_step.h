/**
 * @file equilibrium_step.h
 * What a search of a position of rest knows, and the steps that it takes (equilibrium.c has the equations).
 */
#ifndef DT_ANALYSIS_EQUILIBRIUM_STEP_H
#define DT_ANALYSIS_EQUILIBRIUM_STEP_H

#include "analysis/rest.h"

/** The longest h of a damped step, in times of the mechanism: as good as Newton's, and what needs no force stays near. */
#define DT_LONG_STEP 1e4

typedef struct dt_equilibrium_work {
    dt_arena *arena;
    dt_analysis *analysis;
    dt_rest rest;
    int count, count_before;  /**< unknowns: rest.positions + rest.own */
    dt_linear_state *unknown; /**< count: where J belongs; rest.list is that of the last look */
    double *g, *g_before;     /**< nv + own: a of all freedoms, z' */
    double *weight;           /**< likewise: makes them pure numbers */
    double norm, norm_before; /**< of g, weighed */
    double *J;                /**< (nv + own) x count, by columns */
    double *T;                /**< nv x count, by columns: how all freedoms move */
    double *F, *noise;        /**< count: T'R of coordinates, and its rounding (rest.h) */
    double *rate_noise;       /**< own: rounding of z' */
    double *size, *value;     /**< count: nominal and present sizes of the unknowns */
    double *matrix, *x, *y;   /**< count x count, count: a step */
    int *pivots;              /**< count */
    double *way;              /**< nv: T x */
    double *q, *q_before;     /**< nq */
    double *z_before;         /**< own */
    double *q_kept, *z_kept;  /**< nq, own: likewise, of a position that is worth keeping */
    bool *held_before, *held_kept; /**< stiction_count: who was held there */
    bool hits;                     /**< the last step has ended at a stop: who came there is held */
    bool
        others; /**< it has led to other unknowns, by that or since loops leave others there, as beside a dead centre */
    size_t iterations, most; /**< so far, and allowed */
} dt_equilibrium_work;

/** Work space; errors as of dt_rest_create(). Nobody is held. */
detent_status dt_equilibrium_create(dt_arena *arena, dt_analysis *analysis,
                                    dt_equilibrium_work *work, detent_error *error);

/** g, its norm and R where the system is. */
detent_status dt_equilibrium_look(dt_equilibrium_work *work, detent_error *error);

/** J, T, F there. Errors as of dt_variation_factor(). */
detent_status dt_equilibrium_linearize(dt_equilibrium_work *work, detent_error *error);

/**
 * Whether nothing but rounding is left of F and z', or, where the last step was Newton's, whole (`stepped`), of that step; after the
 * linearisation.
 */
bool dt_equilibrium_is_found(const dt_equilibrium_work *work, bool stepped);

/** x, with the damping of h (INFINITY: none). False where the matrix is singular. */
bool dt_equilibrium_damped(dt_equilibrium_work *work, double h);

/** The way of all joints that belongs to x. */
void dt_equilibrium_follow(dt_equilibrium_work *work);

/** Keeps where the last step began, and goes there again. */
void dt_equilibrium_remember(dt_equilibrium_work *work);
void dt_equilibrium_recall(dt_equilibrium_work *work);

/**
 * Whether the determinant of D - J is positive, as it is for every h that is shorter than what grows takes to grow: where a step is longer
 * than that of one motion (or three), it leads to the unstable position of that motion instead of away from it.
 */
bool dt_equilibrium_is_short(const dt_equilibrium_work *work);

/** The work of the forces along x, J. */
double dt_equilibrium_work_of_step(const dt_equilibrium_work *work);

/** The largest turn of a joint along x, rad. */
double dt_equilibrium_turn(const dt_equilibrium_work *work);

/** Goes `part` of x, or as far as stops let (`hits`), and looks; false, and back where it was, if loops do not close or there is no g. */
bool dt_equilibrium_go(dt_equilibrium_work *work, double part);

/**
 * After the whole of x: the further step, with the same matrix, that undoes what g has become beside what J foretold, over x
 * (a test that does not depend on what g is measured in: Deuflhard, Newton Methods, 2004).
 */
double dt_equilibrium_surprise(dt_equilibrium_work *work);

/** Back to where it was. */
void dt_equilibrium_return(dt_equilibrium_work *work);

#endif
