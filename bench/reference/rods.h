/**
 * @file rods.h
 * A hanging row of uniform rods in a plane, with Coulomb friction (static = kinetic) in every joint.
 */
#ifndef REFERENCE_RODS_H
#define REFERENCE_RODS_H

#include <stddef.h>

#include "dopri.h"

/** n rods of that length (m) and mass (kg); limit[i]: friction of joint i (N m). */
typedef struct rods {
    size_t n;
    double length, mass;
    const double *limit;
    int *mode;        /**< of joint i: 0 it holds, +1 or -1 it slips that way */
    size_t *slipping; /**< their numbers */
    bool *free;       /**< of joint i at rest: its mode is searched for */
    bool *barred;     /**< it was let go in this search and did not want to move */
    double *matrix, *vector, *acceleration, *friction, *cosine, *sine, *rate, *right, *from;
} rods;

/** y: n angles between neighbours, then their n rates. False where there is no memory. */
bool rods_create(rods *rods, size_t n, double length, double mass, const double *limit);
void rods_free(rods *rods);
problem rods_problem(rods *rods);
/** The free end, m. */
void rods_tip(const rods *rods, const double *y, double tip[2]);

#endif
