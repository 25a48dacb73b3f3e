/**
 * @file support_trees.h
 * Mechanisms for the tests of the layers below the reader: chains and random trees, built directly
 * as the structures that the builder would have compiled. Every mechanism is the caller's to free.
 */
#ifndef SUPPORT_TREES_H
#define SUPPORT_TREES_H

#include "model/mechanism.h"

#include <stdint.h>

/** A small generator (SplitMix64), so that a test is the same on every machine. */
typedef struct support_random {
    uint64_t state;
} support_random;

uint64_t support_bits(support_random *random);
/** Uniform in [low, high). */
double support_uniform(support_random *random, double low, double high);
/** Logarithmically uniform in [low, high), low > 0. */
double support_spread(support_random *random, double low, double high);
/** 0 ... count - 1. */
int support_below(support_random *random, int count);
/** True with this probability. */
bool support_chance(support_random *random, double probability);
/** Uniform on the unit sphere of `count` <= 4 dimensions. */
void support_unit(support_random *random, int count, double *u);

/** What a random tree is made of. Probabilities are per node. */
typedef struct support_tree_def {
    int nodes;
    double branching;       /**< that the parent is any node before, not just the last one */
    double prismatic;       /**< else revolute */
    double spherical, weld; /**< instead of either */
    double floating;        /**< that a node on the ground, and not at the end, begins a free joint:
                                 three prismatic ones without bodies and a spherical one */
    double armature;    /**< that a scalar primitive has one, between a thousandth and a thousand */
    double prescribed;  /**< that a scalar primitive without stiction moves as prescribed */
    double massless;    /**< that a node has no body of its own (never at the end of a branch) */
    double slender;     /**< that a body is a rod, joint at its end, of which the inertia about its
                             axis is a millionth of that across */
    double stiction;    /**< that a scalar primitive has one */
    double friction[2]; /**< range of the kinetic friction, N or N m */
    double ratio[2];    /**< range of static over kinetic friction */
    double asymmetric; /**< that the limits and the kinetic friction of the two directions differ */
    /** That friction is mu times the norm of the joint's own reaction force. */
    double load_dependent;
    double mu[2];          /**< range of mu: a length (m) for revolute, a number for prismatic */
    double force;          /**< actuation is uniform in +-force; 0: none */
    double spring, damper; /**< stiffness and damping are uniform up to these */
    double gravity;        /**< magnitude, in a random direction */
} support_tree_def;

/** A tree of up to some hundred nodes in three dimensions with friction in every joint. */
support_tree_def support_default_tree(int nodes);

detent_mechanism *support_random_tree(const support_tree_def *def, support_random *random);

/** A chain of `count` equal uniform rods, hinged about z, straight along x from the origin. */
typedef struct support_chain_def {
    int count;
    double length, mass;   /**< of the whole chain, m and kg */
    double kinetic, ratio; /**< friction of every joint, N m; static over kinetic */
    double gravity[3];
    double force;           /**< actuation of every joint, uniform in +-force; 0: none */
    bool three_dimensional; /**< axes are random directions normal to the rods */
} support_chain_def;

/** 1 m, 1 kg, 1 N m, static = kinetic, gravity 9.81 along -y. */
support_chain_def support_default_chain(int count);

/** `random` may be NULL where nothing is random. */
detent_mechanism *support_chain(const support_chain_def *def, support_random *random);

/** A constant program in the arena of the mechanism. */
const dt_program *support_constant(detent_mechanism *mechanism, double value);
/** The program p + v t + a t^2 / 2. */
const dt_program *support_motion(detent_mechanism *mechanism, double p, double v, double a);
/** The program scale * |reaction force of the primitive|. */
const dt_program *support_load_dependent(detent_mechanism *mechanism, double scale, int primitive);

/**
 * Gives a mechanism `count` springs between points of any two bodies, or of one and the ground. `ends`: 2 count places
 * behind those of its loads.
 */
void support_add_struts(detent_mechanism *mechanism, support_random *random, int count,
                        dt_load *ends);

/** Random coordinates within a turn (or a metre), quaternions of unit length. */
void support_random_pose(const dt_tree *tree, support_random *random, double *q);

/** An independent mechanism with the same physics whose stictions are listed in the order `order`:
 *  its stiction k is order[k] of the old one. */
detent_mechanism *support_reordered(const detent_mechanism *mechanism, const int *order);

void support_free(detent_mechanism *mechanism);

#endif
