/*
 * Springs: -k (q - q0) along primitives of one freedom, k >= 0.
 */
#include "dynamics/element.h"

static double stretch(const dt_system *s, int i)
{
    return s->q[s->tree->nodes[i].q] - s->mechanism->primitives[i].rest;
}

static bool acts(const detent_mechanism *m)
{
    bool any = false;
    for (int i = 0; i < m->primitive_count && !any; i++) {
        any = m->primitives[i].stiffness != 0;
    }
    return any;
}

static void add_forces(dt_system *s)
{
    const detent_mechanism *m = s->mechanism;
    for (int i = 0; i < m->primitive_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nv == 1 && !m->primitives[i].motion) {
            s->Q[node->v] -= m->primitives[i].stiffness * stretch(s, i);
        }
    }
}

static void add_rows(dt_linear_laws *linear, dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nv == 1) {
            linear->row[node->v].q += s->mechanism->primitives[i].stiffness;
        }
    }
}

static void add_changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nv == 1 && !dt_is_prescribed(s, i)) {
            rows[node->v] += s->mechanism->primitives[i].stiffness * t->dphi[node->v];
        }
    }
}

static void add_potential(const dt_system *s, double *energy)
{
    const detent_mechanism *m = s->mechanism;
    for (int i = 0; i < m->primitive_count; i++) {
        if (m->primitives[i].stiffness != 0) {
            const double x = stretch(s, i);
            *energy += 0.5 * m->primitives[i].stiffness * x * x;
        }
    }
}

static void add_potential_change(const dt_tangent *t, const dt_system *s, double *change)
{
    const detent_mechanism *m = s->mechanism;
    for (int i = 0; i < m->primitive_count; i++) {
        if (m->primitives[i].stiffness != 0) {
            *change += m->primitives[i].stiffness * stretch(s, i) * t->dphi[s->tree->nodes[i].v];
        }
    }
}

static double size(const dt_system *s, int i, int column, double *rest)
{
    const dt_primitive *p = &s->mechanism->primitives[i];
    const dt_node *node = &s->tree->nodes[i];
    (void)column;
    if (node->type->nv != 1) {
        return 0;
    }
    const double q = s->q[node->q];
    *rest += p->stiffness * (q - p->rest);
    return fabs(p->stiffness) * (fabs(q) + fabs(p->rest));
}

static double held(const dt_system *s, int i)
{
    return -s->mechanism->primitives[i].stiffness * stretch(s, i);
}

/* Its work is potential energy. */
static void take_powers(dt_system *s, dt_joint_powers *joints)
{
    for (int i = joints->first; i < joints->end; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nv == 1 && !dt_is_prescribed(s, i)) {
            joints->force[node->v - joints->start] +=
                s->mechanism->primitives[i].stiffness * stretch(s, i);
        }
    }
}

static void add_strength(dt_system *s, const dt_scale *scale, int i, int j, dt_strength *sum)
{
    const double k = s->mechanism->primitives[i].stiffness;
    (void)scale, (void)j;
    if (s->tree->nodes[i].type->nv == 1) {
        sum->force += k * fabs(stretch(s, i));
        sum->stiffness += k;
        sum->stretch += k > 0 ? stretch(s, i) : 0;
    }
}

const dt_element_kind dt_spring_element = {.items = DT_ITEMS_PRIMITIVES,
                                           .acts = acts,
                                           .add_forces = add_forces,
                                           .add_rows = add_rows,
                                           .add_changes = add_changes,
                                           .apart = true,
                                           .add_potential = add_potential,
                                           .add_potential_change = add_potential_change,
                                           .size = size,
                                           .held = held,
                                           .take_powers = take_powers,
                                           .add_strength = add_strength};
