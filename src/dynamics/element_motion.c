/*
 * Prescribed motions: a primitive of one freedom is where a law of t says, by whatever force that takes.
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

void dt_system_prescribe(dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        double jet[3];
        if (!dt_is_prescribed(s, i)) {
            continue;
        }
        const dt_law *law = dt_motion_law(s, i);
        dt_program_time_jet(law->program, s->time, dt_law_branches(s, law), s->registers, jet);
        s->q[s->tree->nodes[i].q] = jet[0];
        const int v = s->tree->nodes[i].v;
        const bool stands = s->closure && s->closure->paused[v];
        s->v[v] = stands ? 0 : jet[1];
        s->prescribed[v] = stands ? 0 : jet[2];
    }
}

/** The law is a coordinate; what acts is its second derivative, an acceleration. */
static void effect(dt_system *s, const dt_law *law, dt_law_effect *effect)
{
    const double a = s->a[s->tree->nodes[law->owner].v];
    *effect = (dt_law_effect){DT_EFFECT_ALONG, .size = fabs(a), .inertia = 1};
}

static double *spread(dt_spread *of, const dt_law *law)
{
    return &of->motion[law->owner];
}

/** All that the motion takes is actuation. */
static void take_powers(const dt_system *s, dt_joint_powers *joints)
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
                                           .may_lack = true,
                                           .program = program,
                                           .node = node,
                                           .take_powers = take_powers,
                                           .add_strength = add_strength,
                                           .effect = effect,
                                           .spread = spread};
