/*
 * What expressions and callers can read of a system.
 */
#include "dynamics/arm.h"
#include "dynamics/bearing.h"
#include "dynamics/closure_parts.h"
#include "dynamics/element.h"
#include "dynamics/history.h"
#include "dynamics/sight.h"
#include "math/rotation.h"
#include "model/multiplier.h"

void dt_system_reaction(const dt_system *s, int node, double force[3], double torque[3])
{
    const double *F = s->F[node];
    double r[3], moment[3];
    for (int k = 0; k < 3; k++) {
        force[k] = F[3 + k];
    }
    dt_arm(s, node, r);
    dt_cross3(moment, r, force);
    for (int k = 0; k < 3; k++) {
        torque[k] = F[k] - moment[k];
    }
}

dt_level dt_system_level_of(dt_variable variable)
{
    const bool reads = dt_variable_is(variable, DT_OF_READINGS); /* what joints or ties do */
    return reads && !dt_variable_is(variable, DT_OF_FRICTION) ? DT_LEVEL_REACTIONS
           : reads || dt_variable_is(variable, DT_OF_PUSHES)  ? DT_LEVEL_FORCES
           : dt_variable_is(variable, DT_OF_POSES)            ? DT_LEVEL_POSES
           : dt_variable_is(variable, DT_OF_FORCES)           ? DT_LEVEL_STATE
                                                              : DT_LEVEL_MOTION;
}

/* ---- values: of node i, or what else the index is; `stiction` as for dt_system_variable() ---- */

typedef double (*value_of)(const dt_system *s, int i, int part, int stiction);

static double value_time(const dt_system *s, int i, int part, int stiction)
{
    (void)i, (void)part, (void)stiction;
    return s->time;
}

static double value_input(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return s->inputs[i];
}

static double value_position(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return s->q[s->tree->nodes[i].q];
}

static double value_velocity(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return s->v[s->tree->nodes[i].v];
}

static double value_acceleration(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return s->a[s->tree->nodes[i].v];
}

/* What friction laws do along primitive i. */
static double value_drag(const dt_system *s, int i)
{
    return s->drag ? s->drag[s->tree->nodes[i].v] : 0;
}

static double value_friction(const dt_system *s, int i, int part, int stiction)
{
    const int k = s->mechanism->primitives[i].stiction;
    const double drag = part == 0 ? value_drag(s, i) : 0;
    (void)stiction;
    return (k >= 0 && dt_system_stop_presses(s, k) == (part == 1) ? s->f[k] : 0) + drag;
}

/* Whether items of elements are along primitive i. */
static bool has_items(const detent_mechanism *m, int i)
{
    bool any = false;
    for (int k = 0; m->added && k < m->source->count && !any; k++) {
        any = dt_item_next_at(&m->added[k], i, -1) >= 0;
    }
    return any;
}

bool dt_system_has_force(const dt_system *s, int i)
{
    const dt_primitive *p = &s->mechanism->primitives[i];
    return p->stiffness != 0 || p->damping != 0 || p->force || p->motion || s->closure ||
           has_items(s->mechanism, i);
}

static double value_force(const dt_system *s, int i, int part, int stiction)
{
    if (!dt_system_has_force(s, i)) {
        return 0;
    }
    const int k = s->mechanism->primitives[i].stiction;
    (void)part, (void)stiction;
    return s->tau[s->tree->nodes[i].v] - (k < 0 ? 0 : s->f[k]) - value_drag(s, i) +
           (s->beside ? s->beside[i] : 0);
}

static double value_reaction_norm(const dt_system *s, int i, int part, int stiction)
{
    double force[3], torque[3];
    (void)stiction;
    dt_system_reaction(s, i, force, torque);
    return dt_norm3(part == 0 ? force : torque);
}

static double value_reaction_part(const dt_system *s, int i, int part, int stiction)
{
    double force[3], torque[3], local[3];
    (void)stiction;
    dt_system_reaction(s, i, force, torque);
    dt_rotate_back(local, s->motion[i].R, part < 3 ? force : torque);
    return local[part % 3];
}

static double value_normal_force(const dt_system *s, int i, int part, int stiction)
{
    double force[3], torque[3], axis[3], normal[3];
    (void)part, (void)stiction;
    dt_system_reaction(s, i, force, torque);
    dt_rotate(axis, s->motion[i].R, s->tree->nodes[i].frame->axis);
    const double along = dt_dot3(axis, force);
    for (int k = 0; k < 3; k++) {
        normal[k] = force[k] - along * axis[k];
    }
    return dt_norm3(normal);
}

static double value_bearing(const dt_system *s, int i, int part, int stiction)
{
    double force[3], torque[3];
    (void)stiction;
    dt_system_reaction(s, i, force, torque);
    return dt_bearing_value(s, i, part, force, torque);
}

