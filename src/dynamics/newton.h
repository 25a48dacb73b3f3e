/**
 * @file newton.h
 * Exact Newton steps along the tree, in linear time, without forming the matrix.
 *
 * Unknowns and residuals at one instant, with J the derivative of the residuals:
 *
 *   dynamics  r_v = S'F(t,q,v,a) + J a - Q - f                 (prescribed freedoms: r_v = v - m'(t))
 *   friction  r_f = a_j (locked)  or  f_j - (-s FK_j)    (wait, unlocked)
 *   loops     r_m = w . (A of the ghost - A of the original)  or  m (rows that are not active; closure.h)
 *   STEP level also  r_q = q' - N(q) v                   (prescribed: q - m(t))
 *                    r_z = z' - derivative of the state
 *
 * At the ACCELERATION level q and v are given and (a, f) unknown. At the STEP level a = v', and
 * every change obeys dq' = c dq, dv' = c dv, dz' = c dz, as an implicit multistep formula asks.
 */
#ifndef DT_DYNAMICS_NEWTON_H
#define DT_DYNAMICS_NEWTON_H

#include "dynamics/aba.h"
#include "dynamics/force_size.h"
#include "dynamics/system.h"

typedef enum dt_newton_level { DT_NEWTON_ACCELERATION, DT_NEWTON_STEP } dt_newton_level;

typedef struct dt_newton dt_newton;

/** Residuals, or changes of the unknowns, where they are. */
typedef struct dt_unknowns {
    double *q;     /**< nq; not at the ACCELERATION level */
    double *v, *f; /**< nv (accelerations at that level), stiction_count */
    double *m;     /**< dt_tie_rows() */
    double *z;     /**< state_count; not at the ACCELERATION level */
} dt_unknowns;

/**
 * Work space for `system`, in `arena`; NULL when memory is out. `solver`: elimination along the
 * tree, or the full matrix.
 */
dt_newton *dt_newton_create(dt_arena *arena, const dt_system *system, detent_linear_solver solver);

/**
 * The same for factorisations up to the level `highest` alone. At the ACCELERATION level, with laws
 * that dt_newton_is_explicit() tells, only dt_solve_accelerations(), dt_forward_dynamics() and
 * dt_newton_aba() may be used: articulated bodies do their work, and the rest takes no memory.
 */
dt_newton *dt_newton_create_up_to(dt_arena *arena, const dt_system *system,
                                  detent_linear_solver solver, dt_newton_level highest);

/**
 * Factors at the system's current state, modes and readings. `c`: dq'/dq, not read at the
 * acceleration level. DETENT_ERROR_NUMERIC if singular.
 */
detent_status dt_newton_factor(dt_newton *newton, dt_system *system, dt_newton_level level,
                               double c, detent_error *error);

/**
 * The sign of the determinant of the last factorisation. At the acceleration level it changes where a solution of
 * friction that follows the reactions it causes comes to its end, and meets another one: while the modes stay it is
 * that of one and the same branch of solutions.
 */
int dt_newton_sign(const dt_newton *newton, const dt_system *system);

/**
 * That of the accelerations at the system's readings, factored anew, without the slopes of norms that are nothing but rounding: they point
 * anywhere, and so would the sign; `met` (may be NULL): whether there are any. 0 where it says nothing.
 */
int dt_newton_sign_now(dt_newton *newton, dt_system *system, bool *met);

/**
 * Solves J d = -r with the last factorisation, which solutions of accelerations since then may have
 * spoiled. `r` and `d` may be the same.
 */
void dt_newton_solve(dt_newton *newton, dt_system *system, const dt_unknowns *r,
                     const dt_unknowns *d);

/**
 * Accelerations and friction of the system's current modes, at its t, q, v: locked joints and
 * prescribed ones held, the others with their kinetic friction, which may depend on the reactions
 * (Newton on the whole). Starts from the current readings. Leaves a, f, F, Q consistent.
 * DETENT_ERROR_NUMERIC if it is singular or not finite, DETENT_ERROR_SOLVER if it does not
 * converge. `iterations` (may be NULL) is increased by the number of linear solves.
 */
detent_status dt_solve_accelerations(dt_newton *newton, dt_system *system, size_t *iterations,
                                     detent_error *error);

/**
 * One of the steps of that from the current readings, which remain: the changes d_a, d_f and d_m, which are memory of the
 * Newton solver. DETENT_ERROR_NUMERIC if it is singular.
 */
detent_status dt_acceleration_step(dt_newton *newton, dt_system *system, const double **d_a,
                                   const double **d_f, const double **d_m, detent_error *error);

/**
 * The same as dt_solve_accelerations() without polishing, for use in every stage of an explicit method: where no law reads what it
 * determines (accelerations, forces, reactions), by one articulated-body sweep; else by
 * dt_solve_accelerations(). Leaves a, f, F, Q.
 */
detent_status dt_forward_dynamics(dt_newton *newton, dt_system *system, detent_error *error);

/** Whether the last dt_solve_accelerations() has failed at a motion that is undetermined, not at a law without a value. */
bool dt_newton_is_singular(const dt_newton *newton);

/** True where dt_forward_dynamics() is one sweep. */
bool dt_newton_is_explicit(const dt_newton *newton);

/** The articulated bodies of the tree, free for use between calls of dt_forward_dynamics(). */
dt_aba *dt_newton_aba(dt_newton *newton);

/** The sizes of forces as last measured, free for use between solutions of accelerations. */
dt_force_size *dt_newton_size(dt_newton *newton);

/** The rounding of the force of a scalar node, N or N m, at the system's readings and modes. */
double dt_newton_noise(dt_newton *newton, const dt_system *system, int node);

/** The same of every stiction of the system. */
void dt_newton_noises(dt_newton *newton, const dt_system *system, double *noise);

#endif
