#include "dynamics/split_parts.h"

#include "dynamics/closure_parts.h"
#include "dynamics/self_stress.h"

#include <float.h>
#include <math.h>

/** What rounding leaves of a sum, relative to its terms; pivots below say nothing new (closure.c). */
static const double nothing = 1e-9;

/** A width below the rounding of forces, beside what they are summed from; what is left of terms that cancel, beside these. */
static const double no_width = 1e-14, rounding = 64 * DBL_EPSILON;

/* ---- set-up ---- */

bool dt_split_take(dt_arena *arena, const dt_system *s, dt_split *split)
{
    const size_t ns = (size_t)s->mechanism->stiction_count, rows = (size_t)s->closure->rows;
    const size_t most = rows > ns ? rows : ns;
    split->work_length = (int)(4 * most + 64);
#define TAKE(member, size) \
    ((split->member = dt_arena_alloc(arena, (size), sizeof *split->member)) != NULL)
    return TAKE(f, ns) && TAKE(member, ns) && TAKE(U, ns * most) && TAKE(row, rows) &&
           TAKE(y, most) && TAKE(load, ns) && TAKE(size, ns) && TAKE(limits, ns) && TAKE(off, ns) &&
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

static int freedom_of(const dt_system *s, int k)
{
    return s->tree->nodes[s->mechanism->stictions[k].primitive].v;
}

static double entry(const dt_closure *c, int row, int v)
{
    return dt_closure_entry(c, row, v);
}

void dt_split_list(const dt_system *s, const bool *counts, dt_split *split)
{
    const dt_closure *c = s->closure;
    split->count = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const bool own_test = dt_friction_laws(s, k)->test.program && !s->yielded[k] && !counts;
        bool tied = false;
        split->place[k] = -1;
        for (int row = 0; row < c->rows && !tied; row++) {
            tied = entry(c, row, freedom_of(s, k)) != 0;
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
static double effect(const dt_system *s, const dt_split *split, int at, int member, double length)
{
    const dt_closure *c = s->closure;
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
                c->freedom_unit[freedom_of(s, split->member[k])] * own;
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

/** U: of the effects of `count` rows those that are independent, of multipliers in the units of their rows, so that columns compare. */
static void choose_columns(dt_system *s, int count)
{
    dt_split *split = s->closure->split;
    const size_t n = (size_t)split->count;
    split->columns = dt_split_rank(s, count, split);
    for (int j = 0; j < split->columns; j++) {
        memcpy(split->U + (size_t)j * n, split->candidate + (size_t)(split->pivots[j] - 1) * n,
               n * sizeof *split->U);
    }
}

/* ---- sharing ---- */

/**
 * What the friction of a member may be summed from: its load, and what each multiplier makes of it where that upsets most the
 * member which it moves most, beside what that is.
 */
static double usual_force(const dt_split *split, int i)
{
    const size_t n = (size_t)split->count;
    double size = fabs(split->load[i]);
    for (int j = 0; j < split->columns; j++) {
        const double *u = split->U + (size_t)j * n;
        double most = INFINITY;
        for (int k = 0; k < split->count && u[i] != 0; k++) {
            const double room = fabs(split->load[k]) + split->limits[k][1] - split->limits[k][0];
            most = u[k] != 0 ? fmin(most, room / fabs(u[k])) : most;
        }
        size = u[i] != 0 ? fmax(size, fabs(u[i]) * most) : size;
    }
    return size;
}

static void find_widths(dt_split *split)
{
    for (int i = 0; i < split->count; i++) {
        const double width = 0.5 * (split->limits[i][1] - split->limits[i][0]);
        split->width[i] = width > no_width * usual_force(split, i) ? width : 0;
    }
}

/** The members that have a width, in unknowns x: frictions of some of them, by their widths. Those that have none are at zero. */
static void reduce(dt_split *split)
{
    const dt_narrow *narrow = &split->narrow;
    const size_t height = (size_t)(split->count + split->columns);
    dt_narrow_run(&split->narrow, split->count, split->columns, split->U, split->load,
                  split->width);
    split->wide = split->open = 0;
    for (int i = 0; i < split->count; i++) {
        if (split->width[i] > 0) {
            memcpy(split->wide_limits[split->wide], split->limits[i], sizeof split->limits[i]);
            split->wide_width[split->wide] = split->width[i];
            split->rest[split->wide] = narrow->rest[i];
            split->wide_member[split->wide++] = i;
        }
    }
    for (int j = 0; j < split->columns; j++) {
        if (narrow->force[j] < 0 || !(split->width[narrow->force[j]] > 0)) {
            continue;
        }
        const double width = split->width[narrow->force[j]];
        for (int i = 0; i < split->wide; i++) {
            split->R[(size_t)split->open * (size_t)split->wide + (size_t)i] =
                width * narrow->matrix[(size_t)j * height + (size_t)split->wide_member[i]];
        }
        split->open_column[split->open++] = j;
    }
}

/** The friction of the members, and y, of the unknowns x. */
static void put(dt_split *split)
{
    const dt_narrow *narrow = &split->narrow;
    const size_t n = (size_t)split->count, height = n + (size_t)split->columns;
    for (size_t i = 0; i < height; i++) {
        const bool zero = i < n && split->width[i] == 0;
        double sum = narrow->rest[i];
        for (int j = 0; j < split->open && !zero; j++) {
            const int column = split->open_column[j];
            sum += narrow->matrix[(size_t)column * height + i] *
                   (split->width[narrow->force[column]] * split->x[j]);
        }
        if (i >= n) {
            split->y[i - n] = sum;
        } else {
            const bool none = zero && fabs(sum) <= rounding * narrow->size[i];
            split->f[split->member[i]] = none ? 0 : sum;
        }
    }
}

/** A limit of zero on one side has counted as a little more. */
static void leave_free(dt_split *split)
{
    for (int i = 0; i < split->wide && split->used <= 1; i++) {
        double *f = &split->f[split->member[split->wide_member[i]]];
        if (split->wide_limits[i][*f > 0] == 0 &&
            fabs(*f) <= 2 * dt_minimax_floor(&split->minimax, i)) {
            *f = 0;
        }
    }
}

/**
 * The motion d of the members that x stand for and of those without a width, where that of the others is given: d'U = 0, and
 * a column of U that stands for one of them has d_i + (sum over the others) = 0.
 */
static void complete_motion(dt_split *split)
{
    const dt_narrow *narrow = &split->narrow;
    const size_t height = (size_t)(split->count + split->columns);
    for (int j = 0; j < split->columns; j++) {
        double sum = 0, size = 0;
        for (int i = 0; i < split->count; i++) {
            const double term =
                narrow->column[i] < 0
                    ? narrow->matrix[(size_t)j * height + (size_t)i] * split->motion[i]
                    : 0;
            sum -= term;
            size = fmax(size, fabs(term));
        }
        if (narrow->force[j] >= 0) {
            split->motion[narrow->force[j]] = fabs(sum) > nothing * size ? sum : 0;
        }
    }
}

/** What begins to move where the limits are reached: members without friction by themselves, if the load asks for that. */
static void find_motion(const dt_system *s)
{
    dt_split *split = s->closure->split;
    double most = 0;
    int worst = -1;
    memset(split->motion, 0, (size_t)split->count * sizeof *split->motion);
    for (int i = 0; i < split->count; i++) {
        const int k = split->member[i];
        const double f = s->closure->freedom_unit[freedom_of(s, k)] * fabs(split->f[k]);
        if (split->width[i] == 0 && f > most) {
            most = f;
            worst = i;
        }
    }
    for (int i = 0; i < split->wide && worst < 0; i++) {
        split->motion[split->wide_member[i]] = split->minimax.motion[i];
    }
    if (worst >= 0) {
        split->motion[worst] = split->f[split->member[worst]] > 0 ? 1 : -1;
        split->used = INFINITY;
    }
    complete_motion(split);
    for (int i = 0; i < split->count; i++) {
        split->way[i] = (signed char)((split->motion[i] < 0) - (split->motion[i] > 0));
    }
}

/** Lists those that may share, with their load, U and limits; false where there is nothing to be shared. */
static bool prepare(dt_system *s, double (*limits)[2], const bool *counts)
{
    dt_split *split = s->closure->split;
    dt_split_list(s, counts, split);
    split->columns = 0;
    split->used = 0;
    if (split->count == 0) {
        return false;
    }
    choose_columns(s, dt_split_shares(s->closure, split));
    for (int i = 0; i < split->count; i++) {
        const int k = split->member[i];
        split->load[i] = s->f[k];
        if (limits) {
            memcpy(split->limits[i], limits[k], sizeof limits[k]);
        } else {
            dt_system_limits(s, k, split->limits[i]);
        }
    }
    return split->columns > 0;
}

void dt_split_within(dt_system *s, double (*limits)[2], const bool *counts)
{
    dt_split *split = s->closure ? s->closure->split : NULL;
    if (!split) {
        return;
    }
    memcpy(split->f, s->f, (size_t)s->mechanism->stiction_count * sizeof *split->f);
    if (!prepare(s, limits, counts)) {
        split->count = 0;
        return;
    }
    dt_split_solve(s);
}

void dt_split_solve(dt_system *s)
{
    dt_split *split = s->closure->split;
    find_widths(split);
    reduce(split);
    split->used = dt_minimax_solve(&split->minimax, split->wide, split->open, split->R, split->rest,
                                   split->wide_limits, split->x);
    put(split);
    leave_free(split);
    find_motion(s);
}

void dt_split_take_least(dt_split *split)
{
    if (split->open > 0) {
        dt_bounded_solve(&split->least, split->wide, split->open, split->R, split->rest,
                         split->wide_limits, split->wide_width, split->x);
        put(split);
    }
}

void dt_split_update(dt_system *s)
{
    dt_split_within(s, NULL, NULL);
    dt_split_follow(s);
}

bool dt_split_show(dt_system *s)
{
    dt_closure *c = s->closure;
    dt_split *split = c ? c->split : NULL;
    dt_split_update(s);
    if (!split || split->columns == 0) {
        return false;
    }
    if (s->closure->stress) {
        return true; /* it is shown already */
    }
    if (split->used < 1) {
        dt_split_take_least(split);
    }
    dt_split_impose(s);
    return true;
}

void dt_split_impose(dt_system *s)
{
    const dt_closure *c = s->closure;
    const dt_split *split = c->split;
    for (int j = 0; j < split->columns; j++) {
        const size_t at = (size_t)(split->pivots[j] - 1);
        const double y = c->row_unit[split->row[at]] * split->y[j];
        s->multiplier[split->row[at]] += y;
        for (int r = 0; r < c->count; r++) {
            s->multiplier[c->row[r]] -= split->share[at * (size_t)c->count + (size_t)r] * y;
        }
    }
    memcpy(s->f, split->f, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

/** Where stiction k is among those that share; -1: nowhere. */
static int place_of(const dt_system *s, int k)
{
    const dt_split *split = s->closure ? s->closure->split : NULL;
    return split && split->columns > 0 ? split->place[k] : -1;
}

int dt_split_way(const dt_system *s, int k)
{
    const int i = place_of(s, k);
    return i < 0 ? 0 : s->closure->split->way[i];
}

double dt_split_burden(const dt_system *s, int k, int j)
{
    const int i = place_of(s, k), other = place_of(s, j);
    if (i < 0 || other < 0) {
        return k == j;
    }
    const dt_split *split = s->closure->split;
    const size_t height = (size_t)(split->count + split->columns);
    const int column = split->narrow.column[other];
    if (split->narrow.column[i] >= 0) {
        return 0;
    }
    return column >= 0 ? -split->narrow.matrix[(size_t)column * height + (size_t)i] : k == j;
}

double dt_split_friction(const dt_system *s, int k)
{
    return s->closure && s->closure->split ? s->closure->split->f[k] : s->f[k];
}
