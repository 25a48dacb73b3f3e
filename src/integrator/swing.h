/**
 * @file swing.h
 * How long a step may be for laws that go with the motion.
 */
#ifndef DT_INTEGRATOR_SWING_H
#define DT_INTEGRATOR_SWING_H

#include "dynamics/spread.h"
#include "integrator/simulation.h"

/** A law that goes with the motion, at the end of the last step. */
typedef struct dt_swinging {
    const dt_law *law; /**< of the core */
    double value, rate;
    double most; /**< the largest value since the restart, absolute */
    double left; /**< of the last steps: what they have not resolved, of the largest value */
} dt_swinging;

/** Laws that steps have to follow (swing.c). */
typedef struct dt_swing {
    int most;        /**< as many as there may be */
    int count;       /**< of the present core */
    dt_swinging *of; /**< most */
    double time;     /**< s: where their values are from */
    double bound;    /**< s: of the next step */
    /* work space, as long as the variables and operations of any law */
    double *gradient;
    dt_pace *variables, *operations;
} dt_swing;

/** False when memory is out. */
bool dt_swing_create(dt_arena *arena, dt_simulation *simulation);
/** The core is at a consistent state, in y and yp, and about to be integrated. */
void dt_swing_restart(dt_simulation *simulation);
/** A restored run is about to be restarted. */
void dt_swing_forget(dt_simulation *simulation);
/** At the end of a step, in y and yp: how long the next one may be. The core loses its readings. */
void dt_swing_note(dt_simulation *simulation);

#endif
