/*
 * Dampers: -d v along every freedom of a primitive, d >= 0.
 */
#include "dynamics/element.h"

static bool acts(const detent_mechanism *m)
{
    bool any = false;
    for (int i = 0; i < m->primitive_count && !any; i++) {
        any = m->primitives[i].damping != 0;
    }
    return any;
}

static void add_forces(dt_system *s)
{
    const detent_mechanism *m = s->mechanism;
    for (int i = 0; i < m->primitive_count; i++) {
        const dt_primitive *p = &m->primitives[i];
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !p->motion; j++) {
            s->Q[j] = -p->damping * s->v[j]; /* the first force along a joint */
        }
    }
}

static void add_rows(dt_linear_laws *linear, dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            linear->row[j].v += s->mechanism->primitives[i].damping;
        }
    }
}

static void add_changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !dt_is_prescribed(s, i); j++) {
            rows[j] += s->mechanism->primitives[i].damping * t->dv[j];
        }
    }
}

static double size(const dt_system *s, int i, int column, double *rest)
{
    const dt_node *node = &s->tree->nodes[i];
    const double force = s->mechanism->primitives[i].damping * s->v[node->v + column];
    if (node->type->nv == 1) {
        *rest += force;
    } /* of several freedoms it is all there is, and counts twice */
    return fabs(force);
}

static void take_powers(dt_system *s, dt_joint_powers *joints)
{
    for (int i = joints->first; i < joints->end; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !dt_is_prescribed(s, i); j++) {
            const double v = s->v[j], force = -s->mechanism->primitives[i].damping * v;
            joints->power[DT_WORK_DAMPING] += force * v;
            joints->force[j - joints->start] -= force;
        }
    }
}

static void add_strength(dt_system *s, const dt_scale *scale, int i, int j, dt_strength *sum)
{
    (void)scale;
    sum->force += s->mechanism->primitives[i].damping * fabs(s->v[j]);
    sum->damping += s->mechanism->primitives[i].damping;
}

const dt_element_kind dt_damper_element = {.items = DT_ITEMS_PRIMITIVES,
                                           .acts = acts,
                                           .add_forces = add_forces,
                                           .add_rows = add_rows,
                                           .add_changes = add_changes,
                                           .size = size,
                                           .take_powers = take_powers,
                                           .add_strength = add_strength};
