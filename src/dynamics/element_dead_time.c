/*
 * What is kept to be read later, delay(x, T): x is a law, so that its switches are watched and its instants known. It acts on nothing; whoever reads
 * it T later finds it in the history of the run (history.h).
 */
#include "dynamics/element.h"

static const dt_law_role role[] = {DT_LAW_KEPT};

static int count(const detent_mechanism *m)
{
    return m->dead_time_count;
}

static bool acts(const detent_mechanism *m)
{
    return m->dead_time_count > 0;
}

static const dt_program *program(const detent_mechanism *m, int item, int law)
{
    (void)law;
    return m->dead_times[item].value;
}

static int node(const detent_mechanism *m, int item)
{
    (void)m, (void)item;
    return -1;
}

static const char *name(const detent_mechanism *m, int item)
{
    return m->dead_times[item].value->text;
}

static void effect(dt_system *s, const dt_law *law, dt_law_effect *effect)
{
    *effect = (dt_law_effect){DT_EFFECT_KEPT, .size = fabs(dt_law_value(s, law, 0)), .inertia = 1};
}

const dt_element_kind dt_dead_time_element = {.count = count,
                                              .acts = acts,
                                              .law_count = 1,
                                              .role = role,
                                              .program = program,
                                              .node = node,
                                              .name = name,
                                              .effect = effect};
