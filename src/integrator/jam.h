/**
 * @file jam.h
 * Meshes that jam. What a coupling does along its first joint is linear in the friction f there, L = L0 + n f, and that friction
 * follows it:  f = -s (mean |L| + off s L),  mean, off: half the sum and the difference of the losses (mesh.c).  So
 *
 *   A L + s B |L| = L0      A = 1 + off n,  B = mean n
 *
 * has one solution for either direction s and any load where |B| < A. Else there are two for some loads, of which the search
 * takes the one that an elastic mesh would come to (stable.c), and none for others: then a mesh that moves stops at once, by an
 * impulse of what makes it rub, and the search goes on with the joint at rest.
 */
#ifndef DT_INTEGRATOR_JAM_H
#define DT_INTEGRATOR_JAM_H

#include "integrator/trial.h"

typedef struct dt_jam {
    dt_trial start, before, found;
    double *pin;                   /**< stiction_count */
    double *r_v, *r_f, *r_m, *d_v; /**< nv, stiction_count, rows, nv */
    double *d_f, *d_m;             /**< stiction_count, rows */
    double *margin;                /**< mesh_count: A - |B| at the start */
    bool
        *stops; /**< stiction_count: who is stopped, the joint that jams and those at their stops */
    double loss, drive; /**< J: of the impulses of this event, and what motions have put in */
} dt_jam;

/** False when memory is out. */
bool dt_jam_create(dt_arena *arena, dt_simulation *simulation);

/** A - |B| of all meshes, everything free to move; at the state of the system, which has other accelerations afterwards. */
void dt_jam_measure(dt_simulation *simulation);

/** Whether a mesh moves that could jam where nothing else is consistent: at the modes of the system. */
bool dt_jam_may_follow(const dt_simulation *simulation);

/** The search of an event, with joints inside a velocity band stopped; meshes that cannot go on jam. */
detent_status dt_jam_search(dt_simulation *simulation, detent_error *error);

#endif
