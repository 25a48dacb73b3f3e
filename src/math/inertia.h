/**
 * @file inertia.h
 * Inertias (spatial.h) in other frames. Each is linear in the inertia, which need not be that of a body: the difference
 * of two will do.
 */
#ifndef DT_MATH_INERTIA_H
#define DT_MATH_INERTIA_H

#include "math/spatial.h"

/** The same inertia where the origin lies at -p of the old one: all is moved by p. */
void dt_inertia_shift(dt_inertia *I, const double p[3]);

/** From the axes and origin of a frame to those in which it stands at (R, p). out may be I. */
void dt_inertia_move(dt_inertia *out, const dt_inertia *I, const double R[9], const double p[3]);

/** The reverse. */
void dt_inertia_move_back(dt_inertia *out, const dt_inertia *I, const double R[9],
                          const double p[3]);

/** sum += factor I */
void dt_inertia_add(dt_inertia *sum, double factor, const dt_inertia *I);

#endif
