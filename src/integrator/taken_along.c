/*
 * Who is taken along by loops, though at rest: nothing can hold it, and it has its direction from the event on.
 *
 *   turns    in a loop that moves on a joint may turn round without ever being at rest, as a rocker does where the crank is at a dead
 *            centre; or a motion has an acceleration: a_k follows from the conditions of the loop (dt_closure_turning())
 *   begins   a motion that stands now moves a moment later (beginning.h). Then v_k follows from those of the motions that begin, nothing
 *            else moving: G_dep v_dep = -G v(t + dt). Where that is none, as at a dead centre, it follows at second order, as
 *            what turns at these velocities; and if others could follow in its stead, the first to reach its limit does
 *
 * Joints that friction holds now are let go together: they stay as long as others can follow (dt_closure_keep()).
 */
#include "integrator/taken_along.h"
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "integrator/beginning.h"
#include "integrator/core.h"

#include <float.h>
#include <math.h>

/* Velocities that are less, beside the largest one, are rounding. */
static const double nothing = 1e-9;

/* Whether what is locked cannot stay, by the velocities of motions that begin. */
static bool begins(dt_simulation *sim)
{
    dt_beginning of = {0};
    bool any = false;
    while (!any && dt_beginning_next(sim, &of)) {
        any = dt_beginning_look_ahead(sim, &of) > 0 &&
              (dt_closure_moves_locked(&sim->system) || !dt_closure_agrees(&sim->system));
        dt_beginning_look_back(sim);
    }
    return any;
}

/* ---- who is taken along ---- */

/* Joint k, at velocity zero, is given that acceleration by its loop: it moves that way a moment later, and was never at rest. */
static void turn(dt_simulation *sim, int k, double a)
{
    const int node = sim->mechanism->stictions[k].primitive;
    dt_set_mode(&sim->system, k, DETENT_WAIT, a > 0 ? 1 : -1);
    dt_closure_turn(&sim->system, node, a * dt_moment(sim));
}

/* Joints at rest are free to move, if others leave them no choice. */
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

/* How much more force lets a joint give way in a direction, beside what it holds now. */
static double room(dt_simulation *sim, int k, double way)
{
    double limits[2];
    dt_system_limits(&sim->system, k, limits);
    const double f = sim->system.f[k];
    return fmax(0, way > 0 ? f - limits[0] : limits[1] - f);
}

/*
 * Joint k has to follow, at second order; where others that rest could do so in its stead, the first one to give way does, as the force
 * of the loop grows on all of them. Adds its velocity to `ahead`.
 */
static void add_turn(dt_simulation *sim, int k, double velocity, double *ahead)
{
    dt_system *s = &sim->system;
    const int node = sim->mechanism->stictions[k].primitive;
    int who = k;
    double first = room(sim, k, velocity), way = velocity;
    for (int j = 0; j < sim->ns && velocity != 0; j++) {
        const bool rested = j != k && sim->rested[j];
        const double by =
            rested ? dt_closure_exchange(s, node, sim->mechanism->stictions[j].primitive) : 0;
        const double force = by != 0 ? room(sim, j, -velocity / by) / fabs(by) : INFINITY;
        if (force < first) {
            first = force;
            who = j;
            way = -velocity / by;
        }
    }
    ahead[who] = fabs(way) > fabs(ahead[who]) ? way : ahead[who];
}

/*
 * What motions that begin together do to joints that were locked, at first order, or where that is none at second: the velocity a
 * moment later, where it is more than what others do then.
 */
static void add_ways(dt_simulation *sim, const dt_beginning *of, const signed char *way,
                     double *ahead)
{
    dt_system *s = &sim->system;
    const double slow = dt_beginning_look_ahead(sim, of), later = of->later;
    for (int k = 0; k < sim->ns && slow > 0; k++) {
        const int node = sim->mechanism->stictions[k].primitive, v = s->tree->nodes[node].v;
        const double fastest = dt_closure_fastest(s, s->v, node);
        const bool first = fabs(s->v[v]) > nothing * fastest * s->closure->freedom_unit[v];
        if (first) {
            ahead[k] = slow * fabs(s->v[v]) > fabs(ahead[k]) ? slow * s->v[v] : ahead[k];
        } else if (way[k] == 0 && sim->rested[k]) {
            const double a = dt_closure_turning(s, node);
            /* however small, it is not nothing */
            const double velocity = fmax(slow * slow * later * fabs(a), DBL_MIN);
            add_turn(sim, k, a != 0 ? copysign(velocity, a) : 0, ahead);
        }
    }
    dt_beginning_look_back(sim);
}

/* Which way joints that were locked are about to go; what begins first decides. */
static void tell_ways(dt_simulation *sim, signed char *way)
{
    dt_beginning of = {0};
    int moment = 0;
    memset(way, 0, (size_t)sim->ns);
    memset(sim->ahead, 0, (size_t)sim->ns * sizeof *sim->ahead);
    for (bool more = true; more;) {
        more = dt_beginning_next(sim, &of);
        for (int k = 0; k < sim->ns && (!more || of.moment != moment); k++) {
            way[k] = way[k] ? way[k] : (signed char)((sim->ahead[k] > 0) - (sim->ahead[k] < 0));
        }
        moment = of.moment;
        if (more) {
            add_ways(sim, &of, way, sim->ahead);
        }
    }
}

