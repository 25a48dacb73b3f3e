/* Where ties are open, where they close, and with whom: what of tie_front.h does not change. */
#include "base/joined.h"
#include "dynamics/tie_front.h"

#include <stdlib.h>

/* How much of a row an open tie keeps: Y, q, g, b; and what a slot holds of it. */
enum {
    KEPT = 6 + 3 + 3 + 3,
    SLOT = 6 * 18,
    MOST_ENDS = DETENT_MAX_COUPLED > 2 ? DETENT_MAX_COUPLED : 2
};

/* A tie, as it is sorted. */
typedef struct dt_place {
    int tie, component, closes;
} dt_place;

typedef struct dt_plan {
    const dt_system *s;
    dt_tie_front *f;
    dt_place *place; /**< ties */
    int *joined;     /**< ties: union and find */
    int *owner;      /**< nodes: the first tie that is open there, from 1; 0: none */
    int *mark;       /**< nodes + 1: the last tie that was seen there, from 1 */
    int *where;      /**< nodes + 1: its place among the open ones */
    int *closes;     /**< nodes + 1: how many close there */
} dt_plan;

/* The nodes that a tie touches; returns how many. */
static int ends_of(const dt_system *s, int t, int *node, double *sign)
{
    const detent_mechanism *m = s->mechanism;
    if (t < m->loop_count) {
        for (int e = 0; e < 2; e++) {
            node[e] = m->loops[t].node[e];
            sign[e] = e ? 1 : -1;
        }
        return 2;
    }
    const dt_transmission *of = &m->transmissions[t - m->loop_count];
    for (int k = 0; k < of->count; k++) {
        node[k] = of->joint[k];
        sign[k] = of->factor[k];
    }
    return of->count;
}

static int meet(const dt_tree *tree, int a, int b)
{
    while (a != b) {
        if (a > b) {
            a = tree->nodes[a].parent;
        } else {
            b = tree->nodes[b].parent;
        }
    }
    return a;
}

/* The node that carries all that a tie touches, of a transmission with the joints' own freedoms; -1: the ground. */
static int closes_at(const dt_system *s, int t)
{
    int node[MOST_ENDS];
    double sign[MOST_ENDS];
    const int count = ends_of(s, t, node, sign);
    const bool loop = t < s->mechanism->loop_count;
    int at = loop ? node[0] : s->tree->nodes[node[0]].parent;
    for (int k = 1; k < count; k++) {
        at = meet(s->tree, at, loop ? node[k] : s->tree->nodes[node[k]].parent);
    }
    return at;
}

static int next(const dt_plan *plan, int node)
{
    const int parent = plan->s->tree->nodes[node].parent;
    return parent < 0 ? plan->f->node_count : parent;
}

/* Counts where a tie is open, and joins it with those that are open there too. */
static void count_open(dt_plan *plan, int t)
{
    int node[MOST_ENDS];
    double sign[MOST_ENDS];
    const int count = ends_of(plan->s, t, node, sign), closes = plan->place[t].closes,
              end = closes < 0 ? plan->f->node_count : closes;
    for (int k = 0; k < count; k++) {
        for (int i = node[k]; i != end && plan->mark[i] != t + 1; i = next(plan, i)) {
            plan->mark[i] = t + 1;
            plan->f->stay[i]++;
            if (plan->owner[i]) {
                const int a = dt_first_of(plan->joined, t),
                          b = dt_first_of(plan->joined, plan->owner[i] - 1);
                plan->joined[a < b ? b : a] = a < b ? a : b;
            } else {
                plan->owner[i] = t + 1;
            }
        }
    }
    plan->closes[end]++;
}

static int compare(const void *a, const void *b)
{
    const dt_place *one = a, *other = b;
    if (one->component != other->component) {
        return one->component < other->component ? -1 : 1;
    }
    if (one->closes != other->closes) { /* as they are eliminated */
        return one->closes > other->closes ? -1 : 1;
    }
    return one->tie < other->tie ? -1 : one->tie > other->tie;
}

/* first and stay from the counts. */
static void lay_out(dt_plan *plan)
{
    dt_tie_front *f = plan->f;
    int at = 0;
    for (int i = 0; i <= f->node_count; i++) {
        const int open = f->stay[i];
        f->first[i] = at;
        f->stay[i] = at + open;
        at += open + plan->closes[i];
        plan->mark[i] = 0;
    }
    f->first[f->node_count + 1] = at;
}

/* The entry of a tie at a node, made where there is none yet. */
static dt_open *entry_at(dt_plan *plan, int t, int i, int *filled, bool *is_new)
{
    dt_tie_front *f = plan->f;
    *is_new = plan->mark[i] != t + 1;
    if (*is_new) {
        plan->mark[i] = t + 1;
        plan->where[i] = filled[i]++;
        f->open[plan->where[i]] = (dt_open){.tie = t, .up = -1};
    }
    return &f->open[plan->where[i]];
}

