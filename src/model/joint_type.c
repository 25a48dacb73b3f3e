/* The pose of a primitive, with the unit axis a and the coordinate q:
 *
 *   revolute     R = cos q 1 + (1 - cos q) a a' + sin q [a]x      p = 0          S = (a, 0)
 *   prismatic    R = 1                                            p = q a        S = (0, a)
 *   spherical    R of the quaternion q = (w, u)                   p = 0          S = (1, 0), 6 x 3
 *                q' = 1/2 q o (0, v), v the angular velocity in follower components
 *   weld         R = 1                                            p = 0          none
 *
 * a has the same components in base and follower, so that the columns of S are constant in the follower. */

#include "model/joint_type.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <string.h>

static void set_identity(double R[9], double p[3])
{
    for (int k = 0; k < 9; k++) {
        R[k] = k % 4 == 0 ? 1.0 : 0.0;
    }
    p[0] = p[1] = p[2] = 0.0;
}

static void scalar_rate(const double *q, const double *v, double *q_rate)
{
    (void)q;
    q_rate[0] = v[0];
}

static void keep(double *q)
{
    (void)q;
}

static void revolute_pose(const double a[3], const double *q, double R[9], double p[3])
{
    const double half_s = sin(0.5 * q[0]), half_c = cos(0.5 * q[0]);
    const double h = 2.0 * half_s * half_s, s = 2.0 * half_s * half_c, c = 1.0 - h;
    R[0] = c + h * a[0] * a[0], R[1] = h * a[0] * a[1] - s * a[2],
    R[2] = h * a[0] * a[2] + s * a[1];
    R[3] = h * a[0] * a[1] + s * a[2], R[4] = c + h * a[1] * a[1],
    R[5] = h * a[1] * a[2] - s * a[0];
    R[6] = h * a[0] * a[2] - s * a[1], R[7] = h * a[1] * a[2] + s * a[0],
    R[8] = c + h * a[2] * a[2];
    p[0] = p[1] = p[2] = 0.0;
}

static void revolute_subspace(const double a[3], double S[][6])
{
    memcpy(S[0], a, 3 * sizeof *a);
    memset(S[0] + 3, 0, 3 * sizeof *a);
}

static void prismatic_pose(const double a[3], const double *q, double R[9], double p[3])
{
    set_identity(R, p);
    for (int k = 0; k < 3; k++) {
        p[k] = q[0] * a[k];
    }
}

static void prismatic_subspace(const double a[3], double S[][6])
{
    memset(S[0], 0, 3 * sizeof *a);
    memcpy(S[0] + 3, a, 3 * sizeof *a);
}

static void spherical_pose(const double a[3], const double *q, double R[9], double p[3])
{
    (void)a;
    dt_rotation_from_quaternion(R, q);
    p[0] = p[1] = p[2] = 0.0;
}

static void spherical_subspace(const double a[3], double S[][6])
{
    (void)a;
    for (int column = 0; column < 3; column++) {
        memset(S[column], 0, sizeof S[column]);
        S[column][column] = 1.0;
    }
}

static void spherical_rate(const double *q, const double *v, double *q_rate)
{
    q_rate[0] = 0.5 * (-q[1] * v[0] - q[2] * v[1] - q[3] * v[2]);
    q_rate[1] = 0.5 * (q[0] * v[0] + q[2] * v[2] - q[3] * v[1]);
    q_rate[2] = 0.5 * (q[0] * v[1] + q[3] * v[0] - q[1] * v[2]);
    q_rate[3] = 0.5 * (q[0] * v[2] + q[1] * v[1] - q[2] * v[0]);
}

static void spherical_normalize(double *q)
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) {
        q[k] /= length;
    }
}

static void weld_pose(const double a[3], const double *q, double R[9], double p[3])
{
    (void)a;
    (void)q;
    set_identity(R, p);
}

static void weld_subspace(const double a[3], double S[][6])
{
    (void)a;
    (void)S;
}

static void weld_rate(const double *q, const double *v, double *q_rate)
{
    (void)q;
    (void)v;
    (void)q_rate;
}

const dt_primitive_type dt_revolute = {
    "revolute", 'r', 1, 1, true, NULL, revolute_pose, revolute_subspace, scalar_rate, keep};
const dt_primitive_type dt_prismatic = {
    "prismatic", 'p', 1, 1, false, NULL, prismatic_pose, prismatic_subspace, scalar_rate, keep};
const dt_primitive_type dt_spherical = {"spherical",
                                        's',
                                        4,
                                        3,
                                        true,
                                        "a spherical primitive can have no stiction",
                                        spherical_pose,
                                        spherical_subspace,
                                        spherical_rate,
                                        spherical_normalize};
const dt_primitive_type dt_weld = {"weld",    'w',
                                   0,         0,
                                   false,     "a weld can have no stiction: it does not move",
                                   weld_pose, weld_subspace,
                                   weld_rate, keep};

const dt_primitive_type *const dt_primitive_types[DT_PRIMITIVE_TYPES] = {
    &dt_revolute, &dt_prismatic, &dt_spherical, &dt_weld};

#define X       \
    {           \
        1, 0, 0 \
    }
#define Y       \
    {           \
        0, 1, 0 \
    }
#define Z       \
    {           \
        0, 0, 1 \
    }

const dt_joint_type dt_joint_types[] = {
    {"revolute", "r", {Z}, true, true},
    {"prismatic", "p", {Z}, true, true},
    {"weld", "w", {Z}, false, false},
    {"universal", "rr", {X, Y}, false, true},
    {"cylindrical", "pr", {Z, Z}, true, true},
    {"planar", "ppr", {X, Y, Z}, false, true},
    {"gimbal", "rrr", {X, Y, Z}, false, true},
    {"bushing", "ppprrr", {X, Y, Z, X, Y, Z}, false, true},
    {"six-dof", "ppps", {X, Y, Z, Z}, false, true},
    {"spherical", "s", {Z}, false, true},
    {"free", "ppps", {X, Y, Z, Z}, false, false},
    {"custom", "", {Z, Z, Z, Z, Z, Z}, false, true},
    {0},
};

const dt_joint_type *dt_joint_type_find(const char *name)
{
    for (const dt_joint_type *type = dt_joint_types; type->name; type++) {
        if (strcmp(type->name, name) == 0) {
            return type;
        }
    }
    return NULL;
}

int dt_primitive_type_place(char letter)
{
    int place = 0;
    while (place < DT_PRIMITIVE_TYPES && dt_primitive_types[place]->letter != letter) {
        place++;
    }
    return place;
}

const dt_primitive_type *dt_primitive_type_find(char letter)
{
    const int place = dt_primitive_type_place(letter);
    return place < DT_PRIMITIVE_TYPES ? dt_primitive_types[place] : NULL;
}
