/**
 * @file inverse_parts.h
 * What inverse.c, inverse_load.c and inverse_mesh.c share.
 */
#ifndef DT_ANALYSIS_INVERSE_PARTS_H
#define DT_ANALYSIS_INVERSE_PARTS_H

#include "analysis/inverse.h"

/** What friction of joints at rest is taken for. */
typedef enum rest { REST_LEAST_DRIVE, REST_LOWEST, REST_HIGHEST } rest;

typedef struct inverse {
    dt_analysis *analysis;
    dt_system *system;
    const bool *driven;
    int wedged; /**< the stiction at rest whose mesh follows its own friction, or -1 */
} inverse;

/** The freedom of a stiction. */
static inline int dt_inverse_freedom(const dt_system *s, int stiction)
{
    return s->tree->nodes[s->mechanism->stictions[stiction].primitive].v;
}

/* ---- inverse_load.c ---- */

/** S'F + J a - Q of all freedoms, at the present readings, into analysis->load. */
void dt_inverse_read_load(inverse *n);

/** Multipliers with which nothing acts along undriven freedoms. Returns the largest change; `size`: the largest one. */
double dt_inverse_update_multipliers(inverse *n, double *size);

/** What meshes are told from (inverse_mesh.c), with the drives as they are. Returns the largest change; `size`: the largest one. */
double dt_inverse_update_beside(inverse *n, double *size);

/** The drive of freedom d, of node i, with the friction as it is. */
double dt_inverse_drive(const inverse *n, int i, int d);

/* ---- inverse_mesh.c ---- */

/** Marks the joints that meshes are told from. Errors where their friction cannot be known. */
detent_status dt_inverse_tell_meshes(inverse *n, detent_error *error);

/** Whether a mesh at rest follows its own friction: `wedged`. Errors where that is more than can be told. */
detent_status dt_inverse_look_at_meshes(inverse *n, double *a, detent_error *error);

/** Friction of joints that move, by Newton's method; false where there is no solution that is stable, or it is not found. */
bool dt_inverse_solve_moving(inverse *n, double *a);

/** The interval of the drive of freedom d, of node i, at the present shares, where a mesh follows its own friction. */
detent_status dt_inverse_wedged_interval(inverse *n, double *a, int i, int d, double *low,
                                         double *high, detent_error *error);

#endif
