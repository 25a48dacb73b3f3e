/*
 * Stops: where the way of a joint ends. A rigid one is a condition, and what it does is a part of the friction of its joint (model/stop.c,
 * integrator/source_stop.c). A compliant one pushes back what has gone e beyond it:
 *
 *   F = max(0, k e + d e')   against it,   0 where e <= 0
 *
 * k e^2 / 2 is potential energy; the rest of its power, k e e' - F e' <= 0, counts as that of a damper.
 */
#include "dynamics/push.h"

static const char *const side_words[] = {"lower", "upper", NULL};

#define FIELD(name) offsetof(detent_stop_def, name)
static const dt_key keys[] = {
    {"joint", DT_VALUE_JOINT, true, FIELD(joint), NULL, NULL},
    {"side", DT_VALUE_CHOICE, true, FIELD(side), NULL, side_words},
    {"at", DT_VALUE_NUMBER, true, FIELD(at), DT_OF_ITS_JOINT(POSITION), NULL},
    {"restitution", DT_VALUE_SIZE, false, FIELD(restitution), &dt_dimension_none, NULL},
    {"stiffness", DT_VALUE_POSITIVE, false, FIELD(stiffness), DT_OF_ITS_JOINT(STIFFNESS), NULL},
    {"damping", DT_VALUE_SIZE, false, FIELD(damping), DT_OF_ITS_JOINT(DAMPING), NULL},
    DT_KEYS_END,
};
#undef FIELD

static const dt_item_law laws[] = {{"stiffness", DT_USE_FORCE, NULL}};

static const char *text(dt_arena *arena, const void *definition, int law, const dt_active *own)
{
    const detent_stop_def *stop = definition;
    const int sign = stop->side == DETENT_LOWER ? 1 : -1;
    (void)law, (void)own;
    if (stop->stiffness == 0) {
        return "0";
    }
    return dt_arena_printf(arena,
                           "if(%d*(%.17g - position(%s)) > 0, %d*max(0, %.17g*%d*(%.17g - "
                           "position(%s)) - %.17g*%d*velocity(%s)), 0)",
                           sign, stop->at, stop->joint, sign, stop->stiffness, sign, stop->at,
                           stop->joint, stop->damping, sign, stop->joint);
}

static const dt_item_kind stops = {.what = "stop",
                                   .plural = "stops",
                                   .is_section = true,
                                   .joint_key = "stops",
                                   .parts = side_words,
                                   .bounds = true,
                                   .keys = keys,
                                   .size = sizeof(detent_stop_def),
                                   .laws = laws,
                                   .law_count = 1,
                                   .text = text};

/* ---- energy ---- */

enum { SELF = DT_ELEMENT_stop };

static const dt_item_list *items(const dt_system *s)
{
    return dt_added_items(s->mechanism, SELF);
}

static bool acts(const detent_mechanism *m)
{
    const dt_item_list *list = dt_added_items(m, SELF);
    bool any = false;
    for (int item = 0; item < list->count && !any; item++) {
        const detent_stop_def *stop = dt_item_definition(list, item);
        any = stop->stiffness > 0;
    }
    return any;
}

/* What a spring at the stop does along the joint; 0 where the stop is rigid, or the joint is not there. */
static double elastic_force(const dt_system *s, int item, int node)
{
    const detent_stop_def *stop = dt_item_definition(items(s), item);
    const double q = s->q[s->tree->nodes[node].q], beyond = q - stop->at;
    return (stop->side == DETENT_LOWER ? beyond < 0 : beyond > 0) ? -stop->stiffness * beyond : 0;
}

static void add_potential(const dt_system *s, double *energy)
{
    const dt_item_list *list = items(s);
    for (int item = 0; item < list->count; item++) {
        const detent_stop_def *stop = dt_item_definition(list, item);
        const double force = list->joint[item] >= 0 && stop->stiffness > 0
                                 ? elastic_force(s, item, list->joint[item])
                                 : 0;
        *energy += force != 0 ? 0.5 * force * force / stop->stiffness : 0;
    }
}

static void add_potential_change(const dt_tangent *t, const dt_system *s, double *change)
{
    const dt_item_list *list = items(s);
    for (int item = 0; item < list->count; item++) {
        const int i = list->joint[item];
        *change -= i >= 0 ? elastic_force(s, item, i) * t->dphi[s->tree->nodes[i].v] : 0;
    }
}

static void take_powers(dt_system *s, dt_joint_powers *joints)
{
    const dt_item_list *list = items(s);
    for (int i = joints->first; i < joints->end; i++) {
        for (int item = dt_item_next_at(list, i, -1); item >= 0;
             item = dt_item_next_at(list, i, item)) {
            const int v = s->tree->nodes[i].v;
            const double force = dt_law_value(s, s->laws[SELF] + item, 0),
                         elastic = elastic_force(s, item, i);
            joints->power[DT_WORK_DAMPING] += (force - elastic) * s->v[v];
            joints->force[v - joints->start] -= force;
        }
    }
}

static const dt_law_role roles[] = {DT_LAW_STOP};

const dt_element_kind dt_stop_element = {.items = DT_ITEMS_OWN,
                                         .item = &stops,
                                         .acts = acts,
                                         .law_count = 1,
                                         .role = roles,
                                         .prepare = dt_push_prepare,
                                         .inject = dt_push_inject,
                                         .measure = dt_push_measure,
                                         .add_potential = add_potential,
                                         .add_potential_change = add_potential_change,
                                         .take_powers = take_powers};
