#include "dynamics/tree_slots.h"

/*
 * The most nodes at once that have a slot. Nodes that are welded do not make it more: a group that has one holds a node that
 * has it. `has` is left as it is used.
 */
static int most_at_once(const dt_tree *tree, int *has)
{
    int now = 0, most = 0;
    for (int i = tree->node_count - 1; i >= 0; i--) {
        const int parent = tree->nodes[i].parent;
        now += !has[i];
        has[i] = 1;
        if (parent >= 0) {
            now += !has[parent];
            has[parent] = 1;
        }
        most = now > most ? now : most;
        now--;
    }
    return most;
}

bool dt_tree_slots_create(dt_arena *arena, const dt_tree *tree, bool own, dt_tree_slots *slots)
{
    slots->own = own;
    slots->of = dt_arena_alloc(arena, (size_t)tree->node_count, sizeof *slots->of);
    if (!slots->of) {
        return false;
    }
    slots->count = own ? tree->node_count : most_at_once(tree, slots->of);
    slots->unused = dt_arena_alloc(arena, own ? 0 : (size_t)slots->count, sizeof *slots->unused);
    return slots->unused != NULL;
}

void dt_tree_slots_begin(dt_tree_slots *slots, const dt_tree *tree)
{
    for (int i = 0; i < tree->node_count; i++) {
        slots->of[i] = slots->own ? i : -1;
    }
    slots->unused_count = slots->own ? 0 : slots->count;
    for (int k = 0; k < slots->unused_count; k++) {
        slots->unused[k] = k;
    }
}

bool dt_tree_slots_take(dt_tree_slots *slots, int node)
{
    if (slots->of[node] >= 0) {
        return false;
    }
    slots->of[node] = slots->unused[--slots->unused_count];
    return true;
}

void dt_tree_slots_leave(dt_tree_slots *slots, int node)
{
    if (!slots->own) {
        slots->unused[slots->unused_count++] = slots->of[node];
    }
}
