/**
 * @file newton_impulse.h
 * Newton's step of impulses: changes of velocity d_v, impulses d_f and d_m,
 *
 *   M d_v - S d_f - G'd_m = 0,    d_v = -r_f of locked joints, d_f = -r_f of others,    G d_v = 0
 *
 * with what the elimination has lost put back. Forces of loops are differences of what light and heavy bodies answer to them; so a solve may lose
 * five digits where the problem loses none, and an impact would gain energy by that. Residuals are formed from the bodies and the conditions
 * themselves, and solved for once more with the same factors (iterative refinement: J. H. Wilkinson, Rounding Errors in Algebraic Processes, 1963).
 */
#ifndef DT_DYNAMICS_NEWTON_IMPULSE_H
#define DT_DYNAMICS_NEWTON_IMPULSE_H

#include "dynamics/newton.h"

/** Work space: what takes the place of a system's own while residuals are formed, and these. */
typedef struct dt_newton_impulse {
    double *v, *Q, *tau;                       /**< nv */
    double (*A)[6], (*F)[6], (*external)[6];   /**< node_count */
    double (*load_wrench)[6];                  /**< place_count */
    double *r_v, *r_f, *r_m, *d_v, *d_f, *d_m; /**< nv, stiction_count, rows */
} dt_newton_impulse;

/** G v of the active conditions to `open` (rows): how fast velocities v (nv) take them apart, where the system is. Others are 0. The system's readings stay. */
void dt_newton_impulse_open(dt_system *system, dt_newton_impulse *work, const double *v,
                            double *open);

/** False when memory is out. Nothing is taken where there are no loops and couplings. */
bool dt_newton_impulse_create(dt_arena *arena, const dt_system *system, dt_newton_impulse *work);

/**
 * Solves J d = -r with the factors that are there, of the acceleration level and of `impulsive` laws; r and d are not the same. What is left of r_v is to
 * be zero. The system's readings stay.
 */
void dt_newton_impulse_solve(dt_newton *newton, dt_system *system, dt_newton_impulse *work,
                             const dt_unknowns *r, const dt_unknowns *d);

#endif
