/* What joints at rest may share: which rows say nothing new, and what multipliers of these do along the joints. */
#include "dynamics/split_parts.h"

#include "dynamics/closure_parts.h"

#include <math.h>

/* What rounding leaves of a sum, relative to its terms; pivots below say nothing new (closure.c). */
static const double nothing = 1e-9;

/* ---- set-up ---- */

bool dt_split_take(dt_arena *arena, const dt_system *s, dt_split *split)
{
    const size_t ns = (size_t)s->mechanism->stiction_count, rows = (size_t)s->closure->rows;
    const size_t most = rows > ns ? rows : ns;
    split->work_length = (int)(4 * most + 64);
#define TAKE(member, size) \
    ((split->member = dt_arena_alloc(arena, (size), sizeof *split->member)) != NULL)
    return TAKE(f, ns) && TAKE(member, ns) && TAKE(U, ns * most) && TAKE(row, rows) &&
           TAKE(y, most) && TAKE(load, ns) && TAKE(size, ns) &&
           TAKE(largest, (size_t)s->tree->node_count) && TAKE(limits, ns) && TAKE(off, ns) &&
           TAKE(width, ns) && TAKE(matrix, rows * rows) && TAKE(share, rows * rows) &&
           TAKE(candidate, ns * rows) && TAKE(tau, most) && TAKE(pivots, most) &&
           TAKE(work, (size_t)split->work_length) && TAKE(way, ns) && TAKE(place, ns) &&
           TAKE(motion, ns) && TAKE(wide_member, ns) && TAKE(open_column, most) &&
           TAKE(R, ns * rows) && TAKE(rest, ns) && TAKE(wide_limits, ns) && TAKE(wide_width, ns) &&
           TAKE(x, most) &&
           dt_narrow_create(arena, (int)ns, (int)(ns < rows ? ns : rows), &split->narrow) &&
           dt_minimax_create(arena, (int)ns, (int)(ns < rows ? ns : rows), &split->minimax) &&
           dt_bounded_create(arena, (int)ns, (int)(ns < rows ? ns : rows), &split->least);
#undef TAKE
}

bool dt_split_create(dt_arena *arena, dt_system *s)
{
    dt_closure *c = s->closure;
    /* one joint alone shares with rows, where its loop cannot move; in many loops that would cost too much to find out */
    const detent_mechanism *m = s->mechanism;
    if (!c || !(m->follows_loops || (c->local ? m->ties_stictions : m->rubs_in_loops))) {
        return true;
    }
    c->split = dt_arena_alloc(arena, 1, sizeof *c->split);
    return c->split && dt_split_take(arena, s, c->split);
}

/* ---- what may be shared ---- */

static double entry(const dt_closure *c, int row, int v)
{
    return dt_closure_entry(c, row, v);
}

void dt_split_list(const dt_system *s, const bool *counts, dt_split *split)
{
    const dt_closure *c = s->closure;
    split->count = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const bool own_test =
            dt_stiction_law(s, k, DT_STICTION_TEST)->program && !s->yielded[k] && !counts;
        bool tied = false;
        split->place[k] = -1;
        for (int row = 0; row < c->rows && !tied; row++) {
            tied = entry(c, row, dt_split_freedom(s, k)) != 0;
        }
        if (tied && s->mode[k] == DETENT_LOCKED && !own_test && (!counts || counts[k])) {
            split->place[k] = split->count;
            split->member[split->count++] = k;
        }
    }
}

int dt_split_shares(const dt_closure *c, dt_split *split)
{
    int info = 0, count = 0;
    for (int r = 0; r < c->rows; r++) {
        if (c->active[r]) {
            continue;
        }
        for (int d = 0; d < c->count; d++) {
            split->share[(size_t)count * (size_t)c->count + (size_t)d] =
                c->freedom_unit[c->freedom[d]] * entry(c, r, c->freedom[d]);
        }
        split->row[count++] = r;
    }
    for (int r = 0; r < c->count; r++) {
        for (int d = 0; d < c->count; d++) {
            split->matrix[(size_t)r * (size_t)c->count + (size_t)d] =
                c->row_unit[c->row[r]] * c->freedom_unit[c->freedom[d]] *
                entry(c, c->row[r], c->freedom[d]);
        }
    }
    if (c->count > 0 && count > 0) {
        dgetrf_(&c->count, &c->count, split->matrix, &c->count, split->pivots, &info);
        if (info == 0) {
            dgetrs_("N", &c->count, &count, split->matrix, &c->count, split->pivots, split->share,
                    &c->count, &info);
        }
    }
    for (int at = 0; at < count; at++) {
        for (int r = 0; r < c->count; r++) {
            split->share[(size_t)at * (size_t)c->count + (size_t)r] *= c->row_unit[c->row[r]];
        }
    }
    return info == 0 ? count : 0;
}

/*
 * What an entry of a row of loops ordinarily is, for a joint: an axis that goes through a loop's own point leaves the rounding of
 * positions, which is nothing beside that.
 */
static double usual_entry(const dt_system *s, int row, int stiction, double length)
{
    const dt_node *node = &s->tree->nodes[s->mechanism->stictions[stiction].primitive];
    return 1 / (dt_closure_row_weight(s, row, length) * dt_closure_weight(node, length));
}

/* The friction that a unit multiplier of inactive row `at` puts on a member, where those of the active rows balance it. */
static double effect(const dt_system *s, const dt_split *split, int at, int member, double length)
{
    const dt_closure *c = s->closure;
    const int v = dt_split_freedom(s, split->member[member]);
    double sum = -entry(c, split->row[at], v), size = fabs(sum);
    for (int r = 0; r < c->count; r++) {
        const double term =
            split->share[(size_t)at * (size_t)c->count + (size_t)r] * entry(c, c->row[r], v);
        sum += term;
        size += fabs(term);
    }
    size = fmax(size, usual_entry(s, split->row[at], split->member[member], length));
    return fabs(sum) > nothing * size ? sum : 0;
}

int dt_split_rank(const dt_system *s, int count, dt_split *split)
{
    const dt_closure *c = s->closure;
    const int n = split->count, smaller = n < count ? n : count;
    const double length = dt_closure_reach(s);
    int info = 0;
    for (int at = 0; at < count; at++) {
        for (int k = 0; k < n; k++) {
            const double own = c->row_unit[split->row[at]] * effect(s, split, at, k, length);
            split->candidate[(size_t)at * (size_t)n + (size_t)k] = own;
            split->U[(size_t)at * (size_t)n + (size_t)k] =
                c->freedom_unit[dt_split_freedom(s, split->member[k])] * own;
        }
    }
    memset(split->pivots, 0, (size_t)count * sizeof *split->pivots);
    if (smaller == 0) {
        return 0;
    }
    dgeqp3_(&n, &count, split->U, &n, split->pivots, split->tau, split->work, &split->work_length,
            &info);
    const double first = fabs(split->U[0]);
    int rank = 0;
    while (rank < smaller && first > 0 &&
           fabs(split->U[(size_t)rank * (size_t)n + (size_t)rank]) > nothing * first) {
        rank++;
    }
    return rank;
}