/* Enters a tie where it is open and where it closes. `filled`: the next free place of each kind, by node. */
static void enter(dt_plan *plan, int t, int closes, int *open_filled, int *close_filled)
{
    int node[MOST_ENDS];
    double sign[MOST_ENDS];
    const int count = ends_of(plan->s, t, node, sign);
    bool is_new = false;
    for (int k = 0; k < count; k++) {
        dt_open *below = NULL;
        for (int i = node[k];; i = next(plan, i)) {
            dt_open *here = entry_at(plan, t, i, i == closes ? close_filled : open_filled, &is_new);
            if (below) {
                below->up = plan->where[i];
            } else {
                here->touches = true;
                here->sign = sign[k];
            }
            if (i == closes || (!is_new && below)) {
                break;
            }
            below = here;
        }
    }
}

/* A slot that is not in use. */
static int take_slot(dt_tie_front *f, const int *free_slot, int *free_count)
{
    return *free_count > 0 ? free_slot[--*free_count] : f->slot_count++;
}

/* Who is the first to come to a tie, inward, and which slots are theirs from then on to the end of their node's turn. */
static void assign_slots(const dt_system *s, dt_tie_front *f, int *free_slot)
{
    int free_count = 0;
    for (int k = 0; k < f->first[f->node_count + 1]; k++) {
        f->open[k].slot = -1;
    }
    for (int i = f->node_count; i-- > 0;) {
        for (int k = f->first[i]; k < f->first[i + 1]; k++) {
            f->open[k].fresh = f->open[k].slot < 0;
            f->open[k].slot =
                f->open[k].fresh ? take_slot(f, free_slot, &free_count) : f->open[k].slot;
        }
        for (int k = f->first[i]; k < f->stay[i] && s->tree->nodes[i].parent >= 0; k++) {
            dt_open *up = &f->open[f->open[k].up];
            f->open[k].begins = up->slot < 0;
            up->slot = up->slot < 0 ? take_slot(f, free_slot, &free_count) : up->slot;
        }
        for (int k = f->first[i]; k < f->first[i + 1]; k++) {
            free_slot[free_count++] = f->open[k].slot;
        }
    }
}

/* Groups of those that close at one node and have to do with each other. */
static void group(dt_plan *plan, const int *component)
{
    dt_tie_front *f = plan->f;
    for (int i = 0; i <= f->node_count; i++) {
        f->closing_first[i] = f->closing_count;
        for (int k = f->stay[i]; k < f->first[i + 1]; k++) {
            dt_closing *last = f->closing_count ? &f->closing[f->closing_count - 1] : NULL;
            const int c = component[f->open[k].tie];
            if (k > f->stay[i] && component[f->open[k - 1].tie] == c) {
                last->end = k + 1;
                continue;
            }
            const bool rest = f->stay[i] > f->first[i] && component[f->open[f->first[i]].tie] == c;
            f->closing[f->closing_count++] =
                (dt_closing){.first = k,
                             .end = k + 1,
                             .rest = f->first[i],
                             .beyond = rest ? f->stay[i] : f->first[i]};
        }
    }
    f->closing_first[f->node_count + 1] = f->closing_count;
}

static void measure_width(dt_tie_front *f, const int *component)
{
    for (int i = 0; i <= f->node_count; i++) {
        for (int k = f->first[i]; k < f->first[i + 1]; k++) {
            /* open ones are one component; of those that close, the first and last of a component are farthest */
            const int low = k < f->stay[i] ? f->first[i] : f->stay[i];
            const int at = f->tie[f->open[k].tie].at;
            const int c = component[f->open[k].tie];
            for (int l = f->first[i]; l < f->stay[i]; l++) {
                const int apart = abs(f->tie[f->open[l].tie].at - at);
                if (component[f->open[l].tie] == c && apart > f->width) {
                    f->width = apart;
                }
            }
            for (int l = k - 1; l >= low && component[f->open[l].tie] == c; l--) {
                const int apart = abs(f->tie[f->open[l].tie].at - at);
                f->width = apart > f->width ? apart : f->width;
            }
        }
    }
}

/* ---- memory ---- */

#define TAKE(of, member, size) \
    (((of)->member = dt_arena_alloc(arena, (size), sizeof *(of)->member)) != NULL)

static bool take_plan(dt_arena *arena, dt_plan *plan)
{
    const size_t nodes = (size_t)plan->f->node_count + 1, ties = (size_t)plan->f->tie_count;
    return TAKE(plan, place, ties) && TAKE(plan, joined, ties) && TAKE(plan, owner, nodes) &&
           TAKE(plan, mark, nodes) && TAKE(plan, where, nodes) && TAKE(plan, closes, nodes);
}

