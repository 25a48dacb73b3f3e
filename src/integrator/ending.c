/*
 * Where a solution ends. Friction that follows the reaction which it causes need not have a solution at all, nor for
 * ever: two branches of solutions meet in a fold (fold.c), or friction grows without bound towards an instant (a pole:
 * as in the paradox of a rod that is pushed over a rough table, where the friction cancels the inertia it works on).
 */
#include "integrator/ending.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/fold.h"
#include "integrator/jam.h"
#include "integrator/solution.h"

#include <math.h>

void dt_ending_move_on(dt_simulation *sim, double h)
{
    dt_blocks_move_on(sim, sim->reached + h, h);
    dt_fold_guess(sim, sim->reached);
}

/* Modes of the core, kept in what only events need, or put back. */
static void keep_modes(dt_simulation *sim, bool back)
{
    dt_system *s = sim->core;
    const size_t n = (size_t)s->mechanism->stiction_count;
    void *const live[] = {s->mode, s->direction, s->yielded}, *const kept[] = {
                                                                  sim->event.decree,
                                                                  sim->event.core_decree,
                                                                  sim->event.cause};
    for (size_t k = 0; k < sizeof live / sizeof *live; k++) {
        memcpy(back ? live[k] : kept[k], back ? kept[k] : live[k], n);
    }
}

static bool same_modes(const dt_simulation *sim)
{
    const size_t n = (size_t)sim->core->mechanism->stiction_count;
    return memcmp(sim->core->mode, sim->event.decree, n) == 0 &&
           memcmp(sim->core->direction, sim->event.core_decree, n) == 0;
}

/* Whether a friction is another one than that of the last good state: by more than what is uncertain where two solutions meet. */
static bool differs(const dt_simulation *sim)
{
    static const double share = 0.1;
    const dt_system *s = sim->core;
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count && !any; k++) {
        const double before = sim->fold.f ? sim->fold.f[k] : 0;
        any = !(fabs(s->f[k] - before) <= share * fmax(fabs(s->f[k]), fabs(before)));
    }
    return any;
}

/* What becomes of a solution. */
typedef enum dt_fate {
    DT_FATE_LASTS,
    DT_FATE_TURNED, /**< there is only the one that it has met, or is about to */
    DT_FATE_GONE
} dt_fate;

/*
 * Whether a search finds where to go on where the core stands: other modes of the joints at rest, a mesh that jams, or with the same modes
 * another solution that is no less stable than the one that ends. One that meets both the old one and the one that it has
 * turned to is none: steps would have gone there, if the motion did. Beyond a pole the same modes, DT_FATE_LASTS, are none.
 */
static bool finds_sequel(dt_simulation *sim, dt_fate fate)
{
    const dt_search_request request = {.stopped = dt_is_stopped, .stopped_user = sim};
    dt_search_result result;
    detent_error ignored = {.status = DETENT_OK};
    keep_modes(sim, false);
    const detent_status status =
        dt_search_run(sim->search, sim->core, sim->core_newton, &request, &result, &ignored);
    bool found = status != DETENT_NO_CONSISTENT_STATE;
    if (status == DETENT_OK && same_modes(sim)) {
        found = !dt_fold_is_passed(sim) &&
                (fate == DT_FATE_GONE || (fate == DT_FATE_TURNED && differs(sim)));
    } else if (status == DETENT_NO_CONSISTENT_STATE) {
        found = dt_jam_may_follow(sim);
    }
    keep_modes(sim, true);
    return found;
}

/* Whether there are no accelerations: none are found, or friction cancels the inertia just there. A law without a value is something else. */
static bool has_none(const dt_simulation *sim, detent_status status)
{
    return status == DETENT_ERROR_SOLVER ||
           (status == DETENT_ERROR_NUMERIC && dt_newton_is_singular(sim->core_newton));
}

/* What has become of the solution with the modes that the joints have, a moment after the last good state. */
static dt_fate fate_after(dt_simulation *sim, double moment)
{
    detent_error ignored = {.status = DETENT_OK};
    dt_ending_move_on(sim, moment);
    const detent_status status =
        dt_solve_accelerations(sim->core_newton, sim->core, NULL, &ignored);
    return has_none(sim, status)                           ? DT_FATE_GONE
           : status == DETENT_OK && dt_fold_is_passed(sim) ? DT_FATE_TURNED
                                                           : DT_FATE_LASTS;
}

static const int decades = 7, in_a_row = 3; /* of moments */

/*
 * What follows the last good state, at which there are accelerations. Towards the end of a solution they change ever
 * faster, so that steps shrink to nothing some way before it; they are missing there over three decades of moments.
 * Other modes are consistent from the first of these on, or none are.
 */
