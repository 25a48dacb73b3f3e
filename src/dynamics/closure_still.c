#include "dynamics/closure_still.h"
#include "base/joined.h"

#include "dynamics/closure_parts.h"
#include "dynamics/element.h"
#include "dynamics/linear_laws.h"

#include <math.h>

/* ---- spans ---- */

/* Writes the nodes of the way between two nodes, or from one to the ground where they are the same; returns how many. */
static int list_way(const dt_system *s, int one, int other, int *nodes)
{
    int at[2] = {one, one == other ? -1 : other}, count = 0;
    while (at[0] != at[1]) {
        int *far = &at[at[1] > at[0]]; /* parents have smaller numbers */
        if (nodes) {
            nodes[count] = *far;
        }
        count++;
        *far = s->tree->nodes[*far].parent;
    }
    return count;
}

/* The nodes whose freedoms an item of an element ties; returns how many. `nodes` may be NULL. */
static int list_span(const dt_system *s, const dt_element_kind *element, int item, int *nodes)
{
    dt_remote remote = {.element = element, .item = item};
    int count = 0;
    element->answer_nodes(s->mechanism, &remote);
    if (!element->answer_joins) {
        return list_way(s, remote.node, remote.other, nodes);
    }
    for (int k = 0, node; (node = element->answer_joins(s->mechanism, &remote, k)) >= 0; k++) {
        if (nodes) {
            nodes[count] = node;
        }
        count++;
    }
    return count;
}

/* All ties; counts them and their nodes alone where `still` has no memory yet. */
static void list_ties(const dt_system *s, dt_still *still, int *ties, int *nodes)
{
    int row = 0;
    *ties = *nodes = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_tie_kind *kind = dt_elements[k]->tie;
        const int count = kind ? dt_element_count(k, s->mechanism) : 0;
        for (int item = 0; item < count; item++, row += kind->rows) {
            const int first = *nodes;
            *nodes += list_span(s, dt_elements[k], item, still->node ? still->node + first : NULL);
            if (still->tie) {
                still->tie[*ties] =
                    (dt_still_tie){.row = row, .rows = kind->rows, .first = first, .end = *nodes};
            }
            ++*ties;
        }
    }
}

/* Every node of a span once. */
static void list_tied(const dt_system *s, dt_still *still, int nodes)
{
    int *seen = still->group; /* not needed yet, and 0 */
    for (int k = 0; k < nodes; k++) {
        seen[still->node[k]] = 1;
    }
    still->tied_count = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (seen[i]) {
            still->tied[still->tied_count++] = i;
        }
    }
}

/* Spans that have nodes in common. */
static void list_clusters(const dt_system *s, dt_still *still)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        still->cluster[i] = i;
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            still->node_of[v] = i;
        }
    }
    for (int t = 0; t < still->tie_count; t++) {
        const dt_still_tie *tie = &still->tie[t];
        for (int k = tie->first + 1; k < tie->end; k++) {
            still->cluster[dt_first_of(still->cluster, still->node[k])] =
                dt_first_of(still->cluster, still->node[tie->first]);
        }
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        still->cluster[i] = dt_first_of(still->cluster, i);
    }
    for (int t = 0; t < still->tie_count; t++) {
        const dt_still_tie *tie = &still->tie[t];
        for (int r = tie->row; r < tie->row + tie->rows; r++) {
            still->cluster_of_row[r] =
                tie->first < tie->end ? still->cluster[still->node[tie->first]] : -1;
        }
    }
}

bool dt_still_create(dt_arena *arena, const dt_system *s, dt_still **into)
{
    dt_still *still = dt_arena_alloc(arena, 1, sizeof *still);
    int nodes;
    *into = still;
    if (!still) {
        return false;
    }
    list_ties(s, still, &still->tie_count, &nodes);
    const size_t all = (size_t)s->tree->node_count;
    still->tie = dt_arena_alloc(arena, (size_t)still->tie_count, sizeof *still->tie);
    still->node = dt_arena_alloc(arena, (size_t)nodes, sizeof *still->node);
    still->tied = dt_arena_alloc(arena, all, sizeof *still->tied);
    still->cluster = dt_arena_alloc(arena, all, sizeof *still->cluster);
    still->cluster_of_row =
        dt_arena_alloc(arena, (size_t)s->closure->rows, sizeof *still->cluster_of_row);
    still->node_of = dt_arena_alloc(arena, (size_t)s->tree->nv, sizeof *still->node_of);
    still->fastest = dt_arena_alloc(arena, all, sizeof *still->fastest);
    still->open = dt_arena_alloc(arena, all, sizeof *still->open);
    still->rest = dt_arena_alloc(arena, all, sizeof *still->rest);
    still->group = dt_arena_alloc(arena, all, sizeof *still->group);
    still->surplus = dt_arena_alloc(arena, all, sizeof *still->surplus);
    if (!still->tie || !still->node || !still->tied || !still->cluster || !still->cluster_of_row ||
        !still->node_of || !still->fastest || !still->open || !still->rest || !still->group ||
        !still->surplus) {
        return false;
    }
    list_ties(s, still, &still->tie_count, &nodes);
    list_tied(s, still, nodes);
    list_clusters(s, still);
    return true;
}

