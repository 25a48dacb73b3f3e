#include "dynamics/split_parts.h"

#include "dynamics/closure_parts.h"

#include <float.h>
#include <math.h>

/* What rounding leaves of a sum, relative to its terms; pivots below say nothing new (closure.c). */
static const double nothing = 1e-9;

/* A width below the rounding of forces, beside what they are summed from; what is left of terms that cancel, beside these. */
static const double no_width = 1e-14, rounding = 64 * DBL_EPSILON;

/* U: of the effects of rows those that are independent, of multipliers in the units of their rows, so that columns compare. */
static void choose_columns(dt_system *s, dt_split_part *part, double length)
{
    dt_split *split = s->closure->split;
    const size_t n = (size_t)part->count;
    part->columns = dt_split_rank(s, split, part, length);
    for (int j = 0; j < part->columns; j++) {
        memcpy(part->U + (size_t)j * n, split->candidate + (size_t)(part->pivots[j] - 1) * n,
               n * sizeof *part->U);
    }
}

/* ---- sharing ---- */

/* How far each multiplier goes where it upsets the member that it moves most, beside what that is. */
static void find_most(dt_split *split, const dt_split_part *part)
{
    const double *load = split->load + part->first;
    double(*const limits)[2] = split->limits + part->first;
    for (int j = 0; j < part->columns; j++) {
        const double *u = part->U + (size_t)j * (size_t)part->count;
        split->most[j] = INFINITY;
        for (int k = 0; k < part->count; k++) {
            const double room = fabs(load[k]) + limits[k][1] - limits[k][0];
            split->most[j] = u[k] != 0 ? fmin(split->most[j], room / fabs(u[k])) : split->most[j];
        }
    }
}

/* What the friction of a member may be summed from: its load, and what each multiplier makes of it. */
static double usual_force(const dt_split *split, const dt_split_part *part, int i)
{
    double size = fabs(split->load[dt_split_at(part, i)]);
    for (int j = 0; j < part->columns; j++) {
        const double u = part->U[(size_t)j * (size_t)part->count + (size_t)i];
        size = u != 0 ? fmax(size, fabs(u) * split->most[j]) : size;
    }
    return size;
}

/* Half the widths of the limits. */
static void find_widths(dt_split *split, const dt_split_part *part)
{
    if (!part->by_motions) { /* what a member would have of that is no more than its load and limits */
        find_most(split, part);
    }
    for (int i = 0; i < part->count; i++) {
        const int at = dt_split_at(part, i);
        const double width = 0.5 * (split->limits[at][1] - split->limits[at][0]),
                     usual = part->by_motions ? fabs(split->load[at]) : usual_force(split, part, i);
        split->width[at] = width > no_width * usual ? width : 0;
        if (split->width[at] > 0 && split->lost[at] > 0) {
            split->lost[at] = split->solutions + 1;
        }
    }
}

/* Chooses who keeps its friction where what is shared changes: part->narrow, by split->width. */
static void choose(const dt_split *split, dt_split_part *part)
{
    if (part->by_motions) {
        dt_split_motions_choose(split, part);
    } else {
        dt_narrow_run(&part->narrow, part->count, part->columns, part->U, split->load + part->first,
                      split->width + part->first, split->lost + part->first);
    }
}

/* Adds a member to those that have a width, if it has one. */
static void add_wide(const dt_split *split, dt_split_part *part, int i)
{
    const int at = dt_split_at(part, i), place = part->wide;
    if (split->width[at] > 0) {
        memcpy(part->wide_limits[place], split->limits[at], sizeof *split->limits);
        part->wide_width[place] = split->width[at];
        part->rest[place] = part->narrow.rest[i];
        part->wide_member[part->wide++] = i;
    }
}

