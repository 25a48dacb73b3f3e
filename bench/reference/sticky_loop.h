/**
 * @file sticky_loop.h
 * The four-bar of loops.h with Coulomb friction in three of its pins, and a torque that comes and goes.
 */
#ifndef REFERENCE_STICKY_LOOP_H
#define REFERENCE_STICKY_LOOP_H

#include "dopri.h"

typedef struct sticky_loop {
    int mode;        /**< 0: it holds; +1, -1: the crank turns that way */
    double sides[2]; /**< +1, -1: which way pin and foot turn where the crank turns forwards */
} sticky_loop;

/** State: angle and speed of the crank, from 0.9 rad at rest. */
problem sticky_loop_problem(sticky_loop *l);

#endif
