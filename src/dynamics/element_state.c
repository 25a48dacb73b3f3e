/*
 * States of controllers, filters, actuators, friction laws: z' = a law. They act on nothing by themselves; laws read
 * them. What that does to a Newton step is in state_slopes.h.
 */
#include "dynamics/element.h"

static const dt_law_role role[] = {DT_LAW_RATE};

static bool acts(const detent_mechanism *m)
{
    return m->state_count > 0;
}

static dt_law *laws(const dt_system *s, int item)
{
    return &s->rate_law[item];
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

/** Whether a derivative reads the joint: who reads it may find it only where it is among the unknowns. */
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

const dt_element_kind dt_state_element = {.items = DT_ITEMS_STATES,
                                          .acts = acts,
                                          .law_count = 1,
                                          .role = role,
                                          .laws = laws,
                                          .program = program,
                                          .node = node,
                                          .varies = varies};
