/*
 * What expressions and callers can read of a system.
 */
#include "dynamics/system.h"

void dt_system_reaction(const dt_system *s, int node, double force[3], double torque[3])
{
    const double *F = s->F[node];
    double r[3], moment[3];
    for (int k = 0; k < 3; k++) {
        force[k] = F[3 + k];
        r[k] = s->motion[node].p[k] - s->origin[k];
    }
    dt_cross3(moment, r, force);
    for (int k = 0; k < 3; k++) {
        torque[k] = F[k] - moment[k];
    }
}

static double norm_normal_to_axis(const dt_system *s, int node, const double force[3])
{
    double axis[3], normal[3];
    dt_rotate(axis, s->motion[node].R, s->tree->nodes[node].axis);
    double along = dt_dot3(axis, force);
    for (int k = 0; k < 3; k++) {
        normal[k] = force[k] - along * axis[k];
    }
    return dt_norm3(normal);
}

static double reaction_variable(const dt_system *s, dt_variable variable)
{
    const int i = dt_system_place(s, variable.index);
    double force[3], torque[3], local[3];
    dt_system_reaction(s, i, force, torque);
    switch (variable.kind) {
    case DT_VARIABLE_REACTION_FORCE:
        return dt_norm3(force);
    case DT_VARIABLE_REACTION_TORQUE:
        return dt_norm3(torque);
    case DT_VARIABLE_NORMAL_FORCE:
        return norm_normal_to_axis(s, i, force);
    case DT_VARIABLE_REACTION_FORCE_X:
    case DT_VARIABLE_REACTION_FORCE_Y:
    case DT_VARIABLE_REACTION_FORCE_Z:
        dt_rotate_back(local, s->motion[i].R, force);
        return local[variable.kind - DT_VARIABLE_REACTION_FORCE_X];
    default:
        dt_rotate_back(local, s->motion[i].R, torque);
        return local[variable.kind - DT_VARIABLE_REACTION_TORQUE_X];
    }
}

static double body_variable(const dt_system *s, dt_variable variable)
{
    const dt_body *body = &s->mechanism->bodies[variable.index];
    double world[3];
    dt_motion_point(&s->motion[body->node], body->pose->p, world);
    return world[variable.kind - DT_VARIABLE_BODY_X];
}

dt_level dt_system_level_of(dt_variable variable)
{
    switch (variable.kind) {
    case DT_VARIABLE_TIME:
    case DT_VARIABLE_INPUT:
    case DT_VARIABLE_POSITION:
    case DT_VARIABLE_VELOCITY:
    case DT_VARIABLE_ACCELERATION:
    case DT_VARIABLE_DIRECTION:
    case DT_VARIABLE_MODE:
        return DT_LEVEL_STATE;
    case DT_VARIABLE_BODY_X:
    case DT_VARIABLE_BODY_Y:
    case DT_VARIABLE_BODY_Z:
        return DT_LEVEL_POSES;
    default:
        return DT_LEVEL_FORCES;
    }
}

double dt_system_variable(const dt_system *s, dt_variable variable, int stiction)
{
    const bool joint = variable.kind >= DT_VARIABLE_POSITION && variable.kind <= DT_VARIABLE_MODE;
    const int i = joint ? dt_system_place(s, variable.index) : variable.index;
    const dt_node *nodes = s->tree->nodes;
    const dt_primitive *primitives = s->mechanism->primitives;
    switch (variable.kind) {
    case DT_VARIABLE_TIME:
        return s->time;
    case DT_VARIABLE_INPUT:
        return s->inputs[i];
    case DT_VARIABLE_POSITION:
        return s->q[nodes[i].q];
    case DT_VARIABLE_VELOCITY:
        return s->v[nodes[i].v];
    case DT_VARIABLE_ACCELERATION:
        return s->a[nodes[i].v];
    case DT_VARIABLE_FRICTION:
        return primitives[i].stiction < 0 ? 0 : s->f[primitives[i].stiction];
    case DT_VARIABLE_FORCE:
        return s->tau[nodes[i].v] - (primitives[i].stiction < 0 ? 0 : s->f[primitives[i].stiction]);
    case DT_VARIABLE_DIRECTION:
        return stiction < 0 ? 0 : s->direction[stiction];
    case DT_VARIABLE_MODE:
        return primitives[i].stiction < 0 ? 0 : s->mode[primitives[i].stiction];
    case DT_VARIABLE_BODY_X:
    case DT_VARIABLE_BODY_Y:
    case DT_VARIABLE_BODY_Z:
        return body_variable(s, variable);
    default:
        return reaction_variable(s, variable);
    }
}

void dt_system_energy(dt_system *s, double *kinetic, double *potential)
{
    const detent_mechanism *m = s->mechanism;
    bool steady = true;
    *kinetic = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    for (int k = 0; k < 3; k++) {
        steady = steady && m->gravity[k]->is_constant;
    }
    *potential = steady ? dt_motion_gravity_energy(s->tree, s->motion, s->origin, s->gravity) : 0;
    for (int i = 0; i < m->primitive_count; i++) {
        if (m->primitives[i].stiffness == 0) {
            continue;
        }
        double stretch = s->q[s->tree->nodes[i].q] - m->primitives[i].rest;
        *potential += 0.5 * m->primitives[i].stiffness * stretch * stretch;
    }
}
