/*
 * The rule by which a search selects one consistent state (docs/mode-search.md):
 *
 *   1. Every joint at rest has its friction in the box of its static limits. Those that move are
 *      released, and those whose own test friction has left its range.
 *   2. Released joints get the box of their kinetic friction, the others keep theirs. Solve again;
 *      newly moving joints are released too.
 *   3. Repeat until nothing new is released. A released joint that ends at rest is locked again.
 *
 * Invariant: a joint is released at most once, so there are at most n rounds (and a few to pin
 * decrees). Each round has one solution, whatever the order of the joints and the start; only its
 * cost depends on the start.
 *
 * A decree says that a joint is at its limit and on the way out, even where its force is still an
 * ulp inside: its limit on that side is taken a hair lower, by more than the rounding of forces, so
 * that it moves. When nothing new is released, joints that move as decreed are pinned: their
 * friction becomes exactly the kinetic one, whatever acceleration of about zero that leaves them.
 * Where bodies are tiny a hair is not nothing: pinned joints may accelerate the wrong way, because
 * their neighbours, as near to their limits, have taken over. Then decrees are dropped, and the boxes
 * as they are decide.
 */
#include "dynamics/split.h"
#include "stiction/coupled.h"
#include "stiction/every_set.h"
#include "stiction/stable.h"

#include <math.h>

/* The noises of a joint's force that its hair must be longer than. */
static const double noises_in_a_hair = 8;

/* ---- The start ---- */

/* Who may rest, and today's modes as a first guess of the sides. */
static detent_status begin(dt_search *search)
{
    const dt_system *s = search->system;
    dt_friction_box *box = &search->box;
    search->interior_point.level = 0;
    search->pinned = false;
    search->candidates = 0;
    for (int k = 0; k < box->count; k++) {
        search->candidate[k] = s->v[box->freedom[k]] == 0;
        search->candidates += search->candidate[k];
        const bool released =
            search->yielded[k] || (search->request->released && search->request->released[k]);
        search->released[k] = search->candidate[k] && released ? DT_RELEASED : DT_NOT_RELEASED;
        search->hair[k] = 0;
        box->side[k] = 0;
        const bool moves = s->mode[k] != DETENT_LOCKED;
        if (!search->candidate[k] && (!moves || s->direction[k] == 0)) {
            return dt_fail(search->error, DETENT_ERROR_ARGUMENT, NULL,
                           "'%s' has velocity %g and is said to be locked",
                           dt_search_name(search, k), s->v[box->freedom[k]]);
        }
        if (search->candidate[k]) {
            const int decree = dt_search_decree(search, k);
            box->side[k] = decree != 0 ? (signed char)decree : moves ? s->direction[k] : 0;
        }
    }
    return DETENT_OK;
}

static void set_modes(dt_search *search, bool all_locked)
{
    dt_system *s = search->system;
    for (int k = 0; k < search->box.count; k++) {
        if (search->candidate[k]) {
            s->direction[k] = all_locked ? 0 : search->box.side[k];
            s->mode[k] = s->direction[k] == 0 ? DETENT_LOCKED : DETENT_WAIT;
            s->yielded[k] = 0;
        }
    }
}

/*
 * Newton on the whole at the system's modes. That it does not converge is an outcome: friction
 * feeds on itself.
 */
static detent_status solve_loads(dt_search *search)
{
    detent_error error = {.message = ""};
    const detent_status status = dt_search_accelerations(search, &error);
    if (status == DETENT_ERROR_SOLVER && dt_system_is_finite(search->system)) {
        return dt_report_divergence(search, error.message);
    }
    return status == DETENT_OK ? DETENT_OK
                               : dt_fail(search->error, status, NULL, "%s", error.message);
}

/*
 * The readings that the first round starts from: where laws read loads, those with every candidate
 * locked, which depend on nothing but t, q and v.
 */
