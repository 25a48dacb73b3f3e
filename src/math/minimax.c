#include "math/minimax.h"

#include "math/lapack.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* A width beside what there is; a limit of zero, below the rounding of forces, beside a width or what there is; what rounding leaves of numbers about one; what is no pivot. */
static const double least_width = 1e-9, least_limit = 1e-14, nothing = 1e-12, small = 1e-10;

/* A limit beside what is held on the other side. */
static const double little = 1e-5;

/* A share of a width by which nothing can be divided: what a motion without any force leaves, 1e-323. */
static const double vanishing = 1e-290;

bool dt_minimax_create(dt_arena *arena, int forces, int columns, dt_minimax *mm)
{
    const size_t width = (size_t)(2 * forces + columns + 2), height = (size_t)columns + 2;
    mm->tableau = dt_arena_alloc(arena, width * height, sizeof *mm->tableau);
    mm->width = dt_arena_alloc(arena, (size_t)forces + 1, sizeof *mm->width);
    mm->grain = dt_arena_alloc(arena, (size_t)forces + 1, sizeof *mm->grain);
    mm->floor = dt_arena_alloc(arena, (size_t)forces + 1, sizeof *mm->floor);
    mm->motion = dt_arena_alloc(arena, (size_t)forces + 1, sizeof *mm->motion);
    mm->scale = dt_arena_alloc(arena, (size_t)columns + 1, sizeof *mm->scale);
    mm->basis = dt_arena_alloc(arena, (size_t)columns + 1, sizeof *mm->basis);
    mm->pivots = dt_arena_alloc(arena, (size_t)columns + 1, sizeof *mm->pivots);
    mm->step = dt_arena_alloc(arena, (size_t)columns + 1, sizeof *mm->step);
    mm->kept = dt_arena_alloc(arena, (size_t)columns + 1, sizeof *mm->kept);
    return mm->tableau && mm->width && mm->grain && mm->floor && mm->motion && mm->scale &&
           mm->basis && mm->pivots && mm->step && mm->kept;
}

/* Columns of the tableau: p and n of each force in turn, an artificial unknown a row, right-hand side. */
typedef struct minimax_problem {
    double *tableau; /**< by rows; the last one: what each column would add to the objective */
    int *basis;
    int height, width; /**< equations; columns */
    int real;          /**< columns that are not artificial */
    const dt_minimax *mm;
} minimax_problem;

static double *row_of(const minimax_problem *p, int row)
{
    return p->tableau + (size_t)row * (size_t)p->width;
}

static void pivot(minimax_problem *p, int row, int column)
{
    double *leading = row_of(p, row);
    const double by = 1 / leading[column];
    for (int j = 0; j < p->width; j++) {
        leading[j] *= by;
    }
    for (int i = 0; i <= p->height; i++) {
        double *other = row_of(p, i);
        const double factor = other[column];
        for (int j = 0; j < p->width && i != row && factor != 0; j++) {
            other[j] -= factor * leading[j];
        }
        other[column] = i == row ? 1 : 0;
    }
    p->basis[row] = column;
}

/*
 * The row whose unknown an entering column drives to zero first. Of equals that with the largest pivot, which is most
 * accurate, or by `index` the first unknown, which does not cycle. -1: none.
 */
static int leaving(const minimax_problem *p, int column, bool index)
{
    int row = -1;
    double least = INFINITY;
    for (int i = 0; i < p->height; i++) {
        const double *r = row_of(p, i);
        if (!(r[column] > small * p->mm->grain[column / 2])) {
            continue;
        }
        const double ratio = fmax(r[p->width - 1], 0) / r[column];
        const bool better =
            row >= 0 && (index ? p->basis[i] < p->basis[row] : r[column] > row_of(p, row)[column]);
        if (row < 0 || ratio < least - nothing || (ratio <= least + nothing && better)) {
            least = fmin(least, ratio);
            row = i;
        }
    }
    return row;
}

/* The column that adds most to a row, or by `index` the first one that adds anything. -1: none. */
static int entering(const minimax_problem *p, const double *gain, bool index)
{
    int best = -1;
    for (int j = 0; j < p->real && !(index && best >= 0); j++) {
        if (gain[j] > nothing * p->mm->grain[j / 2] && (best < 0 || gain[j] > gain[best])) {
            best = j;
        }
    }
    return best;
}

/*
 * Where no row is a pivot nothing but a limit of zero is in the way of a motion: the row that has most of what counts as such a
 * limit. -1: none has.
 */
static int against_nothing(const minimax_problem *p, int column)
{
    const int force = column / 2;
    const double floor = p->mm->floor[force] / p->mm->width[force];
    int row = -1;
    for (int i = 0; i < p->height; i++) {
        const double entry = row_of(p, i)[column];
        if (entry > 0.1 * floor && (row < 0 || entry > row_of(p, row)[column])) {
            row = i;
        }
    }
    return row;
}