static dt_ending ending_ahead(dt_simulation *sim, double *moment)
{
    double h = 1e3 * dt_shortest_step(sim);
    bool leads_on = false;
    for (int k = 0, row = 0; k < decades; k++, h *= 10) {
        const dt_fate fate = fate_after(sim, h);
        row = fate != DT_FATE_LASTS ? row + 1 : 0;
        leads_on = row > 1 && leads_on;
        if (row > 0 && !leads_on && finds_sequel(sim, fate)) {
            leads_on = true;
            *moment = h;
        }
        if (row == in_a_row) {
            return leads_on ? DT_ENDING_OF_MODES : DT_ENDING_FOLD;
        }
    }
    return DT_ENDING_NONE;
}

/*
 * A motion may come to the end of its solution along it: friction that is about to end changes the motion such that it
 * stays near the end, nearer and nearer, until there is nothing left between the two. Then accelerations are missing on a straight
 * line through the last good state on either side, be it behind.
 */
static dt_ending ending_beside(dt_simulation *sim)
{
    double h = 1e3 * dt_shortest_step(sim);
    for (int k = 0, row = 0; k < decades && sim->fold.watched; k++, h *= 10) {
        const bool ended =
            fate_after(sim, h) != DT_FATE_LASTS || fate_after(sim, -h) != DT_FATE_LASTS;
        row = ended ? row + 1 : 0;
        if (row == in_a_row) {
            return DT_ENDING_FOLD;
        }
    }
    return DT_ENDING_NONE;
}

/*
 * Or forces hold the motion so stiffly near the end that what is left is lost in the tolerance: which of the two solutions it is on is told no
 * more, neither by steps as short as can be nor by a restart. A straight line leads away from the end then.
 */
static dt_ending ending_here(dt_simulation *sim, double *moment)
{
    *moment = 1e3 * dt_shortest_step(sim);
    dt_ending_move_on(sim, *moment);
    return finds_sequel(sim, DT_FATE_TURNED) ? DT_ENDING_OF_MODES : DT_ENDING_FOLD;
}

static dt_ending ending_soon(dt_simulation *sim, double *moment)
{
    const dt_ending ahead = ending_ahead(sim, moment);
    return ahead == DT_ENDING_NONE ? ending_beside(sim) : ahead;
}

/*
 * Whether there are no accelerations any more at the last good state, or soon after it, neither with the modes that the
 * joints have nor with others: friction that follows the reaction it causes may come to an end. Steps that fail by
 * their error alone, or at a law without a value, are something else.
 */
static dt_ending nothing_follows(dt_simulation *sim, double *moment)
{
    detent_error ignored = {.status = DETENT_OK};
    const detent_status status = dt_state_at(sim, sim->reached, DT_LEVEL_STATE, &ignored);
    dt_ending ending = DT_ENDING_NONE;
    if (has_none(sim, status)) {
        /* the last step has gone beyond the end by its tolerance */
        *moment = 1e3 * dt_shortest_step(sim);
        dt_ending_move_on(sim, *moment);
        ending = finds_sequel(sim, DT_FATE_GONE) ? DT_ENDING_OF_MODES : DT_ENDING_FOLD;
    } else if (status == DETENT_OK) {
        const bool passed = dt_fold_is_passed(sim);
        ending = ending_soon(sim, moment);
        ending = ending == DT_ENDING_NONE && passed             ? DT_ENDING_FOLD
                 : ending == DT_ENDING_NONE && sim->fold.is_met ? ending_here(sim, moment)
                                                                : ending;
    }
    sim->shown.time = NAN;
    return ending;
}

/* ---- a pole ---- */

/* The friction of stiction k with positions a time h later, and speeds as they are; NAN where there is none. */
static double friction_after(dt_simulation *sim, int k, double h)
{
    dt_system *s = sim->core;
    detent_error ignored = {.status = DETENT_OK};
    const double *v = dt_v_of(sim, sim->y);
    dt_ending_move_on(sim, h);
    dt_system_set_state(s, sim->reached + h, s->q, v);
    return dt_solve_accelerations(sim->core_newton, s, NULL, &ignored) == DETENT_OK ? s->f[k] : NAN;
}

/* Whether the inverse of a friction that is f now goes to zero in a straight line; soon, since steps have shrunk: in `*until` (s). */
static bool has_pole(dt_simulation *sim, int k, double f, double *until)
{
    static const int doublings = 40;
    static const double visible = 0.9, near_enough = 0.05;
    double h = dt_shortest_step(sim), left = 1;
    for (int n = 0; n < doublings && left > visible; n++, h *= 2) {
        left = f / friction_after(sim, k, h);
    }
    *until = 0.5 * h / (1 - left);
    return left <= visible && left > 0 &&
           fabs(f / friction_after(sim, k, 0.5 * *until) - 0.5) < near_enough &&
           fabs(f / friction_after(sim, k, 0.9 * *until) - 0.1) < near_enough;
}

