/* The accelerations that a search asks for, and branches that follow them. */
#include "stiction/search.h"

/* As often at most as branches take turns on the way to those that agree with the forces that they make. */
static const int most_branch_rounds = 20;

static detent_status find_accelerations(dt_search *search, detent_error *error)
{
    const dt_search_request *r = search->request;
    size_t iterations = r->accelerations ? 1 : 0;
    const detent_status status =
        r->accelerations
            ? r->accelerations(r->accelerations_user)
            : dt_solve_accelerations(search->newton, search->system, &iterations, error);
    search->box.solves += iterations;
    return status;
}

bool dt_search_follow(dt_search *search)
{
    const dt_search_request *r = search->request;
    return r->follow && r->follow(r->follow_user);
}

detent_status dt_search_accelerations(dt_search *search, detent_error *error)
{
    detent_status status = find_accelerations(search, error);
    for (int round = 0;
         round < most_branch_rounds && (status == DETENT_OK || status == DETENT_ERROR_SOLVER) &&
         dt_search_follow(search);
         round++) {
        status = find_accelerations(search, error);
    }
    return status;
}
