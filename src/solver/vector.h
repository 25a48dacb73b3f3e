/**
 * @file vector.h
 * Serial vectors of SUNDIALS whose length in use may change.
 *
 * The unknowns of a simulation are those of the joints that move, and change from restart to
 * restart. An integrator takes its vectors once, by cloning ours; here every clone is registered
 * with its *family*, and a family has one length. The memory is that of the
 * longest, and comes from the simulation's arena: a reserve at set-up covers what the integrators take
 * in their first steps.
 */
#ifndef DT_SOLVER_VECTOR_H
#define DT_SOLVER_VECTOR_H

#include "base/arena.h"
#include "solver/sundials.h"

typedef struct dt_vector_family dt_vector_family;

/** In `arena`, with memory for `reserve` vectors of `longest` numbers; NULL when memory is out. */
dt_vector_family *dt_vector_family_create(dt_arena *arena, SUNContext context, long longest,
                                          int reserve);

/** A vector; NULL when memory is out. Destroyed by N_VDestroy(). */
N_Vector dt_vector_create(dt_vector_family *family);

/** Sets the length of all vectors of the family, at most `longest`; contents are kept. */
void dt_vector_set_length(dt_vector_family *family, long length);

/** Where the memory of the family is from: the simulation's arena. */
dt_arena *dt_vector_arena(const dt_vector_family *family);

#endif