static bool grows_without_bound(dt_simulation *sim, double *until)
{
    dt_system *s = sim->core;
    detent_error ignored = {.status = DETENT_OK};
    bool found = false;
    for (int k = 0; k < s->mechanism->stiction_count && !found; k++) {
        found = s->mode[k] != DETENT_LOCKED &&
                dt_law_follows_forces(dt_stiction_law(s, k, DT_STICTION_KINETIC)) &&
                dt_state_at(sim, sim->reached, DT_LEVEL_STATE, &ignored) == DETENT_OK &&
                has_pole(sim, k, s->f[k], until);
        sim->shown.time = NAN;
    }
    return found;
}

/* `*moment` (s): how long after `reached`, where the ending is one of modes. */
static dt_ending look(dt_simulation *sim, double *moment)
{
    double until;
    if (!grows_without_bound(sim, &until)) {
        return nothing_follows(sim, moment);
    }
    *moment =
        2 * until; /* what would stop the joint by then stops it at once: it jams, if it can */
    dt_ending_move_on(sim, *moment);
    const bool follows = finds_sequel(sim, DT_FATE_LASTS);
    sim->shown.time = NAN;
    return follows ? DT_ENDING_OF_MODES : DT_ENDING_UNBOUND;
}

dt_ending dt_ending_after(dt_simulation *sim)
{
    double moment;
    const bool looked = sim->step.looked;
    sim->step.looked = false;
    return looked ? (dt_ending)sim->step.ending : look(sim, &moment);
}

/* Whether a stage of a step of fixed length has no accelerations, at which others may take over. */
static bool is_of_stage(const dt_simulation *sim)
{
    return sim->fixed.exists && sim->fixed.ending_time > sim->reached;
}

/* Whether they do. */
static bool stage_makes_event(dt_simulation *sim)
{
    detent_error ignored = {.status = DETENT_OK};
    if (sim->bad.law || dt_state_at(sim, sim->reached, DT_LEVEL_STATE, &ignored) != DETENT_OK) {
        return false;
    }
    dt_fixed_keep_ending_clear(sim);
    sim->step.beyond = sim->fixed.ending_time - sim->reached;
    dt_fixed_enter_ending(sim);
    sim->pending = finds_sequel(sim, DT_FATE_GONE);
    sim->step.beyond = sim->pending ? sim->step.beyond : 0;
    sim->shown.time = NAN;
    return sim->pending;
}

bool dt_ending_makes_event(dt_simulation *sim)
{
    double moment = 0;
    if (is_of_stage(sim)) {
        return stage_makes_event(sim);
    }
    sim->step.looked = !sim->bad.law;
    sim->step.ending = (int)(sim->bad.law ? DT_ENDING_NONE : look(sim, &moment));
    if (sim->step.ending != DT_ENDING_OF_MODES) {
        return false;
    }
    sim->step.looked = false;
    sim->step.beyond = moment;
    sim->pending = true;
    return true;
}

/* Powers as they are, of friction with the mean velocity: next to a pole it changes that by what counts. */
static void move_works_on(dt_simulation *sim, double h)
{
    const dt_system *s = sim->core;
    const double *a = dt_v_of(sim, sim->yp);
    for (int k = 0; k < DT_WORKS; k++) {
        sim->work[k] = dt_w_of(sim, sim->y)[k] + h * dt_w_of(sim, sim->yp)[k];
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        sim->work[DT_WORK_FRICTION] += 0.5 * h * h * s->f[k] * a[j];
    }
}

detent_status dt_ending_pass(dt_simulation *sim, detent_error *error)
{
    dt_system *s = sim->core;
    double back = 1e3 * dt_shortest_step(sim);
    detent_status status = dt_state_at(sim, sim->reached, DT_LEVEL_STATE, error);
    for (int k = 0; k < decades && has_none(sim, status); k++, back *= 10) {
        dt_ending_move_on(sim, -back);
        status = dt_solve_accelerations(sim->core_newton, s, NULL, error);
    }
    if (status != DETENT_OK && !has_none(sim, status)) {
        return status;
    }
    /* a start for the search: where there are none behind in a straight line, those of the last step */
    const double *found = status == DETENT_OK ? s->a : dt_v_of(sim, sim->yp);
    double *a = dt_solver_scratch(sim->solver);
    memcpy(a, found, (size_t)s->tree->nv * sizeof *a);
    if (is_of_stage(sim)) {
        dt_fixed_enter_ending(sim);
    } else {
        move_works_on(sim, sim->step.beyond);
        dt_ending_move_on(sim, sim->step.beyond);
    }
    dt_system_set_acceleration(s, a, s->f);
    sim->system.time = s->time;
    sim->reduction.way->expand(sim);
    dt_bring_up(sim, DT_LEVEL_FORCES);
    sim->shown.time = NAN;
    return DETENT_OK;
}