/* ---- what stands still ---- */

static int freedoms(const dt_system *s, int node)
{
    return s->tree->nodes[node].type->nv;
}

/* Who is held at rest by itself, and what ties have to tell. */
static void start(dt_system *s)
{
    const dt_closure *c = s->closure;
    dt_still *still = c->still;
    still->any = false;
    for (int i = 0; i < s->tree->node_count; i++) {
        still->rest[i] = c->held[i] || freedoms(s, i) == 0 ? DT_STILL_LOCKED : DT_STILL_MOVES;
    }
    for (int t = 0; t < still->tie_count; t++) {
        dt_still_tie *tie = &still->tie[t];
        tie->active = 0;
        tie->is_driven = tie->stands = false;
        for (int r = tie->row; r < tie->row + tie->rows; r++) {
            tie->active += c->active[r];
        }
        for (int k = tie->first; k < tie->end; k++) {
            const int i = still->node[k];
            /* held by its motion, or by the assembly: or locked, and to be stopped in a moment */
            tie->is_driven =
                tie->is_driven || (c->held[i] && (dt_is_prescribed(s, i) || c->pinned[i] ||
                                                  s->v[s->tree->nodes[i].v] != 0));
        }
    }
}

static int count_moving(const dt_system *s, const dt_still_tie *tie)
{
    const dt_still *still = s->closure->still;
    int count = 0;
    for (int k = tie->first; k < tie->end; k++) {
        const int i = still->node[k];
        count += still->rest[i] == DT_STILL_MOVES ? freedoms(s, i) : 0;
    }
    return count;
}

static void stop(dt_still *still, dt_still_tie *tie)
{
    tie->stands = true;
    for (int k = tie->first; k < tie->end; k++) {
        if (still->rest[still->node[k]] == DT_STILL_MOVES) {
            still->rest[still->node[k]] = DT_STILL_HELD;
            still->any = true;
        }
    }
}

/* Ties that decide alone what of their span is left, to and fro until there are no more. */
static void follow(dt_system *s)
{
    dt_still *still = s->closure->still;
    bool more = true;
    for (int pass = 0; more; pass++) {
        more = false;
        for (int k = 0; k < still->tie_count; k++) {
            dt_still_tie *tie = &still->tie[pass % 2 ? still->tie_count - 1 - k : k];
            if (!tie->stands && !tie->is_driven) {
                tie->moving = count_moving(s, tie);
                if (tie->moving <= tie->active) {
                    stop(still, tie);
                    more = true;
                }
            }
        }
    }
}

/* The group of what is left of a tie; -1: nothing is. */
static int group_of(dt_still *still, const dt_still_tie *tie)
{
    for (int k = tie->first; k < tie->end; k++) {
        if (still->rest[still->node[k]] == DT_STILL_MOVES) {
            return dt_first_of(still->group, still->node[k]);
        }
    }
    return -1;
}

/* Ties that have in common what may move decide together. */
static void join(dt_system *s)
{
    dt_still *still = s->closure->still;
    for (int i = 0; i < s->tree->node_count; i++) {
        still->group[i] = i;
        still->surplus[i] = 0;
    }
    for (int t = 0; t < still->tie_count; t++) {
        const dt_still_tie *tie = &still->tie[t];
        for (int k = tie->first; k < tie->end; k++) {
            const int i = still->node[k];
            if (still->rest[i] == DT_STILL_MOVES) {
                still->group[dt_first_of(still->group, i)] = group_of(still, tie);
            }
        }
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        if (still->rest[i] == DT_STILL_MOVES) {
            still->surplus[dt_first_of(still->group, i)] += freedoms(s, i);
        }
    }
    for (int t = 0; t < still->tie_count; t++) {
        const int group = group_of(still, &still->tie[t]);
        if (group >= 0) {
            still->surplus[group] -= still->tie[t].is_driven ? -s->tree->nv : still->tie[t].active;
        }
    }
    for (int t = 0; t < still->tie_count; t++) {
        const int group = group_of(still, &still->tie[t]);
        still->tie[t].moving = group >= 0 ? still->surplus[group] : 0;
    }
    for (int t = 0; t < still->tie_count; t++) {
        dt_still_tie *tie = &still->tie[t];
        if (!tie->stands && !tie->is_driven && tie->moving <= 0) {
            stop(still, tie);
        }
    }
}

