/**
 * @file scale.h
 * How large is large: the sizes that the numbers of a mechanism ordinarily have.
 *
 * Absolute tolerances, and what is to be more than nothing, are measured by these; so a change of units
 * changes no run. They need no accuracy. Derived from the mechanism at its start (scale.c), unless the
 * user has given nominal values.
 */
#ifndef DT_DYNAMICS_SCALE_H
#define DT_DYNAMICS_SCALE_H

#include "dynamics/system.h"
#include "expression/series.h"

#include <math.h>

/** A velocity threshold that nobody gives, of the nominal velocity. */
#define DT_SCALE_SLOW 1e-3

typedef struct dt_scale {
    double length, time; /**< m, s: of the mechanism as a whole */
    double energy;       /**< J: kinetic, at the nominal velocities */
    double *force; /**< nv: N or N m, what moves the freedom at nominal position and velocity */
    double *state; /**< state_count: what a state ordinarily is */
    /** node_count, nv: work space while they are derived. Laws read those of the system. */
    double (*A)[6], (*F)[6], *tau;
    detent_allocator allocator;   /**< of it */
    double *gradient;             /**< the same */
    dt_series *slots, *registers; /**< the same */
    double end;                   /**< s: of what is simulated */
} dt_scale;

/** False when memory is out. */
bool dt_scale_create(dt_arena *arena, const dt_system *system, dt_scale *scale);

/**
 * Derives the scales from the system at its present readings, with accelerations and friction zero, and its length.
 * `duration`: what is to be simulated, s. False when memory is out.
 */
bool dt_scale_derive(dt_system *system, double duration, dt_scale *scale);

/** The mass-weighted length of the bodies, m; 0 for point masses in their joints. */
double dt_body_length(const dt_tree *tree);

/** The power of two next below x: by it numbers are scaled without rounding. 1 where x is none to scale by. */
static inline double dt_power_below(double x)
{
    return x > 0 && isfinite(x) ? ldexp(1, ilogb(x)) : 1;
}

/** |x|, or 0 where a law gives no number at the start. */
static inline double dt_known(double x)
{
    return isfinite(x) ? fabs(x) : 0;
}

/* scale_laws.c */
/** |d law / dt| at the start; `direction` stands for `dir`. */
double dt_law_time_slope(dt_system *system, const dt_law *law, int direction, double *gradient);

/** The size of what t alone makes of a law until the end, its state as it is; 0 where that is nothing, or not known. */
double dt_law_later(dt_system *system, const dt_scale *scale, const dt_law *law);

/**
 * By how much a law that acts along a node (`sign` -1), or the kinetic friction of a node that moves forward (1), holds against its velocity at
 * least, however fast it is, N s/m or N m s/rad; 0 where that is nothing, or not known.
 */
double dt_law_damping(dt_system *system, const dt_scale *scale, const dt_law *law, int node,
                      int sign);

/* scale_nominal.c */
/** Nominal position of a node, m or rad; 1 for the components of a quaternion. */
double dt_scale_position(const dt_scale *scale, const detent_mechanism *mechanism, int node);
/** Nominal velocity, m/s or rad/s. */
double dt_scale_velocity(const dt_scale *scale, const detent_mechanism *mechanism, int node);
/** What a variable that a law reads ordinarily is; 0 where nobody knows. */
double dt_scale_variable(const dt_scale *scale, const detent_mechanism *mechanism,
                         dt_variable variable);

#endif
