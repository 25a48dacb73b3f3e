/**
 * @file support_rest.h
 * Which joints of a mechanism at rest begin to move, by trying every set of modes; shares nothing with the library.
 *
 * Unknowns x are the accelerations of all bodies, six each, and of all freedoms of joints. At rest these obey what velocities do,
 *
 *   C x = 0:  of every joint   twist(follower) - twist(base) - sum of screw * rate = 0,   six rows at its point
 *             of every coupling   sum of factor * rate = 0
 *
 * and x is the least of 1/2 x'M x - Q'x + sum of limit |rate| on them. It is strictly convex, so it is found by the best
 * of all sets of signs of the rates with friction that keep their signs. With limits at rest that are larger than in motion it is done
 * in rounds: joints that begin to move get those of motion, until no further one does.
 */
#ifndef SUPPORT_REST_H
#define SUPPORT_REST_H

#include <stdbool.h>

enum {
    REST_BODIES = 8,
    REST_JOINTS = 12,
    REST_RATES = 30,
    REST_STICKING = 6,
    REST_COUPLINGS = 3,
    REST_UNKNOWNS = 6 * REST_BODIES + REST_RATES
};

typedef struct rest_body {
    double mass, centre[3], inertia[3]; /**< about the centre of mass, about axes of the world */
    double torque[3];                   /**< N m, in the world */
} rest_body;

/** From body `base` (-1: ground) to `follower`, with freedoms in this order at one point of the world. */
typedef struct rest_joint {
    int base, follower, first, count; /**< count freedoms, from `first` of all */
    double point[3];
} rest_joint;

typedef struct rest_rate {
    bool turns;
    double axis[3];
    double kinetic[2],
        ratio; /**< limits in motion forward and backward; those at rest over these */
} rest_rate;

typedef struct rest_coupling {
    int rate[2];
    double factor[2]; /**< sum of factor * rate = 0 */
} rest_coupling;

typedef struct rest_scene {
    int bodies, joints, rates, couplings, sticking;
    rest_body body[REST_BODIES];
    rest_joint joint[REST_JOINTS];
    rest_rate rate[REST_RATES];
    rest_coupling coupling[REST_COUPLINGS];
    int stick[REST_STICKING]; /**< rates with friction */
    double gravity[3];
} rest_scene;

typedef struct rest_answer {
    int freedoms;                       /**< of the whole mechanism */
    double acceleration[REST_STICKING]; /**< of rates with friction */
    int direction[REST_STICKING];       /**< which way it moves; 0 at rest */
    bool released[REST_STICKING];       /**< it moved in some round */
    bool unique;                        /**< frictions are */
    int rounds;
    double work[REST_UNKNOWNS]; /**< of loads and inertia along each motion that is possible */
    double along[REST_UNKNOWNS][REST_STICKING]; /**< rates with friction in each of these */
} rest_answer;

/** False where rounding decides: a pose close to a singular one, a rate that is close to none. */
bool rest_solve(const rest_scene *, rest_answer *);
/** By how much loads, inertia and these frictions are out of balance along motions that are possible, over the size of the loads. */
double rest_imbalance(const rest_answer *, const double friction[]);

#endif
