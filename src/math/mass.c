#include "math/mass.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <stdbool.h>

/* Adds mass (d.d 1 - d d'), the moment of a mass at d. */
static void add_point(double inertia[6], double mass, const double d[3])
{
    const double square = dt_dot3(d, d);
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        inertia[k] += mass * ((k < 3 ? square : 0) - d[row[k]] * d[column[k]]);
    }
}

void dt_mass_add(dt_mass *sum, const dt_mass *more, const double R[9], const double p[3])
{
    double center[3], turned[6], apart[2][3];
    const double mass = sum->mass + more->mass;
    if (more->mass == 0) {
        return;
    }
    const bool is_first = sum->mass == 0;
    dt_rotate(center, R, more->com);
    dt_rotate_tensor(turned, R, more->inertia);
    for (int k = 0; k < 3; k++) {
        center[k] += p[k];
        const double common = mass > 0 && !is_first
                                  ? (sum->mass * sum->com[k] + more->mass * center[k]) / mass
                                  : center[k];
        apart[0][k] = sum->com[k] - common;
        apart[1][k] = center[k] - common;
        sum->com[k] = common;
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
