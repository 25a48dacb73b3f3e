#include "math/rotation_vector.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <stdbool.h>

/* 1 - x cot x = sum of these times x^2, x^4, ...: all that counts where x is less than SMALL. */
static const double cot_series[] = {1.0 / 3,     1.0 / 45,           2.0 / 945,     1.0 / 4725,
                                    2.0 / 93555, 1382.0 / 638512875, 4.0 / 18243225};
static const double pi = 3.14159265358979323846;
enum { COT_TERMS = sizeof cot_series / sizeof *cot_series };
static const double SMALL = 0.25;

/* Of the two vectors of a turn the one beyond pi, where it is the nearer one to another. */
static bool is_beyond(const double phi[3], const double near[3])
{
    return dt_dot3(phi, near) < 0 && dt_norm3(phi) + dt_norm3(near) > pi;
}

void dt_turn_of(const double R[9], const double near[3], dt_turn *turn)
{
    double q[4];
    dt_quaternion_from_rotation(q, R);
    const double sine = dt_norm3(q + 1);
    double x = atan2(sine, q[0]);
    for (int k = 0; k < 3; k++) {
        turn->phi[k] = (sine > 0 ? 2 * x / sine : 2) * q[1 + k];
    }
    if (near && is_beyond(turn->phi, near)) {
        x -= pi;
    }
    const double square = x * x;
    for (int k = 0; k < 3; k++) {
        turn->phi[k] = (sine > 0 ? 2 * x / sine : 2) * q[1 + k];
    }
    if (fabs(x) < SMALL) {
        double gamma = 0, by_phi = 0;
        for (int n = COT_TERMS; n > 0; n--) {
            gamma = gamma * square + cot_series[n - 1];
            by_phi = n > 1 ? by_phi * square + (2 * n - 2) * cot_series[n - 1] : by_phi;
        }
        turn->gamma = gamma / 4;
        turn->by_phi = by_phi / 16;
        return;
    }
    const double c = x / tan(x), s = x / sin(x);
    turn->gamma = (1 - c) / (4 * square);
    turn->by_phi = (s * s + c - 2) / (16 * square * square);
}

/* u + sign/2 phi x u + gamma phi x (phi x u) */
static void apply(const dt_turn *turn, double sign, const double u[3], double out[3])
{
    double once[3];
    dt_cross3(once, turn->phi, u);
    for (int k = 0; k < 3; k++) {
        out[k] = u[k] + 0.5 * sign * once[k];
    }
    dt_add_cross3(out, turn->gamma, turn->phi, once);
}

void dt_turn_rate(const dt_turn *turn, const double omega[3], double rate[3])
{
    apply(turn, -1, omega, rate);
}

void dt_turn_torque(const dt_turn *turn, const double u[3], double torque[3])
{
    apply(turn, 1, u, torque);
}

void dt_turn_torque_change(const dt_turn *turn, const double u[3], const double dphi[3],
                           const double du[3], double change[3])
{
    double once[3], donce[3];
    dt_cross3(once, turn->phi, u);
    dt_cross3(donce, dphi, u);
    dt_add_cross3(donce, 1, turn->phi, du);
    for (int k = 0; k < 3; k++) {
        change[k] = du[k] + 0.5 * donce[k];
    }
    dt_add_cross3(change, turn->by_phi * dt_dot3(turn->phi, dphi), turn->phi, once);
    dt_add_cross3(change, turn->gamma, dphi, once);
    dt_add_cross3(change, turn->gamma, turn->phi, donce);
}
