/* Ties, their spans and clusters, and the order in them: what of closure_local.h does not change. */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"

#include <stdlib.h>

/* Up to that many rows a cluster has room for a full matrix. */
enum { FULL = 600 };

/* ---- spans ---- */

/* Adds the freedoms of a node to a span, with a sign; the span is made from its end. */
static int add_node(const dt_system *s, dt_closure_local *local, int node, double sign, int at)
{
    const dt_node *n = &s->tree->nodes[node];
    for (int j = n->type->nv - 1; j >= 0; j--) {
        at--;
        if (local) {
            local->freedom[at] = n->v + j;
            local->sign[at] = sign;
        }
    }
    return at;
}

/* The freedoms between the ends of a loop, down to the node that carries both: parents have smaller numbers. */
static int walk_loop(const dt_system *s, dt_closure_local *local, int loop, int at)
{
    const dt_load *end = &s->mechanism->loads[s->mechanism->loops[loop].end];
    int original = end[0].node, ghost = end[1].node;
    while (original != ghost) {
        if (ghost > original) {
            at = add_node(s, local, ghost, 1, at);
            ghost = s->tree->nodes[ghost].parent;
        } else {
            at = add_node(s, local, original, -1, at);
            original = s->tree->nodes[original].parent;
        }
    }
    return at;
}

/* The joints of a transmission, ascending. */
static void walk_transmission(const dt_system *s, dt_closure_local *local, int item, dt_tie *tie)
{
    const dt_transmission *of = &s->mechanism->transmissions[item];
    tie->end = tie->first;
    for (int k = 0; k < of->count; k++) {
        const int v = s->tree->nodes[of->joint[k]].v;
        int at = tie->end++;
        for (; at > tie->first && local->freedom[at - 1] > v; at--) {
            local->freedom[at] = local->freedom[at - 1];
            local->sign[at] = local->sign[at - 1];
        }
        local->freedom[at] = v;
        local->sign[at] = of->factor[k];
    }
}

static int span_length(const dt_system *s, int tie)
{
    const int loops = s->mechanism->loop_count;
    return tie < loops ? -walk_loop(s, NULL, tie, 0)
                       : s->mechanism->transmissions[tie - loops].count;
}

static void fill_ties(const dt_system *s, dt_closure_local *local)
{
    const int loops = s->mechanism->loop_count;
    size_t block = 0;
    for (int t = 0, row = 0, at = 0; t < local->tie_count; t++) {
        dt_tie *tie = &local->tie[t];
        *tie = (dt_tie){.row = row, .rows = t < loops ? 6 : 1, .first = at, .block = block};
        if (t < loops) {
            tie->end = at + span_length(s, t);
            walk_loop(s, local, t, tie->end);
        } else {
            walk_transmission(s, local, t - loops, tie);
        }
        for (int r = 0; r < tie->rows; r++) {
            local->row_tie[row + r] = t;
        }
        row += tie->rows;
        at = tie->end;
        block += (size_t)tie->rows * (size_t)(tie->end - tie->first);
    }
}

/* ---- order ---- */

/* Who reads a freedom. */
typedef struct dt_readers {
    int *first; /**< nv + 1 */
    int *tie;
    int *queue, *seen; /**< ties */
} dt_readers;

static void list_readers(const dt_closure_local *local, int nv, dt_readers *readers)
{
    for (int t = 0; t < local->tie_count; t++) {
        for (int k = local->tie[t].first; k < local->tie[t].end; k++) {
            readers->first[local->freedom[k] + 1]++;
        }
    }
    for (int v = 0; v < nv; v++) {
        readers->first[v + 1] += readers->first[v];
    }
    for (int t = local->tie_count - 1; t >= 0; t--) {
        for (int k = local->tie[t].first; k < local->tie[t].end; k++) {
            readers->tie[--readers->first[local->freedom[k] + 1]] = t;
        }
    }
    for (int v = 0; v < nv; v++) { /* first[v + 1] now is the start of v */
        readers->first[v] = readers->first[v + 1];
    }
    const dt_tie *last = &local->tie[local->tie_count - 1];
    readers->first[nv] = last->end;
}

/* From a tie on, neighbours after neighbours, into the queue; returns how many. */
static int sweep(const dt_closure_local *local, dt_readers *readers, int start, int mark)
{
    int count = 1;
    readers->queue[0] = start;
    readers->seen[start] = mark;
    for (int at = 0; at < count; at++) {
        const dt_tie *tie = &local->tie[readers->queue[at]];
        for (int k = tie->first; k < tie->end; k++) {
            const int v = local->freedom[k];
            for (int r = readers->first[v]; r < readers->first[v + 1]; r++) {
                if (readers->seen[readers->tie[r]] != mark) {
                    readers->seen[readers->tie[r]] = mark;
                    readers->queue[count++] = readers->tie[r];
                }
            }
        }
    }
    return count;
}

