/**
 * @file rotation.h
 * Rotations as 3x3 row-major matrices and as unit quaternions w, x, y, z.
 */
#ifndef DT_MATH_ROTATION_H
#define DT_MATH_ROTATION_H

/** The matrix of the quaternion `q`, which need not be of unit length but must not be zero. */
void dt_rotation_from_quaternion(double R[9], const double q[4]);

/** The quaternion of a turn by `angle` (rad) about `axis`, which must not be zero. */
void dt_quaternion_from_axis(double q[4], const double axis[3], double angle);

/** The quaternion of roll, pitch, yaw (rad): turns about the fixed x, y, z axes in this order. */
void dt_quaternion_from_rpy(double q[4], const double rpy[3]);

/**
 * Roll, pitch, yaw (rad) of a rotation matrix: roll and yaw from -pi to pi, pitch from -pi/2 to pi/2. Where the pitch is
 * +-pi/2 to rounding the roll is 0, and all of the turn about that axis yaw.
 */
void dt_rpy_from_rotation(double rpy[3], const double R[9]);

/** The quaternion with w >= 0 of a rotation matrix. */
void dt_quaternion_from_rotation(double q[4], const double R[9]);

/** Turns a symmetric tensor (xx yy zz xy xz yz): out = R J R'. out may be J. */
void dt_rotate_tensor(double out[6], const double R[9], const double J[6]);

/** Eigenvalues of a symmetric tensor (xx yy zz xy xz yz), ascending. */
void dt_tensor_eigenvalues(double out[3], const double J[6]);

#endif
