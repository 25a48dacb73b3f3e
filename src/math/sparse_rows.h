/**
 * @file sparse_rows.h
 * Elimination of sparse rows in an order in which neighbours come together, so that they stay sparse:
 *
 *   rows of G, one after the other, lose what earlier pivots say of them; the pivot of what is left is its largest entry, those being
 *   preferred by a factor that no later group of rows has; rows of which nothing is left say nothing new
 *
 * What does not move, G d = 0, is known from its unknowns without a pivot; and which combination of rows is a given row at the pivots.
 */
#ifndef DT_MATH_SPARSE_ROWS_H
#define DT_MATH_SPARSE_ROWS_H

#include "base/arena.h"

#include <stdbool.h>

/** Entries of several rows, one after the other. */
typedef struct dt_sparse {
    size_t room, count; /**< of entries */
    int rows;
    size_t *first; /**< rows + 1 */
    int *at;       /**< columns, or rows */
    double *value;
} dt_sparse;

typedef struct dt_sparse_rows {
    int columns;
    dt_sparse given;   /**< G */
    dt_sparse reduced; /**< rows with a pivot, as it is taken */
    dt_sparse
        factor; /**< of each of these: which of the reduced rows before it were taken off it, how often */
    double most;       /**< the largest entry given */
    int *group;        /**< of rows given that have their columns together */
    int *row, *column; /**< reduced.rows: of the pivots */
    int *pivot;        /**< columns: whose it is; -1: none */
    int *last;         /**< columns: the last group that has it */
    double *x;         /**< work space, zero: columns or rows */
    int *list;         /**< columns: those that have a place in x */
    bool *listed;      /**< columns */
} dt_sparse_rows;

/** For so many rows and columns, and entries given and made. False when memory is out. */
bool dt_sparse_rows_create(dt_arena *arena, int rows, int columns, size_t given, size_t made,
                           dt_sparse_rows *of);

/** No rows as yet, of so many columns. */
void dt_sparse_rows_begin(dt_sparse_rows *of, int columns);
/** An entry of the row that is being given. */
void dt_sparse_rows_add(dt_sparse_rows *of, int column, double value);
/** It is given, and belongs to a group: 0, 1, ... */
void dt_sparse_rows_end_row(dt_sparse_rows *of, int group);

/** Eliminates; entries below `nothing` of the largest one are none. False where that takes more room than there is. */
bool dt_sparse_rows_eliminate(dt_sparse_rows *of, double nothing);

/** d (columns): G d = 0, where the unknown of `column`, which has no pivot, is 1 and others without a pivot are 0. */
void dt_sparse_rows_motion(const dt_sparse_rows *of, int column, double *d);

/** The largest of G d beside what d has there, and the largest entry of G. */
double dt_sparse_rows_error(const dt_sparse_rows *of, const double *d);

/** m (rows): G'm at the pivots is what `sum` (columns) has there, and m of rows that have none is 0. `sum` is used up. */
void dt_sparse_rows_combine(const dt_sparse_rows *of, double *sum, double *m);

#endif
