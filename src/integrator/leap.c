/*
 * Over positions where branches of the motion meet: a parallelogram that passes through its flat position may go on as a
 * parallelogram, or as an antiparallelogram. Rows of what is tied lose rank there, as a pivot p of theirs passes through zero, and the
 * dependent velocities are known to eps / p^2 only: no step can end near. But a motion that comes with a velocity goes on with it, and is
 * smooth. So from where rounding would be too much, at p = `near`, one step leads to the other side, as far from there, with stages that keep
 * away from its middle (solver/stepper_leap.c). Where something happens on the way it ends there, and the next one begins, be the position ahead
 * or behind.
 *
 * Where branches come near without meeting (sides that differ by a hair) the motion turns sharply between them, and going straight on would
 * be another branch. There what is tied is open along the way by as much as they are apart; so that is looked at, and such a step is not made.
 *
 * A step of the other steppers that ends on the other side, where the determinant of what is tied has the other sign, has not looked: it is
 * made again, shorter, until a leap may begin.
 */
#include "integrator/leap.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/horizon.h"
#include "integrator/sliding.h"

#include <float.h>
#include <math.h>

enum { LOOKS = 16 /* inside a leap */ };

/*
 * Steps: a turn between branches that are apart takes hundreds. Where they are so near that rates are known to less than the tolerance, steps are as
 * short as their noise, which is of no sign, needs to be averaged: 4e-5 / rtol of them were counted at branches 1e-9 of a length apart.
 */
static double most_steps(const dt_simulation *sim)
{
    return fmax(20000, 5e-4 / sim->rtol);
}

/* The pivot at which a leap begins: where the rounding of velocities is a tenth of what the error test allows. */
static double near(const dt_simulation *sim)
{
    return fmin(0.1, fmax(0.01, sqrt(1500 * DBL_EPSILON / sim->rtol)));
}

/*
 * The same for the next one: where some have not led on they become shorter, but not by half at a time. With the length that what else there is
 * allows rises as its eighth power, and with the length falls what rounding allows, as its cube: between the two there may be little room.
 */
static double next_near(const dt_simulation *sim)
{
    return near(sim) * exp2(-0.5 * sim->leap.refusals);
}

static bool is_possible(const dt_simulation *sim)
{
    return sim->core->closure && !dt_sliding_now(sim) && !sim->fixed.exists;
}

/* The core's pose at its coordinates and that time. */
static void pose(dt_system *s, double t)
{
    s->time = t;
    dt_system_prescribe(s);
    dt_system_pose(s);
}

/* The same, and its pivot. */
static void look_at(dt_system *s, double t)
{
    pose(s, t);
    dt_closure_look(s);
}

/* The same at the end of the last step, or a moment later, by the rates there. */
static void look_after(dt_simulation *sim, double moment)
{
    dt_system *s = sim->core;
    const double *q = dt_q_of(sim, sim->y), *rate = dt_q_of(sim, sim->yp);
    for (int k = 0; k < s->tree->nq; k++) {
        s->q[k] = q[k] + moment * rate[k];
    }
    look_at(s, sim->reached + moment);
}

/* What closed last may have been a stage: the pivot at the end of the step, where a leap may come. The core is as it was then. */
static void look_at_end(dt_simulation *sim)
{
    static const double far = 0.5; /* as in dt_leap_bound() */
    dt_system *s = sim->core;
    dt_closure *c = s->closure;
    const double t = s->time;
    if (t == sim->reached || !(c->pivot < far) || !is_possible(sim) || !sim->leap.comes) {
        return;
    }
    memcpy(c->before, s->q, (size_t)s->tree->nq * sizeof *s->q);
    look_after(sim, 0);
    const double pivot = c->pivot;
    const int side = c->side;
    memcpy(s->q, c->before, (size_t)s->tree->nq * sizeof *s->q);
    look_at(s, t);
    c->pivot = pivot;
    c->side = side;
}

