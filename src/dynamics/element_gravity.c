/*
 * Gravity: a field that acts on every body, a law of t an axis. It has a potential where it does not change.
 */
#include "dynamics/element.h"

static const dt_law_role role[] = {DT_LAW_GRAVITY};

static int count(const detent_mechanism *m)
{
    (void)m;
    return 3; /* axes */
}

static const dt_program *program(const detent_mechanism *m, int axis, int law)
{
    (void)law;
    return m->gravity[axis];
}

static int node(const detent_mechanism *m, int axis)
{
    (void)m, (void)axis;
    return -1;
}

static void effect(dt_system *s, const dt_law *law, dt_law_effect *effect)
{
    (void)law;
    *effect = (dt_law_effect){DT_EFFECT_LINEAR, .size = dt_norm3(s->gravity), .inertia = 1};
}

static double *spread(dt_spread *of, const dt_law *law)
{
    return &of->gravity[law->owner];
}

static bool is_steady(const detent_mechanism *m)
{
    return m->gravity[0]->is_constant && m->gravity[1]->is_constant && m->gravity[2]->is_constant;
}

static void add_potential(const dt_system *s, double *energy)
{
    if (is_steady(s->mechanism)) {
        *energy += dt_motion_gravity_energy(s->tree, s->motion, s->reference, s->gravity);
    }
}

static void add_potential_change(const dt_tangent *t, const dt_system *s, double *change)
{
    const double fall[6] = {0, 0, 0, s->gravity[0], s->gravity[1], s->gravity[2]};
    for (int i = 0; i < s->tree->node_count && is_steady(s->mechanism); i++) {
        double weight[6];
        dt_inertia_apply(weight, &s->motion[i].I, fall);
        *change -= dt_dot6(weight, t->x[i]);
    }
}

/* Of a field that changes: it has no potential, and counts as actuation. */
static void add_powers(const dt_system *s, double power[DT_WORKS])
{
    const double fall[6] = {0, 0, 0, s->gravity[0], s->gravity[1], s->gravity[2]};
    if (is_steady(s->mechanism)) {
        return;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        double weight[6];
        dt_inertia_apply(weight, &s->motion[i].I, fall);
        power[DT_WORK_ACTUATION] += dt_dot6(weight, s->motion[i].V);
    }
}

const dt_element_kind dt_gravity_element = {.count = count,
                                            .law_count = 1,
                                            .role = role,
                                            .program = program,
                                            .node = node,
                                            .add_potential = add_potential,
                                            .add_potential_change = add_potential_change,
                                            .add_powers = add_powers,
                                            .effect = effect,
                                            .spread = spread};
