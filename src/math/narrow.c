#include "math/narrow.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* An entry beside those that its force had: what is less has come from rounding. */
static const double nothing = 1e-9;

bool dt_narrow_create(dt_arena *arena, int forces, int columns, dt_narrow *of)
{
    const size_t n = (size_t)forces + 1, c = (size_t)columns + 1;
    of->matrix = dt_arena_alloc(arena, (n + c) * c, sizeof *of->matrix);
    of->rest = dt_arena_alloc(arena, n + c, sizeof *of->rest);
    of->size = dt_arena_alloc(arena, n, sizeof *of->size);
    of->usual = dt_arena_alloc(arena, n, sizeof *of->usual);
    of->column = dt_arena_alloc(arena, n, sizeof *of->column);
    of->force = dt_arena_alloc(arena, c, sizeof *of->force);
    return of->matrix && of->rest && of->size && of->usual && of->column && of->force;
}

/* An elimination while it is made. */
typedef struct narrow_problem {
    dt_narrow *of;
    int forces, columns;
    const double *width;
    const int *lost;
} narrow_problem;

static double *column_of(const narrow_problem *p, int j)
{
    return p->of->matrix + (size_t)j * (size_t)(p->forces + p->columns);
}

static void begin(const narrow_problem *p, const double *U, const double *b)
{
    dt_narrow *of = p->of;
    const size_t n = (size_t)p->forces, c = (size_t)p->columns;
    memset(of->usual, 0, n * sizeof *of->usual);
    for (int j = 0; j < p->columns; j++) {
        double *column = column_of(p, j);
        memcpy(column, U + (size_t)j * n, n * sizeof *column);
        memset(column + n, 0, c * sizeof *column);
        column[n + (size_t)j] = 1;
        of->force[j] = -1;
        for (int i = 0; i < p->forces; i++) {
            of->usual[i] = fmax(of->usual[i], fabs(column[i]));
        }
    }
    memcpy(of->rest, b, n * sizeof *of->rest);
    memset(of->rest + n, 0, c * sizeof *of->rest);
    for (int i = 0; i < p->forces; i++) {
        of->size[i] = fabs(b[i]);
        of->column[i] = -1;
    }
}

/* The largest entry left of the forces that come first; false where there is none. */
static bool find_pivot(const narrow_problem *p, int *row, int *column)
{
    const dt_narrow *of = p->of;
    double most = 0;
    int first = INT_MAX;
    for (int j = 0; j < p->columns; j++) {
        for (int i = 0; i < p->forces && of->force[j] < 0; i++) {
            const double entry = fabs(column_of(p, j)[i]), width = p->width[i];
            const double size = entry / (width > 0 ? width : of->usual[i]);
            const int rank = dt_narrow_rank(width, p->lost[i]);
            if (of->column[i] < 0 && entry > nothing * of->usual[i] &&
                (rank < first || (rank == first && size > most))) {
                most = size;
                first = rank;
                *row = i;
                *column = j;
            }
        }
    }
    return most > 0;
}

/* Takes `factor` of a column of numbers from another one. */
static void subtract(const narrow_problem *p, double factor, const double *column, double *from)
{
    for (int i = 0; i < p->forces + p->columns && factor != 0; i++) {
        from[i] -= factor * column[i];
    }
}

/* From now on column j stands for force i. */
static void eliminate(const narrow_problem *p, int i, int j)
{
    dt_narrow *of = p->of;
    double *pivot = column_of(p, j);
    const double by = 1 / pivot[i], b = of->rest[i];
    for (int k = 0; k < p->forces + p->columns; k++) {
        pivot[k] *= by;
    }
    pivot[i] = 1;
    for (int k = 0; k < p->columns; k++) {
        double *other = column_of(p, k);
        if (k != j) {
            subtract(p, other[i], pivot, other);
            other[i] = 0;
        }
    }
    for (int k = 0; k < p->forces; k++) {
        of->size[k] = fmax(of->size[k], fabs(b * pivot[k]));
    }
    subtract(p, b, pivot, of->rest);
    of->rest[i] = 0;
    of->column[i] = j;
    of->force[j] = i;
}

void dt_narrow_run(dt_narrow *of, int forces, int columns, const double *U, const double *b,
                   const double *width, const int *lost)
{
    const narrow_problem p = {of, forces, columns, width, lost};
    int row = 0, column = 0;
    begin(&p, U, b);
    while (find_pivot(&p, &row, &column)) {
        eliminate(&p, row, column);
    }
}