static detent_status first_readings(dt_search *search)
{
    dt_system *s = search->system;
    if (search->loads_matter) {
        set_modes(search, true);
        const detent_status status = solve_loads(search);
        return status == DETENT_NO_CONSISTENT_STATE && !search->drive_couples
                   ? dt_couple_start(search)
                   : status;
    }
    if (s->external) {
        dt_system_set_acceleration(s, s->a, s->f); /* for the external wrenches */
    }
    return DETENT_OK;
}

/* ---- The rule ---- */

/*
 * Gives decreed joints the hair they need; true if a hair has grown, so that the round must be
 * settled again.
 */
static bool grow_hairs(dt_search *search)
{
    bool grown = false;
    for (int k = 0; k < search->box.count && search->request->decree; k++) {
        if (dt_search_decree(search, k) == 0) {
            continue;
        }
        const double noise = noises_in_a_hair * dt_friction_box_noise(&search->box, k);
        if (search->hair[k] < noise) {
            search->hair[k] = 2 * noise;
            grown = true;
        }
    }
    return grown;
}

/* Whether the test friction of joint k has left its range. */
static bool fails_test(dt_search *search, int k)
{
    const int decree = dt_search_decree(search, k);
    double limits[2];
    dt_system_static_limits(search->system, k, limits);
    const double test = dt_system_static_test(search->system, k);
    return test <= limits[0] * (decree > 0 ? 1 - dt_relative_hair : 1) ||
           test >= limits[1] * (decree < 0 ? 1 - dt_relative_hair : 1);
}

/* Whether joint k, at rest so far, is to be released by the settled round. */
static bool gives_way(dt_search *search, int k)
{
    if (!search->candidate[k] || search->released[k]) {
        return false;
    }
    return search->box.kind[k] == DT_FRICTION_RIGID ? fails_test(search, k)
                                                    : search->box.side[k] != 0;
}

/*
 * Releases whoever gives way. `*same` remains true if the friction of none of them changes by that.
 */
static size_t release(dt_search *search, bool *same)
{
    size_t count = 0;
    for (int k = 0; k < search->box.count; k++) {
        if (search->released[k]) {
            search->released[k] = DT_RELEASED;
        }
        if (!gives_way(search, k)) {
            continue;
        }
        const int side = search->box.side[k];
        search->released[k] = DT_RELEASED_NOW;
        count++;
        *same = *same && side != 0 && dt_search_decree(search, k) == 0 && !search->loads_matter &&
                search->box.f[k] == -side * dt_system_kinetic(search->system, k, side);
    }
    return count;
}

/* Whether joints outside of the search hold in the settled round. */
static bool others_hold(dt_search *search)
{
    dt_system *s = search->system;
    if (!search->request->others_hold) {
        return true;
    }
    for (int i = 0; i < s->tree->node_count && !search->drive_couples; i++) {
        dt_copy6(s->A[i], search->box.aba->node[i].A);
        dt_copy6(s->F[i], search->box.aba->node[i].F);
    }
    return search->request->others_hold(search->request->others_user);
}

/* Rounds until nothing new is released. */
static detent_status rounds(dt_search *search)
{
    for (;;) {
        bool same = true;
        detent_status status = dt_round_settle(search);
        if (status != DETENT_OK) {
            return status;
        }
        if (!search->pinned && grow_hairs(search)) {
            continue;
        }
        search->result->rounds++;
        if (!others_hold(search)) {
            return DETENT_EVENT;
        }
        const size_t released = release(search, &same);
        dt_story_round(search, released);
        if (released == 0 || same) {
            return DETENT_OK;
        }
        search->pinned = false;
    }
}

/* Notes with which accelerations decreed joints start; true if there is one, to be pinned. */
static bool note_starts(dt_search *search)
{
    const dt_friction_box *box = &search->box;
    bool any = false;
    for (int k = 0; k < box->count && search->request->decree; k++) {
        const int decree = dt_search_decree(search, k);
        search->start[k] = box->a[box->freedom[k]];
        any = any || (decree != 0 && box->side[k] == decree);
    }
    return any;
}

