/*
 * The end of a step of fixed length, put to where its unknowns belong together: rotations of unit length, loops closed by the coordinates
 * that others follow from, G v = 0, states inside their stops.
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/fixed_step.h"
#include "integrator/state_stops.h"

#include <string.h>

static detent_status solve(dt_simulation *sim, detent_error *error)
{
    return dt_forward_dynamics(sim->core_newton, sim->core, error);
}

/* Forces of the end of a step, for the stops of states that read them; from a guess that no reader has touched. */
static detent_status find_forces(dt_simulation *sim)
{
    dt_system *s = sim->core;
    memcpy(s->a, sim->guess.a, (size_t)s->tree->nv * sizeof *s->a);
    memcpy(s->f, sim->guess.f, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    memcpy(s->multiplier, sim->guess.m, (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier);
    return dt_fixed_accelerations(sim, solve, &sim->step.trial);
}

bool dt_fixed_project(void *simulation, double t, double *y)
{
    static const dt_block rows[] = {DT_BLOCK_POSITIONS, DT_BLOCK_VELOCITIES, DT_BLOCK_STATES};
    dt_simulation *sim = simulation;
    if (!sim->fixed.projects) {
        return true;
    }
    if (!dt_solution_is_finite(sim, y)) {
        return false;
    }
    dt_fixed_normalize(sim, y);
    dt_blocks_step(sim, t, y);
    const detent_status found = sim->fixed.stops_follow ? find_forces(sim) : DETENT_OK;
    if (found == DETENT_ERROR_SOLVER) {
        dt_fixed_note_ending(sim, t, y);
    }
    if (found != DETENT_OK) {
        return false;
    }
    dt_state_stops_settle(sim);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        dt_block_rows[rows[k]]->state(sim, y);
    }
    return true;
}
