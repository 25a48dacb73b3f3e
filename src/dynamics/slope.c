#include "dynamics/slope.h"
#include "dynamics/arm.h"
#include "dynamics/bearing.h"
#include "dynamics/force_size.h"

/* Adds scale * (unit force change along u) . */
static void add_force(double scale, const double u[3], dt_slope *slope)
{
    for (int k = 0; k < 3; k++) {
        slope->F[3 + k] += scale * u[k];
    }
}

/* Adds scale * u . (moment about the node's origin): u . n - (u x r) . f */
static void add_torque(double scale, const double u[3], const double r[3], dt_slope *slope)
{
    double arm[3];
    dt_cross3(arm, u, r);
    for (int k = 0; k < 3; k++) {
        slope->F[k] += scale * u[k];
    }
    add_force(-scale, arm, slope);
}

/* out = a / |a|, or zero at zero, where the norm has no slope. */
static void unit(const double a[3], double out[3])
{
    double norm = dt_norm3(a);
    for (int k = 0; k < 3; k++) {
        out[k] = norm > 0 ? a[k] / norm : 0;
    }
}

/* a less its part along a unit vector. */
static void remove_along(const double axis[3], double a[3])
{
    const double along = dt_dot3(axis, a);
    for (int k = 0; k < 3; k++) {
        a[k] -= along * axis[k];
    }
}

/* ---- slopes: of node i ---- */

typedef void (*slope_of)(const dt_system *s, int i, int part, double scale, dt_slope *slope);

static void slope_position(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    (void)s, (void)i, (void)part;
    slope->q += scale;
}

static void slope_velocity(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    (void)s, (void)i, (void)part;
    slope->v += scale;
}

static void slope_acceleration(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    (void)s, (void)i, (void)part;
    slope->a += scale;
}

static void slope_friction(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    const int k = s->mechanism->primitives[i].stiction;
    if (k >= 0 && dt_system_stop_presses(s, k) == (part == 1)) {
        slope->f += scale;
    }
}

/* S'F + J a - f */
static void slope_force(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    (void)part;
    if (!dt_system_has_force(s, i)) {
        return;
    }
    dt_axpy6(slope->F, scale, s->motion[i].S[0]);
    slope->a += scale * s->tree->nodes[i].armature;
    if (s->mechanism->primitives[i].stiction >= 0) {
        slope->f -= scale;
    }
}

static void slope_reaction_norm(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    double force[3], torque[3], r[3], u[3];
    dt_system_reaction(s, i, force, torque);
    dt_arm(s, i, r);
    if (dt_norm_is_nothing(s, i, part != 0, dt_norm3(part == 0 ? force : torque))) {
        return;
    }
    if (part == 0) {
        unit(force, u);
        add_force(scale, u, slope);
    } else {
        unit(torque, u);
        add_torque(scale, u, r, slope);
    }
}

static void slope_reaction_part(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    const double *R = s->motion[i].R;
    const double u[3] = {R[part % 3], R[3 + part % 3], R[6 + part % 3]};
    double r[3];
    dt_arm(s, i, r);
    if (part < 3) {
        add_force(scale, u, slope);
    } else {
        add_torque(scale, u, r, slope);
    }
}

static void slope_normal_force(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    double force[3], torque[3], u[3], axis[3];
    (void)part;
    dt_system_reaction(s, i, force, torque);
    dt_rotate(axis, s->motion[i].R, s->tree->nodes[i].frame->axis);
    remove_along(axis, force);
    if (dt_norm_is_nothing(s, i, false, dt_norm3(force))) {
        return;
    }
    unit(force, u);
    /* again: of a force along the axis only rounding is left, in any direction */
    remove_along(axis, u);
    add_force(scale, u, slope);
}

static void slope_bearing(const dt_system *s, int i, int part, double scale, dt_slope *slope)
{
    double force[3], torque[3];
    dt_system_reaction(s, i, force, torque);
    dt_bearing_slope(s, i, part, force, torque, scale, slope);
}

/* what goes with the state and the forces of no joint */
#define slope_time           NULL
#define slope_input          NULL
#define slope_direction      NULL
#define slope_mode           NULL
#define slope_delayed        NULL
#define slope_rest_time      NULL
#define slope_point          NULL
#define slope_rotation       NULL
#define slope_rpy            NULL
#define slope_quaternion     NULL
#define slope_kinetic        NULL
#define slope_potential      NULL
#define slope_body_kinetic   NULL
#define slope_body_potential NULL
#define slope_account        NULL
#define slope_open           NULL
#define slope_tie_open       NULL
#define slope_state          NULL
#define slope_tension        NULL
#define slope_multiplier     NULL
#define slope_item           NULL

static const struct {
    slope_of add;
    int part;
} slopes[DT_VARIABLE_KINDS] = {
#define SLOPE(kind, function, component, measure, subject, traits, family, part) \
    [DT_VARIABLE_##kind] = {slope_##family, part},
    DT_VARIABLE_TABLE(SLOPE)
#undef SLOPE
};

void dt_slope_add(const dt_system *s, dt_variable variable, double scale, dt_slope *slope)
{
    if (slopes[variable.kind].add && scale != 0) {
        slopes[variable.kind].add(s, dt_system_place(s, variable.index), slopes[variable.kind].part,
                                  scale, slope);
    }
}

double dt_reading_reach(const dt_system *s, dt_variable variable, double force, double moment)
{
    return dt_variable_is(variable, DT_OF_ENDS)
               ? dt_bearing_reach(s, dt_system_place(s, variable.index), slopes[variable.kind].part,
                                  force, moment)
           : dt_variable_is(variable, DT_OF_MOMENT) ? moment
                                                    : force;
}
