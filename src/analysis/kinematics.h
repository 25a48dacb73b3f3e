/**
 * @file kinematics.h
 * How all joints move where prescribed motions, and a joint that is driven, decide it:
 *
 *   g(q) = 0,   G v = 0,   G a + gamma = 0     solved for what is not prescribed (closure.h, loop_solver.h)
 */
#ifndef DT_ANALYSIS_KINEMATICS_H
#define DT_ANALYSIS_KINEMATICS_H

#include "analysis/analysis.h"
#include "detent/analysis.h"

/** As detent_kinematics(), the arguments checked; the accelerations are those of the system afterwards. */
detent_status dt_kinematics(dt_analysis *analysis, double t, const detent_drive *drive,
                            detent_error *error);

/** The driven joint to its place, those that loops tie to it following; all others stay. */
detent_status dt_kinematics_drive(dt_analysis *analysis, double t, const detent_drive *drive,
                                  detent_error *error);

/** Whether positions, velocities, accelerations, t and inputs tell the value of a program; `marks`: operation_count, work space. */
bool dt_is_kinematic(const dt_program *program, double *marks);

#endif
