/**
 * @file closure_local.h
 * Closing where there are many loops: the same equations as in closure.h, cluster by cluster, in linear time where loops are
 * local.
 *
 * A *tie* is a loop (six rows) or a transmission (one row); it reads the freedoms of its *span*, the joints around it. Ties
 * that share a freedom, and those that these share freedoms with, are a *cluster*: a block of G (the biconnected components of
 * the graph of bodies and joints). Inside one the ties have an order in which neighbours come together (Cuthill and McKee,
 * Proc. ACM 24 (1969) 157), so that what is to be solved is banded.
 *
 * Rows and dependent freedoms are chosen together, by elimination with pivots in that order: a tie's rows lose what earlier
 * pivots say of them; among what is left the largest entry is the next pivot, where freedoms that no later tie reads are
 * preferred by a factor, which keeps rows short. Rows of which nothing is left say nothing new.
 */
#ifndef DT_DYNAMICS_CLOSURE_LOCAL_H
#define DT_DYNAMICS_CLOSURE_LOCAL_H

#include "dynamics/system.h"
#include "math/band.h"

typedef struct dt_tie {
    int row, rows;   /**< of G */
    int first, end;  /**< its span: freedom[first] ... freedom[end - 1], ascending */
    size_t block;    /**< its part of G: rows x (end - first), by columns */
    int cluster, at; /**< at: its place in the order of all ties */
} dt_tie;

typedef struct dt_cluster {
    int first, end;       /**< ties: order[first] ... order[end - 1] */
    int column, columns;  /**< freedoms that its ties read: column_freedom[column] ... */
    int start, row_count; /**< its rows among those of all ties in their order */
    int width;            /**< of the band of rows that share freedoms */
    int spread;           /**< of that of the present choice */
    size_t room;          /**< for entries of the band */
    int count;            /**< active rows: pivot_row[start] ... pivot_row[start + count - 1] */
    double best;          /**< as in dt_closure, of this cluster */
    dt_band band;
} dt_cluster;

typedef struct dt_closure_local {
    int tie_count, cluster_count;
    dt_tie *tie;
    int *order; /**< tie_count: ties, cluster by cluster */
    dt_cluster *cluster;
    int *freedom; /**< of all spans */
    /** Of a loop: whether it moves the ghost (1) or the original (-1); of a transmission its factor. */
    double *sign;
    int *node;   /**< nv: whose freedom it is */
    int *last;   /**< nv: the last tie, by place, that reads it; -1: none */
    int *column; /**< nv: its column in its cluster */
    int *column_freedom;
    double *G;
    int *pivot_row, *pivot_freedom; /**< rows, in the order of elimination, by cluster */
    int *place; /**< nv: of a dependent freedom among the pivots of its cluster */
    int *slot_row,
        *slot_freedom; /**< where row and freedom of a pivot are among closure->row, ->freedom */
    /** Work space of the choice, zero: rows x columns of the largest cluster, zero. */
    double *reduced;
    int *from, *to;  /**< rows: of those of pivots, their entries */
    int *low, *high; /**< of any */
    double *x, *y;   /**< rows */
    int *row_tie;    /**< rows */
} dt_closure_local;

/** NULL into *local where memory is out. */
bool dt_closure_local_create(dt_arena *arena, const dt_system *system, dt_closure_local **local);

/** Entry of G; 0 where the tie of the row does not read the freedom. */
double dt_closure_local_entry(const dt_closure_local *local, int row, int freedom);

/** G at the present pose, of the wrenches of unit multipliers. */
void dt_closure_local_update(dt_system *system);

/** Rows and freedoms of all clusters, or of those whose `best` is below zero. */
void dt_closure_local_choose(dt_system *system, double length, bool all);

/** Factors the columns of the dependent freedoms; false where they do not decide the rows. */
bool dt_closure_local_factor(dt_system *system);

/** Judges the last factorisation; marks clusters whose choice has worn, by best < 0, if asked to; true where there are any. */
bool dt_closure_local_worn(dt_system *system, bool marks);

/** The sign of the determinant, after dt_closure_local_factor(). */
int dt_closure_local_side(const dt_closure_local *local);

/** Factors G W G' of the active rows, W = weight^2 by freedom. */
bool dt_closure_local_normal(dt_system *system, const double *weight);

/** x := inverse x of what was factored last: from the order of closure->row to that of closure->freedom. */
void dt_closure_local_solve(const dt_closure_local *local, double *x, bool of_rows);

/** x[k] = sum over freedoms of G v, of row k of closure->row; of independent freedoms only, or of all. */
void dt_closure_local_product(const dt_system *system, const double *v, bool all, double *x);

/** v = G' x, x by closure->row. */
void dt_closure_local_back(const dt_system *system, const double *x, double *v);

#endif
