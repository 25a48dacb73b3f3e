/* Places and orientations. */

#include "import/mjcf.h"

#include "math/rotation.h"
#include "math/vec3.h"

static bool normalize(double a[3])
{
    const double length = dt_norm3(a);
    for (int k = 0; k < 3 && length > 0; k++) {
        a[k] /= length;
    }
    return length > 0;
}

static bool turn_quaternion(const dt_mjcf *m, const double *value, double R[9])
{
    (void)m;
    const bool good = dt_dot3(value, value) + value[3] * value[3] > 0;
    if (good) {
        dt_rotation_from_quaternion(R, value);
    }
    return good;
}

static bool turn_axis(const dt_mjcf *m, const double *value, double R[9])
{
    double q[4];
    const bool good = dt_norm3(value) > 0;
    if (good) {
        dt_quaternion_from_axis(q, value, value[3] * m->angle);
        dt_rotation_from_quaternion(R, q);
    }
    return good;
}

/* The x axis, and one that is made across it. */
static bool turn_axes(const dt_mjcf *m, const double *value, double R[9])
{
    (void)m;
    double x[3], y[3], z[3];
    memcpy(x, value, sizeof x);
    memcpy(y, value + 3, sizeof y);
    bool good = normalize(x);
    const double along = dt_dot3(x, y);
    for (int k = 0; k < 3; k++) {
        y[k] -= along * x[k];
    }
    good = good && normalize(y);
    dt_cross3(z, x, y);
    for (int k = 0; k < 3; k++) {
        R[3 * k] = x[k];
        R[3 * k + 1] = y[k];
        R[3 * k + 2] = z[k];
    }
    return good;
}

/* The smallest turn of z to there. */
static bool turn_z(const dt_mjcf *m, const double *value, double R[9])
{
    (void)m;
    static const double up[3] = {0, 0, 1}, across[3] = {1, 0, 0};
    double to[3], axis[3], q[4];
    memcpy(to, value, sizeof to);
    const bool good = normalize(to);
    dt_cross3(axis, up, to);
    const double sine = dt_norm3(axis);
    dt_quaternion_from_axis(q, sine > 0 ? axis : across, atan2(sine, to[2]));
    dt_rotation_from_quaternion(R, q);
    return good;
}

static bool turn_euler(const dt_mjcf *m, const double *value, double R[9])
{
    memcpy(R, dt_frame_none.R, sizeof dt_frame_none.R);
    for (int k = 0; k < 3; k++) {
        const bool is_fixed = m->euler[k] < 'a';
        const int at = m->euler[k] - (is_fixed ? 'X' : 'x');
        double axis[3] = {0}, q[4], turn[9], all[9];
        axis[at] = 1;
        dt_quaternion_from_axis(q, axis, value[k] * m->angle);
        dt_rotation_from_quaternion(turn, q);
        dt_mul33(all, is_fixed ? turn : R, is_fixed ? R : turn);
        memcpy(R, all, sizeof all);
    }
    return true;
}

static const struct {
    const char *attribute;
    int count;
    bool (*turn)(const dt_mjcf *, const double *, double R[9]);
} orientations[] = {{"quat", 4, turn_quaternion},
                    {"axisangle", 4, turn_axis},
                    {"xyaxes", 6, turn_axes},
                    {"zaxis", 3, turn_z},
                    {"euler", 3, turn_euler}};

detent_status dt_mjcf_frame(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                            dt_frame *frame)
{
    *frame = dt_frame_none;
    detent_status status = dt_mjcf_vector(m, element, childclass, "pos", 3, frame->p, NULL);
    int told = 0;
    for (size_t k = 0; k < sizeof orientations / sizeof *orientations && !status; k++) {
        double value[6];
        bool found;
        status = dt_mjcf_vector(m, element, childclass, orientations[k].attribute,
                                orientations[k].count, value, &found);
        if (status || !found) {
            continue;
        }
        if (++told > 1) {
            return dt_mjcf_fail(m, element, "the orientation is said twice");
        }
        if (!orientations[k].turn(m, value, frame->R)) {
            return dt_mjcf_fail(m, element, "the orientation is zero");
        }
    }
    return status;
}
