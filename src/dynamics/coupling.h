/**
 * @file coupling.h
 * Laws that read other nodes, in an exact Newton step: a Schur complement on the changes u of these
 * laws.
 *
 *   x = x0 + X u,   u = G w(x),   hence   (1 - G C) u = G w(x0)
 * x0 solves the tree without couplings, X holds its answers to unit changes, C = dw/du their
 * readings. Trees that share
 * only the ground do not answer to each other, so one sweep takes a column from each of them, and
 * the matrix is
 * banded when neighbours read neighbours.
 */
#ifndef DT_DYNAMICS_COUPLING_H
#define DT_DYNAMICS_COUPLING_H

#include "dynamics/tree_newton.h"
#include "math/band.h"

typedef struct dt_coupling {
    int count;           /**< remote laws */
    int rounds;          /**< the most remote laws in one tree */
    int *component;      /**< node_count: the tree of a node */
    int *first, *member; /**< members of tree t: member[first[t]] ... member[first[t + 1] - 1] */
    dt_band matrix;
    double *u;         /**< count */
    double *u_Q, *u_K; /**< node_count, stiction_count */
    double (*u_E)[6];  /**< node_count */
} dt_coupling;

/** False when memory is out. */
bool dt_coupling_create(dt_arena *arena, const dt_system *system, const dt_linear_laws *laws,
                        dt_coupling *coupling);

/** Forms and factors 1 - G C with the factored tree. False where it is singular. */
bool dt_coupling_factor(dt_coupling *coupling, dt_tree_newton *tn, const dt_system *system,
                        const dt_linear_laws *laws);

/** Solves with couplings; the solution is left in `tn`. */
void dt_coupling_solve(dt_coupling *coupling, dt_tree_newton *tn, const dt_system *system,
                       const dt_linear_laws *laws, const dt_tree_load *load);

#endif
