/*
 * The choice of what follows from what, kept while somebody looks at the instant before an event: other joints are held there, so that
 * there is another choice. The present one need not be what would be chosen now: it may be as old as the last change of what is held, and
 * what a length was measured by then is part of it. So all of it is put back.
 */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"

typedef struct list {
    void *at;
    size_t bytes;
} list;

enum { LISTS = 7, LOCAL_LISTS = 6 };

/* What a choice has filled; returns how many. */
static int list_choice(const dt_system *s, list of[LISTS + LOCAL_LISTS])
{
    const dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    const size_t rows = (size_t)c->rows, nv = (size_t)s->tree->nv;
    const list all[LISTS] = {{c->row, rows * sizeof *c->row},
                             {c->freedom, rows * sizeof *c->freedom},
                             {c->active, rows * sizeof *c->active},
                             {c->dependent, nv * sizeof *c->dependent},
                             {c->held, (size_t)s->tree->node_count * sizeof *c->held},
                             {c->row_unit, rows * sizeof *c->row_unit},
                             {c->freedom_unit, nv * sizeof *c->freedom_unit}};
    memcpy(of, all, sizeof all);
    if (!local) {
        return LISTS;
    }
    const list more[LOCAL_LISTS] = {
        {local->cluster, (size_t)local->cluster_count * sizeof *local->cluster},
        {local->pivot_row, rows * sizeof *local->pivot_row},
        {local->pivot_freedom, rows * sizeof *local->pivot_freedom},
        {local->place, nv * sizeof *local->place},
        {local->slot_row, rows * sizeof *local->slot_row},
        {local->slot_freedom, rows * sizeof *local->slot_freedom}};
    memcpy(of + LISTS, more, sizeof more);
    return LISTS + LOCAL_LISTS;
}

bool dt_closure_create_mark(dt_arena *arena, const dt_system *s, dt_closure_mark *mark)
{
    list of[LISTS + LOCAL_LISTS];
    const int count = list_choice(s, of);
    size_t bytes = 0;
    for (int k = 0; k < count; k++) {
        bytes += of[k].bytes;
    }
    mark->lists = dt_arena_alloc(arena, bytes, 1);
    return mark->lists != NULL;
}

void dt_closure_keep_mark(const dt_system *s, dt_closure_mark *mark)
{
    const dt_closure *c = s->closure;
    list of[LISTS + LOCAL_LISTS];
    const int count = list_choice(s, of);
    mark->chosen = c->chosen;
    mark->choice = c->choice;
    mark->count = c->count;
    mark->best = c->best;
    mark->left_open = c->left_open;
    mark->pivot = c->pivot;
    mark->length = c->length;
    mark->mass_unit = c->mass_unit;
    mark->weakest = c->weakest;
    mark->side = c->side;
    unsigned char *to = mark->lists;
    for (int k = 0; k < count; to += of[k++].bytes) {
        memcpy(to, of[k].at, of[k].bytes);
    }
}

void dt_closure_return_to_mark(dt_system *s, const dt_closure_mark *mark)
{
    dt_closure *c = s->closure;
    list of[LISTS + LOCAL_LISTS];
    const int count = list_choice(s, of);
    c->chosen = mark->chosen;
    c->choice = mark->choice;
    c->count = mark->count;
    c->best = mark->best;
    c->left_open = mark->left_open;
    c->pivot = mark->pivot;
    c->length = mark->length;
    c->mass_unit = mark->mass_unit;
    c->weakest = mark->weakest;
    c->side = mark->side;
    const unsigned char *from = mark->lists;
    for (int k = 0; k < count; from += of[k++].bytes) {
        memcpy(of[k].at, from, of[k].bytes);
    }
    dt_still_find(s);
}