/* The pivot and its rate at a restart. The core is as it was then. */
static void look_ahead(dt_simulation *sim)
{
    dt_leap *l = &sim->leap;
    dt_system *s = sim->core;
    const dt_closure *c = s->closure;
    const double t = s->time;
    const size_t bytes = (size_t)s->tree->nq * sizeof *s->q;
    memcpy(c->before, s->q, bytes);
    look_after(sim, 0);
    l->time = sim->reached;
    l->pivot = c->pivot;
    l->side = c->side;
    l->choice = c->choice;
    const double fastest = dt_closure_fastest(s, dt_v_of(sim, sim->y), -1);
    if (fastest > 0 && l->pivot > 0) {
        const double moment = 1e-3 * fmin(l->pivot, 1e-3) / fastest;
        look_after(sim, moment);
        l->rate = (c->pivot - l->pivot) / moment;
    }
    memcpy(s->q, c->before, bytes);
    look_at(s, t);
}

void dt_leap_restart(dt_simulation *sim)
{
    dt_leap *l = &sim->leap;
    if (l->span > 0) {
        return; /* it is for a leap, from where the last step ended */
    }
    l->time = l->pivot = NAN;
    l->rate = l->bend = 0;
    l->side = 0;
    if (is_possible(sim) && l->comes) {
        look_ahead(sim);
    }
}

void dt_leap_forget(dt_simulation *sim)
{
    sim->leap = (dt_leap){.back = DT_STEPPER_IDA};
}

/*
 * How far it is shown that nothing is passed over begins anew with every restart, and widens from step to step: leap after leap would
 * each end where it does.
 */
static void note_cut(dt_simulation *sim)
{
    dt_leap *l = &sim->leap;
    const bool is_cut = sim->step.by_horizon && sim->reached - l->time < 0.1 * l->span;
    l->patience = is_cut ? 2 * l->patience + 8 : 0;
    l->rest = l->patience;
}

/* Steps since a leap has not led on. Where they are ordinary ones, however near, the run is not lost, and they are counted anew. */
static void count_step(dt_simulation *sim)
{
    static const double ordinary = 1e-6; /* of the nominal time */
    dt_leap *l = &sim->leap;
    const bool gets_on = (double)(l->steps + 1) > most_steps(sim) &&
                         sim->reached - l->since > ordinary * most_steps(sim) * sim->scale.time;
    if (l->refusals == 0 || l->steps == 0 || gets_on) {
        l->since = sim->reached;
        l->steps = 0;
    }
    l->steps += l->refusals > 0;
}

void dt_leap_hop(dt_simulation *sim, double span)
{
    if (sim->fixed.exists) {
        return;
    }
    sim->leap.hop = sim->leap.hop > 0 ? fmin(sim->leap.hop, span) : span;
}

bool dt_leap_goes_on(const dt_simulation *sim)
{
    return sim->leap.span > 0 && dt_solver_end(sim->solver) > sim->reached;
}

void dt_leap_note(dt_simulation *sim)
{
    dt_leap *l = &sim->leap;
    const dt_closure *c = sim->core->closure;
    if (l->span > 0) {
        l->landed = !sim->pending && !dt_leap_goes_on(sim);
        sim->statistics.leaps += l->landed && !l->hops;
        if (!l->hops && !dt_leap_goes_on(sim)) {
            note_cut(sim);
        }
        return;
    }
    if (!c) {
        return;
    }
    look_at_end(sim);
    l->rest -= l->rest > 0;
    const double passed = sim->reached - l->time, left = -l->pivot / l->rate - passed;
    const double before = l->rate;
    l->bend = 0;
    if (l->choice == c->choice) {
        l->rate = passed > 0 ? (c->pivot - l->pivot) / passed : 0;
        l->bend = before < 0 && l->rate < 0 ? (l->rate - before) / passed : 0;
    } else { /* pivots of others, which are zero at the same time */
        l->rate = l->rate < 0 && left > 0 ? -c->pivot / left : 0;
    }
    l->time = sim->reached;
    l->pivot = c->pivot;
    l->side = c->side;
    l->choice = c->choice;
    if (!(l->pivot < 2 * near(sim))) {
        l->refusals = 0;
        l->steps = 0;
        l->comes = true;
    }
    /* beyond where the first leap would have ended the run has found its way */
    l->refusals = sim->reached < l->until ? l->refusals : 0;
    count_step(sim);
}

