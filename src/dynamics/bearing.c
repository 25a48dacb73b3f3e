#include "dynamics/bearing.h"
#include "dynamics/arm.h"
#include "dynamics/force_size.h"
#include "math/vec3.h"

#include <math.h>

/* One end: its force is `share` F' + `lever` T x a. */
typedef struct bearing_end {
    double share, lever; /* lever: 1/m */
    double drift;        /* d share / dq, 1/m or 1/rad */
    double force[3];
} bearing_end;

typedef struct bearing {
    double axis[3], along; /* a in the world, a . F */
    bearing_end end[2];
} bearing;

static const detent_bearing *given(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    return k < 0 ? NULL : s->mechanism->stictions[k].friction->bearing;
}

/* What its ends have of force and moment. */
static void divide(const dt_system *s, int i, bearing *of)
{
    const detent_bearing *b = given(s, i);
    const double lever = b && b->length > 0 ? 1 / b->length : 0;
    const bool stays = b && b->fixed_to == DETENT_FIXED_TO_BASE;
    const double middle = b ? b->center - (stays ? s->q[s->tree->nodes[i].q] : 0) : 0;
    for (int e = 0; e < 2; e++) {
        const int sign = e == 0 ? 1 : -1;
        of->end[e].share = 0.5 - sign * middle * lever;
        of->end[e].lever = sign * lever;
        of->end[e].drift = stays ? sign * lever : 0;
    }
}

static void across(const double axis[3], double v[3])
{
    const double along = dt_dot3(axis, v);
    for (int k = 0; k < 3; k++) {
        v[k] -= along * axis[k];
    }
}

/* share F' + lever T x a */
static void combine(const bearing_end *end, const double axis[3], const double force[3],
                    const double moment[3], double out[3])
{
    double turned[3];
    dt_cross3(turned, moment, axis);
    for (int k = 0; k < 3; k++) {
        out[k] = end->share * force[k] + end->lever * turned[k];
    }
    across(axis, out);
}

static void measure(const dt_system *s, int i, const double force[3], const double moment[3],
                    bearing *of)
{
    dt_rotate(of->axis, s->motion[i].R, s->tree->nodes[i].frame->axis);
    of->along = dt_dot3(of->axis, force);
    divide(s, i, of);
    for (int e = 0; e < 2; e++) {
        combine(&of->end[e], of->axis, force, moment, of->end[e].force);
    }
}

double dt_bearing_value(const dt_system *s, int i, int part, const double force[3],
                        const double moment[3])
{
    bearing of;
    measure(s, i, force, moment, &of);
    return part == DT_BEARING_THRUST ? fabs(of.along)
                                     : dt_norm3(of.end[0].force) + dt_norm3(of.end[1].force);
}

/* out = the direction of an end's force; false where it has none. */
static bool direction(const dt_system *s, int i, const bearing *of, const bearing_end *end,
                      double out[3])
{
    const double norm = dt_norm3(end->force);
    if (!(norm > 0) || dt_sum_is_nothing(s, i, fabs(end->share), fabs(end->lever), norm)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = end->force[k] / norm;
    }
    across(of->axis, out); /* of a force along the axis only rounding is left, in any direction */
    return true;
}

/* The sign of the thrust; 0 where that is nothing. */
static double thrust_sign(const dt_system *s, int i, const bearing *of)
{
    const bool none = of->along == 0 || dt_sum_is_nothing(s, i, 1, 0, fabs(of->along));
    return none ? 0 : copysign(1, of->along);
}

/* F += scale * (derivative of u . force + m . moment about the node's origin) */
static void add_wrench(const dt_system *s, int i, double scale, const double u[3],
                       const double m[3], dt_slope *slope)
{
    double r[3], arm[3];
    dt_arm(s, i, r);
    dt_cross3(arm, m, r);
    for (int k = 0; k < 3; k++) {
        slope->F[k] += scale * m[k];
        slope->F[3 + k] += scale * (u[k] - arm[k]);
    }
}

void dt_bearing_slope(const dt_system *s, int i, int part, const double force[3],
                      const double moment[3], double scale, dt_slope *slope)
{
    static const double none[3];
    bearing of;
    double u[3], m[3];
    measure(s, i, force, moment, &of);
    if (part == DT_BEARING_THRUST) {
        add_wrench(s, i, scale * thrust_sign(s, i, &of), of.axis, none, slope);
        return;
    }
    for (int e = 0; e < 2; e++) {
        const bearing_end *end = &of.end[e];
        if (!direction(s, i, &of, end, u)) {
            continue;
        }
        slope->q += scale * end->drift * dt_dot3(u, force);
        dt_cross3(m, of.axis, u); /* u . (dT x a) = dT . (a x u) */
        for (int k = 0; k < 3; k++) {
            u[k] *= end->share;
            m[k] *= end->lever;
        }
        add_wrench(s, i, scale, u, m, slope);
    }
}

double dt_bearing_change(const dt_tangent *t, const dt_system *s, int i, int part,
                         const double force[3], const double moment[3], const double dforce[3],
                         const double dmoment[3])
{
    bearing of;
    double daxis[3], u[3], turned[3], sum = 0;
    measure(s, i, force, moment, &of);
    dt_cross3(daxis, t->x[i], of.axis);
    if (part == DT_BEARING_THRUST) {
        return thrust_sign(s, i, &of) * (dt_dot3(of.axis, dforce) + dt_dot3(daxis, force));
    }
    for (int e = 0; e < 2; e++) {
        const bearing_end *end = &of.end[e];
        if (!direction(s, i, &of, end, u)) {
            continue;
        }
        /* u . d(share F' + lever T x a); u is across the axis, u . F' = u . F and u . a = 0 */
        sum += end->share * (dt_dot3(u, dforce) - of.along * dt_dot3(u, daxis)) +
               end->drift * t->dphi[s->tree->nodes[i].v] * dt_dot3(u, force);
        dt_cross3(turned, dmoment, of.axis);
        sum += end->lever * dt_dot3(u, turned);
        dt_cross3(turned, moment, daxis);
        sum += end->lever * dt_dot3(u, turned);
    }
    return sum;
}

double dt_bearing_reach(const dt_system *s, int i, int part, double force, double moment)
{
    bearing of;
    divide(s, i, &of);
    return part == DT_BEARING_THRUST ? force
                                     : (fabs(of.end[0].share) + fabs(of.end[1].share)) * force +
                                           2 * fabs(of.end[0].lever) * moment;
}
