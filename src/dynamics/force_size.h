/**
 * @file force_size.h
 * What the forces of a mechanism are summed from, and so how exactly they can be known.
 *
 * Freedom j of node i has the equation S'F - Q - f = 0. Its terms are of the size
 *   z = |Q| + |J a| + |S| . sum over the subtree (|I| |A| + |V| x* |I| |V| + |E|)
 * (J the armature; absolute values entry by entry; |A| and |V| the largest of the terms that they were summed from,
 * which may cancel: a body that its joint leaves behind; |Q| the sum of the sizes of spring, damper
 * and actuation), each with a rounding error, so that forces are known within about
 *   delta = 8 sqrt(n + 16) eps z.
 * Measured from one joint to 10,000, at rest and thrown about: residuals up to 0.5 delta, forces up
 * to 2.6 delta (docs/mode-search.md). What is smaller is zero.
 */
#ifndef DT_DYNAMICS_FORCE_SIZE_H
#define DT_DYNAMICS_FORCE_SIZE_H

#include "dynamics/system.h"

typedef struct dt_force_size {
    double (*wrench)[6]; /**< node_count: the sum over the subtree, N m and N */
    double (*reach)[12]; /**< node_count: largest terms of V and A on the way outward */
    bool impulsive;      /**< of impulses: nothing but M times a change of velocity */
} dt_force_size;

/** For `tree` and what is left of it with nodes welded. False when memory is out. */
bool dt_force_size_create(dt_arena *arena, const dt_tree *tree, dt_force_size *size);

/**
 * Measures the wrenches at the accelerations `A` (of node i at A + i * stride, 6 numbers, with
 * -gravity) where the nodes in `held` do not move against their parents; NULL: whatever moves, the
 * rounding of all accelerations before a node counts. Where `impulsive`, A are
 * changes of velocity, and there are no other terms than inertia.
 */
void dt_force_size_update(const dt_system *system, const double *A, size_t stride,
                          const unsigned char *held, dt_force_size *size);

/** z of freedom `column` of a node, N or N m; at the system's Q and the accelerations `a` (nv). */
double dt_force_size_of(const dt_force_size *size, const dt_system *system, const double *a,
                        int node, int column);

/** What the rounding of the nodes makes of a force of one N or N m: 8 sqrt(n + 16) eps. */
double dt_force_rounding(const dt_tree *tree);

/** The rounding of an ordinary force along freedom j: less is nothing. 0 while scales are not known. */
double dt_force_least(const dt_system *system, int j);

/**
 * What of a force along freedom j is rounding, where the sum of its terms is z. Where the terms themselves are nothing but what
 * rounding has left, it is the rounding of the rounding of an ordinary force: a solution of many equations leaves that anywhere.
 */
double dt_force_noise(const dt_system *system, int j, double z);

/**
 * Whether the norm of the force, or moment, that node i transmits cannot be told from the rounding of the terms that it is
 * summed from, so that its direction means nothing; false where the system's `told` is NULL.
 */
bool dt_norm_is_nothing(const dt_system *system, int i, bool moment, double norm);

/** The same of the norm of a sum: `share` of the force and `lever` (1/m) of the moment. */
bool dt_sum_is_nothing(const dt_system *system, int i, double share, double lever, double norm);

#endif