/*
 * Brings in columns that add to the row `gain`, until there is none, or the unknown of row `last` has left the basis, or what comes in is
 * stopped by nothing.
 */
static void ascend(minimax_problem *p, int gain, int last)
{
    const int quick = 10 * (p->height + 1), most = 100 * (p->height + 1) + 8 * p->real;
    for (int round = 0; round < most; round++) {
        const bool index = round >= quick; /* it may be going in circles */
        const int column = entering(p, row_of(p, gain), index),
                  stopped = column < 0 ? -1 : leaving(p, column, index),
                  row = column >= 0 && stopped < 0 ? against_nothing(p, column) : stopped;
        if (row < 0) {
            return;
        }
        pivot(p, row, column);
        if (row == last || stopped < 0) {
            return;
        }
    }
}

/* A basis without artificial unknowns: rows of zero take any column, the last one what the simplex method finds. */
static void begin(minimax_problem *p)
{
    const int last = p->height - 1;
    for (int row = 0; row < last; row++) {
        const double *r = row_of(p, row);
        int column = 0;
        for (int j = 1; j < p->real; j++) {
            column = fabs(r[j]) > fabs(r[column]) ? j : column;
        }
        if (fabs(r[column]) > nothing) {
            pivot(p, row, column);
        }
    }
    ascend(p, last, last);
}

/*
 * The measure of each force: half the width of its limits, or a little of what there is. Who is held on one side alone has limits that are as wide as
 * a very large number: its numbers are small beside the others', and what is nothing of them, too.
 */
static void measure(dt_minimax *mm, int forces, int columns, const double *U, const double *b,
                    double (*limits)[2])
{
    for (int i = 0; i < forces; i++) {
        double size = fabs(b[i]);
        for (int j = 0; j < columns; j++) {
            /* Of the unknown: it upsets the force that it moves most, beside what that is. */
            double most = INFINITY;
            for (int k = 0; k < forces; k++) {
                const double u = fabs(U[(size_t)j * (size_t)forces + (size_t)k]);
                most = u > 0 ? fmin(most, (fabs(b[k]) + limits[k][1] - limits[k][0]) / u) : most;
            }
            const double u = fabs(U[(size_t)j * (size_t)forces + (size_t)i]);
            size = u > 0 ? fmax(size, u * most) : size;
        }
        const double other = fmin(-limits[i][0], limits[i][1]); /* friction beside a stop */
        mm->width[i] = fmax(0.5 * (limits[i][1] - limits[i][0]), least_width * size);
        mm->width[i] = mm->width[i] > 0 ? mm->width[i] : 1;
        const bool one_sided = other <= little * mm->width[i];
        mm->grain[i] = one_sided && size > 0 ? fmin(fmax(size, other) / mm->width[i], 1) : 1;
        mm->floor[i] = least_limit * (size > 0 ? fmin(mm->width[i], size) : mm->width[i]);
    }
    for (int j = 0; j < columns; j++) {
        mm->scale[j] = 0;
        for (int i = 0; i < forces; i++) {
            mm->scale[j] =
                fmax(mm->scale[j], fabs(U[(size_t)j * (size_t)forces + (size_t)i]) / mm->width[i]);
        }
        mm->scale[j] = mm->scale[j] > 0 ? mm->scale[j] : 1;
    }
}

/* The largest of the numbers b, each by its measure. */
static double largest(const dt_minimax *mm, int forces, const double *b)
{
    double most = 0;
    for (int i = 0; i < forces; i++) {
        most = fmax(most, fabs(b[i]) / mm->width[i]);
    }
    return most;
}

static void fill(const dt_minimax *mm, minimax_problem *p, int columns, const double *U,
                 const double *b, double (*limits)[2], double unit)
{
    const int forces = p->real / 2;
    memset(p->tableau, 0, (size_t)p->width * (size_t)(p->height + 1) * sizeof *p->tableau);
    for (int i = 0; i < forces; i++) {
        for (int j = 0; j < columns; j++) {
            const double u =
                U[(size_t)j * (size_t)forces + (size_t)i] / (mm->width[i] * mm->scale[j]);
            row_of(p, j)[2 * i] = u;
            row_of(p, j)[2 * i + 1] = -u;
        }
        row_of(p, columns)[2 * i] = fmax(limits[i][1], mm->floor[i]) / mm->width[i];
        row_of(p, columns)[2 * i + 1] = fmax(-limits[i][0], mm->floor[i]) / mm->width[i];
        row_of(p, p->height)[2 * i] = b[i] / mm->width[i] / unit;
        row_of(p, p->height)[2 * i + 1] = -b[i] / mm->width[i] / unit;
    }
    for (int row = 0; row < p->height; row++) {
        row_of(p, row)[p->real + row] = 1;
        p->basis[row] = p->real + row;
    }
    row_of(p, columns)[p->width - 1] = 1;
}