/* The members that have a width, those first that follow from others where motions tell it; how many these are. */
static int list_wide(const dt_split *split, dt_split_part *part)
{
    int lines = 0;
    part->wide = 0;
    for (int l = 0; part->by_motions && l < part->motions->count; l++) {
        add_wide(split, part, part->motions->line[l]);
    }
    lines = part->wide;
    for (int i = 0; i < part->count; i++) {
        if (!part->by_motions || part->narrow.column[i] >= 0) {
            add_wide(split, part, i);
        }
    }
    return lines;
}

/* These in unknowns x: frictions of some of them, by their widths. Those that have none are at zero. */
static void reduce(const dt_split *split, dt_split_part *part)
{
    const dt_narrow *narrow = &part->narrow;
    const double *own = split->width + part->first;
    choose(split, part);
    part->lines = list_wide(split, part);
    part->open = 0;
    const size_t height = (size_t)(part->by_motions ? part->lines : part->wide);
    for (int j = 0; j < part->columns; j++) {
        if (narrow->force[j] < 0 || !(own[narrow->force[j]] > 0)) {
            continue;
        }
        for (size_t i = 0; i < height; i++) {
            const int member = part->wide_member[i];
            const double entry = narrow->column[member] >= 0 ? narrow->column[member] == j
                                                             : dt_split_entry(part, member, j);
            part->R[(size_t)part->open * height + i] = own[narrow->force[j]] * entry;
        }
        part->open_column[part->open++] = j;
    }
}

/* The friction of a member that follows from the others, of the unknowns x. */
static double follow(const dt_split *split, const dt_split_part *part, int i)
{
    const double *own = split->width + part->first;
    const bool zero = own[i] == 0;
    double sum = part->narrow.rest[i];
    for (int j = 0; j < part->open && !zero; j++) {
        const int column = part->open_column[j];
        sum += dt_split_entry(part, i, column) * (own[part->narrow.force[column]] * part->x[j]);
    }
    return zero && fabs(sum) <= rounding * part->narrow.size[i] ? 0 : sum;
}

/* y of the unknowns x. */
static void put_multipliers(const dt_split *split, dt_split_part *part)
{
    const dt_narrow *narrow = &part->narrow;
    const size_t n = (size_t)part->count, columns = (size_t)part->columns;
    for (size_t i = 0; i < columns; i++) {
        part->y[i] = narrow->rest[n + i];
        for (int j = 0; j < part->open; j++) {
            const int column = part->open_column[j];
            part->y[i] += narrow->matrix[(size_t)column * (n + columns) + n + i] *
                          (split->width[dt_split_at(part, narrow->force[column])] * part->x[j]);
        }
    }
}

/* The friction of the members, and y, of the unknowns x. */
static void put(dt_split *split, dt_split_part *part)
{
    for (int i = 0; i < part->count; i++) {
        const bool follows = part->narrow.column[i] < 0;
        split->f[split->member[dt_split_at(part, i)]] = follows ? follow(split, part, i) : 0;
    }
    for (int j = 0; j < part->open; j++) {
        const int at = dt_split_at(part, part->narrow.force[part->open_column[j]]);
        split->f[split->member[at]] = split->width[at] * part->x[j];
    }
    if (!part->by_motions) {
        put_multipliers(split, part);
    }
}

/* A limit of zero on one side has counted as a little more. */
static void leave_free(dt_split *split, const dt_split_part *part)
{
    for (int i = 0; i < part->wide && part->used <= 1; i++) {
        double *f = &split->f[split->member[dt_split_at(part, part->wide_member[i])]];
        if (part->wide_limits[i][*f > 0] == 0 && fabs(*f) <= 2 * part->least_limit[i]) {
            *f = 0;
        }
    }
}

static void put_within(dt_split *split, dt_split_part *part)
{
    put(split, part);
    leave_free(split, part);
}

/*
 * The motion d of the members that x stand for and of those without a width, where that of the others is given: d'U = 0, and
 * a column of U that stands for one of them has d_i + (sum over the others) = 0.
 */
