/* Which joints loops, couplings, rods, cams and slots tie together. Known once all of these are compiled but couplings, whose definitions tell. */
#include "base/joined.h"
#include "model/record.h"

static void join(int *joined, int a, int b)
{
    const int i = dt_first_of(joined, a), k = dt_first_of(joined, b);
    joined[i < k ? k : i] = i < k ? i : k;
}

/* Nodes of the two ways, from ghost and original, or the ends of a rod, to where they meet, are one cluster; -1: the ground. */
static void join_loop(const detent_mechanism *m, int a, int b, dt_tied *of)
{
    const int one = a > b ? a : b;
    while (a != b) { /* parents come before their children */
        int *higher = a > b ? &a : &b;
        of->looped[*higher] = of->inside[*higher] = true;
        join(of->joined, *higher, one);
        *higher = m->tree.nodes[*higher].parent;
    }
}

/* Joints that are coupled are one cluster. */
static void join_joints(const int *joint, int count, dt_tied *of)
{
    for (int k = 0; k < count; k++) {
        of->inside[joint[k]] = true;
        join(of->joined, joint[k], joint[0]);
    }
}

static void join_items(const detent_mechanism *m, const dt_item_list *list, dt_tied *of)
{
    for (int i = 0; i < list->count; i++) {
        const dt_load *end = list->places > 0 ? &m->loads[dt_item_place(list, i)] : NULL;
        if (end) {
            join_loop(m, end[0].node, end[1].node, of);
        }
        join_joints(&list->joint[list->joints * i], list->joints, of);
    }
}

/* Names that there are not are told where couplings are compiled. */
static void join_coupling(const detent_mechanism *m, const detent_coupling_def *def, dt_tied *of)
{
    int joint[DETENT_MAX_COUPLED + 1], count = 0;
    for (size_t k = 0; k <= def->count; k++) {
        const int i = k < def->count         ? dt_find_primitive(m, def->primitive[k])
                      : dt_is_one_sided(def) ? dt_find_primitive(m, def->name)
                                             : -1;
        if (i >= 0) {
            joint[count++] = i;
        }
    }
    join_joints(joint, count, of);
}

const dt_tied *dt_tied_joints(detent_mechanism *m)
{
    dt_builder *b = m->builder;
    const size_t n = (size_t)m->tree.node_count;
    dt_tied *of = b->tied ? NULL : dt_arena_alloc(&b->arena, 1, sizeof *of);
    if (!of) {
        return b->tied;
    }
    of->joined = dt_arena_alloc(&b->arena, n, sizeof *of->joined);
    of->inside = dt_arena_alloc(&b->arena, n, sizeof *of->inside);
    of->looped = dt_arena_alloc(&b->arena, n, sizeof *of->looped);
    if (!of->joined || !of->inside || !of->looped) {
        return NULL;
    }
    for (int i = 0; i < m->tree.node_count; i++) {
        of->joined[i] = i;
    }
    for (int l = 0; l < m->loop_count; l++) {
        join_loop(m, m->loops[l].node[0], m->loops[l].node[1], of);
    }
    for (int k = 0; m->source && k < m->source->count; k++) {
        if (m->added[k].kind && m->added[k].kind->ties) {
            join_items(m, &m->added[k], of);
        }
    }
    for (int n_coupling = 0; n_coupling < DT_RECORDS(b, coupling).count; n_coupling++) {
        const detent_coupling_def *def = dt_coupling(m, n_coupling);
        if (!dt_is_elastic(def)) {
            join_coupling(m, def, of);
        }
    }
    b->tied = of;
    return of;
}