/* p - n; what is nothing beside the largest, by the measures, is rounding. */
static void find_motion(dt_minimax *mm, const minimax_problem *p)
{
    double most = 0;
    memset(mm->motion, 0, (size_t)(p->real / 2) * sizeof *mm->motion);
    for (int row = 0; row < p->height; row++) {
        most = fmax(most, p->basis[row] < p->real ? row_of(p, row)[p->width - 1] : 0);
    }
    for (int row = 0; row < p->height; row++) {
        const int column = p->basis[row], i = column / 2;
        const double size = row_of(p, row)[p->width - 1];
        if (column < p->real && size > least_width * most) {
            mm->motion[i] += (column % 2 == 0 ? size : -size) / mm->width[i];
        }
    }
}

/* A problem as it is given. */
typedef struct minimax_given {
    int forces, columns;
    const double *U, *b, (*limits)[2];
} minimax_given;

static double limit_of(const dt_minimax *mm, const minimax_given *of, int i, bool upper)
{
    return fmax(upper ? of->limits[i][1] : -of->limits[i][0], mm->floor[i]);
}

/* The largest share of its limit that a force takes. */
static double largest_share(const dt_minimax *mm, const minimax_given *of, const double *y)
{
    double most = 0;
    for (int i = 0; i < of->forces; i++) {
        double force = of->b[i];
        for (int j = 0; j < of->columns; j++) {
            force += of->U[(size_t)j * (size_t)of->forces + (size_t)i] * y[j];
        }
        most = fmax(most, fabs(force) / limit_of(mm, of, i, force > 0));
    }
    return most;
}

/* The equations that the forces of the basis are at m times their limits, in the place of the tableau, and by how much they are off, into mm->step. */
static bool form_equations(dt_minimax *mm, const minimax_given *of, const double *y, double m)
{
    const int n = of->columns + 1;
    double *matrix = mm->tableau;
    for (int r = 0; r < n; r++) {
        const int i = mm->basis[r] / 2, sign = mm->basis[r] % 2 == 0 ? 1 : -1;
        if (i >= of->forces) {
            return false; /* nobody decides that one */
        }
        const double limit = limit_of(mm, of, i, sign > 0), width = mm->width[i];
        double force = of->b[i], size = limit / width;
        for (int j = 0; j < of->columns; j++) {
            const double u = of->U[(size_t)j * (size_t)of->forces + (size_t)i];
            matrix[j * n + r] = sign * u / (width * mm->scale[j]);
            size = fmax(size, fabs(matrix[j * n + r]));
            force += u * y[j];
        }
        matrix[of->columns * n + r] = -limit / width;
        mm->step[r] = (m * limit - sign * force) / width / size;
        for (int j = 0; j < n; j++) {
            matrix[j * n + r] /= size;
        }
    }
    return true;
}

/*
 * These equations, formed of the numbers as they are given, tell the last digits of y and m, of which the tableau has lost some from pivot to pivot.
 * Not where they are singular but for rounding, and make it worse.
 */
static void refine(dt_minimax *mm, const minimax_given *of, double *y, double *m)
{
    const int n = of->columns + 1;
    const double before = largest_share(mm, of, y);
    int info = 0;
    if (!form_equations(mm, of, y, *m)) {
        return;
    }
    dgetrf_(&n, &n, mm->tableau, &n, mm->pivots, &info);
    if (info != 0) {
        return;
    }
    dt_lu_solve(mm->tableau, mm->pivots, n, mm->step, 1);
    memcpy(mm->kept, y, (size_t)of->columns * sizeof *y);
    for (int j = 0; j < of->columns; j++) {
        y[j] += mm->step[j] / mm->scale[j];
    }
    const double after = *m + mm->step[of->columns];
    if (after >= 0 && largest_share(mm, of, y) < before) {
        *m = after;
    } else {
        memcpy(y, mm->kept, (size_t)of->columns * sizeof *y);
    }
}

double dt_minimax_solve(dt_minimax *mm, int forces, int columns, const double *U, const double *b,
                        double (*limits)[2], double *y)
{
    minimax_problem p = {.tableau = mm->tableau,
                         .basis = mm->basis,
                         .height = columns + 1,
                         .width = 2 * forces + columns + 2,
                         .real = 2 * forces,
                         .mm = mm};
    measure(mm, forces, columns, U, b, limits);
    const double unit = largest(mm, forces, b);
    if (!(unit > vanishing)) {
        memset(y, 0, (size_t)columns * sizeof *y);
        memset(mm->motion, 0, (size_t)forces * sizeof *mm->motion);
        return 0;
    }
    fill(mm, &p, columns, U, b, limits, unit);
    begin(&p);
    ascend(&p, p.height, -1);
    find_motion(mm, &p);
    /* Of the artificial unknowns: less the dual solution. */
    const double *price = row_of(&p, p.height) + p.real;
    for (int j = 0; j < columns; j++) {
        y[j] = unit * price[j] / mm->scale[j];
    }
    const minimax_given given = {forces, columns, U, b, (const double(*)[2])limits};
    double m = -unit * price[columns];
    refine(mm, &given, y, &m);
    return m;
}
