/**
 * @file rods.h
 * Chains and trees of uniform rods as plain numbers, for every engine the same. Read by C and C++.
 *
 * All frames are parallel to the world's where all angles are zero; the frame of a rod has its
 * origin on its joint.
 */
#ifndef BENCH_RODS_H
#define BENCH_RODS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_rod {
    size_t parent;     /**< 0: the ground, else the number of a rod, from 1 */
    double at[3];      /**< of its joint in the parent's frame, m */
    double axis[3];    /**< of its joint, unit */
    double end[3];     /**< its free end in its own frame, m */
    double mass;       /**< kg; the centre of mass is in the middle */
    double inertia[6]; /**< kg m^2 about the centre of mass: xx yy zz xy xz yz */
    double friction;   /**< kinetic, N m */
    double sticking;   /**< static friction over kinetic */
    double push;       /**< actuation of its joint, N m */
} bench_rod;

/** Rods 1 ... n (rods[0] is the ground) along x, joints about z: length and mass of one, its
 *  friction. */
void bench_chain_rods(bench_rod *rods, size_t n, double length, double mass, double friction);

/**
 * Rods 1 ... n of a random branching tree in three dimensions, 1 kg in all, the same for the same
 * n. Each rod is made at the far end of one of the four rods made before it, in a random direction,
 * on a joint with a random axis; its friction is 0.15 of the weight of what hangs on the joint times
 * the length of a rod, so that all joints are near their limits together. Numbers are depth first,
 * as detent and other programs number coordinates. The rods are thick: in space some programs need
 * regular inertia.
 */
void bench_tree_rods(bench_rod *rods, size_t n);

/**
 * Random loads on a chain of n rods, 1 m and 1 kg in all: joints about random axes (three of four
 * cases), pushed by up to 1.5 times their friction (three of four), static friction 1.5 times the
 * kinetic one in every other case, poses q (n) from slightly bent to crumpled. `number`: of the
 * case, from 0.
 */
void bench_push_rods(bench_rod *rods, size_t n, size_t number, double *q);

/** Makes the rods as thick as a tenth of their length: inertia from mass and end. */
void bench_thicken_rods(bench_rod *rods, size_t n);

/** The state in which forward dynamics are measured. */
void bench_dynamics_state(size_t n, double *q, double *v);

#ifdef __cplusplus
}
#endif

#endif
