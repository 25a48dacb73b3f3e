/**
 * @file stops.h
 * Rigid stops of a sketch for impacts.c: kind_stops.c.
 */
#ifndef SOAK_STOPS_H
#define SOAK_STOPS_H

#include "chance.h"
#include "scene.h"
#include "sketch.h"

/** Gives stops of mixed restitutions to joints that may have them, instead of any that are there; joints stand at some. */
void stops_scatter(sketch *, chance *);
/** No joint has any. */
void stops_lift(sketch *);
/** Whether freedom d stands at a rigid stop: -1 the lower one, 1 the upper one; and its restitution. */
bool stops_at(const scene *, int d, int *side, double *restitution);
/** What leads freedom d to the rigid stop that it goes to with that velocity; infinite where there is none. */
double stops_ahead(const scene *, int d, double velocity);

#endif
