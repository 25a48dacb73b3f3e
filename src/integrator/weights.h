/**
 * @file weights.h
 * What the error test allows, and what is nothing.
 */
#ifndef DT_INTEGRATOR_WEIGHTS_H
#define DT_INTEGRATOR_WEIGHTS_H

#include "integrator/simulation.h"

static const double dt_weights_nothing = 1e-2; /**< of rtol at the nominal size */

/** True where node i follows equations of motion: neither locked nor prescribed. */
bool dt_moves(const dt_system *system, int i);

/** What the error test allows a coordinate or velocity of a node of the system at that value. */
double dt_position_tolerance(const dt_simulation *simulation, int node, double value);
/** What the user wants to be told of a coordinate, however small it is itself. */
double dt_position_told(const dt_simulation *simulation, int node);
double dt_velocity_tolerance(const dt_simulation *simulation, int node, double value);
/** An error which is nothing of a velocity that is nominally this large. */
double dt_velocity_nothing(const dt_simulation *simulation, double nominal);
/** What of state k the error test allows at 0. */
double dt_state_nothing(const dt_simulation *simulation, int k);
/** What it allows state k at a value. */
double dt_state_tolerance(const dt_simulation *simulation, int k, double value);
/** What it allows a variable that is one of these at a value; 0 of others. */
double dt_tolerance(const dt_simulation *simulation, dt_variable variable, double value);
/** An error of a velocity of the node which is nothing. */
double dt_velocity_hair(const dt_simulation *simulation, int node);
/** How far beyond zero a joint at a node that waits may be before it stops: it is not stopped by its own start. */
double dt_wait_hair(const dt_simulation *simulation, int node);

/** The velocity threshold of stiction k of the system, or what stands in for one that nobody gave. */
double dt_threshold(const dt_simulation *simulation, int k);
/** dt_problem.weights */
void dt_weights(void *simulation, const double *y, double *weights);
/** dt_problem.usual_weights */
void dt_usual_weights(void *simulation, const double *y, double *weights);
/** dt_problem.differential */
void dt_identify(void *simulation, double *id);

#endif
