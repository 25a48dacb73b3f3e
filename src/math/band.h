/**
 * @file band.h
 * Square banded linear systems through LAPACK (dgbtrf, dgbtrs); a full matrix is the widest band.
 */
#ifndef DT_MATH_BAND_H
#define DT_MATH_BAND_H

#include "base/arena.h"

typedef struct dt_band {
    int n;        /**< order */
    int width;    /**< entries (r, c) with |r - c| <= width may be nonzero */
    int stride;   /**< 3 width + 1: rows of LAPACK's storage */
    double *data; /**< stride x n, column-major */
    int *pivots;  /**< n */
} dt_band;

/** False when memory is out. */
bool dt_band_create(dt_arena *arena, int n, int width, dt_band *band);
/** Sets the identity. */
void dt_band_identity(dt_band *band);
/** The entry (r, c), |r - c| <= width, before factorisation. */
double *dt_band_entry(dt_band *band, int r, int c);
/** False where it is singular or not finite. */
bool dt_band_factor(dt_band *band);
/** The sign of the determinant, after dt_band_factor(). */
int dt_band_sign(const dt_band *band);
/** x := inverse x. */
void dt_band_solve(const dt_band *band, double *x);

#endif
