#include "math/sparse_rows.h"

#include <math.h>

/* By how much an entry that later rows have has to be larger, to be preferred. */
static const double shared = 0.1;

static bool create(dt_arena *arena, int rows, size_t room, dt_sparse *of)
{
    of->room = room;
    of->first = dt_arena_alloc(arena, (size_t)rows + 1, sizeof *of->first);
    of->at = dt_arena_alloc(arena, room, sizeof *of->at);
    of->value = dt_arena_alloc(arena, room, sizeof *of->value);
    return of->first && of->at && of->value;
}

bool dt_sparse_rows_create(dt_arena *arena, int rows, int columns, size_t given, size_t made,
                           dt_sparse_rows *of)
{
    const size_t n = (size_t)columns, most = (size_t)(rows > columns ? rows : columns);
#define TAKE(member, size) \
    ((of->member = dt_arena_alloc(arena, (size), sizeof *of->member)) != NULL)
    return create(arena, rows, given, &of->given) && create(arena, rows, made, &of->reduced) &&
           create(arena, rows, made, &of->factor) && TAKE(group, (size_t)rows) &&
           TAKE(row, (size_t)rows) && TAKE(column, (size_t)rows) && TAKE(pivot, n) &&
           TAKE(last, n) && TAKE(x, most) && TAKE(list, n) && TAKE(listed, n);
#undef TAKE
}

/* ---- rows ---- */

static void clear(dt_sparse *of)
{
    of->count = 0;
    of->rows = 0;
    of->first[0] = 0;
}

static bool add(dt_sparse *of, int at, double value)
{
    if (of->count == of->room) {
        return false;
    }
    of->at[of->count] = at;
    of->value[of->count++] = value;
    return true;
}

static void end_row(dt_sparse *of)
{
    of->first[++of->rows] = of->count;
}

void dt_sparse_rows_begin(dt_sparse_rows *of, int columns)
{
    of->columns = columns;
    clear(&of->given);
}

void dt_sparse_rows_add(dt_sparse_rows *of, int column, double value)
{
    add(&of->given, column, value);
}

void dt_sparse_rows_end_row(dt_sparse_rows *of, int group)
{
    of->group[of->given.rows] = group;
    end_row(&of->given);
}

/* ---- elimination ---- */

/* Adds `factor` of a row to the one in x, which has `*count` entries. */
static void add_row(dt_sparse_rows *of, const dt_sparse *rows, int row, double factor, int *count)
{
    for (size_t e = rows->first[row]; e < rows->first[row + 1]; e++) {
        const int column = rows->at[e];
        if (!of->listed[column]) {
            of->listed[column] = true;
            of->list[(*count)++] = column;
        }
        of->x[column] += factor * rows->value[e];
    }
}

/* The first pivot after `after` that the row in x has; -1: there is none. */
static int next_pivot(const dt_sparse_rows *of, int count, int after)
{
    int next = -1;
    for (int k = 0; k < count; k++) {
        const int p = of->pivot[of->list[k]];
        if (p > after && of->x[of->list[k]] != 0 && (next < 0 || p < next)) {
            next = p;
        }
    }
    return next;
}

/* Where the row in x has its pivot; -1: nothing is left of it. */
static int choose(const dt_sparse_rows *of, int row, int count, double least)
{
    int best = -1;
    double most = 0;
    for (int k = 0; k < count; k++) {
        const int column = of->list[k];
        const double size = fabs(of->x[column]),
                     score = size * (of->last[column] > of->group[row] ? shared : 1);
        if (of->pivot[column] < 0 && size > least && score > most) {
            most = score;
            best = column;
        }
    }
    return best;
}

/* Keeps the row in x, with its pivot; false where there is no room. */
static bool keep(dt_sparse_rows *of, int row, int column, int count)
{
    bool fits = true;
    of->row[of->reduced.rows] = row;
    of->column[of->reduced.rows] = column;
    of->pivot[column] = of->reduced.rows;
    for (int k = 0; k < count && fits; k++) {
        fits = of->x[of->list[k]] == 0 || add(&of->reduced, of->list[k], of->x[of->list[k]]);
    }
    end_row(&of->reduced);
    end_row(&of->factor);
    return fits;
}

