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

/** Moments are the nominal time times 2^-30 ... 2^-2: what begins is told by the first one at which it has a velocity. */
enum { FIRST_MOMENT = 30, LAST_MOMENT = 2 };

/** Velocities that are less, beside the largest one, are rounding; and those of a motion that stands, beside what it comes to. */
static const double nothing = 1e-9, no_velocity = 1e-12;

/** Motions that begin at one moment with velocities that differ by more do not begin together: one has long begun when the other does. */
static const double together = 1e4;

/* ---- motions that begin ---- */

/** The velocity of a motion at another time; NAN: it is not known there. */
static double velocity_at(dt_system *s, int node, double later)
{
    const dt_law *law = dt_motion_law(s, node);
    double jet[3];
    dt_program_time_jet(law->program, s->time + later, dt_law_branches(s, law), s->registers, jet);
    return jet[1];
}

static double moment(const dt_simulation *sim, int k)
{
    return ldexp(sim->scale.time, -k);
}

/** Whether a motion stands now; a rounding is no velocity. */
static bool stands(dt_simulation *sim, int node)
{
    dt_system *s = &sim->system;
    const double now = fabs(s->v[s->tree->nodes[node].v]);
    double most = 0;
    for (int k = FIRST_MOMENT; k >= LAST_MOMENT && now > 0; k--) {
        most = fmax(most, fabs(velocity_at(s, node, moment(sim, k))));
    }
    return now <= no_velocity * most;
}

/** The first moment at which a motion that stands now has begun, by its number; 0: none. */
static int beginning(dt_simulation *sim, int node)
{
    dt_system *s = &sim->system;
    if (!dt_is_prescribed(s, node) || !stands(sim, node)) {
        return 0;
    }
    for (int k = FIRST_MOMENT; k >= LAST_MOMENT; k--) {
        if (moment(sim, k) > dt_event_moment(sim) && velocity_at(s, node, moment(sim, k)) != 0) {
            return k;
        }
    }
    return 0;
}

/** Whether a motion begins at that moment together with one that has this velocity then. */
static bool begins_with(dt_simulation *sim, int node, int k, double velocity)
{
    if (beginning(sim, node) != k) {
        return false;
    }
    const double own = fabs(velocity_at(&sim->system, node, moment(sim, k)));
    return own < together * fabs(velocity) && fabs(velocity) < together * own;
}

/** Motions that begin together, known by their first one. */
typedef struct start {
    int first, moment; /* a node; the number of the moment */
    double velocity;   /* of the first one, then */
} start;

/**
 * The next motions that begin together: in the order of moments, and within one of nodes. { .first = -1, .moment = FIRST_MOMENT } before
 * the first ones; false where there are none any more.
 */
static bool next_start(dt_simulation *sim, start *of)
{
    dt_system *s = &sim->system;
    for (; of->moment >= LAST_MOMENT && s->closure->has_motions; of->moment--, of->first = -1) {
        for (int i = of->first + 1; i < s->tree->node_count; i++) {
            if (beginning(sim, i) != of->moment) {
                continue;
            }
            const double velocity = velocity_at(s, i, moment(sim, of->moment));
            bool seen = false;
            for (int j = 0; j < i && !seen; j++) {
                seen = begins_with(sim, j, of->moment, velocity);
            }
            if (!seen) {
                of->first = i;
                of->velocity = velocity;
                return true;
            }
        }
    }
    return false;
}

/**
 * The system at the velocities that motions that begin together then cause at the present place, nothing else moving. Only their
 * ratios count: the fastest is an ordinary one. Returns how many times as slow it is; 0: nothing that is tied moves.
 */
static double look_ahead(dt_simulation *sim, const start *of)
{
    dt_system *s = &sim->system;
    memcpy(sim->before_trial.a, s->v, (size_t)sim->nv * sizeof *s->v); /* velocities of now */
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const bool begins = begins_with(sim, i, of->moment, of->velocity);
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            s->v[v] = begins ? velocity_at(s, i, moment(sim, of->moment)) : 0;
        }
    }
    dt_closure_follow(s);
    const double fastest = dt_closure_fastest(s, s->v) * sim->scale.time;
    for (int v = 0; v < sim->nv && fastest > 0; v++) {
        s->v[v] /= fastest;
    }
    dt_closure_look_ahead(s);
    return fastest;
}

/** Back to the velocities of now. */
static void look_back(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, s->time, s->q, sim->before_trial.a);
}

/** Whether what is locked cannot stay, by the velocities of motions that begin. */
static bool begins(dt_simulation *sim)
{
    start of = {.first = -1, .moment = FIRST_MOMENT};
    bool any = false;
    while (!any && next_start(sim, &of)) {
        any = look_ahead(sim, &of) > 0 && (dt_closure_moves_locked(&sim->system) ||
                                           !dt_closure_agrees(&sim->system));
        look_back(sim);
    }
    return any;
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

/**
 * What motions that begin together do to joints that were locked, at first order, or where that is none at second: the velocity a
 * moment later, where it is more than what others do then.
 */
static void add_ways(dt_simulation *sim, const start *of, const signed char *way, double *ahead)
{
    dt_system *s = &sim->system;
    const double slow = look_ahead(sim, of), fastest = dt_closure_fastest(s, s->v),
                 later = moment(sim, of->moment);
    for (int k = 0; k < sim->ns && slow > 0; k++) {
        const int node = sim->mechanism->stictions[k].primitive, v = s->tree->nodes[node].v;
        const bool first = fabs(s->v[v]) > nothing * fastest * s->closure->freedom_unit[v];
        const double velocity = first ? slow * s->v[v]
                                : way[k] == 0
                                    ? slow * slow * later * dt_closure_turning(s, node)
                                    : 0;
        ahead[k] = fabs(velocity) > fabs(ahead[k]) ? velocity : ahead[k];
    }
    look_back(sim);
}

/** Which way joints that were locked are about to go; what begins first decides. */
static void tell_ways(dt_simulation *sim, signed char *way)
{
    start of = {.first = -1, .moment = FIRST_MOMENT};
    int moment = FIRST_MOMENT;
    memset(way, 0, (size_t)sim->ns);
    memset(sim->ahead, 0, (size_t)sim->ns * sizeof *sim->ahead);
    for (bool more = true; more;) {
        more = next_start(sim, &of);
        for (int k = 0; k < sim->ns && (!more || of.moment != moment); k++) {
            way[k] = way[k] ? way[k] : (signed char)((sim->ahead[k] > 0) - (sim->ahead[k] < 0));
        }
        moment = of.moment;
        if (more) {
            add_ways(sim, &of, way, sim->ahead);
        }
    }
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

/** Whoever is locked and taken along turns. */
static void release(dt_simulation *sim)
{
    let_go(sim);
    tell_ways(sim, sim->setting_out);
    if (!turn_or_hold(sim, sim->setting_out)) {
        dt_closure_keep_none(&sim->system);
    }
}

void dt_take_along_at_start(dt_simulation *sim)
{
    start of = {.first = -1, .moment = FIRST_MOMENT};
    if (dt_closure_is_driven(&sim->system) || next_start(sim, &of)) {
        release(sim);
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
    if (begins(sim) || (dt_closure_is_accelerated(s) && !dt_closure_agrees(s))) {
        release(sim);
        dt_system_set_state(s, s->time, s->q, s->v);
    }
}
