/*
 * Steps along the curve, and roots in their length: where a component of the tangent, or what a coordinate has left to a value, goes
 * through zero. By the Illinois method, whose every fourth step halves.
 */
#include "analysis/range_parts.h"

void dt_range_look(sweep *w, dt_pose_curve_point *point)
{
    dt_transmissions_find(&w->transmissions, point->t, w->driven, point->sine);
}

bool dt_range_step(sweep *w, const dt_pose_curve_point *from, double h, dt_pose_curve_point *to)
{
    const bool good = dt_pose_curve_step(&w->curve, from, h, to);
    if (good) {
        dt_range_look(w, to);
    }
    return good;
}

double dt_range_find_root(sweep *w, const dt_pose_curve_point *from, double h, double low,
                          double high, const goal *g)
{
    static const double precision = 4e-16;
    double a = 0, b = h, at = h;
    int side = 0;
    for (int k = 0; k < 100 && b - a > precision * h; k++) {
        const double share = k % 4 == 3 ? 0.5 : low / (low - high);
        at = a + share * (b - a);
        if (!dt_pose_curve_step(&w->curve, from, at, &w->trial)) {
            break;
        }
        const double value = dt_range_miss(g, &w->trial);
        if (value == 0) {
            return at;
        }
        if ((value > 0) == (high > 0)) {
            b = at;
            high = value;
            low *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            a = at;
            low = value;
            high *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    return at;
}
