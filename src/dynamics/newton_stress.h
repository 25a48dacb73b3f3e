/**
 * @file newton_stress.h
 * What redundant conditions of loops carry (self_stress.h) follows from the unknowns x of Newton's step: z = z(x), and laws may
 * follow it. The matrix of the step is then
 *
 *   J + C D        J: with z as it is;   C: how residuals change with z;   D = dz/dx
 *
 * of low rank beside J, whose factors are there:  d = y - X w,   J y = -r,   J X = C,   (1 + D X) w = D y   (Woodbury). Columns of
 * C that are zero drop out: where a planar loop is loaded in its plane all are. How A turns with the pose is not in D: steps in
 * time stay exact to the first order of their length.
 */
#ifndef DT_DYNAMICS_NEWTON_STRESS_H
#define DT_DYNAMICS_NEWTON_STRESS_H

#include "dynamics/newton.h"
#include "dynamics/tangent.h"

typedef struct dt_newton_stress {
    dt_newton_level level;
    double c;
    int count;            /**< columns that something follows */
    int *column, *pivots; /**< rows */
    size_t length;        /**< of unknowns */
    double *X;            /**< length x count */
    double *C;            /**< length: a column of C */
    double *S;            /**< count x count: 1 + D X, factored */
    double *z, *w;        /**< rows */
    dt_tangent tangent;
} dt_newton_stress;

/** NULL into `stress` where nothing follows. False when memory is out. */
bool dt_newton_stress_create(dt_arena *arena, const dt_system *system, dt_newton_stress **stress);

/** After the factorisation of J. False where the whole is singular. */
bool dt_newton_stress_factor(dt_newton *newton, dt_system *system, dt_newton_level level, double c);

/** d = y - X w; `d` is y. */
void dt_newton_stress_correct(dt_newton_stress *stress, dt_system *system, const dt_unknowns *d);

/** The sign of the determinant beside that of J. */
int dt_newton_stress_sign(const dt_newton_stress *stress);

#endif