static void complete_motion(const dt_split *split, dt_split_part *part, bool known)
{
    const dt_narrow *narrow = &part->narrow;
    double *motion = split->motion + part->first;
    int lines = 0, *line = part->follower;
    for (int i = 0; i < part->count; i++) {
        if (narrow->column[i] < 0) {
            line[lines++] = i;
        }
    }
    for (int j = 0; j < part->columns; j++) {
        double sum = 0, size = 0;
        for (int l = 0; l < lines; l++) {
            const double term = dt_split_entry(part, line[l], j) * motion[line[l]];
            sum -= term;
            size = fmax(size, fabs(term));
        }
        if (narrow->force[j] >= 0 &&
            !(known && split->width[dt_split_at(part, narrow->force[j])] > 0)) {
            motion[narrow->force[j]] = fabs(sum) > nothing * size ? sum : 0;
        }
    }
}

/* The member without friction that has to carry most; -1: none. */
static int find_bare(const dt_system *s, const dt_split_part *part)
{
    const dt_split *split = s->closure->split;
    double most = 0;
    int worst = -1;
    for (int i = 0; i < part->count; i++) {
        const int k = split->member[dt_split_at(part, i)];
        const double f = s->closure->freedom_unit[dt_split_freedom(s, k)] * fabs(split->f[k]);
        if (split->width[dt_split_at(part, i)] == 0 && f > most) {
            most = f;
            worst = i;
        }
    }
    return worst;
}

/* What begins to move where the limits are reached: members without friction by themselves, if the load asks for that. */
static void find_motion(const dt_system *s, dt_split_part *part)
{
    dt_split *split = s->closure->split;
    double *motion = split->motion + part->first;
    const double *found = part->by_motions ? part->motions->few.motion : split->minimax.motion;
    const int bare = find_bare(s, part);
    memset(motion, 0, (size_t)part->count * sizeof *motion);
    for (int i = 0; i < part->wide && bare < 0; i++) {
        motion[part->wide_member[i]] = found[i];
    }
    if (bare >= 0) {
        motion[bare] = split->f[split->member[dt_split_at(part, bare)]] > 0 ? 1 : -1;
        part->used = INFINITY;
    }
    complete_motion(split, part, bare < 0 && part->by_motions);
    for (int i = 0; i < part->count; i++) {
        split->way[dt_split_at(part, i)] = (signed char)((motion[i] < 0) - (motion[i] > 0));
    }
}

void dt_split_bound_stops(const dt_system *s, const dt_split_part *part)
{
    dt_split *split = s->closure->split;
    const double *unit = s->closure->freedom_unit;
    double all = 0;
    for (int i = part->first; i < part->first + part->count; i++) {
        all += unit[dt_split_freedom(s, split->member[i])] *
               (fabs(split->load[i]) + dt_limits_width(split->limits[i]));
    }
    for (int i = part->first; i < part->first + part->count; i++) {
        const double most = DT_SPLIT_FAR * all / unit[dt_split_freedom(s, split->member[i])];
        for (int side = 0; side < 2; side++) {
            double *limit = &split->limits[i][side];
            *limit = isinf(*limit) ? copysign(most, *limit) : *limit;
        }
    }
}

/* Load and limits of the members. */
static void read_members(dt_system *s, const dt_split_part *part, double (*limits)[2])
{
    dt_split *split = s->closure->split;
    for (int i = part->first; i < part->first + part->count; i++) {
        const int k = split->member[i];
        split->load[i] = s->f[k];
        split->lost[i] = dt_split_follows(s, k);
        if (limits) {
            memcpy(split->limits[i], limits[k], sizeof limits[k]);
        } else {
            dt_system_limits(s, k, split->limits[i]);
        }
    }
}

