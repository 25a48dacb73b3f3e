/**
 * @file mass.h
 * What a body weighs, and the sum of several.
 */
#ifndef DT_MATH_MASS_H
#define DT_MATH_MASS_H

/** A mass in some frame. */
typedef struct dt_mass {
    double mass;       /**< kg */
    double com[3];     /**< m, in the frame */
    double inertia[6]; /**< kg m^2 about the centre of mass, in its axes: xx yy zz xy xz yz */
} dt_mass;

/**
 * sum += more, whose frame is turned by R (row-major) and has its origin at p in that of the sum. One alone keeps its digits; without
 * mass it is nothing.
 */
void dt_mass_add(dt_mass *sum, const dt_mass *more, const double R[9], const double p[3]);

#endif
