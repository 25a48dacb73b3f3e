/**
 * @file dense_output.h
 * The solution inside a step of Dormand and Prince's method, from the stages of that step.
 *
 * The stages are noted as they are evaluated, so that interpolation costs no evaluation. Two more
 * raise its order to that of the method.
 */
#ifndef DT_SOLVER_DENSE_OUTPUT_H
#define DT_SOLVER_DENSE_OUTPUT_H

#include "base/arena.h"

enum { DT_DENSE_STAGES = 6 }; /**< of a step, without the first, which is the last one before */

/** A step from t0, y0 to t1, y1. Before the first one t0 = t1. */
typedef struct dt_dense_output {
    int count; /**< unknowns in use */
    double t0, t1;
    double *y0, *y1, *k1;
    double *ring[DT_DENSE_STAGES]; /**< y' as noted, the last stages of all; of unknown order */
    int noted;                     /**< since the step began */
    double *bulge, *skew;          /**< of the interpolant, beyond the cubic */
    int order; /**< of the interpolant: 4, 5; 0 where `bulge` is not known yet */
} dt_dense_output;

/** Memory for up to `most` unknowns; false when it is out. */
bool dt_dense_create(dt_arena *arena, int most, dt_dense_output *dense);
/** Starts at t, y (count unknowns); k1, its derivative, is to be noted first. */
void dt_dense_start(dt_dense_output *dense, int count, double t, const double *y);
/** The derivative at the start. */
void dt_dense_note_first(dt_dense_output *dense, const double *derivative);
/** A step begins where the last one ended. */
void dt_dense_begin(dt_dense_output *dense);
/** The derivative of a stage; those of attempts that fail may be among them. */
void dt_dense_note(dt_dense_output *dense, const double *derivative);
/** The step ends at t, y; the last six noted are its stages 2 to 7. */
void dt_dense_end(dt_dense_output *dense, double t, const double *y);
/** y' at stage 2 ... 7 of the step. */
const double *dt_dense_stage(const dt_dense_output *dense, int which);
/** y' at the end of the step. */
const double *dt_dense_last(const dt_dense_output *dense);

/** The solution (derivative 0) or its first derivative at t in [t0, t1], of order 4 or 5. */
void dt_dense_evaluate(dt_dense_output *dense, double t, int derivative, double *out);
/** The same for one unknown. */
double dt_dense_component(dt_dense_output *dense, double t, int derivative, int unknown);

/** Where dt_dense_raise() needs the derivative: two times. */
void dt_dense_raise_times(const dt_dense_output *dense, double t[2]);
/** Raises the order from 4 to 5 with y'(t, y) at these times and at the solution as it is. */
void dt_dense_raise(dt_dense_output *dense, const double *first, const double *second);

#endif
