/* Masses and inertias of bodies that are put together. */

#include "import/robot.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Adds factor (d.d 1 - d d'), the moment of a mass at d. */
static void add_point(double inertia[6], double mass, const double d[3])
{
    const double square = dt_dot3(d, d);
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        inertia[k] += mass * ((k < 3 ? square : 0) - d[row[k]] * d[column[k]]);
    }
}

void dt_robot_weight_add(dt_robot_weight *sum, const dt_robot_weight *more, const dt_frame *at)
{
    double center[3], turned[6], apart[2][3];
    const double mass = sum->mass + more->mass;
    if (more->mass == 0) {
        return;
    }
    const bool is_first = sum->mass == 0; /* keeps its digits */
    dt_rotate(center, at->R, more->center);
    dt_rotate_tensor(turned, at->R, more->inertia);
    for (int k = 0; k < 3; k++) {
        center[k] += at->p[k];
        const double common = mass > 0 && !is_first
                                  ? (sum->mass * sum->center[k] + more->mass * center[k]) / mass
                                  : center[k];
        apart[0][k] = sum->center[k] - common;
        apart[1][k] = center[k] - common;
        sum->center[k] = common;
    }
    for (int k = 0; k < 6; k++) {
        sum->inertia[k] += turned[k];
    }
    if (!is_first) {
        add_point(sum->inertia, sum->mass, apart[0]);
        add_point(sum->inertia, more->mass, apart[1]);
    }
    sum->mass = mass;
}

/* Turns a symmetric matrix into its principal axes, which become the columns of R, a pair of axes after the other (Jacobi). */
static void find_axes(double a[9], double R[9])
{
    memcpy(R, dt_frame_none.R, sizeof dt_frame_none.R);
    for (int sweep = 0; sweep < 30; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (a[3 * p + q] == 0) {
                    continue;
                }
                const double theta = 0.5 * (a[4 * q] - a[4 * p]) / a[3 * p + q],
                             t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(1, theta)),
                             c = 1 / hypot(1, t), s = t * c;
                double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, back[9], all[9];
                turn[4 * p] = turn[4 * q] = c;
                turn[3 * p + q] = s;
                turn[3 * q + p] = -s;
                for (int k = 0; k < 9; k++) {
                    back[k] = turn[3 * (k % 3) + k / 3];
                }
                dt_mul33(all, a, turn);
                dt_mul33(a, back, all);
                dt_mul33(all, R, turn);
                memcpy(R, all, sizeof all);
                a[3 * p + q] = a[3 * q + p] = 0;
            }
        }
    }
}

void dt_robot_weight_bound(dt_robot_weight *weight, double least_mass, double least_moment)
{
    double moment[3], R[9];
    weight->mass = fmax(weight->mass, least_mass);
    dt_tensor_eigenvalues(moment, weight->inertia);
    if (weight->mass == 0 || moment[0] >= least_moment) {
        return;
    }
    const double *I = weight->inertia;
    double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double raised[6] = {0};
    find_axes(full, R);
    for (int k = 0; k < 3; k++) {
        raised[k] = fmax(full[4 * k], least_moment);
    }
    dt_rotate_tensor(weight->inertia, R, raised);
}
