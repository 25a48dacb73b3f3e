/**
 * @file prove_ties.h
 * What loops and couplings ask of accelerations, C a = right, with rows that are orthonormal, and what their forces, one for each
 * row, do: C' x to the freedoms, and to what joints transmit. Where conditions are redundant they carry what joints as elastic as each
 * other would have them carry, with the least sum of |R|^2 + |T|^2 / l^2 over the joints of the loop (docs/theory.md).
 */
#ifndef SOAK_PROVE_TIES_H
#define SOAK_PROVE_TIES_H

#include "scene.h"

/** The conditions of a scene whose equations are formed; false where it is not clear how many there are, near a dead centre. */
bool prove_form_ties(scene *);
/** The forces of the conditions: what they do to bodies, for scene_form_reactions(). */
void prove_pull(scene *, const double *x);
/** What joints transmit after that, with what redundant conditions carry. */
void prove_relax(scene *);
/** Their forces at the accelerations and frictions of the scene, with what drives motions; what joints transmit follows. */
void prove_form_tied_reactions(scene *);
/** Makes row r orthogonal to those before it, and of length 1 or 0, with its right-hand side (or NULL) but for that length, which is
 * returned. */
double prove_orthonormalize(const scene *, double (*C)[DOFS], double *right, int r);

#endif
