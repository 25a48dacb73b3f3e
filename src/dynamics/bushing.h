/**
 * @file bushing.h
 * Bushings (element_bushing.c): what is given, and what is known of one at a pose and velocities.
 *
 * At half a turn the rotation vector jumps from phi to -phi, and the torque with it, where anything turns it back. Until that is
 * an event (integrator/source_jump.c) phi goes on beyond pi: it is that of both that is near `turned` of the system.
 */
#ifndef DT_DYNAMICS_BUSHING_H
#define DT_DYNAMICS_BUSHING_H

#include "dynamics/place.h"
#include "dynamics/system.h"
#include "math/rotation_vector.h"

typedef struct dt_bushing_def {
    size_t size; /* dt_item_head */
    const char *name;
    dt_end_frames between;
    double stiffness[3];            /**< N/m */
    double damping[3];              /**< N s/m */
    double rotational_stiffness[3]; /**< N m/rad */
    double rotational_damping[3];   /**< N m s/rad */
} dt_bushing_def;

enum { DT_BUSHING_A, DT_BUSHING_B, DT_BUSHING_ENDS };

enum { DT_BUSHING_FORCE = 0, DT_BUSHING_TORQUE = 3 }; /* in a row of six */

/* What is known of a bushing at a pose and velocities. */
typedef struct dt_bushing {
    const dt_bushing_def *def;
    int first; /**< place of its end on A */
    const dt_load *end[DT_BUSHING_ENDS];
    double arm[DT_BUSHING_ENDS][3]; /**< the points, from the system's origin */
    double w[DT_BUSHING_ENDS][3];   /**< angular velocities */
    double axes[9];                 /**< R_A */
    double r[3], u[3], apart[3];    /**< b - a, its rate as A sees it, omega: in the world */
    double d[3], rate[3];           /**< d, d' */
    dt_turn turn;
    double spin[3];             /**< omega */
    double effort[6];           /**< f, t: on B */
    double force[3], torque[3]; /**< the same in the world */
} dt_bushing;

/** Those of a mechanism. */
static inline const dt_item_list *dt_bushing_items(const detent_mechanism *m)
{
    return dt_added_items(m, DT_ELEMENT_bushing);
}
/** One of them at the state of a system. */
void dt_bushing_measure(const dt_system *system, int item, dt_bushing *of);
/** What the angle is short of half a turn, rad, below zero beyond; 1 of one whose torque does not jump there. */
double dt_bushing_until_half_a_turn(const dt_system *system, int item);
/**
 * Notes on which side of half a turn one is now, in `turned`: that on which it has been until now, as long as it is not beyond; or, where
 * half a turn may have been `passed`, and at first, that on which it goes on.
 */
void dt_bushing_take_side(const dt_system *system, int item, bool passed);

#endif
