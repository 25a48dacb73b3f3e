/**
 * @file interpolant.h
 * Where a function of time may be least between points at which it is known: cubics, parabolas, and the
 * chords of a convex one.
 */
#ifndef DT_INTEGRATOR_INTERPOLANT_H
#define DT_INTEGRATOR_INTERPOLANT_H

#include <stdbool.h>

/** One root function over a step of length h: values and slopes at the ends. */
typedef struct dt_hermite {
    double g0, g1, d0, d1, h;
} dt_hermite;

double dt_hermite_value(const dt_hermite *c, double x);
/** Where in (0, 1) the interpolant is least; false where it has no minimum inside. */
bool dt_hermite_minimum(const dt_hermite *c, double *x);

/** Whether its least value may be below zero: interpolants are trusted to a fifth of what they fall. */
bool dt_comes_near(double least, double end);

/** Abscissa of the least value of the parabola through three points, t[1] the middle one. */
double dt_parabola_minimum(const double t[3], const double g[3]);

/** Four points of a root, to be searched between the middle two. One of the outer ones may not be known: NAN. */
typedef struct dt_chords {
    double t[4], g[4];
} dt_chords;

/**
 * Where the chords on the left and on the right, prolonged, meet; false if that is not in between. Where one of them is
 * not known the other is least at its end, and `t` is in the middle of where it is below zero.
 */
bool dt_chords_meet(const dt_chords *c, double *t, double *least);
/** The part of the chords' interval before t, or after it, where the value is g. */
dt_chords dt_chords_part(const dt_chords *c, double t, double g, bool after);
/** The same, and whether the root may be negative there. */
bool dt_chords_near(const dt_chords *c, double *t, double *least);

#endif