static bool take_front(dt_arena *arena, const dt_system *s, dt_tie_front *f)
{
    const size_t nodes = (size_t)f->node_count, ties = (size_t)f->tie_count;
    const size_t rows = (size_t)dt_tie_rows(s->mechanism);
    return TAKE(f, tie, ties) && TAKE(f, first, nodes + 2) && TAKE(f, stay, nodes + 1) &&
           TAKE(f, closing_first, nodes + 2) && TAKE(f, closing, ties) && TAKE(f, u, rows) &&
           TAKE(f, w, rows) && TAKE(f, c, rows) && TAKE(f, Q, nodes) && TAKE(f, remote, rows);
}

static bool take_rows(dt_arena *arena, dt_tie_front *f)
{
    const size_t open = (size_t)f->first[f->node_count + 1];
    for (size_t k = 0; k < open; k++) {
        f->all_count += KEPT * (size_t)f->tie[f->open[k].tie].rows;
    }
    f->D_count = 36 * (size_t)f->tie_count * (size_t)(2 * f->width + 1);
    if (!TAKE(f, all, f->all_count) || !TAKE(f, D, f->D_count) ||
        !TAKE(f, slots, SLOT * (size_t)f->slot_count)) {
        return false;
    }
    double *at = f->all;
    for (size_t k = 0; k < open; k++) {
        const size_t rows = (size_t)f->tie[f->open[k].tie].rows;
        f->open[k].Y = (double(*)[6])at;
        f->open[k].q = (double(*)[3])(at + 6 * rows);
        f->open[k].g = (double(*)[3])(at + 9 * rows);
        f->open[k].b = (double(*)[3])(at + 12 * rows);
        f->open[k].C =
            f->open[k].slot < 0 ? NULL : (double(*)[18])(f->slots + SLOT * (size_t)f->open[k].slot);
        at += KEPT * rows;
    }
    return true;
}

static bool take_closings(dt_arena *arena, dt_tie_front *f)
{
    for (int g = 0; g < f->closing_count; g++) {
        dt_closing *closing = &f->closing[g];
        size_t n = 0, open = 0;
        for (int k = closing->first; k < closing->end; k++) {
            n += (size_t)f->tie[f->open[k].tie].rows;
        }
        for (int k = closing->rest; k < closing->beyond; k++) {
            open += (size_t)f->tie[f->open[k].tie].rows;
        }
        if (!TAKE(closing, row, n) || !TAKE(closing, pivots, n) || !TAKE(closing, matrix, n * n) ||
            !TAKE(closing, F, 18 * n) || !TAKE(closing, E, n * open)) {
            return false;
        }
    }
    return true;
}

/* Orders the ties; their components into `joined`. */
static void order(dt_plan *plan)
{
    dt_tie_front *f = plan->f;
    for (int t = 0; t < f->tie_count; t++) {
        plan->joined[t] = t;
        plan->place[t] = (dt_place){.tie = t, .closes = closes_at(plan->s, t)};
    }
    for (int t = 0; t < f->tie_count; t++) {
        count_open(plan, t);
    }
    for (int t = 0; t < f->tie_count; t++) {
        plan->place[t].component = plan->joined[t] = dt_first_of(plan->joined, t);
    }
    qsort(plan->place, (size_t)f->tie_count, sizeof *plan->place, compare);
    for (int k = 0; k < f->tie_count; k++) {
        f->tie[plan->place[k].tie].at = k;
    }
}

bool dt_tie_front_create(dt_arena *arena, const dt_system *s, dt_tie_front **front)
{
    const int loops = s->mechanism->loop_count;
    dt_tie_front *f = dt_arena_alloc(arena, 1, sizeof *f);
    dt_plan plan = {.s = s, .f = f};
    *front = f;
    if (!f) {
        return false;
    }
    f->node_count = s->tree->node_count;
    f->tie_count = loops + s->mechanism->transmission_count;
    if (!take_front(arena, s, f) || !take_plan(arena, &plan)) {
        return false;
    }
    for (int t = 0; t < f->tie_count; t++) {
        f->tie[t].row = t < loops ? 6 * t : 6 * loops + (t - loops);
        f->tie[t].rows = t < loops ? 6 : 1;
    }
    order(&plan);
    lay_out(&plan);
    if (!TAKE(f, open, (size_t)f->first[f->node_count + 1])) {
        return false;
    }
    int *open_filled = plan.owner, *close_filled = plan.closes;
    for (int i = 0; i <= f->node_count; i++) {
        open_filled[i] = f->first[i];
        close_filled[i] = f->stay[i];
    }
    for (int k = 0; k < f->tie_count; k++) {
        const int closes = plan.place[k].closes;
        enter(&plan, plan.place[k].tie, closes < 0 ? f->node_count : closes, open_filled,
              close_filled);
    }
    int *free_slot = dt_arena_alloc(arena, (size_t)f->first[f->node_count + 1], sizeof *free_slot);
    if (!free_slot) {
        return false;
    }
    assign_slots(s, f, free_slot);
    group(&plan, plan.joined);
    measure_width(f, plan.joined);
    return take_rows(arena, f) && take_closings(arena, f);
}
