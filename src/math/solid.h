/**
 * @file solid.h
 * Solids about the origin, along the axes: their volumes and moments of inertia.
 */
#ifndef DT_MATH_SOLID_H
#define DT_MATH_SOLID_H

/** Moments about the centre are those of a mass of one; those about the axes are all there are. */
typedef struct dt_solid {
    double volume, moment[3];
} dt_solid;

/** Of half lengths and radii, `size`: */
dt_solid dt_solid_sphere(const double *size);    /**< r */
dt_solid dt_solid_ellipsoid(const double *size); /**< semi-axes a, b, c */
dt_solid dt_solid_box(const double *size);       /**< half edges a, b, c */
dt_solid dt_solid_cylinder(const double *size);  /**< r and half the length along z */
dt_solid dt_solid_capsule(const double *size);   /**< the same of the cylinder between half balls */

#endif
