/**
 * @file welded.h
 * What the welding of locked joints knows of a simulation.
 */
#ifndef DT_REDUCE_WELDED_H
#define DT_REDUCE_WELDED_H

#include "integrator/core.h"
#include "reduce/welded_roots.h"
#include "reduce/welding.h"

/** A simulation whose locked joints are welded. */
typedef struct dt_welded {
    dt_welding welding;
    dt_welded_roots roots;
    double *friction0;      /**< stictions of the system: at the start of a step that is judged */
    double (*spread[3])[6]; /**< of the bundles' wrenches: value, rate, bend */
} dt_welded;

static inline dt_welding *dt_welding_of(const dt_simulation *simulation)
{
    return &((dt_welded *)simulation->reduction.inside)->welding;
}

static inline dt_welded_roots *dt_welded_roots_of(const dt_simulation *simulation)
{
    return &((dt_welded *)simulation->reduction.inside)->roots;
}

/* welded_horizon.c */

/** The spreads of the bundles, after those of the core. */
void dt_welded_spread(dt_simulation *simulation);
/** Whether the limits of all welded joints are passed over by nothing. */
bool dt_welded_passes(dt_simulation *simulation, dt_horizon_trial *step);

/** The limits of welded joints. */
extern const struct dt_source_row dt_source_welded;

#endif
