/*
 * Who is taken along by loops, though at rest: nothing can hold it, and it has its direction from the event on.
 *
 *   turns    in a loop that moves on a joint may turn round without ever being at rest, as a rocker does where the crank is at a dead
 *            centre; or a motion has an acceleration: a_k follows from the conditions of the loop (dt_closure_turning())
 *   begins   a motion that stands now moves a moment later, however smoothly: v = 0, a = 0, and so on. Where its law is one formula of t
 *            it either stands for ever or moves at once, and which of the two the velocities of some later moments
 *            tell. Then v_k follows from those of the motions that begin, nothing else moving: G_dep v_dep = -G v(t + dt).
 *            Where that is none, as at a dead centre, it follows at second order, as what turns at these velocities
 *
 * Joints that friction holds now are let go together: they stay as long as others can follow (dt_closure_keep()).
 */
#include "integrator/taken_along.h"
#include "dynamics/closure.h"
#include "integrator/core.h"
#include "integrator/event.h"

#include <math.h>

/** Moments are the duration of the run times 2^-30 ... 2^-2: what begins is told by the first one at which it has a velocity. */
static const int first_moment = 30, last_moment = 2;

/** Velocities that are less, beside the largest one, are rounding. */
static const double nothing = 1e-9;

/* ---- motions that begin ---- */

/** The velocity of a motion that stands now, s later; 0 of one that does not stand. */
static double begun(dt_system *s, int node, double later)
{
    const dt_law *law = dt_motion_law(s, node);
    const int v = s->tree->nodes[node].v;
    double jet[3];
    if (s->v[v] != 0) {
        return 0;
    }
    dt_program_time_jet(law->program, s->time + later, dt_law_branches(s, law), s->registers, jet);
    return jet[1];
}

/** The first moment at which some motion has begun; 0: those that stand go on to stand. */
static double moment_of_beginning(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = first_moment; k >= last_moment && s->closure->has_motions; k--) {
        const double later = ldexp(sim->scale.time, -k);
        for (int i = 0; i < s->tree->node_count && later > dt_event_moment(sim); i++) {
            if (dt_is_prescribed(s, i) && begun(s, i, later) != 0) {
                return later;
            }
        }
    }
    return 0;
}

/**
 * The system at the velocities that the motions that have begun then cause at the present place, nothing else moving. Only their ratios
 * count: the fastest is an ordinary one. Accelerations of motions are none, so that those of others follow from velocities alone.
 */
static void look_ahead(dt_simulation *sim, double later)
{
    dt_system *s = &sim->system;
    double *ahead = sim->before_trial.v;
    const size_t bytes = (size_t)sim->nv * sizeof *ahead;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            ahead[v] = dt_is_prescribed(s, i) ? begun(s, i, later) : 0;
        }
    }
    memcpy(sim->before_trial.a, s->v, bytes);
    memcpy(s->v, ahead, bytes);
    dt_closure_follow(s);
    const double fastest = dt_closure_fastest(s, s->v) * sim->scale.time;
    for (int v = 0; v < sim->nv && fastest > 0; v++) {
        s->v[v] /= fastest;
    }
    dt_closure_look_ahead(s);
}

/** Back to the velocities of now. */
static void look_back(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, s->time, s->q, sim->before_trial.a);
}

/** Whether, by these velocities, what is locked cannot stay. */
static bool begins(dt_simulation *sim, double later)
{
    dt_system *s = &sim->system;
    if (later == 0) {
        return false;
    }
    look_ahead(sim, later);
    const bool moves = dt_closure_moves_locked(s) || !dt_closure_agrees(s);
    look_back(sim);
    return moves;
}

/* ---- who is taken along ---- */

/** Joint k, at velocity zero, is given that acceleration by its loop: it moves that way a moment later, and was never at rest. */
static void turn(dt_simulation *sim, int k, double a)
{
    const int node = sim->mechanism->stictions[k].primitive;
    dt_set_mode(&sim->system, k, DETENT_WAIT, a > 0 ? 1 : -1);
    dt_closure_turn(&sim->system, node, a * dt_event_moment(sim));
}

/** Joints at rest are free to move, if others leave them no choice. */
static void let_go(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            dt_set_mode(s, k, DETENT_WAIT, 1);
            dt_closure_keep(s, (int)(dt_velocity_of(sim, k) - s->v));
        }
    }
    dt_system_set_state(s, s->time, s->q, s->v);
}

/** Which way joints that were locked are about to go, by velocities ahead: at first order, or where that is none at second. */
static void tell_ways(dt_simulation *sim, double later, signed char *way)
{
    dt_system *s = &sim->system;
    memset(way, 0, (size_t)sim->ns);
    if (later == 0) {
        return;
    }
    look_ahead(sim, later);
    const double fastest = dt_closure_fastest(s, s->v);
    for (int k = 0; k < sim->ns; k++) {
        const int node = sim->mechanism->stictions[k].primitive, v = s->tree->nodes[node].v;
        const bool first = fabs(s->v[v]) > nothing * fastest * s->closure->freedom_unit[v];
        const double where = first ? s->v[v] : dt_closure_turning(s, node);
        way[k] = where > 0 ? 1 : where < 0 ? -1 : 0;
    }
    look_back(sim);
}

/** The acceleration that what moves now gives a joint at rest; or where it has none yet, an ordinary one the way that it is about to go. */
static double acceleration(dt_simulation *sim, int k, int way)
{
    const int node = sim->mechanism->stictions[k].primitive;
    const double a = dt_closure_turning(&sim->system, node);
    return a != 0 ? a
                  : way * dt_scale_velocity(&sim->scale, sim->mechanism, node) / sim->scale.time;
}

/** Those that were locked, and are taken along, turn; the others are locked again. Whether there is one. */
static bool turn_or_hold(dt_simulation *sim, const signed char *way)
{
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        if (sim->past.mode[k] != DETENT_LOCKED) {
            continue;
        }
        const double a = acceleration(sim, k, way[k]);
        if (a != 0) {
            turn(sim, k, a);
            any = true;
        } else {
            dt_set_mode(&sim->system, k, DETENT_LOCKED, 0);
        }
    }
    return any;
}

/** Whoever is locked and taken along turns. `later`: of motions that begin; 0: by what moves now. */
static void release(dt_simulation *sim, double later)
{
    let_go(sim);
    tell_ways(sim, later, sim->setting_out);
    if (!turn_or_hold(sim, sim->setting_out)) {
        dt_closure_keep_none(&sim->system);
    }
}

void dt_take_along_at_start(dt_simulation *sim)
{
    const double later = moment_of_beginning(sim);
    if (later > 0 || dt_closure_is_driven(&sim->system)) {
        release(sim, later);
    }
}

void dt_take_along(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    if (!s->closure) {
        return;
    }
    for (int k = 0; k < sim->ns; k++) {
        const double a = sim->event.cause[k] == DETENT_CAUSE_STOP
                             ? dt_closure_turning(s, sim->mechanism->stictions[k].primitive)
                             : 0;
        if (a != 0) {
            turn(sim, k, a);
        }
    }
    const double later = moment_of_beginning(sim);
    const bool any = begins(sim, later);
    if (any || (dt_closure_is_accelerated(s) && !dt_closure_agrees(s))) {
        release(sim, any ? later : 0);
        dt_system_set_state(s, s->time, s->q, s->v);
    }
}
