#include "dynamics/split.h"

#include "dynamics/closure_parts.h"

#include <math.h>

/** What rounding leaves of a sum, relative to its terms; pivots below say nothing new (closure.c). */
static const double nothing = 1e-9;

/* ---- set-up ---- */

static bool take(dt_arena *arena, const dt_system *s, dt_split *split)
{
    const size_t ns = (size_t)s->mechanism->stiction_count, rows = (size_t)s->closure->rows;
    const size_t most = rows > ns ? rows : ns;
    split->work_length = (int)(4 * most + 64);
#define TAKE(member, size) \
    ((split->member = dt_arena_alloc(arena, (size), sizeof *split->member)) != NULL)
    return TAKE(f, ns) && TAKE(member, ns) && TAKE(U, ns * most) && TAKE(row, rows) &&
           TAKE(y, most) && TAKE(load, ns) && TAKE(limits, ns) && TAKE(width, ns) &&
           TAKE(matrix, rows * rows) && TAKE(share, rows * rows) && TAKE(candidate, ns * rows) &&
           TAKE(tau, most) && TAKE(pivots, most) && TAKE(work, (size_t)split->work_length) &&
           dt_minimax_create(arena, (int)ns, (int)(ns < rows ? ns : rows), &split->minimax) &&
           dt_bounded_create(arena, (int)ns, (int)(ns < rows ? ns : rows), &split->least);
#undef TAKE
}

bool dt_split_create(dt_arena *arena, dt_system *s)
{
    dt_closure *c = s->closure;
    if (!c || !s->mechanism->ties_stictions) {
        return true;
    }
    c->split = dt_arena_alloc(arena, 1, sizeof *c->split);
    return c->split && take(arena, s, c->split);
}

/* ---- what may be shared ---- */

static int freedom_of(const dt_system *s, int k)
{
    return s->tree->nodes[s->mechanism->stictions[k].primitive].v;
}

static double entry(const dt_closure *c, int row, int v)
{
    return dt_closure_entry(c, row, v);
}

/** Joints that are locked by friction which has limits, and that a loop ties. */
static void list_members(const dt_system *s, const bool *counts)
{
    const dt_closure *c = s->closure;
    dt_split *split = c->split;
    split->count = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const bool own_test = dt_friction_laws(s, k)->test.program && !s->yielded[k];
        bool tied = false;
        for (int row = 0; row < c->rows && !tied; row++) {
            tied = entry(c, row, freedom_of(s, k)) != 0;
        }
        if (tied && s->mode[k] == DETENT_LOCKED && !own_test && (!counts || counts[k])) {
            split->member[split->count++] = k;
        }
    }
}

/**
 * Which rows follow from the active ones along the freedoms that move, in shares of these: columns of `share`. Returns
 * how many; the rows in split->row.
 */
static int find_shares(const dt_closure *c, dt_split *split)
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

/**
 * What an entry of a row of loops ordinarily is, for a joint: an axis that goes through a loop's own point leaves the rounding of
 * positions, which is nothing beside that.
 */
static double usual_entry(const dt_system *s, int row, int stiction, double length)
{
    const dt_node *node = &s->tree->nodes[s->mechanism->stictions[stiction].primitive];
    return 1 / (dt_closure_row_weight(s, row, length) * dt_closure_weight(node, length));
}

