/**
 * @file spatial.h
 * Spatial vectors in one frame about one origin (Featherstone, Rigid Body Dynamics Algorithms,
 * 2008, ch. 2).
 *
 *   motion vector  V = (w, v):  angular velocity, velocity of the body-fixed point at the origin
 *   force vector   F = (n, f):  moment about the origin, force
 *   inertia        I = (m, h, J): mass, first moment m c, second moment about the origin (xx yy zz
 *   xy xz yz)
 */
#ifndef DT_MATH_SPATIAL_H
#define DT_MATH_SPATIAL_H

#include "math/vec3.h"
#include <stdbool.h>
#include <string.h>

static inline double dt_dot6(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static inline void dt_copy6(double out[6], const double a[6])
{
    memcpy(out, a, 6 * sizeof *a);
}

/* Sums are read before the first is written: so compilers take two at a time, whatever overlaps. */

static inline void dt_add6(double out[6], const double a[6])
{
    const double s0 = out[0] + a[0], s1 = out[1] + a[1], s2 = out[2] + a[2], s3 = out[3] + a[3],
                 s4 = out[4] + a[4], s5 = out[5] + a[5];
    out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3, out[4] = s4, out[5] = s5;
}

/** out = a + b */
static inline void dt_sum6(double out[6], const double a[6], const double b[6])
{
    const double s0 = a[0] + b[0], s1 = a[1] + b[1], s2 = a[2] + b[2], s3 = a[3] + b[3],
                 s4 = a[4] + b[4], s5 = a[5] + b[5];
    out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3, out[4] = s4, out[5] = s5;
}

/** out += s a */
static inline void dt_axpy6(double out[6], double s, const double a[6])
{
    const double s0 = out[0] + s * a[0], s1 = out[1] + s * a[1], s2 = out[2] + s * a[2],
                 s3 = out[3] + s * a[3], s4 = out[4] + s * a[4], s5 = out[5] + s * a[5];
    out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3, out[4] = s4, out[5] = s5;
}

/** out = a x b for motion vectors; out may not alias. */
static inline void dt_cross_motion(double out[6], const double a[6], const double b[6])
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5];
    const double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3], b4 = b[4], b5 = b[5];
    out[0] = a1 * b2 - a2 * b1;
    out[1] = a2 * b0 - a0 * b2;
    out[2] = a0 * b1 - a1 * b0;
    out[3] = a1 * b5 - a2 * b4 + a4 * b2 - a5 * b1;
    out[4] = a2 * b3 - a0 * b5 + a5 * b0 - a3 * b2;
    out[5] = a0 * b4 - a1 * b3 + a3 * b1 - a4 * b0;
}

/** out = a x* f: motion vector on force vector; out may not alias. */
static inline void dt_cross_force(double out[6], const double a[6], const double f[6])
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5];
    const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5];
    out[0] = a1 * f2 - a2 * f1 + a4 * f5 - a5 * f4;
    out[1] = a2 * f0 - a0 * f2 + a5 * f3 - a3 * f5;
    out[2] = a0 * f1 - a1 * f0 + a3 * f4 - a4 * f3;
    out[3] = a1 * f5 - a2 * f4;
    out[4] = a2 * f3 - a0 * f5;
    out[5] = a0 * f4 - a1 * f3;
}

/** A rigid body's inertia about the origin. */
typedef struct dt_inertia {
    double m, h[3], J[6];
} dt_inertia;

/** Whether there is no mass and no moment; of a body the mass alone tells, of what is lent (model/lend.h) it does not. */
static inline bool dt_inertia_is_zero(const dt_inertia *I)
{
    return I->m == 0 && I->J[0] == 0 && I->J[1] == 0 && I->J[2] == 0 && I->h[0] == 0 &&
           I->h[1] == 0 && I->h[2] == 0 && I->J[3] == 0 && I->J[4] == 0 && I->J[5] == 0;
}

/** out = I a (momentum of a velocity, force of an acceleration). */
static inline void dt_inertia_apply(double out[6], const dt_inertia *I, const double a[6])
{
    const double *h = I->h, *J = I->J;
    out[0] = J[0] * a[0] + J[3] * a[1] + J[4] * a[2] + h[1] * a[5] - h[2] * a[4];
    out[1] = J[3] * a[0] + J[1] * a[1] + J[5] * a[2] + h[2] * a[3] - h[0] * a[5];
    out[2] = J[4] * a[0] + J[5] * a[1] + J[2] * a[2] + h[0] * a[4] - h[1] * a[3];
    out[3] = I->m * a[3] - h[1] * a[2] + h[2] * a[1];
    out[4] = I->m * a[4] - h[2] * a[0] + h[0] * a[2];
    out[5] = I->m * a[5] - h[0] * a[1] + h[1] * a[0];
}

