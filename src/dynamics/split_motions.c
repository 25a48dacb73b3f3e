#include "dynamics/split_motions.h"

#include "dynamics/closure.h"
#include "dynamics/closure_local.h"
#include "dynamics/closure_still.h"
#include "dynamics/split_parts.h"

#include <math.h>

/* Members below which U is small; entries that say nothing new (closure.c); what is left of G d, beside its terms; of a
   member that does not move. */
enum { SMALL = 32 };
static const double nothing = 1e-9, exact = 1e-11, rounding = 1e-13;

/* ---- set-up ---- */

/* Entries of the rows of a cluster. */
static size_t count_entries(const dt_closure_local *local, const dt_cluster *cluster)
{
    size_t count = 0;
    for (int k = cluster->first; k < cluster->end; k++) {
        const dt_tie *tie = &local->tie[local->order[k]];
        count += (size_t)tie->rows * (size_t)(tie->end - tie->first);
    }
    return count;
}

static bool take(dt_arena *arena, const dt_closure_local *local, const dt_split_part *part,
                 dt_split_motions *of)
{
    const dt_cluster *cluster = &local->cluster[of->cluster];
    const size_t n = (size_t)part->stictions, rows = (size_t)part->rows,
                 columns = (size_t)cluster->columns, entries = count_entries(local, cluster);
    of->most = part->stictions / 4;
    const size_t most = (size_t)of->most;
#define TAKE(member, size) \
    ((of->member = dt_arena_alloc(arena, (size), sizeof *of->member)) != NULL)
    return TAKE(row, rows) && TAKE(reads, columns) && TAKE(D, n * (most + 1)) &&
           TAKE(reduced, n * (most + 1)) && TAKE(line, most + 1) && TAKE(usual, n) &&
           TAKE(x, columns) && TAKE(m, rows) &&
           dt_sparse_rows_create(arena, part->rows, cluster->columns, entries, 8 * entries,
                                 &of->rows) &&
           dt_few_create(arena, of->most, part->stictions, &of->few);
#undef TAKE
}

bool dt_split_motions_create(dt_arena *arena, const dt_system *s, dt_split_part *part)
{
    const dt_closure_local *local = s->closure->local;
    /* what laws read of the loops is shared by matrices anyway (self_stress.h) */
    if (part->stictions < SMALL || !local || s->mechanism->follows_loops) {
        return true;
    }
    const int cluster = local->tie[local->row_tie[part->row[0]]].cluster;
    if (local->cluster[cluster].row_count != part->rows) {
        return true; /* it is several */
    }
    part->motions = dt_arena_alloc(arena, 1, sizeof *part->motions);
    if (!part->motions) {
        return false;
    }
    part->motions->cluster = cluster;
    return take(arena, local, part, part->motions);
}

/* ---- D ---- */

/* Whether a freedom may move, or is that of a member. */
static bool may_move(const dt_system *s, const dt_split *split, const dt_split_part *part, int node)
{
    const int k = s->mechanism->primitives[node].stiction;
    const int place = k >= 0 ? split->place[k] : -1;
    return !s->closure->held[node] || (place >= part->first && place < part->first + part->count);
}

/* The rows of a tie, of what may move. */
static void give_rows(const dt_system *s, const dt_split *split, const dt_split_part *part,
                      const dt_tie *tie)
{
    const dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    dt_split_motions *of = part->motions;
    for (int r = 0; r < tie->rows; r++) {
        for (int k = tie->first; k < tie->end; k++) {
            const int v = local->freedom[k];
            const double entry =
                local->G[tie->block + (size_t)(k - tie->first) * (size_t)tie->rows + (size_t)r];
            if (may_move(s, split, part, local->node[v])) {
                of->reads[local->column[v]] = true;
                dt_sparse_rows_add(&of->rows, local->column[v],
                                   c->row_unit[tie->row + r] * c->freedom_unit[v] * entry);
            }
        }
        of->row[of->rows.given.rows] = tie->row + r;
        dt_sparse_rows_end_row(&of->rows, tie->at);
    }
}

static void give(const dt_system *s, const dt_split *split, const dt_split_part *part)
{
    const dt_closure_local *local = s->closure->local;
    dt_split_motions *of = part->motions;
    const dt_cluster *cluster = &local->cluster[of->cluster];
    memset(of->reads, 0, (size_t)cluster->columns * sizeof *of->reads);
    dt_sparse_rows_begin(&of->rows, cluster->columns);
    for (int k = cluster->first; k < cluster->end; k++) {
        give_rows(s, split, part, &local->tie[local->order[k]]);
    }
}

/* What a motion of unknowns does to the members. */
static void read_members(const dt_system *s, const dt_split *split, const dt_split_part *part,
                         double *d)
{
    const dt_closure *c = s->closure;
    for (int i = 0; i < part->count; i++) {
        const int v = dt_split_freedom(s, split->member[dt_split_at(part, i)]);
        d[i] = c->freedom_unit[v] * part->motions->x[c->local->column[v]];
    }
}

/* All motions, one for each unknown without a pivot; false where they are many, or not exact. */
static bool list_motions(const dt_system *s, const dt_split *split, const dt_split_part *part)
{
    dt_split_motions *of = part->motions;
    bool good = true;
    of->all = 0;
    for (int column = 0; column < of->rows.columns && good; column++) {
        if (of->reads[column] && of->rows.pivot[column] < 0) {
            good = of->all < of->most;
            if (good) {
                dt_sparse_rows_motion(&of->rows, column, of->x);
                good = dt_sparse_rows_error(&of->rows, of->x) <= exact;
                read_members(s, split, part, of->D + (size_t)of->all++ * (size_t)part->count);
            }
        }
    }
    return good;
}

