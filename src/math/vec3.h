/**
 * @file vec3.h
 * Three-vectors and 3x3 row-major matrices.
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
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/** out = a - b. */
static inline void dt_subtract3(double out[3], const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] - b[k];
    }
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
    for (int r = 0; r < 3; r++) {
        out[r] = dt_dot3(R + 3 * r, a);
    }
}

/** out = R' a; out may not alias. */
static inline void dt_rotate_back(double out[3], const double R[9], const double a[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = R[c] * a[0] + R[3 + c] * a[1] + R[6 + c] * a[2];
    }
}

/** out = A B; out may not alias. */
static inline void dt_mul33(double out[9], const double A[9], const double B[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = A[3 * r] * B[c] + A[3 * r + 1] * B[3 + c] + A[3 * r + 2] * B[6 + c];
        }
    }
}

#endif