/* Whether the pivot is on its way to zero, and does not turn before. */
static bool is_on_its_way(const dt_simulation *sim)
{
    const dt_leap *l = &sim->leap;
    return is_possible(sim) && l->comes && l->rate < 0 &&
           l->rate * l->rate > 2 * l->pivot * l->bend;
}

double dt_leap_bound(const dt_simulation *sim)
{
    static const double far = 0.5; /* from there on the pivot goes straight enough */
    const dt_leap *l = &sim->leap;
    const double next = next_near(sim);
    return l->span == 0 && l->pivot > next && l->pivot < far && is_on_its_way(sim)
               ? (l->pivot - 0.9 * next) / -l->rate
               : INFINITY;
}

double dt_leap_hole(const dt_simulation *sim)
{
    const dt_leap *l = &sim->leap;
    return l->span > 0 ? l->time - l->pivot / l->rate : NAN;
}

double dt_leap_through_hole(void *user, double t, const double *y)
{
    dt_simulation *sim = user;
    dt_system *s = sim->core;
    memcpy(s->q, dt_q_of(sim, y), (size_t)s->tree->nq * sizeof *s->q);
    look_at(s, t);
    return s->closure->side * s->closure->pivot;
}

/* The pivot below which accelerations, with their error of eps / p^3, are known to less than 1e-3. */
static double blurred(void)
{
    return cbrt(DBL_EPSILON / 1e-3);
}

double dt_leap_clear(const dt_simulation *sim, double t)
{
    const dt_leap *l = &sim->leap;
    const double hole = dt_leap_hole(sim), wide = blurred() / fabs(l->rate);
    if (l->hops || t == sim->reached || !(fabs(t - hole) < wide)) {
        return t;
    }
    const double end = dt_solver_end(sim->solver), clear = t < hole ? hole - wide : hole + wide;
    return clear > end - dt_solver_last_step(sim->solver) && clear < end ? clear : t;
}

/*
 * Where long leaps are too inexact, for what else there is, and short ones come too near to the hole, one may err by as much as thirty
 * ordinary steps do: there is one of them in hundreds.
 */
double dt_leap_slack(const dt_simulation *sim)
{
    static const int many = 6;
    return sim->leap.refusals < many ? 1 : 30;
}

/* The longest leap from here, to where the pivot is as large as it has to be; 0: none is made. */
static double find_span(const dt_simulation *sim)
{
    const dt_leap *l = &sim->leap;
    const double least = next_near(sim);
    double span = 0;
    if (l->pivot < least && is_on_its_way(sim)) {
        span = 2 * least / -l->rate;
    } else if (l->pivot < 0.5 * least && is_possible(sim) && l->comes && l->rate > 0) {
        span = (least - l->pivot) / l->rate;
    }
    return span < dt_horizon(sim) ? span : 0;
}

void dt_leap_failed(dt_simulation *sim)
{
    dt_leap *l = &sim->leap;
    l->rest = 0;
    if (l->span > 0 && !l->hops) {
        l->until = l->refusals == 0 ? sim->reached + l->span : l->until;
        l->refusals++;
    }
}

bool dt_leap_wants_restart(dt_simulation *sim)
{
    dt_leap *l = &sim->leap;
    if (sim->pending || l->span > 0) {
        return l->landed;
    }
    l->span = l->rest > 0 ? 0 : find_span(sim);
    return l->span > 0;
}

bool dt_leap_chooses(dt_simulation *sim)
{
    dt_leap *l = &sim->leap;
    const bool leaps = dt_solver_kind(sim->solver) == DT_STEPPER_LEAP;
    if (l->hop > 0) {
        l->span = l->hop;
        l->time = l->pivot = NAN;
    } else if (l->span == 0) {
        return false;
    }
    const bool begins = !leaps || l->hop > 0;
    l->hops = l->hop > 0;
    l->hop = 0;
    if (begins) {
        l->back = leaps ? l->back : dt_solver_kind(sim->solver);
    } else {
        l->span = 0;
    }
    l->landed = false;
    /* the one before may be explicit, and a law have begun to slide at the event that the leap came from */
    const dt_stepper_kind after = dt_sliding_now(sim) ? DT_STEPPER_IDA : l->back;
    dt_solver_choose(sim->solver, begins ? DT_STEPPER_LEAP : after);
    return true;
}

