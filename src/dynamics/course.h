/**
 * @file course.h
 * How fast what laws read changes along the motion, where state and rates tell: t, positions, velocities, states. What follows forces, and
 * what changes at events alone, has no course.
 */
#ifndef DT_DYNAMICS_COURSE_H
#define DT_DYNAMICS_COURSE_H

#include "dynamics/system.h"

/** Whether a variable has a course. */
bool dt_course_is_known(dt_variable variable);

/**
 * Its rate, per s, at the velocities of the system, accelerations a (nv) and rates z of states (state_count), NULL: those of their
 * laws; 0 where it has none.
 */
double dt_course_rate(dt_system *system, dt_variable variable, const double *a, const double *z);

#endif
