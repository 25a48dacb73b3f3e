/*
 * A loop that sets out from rest may stand where one of its joints does not move with the others: a rocker at its extreme, while the
 * crank is let go. With a = 0 it may be locked at this instant, as the search has found; but a moment later, at v = a dt, the conditions
 * of the loop give it an acceleration of the order of v^2, whatever the forces are (closure_turning.c), and nothing can hold it. So
 * the velocities of that moment are looked at, and whoever turns then has its direction from the event on.
 *
 * Where no force acts yet accelerations are none: those by the forces of a moment later lead there.
 */
#include "integrator/setting_out.h"
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/split.h"
#include "integrator/core.h"
#include "integrator/driven_back.h"
#include "integrator/restart.h"

/* Back to what the search has found, with all readings. */
static void come_back(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_trial_restore(sim, &sim->before_trial);
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
    dt_split_update(s);
}

/* Velocities of a moment later, and of one more where nothing has an acceleration yet. */
static void look_ahead(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, s->time, s->q,
                        sim->before_trial.v); /* chooses, where joints are let go */
    for (int v = 0; v < sim->nv; v++) {
        s->v[v] =
            sim->before_trial.v[v] + sim->scale.time * (sim->before_trial.a[v] + sim->later[v]);
    }
    dt_closure_look_ahead(s);
}

/* The system a moment later, as it moves now. */
static void move_on(dt_simulation *sim, double moment)
{
    dt_system *s = &sim->system;
    memcpy(sim->rested_q, s->q, (size_t)sim->nq * sizeof *s->q);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double rate[4];
        if (node->type->nq > 0) {
            node->type->rate(s->q + node->q, s->v + node->v, rate);
        }
        for (int c = 0; c < node->type->nq; c++) {
            s->q[node->q + c] += moment * rate[c];
        }
        if (node->type->nq > 1) {
            node->type->normalize(s->q + node->q);
        }
    }
    for (int v = 0; v < sim->nv; v++) {
        s->v[v] += moment * s->a[v];
    }
    dt_system_set_state(s, s->time + moment, s->q, s->v);
}

/* To `later`: accelerations, a moment on, of what waits at rest for a force. Whether there are any. */
static bool find_later(dt_simulation *sim)
{
    static const double moment = 1e-3;
    dt_system *s = &sim->system;
    const dt_still *still = s->closure->still;
    const double t = s->time;
    bool any = false;
    move_on(sim, moment * sim->scale.time);
    const bool known = dt_solve_accelerations(sim->newton, s, NULL, NULL) == DETENT_OK;
    for (int n = 0; n < still->tie_count && known; n++) {
        for (int k = still->tie[n].first; k < still->tie[n].end && sim->waits[n]; k++) {
            const dt_node *node = &s->tree->nodes[still->node[k]];
            for (int v = node->v; v < node->v + node->type->nv; v++) {
                sim->later[v] = s->a[v];
                any = any || s->a[v] != 0;
            }
        }
    }
    memcpy(s->q, sim->rested_q, (size_t)sim->nq * sizeof *s->q);
    dt_trial_restore(sim, &sim->before_trial);
    dt_system_set_state(s, t, s->q, s->v);
    return any;
}

/* Whether something waits at rest for a force. */
static bool note_who_waits(dt_simulation *sim)
{
    const dt_still *still = sim->system.closure->still;
    bool any = false;
    for (int n = 0; n < still->tie_count; n++) {
        sim->waits[n] = dt_still_waits(&sim->system, &still->tie[n]);
        any = any || sim->waits[n];
    }
    return any;
}

/* Whether joint k, which the search has locked, is taken along, and which way. */
static bool note_way(dt_simulation *sim, int k, double (*acceleration)(dt_system *s, int node))
{
    const double a = sim->before_trial.mode[k] == DETENT_LOCKED
                         ? acceleration(&sim->system, sim->mechanism->stictions[k].primitive)
                         : 0;
    if (a != 0) {
        sim->before_trial.direction[k] = a > 0 ? 1 : -1;
        sim->before_trial.mode[k] = DETENT_WAIT;
    }
    return a != 0;
}

/*
 * Joints that the search has locked are free, if others leave them no choice: those who turn stay free, with their direction; where
 * the rows agree that they are locked, those who do so later. Who gives way at this event follows from them as well as they from it, though its velocity
 * is known to be none: of a loop with more than one way to move these would leave no choice to whom they were asked about.
 */
static bool release(dt_simulation *sim, bool agrees)
{
    dt_system *s = &sim->system;
    const signed char *found = sim->before_trial.mode;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        const int v = (int)(dt_velocity_of(sim, k) - s->v);
        if (found[k] == DETENT_LOCKED) {
            dt_set_mode(s, k, DETENT_WAIT, 1);
            dt_closure_keep(s, v);
        } else {
            dt_closure_keep_not(s, v);
        }
    }
    look_ahead(sim);
    for (int k = 0; k < sim->ns && !agrees; k++) {
        any = note_way(sim, k, dt_closure_turning) || any;
    }
    for (int k = 0; k < sim->ns; k++) { /* last, for it leads elsewhere */
        any = note_way(sim, k, dt_closure_later) || any;
    }
    return any;
}

