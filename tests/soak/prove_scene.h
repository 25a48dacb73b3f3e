/**
 * @file prove_scene.h
 * A scene at the instant that is to be proved.
 */
#ifndef SOAK_PROVE_SCENE_H
#define SOAK_PROVE_SCENE_H

#include "judge.h"
#include "scene.h"
#include "sketch.h"

/** The largest of n numbers, absolute; infinite where one is none. */
double prove_norm(const double *r, int n);
/** The first or second derivative of the motion of freedom d. */
double prove_motion_derivative(scene *, int d, const char *text, int order);
/** The size of the forces without friction. */
double prove_typical_size(scene *);
/** Of what cancels in the forces of turning bodies: their momenta times the fastest turn. */
double prove_gyroscopic_size(const scene *);
/** By how much the friction of joints that slip is not what their laws make of what joints transmit; most so at `freedom`. */
double prove_departure(scene *, int *freedom);
/** The scene of a sketch at the instant and state of a verdict, or as the sketch begins where a run had no state, whether or not that is known
 * by more than its text; false where it is too large. */
bool prove_place_scene(scene *, const sketch *, const verdict *);
/** That, where all of it is known. */
bool prove_set_scene(scene *, const sketch *, const verdict *);
/** How open conditions on positions of cams and slots are, over their size. */
double prove_open(const scene *);
enum { PROVE_TIES = 6 * SKETCH_JOINTS + SKETCH_COUPLINGS + DOFS + 8 };
/** The closed rigid stop at which a freedom is: -1 the lower one, 1 the upper one, 0 none. */
int prove_stop_side(const scene *, int d);
/** What loops and couplings ask of velocities at the present state: C v = 0 (PROVE_TIES rows); how many rows. */
int prove_ties(const scene *, double (*rows)[DOFS]);
/** State, accelerations and frictions of a verdict. */
void prove_take_state(scene *, const verdict *);

#endif
