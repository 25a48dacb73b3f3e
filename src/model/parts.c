/* Parts of a mechanism: bodies that joints, loops or items join, other than by the ground. Nothing passes from one to another but
 * numbers; so each has an origin of its own that spatial vectors are taken about (dynamics/motion.h). With one for all, a part would
 * lose as many digits as the square of its size goes into that of its distance from the others: a stone that falls, a belt that runs. */

#include "base/joined.h"
#include "model/record.h"

static void join(int *joined, int one, int other)
{
    if (one >= 0 && other >= 0) {
        joined[dt_first_of(joined, other)] = dt_first_of(joined, one);
    }
}

/* Ends of an item lie side by side. */
static void join_items(const detent_mechanism *m, const dt_load *places, int *joined)
{
    for (int k = 0; m->source && k < m->source->count; k++) {
        const dt_item_list *list = &m->added[k];
        const int first = list->first_place, end = first + list->places * list->count;
        for (int p = first; p < end; p += 2) {
            join(joined, places[p].node, places[p + 1].node);
        }
    }
}

/* Numbers the sets; returns how many there are. `number`: work space, of as many nodes. */
static int number_parts(const detent_mechanism *m, int *joined, int *number, dt_node *nodes)
{
    int count = 0;
    for (int i = 0; i < m->tree.node_count; i++) {
        const int first = dt_first_of(joined, i);
        if (first == i) {
            number[i] = count++;
        }
    }
    for (int i = 0; i < m->tree.node_count; i++) {
        nodes[i].part = number[dt_first_of(joined, i)];
    }
    return count;
}

/* Of places on the ground: that of the other end. */
static void place_parts(const detent_mechanism *m, dt_load *places)
{
    for (int p = 0; p < m->place_count; p++) {
        places[p].part = places[p].node >= 0 ? m->tree.nodes[places[p].node].part : 0;
    }
    for (int p = m->load_count; p + 1 < m->place_count; p += 2) {
        dt_load *a = &places[p], *b = &places[p + 1];
        a->part = a->node < 0 ? b->part : a->part;
        b->part = b->node < 0 ? a->part : b->part;
    }
}

detent_status dt_compile_parts(detent_mechanism *m, dt_load *places, detent_error *error)
{
    const size_t n = (size_t)m->tree.node_count;
    int *joined = dt_arena_alloc(&m->builder->arena, n, sizeof *joined);
    int *number = dt_arena_alloc(&m->builder->arena, n, sizeof *number);
    if (!joined || !number) {
        return dt_out_of_memory(error);
    }
    for (int i = 0; i < m->tree.node_count; i++) {
        joined[i] = i;
        join(joined, m->tree.nodes[i].parent, i);
    }
    for (int l = 0; l < m->loop_count; l++) {
        join(joined, m->loops[l].node[0], m->loops[l].node[1]);
    }
    join_items(m, places, joined);
    const int count = number_parts(m, joined, number, m->builder->nodes);
    m->tree.part_count = count > 0 ? count : 1;
    place_parts(m, places);
    return DETENT_OK;
}
