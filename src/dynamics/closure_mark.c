/*
 * The choice of what follows from what, kept while somebody looks at the instant before an event: other joints are held there, so that
 * there is another choice, and the present one is made anew on the way back. It is the same one; but steps know it by its number, by
 * how good it was when it was made, and by how its pivot changes.
 */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"

static int clusters(const dt_closure *c)
{
    return c->local ? c->local->cluster_count : 0;
}

bool dt_closure_create_mark(dt_arena *arena, const dt_closure *c, dt_closure_mark *mark)
{
    mark->row = dt_arena_alloc(arena, (size_t)c->rows, sizeof *mark->row);
    mark->freedom = dt_arena_alloc(arena, (size_t)c->rows, sizeof *mark->freedom);
    mark->cluster_best = dt_arena_alloc(arena, (size_t)clusters(c), sizeof *mark->cluster_best);
    return mark->row && mark->freedom && mark->cluster_best;
}

void dt_closure_keep_mark(const dt_closure *c, dt_closure_mark *mark)
{
    const size_t bytes = (size_t)c->count * sizeof *c->row;
    mark->choice = c->choice;
    mark->count = c->count;
    memcpy(mark->row, c->row, bytes);
    memcpy(mark->freedom, c->freedom, bytes);
    mark->best = c->best;
    mark->left_open = c->left_open;
    mark->pivot = c->pivot;
    mark->weakest = c->weakest;
    mark->side = c->side;
    for (int l = 0; l < clusters(c); l++) {
        mark->cluster_best[l] = c->local->cluster[l].best;
    }
}

void dt_closure_return_to_mark(dt_closure *c, const dt_closure_mark *mark)
{
    const size_t bytes = (size_t)mark->count * sizeof *c->row;
    if (c->count != mark->count || memcmp(c->row, mark->row, bytes) != 0 ||
        memcmp(c->freedom, mark->freedom, bytes) != 0) {
        return;
    }
    c->choice = mark->choice;
    c->best = mark->best;
    c->left_open = mark->left_open;
    c->pivot = mark->pivot;
    c->weakest = mark->weakest;
    c->side = mark->side;
    for (int l = 0; l < clusters(c); l++) {
        c->local->cluster[l].best = mark->cluster_best[l];
    }
}
