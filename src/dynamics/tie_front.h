/**
 * @file tie_front.h
 * Multipliers of loops and transmissions in the exact Newton step along the tree (tree_newton.h), in linear time where they
 * are local.
 *
 * A tie e touches nodes, and is *open* at those between them and the one that carries all of them, where it *closes*. On the
 * way inward a node has, for the multipliers u of ties that are open there,
 *
 *   d~F_i = P z_i + p + Y u           and of the row of each    C z_i + D u + c   = 0 where it closes
 *
 * With eta = K + D_j (q u - sP T z_p), K what tree_newton.h has there, q = left (-sigma Y + what e does along the joint) and
 * g = C U right' (+ what the row reads of the joint), a free node leaves to its parent
 *
 *   Y + h D_j q,      (C - g D_j sP) T,      D + g D_j q,      c + C Ub b + g K
 *
 * Ties G that close at a node are eliminated there before its own freedoms, as those O that stay open demand:
 *
 *   u_G = w - F z_i - E u_O,     F = D_GG^-1 C_G,   E = D_GG^-1 D_GO,   w = -D_GG^-1 c_G
 *   P - Y_G F,     p + Y_G w,    Y_O - Y_G E,       C_O - D_OG F,       D_OO - D_OG E,     c_O + D_OG w
 *
 * D_GG is regular: the rows are independent for the freedoms beyond the node. Outward, u_G follows from z_i. The work is that
 * of the tree, and for every node the square of how many rows are open there. Recursive elimination of loops: Brandl, Johanni
 * and Otter (1987); Bae and Haug, Mech. Struct. Mach. 15 (1987) 481.
 */
#ifndef DT_DYNAMICS_TIE_FRONT_H
#define DT_DYNAMICS_TIE_FRONT_H

#include "dynamics/tree_newton.h"

/** A tie at a node where it is open or closes. */
typedef struct dt_open {
    int tie;
    int up;          /**< the same tie at the parent */
    bool touches;    /**< a loop: it ends at this node; a transmission: it ties this joint */
    bool fresh;      /**< at its node's turn nothing has come to it from beyond */
    bool begins;     /**< it is the first to come to the same tie at the parent */
    double sign;     /**< 1: ghost, -1: original; of a transmission its factor */
    double (*Y)[6];  /**< rows */
    int slot;        /**< where its C is; -1: the ground has none */
    double (*C)[18]; /**< rows; from the first that comes to it to the end of its node's turn */
    double (*q)[3], (*g)[3], (*b)[3]; /**< rows: by freedom, q with D_j; b: C Ub */
} dt_open;

/** Ties that close together. */
typedef struct dt_closing {
    int first, end;   /**< among dt_tie_front.open: they */
    int rest, beyond; /**< those that stay open with them */
    int count, *row;  /**< active rows of theirs */
    int open_rows;
    double *matrix, *F, *E;
    int *pivots;
} dt_closing;

typedef struct dt_front_tie {
    int row, rows, at; /**< at: its place in D */
    int count, active[6];
} dt_front_tie;

typedef struct dt_tie_front {
    int node_count, tie_count, width, closing_count;
    dt_front_tie *tie;
    /** node_count + 2: open[first[i]] ... of node i, those that stay open first; the last is the ground */
    int *first;
    int *stay; /**< node_count + 1: where those begin that close */
    dt_open *open;
    int *closing_first; /**< node_count + 2: closing[...] at node i */
    dt_closing *closing;
    double *D;   /**< of ties at most `width` places apart: 6 x 6 each */
    double *all; /**< Y, q, g, b of all */
    int slot_count;
    double *slots; /**< 6 x 18 each: C of those that are at work, few, which stay in the cache */
    size_t all_count, D_count;
    double *u, *w, *c;        /**< rows */
    double *Q;                /**< node_count: what transmissions do along joints, outward */
    const dt_remote **remote; /**< rows */
    int sign;                 /**< of the determinants of -D_GG */
    const double *unit;       /**< rows: closure->row_unit; D_GG is eliminated in these */
} dt_tie_front;

/** False when memory is out. */
bool dt_tie_front_create(dt_arena *arena, const dt_system *system, dt_tie_front **front);

/** Begins a factorisation. */
void dt_tie_front_begin(dt_tie_front *front, const dt_system *system, const dt_linear_laws *laws);
/** Inward, first of all at a node: what the ties do that touch it, and read of it. */
void dt_tie_front_touch(dt_tie_front *front, const dt_system *system, const dt_tree_newton *tn,
                        int node);
/** Eliminates the ties that close at a node, -1: at the ground, whose P is complete. False where they are singular. */
bool dt_tie_front_close(dt_tie_front *front, const dt_tree_newton *tn, int node);
/** Those that are open at a node, from there to its parent. */
void dt_tie_front_pass(dt_tie_front *front, const dt_system *system, const dt_linear_laws *laws,
                       const dt_tree_newton *tn, int node);

/** Begins a solution; r_m by row, or NULL. */
void dt_tie_front_load(dt_tie_front *front, const double *r_m);
/** Inward, before the node's own turn: what closes there; -1: the ground. */
void dt_tie_front_inward(dt_tie_front *front, dt_tree_newton *tn, int node);
/** Inward, after it: what its constants mean for the rows. */
void dt_tie_front_constants(dt_tie_front *front, const dt_tree_newton *tn, const dt_system *system,
                            int node, const double constant[3]);
/** Outward, before the node's own turn. */
void dt_tie_front_outward(dt_tie_front *front, dt_tree_newton *tn, const dt_system *system,
                          int node);
/** Outward, after it. */
void dt_tie_front_follow(dt_tie_front *front, const dt_tree_newton *tn, int node);

#endif
