/* Masses and inertias of bodies that are raised to a least one. */

#include "import/robot.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

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

void dt_robot_weight_bound(dt_mass *weight, double least_mass, double least_moment)
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
