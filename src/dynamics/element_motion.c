/*
 * Prescribed motions: a primitive of one freedom is where a law of t says, or as fast, by whatever force that takes.
 */
#include "dynamics/closure.h"
#include "dynamics/element.h"

static const dt_law_role role[] = {DT_LAW_MOTION};

static const dt_program *program(const detent_mechanism *m, int i, int law)
{
    (void)law;
    return m->primitives[i].motion;
}

static int node(const detent_mechanism *m, int i)
{
    (void)m;
    return i;
}

void dt_motion_jet(dt_system *s, int i, double time, double jet[3])
{
    const dt_law *law = dt_motion_law(s, i);
    const bool by_speed = dt_is_driven_by_speed(s, i);
    double of_law[3];
    dt_program_time_jet(law->program, time, dt_law_branches(s, law), s->registers, of_law);
    jet[0] = by_speed ? s->q[s->tree->nodes[i].q] : of_law[0];
    jet[1] = of_law[by_speed ? 0 : 1];
    jet[2] = of_law[by_speed ? 1 : 2];
}

void dt_system_prescribe(dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        double jet[3];
        if (!dt_is_prescribed(s, i)) {
            continue;
        }
        dt_motion_jet(s, i, s->time, jet);
        s->q[s->tree->nodes[i].q] = jet[0];
        const int v = s->tree->nodes[i].v;
        const bool stands = s->closure && s->closure->paused[v];
        s->v[v] = stands ? 0 : jet[1];
        s->prescribed[v] = stands ? 0 : jet[2];
    }
}

/* The law is a coordinate or its rate; what acts is an acceleration. */
static void effect(dt_system *s, const dt_law *law, dt_law_effect *effect)
{
    const double a = s->a[s->tree->nodes[law->owner].v];
    *effect = (dt_law_effect){DT_EFFECT_ALONG, .size = fabs(a), .inertia = 1};
}

static double *spread(dt_spread *of, const dt_law *law)
{
    return &of->motion[law->owner];
}

/* All that the motion takes is actuation. */
static void take_powers(dt_system *s, dt_joint_powers *joints)
{
    for (int i = joints->first; i < joints->end; i++) {
        const int v = s->tree->nodes[i].v;
        if (dt_is_prescribed(s, i)) {
            joints->force[v - joints->start] = s->tau[v];
        }
    }
}

static void add_strength(dt_system *s, const dt_scale *scale, int i, int j, dt_strength *sum)
{
    (void)i;
    sum->force += scale->force[j] * dt_known(s->prescribed[j]); /* D a */
}

const dt_element_kind dt_motion_element = {.items = DT_ITEMS_PRIMITIVES,
                                           .law_count = 1,
                                           .role = role,
                                           .program = program,
                                           .node = node,
                                           .take_powers = take_powers,
                                           .add_strength = add_strength,
                                           .effect = effect,
                                           .spread = spread};