/** M (6x6 row-major) += I. */
static inline void dt_inertia_add_to(double M[36], const dt_inertia *I)
{
    const double *h = I->h, *J = I->J;
    M[0] += J[0], M[1] += J[3], M[2] += J[4];
    M[6] += J[3], M[7] += J[1], M[8] += J[5];
    M[12] += J[4], M[13] += J[5], M[14] += J[2];
    M[4] -= h[2], M[5] += h[1], M[9] += h[2], M[11] -= h[0], M[15] -= h[1], M[16] += h[0];
    M[24] -= h[2], M[30] += h[1], M[19] += h[2], M[31] -= h[0], M[20] -= h[1], M[26] += h[0];
    M[21] += I->m, M[28] += I->m, M[35] += I->m;
}

/** out = M a, M 6x6 row-major. */
static inline void dt_mul66(double out[6], const double M[36], const double a[6])
{
    for (int r = 0; r < 6; r++) {
        out[r] = dt_dot6(M + 6 * r, a);
    }
}

/**
 * A symmetric 6x6 matrix as 21 numbers: the upper triangle by rows, the diagonal at 0, 6, 11, 15,
 * 18, 20.
 */
#define DT_SYMMETRIC6 21

/** M = I, M symmetric. */
static inline void dt_symmetric6_inertia(double M[DT_SYMMETRIC6], const dt_inertia *I)
{
    const double *h = I->h, *J = I->J;
    M[0] = J[0], M[1] = J[3], M[2] = J[4], M[3] = 0, M[4] = -h[2], M[5] = h[1];
    M[6] = J[1], M[7] = J[5], M[8] = h[2], M[9] = 0, M[10] = -h[0];
    M[11] = J[2], M[12] = -h[1], M[13] = h[0], M[14] = 0;
    M[15] = I->m, M[16] = 0, M[17] = 0;
    M[18] = I->m, M[19] = 0;
    M[20] = I->m;
}

/** out += M. The last element stands alone: compilers take the others two at a time. */
static inline void dt_symmetric6_add(double out[DT_SYMMETRIC6], const double M[DT_SYMMETRIC6])
{
    for (int k = 0; k < DT_SYMMETRIC6 - 1; k++) {
        out[k] += M[k];
    }
    out[DT_SYMMETRIC6 - 1] += M[DT_SYMMETRIC6 - 1];
}

/** out = M a, M symmetric. */
static inline void dt_symmetric6_apply(double out[6], const double M[DT_SYMMETRIC6],
                                       const double a[6])
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5];
    out[0] = M[0] * a0 + M[1] * a1 + M[2] * a2 + M[3] * a3 + M[4] * a4 + M[5] * a5;
    out[1] = M[1] * a0 + M[6] * a1 + M[7] * a2 + M[8] * a3 + M[9] * a4 + M[10] * a5;
    out[2] = M[2] * a0 + M[7] * a1 + M[11] * a2 + M[12] * a3 + M[13] * a4 + M[14] * a5;
    out[3] = M[3] * a0 + M[8] * a1 + M[12] * a2 + M[15] * a3 + M[16] * a4 + M[17] * a5;
    out[4] = M[4] * a0 + M[9] * a1 + M[13] * a2 + M[16] * a3 + M[18] * a4 + M[19] * a5;
    out[5] = M[5] * a0 + M[10] * a1 + M[14] * a2 + M[17] * a3 + M[19] * a4 + M[20] * a5;
}

/** out -= D U U', out symmetric. Written out, for compilers that do not unroll triangles. */
static inline void dt_symmetric6_reduce(double out[DT_SYMMETRIC6], double D, const double U[6])
{
    const double d0 = D * U[0], d1 = D * U[1], d2 = D * U[2], d3 = D * U[3], d4 = D * U[4],
                 d5 = D * U[5];
    out[0] -= d0 * U[0], out[1] -= d0 * U[1], out[2] -= d0 * U[2], out[3] -= d0 * U[3],
        out[4] -= d0 * U[4], out[5] -= d0 * U[5];
    out[6] -= d1 * U[1], out[7] -= d1 * U[2], out[8] -= d1 * U[3], out[9] -= d1 * U[4],
        out[10] -= d1 * U[5];
    out[11] -= d2 * U[2], out[12] -= d2 * U[3], out[13] -= d2 * U[4], out[14] -= d2 * U[5];
    out[15] -= d3 * U[3], out[16] -= d3 * U[4], out[17] -= d3 * U[5];
    out[18] -= d4 * U[4], out[19] -= d4 * U[5];
    out[20] -= d5 * U[5];
}

#endif
