/*
 * The instant since which a joint rests is given to laws as inputs are, and saved, shown and taken back with them.
 *
 * Invariant: of a joint that is locked, it is that of the event which has locked it; of others, that of the last event with a search. So a search finds
 * the limit of a joint that comes to rest at a time at rest of 0.
 */
#include "integrator/rests.h"
#include "integrator/branches.h"
#include "integrator/core.h"

void dt_rests_begin(dt_simulation *sim, double t)
{
    for (int k = 0; k < sim->ns && sim->mechanism->rest_count > 0; k++) {
        const int place = sim->mechanism->stictions[k].rest;
        if (place >= 0) {
            sim->system.inputs[place] = sim->input.pending[place] = t;
        }
    }
}

bool dt_rests_concern(const dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns && sim->mechanism->rest_count > 0 && !any; k++) {
        any = sim->mechanism->stictions[k].rest >= 0 && sim->past.mode[k] != DETENT_LOCKED;
    }
    return any;
}

void dt_rests_take(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    double *given = sim->rest_given;
    bool any = false;
    if (sim->mechanism->rest_count == 0) {
        return;
    }
    memcpy(given, s->inputs, (size_t)dt_given_count(sim->mechanism) * sizeof *given);
    for (int k = 0; k < sim->ns; k++) {
        const int place = sim->mechanism->stictions[k].rest;
        if (place >= 0 && sim->past.mode[k] != DETENT_LOCKED) {
            any = any || given[place] != s->time;
            given[place] = s->time;
        }
    }
    if (any) {
        dt_branches_take_inputs(sim, given, s->time);
    }
}
