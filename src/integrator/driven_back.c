/*
 * Joints of loops that are taken along (taken_along.c) have their direction from what moves the loop while the joints that can rest do.
 * The search may find that these give way too, and that all of them together drive one that was taken along the other way: s a < 0, by far
 * more than rounding. Where it goes is decided by all of them, so it is made a joint at rest as they were, they are taken along in its
 * stead, and the search is made again. One at a time, the one that accelerates most: with all of them at rest the loop might be held
 * where it has to move, as a motion like t^3 has no acceleration yet.
 */
#include "integrator/driven_back.h"
#include "dynamics/closure.h"
#include "integrator/core.h"
#include "integrator/event_search.h"

#include <math.h>

void dt_driven_set_in_motion(dt_simulation *sim, int k)
{
    const int node = sim->mechanism->stictions[k].primitive;
    const double scale = dt_scale_velocity(&sim->scale, sim->mechanism, node);
    dt_closure_turn(&sim->system, node,
                    sim->system.direction[k] * scale / sim->scale.time * dt_moment(sim));
}

static bool is_taken_along(const dt_simulation *sim, int k)
{
    const dt_system *s = &sim->system;
    const int v = s->tree->nodes[sim->mechanism->stictions[k].primitive].v;
    return s->closure && s->closure->turning[v] != 0;
}

/* Whether joint k is driven against the direction that it was given. At second order it is not driven at all yet. */
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

/* Of those who are driven back the one that accelerates most, turns measured as the closure does; -1: nobody. */
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

/* `who` is at rest, and whoever gives way is taken along in its stead. */
static void change_places(dt_simulation *sim, int who)
{
    dt_system *s = &sim->system;
    dt_set_mode(s, who, DETENT_LOCKED, 0);
    dt_closure_turn(s, sim->mechanism->stictions[who].primitive, 0);
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == DETENT_WAIT && *dt_velocity_of(sim, k) == 0) {
            dt_driven_set_in_motion(sim, k);
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

/*
 * Who is taken along into a stop that is closed, or against its freewheel; -1: nobody. A rocker at the dead centre of its crank turns back whichever way the
 * crank goes, and holds it by no finite force.
 */
static int find_caught(const dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    int who = -1;
    for (int k = 0; k < sim->ns && s->closure && who < 0; k++) {
        const int v = s->tree->nodes[sim->mechanism->stictions[k].primitive].v;
        who = dt_system_stop_side(s, k) * s->closure->turning[v] > 0 ? k : who;
    }
    return who;
}

static detent_status report_caught(const dt_simulation *sim, int who, detent_error *error)
{
    const detent_mechanism *m = sim->mechanism;
    const dt_stiction *stiction = &m->stictions[who];
    return dt_fail(
        error, DETENT_NO_CONSISTENT_STATE, NULL,
        "no consistent state at t = %.9g s: '%s' is at a dead centre of its loop, which takes it "
        "back whichever way the others go: its %s would have to stop them there with a force "
        "beyond any bound; let them turn round before, as by a stop of the joint that drives, or "
        "let something of the loop give way, as a bushing does",
        sim->system.time, m->primitives[stiction->primitive].name,
        stiction->stops && stiction->stops->way != 0 ? "freewheel" : "stop");
}

/* The search, with those in motion who are taken along. */
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

detent_status dt_driven_search(dt_simulation *sim, bool core, detent_error *error)
{
    const detent_status status = search(sim, core, error);
    const int who = status == DETENT_OK ? find_caught(sim) : -1;
    return who < 0 ? status : report_caught(sim, who, error);
}
