/**
 * @file coupling.h
 * Laws that read other nodes, and whatever else acts on one node and reads another (element.h: answers), in an exact
 * Newton step: a Schur complement on their changes u.
 *
 *   x = x0 + X u,   u = G w(x),   hence   (1 - G C) u = G w(x0)
 * x0 solves the tree without couplings, X holds its answers to unit changes, C = dw/du their
 * readings. Trees that share only the ground do not answer to each other, so one sweep takes a
 * column from each of them, and the matrix is banded when neighbours read neighbours.
 */
#ifndef DT_DYNAMICS_COUPLING_H
#define DT_DYNAMICS_COUPLING_H

#include "dynamics/tree_newton.h"
#include "math/band.h"

typedef struct dt_coupling {
    int count;         /**< answers: remote laws, and others */
    bool without_ties; /**< those of ties are not among them: the tree has them */
    int most,
        most_first; /**< the most answers of one component; of those that read accelerations */
    int *component; /**< node_count: the trees that answer to each other, by their first one */
    int *joined;    /**< work space, by tree */
    int *first,
        *member; /**< members of component t: member[first[t]] ... member[first[t + 1] - 1] */
    dt_band matrix;
    double *u;         /**< count */
    double *u_Q, *u_K; /**< node_count, stiction_count */
    double (*u_E)[6];  /**< node_count */
    double *u_m;       /**< dt_tie_rows(): of conditions, in the solution */
} dt_coupling;

/** Of all answers, or without those of ties, which are in the tree then (tie_front.h). False when memory is out. */
bool dt_coupling_create(dt_arena *arena, const dt_system *system, const dt_linear_laws *laws,
                        bool without_ties, dt_coupling *coupling);

/** Forms and factors 1 - G C with the factored tree. False where it is singular. */
bool dt_coupling_factor(dt_coupling *coupling, dt_tree_newton *tn, const dt_system *system,
                        const dt_linear_laws *laws);

/** The sign of the determinant of what has been factored last: 1 where no answer takes part at that level. */
int dt_coupling_sign(const dt_coupling *coupling, const dt_tree_newton *tn,
                     const dt_linear_laws *laws);

/** Change of a reading in the solution that `tn` holds. */
double dt_coupling_reading(const dt_tree_newton *tn, const dt_system *system, dt_variable variable);

/** Solves with couplings, and with states where load->r_z is given; the solution is left in `tn`. */
void dt_coupling_solve(dt_coupling *coupling, dt_tree_newton *tn, const dt_system *system,
                       const dt_linear_laws *laws, const dt_tree_load *load);

#endif
