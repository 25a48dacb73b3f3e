/*
 * Actuation: a law's force along a primitive of one freedom. It may read anything, and acts as any such law does
 * (element_push.c).
 */
#include "dynamics/push.h"

static const dt_law_role role[] = {DT_LAW_FORCE};

static const dt_program *program(const detent_mechanism *m, int i, int law)
{
    (void)law;
    return m->primitives[i].force;
}

static int node(const detent_mechanism *m, int i)
{
    (void)m;
    return i;
}

const dt_element_kind dt_actuation_element = {.items = DT_ITEMS_PRIMITIVES,
                                              .law_count = 1,
                                              .role = role,
                                              .program = program,
                                              .node = node,
                                              .prepare = dt_push_prepare,
                                              .inject = dt_push_inject,
                                              .measure = dt_push_measure};
