/**
 * @file impacts.h
 * Impacts of random mechanisms at random states, with random sets of joints at their stops.
 */
#ifndef SOAK_IMPACTS_H
#define SOAK_IMPACTS_H

#include <stdint.h>

/**
 * Tries mechanisms of the seed from number `first` on until there have been so many impacts, and holds each to
 *
 *   energy      the kinetic energy does not grow, and what is lost is what the engine says
 *   velocities  no stop is approached any more; a single one is left by its restitution
 *   impulses    there are some that push, at stops alone, and make the change of velocities
 *   the same    as impact_plain.h finds, one impact after the other
 *
 * Mechanisms are trees, loops and couplings without prescribed motion, of all joint types, with friction, springs and loads beside. Failures
 * are written into the folder. Prints the counts; returns the number of failures.
 */
long impacts_try(uint64_t seed, long first, long wanted, const char *folder);

#endif
