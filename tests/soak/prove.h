/**
 * @file prove.h
 * Whether a mechanism has no consistent state at an instant: by dynamics of its own, which share nothing with the
 * library's, and by trying every set of modes.
 *
 *   M(q) a + h(q, v) = Q(t, q, v, a, f) + S f
 *   with C'x on the right and C a = c where loops and couplings tie (prove_ties.h)
 *   a joint at rest: locked, a = 0 and friction inside its limits; or starting in direction s, s a >= 0, f = -s FK(s)
 *   a joint that moves: f = -s FK(s) in the direction s of its velocity
 *
 * M, h from Jacobians of the centres of mass and the rotations, differentiated along v by the rule of products;
 * reactions by summing up forces beyond a joint; laws from their texts. For each of the 3^n sets the equations are
 * solved by Newton's method from several starts, for laws may read accelerations, friction and reactions.
 */
#ifndef SOAK_PROVE_H
#define SOAK_PROVE_H

#include "judge.h"
#include "sketch.h"

typedef enum proof {
    PROOF_NONE_EXISTS,  /**< no set of modes is consistent */
    PROOF_ONE_EXISTS,   /**< one is: the engine is wrong */
    PROOF_NOT_POSSIBLE, /**< too large, or its state is not known */
} proof;

/** `v` has the instant and state; `words` tells the modes that were found, or what is in the way. */
proof prove(const sketch *, const verdict *v, char *words, size_t capacity);

/** What a residual may be: both calculations are exact but for rounding, of which a thousand mechanisms show 3e-14. */
extern const double prove_bound;

/**
 * Whether accelerations and frictions that a run ended with satisfy these equations: the residual over the size of the
 * forces, and in which freedom. NAN where the state is not known.
 */
double prove_dynamics(const sketch *, const verdict *v, char *words, size_t capacity);

/**
 * Whether the friction that a run ended with satisfies these equations and its laws, and dwarfs all that causes it: friction that
 * follows its own reaction, where it is about to cancel the inertia it works on. There the solution ends.
 */
bool prove_unbound(const sketch *, const verdict *v);

/**
 * Whether the solution that a run ended with meets another one and ends with it, in a fold: a moment before the end there
 * are two at the same modes, as far from the last one on either side, and from then on there is none with any modes.
 */
bool prove_fold(const sketch *, const verdict *v);

/**
 * Whether motions have led a loop to where it goes no farther: the least velocities of the other joints with which it stays
 * closed are beyond all measure, beside those of the motions, or there are none.
 */
bool prove_dead_end(const sketch *, const verdict *v);

/** The same after the impact that follows at once, by those of impact_plain.h; PROOF_NOT_POSSIBLE where none does. */
proof prove_after(const sketch *, const verdict *v, char *words, size_t capacity);

/** Whether motions, and what ties, leave a joint no choice but to go on through the rigid stop that it has come to. */
bool prove_driven(const sketch *, const verdict *v);

/**
 * Whether loops are a structure that stands in a dead centre: some joint cannot move at positions beside these, whichever they are,
 * and can at these.
 */
bool prove_structure(const sketch *, const verdict *v);

/** Whether loops are at rest where branches of their motion meet, or have just left that: where their conditions have lost rank. */
bool prove_meeting(const sketch *, const verdict *v);

#endif