/* Poses the core as interpolated at t. */
static bool pose_at(dt_simulation *sim, double t)
{
    dt_system *s = sim->core;
    if (!dt_solver_interpolate(sim->solver, t, 0)) {
        return false;
    }
    memcpy(s->q, dt_q_of(sim, sim->y), (size_t)s->tree->nq * sizeof *s->q);
    pose(s, t);
    return true;
}

/* How far what is tied is open at t, when the coordinates are as interpolated. */
static double open_at(dt_simulation *sim, double t)
{
    return pose_at(sim, t) ? dt_closure_error(sim->core) : INFINITY;
}

bool dt_leap_is_true(dt_simulation *sim)
{
    if (sim->leap.hops) {
        return true; /* no branches meet there */
    }
    /* Of the length: whatever the tolerance is, the branches are where they are. */
    static const double closed = 1e-12;
    const double end = dt_solver_end(sim->solver), h = dt_solver_last_step(sim->solver),
                 enough = closed * sim->scale.length;
    bool is_true = true;
    for (int k = 1; k < LOOKS && is_true; k++) {
        is_true = open_at(sim, end - h * k / LOOKS) <= enough;
    }
    sim->shown.time = NAN;
    return dt_solver_interpolate(sim->solver, sim->reached, 0) && is_true;
}

bool dt_leap_has_passed(dt_simulation *sim, double from)
{
    dt_leap *l = &sim->leap;
    const dt_closure *c = sim->core->closure;
    if (!is_possible(sim) || !l->comes || l->span > 0) {
        return false;
    }
    const int side = c->side;
    if ((l->side == 0 || l->choice != c->choice) && pose_at(sim, from)) {
        dt_closure_look(sim->core);
        l->side = c->side;
        l->choice = c->choice;
        sim->shown.time = NAN;
        if (!dt_solver_interpolate(sim->solver, sim->reached, 0)) {
            return true;
        }
    }
    return side == -l->side;
}

bool dt_leap_is_lost(const dt_simulation *sim)
{
    return (double)sim->leap.steps > most_steps(sim);
}

/* The primitive that no longer follows from the others. */
static void find_weakest(const dt_simulation *sim, int *primitive)
{
    const dt_closure *c = sim->core->closure;
    for (int i = 0; i < sim->core->tree->node_count; i++) {
        const dt_node *node = &sim->core->tree->nodes[i];
        if (c->weakest >= node->v && c->weakest < node->v + node->type->nv) {
            *primitive = dt_whole_node(sim, i);
        }
    }
}

bool dt_leap_tells_meeting(const dt_simulation *sim, int *primitive)
{
    const dt_closure *c = sim->core->closure;
    const bool meets = c && c->count > 0 && sim->leap.pivot < 2 * near(sim);
    if (meets) {
        find_weakest(sim, primitive);
    }
    return meets;
}

/* A tied joint at rest. */
static bool somebody_rests(const dt_simulation *sim)
{
    const dt_system *s = sim->core;
    bool any = false;
    for (int n = 0; n < s->closure->still->tied_count && !any; n++) {
        const int k = s->mechanism->primitives[s->closure->still->tied[n]].stiction;
        any = k >= 0 && (s->mode[k] == DETENT_LOCKED || s->mode[k] == DETENT_WAIT);
    }
    return any;
}

bool dt_leap_is_blurred(const dt_simulation *sim, int *primitive)
{
    const dt_leap *l = &sim->leap;
    const dt_closure *c = sim->core->closure;
    const double pivot = fabs(l->pivot + l->rate * (sim->reached - l->time)); /* as it goes on */
    if (!c || c->count == 0 || !l->comes || !(pivot < blurred()) || !somebody_rests(sim)) {
        return false;
    }
    find_weakest(sim, primitive);
    return true;
}