/* The rule, and the pinning of decreed joints; ends when both have nothing more to change. */
static detent_status apply_rule(dt_search *search)
{
    detent_status status = rounds(search);
    while (status == DETENT_OK && !search->pinned && note_starts(search)) {
        search->pinned = true;
        status = rounds(search); /* unpins if it releases a joint */
    }
    return status;
}

/* Whether the kinetic friction of joint k is above the static limit on the side of its force. */
static bool is_upside_down(const dt_search *search, int k)
{
    dt_system *s = search->system;
    const int side = s->f[k] > 0;
    double limits[2], kinetic[2];
    dt_system_static_limits(s, k, limits);
    dt_system_kinetic_limits(s, k, kinetic);
    return !dt_stiction_law(s, k, DT_STICTION_TEST)->program &&
           fabs(kinetic[side]) > fabs(limits[side]) * (1 + dt_relative_hair);
}

/*
 * Joints that were released, and are at rest all the same: where their test friction has left its
 * range the kinetic friction has to hold them from now on. Static limits that are lower than the
 * kinetic friction by rounding count as equal; if they are lower by more there is no such state.
 */
static void mark_yielded(dt_search *search)
{
    dt_system *s = search->system;
    for (int k = 0; k < search->box.count; k++) {
        if (search->candidate[k] && search->released[k] && s->mode[k] == DETENT_LOCKED) {
            s->yielded[k] = fails_test(search, k) && !is_upside_down(search, k);
        }
    }
}

/* Laws and boxes at the readings of the settled state. */
static detent_status read_settled(dt_search *search)
{
    const detent_status status = dt_round_read_laws(search);
    return status == DETENT_OK && dt_friction_box_solve(&search->box) >= 0
               ? dt_report_inconsistent(search, "the motion is undetermined")
               : status;
}

/* Brings the system to the settled state. */
static detent_status conclude(dt_search *search)
{
    dt_system *s = search->system;
    set_modes(search, false);
    if (!dt_search_is_coupled(search)) {
        dt_system_set_acceleration(s, search->box.a, search->box.f);
        mark_yielded(search);
        return DETENT_OK;
    }
    detent_status status = solve_loads(search);
    mark_yielded(search);
    dt_split_update(s); /* among those that have yielded as well */
    return status == DETENT_OK ? read_settled(search) : status;
}

/*
 * Verifies; in an ill-conditioned pose the articulated bodies may have lost digits that one
 * refinement by the residual of inverse dynamics gives back, at the same modes.
 */
static detent_status verify_refined(dt_search *search)
{
    const detent_status status = dt_verify(search);
    dt_friction_box_measure(&search->box); /* Newton takes the articulated bodies */
    if (status != DETENT_NO_CONSISTENT_STATE ||
        dt_solve_accelerations(search->newton, search->system, &search->box.solves, NULL) !=
            DETENT_OK) {
        return status;
    }
    return dt_verify(search);
}

/* Of several verified states with the same modes that which is stable, if one is. */
static void prefer_stable(dt_search *search)
{
    if (dt_search_stabilize(search) &&
        (read_settled(search) != DETENT_OK || verify_refined(search) != DETENT_OK)) {
        dt_search_destabilize(search);
        read_settled(search);
    }
}

/* Follows the rule from the start to a verified state. */
static detent_status attempt(dt_search *search)
{
    detent_status status = first_readings(search);
    if (status == DETENT_OK) {
        status = apply_rule(search);
    }
    if (status == DETENT_OK) {
        status = conclude(search);
    }
    return status == DETENT_OK ? verify_refined(search) : status;
}

void dt_search_bind(dt_search *search, dt_system *system, dt_newton *newton,
                    dt_search_result *result, detent_error *error)
{
    *result = (dt_search_result){0};
    search->system = system;
    search->newton = newton;
    search->result = result;
    search->error = error;
    search->share = 1;
    dt_load_newton_begin(search);
    search->interior_point.level = 0;
    dt_friction_box_bind(&search->box, system, dt_newton_aba(newton), dt_newton_size(newton));
    search->box.solves = 0;
}

