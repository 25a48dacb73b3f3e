#include "stiction/active_set.h"

#include <limits.h>

bool dt_active_set_create(dt_arena *arena, const dt_friction_box *box, dt_active_set *set)
{
    set->contradiction = dt_arena_alloc(arena, (size_t)box->count, sizeof *set->contradiction);
    return set->contradiction && dt_nearby_create(arena, box->system->tree, &set->nearby);
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

/* Turns over the joints that are the worst where they are. */
static void turn(dt_active_set *set, dt_friction_box *box)
{
    const dt_tree *tree = box->system->tree;
    double *worst = set->nearby.worst;
    memset(worst, 0, (size_t)tree->node_count * sizeof *worst);
    for (int k = 0; k < box->count; k++) {
        worst[box->node[k]] = set->contradiction[k];
    }
    dt_nearby_spread(&set->nearby, tree, box->held);
    for (int k = 0; k < box->count; k++) {
        if (set->contradiction[k] > 0 && set->contradiction[k] >= worst[box->node[k]]) {
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