static bool take_row(dt_sparse_rows *of, int row, double least)
{
    int count = 0;
    bool fits = true;
    const size_t factors = of->factor.count;
    add_row(of, &of->given, row, 1, &count);
    for (int p = next_pivot(of, count, -1); p >= 0 && fits; p = next_pivot(of, count, p)) {
        const int column = of->column[p];
        double pivot = 0;
        for (size_t e = of->reduced.first[p]; e < of->reduced.first[p + 1]; e++) {
            pivot = of->reduced.at[e] == column ? of->reduced.value[e] : pivot;
        }
        const double factor = of->x[column] / pivot;
        add_row(of, &of->reduced, p, -factor, &count);
        of->x[column] = 0;
        fits = add(&of->factor, p, factor);
    }
    const int column = choose(of, row, count, least);
    if (column >= 0 && fits) {
        fits = keep(of, row, column, count);
    } else {
        of->factor.count = factors;
    }
    for (int k = 0; k < count; k++) {
        of->x[of->list[k]] = 0;
        of->listed[of->list[k]] = false;
    }
    return fits;
}

bool dt_sparse_rows_eliminate(dt_sparse_rows *of, double nothing)
{
    bool fits = true;
    of->most = 0;
    clear(&of->reduced);
    clear(&of->factor);
    for (int column = 0; column < of->columns; column++) {
        of->pivot[column] = of->last[column] = -1;
    }
    for (int row = 0; row < of->given.rows; row++) {
        for (size_t e = of->given.first[row]; e < of->given.first[row + 1]; e++) {
            of->last[of->given.at[e]] = of->group[row];
            of->most = fmax(of->most, fabs(of->given.value[e]));
        }
    }
    for (int row = 0; row < of->given.rows && fits; row++) {
        fits = take_row(of, row, nothing * of->most);
    }
    return fits;
}

/* ---- what follows ---- */

void dt_sparse_rows_motion(const dt_sparse_rows *of, int column, double *d)
{
    for (int k = 0; k < of->columns; k++) {
        d[k] = k == column;
    }
    for (int p = of->reduced.rows - 1; p >= 0; p--) {
        double sum = 0, pivot = 1;
        for (size_t e = of->reduced.first[p]; e < of->reduced.first[p + 1]; e++) {
            if (of->reduced.at[e] == of->column[p]) {
                pivot = of->reduced.value[e];
            } else {
                sum += of->reduced.value[e] * d[of->reduced.at[e]];
            }
        }
        d[of->column[p]] = -sum / pivot;
    }
}

double dt_sparse_rows_error(const dt_sparse_rows *of, const double *d)
{
    double worst = 0;
    for (int row = 0; row < of->given.rows; row++) {
        double sum = 0, size = 0;
        for (size_t e = of->given.first[row]; e < of->given.first[row + 1]; e++) {
            sum += of->given.value[e] * d[of->given.at[e]];
            size = fmax(size, fabs(d[of->given.at[e]]));
        }
        worst = size > 0 ? fmax(worst, fabs(sum) / (of->most * size)) : worst;
    }
    return worst;
}

void dt_sparse_rows_combine(const dt_sparse_rows *of, double *sum, double *m)
{
    double *share = of->x; /* of reduced rows */
    for (int row = 0; row < of->given.rows; row++) {
        m[row] = 0;
    }
    for (int p = 0; p < of->reduced.rows; p++) {
        double pivot = 1;
        for (size_t e = of->reduced.first[p]; e < of->reduced.first[p + 1]; e++) {
            pivot = of->reduced.at[e] == of->column[p] ? of->reduced.value[e] : pivot;
        }
        share[p] = sum[of->column[p]] / pivot;
        for (size_t e = of->reduced.first[p]; e < of->reduced.first[p + 1]; e++) {
            sum[of->reduced.at[e]] -= share[p] * of->reduced.value[e];
        }
    }
    for (int p = of->reduced.rows - 1; p >= 0; p--) {
        m[of->row[p]] = share[p];
        for (size_t e = of->factor.first[p]; e < of->factor.first[p + 1]; e++) {
            share[of->factor.at[e]] -= of->factor.value[e] * share[p];
        }
        share[p] = 0;
    }
}
