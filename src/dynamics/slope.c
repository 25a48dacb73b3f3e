#include "dynamics/slope.h"

bool dt_variable_is_reading(dt_variable variable)
{
    return variable.kind >= DT_VARIABLE_POSITION && variable.kind <= DT_VARIABLE_NORMAL_FORCE;
}

/** Adds scale * (unit force change along u) . */
static void add_force(double scale, const double u[3], dt_slope *slope)
{
    for (int k = 0; k < 3; k++) {
        slope->F[3 + k] += scale * u[k];
    }
}

/** Adds scale * u . (moment about the node's origin): u . n - (u x r) . f */
static void add_torque(double scale, const double u[3], const double r[3], dt_slope *slope)
{
    double arm[3];
    dt_cross3(arm, u, r);
    for (int k = 0; k < 3; k++) {
        slope->F[k] += scale * u[k];
    }
    add_force(-scale, arm, slope);
}

/** out = a / |a|, or zero at zero, where the norm has no slope. */
static void unit(const double a[3], double out[3])
{
    double norm = dt_norm3(a);
    for (int k = 0; k < 3; k++) {
        out[k] = norm > 0 ? a[k] / norm : 0;
    }
}

/** a less its part along a unit vector. */
static void remove_along(const double axis[3], double a[3])
{
    const double along = dt_dot3(axis, a);
    for (int k = 0; k < 3; k++) {
        a[k] -= along * axis[k];
    }
}

static void add_reaction(const dt_system *s, dt_variable variable, double scale, dt_slope *slope)
{
    const int i = dt_system_place(s, variable.index);
    const double *R = s->motion[i].R;
    double force[3], torque[3], r[3], u[3], axis[3];
    dt_system_reaction(s, i, force, torque);
    for (int k = 0; k < 3; k++) {
        r[k] = s->motion[i].p[k] - s->origin[k];
    }
    if (variable.kind == DT_VARIABLE_REACTION_FORCE) {
        unit(force, u);
        add_force(scale, u, slope);
    } else if (variable.kind == DT_VARIABLE_REACTION_TORQUE) {
        unit(torque, u);
        add_torque(scale, u, r, slope);
    } else if (variable.kind == DT_VARIABLE_NORMAL_FORCE) {
        dt_rotate(axis, R, s->tree->nodes[i].axis);
        remove_along(axis, force);
        unit(force, u);
        /* again: of a force along the axis only rounding is left, in any direction */
        remove_along(axis, u);
        add_force(scale, u, slope);
    } else {
        bool is_torque = variable.kind >= DT_VARIABLE_REACTION_TORQUE_X;
        int c = (int)variable.kind -
                (int)(is_torque ? DT_VARIABLE_REACTION_TORQUE_X : DT_VARIABLE_REACTION_FORCE_X);
        for (int k = 0; k < 3; k++) {
            u[k] = R[3 * k + c];
        }
        if (is_torque) {
            add_torque(scale, u, r, slope);
        } else {
            add_force(scale, u, slope);
        }
    }
}

/** Adds scale * (S'F + J a - f) of node i. */
static void add_own_force(const dt_system *s, int i, double scale, dt_slope *slope)
{
    dt_axpy6(slope->F, scale, s->motion[i].S[0]);
    slope->a += scale * s->tree->nodes[i].armature;
    if (s->mechanism->primitives[i].stiction >= 0) {
        slope->f -= scale;
    }
}

void dt_slope_add(const dt_system *s, dt_variable variable, double scale, dt_slope *slope)
{
    if (!dt_variable_is_reading(variable) || scale == 0) {
        return;
    }
    switch (variable.kind) {
    case DT_VARIABLE_POSITION:
        slope->q += scale;
        break;
    case DT_VARIABLE_VELOCITY:
        slope->v += scale;
        break;
    case DT_VARIABLE_ACCELERATION:
        slope->a += scale;
        break;
    case DT_VARIABLE_FRICTION:
        slope->f += scale;
        break;
    case DT_VARIABLE_FORCE:
        add_own_force(s, dt_system_place(s, variable.index), scale, slope);
        break;
    default:
        add_reaction(s, variable, scale, slope);
    }
}
