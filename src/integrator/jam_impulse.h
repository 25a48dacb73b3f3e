/**
 * @file jam_impulse.h
 * The impulse that stops a joint at once, of whatever makes it rub. Rigid stops do not give way to it: with k that joint and L the impulses of the
 * closed stops,
 *
 *   M (v+ - v-) = S L + G'm,    v+_k = 0,    L >= 0 complementary to v+ >= 0        (signs as of a lower stop)
 *
 * so who stands at a stop, or pushes by a freewheel, stops with it, and who would be thrown off moves on.
 */
#ifndef DT_INTEGRATOR_JAM_IMPULSE_H
#define DT_INTEGRATOR_JAM_IMPULSE_H

#include "integrator/jam.h"

/** Changes of all velocities to jam.d_v, impulses to jam.d_f, and who is stopped to jam.stops; modes become others. False where there is none. */
bool dt_jam_impulse(dt_simulation *simulation, int k);

#endif
