#include "stiction/nearby.h"

#include <math.h>
#include <string.h>

bool dt_nearby_create(dt_arena *arena, const dt_tree *tree, dt_nearby *of)
{
    const size_t n = (size_t)tree->node_count;
    of->worst = dt_arena_alloc(arena, n, sizeof *of->worst);
    of->group = dt_arena_alloc(arena, n, sizeof *of->group);
    of->group_size = dt_arena_alloc(arena, n + 1, sizeof *of->group_size);
    return of->worst && of->group && of->group_size;
}

static void find_groups(dt_nearby *of, const dt_tree *tree, const unsigned char *held)
{
    const int n = tree->node_count, ground = n;
    memset(of->group_size, 0, ((size_t)n + 1) * sizeof *of->group_size);
    for (int i = 0; i < n; i++) {
        const int parent = tree->nodes[i].parent;
        of->group[i] = !held[i] ? i : parent < 0 ? ground : of->group[parent];
        of->group_size[of->group[i]]++;
    }
}

/* What is left of it beyond the joint of a node. */
static double decay(const dt_nearby *of, const unsigned char *held, int i)
{
    return exp(held[i] ? -1.6 / of->group_size[of->group[i]] : -1);
}

/* Inward from the leaves, then outward. */
void dt_nearby_spread(dt_nearby *of, const dt_tree *tree, const unsigned char *held)
{
    find_groups(of, tree, held);
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (tree->nodes[i].parent >= 0) {
            double *parent = &of->worst[tree->nodes[i].parent];
            *parent = fmax(*parent, decay(of, held, i) * of->worst[i]);
        }
    }
    for (int i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].parent >= 0) {
            of->worst[i] =
                fmax(of->worst[i], decay(of, held, i) * of->worst[tree->nodes[i].parent]);
        }
    }
}
