/**
 * @file dense_box.h
 * The sides of one round where joints close loops, of which articulated bodies know nothing: the round as a quadratic
 * problem in the frictions,
 *
 *   minimise 1/2 f'W f + c'f, l <= f <= u      a = c + W f
 *
 * with the accelerations a of the joints at rest by their frictions, W from one solution a joint (all laws held). W may be
 * singular: a loop that is held by some joints does not feel how they share it. Gauss and Seidel's method, each friction
 * clipped to its box, converges all the same (O. L. Mangasarian, J. Optim. Theory Appl. 22 (1977) 465). The active set
 * finishes from the sides that it comes to.
 */
#ifndef DT_STICTION_DENSE_BOX_H
#define DT_STICTION_DENSE_BOX_H

#include "stiction/mode_search.h"

typedef struct dt_dense_box {
    int most;  /**< joints; 0: there is none */
    double *W; /**< most x most, by columns */
    double *c, *f;
    double *size; /**< most: what the frictions of a joint are measured by, N or N m */
    int *joint;   /**< stictions in a box */
} dt_dense_box;

/** For mechanisms with loops and up to some hundred stictions; otherwise `most` is 0. False when memory is out. */
bool dt_dense_box_create(dt_arena *arena, const dt_system *system, dt_dense_box *dense);

/** Sets the sides of the box of a search, which is solved with boxes given. False where accelerations cannot be solved. */
bool dt_dense_box_run(dt_dense_box *dense, dt_search *search);

#endif