static void set_out(dt_simulation *sim, const signed char *found)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        if (found[k] == DETENT_LOCKED && s->mode[k] == DETENT_WAIT) {
            dt_driven_set_in_motion(sim, k);
        }
    }
    dt_system_set_state(s, s->time, s->q, s->v);
}

/*
 * A structure in a dead centre, which could move at first order alone, and what acts on it would. Or a place where branches meet, and what
 * acts leads between them.
 */
static detent_status refuse_blocked(dt_simulation *sim, bool beside_locks, detent_error *error)
{
    const char *tie, *freedom;
    const int ways =
        dt_closure_blocked_ways(&sim->system, sim->before_trial.v, beside_locks, &tie, &freedom);
    if (ways == 0) {
        return DETENT_OK;
    }
    if (ways > 1) {
        return dt_fail(
            error, DETENT_NO_CONSISTENT_STATE, NULL,
            "no consistent state at t = %.9g s: what '%s' ties is at rest where branches of its "
            "motion meet, and what acts on it leads along none of them: which one it takes is not "
            "decided; let it begin a little beside, or with a velocity",
            sim->system.time, tie);
    }
    if (beside_locks) {
        return dt_fail(
            error, DETENT_NO_CONSISTENT_STATE, NULL,
            "no consistent state at t = %.9g s: what '%s' ties is in a dead centre, or where "
            "branches of its motion meet: '%s' can move there at first order, but no farther while "
            "friction holds others of it, and no finite force holds it; change a length or an "
            "angle a little",
            sim->system.time, tie, freedom);
    }
    return dt_fail(
        error, DETENT_NO_CONSISTENT_STATE, NULL,
        "no consistent state at t = %.9g s: what '%s' ties is a structure in a dead centre: '%s' "
        "can move there at first order, but no farther, and no finite force holds it; change "
        "a length or an angle a little",
        sim->system.time, tie, freedom);
}

/* Whoever turns is given its direction. Whether somebody does; else all is as it was, a moment ahead. */
static bool turn(dt_simulation *sim, bool agrees)
{
    memcpy(sim->setting_out, sim->before_trial.mode, (size_t)sim->ns);
    if (!release(sim, agrees)) {
        dt_closure_keep_none(&sim->system);
        dt_trial_restore(sim, &sim->before_trial);
        look_ahead(sim);
        return false;
    }
    dt_trial_restore(sim, &sim->before_trial);
    set_out(sim, sim->setting_out);
    return true;
}

/* Searches; friction may follow what locked joints share, as long as it is not known whether one of them turns. */
static detent_status search(dt_simulation *sim, bool core, detent_error *error)
{
    const dt_closure *closure = sim->system.closure;
    sim->event.shared_is_read = closure && closure->stress;
    const detent_status status = dt_driven_search(sim, core, error);
    sim->event.shared_is_read = false;
    return status;
}

/*
 * What has been found stays: where friction follows what is shared another state has to be found. A search of the core does not let it; and
 * what the whole shares is not known then.
 */
static detent_status stay(dt_simulation *sim, detent_error *error)
{
    return !sim->event.core_is_searched && dt_search_reads_shared(&sim->system)
               ? dt_driven_search(sim, false, error)
               : DETENT_OK;
}

/* Where nothing begins to move yet: whether somebody is taken along as soon as something does. */
static bool begin_later(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    if (!note_who_waits(sim)) {
        return false;
    }
    bool turns = false;
    dt_trial_keep(sim, &sim->before_trial);
    if (find_later(sim)) {
        look_ahead(sim);
        turns = turn(sim, dt_closure_agrees(s));
        memset(sim->later, 0, (size_t)sim->nv * sizeof *sim->later);
    }
    if (!turns) {
        come_back(sim);
    }
    return turns;
}

detent_status dt_setting_out_search(dt_simulation *sim, bool core, detent_error *error)
{
    dt_system *s = &sim->system;
    detent_status status = search(sim, core, error);
    if (status != DETENT_OK || !s->closure) {
        return status;
    }
    const dt_still_start start = dt_still_sets_out(s);
    if (start == DT_STILL_STARTS_NOTHING) {
        return begin_later(sim) ? dt_driven_search(sim, false, error) : stay(sim, error);
    }
    dt_trial_keep(sim, &sim->before_trial);
    look_ahead(sim);
    status = refuse_blocked(sim, false, error);
    if (status == DETENT_OK && start == DT_STILL_STARTS_BESIDE_LOCKS) {
        const bool agrees = dt_closure_agrees(s);
        if (turn(sim, agrees)) {
            return dt_driven_search(sim, false, error);
        }
        status = agrees ? status : refuse_blocked(sim, true, error);
    }
    come_back(sim);
    return status == DETENT_OK ? stay(sim, error) : status;
}
