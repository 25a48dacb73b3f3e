/*
 * What follows from what: which rows are active, and which freedoms depend on the others, by QR with pivots (closure.h). Rows and
 * freedoms are measured such that turns and ways compare.
 */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"
#include "dynamics/scale.h"

static bool is_held(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    return dt_is_prescribed(s, i) || s->closure->pinned[i] ||
           (k >= 0 && s->mode[k] == DETENT_LOCKED && !s->closure->assembles);
}

/*
 * QR with pivots of `count` columns of length `length` in c->qr: leaves the order of the columns in c->pivots, from 0.
 * Returns how many are independent, `largest` being the largest entry that there might be.
 */
static int pick(dt_closure *c, int length, int count, double largest)
{
    const int smaller = length < count ? length : count;
    int info = 0, rank = 0;
    memset(c->pivots, 0, (size_t)count * sizeof *c->pivots);
    if (smaller > 0) {
        dgeqp3_(&length, &count, c->qr, &length, c->pivots, c->tau, c->work, &c->work_length,
                &info);
    }
    const double first = smaller > 0 ? fabs(c->qr[0]) : 0;
    const double nothing = dt_closure_least_pivot(fmax(first, largest));
    while (rank < smaller && fabs(c->qr[(size_t)rank * (size_t)length + (size_t)rank]) > nothing) {
        rank++;
    }
    for (int k = 0; k < count && smaller > 0; k++) {
        c->pivots[k]--;
    }
    return rank;
}

/*
 * Rows that are independent for the freedoms that may move. What they have for these may be nothing but rounding, as of a point that turns about
 * itself, where all is held that they would have something for: that is asked for, too.
 */
static void choose_rows(dt_system *s, double length)
{
    dt_closure *c = s->closure;
    int free_count = 0;
    double largest = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        free_count += c->held[i] ? 0 : s->tree->nodes[i].type->nv;
    }
    for (int r = 0; r < c->rows; r++) {
        double *column = c->qr + (size_t)r * (size_t)free_count;
        int at = 0;
        for (int i = 0; i < s->tree->node_count; i++) {
            const dt_node *node = &s->tree->nodes[i];
            for (int j = 0; j < node->type->nv; j++) {
                const double entry = dt_closure_row_weight(s, r, length) *
                                     dt_closure_weight(node, length) *
                                     c->G[(size_t)(node->v + j) * (size_t)c->rows + (size_t)r];
                largest = fmax(largest, fabs(entry));
                if (!c->held[i]) {
                    column[at++] = dt_closure_preference(r) * entry;
                }
            }
        }
    }
    c->count = pick(c, free_count, c->rows, largest);
    memset(c->active, 0, (size_t)c->rows * sizeof *c->active);
    for (int k = 0; k < c->count; k++) {
        c->active[c->pivots[k]] = true;
    }
    for (int r = 0, k = 0; r < c->rows; r++) {
        if (c->active[r]) {
            c->row[k++] = r;
        }
    }
}

/* As many freedoms, for which these rows have the largest pivots. */
static void choose_freedoms(dt_system *s, double length)
{
    static const double seldom = 1e-6;
    dt_closure *c = s->closure;
    int count = 0;
    int *of = c->freedom; /* less than there are columns: looked up below */
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = 0; j < node->type->nv && !c->held[i]; j++, count++) {
            for (int k = 0; k < c->count; k++) {
                c->qr[(size_t)count * (size_t)c->count + (size_t)k] =
                    dt_closure_preference(node->v + j) * (c->kept[node->v + j] ? seldom : 1) *
                    dt_closure_row_weight(s, c->row[k], length) * dt_closure_weight(node, length) *
                    c->G[(size_t)(node->v + j) * (size_t)c->rows + (size_t)c->row[k]];
            }
        }
    }
    pick(c, c->count, count, 0);
    memset(c->dependent, 0, (size_t)s->tree->nv * sizeof *c->dependent);
    for (int i = 0, column = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = 0; j < node->type->nv && !c->held[i]; j++, column++) {
            for (int k = 0; k < c->count; k++) {
                c->dependent[node->v + j] = c->dependent[node->v + j] || c->pivots[k] == column;
            }
        }
    }
    for (int v = 0, k = 0; v < s->tree->nv; v++) {
        if (c->dependent[v]) {
            of[k++] = v;
        }
    }
}

/* Matrices of rows and freedoms are factored in these units: pivots in m beside others in rad would tell nothing. */
static void set_units(const dt_system *s, double length)
{
    dt_closure *c = s->closure;
    double mass = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        mass += s->tree->nodes[i].body->mass;
    }
    c->mass_unit = dt_power_below(mass);
    for (int r = 0; r < c->rows; r++) {
        c->row_unit[r] = dt_power_below(dt_closure_row_weight(s, r, length));
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            c->freedom_unit[v] = dt_power_below(dt_closure_weight(node, length));
        }
    }
}

double dt_closure_measure(const dt_system *s)
{
    const dt_closure *c = s->closure;
    return c->is_stepping && !c->assembles && c->length > 0 ? c->length : dt_closure_reach(s);
}

void dt_closure_choose(dt_system *s)
{
    dt_closure *c = s->closure;
    const double length = dt_closure_measure(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        c->held[i] = is_held(s, i);
    }
    dt_closure_update(s);
    c->length = length;
    set_units(s, length);
    if (c->local) {
        dt_closure_local_choose(s, length, true);
    } else {
        choose_rows(s, length);
        choose_freedoms(s, length);
    }
    dt_still_find(s);
    c->chosen = true;
    c->choice = ++c->choices;
    c->best = c->left_open = 0;
}

void dt_closure_keep(dt_system *s, int v)
{
    s->closure->kept[v] = true;
    s->closure->chosen = false;
}

void dt_closure_keep_not(dt_system *s, int v)
{
    s->closure->chosen = s->closure->chosen && !s->closure->kept[v];
    s->closure->kept[v] = false;
}

void dt_closure_pause(dt_system *s, int v)
{
    s->closure->paused[v] = true;
}

void dt_closure_pause_none(dt_system *s)
{
    memset(s->closure->paused, 0, (size_t)s->tree->nv * sizeof *s->closure->paused);
}

void dt_closure_keep_none(dt_system *s)
{
    dt_closure *c = s->closure;
    /* the choice is to follow from modes and pose alone, whoever looks meanwhile */
    for (int v = 0; v < s->tree->nv; v++) {
        c->chosen = c->chosen && !c->kept[v];
        c->kept[v] = false;
        s->v[v] = c->turning[v] != 0 ? 0 : s->v[v]; /* that of a dependent one follows */
        c->turning[v] = 0;
    }
}

void dt_closure_forget(dt_closure *c)
{
    c->chosen = false;
    c->length = c->pivot = 0; /* as where nothing has been closed yet */
}

void dt_closure_refresh(dt_system *s)
{
    dt_closure *c = s->closure;
    bool same = c->chosen;
    for (int i = 0; i < s->tree->node_count && same; i++) {
        same = c->held[i] == is_held(s, i);
    }
    if (!same) {
        dt_closure_choose(s);
    }
}
