/**
 * @file velocity_newton.h
 * The part of velocity_step.h for what is coupled: a step of Newton's method, with dampers in place of modes.
 */
#ifndef DT_DYNAMICS_VELOCITY_NEWTON_H
#define DT_DYNAMICS_VELOCITY_NEWTON_H

#include "dynamics/velocity_step.h"

bool dt_velocity_newton_create(dt_arena *arena, dt_velocity_step *step);
/** After the forces of the start are known. */
void dt_velocity_newton_begin(dt_velocity_step *step);
/** Modes of the system are put aside, or come back. */
void dt_velocity_newton_put_modes_aside(dt_velocity_step *step, bool back);
/**
 * What is coupled with a motion follows its acceleration: that which leads to its velocity at the end of the step, be it 0 at the start, so that others do
 * not seem to rest while it sets out.
 */
void dt_velocity_newton_drive(const dt_velocity_step *step);
/** As dt_velocity_step_solve(). */
detent_status dt_velocity_newton_solve(dt_velocity_step *step, detent_error *error);
/** As dt_velocity_step_creeps(). */
bool dt_velocity_newton_creeps(dt_velocity_step *step, int k, double force, double at);
/** As dt_velocity_step_noise(). */
double dt_velocity_newton_noise(const dt_velocity_step *step, int k);

/* velocity_refine.c */
/**
 * Of the last solution, the middle of the step at hand, with friction `f` there: what it leaves of the implicit midpoint rule, for dt_velocity_newton_refine().
 * v of the middle is that of the system.
 */
void dt_velocity_newton_miss(dt_velocity_step *step, const double *f);
/** With the system at the start: the last solution has forces and rates of the end, as far as they go with t of themselves; nobody changes his place. */
void dt_velocity_newton_pass_time(dt_velocity_step *step);
/** With the system at the start again: the last solution is corrected, to second order. */
void dt_velocity_newton_refine(dt_velocity_step *step);

/** velocity_slopes.c: the factors of the matrix, with slopes of inertia where the step is not `inert`. With dampers set. */
detent_status dt_velocity_newton_factor(dt_velocity_step *step, detent_error *error);

#endif
