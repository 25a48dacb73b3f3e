/*
 * Stages of a step of fixed length that have no accelerations: friction that follows the reaction which it causes has no solution any more with the modes
 * that the joints have (ending.c), be it that a mesh or a bearing jams. Such a step cannot be made. Nothing is located: others take over at the first
 * stage that has none, a step late at most, as with all events; until then readers have the state of the end of the last step.
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/fixed_step.h"

#include <math.h>
#include <string.h>

/* Of a step: an instant at which it has to end is left to a step of its own, of that length. */
static const double hair = 1e-6;

void dt_fixed_note_ending(dt_simulation *sim, double t, const double *y)
{
    sim->fixed.ending_time = t;
    memcpy(sim->fixed.ending, y, (size_t)dt_length(sim) * sizeof *y);
}

void dt_fixed_keep_ending_clear(dt_simulation *sim)
{
    dt_fixed_steps *x = &sim->fixed;
    const double h = x->ending_time - sim->reached, gap = fmax(hair * h, 4 * dt_shortest_step(sim)),
                 latest = sim->step.stop - gap;
    if (x->ending_time <= latest || latest <= sim->reached) {
        return;
    }
    const double share = (latest - sim->reached) / h;
    for (int n = 0; n < dt_length(sim); n++) {
        x->ending[n] = sim->y[n] + share * (x->ending[n] - sim->y[n]);
    }
    x->ending_time = latest;
}

void dt_fixed_enter_ending(dt_simulation *sim)
{
    dt_fixed_normalize(sim, sim->fixed.ending);
    dt_blocks_read(sim, sim->fixed.ending);
    dt_blocks_step(sim, sim->reached + sim->step.beyond, sim->fixed.ending);
}