/* Clusters one after the other; in each from an end of it: the tie that a sweep reaches last. */
static void order_ties(dt_closure_local *local, dt_readers *readers)
{
    int mark = 0, placed = 0;
    for (int t = 0; t < local->tie_count; t++) {
        if (readers->seen[t]) {
            continue;
        }
        int count = 0, start = t;
        for (int round = 0; round < 3; round++) {
            count = sweep(local, readers, start, ++mark);
            start = readers->queue[count - 1];
        }
        dt_cluster *cluster = &local->cluster[local->cluster_count];
        *cluster = (dt_cluster){.first = placed, .end = placed + count};
        for (int k = 0; k < count; k++, placed++) {
            dt_tie *tie = &local->tie[readers->queue[k]];
            local->order[placed] = readers->queue[k];
            tie->cluster = local->cluster_count;
            tie->at = placed;
            cluster->row_count += tie->rows;
        }
        local->cluster_count++;
    }
}

/* Columns of the clusters, who reads them last, and the widths of the bands. */
static void measure_clusters(dt_closure_local *local, int nv, int *since)
{
    int column = 0, start = 0;
    for (int v = 0; v < nv; v++) {
        local->last[v] = since[v] = -1;
    }
    for (int l = 0; l < local->cluster_count; l++) {
        dt_cluster *cluster = &local->cluster[l];
        int row = 0;
        cluster->column = column;
        cluster->start = start;
        for (int k = cluster->first; k < cluster->end; k++) {
            const dt_tie *tie = &local->tie[local->order[k]];
            row += tie->rows;
            for (int j = tie->first; j < tie->end; j++) {
                const int v = local->freedom[j];
                if (since[v] < 0) {
                    since[v] = row - tie->rows;
                    local->column[v] = column - cluster->column;
                    local->column_freedom[column++] = v;
                }
                local->last[v] = k;
                const int width = row - since[v] - 1;
                cluster->width = width > cluster->width ? width : cluster->width;
            }
        }
        cluster->columns = column - cluster->column;
        start += cluster->row_count;
    }
}

/* ---- memory ---- */

#define TAKE(of, member, size) \
    (((of)->member = dt_arena_alloc(arena, (size), sizeof *(of)->member)) != NULL)

static bool take_ties(dt_arena *arena, const dt_system *s, dt_closure_local *local)
{
    const size_t nv = (size_t)s->tree->nv, rows = (size_t)dt_tie_rows(s->mechanism);
    size_t spans = 0, entries = 0;
    for (int t = 0; t < local->tie_count; t++) {
        const size_t length = (size_t)span_length(s, t);
        spans += length;
        entries += length * (t < s->mechanism->loop_count ? 6 : 1);
    }
    const size_t ties = (size_t)local->tie_count;
    return TAKE(local, tie, ties) && TAKE(local, order, ties) && TAKE(local, cluster, ties) &&
           TAKE(local, freedom, spans) && TAKE(local, sign, spans) && TAKE(local, node, nv) &&
           TAKE(local, last, nv) && TAKE(local, column, nv) && TAKE(local, column_freedom, nv) &&
           TAKE(local, G, entries) && TAKE(local, pivot_row, rows) &&
           TAKE(local, pivot_freedom, rows) && TAKE(local, place, nv) &&
           TAKE(local, slot_row, rows) && TAKE(local, slot_freedom, rows) &&
           TAKE(local, from, rows) && TAKE(local, to, rows) && TAKE(local, x, rows) &&
           TAKE(local, low, rows) && TAKE(local, high, rows) && TAKE(local, row_tie, rows);
}

static bool take_clusters(dt_arena *arena, dt_closure_local *local)
{
    size_t most = 0;
    for (int l = 0; l < local->cluster_count; l++) {
        dt_cluster *cluster = &local->cluster[l];
        const int n = cluster->row_count, wide = 2 * cluster->width + 6;
        const int width = n <= FULL || wide > n ? n - 1 : wide;
        if (!dt_band_create(arena, n, width, &cluster->band)) {
            return false;
        }
        cluster->room = (size_t)n * (size_t)cluster->band.stride;
        const size_t size = (size_t)n * (size_t)cluster->columns;
        most = size > most ? size : most;
    }
    return TAKE(local, reduced, most);
}

static bool take_readers(dt_arena *arena, const dt_closure_local *local, int nv,
                         dt_readers *readers)
{
    const size_t ties = (size_t)local->tie_count;
    return TAKE(readers, first, (size_t)nv + 2) &&
           TAKE(readers, tie, (size_t)local->tie[ties - 1].end) && TAKE(readers, queue, ties) &&
           TAKE(readers, seen, ties);
}

bool dt_closure_local_create(dt_arena *arena, const dt_system *s, dt_closure_local **result)
{
    dt_closure_local *local = dt_arena_alloc(arena, 1, sizeof *local);
    dt_readers readers = {0};
    *result = local;
    if (!local) {
        return false;
    }
    local->tie_count = s->mechanism->loop_count + s->mechanism->transmission_count;
    if (!take_ties(arena, s, local)) {
        return false;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        for (int j = 0; j < s->tree->nodes[i].type->nv; j++) {
            local->node[s->tree->nodes[i].v + j] = i;
        }
    }
    fill_ties(s, local);
    if (!take_readers(arena, local, s->tree->nv, &readers)) {
        return false;
    }
    list_readers(local, s->tree->nv, &readers);
    order_ties(local, &readers);
    measure_clusters(local, s->tree->nv, local->place);
    return take_clusters(arena, local);
}
