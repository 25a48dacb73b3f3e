/**
 * @file support_closed_chain.h
 * Four-bars and slider-cranks whose bearings rub by the forces that they carry, in the plane, solved by themselves: Newton and
 * Euler for three bodies with the forces of four joints as unknowns, one dense elimination, friction by repetition. Nothing
 * is shared with the library. And their files, with any joint as the one that closes the loop.
 */
#ifndef SUPPORT_CLOSED_CHAIN_H
#define SUPPORT_CLOSED_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

enum { CHAIN_BODIES = 3, CHAIN_JOINTS = 4 };

/**
 * Joint j is between body j-1 and body j of a ring: 0 the ground, then crank, coupler, rocker or block, and the ground again. The
 * last joint may slide along x; all others turn.
 */
typedef struct closed_chain {
    bool slides;
    double
        length[CHAIN_BODIES]; /**< m, between joints of crank, coupler, rocker; unused by a block */
    double foot;              /**< m, of the rocker from the crank's on x; unused by a block */
    double mass[CHAIN_BODIES], inertia[CHAIN_BODIES],
        centre
            [CHAIN_BODIES]
            [2]; /**< in the body's frame: at its first joint, x to its second one; a block: at its pin */
    double kinetic
        [CHAIN_JOINTS]; /**< m, or nothing where it slides: friction by the force that a joint carries */
    double ratio;       /**< of static to kinetic friction */
    double angle, speed, torque; /**< of the crank */
    double gravity;              /**< along -y */
} closed_chain;

/** Whether it closes, with the coupler above; angles of the three bodies. */
bool chain_closes(const closed_chain *chain, double angle[CHAIN_BODIES]);

/** What joints do: coordinates of the later body of the ring beside the earlier one. */
typedef struct chain_state {
    double acceleration;           /**< of the crank */
    double friction[CHAIN_JOINTS]; /**< along the joints */
    double carried[CHAIN_JOINTS];  /**< the force across them, as the laws read it */
    double ratio[CHAIN_JOINTS];    /**< velocities by that of the crank */
    bool settles;                  /**< the repetition has come to an end */
} chain_state;

/** It moves, or begins to, with the crank in direction `side` and friction `factor` times the kinetic one. */
chain_state chain_moves(const closed_chain *chain, int side, double factor);
/** The torque at which a chain at rest begins to move in that direction, and the forces then. */
double chain_breaks(const closed_chain *chain, int side, chain_state *state);
/** At rest: frictions that are the same share of their limits at the forces that these make. */
chain_state chain_rests(const closed_chain *chain);

/** Names of the joints. */
extern const char *const chain_joint[CHAIN_JOINTS];

/**
 * Its file. Joint `cut` closes the loop; joints are listed from `first` on, backward if `turned`. Where base and follower had to change
 * places, sign[j] is -1. `offset`: steps along z from body to body; `across`: gravity along z; `torque` and `more` are text.
 */
void chain_write(char *text, size_t size, const closed_chain *chain, int cut, int first,
                 bool turned, double offset, double across, const char *torque, const char *more,
                 int sign[CHAIN_JOINTS]);

#endif
