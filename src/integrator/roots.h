/**
 * @file roots.h
 * Root functions of stictions and switches, and what can fire.
 */
#ifndef DT_INTEGRATOR_ROOTS_H
#define DT_INTEGRATOR_ROOTS_H

#include "integrator/simulation.h"

/**
 * What can fire (roots.c). `fired` is in the order of the system: two for each stiction, two for
 * each switch. The integrator watches those of the core, in the same order, and one more for all
 * welded joints together.
 */
typedef struct dt_root_table {
    int count;      /**< of the system */
    int own;        /**< of the core, stictions and switches */
    int watched;    /**< own, and where there is welding the one of the welded joints */
    bool laws_vary; /**< a limit, a test law or a switch reads something */
    int *fired;     /**< count */
    int *place;     /**< switches of the core: where in `fired` */
    /** stiction_count: by how much the limits of a locked one count as wider, up and down. */
    double (*widening)[2];
    /** Stictions of the system: of their force, N or N m, as of the last restart at which it was
        measured; never below what is nothing by the scale. */
    double *noise;
    bool *keep;     /**< work space: as many switches as the longest law has */
    double *values; /**< the same: roots of those */
    size_t evaluations;
} dt_root_table;

bool dt_roots_create(dt_arena *arena, dt_simulation *simulation);
/** As many as may ever be watched. */
size_t dt_roots_most(const dt_simulation *simulation);
/** All watched roots at t, y, yp; 0, or -1 where they cannot be evaluated. */
int dt_roots_evaluate(double t, const double *y, const double *yp, double *g, void *simulation);
/** What is no force at all for stiction k of the system, N or N m. */
double dt_roots_no_force(const dt_simulation *simulation, int k);
/** At the very start, when the scale is known. */
void dt_roots_begin(dt_simulation *simulation);
/** Measures the noise of welded joint k; after dt_welding_update(). */
void dt_roots_welded_noise(dt_simulation *simulation, int k);
/** Which roots there are from now on: the core, at a consistent state, is about to be integrated. */
void dt_roots_restart(dt_simulation *simulation);
/** By how much more they do where the root g would start below a hair, so that it starts there. */
double dt_roots_widening(double g, double hair);
/** By how much the limits of stiction k of the system count as wider: more than the noise of its force. */
double dt_roots_hair(const dt_simulation *simulation, int k, const double limits[2]);
/** Whether a switch of a law has to be watched: one that is not known in advance. */
bool dt_roots_has(const dt_law *law);
/** The roots of a law's switches at the system's readings; of those known in advance 1. */
void dt_roots_of_law(dt_system *system, const dt_law *law, double *g);
/** Where in `fired` a root of the core is. */
int dt_roots_place_of(const dt_simulation *simulation, int root);
/** Where in `fired` the first switch of a law of the core is. */
int dt_roots_place(const dt_simulation *simulation, const dt_law *law);
/** What the integrator reported to `fired`; after dt_core_at() at the event. */
bool dt_roots_fired(dt_simulation *simulation);
/**
 * The two roots of a locked stiction at the readings of the system or the core: at the reverse limit,
 * at the forward limit.
 */
void dt_roots_of_locked(dt_simulation *simulation, dt_system *system, int stiction, double g[2]);

#endif
