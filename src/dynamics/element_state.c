/*
 * States of controllers, filters, actuators, friction laws: z' = a law. They act on nothing by themselves; laws read
 * them. What that does to a Newton step is in state_slopes.h.
 */
#include "dynamics/element.h"

static const dt_law_role role[] = {DT_LAW_RATE};

static int count(const detent_mechanism *m)
{
    return m->state_count;
}

static bool acts(const detent_mechanism *m)
{
    return m->state_count > 0;
}

static const dt_program *program(const detent_mechanism *m, int item, int law)
{
    (void)law;
    return m->states[item].derivative;
}

static int node(const detent_mechanism *m, int item)
{
    (void)m, (void)item;
    return -1;
}

static const char *name(const detent_mechanism *m, int item)
{
    return m->states[item].name;
}

static void effect(dt_system *s, const dt_law *law, dt_law_effect *effect)
{
    *effect = (dt_law_effect){DT_EFFECT_STATE, .size = fabs(dt_law_value(s, law, 0)), .inertia = 1};
}

/* Whether a derivative reads the joint: who reads it may find it only where it is among the unknowns. */
static bool varies(const dt_system *s, int i)
{
    bool any = false;
    for (int k = 0; k < s->mechanism->state_count; k++) {
        const dt_program *p = s->mechanism->states[k].derivative;
        for (int j = 0; j < p->variable_count && !any; j++) {
            any = dt_variable_is(p->variables[j], DT_OF_JOINT) && p->variables[j].index == i;
        }
    }
    return any;
}

const dt_element_kind dt_state_element = {.count = count,
                                          .acts = acts,
                                          .law_count = 1,
                                          .role = role,
                                          .program = program,
                                          .node = node,
                                          .varies = varies,
                                          .name = name,
                                          .effect = effect};
