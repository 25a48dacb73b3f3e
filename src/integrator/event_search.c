/*
 * The searches of an event: of the core, which leaves out what is far from its limit, where that
 * decides; else of the whole mechanism, with joints inside a velocity band stopped by an impulse
 * (velocity_band.c).
 *
 * A joint that ends locked beyond its limit, or a branch that the jump of the forces has made wrong,
 * joins the event, and the search is made again; each joins at most once. Where that leaves a branch that is still wrong,
 * since modes and branches depend on each other, they are searched at once (branches.c).
 */
#include "integrator/event_search.h"
#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/jam.h"
#include "integrator/solution.h"
#include "integrator/source.h"

#include <math.h>

/* ---- search ---- */

static void count_search(dt_simulation *sim, const dt_search_result *result)
{
    detent_statistics *st = &sim->statistics;
    st->searches++;
    st->search_solves += result->solves;
    st->search_interior_point += result->interior_points;
    if (result->solves > st->max_search_solves) {
        st->max_search_solves = result->solves;
    }
}

/** One search of the whole system, or of the core. */
static detent_status run_search(dt_simulation *sim, dt_system *s, dt_newton *newton,
                                const dt_search_request *request, detent_error *error)
{
    dt_search_result result = {0};
    size_t bytes = 0;
    void *factors = dt_newton_factors(sim->core_newton, &bytes);
    dt_arena_hand_over(factors, bytes);
    const detent_status status = dt_search_run(sim->search, s, newton, request, &result, error);
    count_search(sim, &result);
    return status;
}

/** Of the whole system. */
static dt_search_request request_of(dt_simulation *sim, detent_status (*accelerations)(void *))
{
    return (dt_search_request){.decree = sim->event.decree,
                               .released = sim->event.any_released ? sim->event.released : NULL,
                               .accelerations = accelerations,
                               .accelerations_user = sim,
                               .shared_is_read = sim->event.shared_is_read,
                               .stopped = dt_is_stopped,
                               .stopped_user = sim,
                               .trace = sim->client.trace,
                               .trace_user = sim->client.trace_user};
}

/**
 * Branches and modes at once. Where that finds nothing the modes of the rule stay, with the branches that it has come
 * to: they change at the next event.
 */
static detent_status search_with_branches(dt_simulation *sim, detent_error *error)
{
    const dt_search_request request = request_of(sim, dt_branches_accelerations);
    dt_branches_keep(sim);
    if (dt_search_can_couple(sim->search) &&
        run_search(sim, &sim->system, sim->newton, &request, NULL) == DETENT_OK &&
        !dt_branches_are_wrong(sim, &sim->system)) {
        return DETENT_OK;
    }
    const dt_search_request plain = request_of(sim, NULL);
    dt_branches_restore(sim);
    return run_search(sim, &sim->system, sim->newton, &plain, error);
}

/** Until no branch is wrong that may still flip. */
static detent_status search_and_repair(dt_simulation *sim, const dt_search_request *request,
                                       detent_error *error)
{
    detent_status status;
    do {
        status = run_search(sim, &sim->system, sim->newton, request, error);
    } while (status == DETENT_OK && dt_sources_repair(sim, &sim->system));
    return status;
}

/** From the start again, with branches of continuous laws that are right in every round. */
static detent_status search_following(dt_simulation *sim)
{
    dt_search_request request = request_of(sim, NULL);
    request.follow = dt_branches_follow;
    request.follow_user = sim;
    dt_trial_restore(sim, &sim->branches.before_search);
    return search_and_repair(sim, &request, NULL);
}

detent_status dt_event_search_all(dt_simulation *sim, detent_status (*accelerations)(void *),
                                  detent_error *error)
{
    const dt_search_request request = request_of(sim, accelerations);
    const bool follows = sim->branches.follow && !accelerations;
    if (follows) {
        dt_trial_keep(sim, &sim->branches.before_search);
    }
    detent_status status = search_and_repair(sim, &request, error);
    if (follows && (status == DETENT_NO_CONSISTENT_STATE || status == DETENT_ERROR_NUMERIC) &&
        search_following(sim) == DETENT_OK) {
        status = dt_fail(error, DETENT_OK, NULL, "%s", "");
    }
    if (status != DETENT_OK) {
        return status;
    }
    return !accelerations && dt_branches_are_wrong(sim, &sim->system)
               ? search_with_branches(sim, error)
               : DETENT_OK;
}

/* ---- a search of what is near ---- */

/** Joints that stay in the core while it is searched, though they might be left out. */
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
    return run_search(sim, sim->core, sim->core_newton, &request, error);
}

/** What the search has found, to the whole; the friction of joints that are not in the core is not needed there. */
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

/**
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