/*
 * Looks for sides at which everything agrees, from the present ones, then, where few joints are at
 * rest, among all sets of sides. Leaves the system's readings there. DETENT_NO_CONSISTENT_STATE,
 * without a report, where none is found.
 */
static detent_status settle_coupled(dt_search *search)
{
    static const dt_effort effort = {.tries = 40, .setbacks = 8, .few = 100};
    int singular;
    dt_couple_open(search);
    dt_couple(search, DT_BOXES_FOLLOW);
    const bool found =
        dt_active_set_run(&search->active_set, &search->box, effort, &singular) == DT_SETTLED ||
        dt_every_set_settle(search);
    dt_couple(search, DT_BOXES_APART);
    return found ? DETENT_OK : DETENT_NO_CONSISTENT_STATE;
}

/*
 * Where the rule leads to no state, any state that is consistent: found with all laws solved at
 * once. If there is none, `error` remains the report of the rule.
 */
static detent_status attempt_coupled(dt_search *search, detent_error *error)
{
    const detent_error report = error ? *error : (detent_error){.status = DETENT_OK};
    detent_status status = begin(search);
    status = status == DETENT_OK ? settle_coupled(search) : status;
    note_starts(search);
    status = status == DETENT_OK && !others_hold(search) ? DETENT_EVENT : status;
    if (status == DETENT_OK) {
        status = conclude(search);
    }
    status = status == DETENT_OK ? verify_refined(search) : status;
    if (status != DETENT_OK && error) {
        *error = report;
    }
    return status;
}

/* Joints at rest that are still beyond their static limits, at the friction known so far. */
static void note_yielded(dt_search *search)
{
    for (int k = 0; k < search->box.count; k++) {
        search->candidate[k] = false; /* no decree counts yet */
        search->yielded[k] = search->system->yielded[k] && fails_test(search, k);
    }
}

/* The state that the rule picks, in one way or another; where there is none, any. */
static detent_status follow_rule(dt_search *search)
{
    detent_status status = begin(search);
    if (status == DETENT_OK) {
        dt_story_begin(search);
        status = attempt(search);
    }
    if (status == DETENT_NO_CONSISTENT_STATE && search->loads_matter) {
        /* from loads that were not swept to the end Newton may have gone to another solution */
        search->thorough = true;
        status = begin(search);
        status = status == DETENT_OK ? attempt(search) : status;
    }
    if (status == DETENT_NO_CONSISTENT_STATE && search->request->decree) {
        search->overruled = true;
        status = begin(search);
        status = status == DETENT_OK ? attempt(search) : status;
    }
    if (status == DETENT_NO_CONSISTENT_STATE && search->loads_matter &&
        attempt_coupled(search, search->error) == DETENT_OK) {
        status = DETENT_OK;
    }
    return status;
}

detent_status dt_search_run(dt_search *search, dt_system *system, dt_newton *newton,
                            const dt_search_request *request, dt_search_result *result,
                            detent_error *error)
{
    dt_search_bind(search, system, newton, result, error);
    search->request = request;
    search->box.stopped = request->stopped;
    search->box.stopped_user = request->stopped_user;
    system->follow = request->follow;
    system->follow_user = request->follow_user;
    search->thorough = search->overruled = false;
    note_yielded(search);
    const detent_status status =
        request->accelerations ? attempt_coupled(search, error) : follow_rule(search);
    if (status == DETENT_OK) {
        prefer_stable(search);
    }
    system->follow = NULL;
    result->solves = search->box.solves;
    if (status == DETENT_OK) {
        dt_fail(error, DETENT_OK, NULL, "%s", ""); /* nothing is left of what a second try mended */
        for (int k = 0; k < search->box.count; k++) {
            result->released += search->candidate[k] && system->mode[k] == DETENT_WAIT;
        }
        dt_story_end(search);
    }
    return status;
}
