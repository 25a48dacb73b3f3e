/*
 * Searches of the whole mechanism at an event, at the velocities that it has.
 *
 * A joint that ends locked beyond its limit, or a branch that the jump of the forces has made wrong,
 * joins the event, and the search is made again; each joins at most once. Where that leaves a branch that is still wrong,
 * since modes and branches depend on each other, they are searched at once (branches.c).
 */
#include "integrator/whole_search.h"
#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/source.h"

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

detent_status dt_search_once(dt_simulation *sim, dt_system *s, dt_newton *newton,
                             const dt_search_request *request, detent_error *error)
{
    dt_search_result result = {0};
    const detent_status status = dt_search_run(sim->search, s, newton, request, &result, error);
    count_search(sim, &result);
    return status;
}

/* Of the whole system. */
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

/*
 * Branches and modes at once. Where that finds nothing the modes of the rule stay, with the branches that it has come
 * to: they change at the next event.
 */
static detent_status search_with_branches(dt_simulation *sim, detent_error *error)
{
    const dt_search_request request = request_of(sim, dt_branches_accelerations);
    dt_branches_keep(sim);
    if (dt_search_can_couple(sim->search) &&
        dt_search_once(sim, &sim->system, sim->newton, &request, NULL) == DETENT_OK &&
        !dt_branches_are_wrong(sim, &sim->system)) {
        return DETENT_OK;
    }
    const dt_search_request plain = request_of(sim, NULL);
    dt_branches_restore(sim);
    return dt_search_once(sim, &sim->system, sim->newton, &plain, error);
}

/* Until no branch is wrong that may still flip. */
static detent_status search_and_repair(dt_simulation *sim, const dt_search_request *request,
                                       detent_error *error)
{
    detent_status status;
    do {
        status = dt_search_once(sim, &sim->system, sim->newton, request, error);
    } while (status == DETENT_OK && dt_sources_repair(sim, &sim->system));
    return status;
}

/* From the start again, with branches of continuous laws that are right in every round. */
static detent_status search_following(dt_simulation *sim)
{
    dt_search_request request = request_of(sim, NULL);
    request.follow = dt_branches_follow;
    request.follow_user = sim;
    dt_trial_restore(sim, &sim->branches.before_search);
    return search_and_repair(sim, &request, NULL);
}

detent_status dt_search_whole(dt_simulation *sim, detent_status (*accelerations)(void *),
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
