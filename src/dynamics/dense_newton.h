/**
 * @file dense_newton.h
 * The Newton step with the full Jacobian: columns by directional derivatives (tangent.h), LU by
 * LAPACK. The check of the linear-time solve, and the better choice for small mechanisms whose laws
 * couple everything to everything.
 *
 * Rows and columns are measured by the scales of the mechanism (scale.h), to powers of two: which pivots
 * are taken does not depend on units.
 *
 * Unknowns: dq (nq; STEP level only), dv (da at the ACCELERATION level), df, dm, dz (STEP level only); rows in the
 * same order.
 */
#ifndef DT_DYNAMICS_DENSE_NEWTON_H
#define DT_DYNAMICS_DENSE_NEWTON_H

#include "dynamics/newton.h"
#include "dynamics/tangent.h"

/** The largest order: 3.2 GB. */
enum { DT_DENSE_LARGEST = 20000 };

typedef struct dt_dense_newton {
    dt_newton_level level;
    double c;
    int order;            /**< of the matrix in use */
    double *matrix;       /**< column-major */
    double *x;            /**< order */
    double *row, *column; /**< order: what rows and columns are multiplied by */
    int *pivots;
    dt_tangent tangent;
} dt_dense_newton;

/** False when memory is out; of an order of at most DT_DENSE_LARGEST. */
bool dt_dense_newton_create(dt_arena *arena, const dt_system *system, dt_dense_newton *dn);

/** The Jacobian, not factored, into dn->matrix. */
void dt_dense_newton_assemble(dt_dense_newton *dn, dt_system *system, dt_newton_level level,
                              double c);

/** Assembles and factors. Returns -1, or the index of an unknown without pivot. */
int dt_dense_newton_factor(dt_dense_newton *dn, dt_system *system, dt_newton_level level, double c);

/** The sign of the determinant, after dt_dense_newton_factor(). */
int dt_dense_newton_sign(const dt_dense_newton *dn);

/** Solves J d = -r; `r` and `d` may be the same. */
void dt_dense_newton_solve(dt_dense_newton *dn, const dt_system *system, const dt_unknowns *r,
                           const dt_unknowns *d);

#endif
