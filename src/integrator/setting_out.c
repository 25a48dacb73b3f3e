/*
 * A loop that sets out from rest may stand where one of its joints does not move with the others: a rocker at its extreme, while the
 * crank is let go. With a = 0 it may be locked at this instant, as the search has found; but a moment later, at v = a dt, the conditions
 * of the loop give it an acceleration of the order of v^2, whatever the forces are (closure_turning.c), and nothing can hold it. So
 * the velocities of that moment are looked at, and whoever turns then has its direction from the event on.
 */
#include "integrator/setting_out.h"
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/split.h"
#include "integrator/core.h"
#include "integrator/event_search.h"
#include "integrator/restart.h"

#include <math.h>

/** Back to what the search has found, with all readings. */
static void come_back(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_trial_restore(sim, &sim->before_trial);
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
    dt_split_update(s);
}

/** Velocities of a moment later. */
static void look_ahead(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, s->time, s->q,
                        sim->before_trial.v); /* chooses, where joints are let go */
    for (int v = 0; v < sim->nv; v++) {
        s->v[v] = sim->before_trial.v[v] + sim->scale.time * sim->before_trial.a[v];
    }
    dt_closure_look_ahead(s);
}

/** Joints that the search has locked are free, if others leave them no choice: those who turn stay free, with their direction. */
static bool release(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const signed char *found = sim->before_trial.mode;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        if (found[k] == DETENT_LOCKED) {
            dt_set_mode(s, k, DETENT_WAIT, 1);
            dt_closure_keep(s, (int)(dt_velocity_of(sim, k) - s->v));
        }
    }
    look_ahead(sim);
    for (int k = 0; k < sim->ns; k++) {
        const double a = found[k] == DETENT_LOCKED
                             ? dt_closure_turning(s, sim->mechanism->stictions[k].primitive)
                             : 0;
        sim->before_trial.direction[k] = a > 0 ? 1 : a < 0 ? -1 : sim->before_trial.direction[k];
        sim->before_trial.mode[k] = a != 0 ? DETENT_WAIT : found[k];
        any = any || a != 0;
    }
    return any;
}

/** Joint k moves in its direction, by as little as tells it. */
static void set_in_motion(dt_simulation *sim, int k)
{
    const int node = sim->mechanism->stictions[k].primitive;
    const double scale = dt_scale_velocity(&sim->scale, sim->mechanism, node);
    dt_closure_turn(&sim->system, node,
                    sim->system.direction[k] * scale / sim->scale.time * dt_event_moment(sim));
}

static void set_out(dt_simulation *sim, const signed char *found)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        if (found[k] == DETENT_LOCKED && s->mode[k] == DETENT_WAIT) {
            set_in_motion(sim, k);
        }
    }
    dt_system_set_state(s, s->time, s->q, s->v);
}

/* ---- who has been taken along another way ---- */

static bool is_taken_along(const dt_simulation *sim, int k)
{
    const dt_system *s = &sim->system;
    const int v = s->tree->nodes[sim->mechanism->stictions[k].primitive].v;
    return s->closure && s->closure->turning[v] != 0;
}

/** Whether joint k is driven against the direction that it was given. At second order it is not driven at all yet. */
static bool is_driven_back(const dt_simulation *sim, int k)
{
    return is_taken_along(sim, k) && sim->system.mode[k] == DETENT_WAIT &&
           dt_search_found_backward(sim->search, k);
}

static bool any_is_taken_along(const dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        any = is_taken_along(sim, k);
    }
    return any;
}

/** Of those who are driven back the one that accelerates most, turns measured as the closure does; -1: nobody. */
static int most_driven_back(const dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    double most = 0;
    int who = -1;
    for (int k = 0; k < sim->ns; k++) {
        const int v = s->tree->nodes[sim->mechanism->stictions[k].primitive].v;
        const double a = is_driven_back(sim, k) ? fabs(s->a[v]) / s->closure->freedom_unit[v] : 0;
        who = a > most ? k : who;
        most = fmax(most, a);
    }
    return who;
}

/**
 * Who was taken along has its direction from what moves the loop while the joints that can rest do. If these give way too, where it goes
 * is decided by all of them: `who` is at rest as they were, and they are taken along in its stead.
 */
static void change_places(dt_simulation *sim, int who)
{
    dt_system *s = &sim->system;
    dt_set_mode(s, who, DETENT_LOCKED, 0);
    dt_closure_turn(s, sim->mechanism->stictions[who].primitive, 0);
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == DETENT_WAIT && *dt_velocity_of(sim, k) == 0) {
            set_in_motion(sim, k);
        }
    }
    dt_system_set_state(s, s->time, s->q, s->v);
}

static detent_status report(const dt_simulation *sim, int who, detent_error *error)
{
    const detent_mechanism *m = sim->mechanism;
    return dt_fail(error, DETENT_NO_CONSISTENT_STATE, NULL,
                   "no consistent state at t = %.9g s: '%s' is taken along by a loop that begins "
                   "to move, and driven back whoever follows in its stead",
                   sim->system.time, m->primitives[m->stictions[who].primitive].name);
}

/** dt_event_search() until everybody goes where it is driven. */
static detent_status search(dt_simulation *sim, bool core, detent_error *error)
{
    const bool whole = any_is_taken_along(sim);
    detent_status status = dt_event_search(sim, core && !whole, error);
    int who = whole && status == DETENT_OK ? most_driven_back(sim) : -1;
    for (int round = 0; round < 2 * sim->ns && who >= 0; round++) {
        change_places(sim, who);
        status = dt_event_search(sim, false, error);
        who = status == DETENT_OK ? most_driven_back(sim) : -1;
    }
    return who < 0 ? status : report(sim, who, error);
}

detent_status dt_setting_out_search(dt_simulation *sim, bool core, detent_error *error)
{
    dt_system *s = &sim->system;
    const detent_status status = search(sim, core, error);
    if (status != DETENT_OK || !s->closure || !dt_still_sets_out(s)) {
        return status;
    }
    dt_trial_keep(sim, &sim->before_trial);
    look_ahead(sim);
    const bool agrees = dt_closure_agrees(s);
    bool any = false;
    if (!agrees) {
        memcpy(sim->setting_out, sim->before_trial.mode, (size_t)sim->ns);
        any = release(sim);
        if (!any) {
            dt_closure_keep_none(s);
        }
    }
    if (!any) {
        come_back(sim);
        return DETENT_OK;
    }
    dt_trial_restore(sim, &sim->before_trial);
    set_out(sim, sim->setting_out);
    return search(sim, false, error);
}
