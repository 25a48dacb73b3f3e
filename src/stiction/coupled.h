/**
 * @file coupled.h
 * Solutions at given sides where laws read what they determine: accelerations, reactions, friction.
 *
 * Given who is held and who moves, such laws leave a system of equations that is smooth, and linear
 * where they are linear (the reflected inertia -J a of a rotor, a force that follows another force):
 * Newton's method on the whole solves it, whatever its gain. A fixed point would have to be swept,
 * and does not contract from J = M on.
 *
 *   boxes given    actuation, loads and the friction of joints that moved before are solved with
 *                  the accelerations; candidates that move have the friction of their box
 *   boxes follow   the friction of candidates is solved as well: -s FK(s) of the solution; the
 *                  limits of those that rest are those of the solution
 */
#ifndef DT_STICTION_COUPLED_H
#define DT_STICTION_COUPLED_H

#include "stiction/search.h"

/** From now on the box of the search is solved with boxes given, or following; or as usual. */
void dt_couple(dt_search *search, dt_boxes boxes);

/** Modes and directions of the candidates as the sides of the box are. */
void dt_couple_impose(dt_search *search);

/** From dt_couple_impose() on joint k moves with a given friction, whatever its box is. */
void dt_couple_free(dt_search *search, int k, double friction);

/** Accelerations at what has been imposed. False where there are none. */
bool dt_couple_solve(dt_search *search);

/** Candidates are in a box, whatever it was before, unless a test friction of their own decides. */
void dt_couple_open(dt_search *search);

/**
 * Readings with every candidate locked and no friction of the joints that move, which depend on nothing but t, q and v, and
 * always are.
 */
detent_status dt_couple_start(dt_search *search);

#endif
