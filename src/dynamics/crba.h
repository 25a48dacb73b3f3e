/**
 * @file crba.h
 * Composite-rigid-body algorithm: the joint-space inertia matrix M, M a = tau at rest without
 * gravity.
 *   M_ij = S_i . C_j S_j  for i an ancestor of j (or j itself), C_j the inertia of the subtree of
 *   j; on the diagonal also the armature of j.
 */
#ifndef DT_DYNAMICS_CRBA_H
#define DT_DYNAMICS_CRBA_H

#include "dynamics/motion.h"

/** M: nv x nv, symmetric, all entries written. `composite`: node_count inertias of work space. */
void dt_crba(const dt_tree *tree, const dt_motion *motion, dt_inertia *composite, double *M);

/** The diagonal of M alone, nv: what each freedom carries. */
void dt_crba_diagonal(const dt_tree *tree, const dt_motion *motion, dt_inertia *composite,
                      double *diagonal);

#endif
