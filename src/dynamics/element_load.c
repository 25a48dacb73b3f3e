/*
 * Loads: a force and a torque on a body, a law a component, which may read anything. Components that read what joints
 * transmit are known only together: loads.h.
 */
#include "dynamics/element.h"

static const dt_law_role role[] = {DT_LAW_LOAD, DT_LAW_LOAD, DT_LAW_LOAD,
                                   DT_LAW_LOAD, DT_LAW_LOAD, DT_LAW_LOAD};

static dt_law *laws(const dt_system *s, int l)
{
    return s->load_law[l];
}

static const dt_program *program(const detent_mechanism *m, int l, int component)
{
    return component < 3 ? m->loads[l].force[component] : m->loads[l].torque[component - 3];
}

static int node(const detent_mechanism *m, int l)
{
    return m->loads[l].node;
}

const dt_element_kind dt_load_element = {.name = "load",
                                         .items = DT_ITEMS_LOADS,
                                         .law_count = sizeof role / sizeof *role,
                                         .role = role,
                                         .laws = laws,
                                         .program = program,
                                         .node = node};