/* Who follows from others, by which the rest of members are told; all alike, without. */
typedef struct ranking {
    const double *width;
    const int *lost;
} ranking;

/* The largest entry left of motions from `from` on, of the members that come last, of those with a width each by that; false where there is none. */
static bool find_pivot(const dt_split_part *part, const double *D, int from, const ranking *by,
                       int *row, int *column)
{
    const dt_split_motions *of = part->motions;
    double most = 0;
    int last = -1;
    for (int j = from; j < of->all; j++) {
        for (int i = 0; i < part->count; i++) {
            const double entry = fabs(D[(size_t)j * (size_t)part->count + (size_t)i]),
                         size = !by                ? entry
                                : by->width[i] > 0 ? entry * by->width[i]
                                                   : entry / of->usual[i];
            const int rank = by ? dt_narrow_rank(by->width[i], by->lost[i]) : 0;
            if (entry > nothing * of->usual[i] && (rank > last || (rank == last && size > most))) {
                most = size;
                last = rank;
                *row = i;
                *column = j;
            }
        }
    }
    return most > 0;
}

/* Motion j becomes the one numbered `at`, of which member i moves by 1, and by none of the others. */
static void eliminate(const dt_split_part *part, double *D, int at, int i, int j)
{
    const size_t n = (size_t)part->count;
    double *own = D + (size_t)at * n, *from = D + (size_t)j * n;
    const double by = from[i];
    for (size_t k = 0; k < n; k++) {
        const double entry = from[k] / by;
        from[k] = own[k];
        own[k] = entry;
    }
    own[i] = 1;
    for (int other = 0; other < part->motions->all; other++) {
        double *d = D + (size_t)other * n;
        const double factor = d[i];
        for (size_t k = 0; k < n && other != at && factor != 0; k++) {
            d[k] -= factor * own[k];
        }
        d[i] = other == at ? 1 : 0;
    }
}

/* What elimination leaves of members that a motion does not move. */
static void clear_rounding(const dt_split_part *part, double *D, int count)
{
    const dt_split_motions *of = part->motions;
    for (int l = 0; l < count; l++) {
        double *d = D + (size_t)l * (size_t)part->count;
        for (int i = 0; i < part->count; i++) {
            d[i] = fabs(d[i]) * of->usual[of->line[l]] > rounding * of->usual[i] ? d[i] : 0;
        }
    }
}

/* Gauss and Jordan on the motions; the members in of->line. Returns how many are independent. */
static int reduce(const dt_split_part *part, double *D, const ranking *by)
{
    dt_split_motions *of = part->motions;
    int count = 0, row = 0, column = 0;
    for (int i = 0; i < part->count; i++) {
        of->usual[i] = 0;
        for (int j = 0; j < of->all; j++) {
            of->usual[i] = fmax(of->usual[i], fabs(D[(size_t)j * (size_t)part->count + (size_t)i]));
        }
    }
    while (find_pivot(part, D, count, by, &row, &column)) {
        of->line[count] = row;
        eliminate(part, D, count++, row, column);
    }
    clear_rounding(part, D, count);
    return count;
}

bool dt_split_motions_find(const dt_system *s, const dt_split *split, dt_split_part *part)
{
    dt_split_motions *of = part->motions;
    part->by_motions = false;
    if (!of || part->count < SMALL) {
        return false;
    }
    give(s, split, part);
    part->by_motions = dt_sparse_rows_eliminate(&of->rows, nothing) && list_motions(s, split, part);
    if (part->by_motions) {
        of->all = reduce(part, of->D, NULL);
        part->columns = part->count - of->all;
    }
    return part->by_motions;
}

/* ---- sharing ---- */

void dt_split_motions_choose(const dt_split *split, dt_split_part *part)
{
    dt_split_motions *of = part->motions;
    dt_narrow *narrow = &part->narrow;
    const size_t n = (size_t)part->count;
    const double *load = split->load + part->first;
    memcpy(of->reduced, of->D, n * (size_t)of->all * sizeof *of->reduced);
    const ranking by = {split->width + part->first, split->lost + part->first};
    of->count = reduce(part, of->reduced, &by);
    part->columns = part->count - of->count;
    memset(narrow->column, 0, n * sizeof *narrow->column);
    memset(narrow->rest, 0, n * sizeof *narrow->rest);
    memset(narrow->size, 0, n * sizeof *narrow->size);
    for (int l = 0; l < of->count; l++) {
        const double *d = of->reduced + (size_t)l * n;
        const int i = of->line[l];
        narrow->column[i] = -1 - l;
        for (size_t k = 0; k < n; k++) {
            narrow->rest[i] += d[k] * load[k];
            narrow->size[i] = fmax(narrow->size[i], fabs(d[k] * load[k]));
        }
    }
    for (int i = 0, column = 0; i < part->count; i++) {
        if (narrow->column[i] >= 0) {
            narrow->force[column] = i;
            narrow->column[i] = column++;
        }
    }
}

void dt_split_motions_impose(dt_system *s, dt_split_part *part)
{
    const dt_closure *c = s->closure;
    const dt_split *split = c->split;
    dt_split_motions *of = part->motions;
    memset(of->x, 0, (size_t)of->rows.columns * sizeof *of->x);
    for (int i = part->first; i < part->first + part->count; i++) {
        const int k = split->member[i], v = dt_split_freedom(s, k);
        of->x[c->local->column[v]] = c->freedom_unit[v] * (split->load[i] - split->f[k]);
    }
    dt_sparse_rows_combine(&of->rows, of->x, of->m);
    for (int r = 0; r < of->rows.given.rows; r++) {
        s->multiplier[of->row[r]] += c->row_unit[of->row[r]] * of->m[r];
    }
}