/* Lists those that may share, with their load, U and limits. */
static void prepare(dt_system *s, double (*limits)[2], const bool *counts)
{
    dt_split *split = s->closure->split;
    const double length = dt_closure_reach(s);
    dt_split_mark(s, split);
    split->columns = 0;
    split->used = 0;
    split->solutions = 0;
    for (int p = 0; p < split->part_count; p++) {
        dt_split_part *part = &split->part[p];
        dt_split_list(s, counts, split, part);
        if (part->count > 0 && part->left > 0 && !dt_split_motions_find(s, split, part)) {
            dt_split_shares(s->closure, split, part);
            choose_columns(s, part, length);
        }
        if (part->columns == 0) {
            dt_split_drop(split, part);
            continue;
        }
        split->columns += part->columns;
        read_members(s, part, limits);
        dt_split_bound_stops(s, part);
    }
}

void dt_split_within(dt_system *s, double (*limits)[2], const bool *counts)
{
    dt_split *split = s->closure ? s->closure->split : NULL;
    if (!split) {
        return;
    }
    memcpy(split->f, s->f, (size_t)s->mechanism->stiction_count * sizeof *split->f);
    prepare(s, limits, counts);
    dt_split_solve(s);
}

/* The problem in which few frictions follow from all others. */
static dt_few_problem few_of(const dt_split_part *part)
{
    return (dt_few_problem){.lines = part->lines,
                            .columns = part->open,
                            .R = part->R,
                            .rest = part->rest,
                            .limits = part->wide_limits,
                            .w = part->wide_width};
}

static void solve_part(dt_system *s, dt_split_part *part)
{
    dt_split *split = s->closure->split;
    find_widths(split, part);
    reduce(split, part);
    const dt_few_problem few = few_of(part);
    part->used = part->by_motions
                     ? dt_few_minimax(&part->motions->few, &few, part->x)
                     : dt_minimax_solve(&split->minimax, part->wide, part->open, part->R,
                                        part->rest, part->wide_limits, part->x);
    const double *floor = part->by_motions ? part->motions->few.floor : split->minimax.floor;
    memcpy(part->least_limit, floor, (size_t)part->wide * sizeof *floor);
    put_within(split, part);
    find_motion(s, part);
}

/* The larger share; fmax() would hide what is no number. */
static double worse(double one, double other)
{
    return isnan(one) || one > other ? one : other;
}

void dt_split_solve(dt_system *s)
{
    dt_split *split = s->closure->split;
    split->used = 0;
    split->solutions++;
    for (int p = 0; p < split->part_count; p++) {
        if (split->part[p].columns > 0) {
            solve_part(s, &split->part[p]);
            split->used = worse(split->used, split->part[p].used);
        }
    }
}

void dt_split_take_least(dt_split *split, dt_split_part *part)
{
    const dt_few_problem few = few_of(part);
    if (part->open == 0) {
        return;
    }
    if (part->by_motions) {
        dt_few_least(&part->motions->few, &few, part->x);
    } else {
        dt_bounded_solve(&split->least, part->wide, part->open, part->R, part->rest,
                         part->wide_limits, part->wide_width, part->x);
    }
    put_within(split, part);
}

/* Stops hold on one side: for a moment they are said to have no width; false where there are none that had one. */
static bool forget_one_sided(dt_split *split, const dt_split_part *part)
{
    bool any = false;
    for (int i = part->first; i < part->first + part->count; i++) {
        if (split->limits[i][0] == 0 || split->limits[i][1] == 0) {
            any = any || split->width[i] > 0;
            split->width[i] = 0;
        }
    }
    return any;
}

bool dt_split_burden_first(dt_system *s, bool one_sided)
{
    dt_split *split = s->closure ? s->closure->split : NULL;
    bool any = false;
    for (int p = 0; split && p < split->part_count; p++) {
        dt_split_part *part = &split->part[p];
        if (part->columns == 0) {
            continue;
        }
        find_widths(split, part);
        any = (one_sided && forget_one_sided(split, part)) || any;
        choose(split, part);
        if (one_sided) { /* they are chosen, and have their widths */
            find_widths(split, part);
        }
    }
    return any;
}
