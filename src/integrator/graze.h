/**
 * @file graze.h
 * Roots that come and go within one step.
 */
#ifndef DT_INTEGRATOR_GRAZE_H
#define DT_INTEGRATOR_GRAZE_H

#include "integrator/roots.h"

/**
 * The root functions at the ends of the last two steps (graze.c), oldest first.
 */
typedef struct dt_graze {
    double *value[3];     /**< dt_watched() */
    double time[3];       /**< NAN before a restart */
    double *acceleration; /**< stictions of the core, at `acceleration_time` */
    double acceleration_time;
    bool found; /**< the pending event was found here: `fired` is ours, not the integrator's */
} dt_graze;

/* graze_values.c */
/** False when memory is out. After dt_sources_create(). */
bool dt_graze_create(dt_arena *arena, dt_simulation *simulation);
/** Forgets what was before a restart at t, from y and yp. */
void dt_graze_restart(dt_simulation *simulation, double t);
/**
 * The larger one of the values that a root of a locked stiction had at the ends of the last steps.
 */
double dt_graze_before(const dt_simulation *simulation, int stiction, int which);
/** Notes the values of the root functions at the end of a step, at t. */
void dt_graze_note(dt_simulation *simulation, double t, const double *g);
/** The value of a root at the end of a step: 2 the last one, 1 and 0 those before. */
double dt_graze_value(const dt_simulation *simulation, dt_root root, int step);
/** Keeps the accelerations at t, the end of a step or a restart: the slopes at the start of the next. */
void dt_graze_keep_accelerations(dt_simulation *simulation, double t);

/* graze.c */
/**
 * After a step: finds a root that came and went within it, or a switch that left its border to the
 * wrong side at its start, and makes that the pending event.
 */
void dt_graze_check(dt_simulation *simulation);
/** Makes an event at t of the roots marked in roots.fired. */
void dt_graze_make_event(dt_simulation *simulation, double t);

#endif
