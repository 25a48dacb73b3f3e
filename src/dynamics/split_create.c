/* The parts of a split (split.h), and their memory: of each part by itself, so that many loops take as much each as one does. */
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/split_motions.h"
#include "dynamics/split_parts.h"

#define TAKE(of, member, size) \
    (((of)->member = dt_arena_alloc(arena, (size), sizeof *(of)->member)) != NULL)

/* The part of each cluster that has rows and stictions, by its node; -1 of all others. Returns how many parts there are. */
static int number_parts(const dt_system *s, bool as_one, int *number)
{
    const dt_still *still = s->closure->still;
    int count = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        number[i] = as_one ? 0 : -1;
    }
    for (int r = 0; r < s->closure->rows && !as_one; r++) {
        if (still->cluster_of_row[r] >= 0) {
            number[still->cluster_of_row[r]] = -2; /* it has rows */
        }
    }
    for (int k = 0; k < s->mechanism->stiction_count && !as_one; k++) {
        int *at = &number[still->cluster[s->mechanism->stictions[k].primitive]];
        *at = *at == -2 ? count++ : *at;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        number[i] = number[i] < 0 ? -1 : number[i];
    }
    return as_one ? 1 : count;
}

static int part_of_row(const dt_system *s, const int *number, bool as_one, int row)
{
    const int cluster = s->closure->still->cluster_of_row[row];
    return as_one ? 0 : cluster < 0 ? -1 : number[cluster];
}

/* Rows and stictions of the parts; counts them alone where `fill` is not asked for. */
static void list_parts(const dt_system *s, bool as_one, bool fill, dt_split *split)
{
    const int *number = split->part_of_node;
    for (int p = 0; p < split->part_count; p++) {
        split->part[p].rows = split->part[p].stictions = 0;
    }
    for (int r = 0; r < s->closure->rows; r++) {
        const int p = part_of_row(s, number, as_one, r);
        dt_split_part *part = p >= 0 ? &split->part[p] : NULL;
        if (part && fill) {
            part->row[part->rows] = r;
        }
        if (part) {
            part->rows++;
        }
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int node = s->mechanism->stictions[k].primitive,
                  p = number[as_one ? 0 : s->closure->still->cluster[node]];
        split->part_of[k] = p < 0 ? -1 : p;
        if (p >= 0 && fill) {
            split->part[p].stiction[split->part[p].stictions] = k;
        }
        if (p >= 0) {
            split->part[p].stictions++;
        }
    }
}

static bool take_part(dt_arena *arena, dt_split_part *part)
{
    const size_t n = (size_t)part->stictions, rows = (size_t)part->rows, most = n > rows ? n : rows,
                 least = n < rows ? n : rows;
    return TAKE(part, row, rows) && TAKE(part, stiction, n) && TAKE(part, active, rows) &&
           TAKE(part, dependent, rows) && TAKE(part, implied, rows) &&
           TAKE(part, share, rows * rows / 4 + 1) && TAKE(part, U, n * rows) &&
           TAKE(part, pivots, most) && TAKE(part, y, most) && TAKE(part, wide_member, n) &&
           TAKE(part, follower, n) && TAKE(part, open_column, least) && TAKE(part, R, n * least) &&
           TAKE(part, rest, n) && TAKE(part, wide_limits, n) && TAKE(part, wide_width, n) &&
           TAKE(part, least_limit, n) && TAKE(part, x, least) &&
           dt_narrow_create(arena, (int)n, (int)least, &part->narrow);
}

/* Work space for any part. */
static bool take_work(dt_arena *arena, dt_split *split)
{
    size_t most_rows = 0, most_stictions = 0;
    int columns = 0;
    for (int p = 0; p < split->part_count; p++) {
        const size_t rows = (size_t)split->part[p].rows, n = (size_t)split->part[p].stictions;
        most_rows = rows > most_rows ? rows : most_rows;
        most_stictions = n > most_stictions ? n : most_stictions;
        columns = (int)(n < rows ? n : rows) > columns ? (int)(n < rows ? n : rows) : columns;
    }
    const size_t most = most_rows > most_stictions ? most_rows : most_stictions;
    split->work_length = (int)(4 * most + 64);
    return TAKE(split, matrix, most_rows * most_rows) &&
           TAKE(split, candidate, most_stictions * most_rows) && TAKE(split, tau, most) &&
           TAKE(split, most, most) && TAKE(split, work, (size_t)split->work_length) &&
           dt_minimax_create(arena, (int)most_stictions, columns, &split->minimax) &&
           dt_bounded_create(arena, (int)most_stictions, columns, &split->least);
}

bool dt_split_take(dt_arena *arena, const dt_system *s, bool as_one, dt_split *split)
{
    const size_t ns = (size_t)s->mechanism->stiction_count, nodes = (size_t)s->tree->node_count;
    if (!TAKE(split, f, ns) || !TAKE(split, member, ns) || !TAKE(split, place, ns) ||
        !TAKE(split, part_of, ns) || !TAKE(split, way, ns) || !TAKE(split, load, ns) ||
        !TAKE(split, size, ns) || !TAKE(split, largest, nodes) || !TAKE(split, limits, ns) ||
        !TAKE(split, off, ns) || !TAKE(split, width, ns) || !TAKE(split, lost, ns) ||
        !TAKE(split, motion, ns) || !TAKE(split, part_of_node, nodes)) {
        return false;
    }
    split->part_count = number_parts(s, as_one, split->part_of_node);
    if (!TAKE(split, part, (size_t)split->part_count)) {
        return false;
    }
    list_parts(s, as_one, false, split);
    for (int p = 0; p < split->part_count; p++) {
        if (!take_part(arena, &split->part[p])) {
            return false;
        }
    }
    list_parts(s, as_one, true, split);
    for (int p = 0; p < split->part_count; p++) {
        if (!as_one && !dt_split_motions_create(arena, s, &split->part[p])) {
            return false;
        }
    }
    return take_work(arena, split);
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
    return c->split && dt_split_take(arena, s, false, c->split);
}