void dt_still_find(dt_system *s)
{
    start(s);
    follow(s);
    join(s);
}

/* ---- what that is good for ---- */

bool dt_still_reads(const dt_still *still, int node)
{
    int low = 0, high = still->tied_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        low = still->tied[middle] < node ? middle + 1 : low;
        high = still->tied[middle] < node ? high : middle;
    }
    return low < still->tied_count && still->tied[low] == node;
}

double dt_still_errors(const dt_system *s, double *still)
{
    const dt_still *found = s->closure->still;
    const double length = dt_closure_reach(s);
    double moving = 0;
    *still = 0;
    memset(found->open, 0, (size_t)s->tree->node_count * sizeof *found->open);
    for (int t = 0; t < found->tie_count; t++) {
        const int row = found->tie[t].row, cluster = found->cluster_of_row[row];
        const double error = dt_closure_row_error(s, row, length);
        double *worst = found->tie[t].stands ? still : &moving;
        *worst = fmax(*worst, error);
        if (cluster >= 0) {
            found->open[cluster] = fmax(found->open[cluster], error);
        }
    }
    return moving;
}

/* Whether what a tie reads is at rest; whether it begins to move, and whether some joint of it is locked. */
static bool rests(const dt_system *s, const dt_still_tie *tie, bool *begins, bool *locked)
{
    const dt_still *still = s->closure->still;
    bool moves = false;
    *begins = *locked = false;
    for (int k = tie->first; k < tie->end; k++) {
        const int i = still->node[k], stiction = s->mechanism->primitives[i].stiction;
        const dt_node *node = &s->tree->nodes[i];
        *locked = *locked || (stiction >= 0 && s->mode[stiction] == DETENT_LOCKED);
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            moves = moves || s->v[v] != 0;
            *begins = *begins || s->a[v] != 0;
        }
    }
    return !moves;
}

dt_still_start dt_still_sets_out(const dt_system *s)
{
    const dt_still *still = s->closure->still;
    dt_still_start start = DT_STILL_STARTS_NOTHING;
    for (int t = 0; t < still->tie_count && start != DT_STILL_STARTS_BESIDE_LOCKS; t++) {
        bool begins, locked;
        if (rests(s, &still->tie[t], &begins, &locked) && begins) {
            start = locked ? DT_STILL_STARTS_BESIDE_LOCKS : DT_STILL_STARTS;
        }
    }
    return start;
}

bool dt_still_waits(const dt_system *s, const dt_still_tie *tie)
{
    bool begins, locked;
    return !tie->stands && rests(s, tie, &begins, &locked) && locked && !begins;
}

bool dt_still_is_exact(const dt_system *s, const double *r_q, const double *r_f, const double *r_m)
{
    const dt_still *still = s->closure->still;
    bool exact = still->any;
    for (int t = 0; t < still->tie_count && exact; t++) {
        const dt_still_tie *tie = &still->tie[t];
        for (int r = tie->row; r < tie->row + tie->rows && tie->stands; r++) {
            exact = exact && (!s->closure->active[r] || r_m[r] == 0);
        }
        for (int k = tie->first; k < tie->end && tie->stands; k++) {
            const int i = still->node[k], stiction = s->mechanism->primitives[i].stiction;
            const dt_node *node = &s->tree->nodes[i];
            for (int c = node->q; c < node->q + node->type->nq && r_q; c++) {
                exact = exact && r_q[c] == 0;
            }
            exact =
                exact && (still->rest[i] == DT_STILL_HELD || stiction < 0 || r_f[stiction] == 0);
        }
    }
    return exact;
}

void dt_still_clear(const dt_system *s, double *d_q, double *d_v)
{
    for (int i = 0; i < s->tree->node_count && s->closure->still->any; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (!dt_still_holds(s->closure->still, i)) {
            continue;
        }
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            d_v[v] = 0;
        }
        for (int c = node->q; c < node->q + node->type->nq && d_q; c++) {
            d_q[c] = 0;
        }
    }
}