static double value_direction(const dt_system *s, int i, int part, int stiction)
{
    (void)i, (void)part;
    return stiction < 0 ? 0 : s->direction[stiction];
}

static double value_state(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return s->z[i];
}

/* Of a massless rod, by its row of conditions: what it pulls its ends together with. */
static double value_tension(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return -s->multiplier[i];
}

/* What a coupling does along its first joint, or a cam or slot at its contact: of a row of conditions. */
static double value_multiplier(const dt_system *s, int i, int part, int stiction)
{
    const dt_variable variable = {.kind = DT_VARIABLE_COUPLING_FORCE, .index = i};
    (void)part, (void)stiction;
    return dt_multiplier_of(s->mechanism, variable).factor * s->multiplier[i];
}

static double value_rest_time(const dt_system *s, int i, int part, int stiction)
{
    const int k = s->mechanism->primitives[i].stiction;
    (void)part, (void)stiction;
    return k < 0 || s->mode[k] != DETENT_LOCKED
               ? 0
               : s->time - s->inputs[s->mechanism->stictions[k].rest];
}

/* Without a run there is no past. */
static double value_delayed(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return s->history ? dt_history_value(s->history, i, s->time)
                      : s->mechanism->dead_times[i].before;
}

static double value_mode(const dt_system *s, int i, int part, int stiction)
{
    const int k = s->mechanism->primitives[i].stiction;
    (void)part, (void)stiction;
    return k < 0 ? 0 : s->mode[k];
}

/* Of view i. */
static double value_point(const dt_system *s, int i, int part, int stiction)
{
    (void)stiction;
    return dt_sight_component(s, i, (dt_sight)(part / 3), part % 3);
}

static double value_rotation(const dt_system *s, int i, int part, int stiction)
{
    double R[9];
    (void)stiction;
    dt_sight_rotation(s, i, R);
    return R[part];
}

static double value_rpy(const dt_system *s, int i, int part, int stiction)
{
    double R[9], rpy[3];
    (void)stiction;
    dt_sight_rotation(s, i, R);
    dt_rpy_from_rotation(rpy, R);
    return rpy[part];
}

static double value_quaternion(const dt_system *s, int i, int part, int stiction)
{
    double R[9], q[4];
    (void)stiction;
    dt_sight_rotation(s, i, R);
    dt_quaternion_from_rotation(q, R);
    return q[part];
}

static double value_kinetic(const dt_system *s, int i, int part, int stiction)
{
    (void)i, (void)part, (void)stiction;
    return dt_motion_kinetic_energy(s->tree, s->motion, s->v);
}

static double value_potential(const dt_system *s, int i, int part, int stiction)
{
    (void)i, (void)part, (void)stiction;
    return dt_system_potential(s);
}

static double value_body_kinetic(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return dt_weight_kinetic(s, &s->mechanism->weights[i]);
}

static double value_body_potential(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return dt_weight_potential(s, &s->mechanism->weights[i]);
}

/* Without a run there is none. */
static double value_account(const dt_system *s, int i, int part, int stiction)
{
    (void)i, (void)stiction;
    return s->account ? s->account[part] : (double)NAN;
}

/* How open loops and couplings are, m. */
static double value_open(const dt_system *s, int i, int part, int stiction)
{
    (void)i, (void)part, (void)stiction;
    return s->closure ? dt_closure_error(s) : 0;
}

/* The same of those whose first row is i. */
static double value_tie_open(const dt_system *s, int i, int part, int stiction)
{
    (void)part, (void)stiction;
    return s->closure ? dt_closure_row_error(s, i, dt_closure_reach(s)) : 0;
}

/* the element's */
#define value_item NULL

static const struct {
    value_of value;
    int part;
} values[DT_VARIABLE_KINDS] = {
#define VALUE(kind, function, component, measure, subject, traits, family, part) \
    [DT_VARIABLE_##kind] = {value_##family, part},
    DT_VARIABLE_TABLE(VALUE)
#undef VALUE
};

double dt_system_variable(const dt_system *s, dt_variable variable, int stiction)
{
    const bool joint = dt_variable_is(variable, DT_OF_JOINT | DT_OF_EVENTS);
    const int i = joint ? dt_system_place(s, variable.index) : variable.index;
    const value_of value = values[variable.kind].value;
    const int part = values[variable.kind].part;
    return value ? value(s, i, part, stiction) : dt_element_reading(s, variable, part);
}

/* ---- energy ---- */

double dt_system_potential(const dt_system *s)
{
    double potential = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_potential) {
            dt_elements[k]->add_potential(s, &potential);
        }
    }
    return potential;
}

void dt_system_energy(const dt_system *s, double *kinetic, double *potential)
{
    *kinetic = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    *potential = dt_system_potential(s);
}
