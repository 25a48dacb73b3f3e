/*
 * The searches of an event: of the core, which leaves out what is far from its limit, where that
 * decides; else of the whole mechanism (whole_search.c), with joints inside a velocity band stopped by an impulse
 * (velocity_band.c), and meshes that cannot go on (jam.c).
 */
#include "integrator/event_search.h"
#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/jam.h"
#include "integrator/solution.h"
#include "integrator/source.h"
#include "integrator/whole_search.h"

#include <math.h>

/* ---- a search of what is near ---- */

/* Joints that stay in the core while it is searched, though they might be left out. */
static void set_apart(dt_simulation *sim)
{
    bool *apart = sim->reduction.apart;
    sim->reduction.way->set_near_apart(sim);
    for (int k = 0; k < sim->ns; k++) {
        apart[k] = apart[k] || sim->event.decree[k] != 0 || sim->system.yielded[k];
    }
}

static bool others_hold(void *simulation)
{
    dt_simulation *sim = simulation;
    return sim->reduction.way->holds(sim);
}

static detent_status run_core_search(dt_simulation *sim, detent_error *error)
{
    const dt_search_request request = {.decree = sim->event.core_decree,
                                       .others_hold = others_hold,
                                       .others_user = sim,
                                       .stopped = dt_is_stopped,
                                       .stopped_user = sim,
                                       .trace = sim->client.trace,
                                       .trace_user = sim->client.trace_user};
    for (int k = 0; k < sim->core->mechanism->stiction_count; k++) {
        sim->event.core_decree[k] = sim->event.decree[dt_whole_stiction(sim, k)];
    }
    return dt_search_once(sim, sim->core, sim->core_newton, &request, error);
}

/* What the search has found, to the whole; the friction of joints that are not in the core is not needed there. */
static void take_over(dt_simulation *sim)
{
    const dt_system *core = sim->core;
    for (int k = 0; k < core->mechanism->stiction_count; k++) {
        const int whole = dt_whole_stiction(sim, k);
        dt_set_mode(&sim->system, whole, (detent_mode)core->mode[k], core->direction[k]);
        sim->system.yielded[whole] = core->yielded[k];
    }
    sim->reduction.way->expand(sim);
}

/*
 * Searches the core, which leaves out what is far from its limit; grows until that holds. False
 * where the search of the whole has to decide.
 */
static bool search_core(dt_simulation *sim, detent_error *error)
{
    static const int most_tries = 20;
    set_apart(sim);
    for (int try = 0; try < most_tries; try++) {
        sim->reduction.way->form(sim);
        const detent_status status = run_core_search(sim, error);
        if (status == DETENT_EVENT || (status == DETENT_OK && !others_hold(sim))) {
            continue;
        }
        if (status != DETENT_OK) {
            return false;
        }
        if (!dt_sources_repair(sim, sim->core)) {
            if (dt_branches_are_wrong(sim, sim->core)) {
                return false;
            }
            take_over(sim);
            return true;
        }
        for (int k = 0; k < sim->core->mechanism->stiction_count; k++) { /* the joined ones too */
            sim->reduction.apart[dt_whole_stiction(sim, k)] = true;
        }
    }
    return false;
}

/* ---- the search of an event ---- */

detent_status dt_event_search(dt_simulation *sim, bool core, detent_error *error)
{
    sim->event.core_is_searched = core && !sim->event.any_released && search_core(sim, error);
    if (sim->event.core_is_searched) {
        return DETENT_OK;
    }
    if (core) {
        dt_bring_up(sim, DT_LEVEL_FORCES);
    }
    sim->shown.time = NAN;
    return dt_jam_search(sim, error);
}

double dt_event_margin(dt_simulation *sim, int k)
{
    return sim->event.core_is_searched ? dt_stiction_margin(sim->core, sim->reduction.kept[k])
                                       : dt_stiction_margin(&sim->system, k);
}
