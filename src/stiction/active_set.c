#include "stiction/active_set.h"

#include <limits.h>

bool dt_active_set_create(dt_arena *arena, const dt_friction_box *box, dt_active_set *set)
{
    const size_t n = (size_t)box->system->tree->node_count;
    set->contradiction = dt_arena_alloc(arena, (size_t)box->count, sizeof *set->contradiction);
    set->worst = dt_arena_alloc(arena, n, sizeof *set->worst);
    set->decay = dt_arena_alloc(arena, n, sizeof *set->decay);
    set->group = dt_arena_alloc(arena, n, sizeof *set->group);
    set->group_size = dt_arena_alloc(arena, n + 1, sizeof *set->group_size);
    return set->contradiction && set->worst && set->decay && set->group && set->group_size;
}

/* The contradictions of the last solve; returns how many. */
static int survey(dt_active_set *set, dt_friction_box *box)
{
    int count = 0;
    for (int k = 0; k < box->count; k++) {
        set->contradiction[k] = dt_friction_box_share(box, k);
        count += set->contradiction[k] > 0;
    }
    return count;
}

/*
 * How a contradiction fades from node to node at the present sides. In a rigid uniform rod of
 * length 1 a moment at one end leaves 1 - 3 x^2 + 2 x^3 of itself at x, on average a half, as much
 * as exp(-1.6 x).
 */
static void find_decay(dt_active_set *set, const dt_friction_box *box)
{
    const dt_tree *tree = box->system->tree;
    const int n = tree->node_count, ground = n;
    memset(set->group_size, 0, ((size_t)n + 1) * sizeof *set->group_size);
    for (int i = 0; i < n; i++) {
        const int parent = tree->nodes[i].parent;
        set->group[i] = !box->held[i] ? i : parent < 0 ? ground : set->group[parent];
        set->group_size[set->group[i]]++;
    }
    for (int i = 0; i < n; i++) {
        set->decay[i] = exp(box->held[i] ? -1.6 / set->group_size[set->group[i]] : -1);
    }
}

/* worst[i] = largest c_j prod g, over all joints j: inward from the leaves, then outward. */
static void spread(dt_active_set *set, const dt_friction_box *box)
{
    const dt_tree *tree = box->system->tree;
    memset(set->worst, 0, (size_t)tree->node_count * sizeof *set->worst);
    for (int k = 0; k < box->count; k++) {
        set->worst[box->node[k]] = set->contradiction[k];
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (tree->nodes[i].parent >= 0) {
            double *parent = &set->worst[tree->nodes[i].parent];
            *parent = fmax(*parent, set->decay[i] * set->worst[i]);
        }
    }
    for (int i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].parent >= 0) {
            set->worst[i] = fmax(set->worst[i], set->decay[i] * set->worst[tree->nodes[i].parent]);
        }
    }
}

/* Turns over the joints that are the worst where they are. */
static void turn(dt_active_set *set, dt_friction_box *box)
{
    find_decay(set, box);
    spread(set, box);
    for (int k = 0; k < box->count; k++) {
        if (set->contradiction[k] > 0 && set->contradiction[k] >= set->worst[box->node[k]]) {
            box->side[k] = dt_friction_box_opposite(box, k);
        }
    }
}

/* A joint without friction moves to the side of its acceleration. */
static void name_sides(dt_friction_box *box)
{
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] == DT_FRICTION_BOXED && box->side[k] != 0) {
            box->side[k] = box->a[box->freedom[k]] > 0 ? 1 : -1;
        }
    }
}

dt_settlement dt_active_set_run(dt_active_set *set, dt_friction_box *box, dt_effort effort,
                                int *singular)
{
    int fewest = INT_MAX, setbacks = 0;
    for (int try = 0; try < effort.tries; try++) {
        if (dt_friction_box_is_stopped(box)) {
            return DT_STOPPED;
        }
        *singular = dt_friction_box_solve(box);
        if (*singular != -1) {
            return *singular == DT_NO_SOLUTION ? DT_UNSETTLED : DT_SINGULAR;
        }
        const int count = survey(set, box);
        if (count == 0) {
            name_sides(box);
            return DT_SETTLED;
        }
        setbacks = count < fewest ? 0 : setbacks + 1;
        if (setbacks > effort.setbacks || (count > effort.few && count > fewest / 2)) {
            return DT_UNSETTLED;
        }
        fewest = count < fewest ? count : fewest;
        if (try + 1 < effort.tries) {
            turn(set, box);
        }
    }
    return DT_UNSETTLED;
}
