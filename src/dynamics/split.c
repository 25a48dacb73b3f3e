#include "dynamics/split_parts.h"

#include "dynamics/closure_parts.h"

#include <float.h>
#include <math.h>

/* What rounding leaves of a sum, relative to its terms; pivots below say nothing new (closure.c). */
static const double nothing = 1e-9;

/* A width below the rounding of forces, beside what they are summed from; what is left of terms that cancel, beside these. */
static const double no_width = 1e-14, rounding = 64 * DBL_EPSILON;

/* U: of the effects of `count` rows those that are independent, of multipliers in the units of their rows, so that columns compare. */
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

/*
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

void dt_split_find_widths(dt_split *split)
{
    for (int i = 0; i < split->count; i++) {
        const double width = 0.5 * (split->limits[i][1] - split->limits[i][0]);
        split->width[i] = width > no_width * usual_force(split, i) ? width : 0;
    }
}

void dt_split_choose(dt_split *split)
{
    dt_narrow_run(&split->narrow, split->count, split->columns, split->U, split->load,
                  split->width);
}

/* The members that have a width, in unknowns x: frictions of some of them, by their widths. Those that have none are at zero. */
static void reduce(dt_split *split)
{
    const dt_narrow *narrow = &split->narrow;
    const size_t height = (size_t)(split->count + split->columns);
    dt_split_choose(split);
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

/* The friction of the members, and y, of the unknowns x. */
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

/* A limit of zero on one side has counted as a little more. */
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

static void put_within(dt_split *split)
{
    put(split);
    leave_free(split);
}

/*
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

/* What begins to move where the limits are reached: members without friction by themselves, if the load asks for that. */
static void find_motion(const dt_system *s)
{
    dt_split *split = s->closure->split;
    double most = 0;
    int worst = -1;
    memset(split->motion, 0, (size_t)split->count * sizeof *split->motion);
    for (int i = 0; i < split->count; i++) {
        const int k = split->member[i];
        const double f = s->closure->freedom_unit[dt_split_freedom(s, k)] * fabs(split->f[k]);
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

/* What a stop may take of the load is as much as there is, and for shares of limits a number: by far more. */
static void bound_stops(const dt_system *s)
{
    static const double far = 1e6;
    dt_split *split = s->closure->split;
    const double *unit = s->closure->freedom_unit;
    double all = 0;
    for (int i = 0; i < split->count; i++) {
        all += unit[dt_split_freedom(s, split->member[i])] *
               (fabs(split->load[i]) + dt_limits_width(split->limits[i]));
    }
    for (int i = 0; i < split->count; i++) {
        const double most = far * all / unit[dt_split_freedom(s, split->member[i])];
        for (int side = 0; side < 2; side++) {
            double *limit = &split->limits[i][side];
            *limit = isinf(*limit) ? copysign(most, *limit) : *limit;
        }
    }
}

/* Lists those that may share, with their load, U and limits; false where there is nothing to be shared. */
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
    bound_stops(s);
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
    dt_split_find_widths(split);
    reduce(split);
    split->used = dt_minimax_solve(&split->minimax, split->wide, split->open, split->R, split->rest,
                                   split->wide_limits, split->x);
    put_within(split);
    find_motion(s);
}

void dt_split_take_least(dt_split *split)
{
    if (split->open > 0) {
        dt_bounded_solve(&split->least, split->wide, split->open, split->R, split->rest,
                         split->wide_limits, split->wide_width, split->x);
        put_within(split);
    }
}

bool dt_split_burden_first(dt_system *s, bool one_sided)
{
    dt_split *split = s->closure ? s->closure->split : NULL;
    bool any = false;
    if (!split || split->columns == 0) {
        return false;
    }
    dt_split_find_widths(split);
    for (int i = 0; i < split->count && one_sided; i++) {
        if (split->limits[i][0] == 0 || split->limits[i][1] == 0) {
            any = any || split->width[i] > 0;
            split->width[i] = 0;
        }
    }
    dt_split_choose(split);
    if (one_sided) { /* they are chosen, and have their widths */
        dt_split_find_widths(split);
    }
    return any;
}