/** The friction that a unit multiplier of inactive row `at` puts on a member, where those of the active rows balance it. */
static double effect(const dt_system *s, int at, int member, double length)
{
    const dt_closure *c = s->closure;
    const dt_split *split = c->split;
    const int v = freedom_of(s, split->member[member]);
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

/** U: of the effects of `count` rows those that are independent. */
static void choose_columns(dt_system *s, int count)
{
    const dt_closure *c = s->closure;
    dt_split *split = c->split;
    const int n = split->count, smaller = n < count ? n : count;
    const double length = dt_closure_reach(s);
    int info = 0;
    split->columns = 0;
    for (int at = 0; at < count; at++) {
        for (int k = 0; k < n; k++) {
            const double u = effect(s, at, k, length);
            split->candidate[(size_t)at * (size_t)n + (size_t)k] = u;
            split->U[(size_t)at * (size_t)n + (size_t)k] =
                c->row_unit[split->row[at]] * c->freedom_unit[freedom_of(s, split->member[k])] * u;
        }
    }
    memset(split->pivots, 0, (size_t)count * sizeof *split->pivots);
    if (smaller == 0) {
        return;
    }
    dgeqp3_(&n, &count, split->U, &n, split->pivots, split->tau, split->work, &split->work_length,
            &info);
    const double first = fabs(split->U[0]);
    int rank = 0;
    while (rank < smaller && first > 0 &&
           fabs(split->U[(size_t)rank * (size_t)n + (size_t)rank]) > nothing * first) {
        rank++;
    }
    for (int j = 0; j < rank; j++) {
        memcpy(split->U + (size_t)j * (size_t)n,
               split->candidate + (size_t)(split->pivots[j] - 1) * (size_t)n,
               (size_t)n * sizeof *split->U);
    }
    split->columns = rank;
}

/* ---- sharing ---- */

/** The friction of the members with the multipliers y. */
static void put(dt_split *split)
{
    for (int i = 0; i < split->count; i++) {
        double sum = split->load[i];
        for (int j = 0; j < split->columns; j++) {
            sum += split->U[(size_t)j * (size_t)split->count + (size_t)i] * split->y[j];
        }
        split->f[split->member[i]] = sum;
    }
}

/** Joints without friction carry nothing, where the others hold; a limit of zero has counted as a little more. */
static void leave_free(dt_split *split)
{
    for (int i = 0; i < split->count && split->used <= 1; i++) {
        double *f = &split->f[split->member[i]];
        if (split->limits[i][*f > 0] == 0 && fabs(*f) <= 2 * dt_minimax_floor(&split->minimax, i)) {
            *f = 0;
        }
    }
}

void dt_split_within(dt_system *s, double (*limits)[2], const bool *counts)
{
    dt_split *split = s->closure ? s->closure->split : NULL;
    if (!split) {
        return;
    }
    memcpy(split->f, s->f, (size_t)s->mechanism->stiction_count * sizeof *split->f);
    list_members(s, counts);
    split->columns = 0;
    if (split->count < 2) {
        return;
    }
    choose_columns(s, find_shares(s->closure, split));
    if (split->columns == 0) {
        return;
    }
    for (int i = 0; i < split->count; i++) {
        const int k = split->member[i];
        split->load[i] = s->f[k];
        if (limits) {
            memcpy(split->limits[i], limits[k], sizeof limits[k]);
        } else {
            dt_system_limits(s, k, split->limits[i]);
        }
    }
    split->used = dt_minimax_solve(&split->minimax, split->count, split->columns, split->U,
                                   split->load, split->limits, split->y);
    put(split);
    leave_free(split);
}

/** From there to the least norm, where there is room. */
static void take_least(dt_split *split)
{
    bool wide = split->used < 1;
    for (int i = 0; i < split->count; i++) {
        split->width[i] = 0.5 * (split->limits[i][1] - split->limits[i][0]);
        wide = wide && split->width[i] > 0;
    }
    if (wide) {
        dt_bounded_solve(&split->least, split->count, split->columns, split->U, split->load,
                         split->limits, split->width, split->y);
        put(split);
    }
}

void dt_split_update(dt_system *s)
{
    dt_split_within(s, NULL, NULL);
}

bool dt_split_show(dt_system *s)
{
    dt_closure *c = s->closure;
    dt_split *split = c ? c->split : NULL;
    dt_split_update(s);
    if (!split || split->columns == 0) {
        return false;
    }
    take_least(split);
    for (int j = 0; j < split->columns; j++) {
        const size_t at = (size_t)(split->pivots[j] - 1);
        s->multiplier[split->row[at]] += split->y[j];
        for (int r = 0; r < c->count; r++) {
            s->multiplier[c->row[r]] -=
                split->share[at * (size_t)c->count + (size_t)r] * split->y[j];
        }
    }
    memcpy(s->f, split->f, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
    return true;
}

double dt_split_friction(const dt_system *s, int k)
{
    return s->closure && s->closure->split ? s->closure->split->f[k] : s->f[k];
}
