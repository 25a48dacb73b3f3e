/**
 * @file impact_plain.h
 * Impacts by dense matrices and trial of all sets of stops, which share nothing with the library's: Gaussian elimination with what loops
 * and couplings ask of velocities, C v = 0, and M of scene.h:
 *
 *   v = Z u,   Z an orthonormal basis of the null space of C,   B = (Z'M Z)^-1,   g_k = (sign of the stop) row k of Z
 *   u+ = u- + B G'L,    L >= 0  complementary to  G u+ + e G u- >= 0
 *
 * u+ is unique; where stops are redundant L is not, and among its solutions is one whose stops are not (Caratheodory).
 */
#ifndef SOAK_IMPACT_PLAIN_H
#define SOAK_IMPACT_PLAIN_H

#include "prove_scene.h"

enum { IMPACT_STOPS = 8 };

typedef struct impact_plain {
    int n, m, count;           /**< freedoms, of them independent ones, closed stops */
    double Z[DOFS][DOFS];      /**< n rows of m */
    double B[DOFS][DOFS];      /**< m x m */
    double M[DOFS][DOFS];      /**< m x m */
    int freedom[IMPACT_STOPS]; /**< of each closed stop */
    double sign[IMPACT_STOPS], restitution[IMPACT_STOPS];
    double A[IMPACT_STOPS][IMPACT_STOPS]; /**< G B G' */
} impact_plain;

/** At a scene whose equations are formed. False where it is not told how many conditions there are, near a dead centre, or M is singular. */
bool impact_plain_open(impact_plain *, const scene *);
/** How fast stop k is left by velocities v of all freedoms. */
double impact_plain_away(const impact_plain *, const double *v, int k);
/** The size of what that may be by an energy. */
double impact_plain_scale(const impact_plain *, double energy, int k);
double impact_plain_energy(const impact_plain *, const double *v);
/** By how much v is none that loops and couplings allow, in the metric of the mass: an energy. */
double impact_plain_departure(const impact_plain *, const double *v);
/**
 * All impacts of an instant: one after the other while some stop is approached, at most `most`, the last one for all closed stops and
 * without restitution. How many there were; -1: no set of stops has impulses. `*slowest`: the least speed by which a stop was approached or left.
 */
int impact_plain_strike(const impact_plain *, int most, double *v, double *slowest);
/**
 * Whether impulses that push, of closed stops alone, make this of velocities: what is left of it, an energy, beside the least such set.
 */
double impact_plain_pull(const impact_plain *, const double *before, const double *after);

#endif
