/* Rotations: quaternions, matrices, axes and angles, tensors. */

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/builder.h"
#include "model/mechanism.h"

#include <stdio.h>
#include <string.h>

#include "test_model_support.h"

/* --- Rotations ------------------------------------------------------------------------------- */

static void quaternions_and_matrices_agree(void **state)
{
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        double q[4], back[4], R[9], RT[9], one[9];
        random_unit(q, 4);
        dt_rotation_from_quaternion(R, q);
        for (int k = 0; k < 9; k++) {
            RT[k] = R[3 * (k % 3) + k / 3];
        }
        dt_mul33(one, R, RT);
        assert_vector(one, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9, 1e-14);
        dt_quaternion_from_rotation(back, R);
        double sign = back[0] * q[0] < 0 ? -1 : 1;
        for (int k = 0; k < 4; k++) {
            assert_near(sign * back[k], q[k], 1e-14);
        }
    }
}

static void axis_and_rpy_turn_as_they_say(void **state)
{
    (void)state;
    double q[4], R[9], out[3];
    dt_quaternion_from_axis(q, (double[]){0, 0, 2}, acos(0.0));
    dt_rotation_from_quaternion(R, q);
    dt_rotate(out, R, (double[]){1, 0, 0});
    assert_vector(out, (double[]){0, 1, 0}, 3, 1e-15);

    /* R = Rz(yaw) Ry(pitch) Rx(roll) */
    const double rpy[3] = {0.3, -0.7, 1.9};
    double part[3][9], half[9], whole[9];
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0};
        axis[k] = 1;
        dt_quaternion_from_axis(q, axis, rpy[k]);
        dt_rotation_from_quaternion(part[k], q);
    }
    dt_mul33(half, part[2], part[1]);
    dt_mul33(whole, half, part[0]);
    dt_quaternion_from_rpy(q, rpy);
    dt_rotation_from_quaternion(R, q);
    assert_vector(R, whole, 9, 1e-15);
}

static void tensors_keep_their_eigenvalues(void **state)
{
    (void)state;
    for (int trial = 0; trial < 100; trial++) {
        const double J[6] = {2 + chance(), 5 + chance(), 9 + chance()};
        double q[4], R[9], turned[6], eigenvalues[3];
        random_unit(q, 4);
        dt_rotation_from_quaternion(R, q);
        dt_rotate_tensor(turned, R, J);
        dt_tensor_eigenvalues(eigenvalues, turned);
        assert_vector(eigenvalues, J, 3, 1e-13);
    }
    double eigenvalues[3];
    dt_tensor_eigenvalues(eigenvalues, (double[]){1, 1, 1, 1, 1, 1});
    assert_vector(eigenvalues, (double[]){0, 0, 3}, 3, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternions_and_matrices_agree),
        cmocka_unit_test(axis_and_rpy_turn_as_they_say),
        cmocka_unit_test(tensors_keep_their_eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
