/* What joints at rest may share: which rows say nothing new, and what multipliers of these do along the joints. */
#include "dynamics/closure_still.h"
#include "dynamics/split_parts.h"

#include "dynamics/closure_parts.h"

#include <math.h>

/* What rounding leaves of a sum, relative to its terms; pivots below say nothing new (closure.c). */
static const double nothing = 1e-9;

static double entry(const dt_closure *c, int row, int v)
{
    return dt_closure_entry(c, row, v);
}

/* Whether joints at rest are held by friction that has limits. */
static bool may_share(const dt_system *s, const bool *counts, int k)
{
    const bool own_test =
        dt_stiction_law(s, k, DT_STICTION_TEST)->program && !s->yielded[k] && !counts;
    return s->mode[k] == DETENT_LOCKED && !own_test && (!counts || counts[k]);
}

/* Marks by a place of 0 those that a tie reads. */
static void mark_tied(const dt_system *s, const dt_still_tie *tie, int *place)
{
    for (int n = tie->first; n < tie->end; n++) {
        const int k = s->mechanism->primitives[s->closure->still->node[n]].stiction;
        for (int row = tie->row; row < tie->row + tie->rows && k >= 0 && place[k] < 0; row++) {
            place[k] = entry(s->closure, row, dt_split_freedom(s, k)) != 0 ? 0 : -1;
        }
    }
}

void dt_split_mark(const dt_system *s, dt_split *split)
{
    const dt_closure *c = s->closure;
    const dt_still *still = c->still;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        split->place[k] = -1;
    }
    for (int t = 0; t < still->tie_count; t++) {
        mark_tied(s, &still->tie[t], split->place);
    }
    split->count = 0;
    for (int p = 0; p < split->part_count; p++) {
        dt_split_part *part = &split->part[p];
        part->count = part->columns = part->active_count = part->left = 0;
        part->used = 0;
        part->by_motions = false;
        for (int at = 0; at < part->rows; at++) {
            if (!c->active[part->row[at]]) {
                part->implied[part->left++] = part->row[at];
            }
        }
    }
    for (int k = 0; k < c->count; k++) {
        const int p = split->part_of_node[still->cluster[still->node_of[c->freedom[k]]]];
        if (p >= 0) {
            split->part[p].dependent[split->part[p].active_count++] = c->freedom[k];
        }
    }
    for (int p = 0; p < split->part_count; p++) {
        dt_split_part *part = &split->part[p];
        for (int at = 0, k = 0; at < part->rows; at++) {
            if (c->active[part->row[at]]) {
                part->active[k++] = part->row[at];
            }
        }
    }
}

void dt_split_list(const dt_system *s, const bool *counts, dt_split *split, dt_split_part *part)
{
    part->first = split->count;
    for (int at = 0; at < part->stictions; at++) {
        const int k = part->stiction[at];
        if (split->place[k] < 0 || !may_share(s, counts, k)) {
            split->place[k] = -1;
            continue;
        }
        split->place[k] = split->count;
        split->member[split->count++] = k;
    }
    part->count = split->count - part->first;
}

void dt_split_drop(dt_split *split, dt_split_part *part)
{
    for (int i = 0; i < part->count; i++) {
        split->place[split->member[dt_split_at(part, i)]] = -1;
    }
    split->count = part->first;
    part->count = part->columns = 0;
}

void dt_split_shares(const dt_closure *c, dt_split *split, dt_split_part *part)
{
    const int n = part->active_count, left = part->left;
    int info = 0;
    for (int at = 0; at < left; at++) {
        for (int d = 0; d < n; d++) {
            part->share[(size_t)at * (size_t)n + (size_t)d] =
                c->freedom_unit[part->dependent[d]] *
                entry(c, part->implied[at], part->dependent[d]);
        }
    }
    for (int r = 0; r < n; r++) {
        for (int d = 0; d < n; d++) {
            split->matrix[(size_t)r * (size_t)n + (size_t)d] =
                c->row_unit[part->active[r]] * c->freedom_unit[part->dependent[d]] *
                entry(c, part->active[r], part->dependent[d]);
        }
    }
    if (n > 0 && left > 0) {
        dgetrf_(&n, &n, split->matrix, &n, part->pivots, &info);
        if (info == 0) {
            dt_lu_solve(split->matrix, part->pivots, n, part->share, left);
        }
    }
    for (int at = 0; at < left; at++) {
        for (int r = 0; r < n; r++) {
            part->share[(size_t)at * (size_t)n + (size_t)r] *= c->row_unit[part->active[r]];
        }
    }
    part->left = info == 0 ? left : 0;
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

/* The friction that a unit multiplier of row `at` of those left puts on a stiction, where those of the active rows balance it. */
static double effect(const dt_system *s, const dt_split_part *part, int at, int stiction,
                     double length)
{
    const dt_closure *c = s->closure;
    const int v = dt_split_freedom(s, stiction);
    const double *share = part->share + (size_t)at * (size_t)part->active_count;
    double sum = -entry(c, part->implied[at], v), size = fabs(sum);
    for (int r = 0; r < part->active_count; r++) {
        const double term = share[r] == 0 ? 0 : share[r] * entry(c, part->active[r], v);
        sum += term;
        size += fabs(term);
    }
    size = fmax(size, usual_entry(s, part->implied[at], stiction, length));
    return fabs(sum) > nothing * size ? sum : 0;
}

int dt_split_rank(const dt_system *s, dt_split *split, dt_split_part *part, double length)
{
    const dt_closure *c = s->closure;
    const int n = part->count, count = part->left, smaller = n < count ? n : count;
    int info = 0;
    for (int at = 0; at < count; at++) {
        for (int i = 0; i < n; i++) {
            const int k = split->member[dt_split_at(part, i)];
            const double own = c->row_unit[part->implied[at]] * effect(s, part, at, k, length);
            split->candidate[(size_t)at * (size_t)n + (size_t)i] = own;
            part->U[(size_t)at * (size_t)n + (size_t)i] =
                c->freedom_unit[dt_split_freedom(s, k)] * own;
        }
    }
    memset(part->pivots, 0, (size_t)count * sizeof *part->pivots);
    if (smaller == 0) {
        return 0;
    }
    dgeqp3_(&n, &count, part->U, &n, part->pivots, split->tau, split->work, &split->work_length,
            &info);
    const double first = fabs(part->U[0]);
    int rank = 0;
    while (rank < smaller && first > 0 &&
           fabs(part->U[(size_t)rank * (size_t)n + (size_t)rank]) > nothing * first) {
        rank++;
    }
    return rank;
}
