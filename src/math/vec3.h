/**
 * @file vec3.h
 * Three-vectors and 3x3 row-major matrices. What the sweeps over a tree are made of is written out: at -O2 compilers leave loops of three as they are.
 */
#ifndef DT_MATH_VEC3_H
#define DT_MATH_VEC3_H

#include <math.h>

static inline double dt_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double dt_norm3(const double a[3])
{
    return sqrt(dt_dot3(a, a));
}

/** out = a x b; out may not alias. */
static inline void dt_cross3(double out[3], const double a[3], const double b[3])
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], b0 = b[0], b1 = b[1], b2 = b[2];
    out[0] = a1 * b2 - a2 * b1;
    out[1] = a2 * b0 - a0 * b2;
    out[2] = a0 * b1 - a1 * b0;
}

/** out = a - b. */
static inline void dt_subtract3(double out[3], const double a[3], const double b[3])
{
    out[0] = a[0] - b[0], out[1] = a[1] - b[1], out[2] = a[2] - b[2];
}

/** out = a + b. */
static inline void dt_sum3(double out[3], const double a[3], const double b[3])
{
    out[0] = a[0] + b[0], out[1] = a[1] + b[1], out[2] = a[2] + b[2];
}

/** out += a. */
static inline void dt_add3(double out[3], const double a[3])
{
    out[0] += a[0], out[1] += a[1], out[2] += a[2];
}

/** out += factor a x b. */
static inline void dt_add_cross3(double out[3], double factor, const double a[3], const double b[3])
{
    double c[3];
    dt_cross3(c, a, b);
    for (int k = 0; k < 3; k++) {
        out[k] += factor * c[k];
    }
}

/** out = a, each component times its factor. */
static inline void dt_scale_each3(double out[3], const double factor[3], const double a[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = factor[k] * a[k];
    }
}

/** out = R a; out may not alias. */
static inline void dt_rotate(double out[3], const double R[9], const double a[3])
{
    const double x = a[0], y = a[1], z = a[2];
    out[0] = R[0] * x + R[1] * y + R[2] * z;
    out[1] = R[3] * x + R[4] * y + R[5] * z;
    out[2] = R[6] * x + R[7] * y + R[8] * z;
}

/** out = R' a; out may not alias. */
static inline void dt_rotate_back(double out[3], const double R[9], const double a[3])
{
    const double x = a[0], y = a[1], z = a[2];
    out[0] = R[0] * x + R[3] * y + R[6] * z;
    out[1] = R[1] * x + R[4] * y + R[7] * z;
    out[2] = R[2] * x + R[5] * y + R[8] * z;
}

/** out = A B; out may not alias. */
static inline void dt_mul33(double out[9], const double A[9], const double B[9])
{
    dt_rotate_back(out, B, A);
    dt_rotate_back(out + 3, B, A + 3);
    dt_rotate_back(out + 6, B, A + 6);
}

#endif