/* The acceleration that what moves now gives a joint at rest; or where it has none yet, an ordinary one the way that it is about to go. */
static double acceleration(dt_simulation *sim, int k, int way)
{
    const int node = sim->mechanism->stictions[k].primitive;
    const double a = dt_closure_turning(&sim->system, node);
    return a != 0 ? a
                  : way * dt_scale_velocity(&sim->scale, sim->mechanism, node) / sim->scale.time;
}

/* Those that were locked, and are taken along, turn; the others are locked again. Whether there is one. */
static bool turn_or_hold(dt_simulation *sim, const signed char *way)
{
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        if (!sim->rested[k]) {
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

/* Whoever is locked and taken along turns. */
static void release(dt_simulation *sim)
{
    let_go(sim);
    tell_ways(sim, sim->setting_out);
    if (!turn_or_hold(sim, sim->setting_out)) {
        dt_closure_keep_none(&sim->system);
    }
}

/* What joints at rest hold, if they do, for nothing has been solved yet. */
static void find_frictions(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    double *kept = sim->before_trial.a;
    memcpy(kept, s->a, (size_t)sim->nv * sizeof *s->a);
    if (dt_solve_accelerations(sim->newton, s, NULL, NULL) != DETENT_OK) {
        memset(s->f, 0, (size_t)sim->ns * sizeof *s->f);
    }
    memcpy(s->a, kept, (size_t)sim->nv * sizeof *s->a);
}

/* Who is locked. */
static void note_rest(dt_simulation *sim)
{
    for (int k = 0; k < sim->ns; k++) {
        sim->rested[k] = sim->past.mode[k] == DETENT_LOCKED;
    }
}

void dt_take_along_at_start(dt_simulation *sim)
{
    dt_beginning of = {0};
    note_rest(sim);
    dt_beginning_pause(sim);
    dt_system_set_state(&sim->system, sim->system.time, sim->system.q, sim->system.v);
    if (dt_closure_is_driven(&sim->system) || dt_beginning_next(sim, &of)) {
        find_frictions(sim);
        release(sim);
    }
}

/*
 * The acceleration of a joint that stops, as a_k of a turn; where a motion all but stands at a dead centre, from velocities alone, for
 * beside its acceleration these are nothing. Or that of a little later.
 */
static double turning(dt_simulation *sim, int k)
{
    dt_system *s = &sim->system;
    const int node = sim->mechanism->stictions[k].primitive;
    double a = dt_closure_turning(s, node);
    if (a == 0 && dt_closure_is_accelerated(s)) {
        dt_closure_look_ahead(s);
        a = dt_closure_turning(s, node);
        dt_system_set_state(s, s->time, s->q, s->v);
    }
    return a != 0 ? a : dt_closure_later(s, node);
}

/*
 * Whether nothing made this event but joints at rest that give way: what stood before it stands, and it is by the acceleration that motions
 * have now, be it small yet, that they do.
 */
static bool only_give_way(const dt_simulation *sim)
{
    bool give_way = false, stop = false;
    for (int k = 0; k < sim->ns; k++) {
        give_way = give_way || sim->event.cause[k] == DETENT_CAUSE_LIMIT;
        stop = stop || sim->event.cause[k] == DETENT_CAUSE_STOP;
    }
    return give_way && !stop;
}

/*
 * Where a motion pauses those whom it moved are at rest, whatever their modes still are, and the search may lock them: who has to go on is
 * told from the velocities that follow, as at the start of a run.
 */
static void rest_where_motions_pause(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    if (!s->closure->has_motions || only_give_way(sim) || !dt_beginning_pause(sim)) {
        return;
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    for (int k = 0; k < sim->ns; k++) {
        const double *v = dt_velocity_of(sim, k);
        if (s->mode[k] != DETENT_LOCKED && *v == 0 && s->closure->turning[v - s->v] == 0 &&
            dt_beginning_takes(sim, sim->mechanism->stictions[k].primitive)) {
            sim->rested[k] = true;
            dt_set_mode(s, k, DETENT_LOCKED, 0);
        }
    }
    dt_system_set_state(s, s->time, s->q, s->v);
}

void dt_take_along(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    if (!s->closure) {
        return;
    }
    note_rest(sim);
    rest_where_motions_pause(sim);
    for (int k = 0; k < sim->ns; k++) {
        /* steps of fixed length see one turn when it has turned: it goes on as it does */
        const bool rests = *dt_velocity_of(sim, k) == 0,
                   stands = (sim->event.cause[k] == DETENT_CAUSE_STOP &&
                             (!sim->fixed.exists || rests)) ||
                            (s->mode[k] == DETENT_WAIT && rests && !sim->fixed.exists);
        const double a = stands ? turning(sim, k) : 0;
        if (a != 0) {
            turn(sim, k, a);
        }
    }
    if (begins(sim) || (dt_closure_is_accelerated(s) && !dt_closure_agrees(s))) {
        release(sim);
        dt_system_set_state(s, s->time, s->q, s->v);
    }
}
