#include "math/rotation.h"

#include "math/vec3.h"

#include <float.h>

void dt_rotation_from_quaternion(double R[9], const double q[4])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double s = 2.0 / (w * w + x * x + y * y + z * z);
    R[0] = 1.0 - s * (y * y + z * z), R[1] = s * (x * y - w * z), R[2] = s * (x * z + w * y);
    R[3] = s * (x * y + w * z), R[4] = 1.0 - s * (x * x + z * z), R[5] = s * (y * z - w * x);
    R[6] = s * (x * z - w * y), R[7] = s * (y * z + w * x), R[8] = 1.0 - s * (x * x + y * y);
}

void dt_quaternion_from_axis(double q[4], const double axis[3], double angle)
{
    double s = sin(0.5 * angle) / dt_norm3(axis);
    q[0] = cos(0.5 * angle);
    for (int k = 0; k < 3; k++) {
        q[1 + k] = s * axis[k];
    }
}

void dt_quaternion_from_rpy(double q[4], const double rpy[3])
{
    double cr = cos(0.5 * rpy[0]), sr = sin(0.5 * rpy[0]);
    double cp = cos(0.5 * rpy[1]), sp = sin(0.5 * rpy[1]);
    double cy = cos(0.5 * rpy[2]), sy = sin(0.5 * rpy[2]);
    q[0] = cy * cp * cr + sy * sp * sr;
    q[1] = cy * cp * sr - sy * sp * cr;
    q[2] = cy * sp * cr + sy * cp * sr;
    q[3] = sy * cp * cr - cy * sp * sr;
}

void dt_rpy_from_rotation(double rpy[3], const double R[9])
{
    const double level = hypot(R[0], R[3]);
    rpy[1] = atan2(-R[6], level);
    if (level <= 4 * DBL_EPSILON) { /* the rounding of an entry */
        rpy[0] = 0;
        rpy[2] = atan2(-R[1], R[4]);
    } else {
        rpy[0] = atan2(R[7], R[8]);
        rpy[2] = atan2(R[3], R[0]);
    }
}

/* Starts from the largest of w, x, y, z, so that nothing small is divided by (Shepperd, 1978). */
void dt_quaternion_from_rotation(double q[4], const double R[9])
{
    double trace = R[0] + R[4] + R[8];
    int largest = 0;
    for (int k = 1; k < 4; k++) {
        double best = largest == 0 ? trace : R[4 * (largest - 1)];
        largest = R[4 * (k - 1)] > best ? k : largest;
    }
    if (largest == 0) {
        double w = 0.5 * sqrt(1.0 + trace), s = 0.25 / w;
        q[0] = w, q[1] = s * (R[7] - R[5]), q[2] = s * (R[2] - R[6]), q[3] = s * (R[3] - R[1]);
        return;
    }
    int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    double a = 0.5 * sqrt(1.0 + R[4 * i] - R[4 * j] - R[4 * k]), s = 0.25 / a;
    double w = s * (R[3 * k + j] - R[3 * j + k]);
    double sign = w < 0.0 ? -1.0 : 1.0;
    q[0] = sign * w;
    q[1 + i] = sign * a;
    q[1 + j] = sign * s * (R[3 * i + j] + R[3 * j + i]);
    q[1 + k] = sign * s * (R[3 * i + k] + R[3 * k + i]);
}

void dt_rotate_tensor(double out[6], const double R[9], const double J[6])
{
    const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    double half[9];
    dt_mul33(half, R, full);
    out[0] = dt_dot3(half, R);
    out[1] = dt_dot3(half + 3, R + 3);
    out[2] = dt_dot3(half + 6, R + 6);
    out[3] = dt_dot3(half, R + 3);
    out[4] = dt_dot3(half, R + 6);
    out[5] = dt_dot3(half + 3, R + 6);
}

static void swap_if_greater(double *a, double *b)
{
    if (*a > *b) {
        double c = *a;
        *a = *b;
        *b = c;
    }
}

/* Jacobi's rotations: a 3x3 matrix is diagonal to the last bit after a handful of sweeps. */
void dt_tensor_eigenvalues(double out[3], const double J[6])
{
    double A[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    for (int sweep = 0; sweep < 32; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (A[p][q] == 0.0) {
                    continue;
                }
                int r = 3 - p - q;
                double theta = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
                double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + hypot(1.0, theta));
                double c = 1.0 / hypot(1.0, t), s = t * c;
                double arp = A[r][p], arq = A[r][q], apq = A[p][q];
                A[p][p] -= t * apq;
                A[q][q] += t * apq;
                A[p][q] = A[q][p] = 0.0;
                A[r][p] = A[p][r] = c * arp - s * arq;
                A[r][q] = A[q][r] = s * arp + c * arq;
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        out[k] = A[k][k];
    }
    swap_if_greater(&out[0], &out[1]);
    swap_if_greater(&out[1], &out[2]);
    swap_if_greater(&out[0], &out[1]);
}
