#include "analysis/branches.h"

#include "base/error.h"
#include "dynamics/closure_parts.h"

#include <stdint.h>

/* The search ends when that many starts in a row, and so many more for each assembly, have led to none that is new; and after so many. */
enum { LEAST_STARTS = 100, STARTS_EACH = 30, MOST_STARTS = 10000, MOST_ROUNDS = 100 };
static const double turn = 6.283185307179586;

typedef struct search {
    dt_analysis *analysis;
    size_t most;
    double *positions;
    size_t *times; /**< most: how often each was found */
    double *start; /**< nq */
    bool *cyclic;  /**< node_count: turns without end, and no coupling counts them */
    double length;
    uint64_t chance;
    detent_branches *result;
} search;

/* Between -1 and 1; the same numbers in every search (Marsaglia's xorshift). */
static double random_number(search *f)
{
    f->chance ^= f->chance << 13;
    f->chance ^= f->chance >> 7;
    f->chance ^= f->chance << 17;
    return 2 * ((double)(f->chance >> 11) / 9007199254740992.0) - 1;
}

/* Holds who is kept, and what no row reads; finds who turns without end. */
static void pin(search *f, const bool *kept)
{
    dt_system *s = &f->analysis->system;
    dt_closure *c = s->closure;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const dt_priority *own = dt_priority_of(s->mechanism, i);
        bool stays = own && own->position == DETENT_PRIORITY_EXACT, tied = false, counted = false;
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            stays = stays || (kept && kept[v]);
            for (int r = 0; r < c->rows; r++) {
                const bool reads = dt_closure_entry(c, r, v) != 0;
                tied = tied || reads;
                counted = counted || (reads && !c->tie[r].kind->turned);
            }
        }
        c->pinned[i] = stays || !tied;
        f->cyclic[i] = node->type->nq == 1 && node->type->rotational && !counted;
    }
}

/* Whoever is free beside what is kept, or -1. */
static int find_free(const dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv && !s->closure->held[i]; v++) {
            if (!s->closure->dependent[v]) {
                return i;
            }
        }
    }
    return -1;
}

static void set_out(search *f)
{
    dt_system *s = &f->analysis->system;
    memcpy(s->q, f->start, (size_t)s->tree->nq * sizeof *s->q);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double *q = s->q + node->q;
        for (int k = 0; k < node->type->nq && !s->closure->held[i]; k++) {
            const double x = random_number(f);
            q[k] = node->type->nq == 4      ? x
                   : node->type->rotational ? q[k] + 0.5 * turn * x
                                            : q[k] + 2 * f->length * x;
        }
        if (node->type->nq > 0 && !s->closure->held[i]) {
            node->type->normalize(q);
        }
    }
    dt_system_pose(s);
}

static bool is_same(const search *f, const double *a, const double *b)
{
    static const double same = 1e-6;
    const dt_system *s = &f->analysis->system;
    bool equal = true;
    for (int i = 0; i < s->tree->node_count && equal; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double product = 0;
        for (int k = node->q; k < node->q + node->type->nq; k++) {
            product += a[k] * b[k];
        }
        if (node->type->nq == 1) {
            const double way = a[node->q] - b[node->q];
            equal = !node->type->rotational ? fabs(way) < same * f->length
                    : f->cyclic[i]          ? fabs(remainder(way, turn)) < same
                                            : fabs(way) < same;
        } else if (node->type->nq == 4) {
            equal = 1 - fabs(product) < same * same;
        }
    }
    return equal;
}

/* Lists the system's positions, if they are new: true; turns between -pi and pi. */
static bool list(search *f)
{
    const dt_system *s = &f->analysis->system;
    const size_t nq = (size_t)s->tree->nq;
    for (size_t k = 0; k < f->result->count; k++) {
        if (is_same(f, s->q, f->positions + k * nq)) {
            f->times[k]++;
            return false;
        }
    }
    if (f->result->count == f->most) {
        f->result->is_full = true;
        return false;
    }
    double *q = f->positions + f->result->count * nq;
    memcpy(q, s->q, nq * sizeof *q);
    for (int i = 0; i < s->tree->node_count; i++) {
        double *own = q + s->tree->nodes[i].q;
        *own = f->cyclic[i] && !s->closure->held[i] ? remainder(*own, turn) : *own;
    }
    f->times[f->result->count++] = 1;
    return true;
}

static void look_around(search *f)
{
    dt_system *s = &f->analysis->system;
    detent_branches *r = f->result;
    list(f);
    f->times[0] = 0;
    for (size_t idle = 0;
         idle < LEAST_STARTS + STARTS_EACH * r->count && r->starts < MOST_STARTS && !r->is_full;
         idle++) {
        set_out(f);
        r->starts++;
        if (dt_closure_close(s, MOST_ROUNDS)) {
            r->closed++;
            if (list(f)) {
                r->last_new = r->starts;
                idle = 0;
            }
        }
    }
    r->rarest = f->times[0];
    for (size_t k = 1; k < r->count; k++) {
        r->rarest = f->times[k] < r->rarest ? f->times[k] : r->rarest;
    }
}

detent_status dt_find_branches(dt_arena *arena, dt_analysis *n, const bool *kept, size_t most,
                               double *positions, detent_branches *result, detent_error *error)
{
    dt_system *s = &n->system;
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv;
    const double time = s->time;
    *result = (detent_branches){0};
    if (!s->closure) {
        memcpy(positions, s->q, nq * sizeof *positions);
        result->count = 1;
        return DETENT_OK;
    }
    search f = {.analysis = n,
                .most = most,
                .positions = positions,
                .length = dt_closure_reach(s),
                .chance = UINT64_C(0x9e3779b97f4a7c15),
                .result = result};
    f.times = dt_arena_alloc(arena, most, sizeof *f.times);
    f.start = dt_arena_alloc(arena, nq, sizeof *f.start);
    f.cyclic = dt_arena_alloc(arena, (size_t)s->tree->node_count, sizeof *f.cyclic);
    double *v = dt_arena_alloc(arena, nv, sizeof *v);
    if (!f.times || !f.start || !f.cyclic || !v) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL,
                       "out of memory for a search of assemblies");
    }
    memcpy(f.start, s->q, nq * sizeof *f.start);
    memcpy(v, s->v, nv * sizeof *v);
    dt_closure_keep_none(s);
    dt_closure_update(s);
    pin(&f, kept);
    dt_closure_choose(s);
    const int free = find_free(s);
    detent_status status = DETENT_OK;
    if (free >= 0) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "what is kept does not decide where '%s' is: there are assemblies without "
                         "number",
                         s->mechanism->primitives[free].name);
    } else {
        look_around(&f);
    }
    memset(s->closure->pinned, 0, (size_t)s->tree->node_count * sizeof *s->closure->pinned);
    s->closure->chosen = false;
    const detent_status back =
        dt_analysis_set_state(n, time, f.start, v, NULL, status ? NULL : error);
    return status ? status : back;
}
